// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the holes of the templates under test
import { expect, test } from "vitest";
import { CodeTemplate } from "../../../tools/codegen/code_template.ts";

test("a list that stands alone on its line gives a line per element, indented alike", () => {
  const template = new CodeTemplate("class A {\n  ${members}\n}");
  expect(template.substitute({ members: ["a: number;", "f() {\n  return 1;\n}"] })).toBe(
    "class A {\n  a: number;\n  f() {\n    return 1;\n  }\n}",
  );
});

test("an empty list leaves no line", () => {
  expect(new CodeTemplate("a\n$x\nb").substitute({ x: [] })).toBe("a\nb");
});

test("inside a line a list is joined, and brings its own comma", () => {
  const call = new CodeTemplate("f(a${,rest}); g(${args,}last)");
  expect(call.substitute({ rest: ["b", "c"], args: [] })).toBe("f(a, b, c); g(last)");
  expect(call.substitute({ rest: [], args: ["x"] })).toBe("f(a); g(x, last)");
});

test("a hole without value names the template and the line", () => {
  expect(() => new CodeTemplate("one\n  ${two}", "X.tmpl").substitute({ three: "" })).toThrow("X.tmpl:2: ${two}");
});
