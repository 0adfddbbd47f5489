/**
 * @file Shorthand says the same in fewer characters, line for line.
 * @original
 */
import { expect, test } from "vitest";
import { lengthen, shorten } from "../../src/playground/engine/shorthand.ts";
import { transpile } from "../../src/playground/engine/transpile.ts";

const text = `import * as all from "#c10/core/Device";
import { Scalar } from "#c10/core/Scalar";
import { other as own } from "./some-folder/Other.ts";
export { tuple } from "../tuple.ts";

export function add(x: number): number {
  return own(x) + Scalar.one;
}
export class Twice {}
export const list = [all, add];
`;

test("a module is shorter, and comes back with the same lines", () => {
  const { js } = transpile("src/a/b.ts", text);
  const short = shorten(js);
  expect(short.length).toBeLessThan(js.length);
  const back = lengthen(short);
  expect(back.split("\n").length).toBe(js.split("\n").length);
  // A function is exported once, at the top.
  expect(back.replace(/ ?exports\.add = add;/g, "")).toBe(js.replace(/ ?exports\.add = add;/g, ""));
  expect(back.match(/exports\.add = add;/g)).toHaveLength(1);
});

test("a text that has one of the signs is refused", () => {
  expect(() => shorten("const sign = '\ue003';")).toThrow("has a sign of the shorthand");
});
