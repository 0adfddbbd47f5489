import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { expect, test } from "vitest";

test("a tensor given by keyword is described, so that the record can be written as JSON", () => {
  const x = torch.ones([3]);
  const out = torch.empty([3]);
  const { events } = JSON.parse(JSON.stringify(record(() => torch.mul(x, 2, { out }))));
  expect(events[0].kwargs.out).toMatchObject({ dtype: "float32", shape: [3] });
});
