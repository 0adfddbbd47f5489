/**
 * @file The tables of messages on the page about guards: each text is made in the file that its row names.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../engine/tree.ts";

const page = readFileSync(join(root, "docs/content/walkthroughs/guards.mdx"), "utf8");
/** First column, and the file that the last column links to. */
const rows = [...page.matchAll(/^\| (`+)\s?(.+?)\s?\1 \|.*\?file=([\w/.]+)\)/gm)].map(
  ([, , text, file]) => [text, file] as const,
);

test("both tables are read", () => {
  expect(rows.length).toBeGreaterThan(15);
});

test.each(rows)("%s: made in %s", (text, file) => {
  const source = readFileSync(join(root, file), "utf8");
  const name = new RegExp(`^\\|.*${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}.*$`, "m").exec(page)?.[0] ?? "";
  const maker = /\), `(\w+)` \|/.exec(name)?.[1];
  if (maker !== undefined) expect(source).toMatch(new RegExp(`\\b(?:function|const) ${maker}\\b`));
  else expect(source).toContain(`gb_type: ${JSON.stringify(text)}`);
});
