/**
 * @file A page for every operator, and the list of them: from the YAML, the symbol index, the sources and the table the library computes.
 * @original
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { KernelFact } from "../../tools/explain/kernels.ts";
import type { OperatorKind } from "../../tools/explain/kinds.ts";
import type { OperatorFacts } from "../../tools/explain/operators.ts";
import { testsOf } from "../../tools/explain/tests_of.ts";
import type { Context } from "./context.ts";
import { differencesOf } from "./differs_page.ts";
import { escape, inline } from "./mdx_text.ts";
import { arithmeticOf, homeOf, loopOf, operatorFacts } from "./operator_facts.ts";
import { callersInWords, operatorWords } from "./operator_words.ts";
import { fileText, upstream, upstreamPath } from "./repository.ts";

/** Data of a page's component; keys are short because there are many pages. */
export interface OperatorPage {
  readonly base: string;
  readonly overloads: readonly OverloadData[];
}

export interface PlaceData {
  readonly file: string;
  readonly line: number;
}

export interface OverloadData {
  readonly name: string;
  readonly schema: string;
  readonly kind: OperatorKind;
  readonly tags: readonly { readonly tag: string; readonly words: string }[];
  /** Everything made from its YAML entries. */
  readonly pieces: readonly PieceData[];
  readonly way: readonly {
    readonly what: string;
    readonly name: string;
    readonly note: string;
    readonly place: PlaceData | null;
  }[];
  readonly table: readonly (PlaceData & {
    readonly keys: readonly string[];
    readonly origin: string;
    readonly fallthrough: boolean;
    readonly kernel: string | null;
  })[];
  readonly fallbackKeys: number;
}

export interface PieceData extends PlaceData {
  readonly layer: string;
  readonly symbol: string;
  readonly role: string;
  readonly mirrors: string;
  readonly text: string;
}

export interface OperatorList {
  readonly pages: readonly {
    readonly base: string;
    readonly kind: OperatorKind;
    readonly overloads: readonly string[];
    /** Where its arithmetic, or its composite kernel, stands. */
    readonly place: (PlaceData & { readonly name: string }) | null;
    readonly derivative: boolean;
  }[];
}

/** Operator -> its page and its anchor there. */
export type OperatorNames = { readonly [name: string]: { readonly base: string; readonly anchor: string } };

export async function operatorPages(context: Context): Promise<string> {
  const { all } = operatorFacts(context);
  const bases = new Map<string, OperatorFacts[]>();
  for (const o of all) bases.set(o.base, [...(bases.get(o.base) ?? []), o]);
  for (const [base, overloads] of bases) bases.set(base, functionalFirst(overloads));
  for (const folder of [join(context.content, "operators"), join(context.generated, "operators")])
    rmSync(folder, { recursive: true, force: true });
  const unambiguous = new Map(all.map((o) => [o.unambiguous, o]));
  const callers = callersOf(all);
  const names: Record<string, { base: string; anchor: string }> = {};
  for (const [base, overloads] of bases) {
    for (const o of overloads) names[o.name] = { base, anchor: anchorOf(o.name) };
    const page: OperatorPage = { base, overloads: overloads.map(dataOf) };
    context.write(join(context.generated, "operators", `${base}.json`), JSON.stringify(page));
    context.write(
      join(context.content, "operators", fileOf(base)),
      mdx(context, base, overloads, unambiguous, callers),
    );
  }
  const list: OperatorList = {
    pages: [...bases]
      .map(([base, overloads]) => {
        const home = homeOf(overloads);
        return {
          base,
          kind: overloads[0].kind,
          overloads: overloads.map((o) => o.name),
          place: home === null ? null : { name: home.name, file: home.file, line: home.line },
          derivative: overloads.some((o) => o.derivative !== null),
        };
      })
      .sort((a, b) => (bare(a.base) < bare(b.base) ? -1 : 1)),
  };
  context.write(join(context.generated, "operators.json"), JSON.stringify(list));
  context.write(join(context.generated, "operator_names.json"), JSON.stringify(names));
  context.write(join(context.generated, "built.json"), JSON.stringify(built(all, bases.size)));
  context.write(join(context.content, "operators/index.mdx"), index(all.length, bases.size));
  return `${bases.size} pages for ${all.length} operators`;
}

/** How much of PyTorch's list is here. */
function built(all: readonly OperatorFacts[], pages: number): object {
  const entries = all.filter((o) => o.kind !== "autogen").length;
  const counts = { theirs: PYTORCH_ENTRIES, entries, operators: all.length, pages };
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count.toLocaleString("en")]));
}

/** `- func:` entries of native_functions.yaml in 2.13.0; a test counts them where that PyTorch is installed. */
export const PYTORCH_ENTRIES = 2584;

/** The YAML's order, but the page begins with an overload that writes nowhere. */
function functionalFirst(overloads: readonly OperatorFacts[]): OperatorFacts[] {
  const first = overloads.find((o) => o.variant === "functional" && o.kind !== "autogen");
  return first === undefined ? [...overloads] : [first, ...overloads.filter((o) => o !== first)];
}

function bare(base: string): string {
  return base.replace(/^_+/, "").toLowerCase();
}

/** The docs plugin leaves out files that begin with an underscore, and a folder has one index. */
export function fileOf(base: string): string {
  return `${base.startsWith("_") || base === "index" ? `operator-${base}` : base}.mdx`;
}

export function anchorOf(name: string): string {
  return name;
}

let tagDescriptions: ReadonlyMap<string, string> | null = null;

function tagWords(): ReadonlyMap<string, string> {
  const yaml = fileText("src/aten/native/tags.yaml") ?? "";
  return (tagDescriptions ??= new Map(
    Array.from(yaml.matchAll(/^- tag: (\w+)\n {2}desc: (.*)$/gm), (m) => [m[1], m[2]]),
  ));
}

function dataOf(o: OperatorFacts): OverloadData {
  return {
    name: o.name,
    schema: o.schema,
    kind: o.kind,
    tags: o.tags.map((tag) => ({ tag, words: tagWords().get(tag) ?? "" })),
    // What `autogen` adds stands under its own heading; the node of a formula is shown with every form it serves.
    pieces: o.pieces
      .filter((p) => p.operator === o.name || p.entry.startsWith("derivatives.yaml#"))
      .map(({ layer, symbol, role, file, line, mirrors, text }) => ({
        ...{ layer, symbol, role, file, line, text },
        mirrors: upstreamPath(mirrors),
      })),
    way: wayOf(o),
    table: o.table.map((r) => ({
      keys: r.keys,
      origin: r.origin,
      fallthrough: r.fallthrough,
      kernel: r.kernel?.symbol ?? null,
      file: r.kernel?.file ?? r.file,
      line: r.kernel?.line ?? r.line,
    })),
    fallbackKeys: o.fallbackKeys,
  };
}

/** The path down to the arithmetic. If there are several loops, a note marks the one that serves float32. */
function wayOf(o: OperatorFacts): OverloadData["way"] {
  const loops = o.way.filter((stop) => stop.what === "loop" || stop.what === "template");
  if (loops.length < 2) return o.way;
  const home = loopOf([o]);
  return o.way.map((stop) =>
    loops.includes(stop) && stop.place?.file === home?.file && stop.place?.line === home?.line
      ? { ...stop, note: `${stop.note}; this one serves float32` }
      : stop,
  );
}

/** Operator (unambiguous) -> bases whose kernels call it. */
function callersOf(all: readonly OperatorFacts[]): Map<string, Set<string>> {
  const callers = new Map<string, Set<string>>();
  for (const o of all)
    if (o.kind !== "autogen")
      for (const called of o.kernels.flatMap((k) => k.calls)) {
        const set = callers.get(called) ?? new Set();
        callers.set(called, set.add(o.base));
      }
  return callers;
}

/** Its formula, an example to run, and links to other descriptions; for an internal operator, its callers. */
function says_(context: Context, base: string): { plain: string; lines: string[] } {
  const words = operatorWords(context).get(base);
  const [, listed] = /^_foreach_(\w+)$/.exec(base) ?? [];
  if (words === undefined && listed !== undefined && operatorFacts(context).all.some((o) => o.base === listed)) {
    const text = `does to every tensor of a list what [\`${listed}\`](/operators/${listed}/) does to one`;
    return {
      plain: `torch.${base}: to every tensor of a list what ${listed} does to one`,
      lines: [`**\`torch.${base}\`** ${text}. Optimizers call it: one call serves all parameters.`, ""],
    };
  }
  if (words === undefined) {
    const { kernels, formulas } = callersInWords(base, operatorFacts(context).all);
    const by = [
      ...(kernels.length > 0 ? [`kernels of ${links(kernels).slice(0, -1)}`] : []),
      ...(formulas.length > 0 ? [`the derivative of ${links(formulas).slice(0, -1)}`] : []),
    ];
    const who = by.length === 0 ? "" : ` It is called by ${by.join(", and by ")}.`;
    return {
      // The search knows a page by its description: it must not be that of fifty others.
      plain:
        by.length === 0
          ? `${base}, without a public function`
          : `${base}, called by ${[...kernels, ...formulas].join(", ")}`,
      lines: [`This operator is internal to PyTorch: it has no function in the documented API.${who}`, ""],
    };
  }
  const { call, api, text, shapes, example, org } = words;
  const more = [
    `[\`${call}\`](${api}) in the API here`,
    ...(org === null ? [] : [`[\`${org.name}\`](${org.url}) at pytorch.org`]),
  ];
  const lines = [
    text === ""
      ? `**\`${call}\`**${says(call)} the public name of this operator.`
      : `**\`${call}\`**${says(call)} ${inline(text)}${shapes === "" ? "" : ` Shapes: ${inline(shapes)}.`}`,
    "",
  ];
  if (example !== null)
    lines.push(`<Playground label=${JSON.stringify(`Example of ${base}`)} code={\`${program(example)}\`} />`, "");
  lines.push(`${more.join("; ")}.`, "");
  const plain = text === "" ? `the public name of ${base}` : text.replaceAll("`", "");
  return { plain: `${call}${says(call)} ${plain}`, lines };
}

/** A method is one of a tensor. */
const says = (call: string): string => (call.startsWith("x.") ? " (a method of Tensor):" : ":");

/** The docstring's example as a program: what it prints stands in its comment. */
function program({ code, gives }: { readonly code: string; readonly gives: string }): string {
  const shown = gives === "" ? code : `console.log(String(${code})); // ${gives}`;
  const names = /\bF\./.test(code) ? "\nconst F = torch.nn.functional;" : "";
  return `import torch from "glasstorch";${names}\n\n${shown}\n`.replace(/[`\\$]/g, "\\$&");
}

/** Code of more lines than this is linked, not shown. */
const LONGEST = 70;

function mdx(
  context: Context,
  base: string,
  overloads: readonly OperatorFacts[],
  unambiguous: ReadonlyMap<string, OperatorFacts>,
  callers: ReadonlyMap<string, Set<string>>,
): string {
  const first = overloads[0];
  const home = homeOf(overloads);
  const shown = new Map<string, string>();
  const says = says_(context, base);
  const out: string[] = [
    "---",
    `title: ${JSON.stringify(base)}`,
    `slug: /operators/${base}/`,
    `description: ${JSON.stringify(says.plain)}`,
    "displayed_sidebar: site",
    "custom_edit_url: null",
    "pagination_next: null",
    "pagination_prev: null",
    "---",
    "",
    `import page from "@site/generated/operators/${base}.json";`,
    `import { At, Home, MadeFrom, Schema, Table, Way, WayDiffers } from "@site/src/components/reference/operator";`,
    "",
    `# ${escape(base)}`,
    "",
    ...says.lines,
  ];
  // Arithmetic of its own, in a loop or in its kernel, is not looked for below it.
  const own = overloads.some((o) =>
    o.kernels.some((k) => k.steps.some((s) => s.role !== "stub" && s.role !== "native")),
  );
  const below = home === null || own ? null : arithmeticOf(overloads, unambiguous);
  if (home !== null && below !== null)
    out.push(
      `<Home name=${JSON.stringify(home.name)} file="${home.file}" line={${home.line}} mirrors="${withLine(home)}"`,
      `  arithmetic={{ operator: ${JSON.stringify(below.operator.base)}, name: ${JSON.stringify(below.name)}, file: "${below.file}", line: ${below.line}, mirrors: "${withLine(below)}" }} />`,
      "",
    );
  else if (home !== null)
    out.push(
      `<Home name=${JSON.stringify(home.name)} file="${home.file}" line={${home.line}} mirrors="${withLine(home)}" />`,
      "",
    );
  // The search knows a page by its title and its first words; the parts below have the same headings on every page. Where is it? knows the names.
  out.push(first.sentence, "", '<div className="no-search">', "");
  for (const [i, o] of overloads.entries()) {
    out.push(
      `## ${escape(o.name === base ? `aten::${o.name}` : o.name)} {/* #${anchorOf(o.name)} */}`,
      "",
      `<Schema overload={page.overloads[${i}]} />`,
      "",
    );
    if (i > 0 && o.sentence !== overloads[i - 1]?.sentence) out.push(o.sentence, "");
    if (o.yamlText !== "") out.push(quiet(fence("yaml", o.yaml.file, `- func: ${o.name}`, "The entry")), "");
    if (o.kind !== "autogen")
      out.push(
        i === 0
          ? `<Way overload={page.overloads[0]} />`
          : `<WayDiffers overload={page.overloads[${i}]} from={page.overloads[0]} />`,
        "",
      );
    out.push(...kernels(o, shown, unambiguous));
    if (o.derivative !== null)
      if (o.derivative.of === o.name || !overloads.some((x) => x.name === o.derivative?.of))
        out.push(quiet(fence("yaml", o.derivative.file, `- name: ${o.derivative.of}`, "The derivative")), "");
      else out.push(`Its derivative is that of [\`${o.derivative.of}\`](#${anchorOf(o.derivative.of)}).`, "");
    out.push(
      `<Table overload={page.overloads[${i}]} from={page.overloads[0]} />`,
      "",
      `<MadeFrom overload={page.overloads[${i}]} />`,
      "",
    );
  }
  const calledBy = [...new Set(overloads.flatMap((o) => [...(callers.get(o.unambiguous) ?? [])]))]
    .filter((b) => b !== base)
    .sort();
  if (calledBy.length > 0) out.push("## Who calls it", "", links(calledBy), "");
  out.push("## Tests", "", quiet(testList(context, overloads).join("\n")), "");
  const files = [
    ...new Set(overloads.flatMap((o) => o.kernels.flatMap((k) => [k.file, ...k.steps.map((s) => s.file)]))),
  ];
  const differences = differencesOf(context.root).filter((d) => files.includes(d.file));
  if (differences.length > 0) {
    const lines = differences.map((d) => `- ${at(d.file, d.line)}: ${inline(d.text)}`);
    out.push("## Differences in these files", "", quiet(lines.join("\n")), "");
  }
  const theirs = [
    ...new Set(
      overloads.flatMap((o) => [
        ...o.kernels.map((k) => k.mirrors),
        ...o.kernels.flatMap((k) => k.steps.map((s) => s.mirrors)),
      ]),
    ),
  ]
    .filter((path) => path !== "")
    .map(upstreamPath);
  if (theirs.length > 0)
    out.push(
      "## PyTorch's files",
      "",
      ...[...new Set(theirs)].map((path) => `- [${escape(path)}](${theirUrl(path)})`),
      "",
    );
  out.push("</div>", "");
  return out.join("\n");
}

/** PyTorch's path, with the line where it is known. */
function withLine({ mirrors, name }: { readonly mirrors: string; readonly name: string }): string {
  return upstream(mirrors, name).url.replace(/^.*?\/blob\/[^/]*\//, "");
}

/** A link to a line of ours; a component, because the lines of the source viewer are made when it is opened. */
function at(file: string, line: number, text = file): string {
  return `<At file="${file}" line={${line}}>${escape(text)}</At>`;
}

function theirUrl(path: string): string {
  return `https://github.com/pytorch/pytorch/blob/v2.13.0/${path}`;
}

function fence(language: string, file: string, region: string, title: string): string {
  return `\`\`\`${language} file=${file} region="${region}" title="${title}"\n\`\`\``;
}

/** Left out of the search index: code of one kernel stands on many pages. */
function quiet(markdown: string): string {
  return `<div className="no-search">\n\n${markdown}\n\n</div>`;
}

const ROLES: Readonly<Record<string, string>> = {
  native: "A function that it calls",
  kernel: "The stub's kernel",
  loop: "The arithmetic of one element",
  template: "The loop, written once for all dtypes",
};

function kernels(
  o: OperatorFacts,
  shown: Map<string, string>,
  unambiguous: ReadonlyMap<string, OperatorFacts>,
): string[] {
  const out: string[] = [];
  const again: string[] = [];
  const show = (file: string, name: string, lines: number, title: string): void => {
    const id = `${file}#${name}`;
    const before = shown.get(id);
    if (before !== undefined) {
      if (before !== o.name) again.push(`[\`${name}\`](#${anchorOf(before)})`);
      return;
    }
    shown.set(id, o.name);
    if (lines > LONGEST) out.push(`${title}: <Home small name="${name}" file="${file}" lines={${lines}} />`, "");
    else out.push(quiet(fence("ts", file, name, title)), "");
  };
  const titleOf = (k: KernelFact): string =>
    k.key === "meta" ? "Meta: shape and dtype" : k.key === "impl" ? "Impl: the computation" : `The kernel for ${k.key}`;
  for (const k of o.kernels) {
    if (k.key !== "ufunc") show(k.file, k.name, k.lines, titleOf(k));
    for (const s of k.steps) if (s.role !== "stub") show(s.file, s.name, s.lines, ROLES[s.role] ?? "");
  }
  const uses = [...new Set(again)];
  if (uses.length > 0) out.push(`Shown above: ${uses.join(", ")}.`, "");
  const calls = [...new Set(o.kernels.filter((k) => k.key !== "meta").flatMap((k) => k.calls))]
    .map((name) => unambiguous.get(name) as OperatorFacts)
    .filter((called) => called.base !== o.base);
  if (calls.length > 0)
    out.push(
      `It calls, through the dispatcher: ${calls.map((c) => `[\`${c.name}\`](/operators/${c.base}/#${anchorOf(c.name)})`).join(", ")}.`,
      "",
    );
  return out;
}

function links(bases: readonly string[]): string {
  return `${bases.map((b) => `[\`${b}\`](/operators/${b}/)`).join(", ")}.`;
}

function testList(context: Context, overloads: readonly OperatorFacts[]): string[] {
  const lines = new Set(overloads.flatMap((o) => testsOf(context.root, o)));
  const recordings = [...lines].filter((l) => l.includes(": "));
  const files = [...lines].filter((l) => !l.includes(": "));
  const shown = recordings.filter((l) => !l.startsWith("test/fixtures/paths:"));
  const paths = recordings.filter((l) => l.startsWith("test/fixtures/paths:"));
  const most = paths.sort((a, b) => Number(/: (\d+)/.exec(b)?.[1]) - Number(/: (\d+)/.exec(a)?.[1]))[0];
  return [...shown, ...(most === undefined ? [] : [most])]
    .map((l) => `- \`${l.slice(0, l.indexOf(": "))}\`: ${l.slice(l.indexOf(": ") + 2)}`)
    .concat(files.length === 0 ? [] : [`- ${files.map((f) => at(f, 1, f.replace("test/", ""))).join(", ")}`]);
}

function index(operators: number, pages: number): string {
  return `---
title: Operators
slug: /operators/
custom_edit_url: null
description: Every operator that exists here, with its schema, table, kernels and derivative.
---

import list from "@site/generated/operators.json";
import { OperatorIndex } from "@site/src/components/reference/OperatorIndex";

# Operators

${operators} operators on ${pages} pages, each made from the sources when the site is built. An operator is one schema: \`add.Tensor\`, \`add_.Tensor\` and \`add.out\` are three operators. They share one page, under their base name \`add\`.

<OperatorIndex list={list} />
`;
}
