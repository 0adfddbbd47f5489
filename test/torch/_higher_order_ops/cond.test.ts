/** `torch.cond` and `torch.while_loop`: eager, traced, functional, exported and with gradients, against what PyTorch recorded. */
import "glasstorch/export";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { FloatValue } from "#python/Objects/floatobject";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<Record<string, Any>>(new URL("../../fixtures/higher_order.json.gz", import.meta.url));
const cases = fileURLToPath(new URL("../../../tools/oracle/higher_order_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "cases", stdout: () => {} }) as Any;

/** The result of a program as JSON holds it, with numbers of five digits. */
function plain(value: Any): Any {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  if (Array.isArray(value)) return [...value].map(plain);
  if (value !== null && Object.getPrototypeOf(value) === Object.prototype) return plain(new Map(Object.entries(value)));
  const number = value instanceof FloatValue ? Number(value) : value;
  return typeof number === "number" ? Number(number.toPrecision(5)) : number;
}

test.each(Object.keys(recorded["functions"]))("a function: %s", (name) => {
  expect(plain(program.run(name))).toEqual(plain(recorded["functions"][name]));
});

test.each(Object.keys(recorded["exported"]))("an exported module: %s", (name) => {
  expect(plain(program.exported(name))).toEqual(plain(recorded["exported"][name]));
});

test("gradients of a choice", () => {
  expect(plain(program.gradients())).toEqual(plain(recorded["gradients"]));
});

test.each(Object.keys(recorded["refused"]))("refused: %s", (name) => {
  expect(plain(program.refused(name))).toEqual(recorded["refused"][name]);
});
