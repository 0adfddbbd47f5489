import { expect, test } from "vitest";
import { braced, fill, MAX_WIDTH, try_finally } from "../../../tools/codegen/layout.ts";

const statement = (length: number): string => `${"x".repeat(length - 1)};`;

test("what is short stands in one line, with its braces", () => {
  expect(braced("f(): void", ["a();", "b();"], "  ")).toEqual(["  f(): void { a(); b(); }"]);
  expect(try_finally("a();", "b();")).toEqual(["try { a(); } finally { b(); }"]);
});

test("a body that has no room beside its head stands below it; one that has no room in a line has a line for each statement", () => {
  const [a, b] = [statement(72), statement(72)];
  expect(braced("while (true)", [a, b])).toEqual(["while (true) {", `  ${a} ${b}`, "}"]);
  const [c, d] = [statement(100), statement(100)];
  expect(braced("while (true)", [c, d], "  ")).toEqual(["  while (true) {", `    ${c}`, `    ${d}`, "  }"]);
  const long = statement(150);
  expect(try_finally(long, "b();")).toEqual(["try {", `  ${long}`, "} finally { b(); }"]);
});

test("what branches keeps its lines", () => {
  expect(braced("while (true)", ["if (a) throw b;", "c();"])).toEqual([
    "while (true) {",
    "  if (a) throw b;",
    "  c();",
    "}",
  ]);
  expect(braced("while (true)", ["if (a) {", "  b();", "}"])).toEqual([
    "while (true) {",
    "  if (a) {",
    "    b();",
    "  }",
    "}",
  ]);
});

test("filled lines keep the order and end before the margin", () => {
  const parts = Array.from({ length: 40 }, (_, i) => `[${i}, something],`);
  const lines = fill(parts, "  ");
  expect(lines.map((line) => line.trim()).join(" ")).toBe(parts.join(" "));
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(MAX_WIDTH);
});
