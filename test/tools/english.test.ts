/** The lint for English refuses openings of doc comments that name no thing, and nothing else. */
import { expect, test } from "vitest";
import { complaints_about } from "../../tools/english.ts";

/** A doc comment made here, so that the lint does not read it in this file. */
const doc = (...lines: string[]): string => ["const a = 1;", "/*" + "*", ...lines, "*/", ""].join("\n");

test.each(["Of", "The same", "For", "Those", "In any", "What"])("%s is refused as the first words", (opening) => {
  const [complaint, ...others] = complaints_about("src/a.ts", doc(` * ${opening} a tensor is meant.`));
  expect(complaint).toContain(`src/a.ts:3: "${opening} a tensor is meant."`);
  expect(others).toEqual([]);
});

test.each(["@file", "@param self", "@param self -", "@returns", "@differs", "@original"])("%s is read", (tag) => {
  expect(complaints_about("a.ts", doc(` * ${tag} Of a tensor.`))).toHaveLength(1);
  expect(complaints_about("a.ts", doc(` * ${tag}`, " *   What a tensor is."))).toHaveLength(1);
  expect(complaints_about("a.ts", doc(` * ${tag} Size of a tensor.`))).toEqual([]);
});

test("a mark in a line comment is read", () => {
  expect(complaints_about("a.ts", `// ${"@"}differs For integers, ours wraps.\n`)).toHaveLength(1);
});

test("a comment on one line is read", () => {
  expect(complaints_about("a.ts", "/*" + "* What it is. */\n")).toHaveLength(1);
});

test("words that only begin alike, and openings inside a text, pass", () => {
  expect(complaints_about("a.ts", doc(" * Offset. Of no importance.", " * For once, a second line."))).toEqual([]);
  expect(complaints_about("a.ts", doc(" * Whatever is given.", " * @see For"))).toEqual([]);
});

test("a comment that ends says nothing about the next one", () => {
  expect(complaints_about("a.ts", doc(" * @original") + "// For each tensor ...\nOf();\n")).toEqual([]);
});
