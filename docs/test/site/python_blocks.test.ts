/**
 * @file Every block of Python on a page runs on the library, or says why it does not; the page about Python says what is true.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import "../../../src/compile.ts";
import "../../../src/export.ts";
import "../../../src/func.ts";
import "../../../src/jit.ts";
import "../../../src/lazy.ts";
import { format_exception, python } from "../../../src/python.ts";
import { generatedFolder } from "../../site/generated.ts";
import { namesWithoutPython, toPython } from "../../site/python.ts";
import { blockOf, CANNOT_RUN, type PythonBlock, regionBlock, stepBlock } from "../../site/python_blocks.ts";
import { regionOf, textOf } from "../../site/shards.ts";
import { root } from "../engine/tree.ts";

/** The traceback of a program, empty if it runs. */
function traceback(program: string): string {
  try {
    python(program, { stdout: () => {}, limit: { instructions: 20_000_000 } });
    return "";
  } catch (error) {
    return format_exception(error);
  }
}

const content = join(root, "docs/content");

/** Pages that a person wrote. */
const pages = readdirSync(content, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.mdx$/.test(path) && !/^(?:operators|api|learn\/exercises)\//.test(path),
);

interface Named extends PythonBlock {
  readonly name: string;
}

function blocksOf(page: string): Named[] {
  const text = readFileSync(join(content, page), "utf8");
  const blocks: Named[] = [];
  const steps: Named[] = [];
  for (const [, meta = "", body = ""] of text.matchAll(/^```python(.*)\n([\s\S]*?)^```$/gm)) {
    const [, file, region] = /file=(\S+) region="([^"]*)"/.exec(meta) ?? [];
    if (file !== undefined) steps.push({ name: `${page}: ${region}`, ...stepBlock(file, textOf(file), region) });
    else
      blocks.push({
        name: `${page}: ${body.split("\n")[0]}`,
        key: "",
        program: body,
        why: /why="([^"]*)"/.exec(meta)?.[1] ?? null,
      });
  }
  // A step's program is the beginning of the last step's, so running that one runs them all.
  const last = steps.at(-1);
  for (const { name, program } of steps)
    if (last?.program.startsWith(program) !== true) throw new Error(`${name} stands after the last step of its page`);
  if (last !== undefined) blocks.push(last);
  for (const [, meta = ""] of text.matchAll(/^```ts (.*)$/gm)) {
    const file = /file=(\S+)/.exec(meta)?.[1];
    const region = /region="([^"]*)"/.exec(meta)?.[1] ?? /region=(\S+)/.exec(meta)?.[1];
    if (file?.startsWith("walkthroughs/") !== true || region === undefined || /\btypescript\b/.test(meta)) continue;
    const cut = regionOf(file, region, { doc: /\bdoc\b/.test(meta), comments: /\bcomments\b/.test(meta) });
    const without = namesWithoutPython(textOf(file));
    if (toPython(cut.text, { without, whole: true }) === null) continue;
    blocks.push({ name: `${page}: ${region}`, ...regionBlock(`${file}#${region}`, textOf(file), without, cut) });
  }
  for (const [, of = ""] of text.matchAll(/<PythonLines of="([\w-]+)"/g)) {
    const recorded = join(generatedFolder, "walkthroughs", `${of}.json`);
    if (!existsSync(recorded)) continue; // made with the site
    const { python } = JSON.parse(readFileSync(recorded, "utf8")) as { python: string };
    blocks.push({ name: `${page}: lines of ${of}`, ...blockOf(`walkthroughs/${of}.ts#python`, python) });
  }
  for (const [, code = ""] of text.matchAll(/<Playground[^>]*code=\{`([\s\S]*?)`\}/g)) {
    const python = toPython(code.replaceAll("\\`", "`").replaceAll("\\$", "$"), { whole: true });
    if (python !== null) blocks.push({ name: `${page}: ${code.split("\n")[0]}`, ...blockOf("", python) });
  }
  return blocks;
}

const all = pages.flatMap(blocksOf);

test("there are blocks of each kind", () => {
  expect(all.filter(({ why }) => why === null).length).toBeGreaterThan(20);
});

test.each(all)("$name", ({ program, why, key }) => {
  if (why === null) expect(traceback(program)).toBe("");
  else expect(traceback(program)).toContain(CANNOT_RUN[key]?.error ?? "Error");
});

/** Rows of the table: what is left out, an example, its message. */
const rows = [
  ...readFileSync(join(content, "python-here.mdx"), "utf8").matchAll(/^\| ([^|]+) \| `([^`|]+)` \| `([^`|]+)` \|$/gm),
].map(([, what = "", example = "", message = ""]) => ({ what, example, message }));

test("the page about Python has a row for each part that is left out", () => {
  expect(rows.length).toBeGreaterThan(8);
});

test.each(rows)("left out: $what", ({ example, message }) => {
  expect(traceback(`${example}\n`)).toContain(message);
});
