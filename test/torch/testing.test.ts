/**
 * `torch.testing`: every row of testing.json.gz, as PyTorch answers it (tools/oracle/record_testing.py).
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { type Any, readFixture } from "../helpers/recorded.ts";

type Row = [ts: string, python: string, outcome: Any, warned: string[]];
const { rows } = readFixture<{ rows: Row[] }>(new URL("../fixtures/testing/testing.json.gz", import.meta.url));

/** `float.hex()` of Python. */
function from_hex(text: string): number {
  const found = /^(-?)0x([01])\.([0-9a-f]+)p([+-]\d+)$/.exec(text);
  if (found === null) return { inf: Number.POSITIVE_INFINITY, "-inf": Number.NEGATIVE_INFINITY }[text] ?? Number.NaN;
  const [, sign, whole, digits, exponent] = found;
  const mantissa = Number(whole) + Number.parseInt(digits, 16) / 16 ** digits.length;
  return (sign === "-" ? -1 : 1) * mantissa * 2 ** Number(exponent);
}

function check(answer: Any, outcome: Any): void {
  if (outcome === null) return void expect(answer ?? null).toBeNull();
  const { dtype, shape, stride, requires_grad, data } = outcome;
  expect([String(answer.dtype), answer.shape, answer.stride(), answer.requires_grad]).toEqual([
    dtype,
    shape,
    stride,
    requires_grad,
  ]);
  const expected = data.map((value: Any) => (typeof value === "string" ? from_hex(value) : value));
  expect(answer.detach().flatten().tolist()).toEqual(expected);
}

test.each(rows)("%s", (ts, _python, outcome, warned) => {
  const run = new Function("torch", `return ${ts};`);
  torch.manual_seed(5);
  const texts: string[] = [];
  const before = setWarningHandler(({ msg }) => texts.push(msg));
  try {
    if (!Array.isArray(outcome)) check(run(torch), outcome);
    else {
      const [type, message] = outcome as [string, string];
      let thrown: Any = null;
      try {
        run(torch);
      } catch (error) {
        thrown = error;
      }
      expect(thrown?.message).toBe(message);
      expect(thrown.constructor.name.replace(/_$/, "")).toBe(type);
    }
  } finally {
    setWarningHandler(before);
  }
  expect(texts).toEqual(warned);
});
