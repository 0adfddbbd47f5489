/**
 * @file The pages of the operators: every operator has one, and what they link to and quote exists.
 * @original
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Context, makeContext } from "../../site/context.ts";
import { operatorFacts } from "../../site/operator_facts.ts";
import { type OperatorPage, operatorPages } from "../../site/operator_pages.ts";
import { findRegion } from "../../site/regions.ts";
import { fileText } from "../../site/repository.ts";

const written = new Map<string, string>();
let context: Context;

beforeAll(async () => {
  const folder = `${mkdtempSync(join(tmpdir(), "site-"))}/`;
  context = {
    ...makeContext(),
    content: folder,
    generated: `${folder}generated/`,
    write: (path, text) => void written.set(path.slice(folder.length), String(text)),
  };
  await operatorPages(context);
}, 120_000);

const pages = (): [string, string][] => [...written].filter(([path]) => path.endsWith(".mdx"));
const names = (): Record<string, { base: string; anchor: string }> =>
  JSON.parse(written.get("generated/operator_names.json") as string);

test("every operator stands on a page, under a heading of its own", () => {
  const bySlug = new Map(pages().map(([, text]) => [/^slug: (.*)$/m.exec(text)?.[1], text]));
  const missing = operatorFacts(context).all.filter(
    (o) => !bySlug.get(`/operators/${o.base}/`)?.includes(`{/* #${names()[o.name]?.anchor} */}`),
  );
  expect(missing.map((o) => o.name)).toEqual([]);
  expect(Object.keys(names()).length).toBe(operatorFacts(context).all.length);
});

test("no two pages are one file, whatever the file system thinks of capitals", () => {
  const lower = pages().map(([path]) => path.toLowerCase());
  expect(new Set(lower).size).toBe(lower.length);
});

test("pages link to pages and headings that exist", () => {
  const known = new Set(
    Object.values(names()).flatMap(({ base, anchor }) => [`/operators/${base}/`, `/operators/${base}/#${anchor}`]),
  );
  const broken = pages().flatMap(([path, text]) =>
    [...text.matchAll(/\]\((\/operators\/[^)]*)\)/g)].filter((m) => !known.has(m[1])).map((m) => `${path}: ${m[1]}`),
  );
  expect(broken).toEqual([]);
});

test("links to sources lead to lines that exist", () => {
  const broken: string[] = [];
  const lengths = new Map<string, number>();
  const check = (where: string, file: string, line: number): void => {
    if (!lengths.has(file)) lengths.set(file, fileText(file)?.split("\n").length ?? -1);
    if (line > (lengths.get(file) as number) || lengths.get(file) === -1) broken.push(`${where}: ${file}:${line}`);
  };
  for (const [path, text] of written) {
    for (const m of text.matchAll(/file="([^"]+)" line=\{(\d+)\}/g)) check(path, m[1], Number(m[2]));
    if (!path.startsWith("generated/operators/")) continue;
    for (const o of (JSON.parse(text) as OperatorPage).overloads) {
      for (const piece of o.pieces) check(o.name, piece.file, piece.line);
      for (const stop of o.way) if (stop.place !== null) check(o.name, stop.place.file, stop.place.line);
      for (const row of o.table) check(o.name, row.file, row.line);
    }
  }
  expect(broken).toEqual([]);
});

test("every piece of code that a page quotes is there", () => {
  let count = 0;
  for (const [, text] of pages())
    for (const m of text.matchAll(/^```\w+ file=(\S+) region="([^"]+)"/gm)) {
      count++;
      expect(findRegion(m[1], fileText(m[1]) ?? "", m[2]).text).not.toBe("");
    }
  expect(count).toBeGreaterThan(1000);
});

test("generated pieces are linked to the line that declares them, and shown whole", () => {
  const page = JSON.parse(written.get("generated/operators/add.json") as string) as OperatorPage;
  const add = page.overloads.find((o) => o.name === "add.Tensor");
  expect(add?.pieces.map((p) => p.symbol.split("::").at(-1))).toEqual(
    expect.arrayContaining(["THPVariable_add", "add_Tensor", "wrapper_CPU_add_Tensor", "AddBackward0"]),
  );
  for (const piece of add?.pieces ?? []) {
    const line = readFileSync(join(context.root, piece.file), "utf8").split("\n")[piece.line - 1];
    expect(line).toContain(piece.symbol.split("::").at(-1));
    expect(piece.text).toContain(line.trim());
  }
});

test("the way of a call goes down to the arithmetic", () => {
  const way = (base: string, name: string): string[] =>
    (JSON.parse(written.get(`generated/operators/${base}.json`) as string) as OperatorPage).overloads
      .find((o) => o.name === name)
      ?.way.map((stop) => stop.name) ?? [];
  expect(way("_prelu_kernel", "_prelu_kernel")).toEqual([
    "torch::autograd::THPVariable__prelu_kernel",
    "at::_ops::_prelu_kernel::call",
    "VariableType::_prelu_kernel",
    "wrapper_CPU___prelu_kernel",
    "at::native::_prelu_kernel",
    "at::native::prelu_stub",
    "at::native::prelu_kernel",
    "at::native::prelu",
  ]);
  expect(way("view", "view")).toEqual([
    "torch::autograd::THPVariable_view",
    "at::_ops::view::call",
    "VariableType::view",
    "ADInplaceOrView::view",
    "wrapper_CPU__view",
    "at::native::view",
  ]);
  expect(way("prelu", "prelu").at(-1)).toBe("at::native::prelu");
  expect(written.get("prelu.mdx") ?? written.get("operators/prelu.mdx")).toContain(
    'operator: "_prelu_kernel", name: "prelu", file: "src/aten/native/cpu/Activation.ts"',
  );
});
