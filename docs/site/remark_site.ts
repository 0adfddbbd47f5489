/**
 * @file Elements that pages may use without an import, resolved while the page is compiled: code by region, traces, claims, words of the
 * glossary, operators and symbols. A name that does not exist ends the build, with page, line and the nearest names.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeOf, hintsOf } from "../src/components/BreakIt/hints";
import type { Figure } from "../src/components/trace/figure_types";
import { stepNamed } from "../src/components/trace/moves";
import { diagram } from "./diagrams";
import { generatedFolder } from "./generated";
import { glossary } from "./glossary";
import { operatorRoute } from "./operators";
import { whereTheyPart } from "./parting";
import { namesWithoutPython, toPython } from "./python";
import { blockOf, metaOfBlock, type PythonBlock, regionBlock, stepBlock } from "./python_blocks";
import type { WalkthroughIndex } from "./record_traces";
import { nearest, RegionError } from "./regions";
import { fileText, mirrorsOf, sourceRoute, upstream, upstreamPath } from "./repository";
import { linked, regionOf, textOf } from "./shards";
import { findSymbol, symbolNames } from "./symbol_index";

/** The parts of mdast that are looked at here. */
interface Node {
  type: string;
  name?: string | null;
  lang?: string | null;
  meta?: string | null;
  value?: unknown;
  attributes?: Attribute[];
  children?: Node[];
  data?: object;
  position?: { start: { line: number } };
}

interface Attribute {
  type: "mdxJsxAttribute";
  name: string;
  value: unknown;
}

interface File {
  readonly path: string;
}

/** One page: its name for messages, and the figures it imports. */
interface Page {
  readonly path: string;
  readonly figures: Map<string, string>;
}

type Resolve = (node: Node, page: Page) => void;

const fence = /(\w+)="([^"]*)"|(\S+)/g;

/** `file=a.ts region="Step 3" doc` as a map; a word alone is true. */
function metaOf(meta: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, quotedName, quoted, word] of meta.matchAll(fence)) {
    if (quotedName !== undefined) found.set(quotedName, quoted);
    else if (word?.includes("=")) found.set(word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1));
    else found.set(word, "");
  }
  return found;
}

function code(node: Node): void {
  const meta = metaOf(node.meta ?? "");
  const file = meta.get("file");
  if (file === undefined || made.has(node)) return;
  if (String(node.value ?? "").trim() !== "")
    throw new RegionError(`the fence of ${file} has a body: the code comes from the file`);
  const region = meta.get("region");
  const cut =
    region === undefined
      ? { text: textOf(file).trimEnd(), line: 1, file }
      : regionOf(file, region, { doc: meta.has("doc"), comments: meta.has("comments") });
  const mirrors = meta.get("mirrors") ?? mirrorsOf(cut.file);
  const kept = [...meta.keys()].filter((key) => /^\{[\d,-]+\}$/.test(key));
  node.value = cut.text;
  node.meta = [
    ...kept,
    `file="${cut.file}"`,
    `line="${cut.line}"`,
    ...(mirrors === null ? [] : [`upstream="${upstreamOf(mirrors, region)}"`]),
    ...(meta.has("title") ? [`title="${meta.get("title")}"`] : []),
  ].join(" ");
  if (node.lang !== "ts" || !file.startsWith("walkthroughs/") || meta.has("typescript")) return;
  const python = toPython(cut.text, { without: lostNames(file), whole: true });
  if (python !== null) twoWays(node, python, regionBlock(`${file}#${region}`, textOf(file), lostNames(file), cut));
}

/**
 * A block of Python that a page writes itself is a whole program, or says why it does not run: `why="…"`. A step of a walkthrough in Python runs
 * with the steps before it.
 */
function pythonFence(node: Node): void {
  const meta = node.meta ?? "";
  if (made.has(node) || /\b(?:run|why)="/.test(meta)) return;
  const file = metaOf(meta).get("file");
  if (file !== undefined) {
    const region = metaOf(meta).get("region");
    if (region === undefined) throw new RegionError(`the fence of ${file} names no region`);
    code(node);
    node.meta = `${node.meta} ${metaOfBlock(stepBlock(file, textOf(file), region))}`;
    return;
  }
  node.meta = `${meta} ${metaOfBlock(blockOf("", String(node.value ?? "")))}`.trim();
}

/** Path of PyTorch's file with its line, if that is known: `torch/nn/modules/module.py#L1782`. */
function upstreamOf(mirrors: string, region = ""): string {
  const name = region.replace(/^- (?:func|name): /, "");
  return upstream(mirrors, name).url.replace(/^.*?\/blob\/[^/]*\//, "");
}

const lost = new Map<string, ReadonlySet<string>>();

/** Names of a walkthrough that no Python has: they hold recordings. */
function lostNames(file: string): ReadonlySet<string> {
  if (!lost.has(file)) lost.set(file, namesWithoutPython(textOf(file)));
  return lost.get(file) as ReadonlySet<string>;
}

/** Makes a block of TypeScript the second of two tabs; the first is Python. */
function twoWays(node: Node, python: string, block: PythonBlock): void {
  const typescript: Node = { ...node };
  made.add(typescript);
  for (const key of ["lang", "meta", "value"] as const) delete node[key];
  Object.assign(node, {
    type: "mdxJsxFlowElement",
    name: "TwoWays",
    attributes: [],
    children: [{ type: "code", lang: "python", meta: metaOfBlock(block), value: python }, typescript],
  });
}

/** Blocks that are as they will be shown. */
const made = new WeakSet<Node>();

function mermaidFence(node: Node): void {
  const svg = diagram(String(node.value ?? ""));
  Object.assign(node, {
    type: "mdxJsxFlowElement",
    name: "Diagram",
    attributes: [attribute("svg", svg)],
    children: [],
  });
  delete node.value;
  delete node.lang;
}

const components: Readonly<Record<string, Resolve>> = {
  Trace(node, page) {
    const of = required(node, "of");
    const index = walkthrough(of);
    const record = text(node, "record") ?? index.records[0]?.name;
    addFigure(node, page, "figure", of, record, index);
    const step = text(node, "step");
    if (step !== undefined) knownStep(step, figure(of, record));
    const other = text(node, "compare");
    if (other === undefined) return;
    const [otherOf, otherRecord, otherIndex] = pair(other, of);
    addFigure(node, page, "other", otherOf, otherRecord, otherIndex);
    const parting = whereTheyPart([of, record], [otherOf, otherRecord]);
    if (parting !== null)
      node.attributes?.push(attribute("parts", String(parting.id)), attribute("words", parting.words));
  },
  Claims(node) {
    node.attributes?.push(attribute("claims", String(walkthrough(required(node, "of")).claims)));
  },
  PythonLines(node) {
    const of = required(node, "of");
    const { python } = walkthrough(of);
    const meta = metaOfBlock(blockOf(`walkthroughs/${of}.ts#python`, python));
    node.children = [{ type: "code", lang: "python", meta, value: python }];
  },
  BreakIt(node) {
    node.children = hintsOf(required(node, "page")).flatMap((hint) => {
      const { lang, text } = changeOf(hint);
      const line = textOf(hint.file).split(hint.find)[0]?.split("\n").length;
      const meta = `file="${hint.file}" line="${line}"`;
      const blocks: Node[] = [
        { type: "code", lang, meta, value: text },
        { type: "code", lang: "ts", meta: null, value: hint.program },
      ];
      for (const block of blocks) made.add(block);
      return blocks;
    });
  },
  Playground(node) {
    const of = text(node, "of");
    const own = of === undefined ? null : fileText(`walkthroughs/${of}.ts`);
    if (of !== undefined && own === null) throw new RegionError(`there is no walkthroughs/${of}.ts`);
    const program = own ?? templateText(node, "code");
    if (own !== null) node.attributes?.push(attribute("code", own));
    const shown: Node = { type: "code", lang: "ts", meta: null, value: program.trimEnd() };
    const python = own === null ? toPython(program, { whole: true }) : null;
    if (python !== null) twoWays(shown, python, blockOf("", python));
    node.children = [shown];
  },
  Mermaid(node) {
    const of = required(node, "of");
    const index = walkthrough(of);
    const record = text(node, "record") ?? index.records[0]?.name;
    known(
      record,
      index.records.map((r) => r.name),
      `walkthroughs/${of}.ts has no record`,
    );
    const source = index.records.find((r) => r.name === record)?.mermaid as string;
    node.name = "Diagram";
    node.attributes?.push(attribute("svg", diagram(source)));
  },
  W(node) {
    const word = text(node, "of") ?? plainText(node);
    const entry = glossary().find(word);
    if (entry === null)
      throw new RegionError(
        `the glossary has no word "${word}"; the nearest are ${quoted(nearest(word, glossary().words))}`,
      );
    node.attributes?.push(attribute("anchor", entry.anchor), attribute("tip", entry.tip));
  },
  Op(node) {
    const name = required(node, "name");
    const route = operatorRoute(name);
    if (typeof route !== "string")
      throw new RegionError(`there is no operator ${name}; the nearest are ${quoted(route.nearest)}`);
    node.attributes?.push(attribute("route", route));
  },
  Sym(node) {
    const name = required(node, "name");
    const entry = findSymbol(name);
    if (entry === null)
      throw new RegionError(`the symbol index has no ${name}; the nearest are ${quoted(nearest(name, symbolNames()))}`);
    node.attributes?.push(
      attribute("route", sourceRoute(entry.file, entry.line)),
      attribute("upstream", upstreamPath(entry.mirrors)),
    );
  },
  Source(node) {
    const file = required(node, "file");
    const region = text(node, "region");
    const at = region === undefined ? { file: linked(file), line: undefined } : regionOf(file, region);
    node.attributes?.push(attribute("route", sourceRoute(at.file, at.line)));
  },
};

function attribute(name: string, value: unknown): Attribute {
  return { type: "mdxJsxAttribute", name, value };
}

function text(node: Node, name: string): string | undefined {
  const found = node.attributes?.find((each) => each.name === name)?.value;
  return typeof found === "string" ? found : undefined;
}

/** The text of an attribute that is written as a template literal, `code={`…`}`. */
function templateText(node: Node, name: string): string {
  const value = node.attributes?.find((each) => each.name === name)?.value as
    | { data?: { estree?: { body: { expression: { quasis?: { value: { cooked: string } }[] } }[] } } }
    | undefined;
  const quasis = value?.data?.estree?.body[0]?.expression.quasis;
  if (quasis?.length !== 1) throw new RegionError(`<${node.name}> needs ${name}={\`…\`}, without anything to fill in`);
  return quasis[0]?.value.cooked;
}

function required(node: Node, name: string): string {
  const found = text(node, name);
  if (found === undefined) throw new RegionError(`<${node.name}> needs ${name}="…"`);
  return found;
}

function plainText(node: Node): string {
  return typeof node.value === "string" ? node.value : (node.children ?? []).map(plainText).join("");
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

function known(name: string, names: readonly string[], complaint: string): void {
  if (!names.includes(name)) throw new RegionError(`${complaint} "${name}"; there are ${quoted(names)}`);
}

function walkthrough(name: string): WalkthroughIndex {
  try {
    return JSON.parse(readFileSync(join(generatedFolder, "walkthroughs", `${name}.json`), "utf8")) as WalkthroughIndex;
  } catch {
    throw new RegionError(
      `walkthroughs/${name}.ts was not recorded: is the name right, and did \`tsx site/prepare.ts\` run?`,
    );
  }
}

function figure(of: string, record: string): Figure {
  return JSON.parse(readFileSync(join(generatedFolder, "figures", of, `${record}.json`), "utf8")) as Figure;
}

function knownStep(step: string, { steps, of, record }: Figure): void {
  if (/^\d+$/.test(step) ? Number(step) >= 1 && Number(step) <= steps.length : stepNamed(steps, step) !== -1) return;
  const near = nearest(
    step,
    steps.map((each) => each.name),
  );
  throw new RegionError(`the trace ${of}/${record} has no step "${step}"; the nearest are ${quoted(near)}`);
}

/** `prelu/backward`, or a record of the same walkthrough. */
function pair(other: string, of: string): [string, string, WalkthroughIndex] {
  const [name, record] = other.includes("/") ? (other.split("/") as [string, string]) : [of, other];
  return [name, record, walkthrough(name)];
}

/** The page imports the figure, so that it is part of the page's own text and of nothing else's. */
function addFigure(node: Node, page: Page, name: string, of: string, record: string, index: WalkthroughIndex): void {
  known(
    record,
    index.records.map((r) => r.name),
    `walkthroughs/${of}.ts has no record`,
  );
  const variable = `figure_${of}_${record}`.replace(/\W/g, "_");
  page.figures.set(variable, `@site/generated/figures/${of}/${record}.json`);
  const identifier = { type: "Identifier", name: variable };
  const program = {
    type: "Program",
    sourceType: "module",
    comments: [],
    body: [{ type: "ExpressionStatement", expression: identifier }],
  };
  node.attributes?.push(
    attribute(name, { type: "mdxJsxAttributeValueExpression", value: variable, data: { estree: program } }),
  );
}

function importOf(variable: string, source: string): Node {
  const declaration = {
    type: "ImportDeclaration",
    specifiers: [{ type: "ImportDefaultSpecifier", local: { type: "Identifier", name: variable } }],
    source: { type: "Literal", value: source, raw: JSON.stringify(source) },
    attributes: [],
  };
  const estree = { type: "Program", sourceType: "module", comments: [], body: [declaration] };
  return { type: "mdxjsEsm", value: `import ${variable} from ${JSON.stringify(source)}`, data: { estree } };
}

function visit(node: Node, page: Page): void {
  for (const child of node.children ?? []) {
    try {
      if (child.type === "code") {
        if (child.lang === "mermaid") mermaidFence(child);
        else if (child.lang === "python") pythonFence(child);
        else code(child);
      } else if (child.type.startsWith("mdxJsx") && child.name != null) components[child.name]?.(child, page);
    } catch (error) {
      const line = child.position?.start.line;
      const message = `${page.path}${line === undefined ? "" : `:${line}`}: ${(error as Error).message}`;
      throw error instanceof RegionError ? new RegionError(message) : new Error(message, { cause: error });
    }
    visit(child, page);
  }
}

export function remarkSite() {
  return (tree: Node, file: File): void => {
    const page: Page = { path: file.path.replace(/^.*\/docs\//, "docs/"), figures: new Map() };
    visit(tree, page);
    for (const [variable, source] of page.figures) tree.children?.unshift(importOf(variable, source));
  };
}
