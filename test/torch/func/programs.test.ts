/** `torch.func`: programs, printed tensors, refusals and warnings, against what PyTorch recorded (tools/oracle/func_cases.py). */
import "glasstorch/fx";
import "glasstorch/func";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { FloatValue } from "#python/Objects/floatobject";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<Record<string, Any>>(new URL("../../fixtures/func.json.gz", import.meta.url));
const cases = fileURLToPath(new URL("../../../tools/oracle/func_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "cases", stdout: () => {} }) as Any;

/** The result of a program as JSON holds it. */
function plain(value: Any): Any {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  if (Array.isArray(value)) return [...value].map(plain);
  return value instanceof FloatValue ? Number(value) : value;
}

/** Numbers of four digits may differ in the last one, which was rounded. */
function expect_close(actual: Any, expected: Any): void {
  if (typeof expected === "number") expect(actual).toBeCloseTo(expected, 3);
  else if (Array.isArray(expected)) {
    expect(actual).toHaveLength(expected.length);
    for (const [i, each] of expected.entries()) expect_close(actual[i], each);
  } else if (expected !== null && typeof expected === "object") {
    expect(Object.keys(actual)).toEqual(Object.keys(expected));
    for (const key of Object.keys(expected)) expect_close(actual[key], expected[key]);
  } else expect(actual).toBe(expected);
}

test.each(Object.keys(recorded["programs"]))("a program: %s", (name) => {
  expect_close(plain(program.run(name)), recorded["programs"][name]);
});

test.each(Object.keys(recorded["printed"]))("printed: %s", (name) => {
  expect(plain(program.texts(name))).toEqual(recorded["printed"][name]);
});

test.each(Object.keys(recorded["refused"]))("refused: %s", (name) => {
  expect(plain(program.refusal(name))).toEqual(recorded["refused"][name]);
});

test.each(Object.keys(recorded["warned"]))("with a warning: %s", (name) => {
  const [result, warnings] = plain(program.warnings_of(name));
  expect_close(result, recorded["warned"][name][0]);
  expect(warnings).toEqual(recorded["warned"][name][1]);
});
