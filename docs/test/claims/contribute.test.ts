/**
 * @file The operator of "Reading and contributing": the page's own texts are put into the sources, the generator runs, the program prints what
 * the page says.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, textOf } from "./library.ts";

const page = readFileSync(join(import.meta.dirname, "../../content/contribute.mdx"), "utf8");
const blocks = new Map(
  [...page.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)].map(([, title, text]) => [title, text]),
);

/** A new file is the block; a list gets it at its end, an interface before its closing brace. */
function withBlock(path: string, block: string): string {
  const old = textOf(path);
  if (old === undefined) return block;
  return path.endsWith("_torch_docs.ts") ? old.replace(/\}\s*$/, `${block}}\n`) : `${old}\n${block}`;
}

test("rhypot, as the page adds it", { timeout: 120_000 }, async () => {
  const program = blocks.get("try.ts") as string;
  const expected = (blocks.get("npx tsx try.ts") as string).trim().split("\n");
  const paths = [...blocks.keys()].filter((path) => path.includes("/"));
  expect(paths.length).toBe(5);
  const edits = new Map(paths.map((path) => [path, withBlock(path, blocks.get(path) as string)]));
  expect(await run(program, edits)).toEqual({ printed: expected, failed: null });
});

test("the steps are needed: without the derivative there is no gradient", { timeout: 120_000 }, async () => {
  const paths = [...blocks.keys()].filter((path) => path.includes("/") && !path.endsWith("derivatives.yaml"));
  const edits = new Map(paths.map((path) => [path, withBlock(path, blocks.get(path) as string)]));
  const { failed } = await run(blocks.get("try.ts") as string, edits);
  expect(failed).not.toBeNull();
});
