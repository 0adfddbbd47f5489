import { readFileSync } from "node:fs";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import { with_lists } from "../helpers/with_lists.ts";

for (const file of ["_torch_docs.ts", "_tensor_docs.ts"]) {
  const text = readFileSync(new URL(`../../src/torch/${file}`, import.meta.url), "utf8");
  const examples = [...text.matchAll(/@example (.*);(?: \/\/ (.*))?$/gm)];

  test(`every entry of ${file} has an example`, () => {
    expect(examples.length).toBe([...text.matchAll(/^ {2}\w+: Documented;$/gm)].length);
  });

  for (const [, code, expected] of examples) {
    test(code, () => {
      const result = new Function("torch", `return ${code}`)(torch);
      if (expected !== undefined) expect(repr(with_lists(result)).replace(/\n\s*/g, " ")).toBe(expected);
    });
  }
}
