/**
 * @file The programs of the gallery, each in its short form, beside PyTorch's own run of the same program.
 * @see tools/oracle/record_gallery.py
 */
import torch from "glasstorch";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as gpt from "../../gallery/gpt.ts";
import * as lenet from "../../gallery/lenet.ts";
import * as lstm_tagger from "../../gallery/lstm_tagger.ts";
import * as mlp_digits from "../../gallery/mlp_digits.ts";
import * as resnet18 from "../../gallery/resnet18.ts";
import { complaints, type Outcome, recorded } from "../../gallery/support/outcome.ts";

const programs = { mlp_digits, lenet, gpt, lstm_tagger, resnet18 };

const threads = torch.get_num_threads();
beforeAll(() => torch.set_num_threads(1));
afterAll(() => torch.set_num_threads(threads));

test.each(Object.entries(programs))("%s", (name, { run }) => {
  const { short } = recorded(name);
  const outcome = run(short.options);
  expect(outcome.losses).toHaveLength(short.options.steps);
  expect(Object.keys(outcome).sort()).toEqual(
    Object.keys(short)
      .filter((key) => key !== "options")
      .sort(),
  );
  expect(Object.keys(outcome.parameters)).toEqual(Object.keys(short.parameters));
  expect(complaints(outcome, short)).toEqual([]);
});

test("what is not as in PyTorch is said", () => {
  const { short } = recorded("lstm_tagger");
  const at = (n: number, factor: number): Outcome => ({
    ...short,
    losses: short.losses.map((loss, i) => (i === n ? loss * factor : loss)),
  });
  expect(complaints(short, short)).toEqual([]);
  expect(complaints(at(3, 1 + 1e-5), short)).toEqual(["losses of the first 5 steps: 1.0e-5 apart"]);
  expect(complaints({ ...short, accuracy: 0, text: "" }, short)).toHaveLength(2);
  const [name, [sum, magnitudes]] = Object.entries(short.parameters)[0];
  const parameters = { ...short.parameters, [name]: [sum, magnitudes * 1.001] as const };
  expect(complaints({ ...short, parameters }, short)).toEqual(["sums of parameters: 1.0e-3 apart"]);
});
