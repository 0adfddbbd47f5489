/**
 * @file `using` in browsers that do not know it: what is used is disposed of at the end of its block, the last first, errors or not.
 */
import { expect, test } from "vitest";
import { disposeAtEnd } from "../../src/playground/engine/transpile.ts";

function order(body: string): string[] {
  const js = disposeAtEnd(body);
  expect(js.split("\n").length).toBe(body.split("\n").length);
  const log: string[] = [];
  const made = (name: string) => ({ [Symbol.dispose]: () => log.push(`-${name}`) });
  try {
    new Function("log", "made", js)((name: string) => log.push(name), made);
  } catch (error) {
    log.push((error as Error).message);
  }
  return log;
}

test("to the end of the block", () => {
  expect(order('{\n  using a = made("a");\n  log("in");\n}\nlog("out");')).toEqual(["in", "-a", "out"]);
});

test("two in one block, and one further in", () => {
  const text = 'using a = made("a");\nusing b = made("b");\nif (true) { using c = made("c"); log("c"); }\nlog("}");';
  expect(order(text)).toEqual(["c", "-c", "}", "-b", "-a"]);
});

test("after return, and after an error", () => {
  expect(order('const f = () => { using a = made("a"); return log("x"); };\nf(); throw new Error("e");')).toEqual([
    "x",
    "-a",
    "e",
  ]);
  expect(order('using a = made("a"); throw new Error("e");')).toEqual(["-a", "e"]);
});

test("the word in a string or a name is none", () => {
  for (const text of ['log("using a = b");', "const using_a = 1;", "using(1);"]) expect(disposeAtEnd(text)).toBe(text);
});
