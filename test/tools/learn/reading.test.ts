/**
 * @file Texts of exercises in a terminal: no line of a paragraph is wider than it, nothing is lost, and what has a form keeps it.
 * @see tools/learn/reading.ts
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../tools/codegen/file_system.ts";
import { reading } from "../../../tools/learn/reading.ts";

test("paragraphs, items and quotations are filled; headings, tables and code stand as they are", () => {
  const text = [
    "# A heading that is longer than the width",
    "",
    "one two three four",
    "five",
    "- first item of",
    "  a list",
    "10. tenth item of it",
    "> said so and",
    "> so",
    "",
    "1. an item with",
    "   a table:",
    "",
    "   | two columns | of words |",
    "   |---|---|",
    "",
    "    a ──> figure ──> of four",
    "",
    "| a table | that is longer | than the width |",
    "```ts",
    "const a_line_of_code = that_is(too, wide);",
    "```",
  ];
  expect(reading(text.join("\n"), 14)).toEqual([
    text[0],
    "",
    "one two three",
    "four five",
    "- first item",
    "  of a list",
    "10. tenth item",
    "    of it",
    "> said so and",
    "> so",
    "",
    "1. an item",
    "   with a",
    "   table:",
    "",
    ...text.slice(13),
  ]);
});

const exercises = readdirSync(join(ROOT, "exercises"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
test.each(exercises.map(({ name }) => name))("%s", (name) => {
  const text = readFileSync(join(ROOT, "exercises", name, "README.md"), "utf8");
  const words = (lines: string): string[] => lines.replace(/^> /gm, "").split(/\s+/).filter(Boolean);
  const lines = reading(text, 80);
  expect(words(lines.join("\n"))).toEqual(words(text));
  let fenced = false;
  for (const line of lines) {
    if (line.startsWith("```")) fenced = !fenced;
    if (!fenced && line.includes(" ") && !/^(?:#|\s*\|| {4})/.test(line))
      expect(line.length, line).toBeLessThanOrEqual(80);
  }
});
