/** `torch.cond`, custom functions and checkpoint regions in compiled functions: graphs, results and gradients against those recorded from PyTorch. */
import "glasstorch/compile";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { plain } from "../../helpers/plain.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<{ readonly cases: Record<string, Any> }>(
  new URL("../../fixtures/dynamo_higher_order.json.gz", import.meta.url),
);
const cases = fileURLToPath(new URL("../../../tools/oracle/dynamo_higher_order_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), {
  filename: cases,
  name: "dynamo_higher_order_cases",
  stdout: () => {},
}) as Any;

test.each(cases_in_turn("programs of dynamo_higher_order_cases.py", Object.keys(recorded.cases), 3))("%s", (name) => {
  expect(plain(program.run(name))).toEqual(recorded.cases[name]);
});
