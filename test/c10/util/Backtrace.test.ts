/**
 * Lines of a stack as Node, tsx, vitest and a page write them; folders with any name.
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { below_root, parse_frame } from "#c10/util/Backtrace";

test.each([
  ["    at f (/a/b.ts:1:2)", { name: "f", file: "/a/b.ts", line: 1, column: 2 }],
  ["    at /a/b.ts:1:2", { name: null, file: "/a/b.ts", line: 1, column: 2 }],
  ["    at async f (file:///a/b.ts:10:20)", { name: "f", file: "file:///a/b.ts", line: 10, column: 20 }],
  ["    at async file:///a/b.ts:10:20", { name: null, file: "file:///a/b.ts", line: 10, column: 20 }],
  [
    "    at new C (/dír with späce 日本/a.ts:3:4)",
    { name: "new C", file: "/dír with späce 日本/a.ts", line: 3, column: 4 },
  ],
  ["    at /dír (with) späce/a.ts:3:4", { name: null, file: "/dír (with) späce/a.ts", line: 3, column: 4 }],
  ["    at f [as g] (/copy (2)/a.ts:3:4)", { name: "f [as g]", file: "/copy (2)/a.ts", line: 3, column: 4 }],
  [
    "    at Object.<anonymous> (C:\\my files\\a.ts:3:4)",
    { name: "Object.<anonymous>", file: "C:\\my files\\a.ts", line: 3, column: 4 },
  ],
  ["    at eval (eval at f (/a/b.ts:1:2), <anonymous>:1:1)", null],
  ["    at f (<anonymous>)", null],
  ["f@file:///a/b.ts:1:2", { name: "f", file: "file:///a/b.ts", line: 1, column: 2 }],
  ["@https://a.b/c.js?v=1:1:2", { name: null, file: "https://a.b/c.js?v=1", line: 1, column: 2 }],
  ["Error: at the door (1:2)", null],
])("%s", (line, frame) => {
  expect(parse_frame(line)).toEqual(frame);
});

test("a frame of this file is found, as a path and as an address", () => {
  const file = fileURLToPath(import.meta.url);
  expect(below_root(file)).toBe("test/c10/util/Backtrace.test.ts");
  expect(below_root(pathToFileURL(file).href)).toBe("test/c10/util/Backtrace.test.ts");
  expect(below_root(`${pathToFileURL(file).href}?v=12`)).toBe("test/c10/util/Backtrace.test.ts");
});

test("a file elsewhere is not below the root, whatever its folders are called", () => {
  expect(below_root("/elsewhere/src/aten/Parallel.ts")).toBe(null);
  expect(below_root("node:internal/modules")).toBe(null);
});
