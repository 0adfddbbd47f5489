/**
 * @file Cuts a named piece out of a source file: a declaration, a Note, a step of a walkthrough, a `#region`, an entry of a YAML file.
 * Names, not line numbers: a page goes on showing the right code when lines move, and the build fails when the name is gone.
 * @original
 */
import { type ParserPlugin, parse } from "@babel/parser";

export interface Region {
  readonly text: string;
  /** Line of the file on which the text begins, from 1. */
  readonly line: number;
}

export interface RegionOptions {
  /** With the doc comment above a declaration. */
  readonly doc?: boolean;
  /** With the comment lines of a walkthrough's step. */
  readonly comments?: boolean;
}

export class RegionError extends Error {}

export function findRegion(path: string, text: string, name: string, options: RegionOptions = {}): Region {
  const lines = text.split("\n");
  const found =
    markedRegion(lines, name) ??
    (/\.ya?ml$/.test(path)
      ? yamlEntry(lines, name)
      : /^Step \d+/.test(name)
        ? step(lines, name, { mark: commentMark(path), comments: options.comments === true })
        : /\.m?tsx?$/.test(path)
          ? (note(lines, name) ?? declaration(text, name, options.doc === true) ?? statement(lines, name))
          : null);
  if (found !== null) return found;
  const near = nearest(name, regionNames(path, text));
  throw new RegionError(
    `${path} has no region "${name}"${near.length === 0 ? "" : `; the nearest names are ${near.map((n) => `"${n}"`).join(", ")}`}`,
  );
}

/** `// #region name` … `// #endregion` (or `# region`-style comments of other languages). */
function markedRegion(lines: readonly string[], name: string): Region | null {
  const start = lines.findIndex((line) => /#region\s+(.*?)\s*$/.exec(line)?.[1] === name);
  if (start === -1) return null;
  let depth = 1;
  for (let i = start + 1; i < lines.length; i++) {
    if (/#region\b/.test(lines[i])) depth++;
    if (/#endregion\b/.test(lines[i]) && --depth === 0) return cut(lines, start + 1, i);
  }
  throw new RegionError(`region "${name}" is never closed`);
}

/** An entry of a list, from the line that begins with `name` to the next entry. */
function yamlEntry(lines: readonly string[], name: string): Region | null {
  const start = lines.findIndex((line) => line.startsWith(name) && !/[\w.]/.test(line[name.length] ?? " "));
  if (start === -1) return null;
  let end = start + 1;
  while (end < lines.length && !/^(-|#|\S)/.test(lines[end])) end++;
  return cut(lines, start, end);
}

/** The mark that begins a line of comment. */
const commentMark = (path: string): string => (/\.py$/.test(path) ? "#" : "//");

interface StepOptions {
  readonly mark: string;
  readonly comments: boolean;
}

/** `Step 3` is the section headed `// ## Step 3. …`, up to the next heading or the end of the script's story. */
function step(lines: readonly string[], name: string, { mark, comments }: StepOptions): Region | null {
  const number = /^Step \d+/.exec(name)?.[0] as string;
  const start = lines.findIndex((line) => line === `${mark} ## ${name}` || line.startsWith(`${mark} ## ${number}.`));
  if (start === -1) return null;
  const end = endOfStep(lines, start, mark);
  if (comments) return cut(lines, start + 1, end);
  const kept = lines.slice(start + 1, end).filter((line) => !line.trimStart().startsWith(mark));
  if (kept.every((line) => line.trim() === ""))
    throw new RegionError(`${number} has no code of its own; ask for comments`);
  const region = cut(kept, 0, kept.length);
  return { text: region.text.replace(/\n{3,}/g, "\n\n"), line: start + 1 };
}

/** The line after a step that begins on line `start`; both count from 0. */
function endOfStep(lines: readonly string[], start: number, mark: string): number {
  const after = lines.findIndex(
    (line, i) => i > start && (line.startsWith(`${mark} ## `) || line.startsWith("finish(")),
  );
  return after === -1 ? lines.length : after;
}

/** The program of a walkthrough from its first line to the end of a step. */
export function upToStep(path: string, text: string, name: string): string {
  const lines = text.split("\n");
  const { line } = findRegion(path, text, name);
  return `${lines
    .slice(0, endOfStep(lines, line - 1, commentMark(path)))
    .join("\n")
    .trimEnd()}\n`;
}

/** `Note [Title]` is the whole comment that begins with this line. */
function note(lines: readonly string[], name: string): Region | null {
  const start = /^Note \[.*\]$/.test(name) ? lines.findIndex((line) => line.trim() === `// ${name}`) : -1;
  if (start === -1) return null;
  let end = start + 1;
  while (end < lines.length && /^\s*\/\//.test(lines[end])) end++;
  return cut(lines, start, end);
}

/** A name that is no identifier means the one line that has it: `dot(Tensor self, Tensor tensor)` in a list of registrations. */
function statement(lines: readonly string[], name: string): Region | null {
  if (/^[\w$.]*$/.test(name)) return null;
  const found = lines.flatMap((line, i) => (line.includes(name) ? [i] : []));
  if (found.length > 1) throw new RegionError(`"${name}" stands in ${found.length} lines; a region is one of them`);
  const at = found[0];
  return at === undefined ? null : cut(lines, at, at + 1);
}

/** Lines [from, to) without blank ones at either end and without their common indentation. */
function cut(lines: readonly string[], from: number, to: number): Region {
  let start = from;
  let end = to;
  while (start < end && lines[start].trim() === "") start++;
  while (end > start && lines[end - 1].trim() === "") end--;
  const kept = lines.slice(start, end);
  const indent = Math.min(...kept.filter((l) => l.trim() !== "").map((l) => l.length - l.trimStart().length), 99);
  return { text: kept.map((l) => l.slice(indent)).join("\n"), line: start + 1 };
}

interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly doc: number;
}

/** The parts of Babel's nodes that are looked at here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly leadingComments?:
    | readonly { readonly type: string; readonly start: number; readonly value: string }[]
    | null;
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string; readonly value?: unknown };
  readonly declaration?: Node | null;
  readonly declarations?: readonly Node[];
  readonly init?: Node | null;
  readonly expression?: Node;
  readonly body?: unknown;
  readonly properties?: readonly Node[];
}

/** A file is parsed once for the many pages that quote it. */
const spansOf = new Map<string, readonly Span[]>();

function declaration(text: string, name: string, doc: boolean): Region | null {
  const spans = declarations(text).filter((span) => span.name === name);
  const [first, last] = [spans[0], spans[spans.length - 1]];
  if (first === undefined || last === undefined) return null;
  // Overloads of one function stand together and are shown together.
  const start = doc ? first.doc : first.start;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const indent = text.slice(from, start);
  const body = text.slice(from, last.end);
  return {
    text: /^\s+$/.test(indent)
      ? body
          .split("\n")
          .map((l) => (l.startsWith(indent) ? l.slice(indent.length) : l))
          .join("\n")
      : body,
    line: text.slice(0, start).split("\n").length,
  };
}

function declarations(text: string): readonly Span[] {
  const known = spansOf.get(text);
  if (known !== undefined) return known;
  const plugins: ParserPlugin[] = ["typescript", "explicitResourceManagement"];
  const { program } = parse(text, { sourceType: "module", plugins, attachComment: true });
  const spans: Span[] = [];
  const add = (name: string | undefined, node: Node, outer: Node): void => {
    if (name === undefined) return;
    const comments = (outer.leadingComments ?? []).filter((c) => c.type === "CommentBlock" && c.value.startsWith("*"));
    const own = comments[comments.length - 1];
    const doc = own === undefined || own.value.includes("@file") ? outer.start : own.start;
    spans.push({ name, start: outer.start, end: endOf(text, node, outer), doc });
  };
  const visit = (outer: Node): void => {
    const node = outer.declaration ?? outer;
    for (const each of node.declarations ?? []) {
      add(each.id?.name, each, outer);
      members(each.id?.name, each.init ?? null);
    }
    add(node.id?.name, node, outer);
    if (/^Class/.test(node.type)) members(node.id?.name, node);
  };
  const members = (owner: string | undefined, node: Node | null): void => {
    if (owner === undefined || node === null) return;
    const list = /^Class/.test(node.type)
      ? (node.body as { body: Node[] }).body
      : node.type === "ObjectExpression"
        ? (node.properties ?? [])
        : [];
    for (const member of list)
      add(member.key?.name === undefined ? undefined : `${owner}.${member.key.name}`, member, member);
  };
  for (const node of program.body as unknown as Node[]) visit(node);
  spansOf.set(text, spans);
  return spans;
}

/** With the semicolon, or the comma of an object's member, that closes it. */
function endOf(text: string, node: Node, outer: Node): number {
  const end = Math.max(node.end, outer.end);
  return /[;,]/.test(text[end] ?? "") ? end + 1 : end;
}

/** Every name that could be asked for, for the message. */
function regionNames(path: string, text: string): string[] {
  const lines = text.split("\n");
  const marked = lines.flatMap((line) => /#region\s+(.*?)\s*$/.exec(line)?.[1] ?? []);
  if (/\.ya?ml$/.test(path)) return [...marked, ...lines.flatMap((line) => /^- \w+: [\w.]+/.exec(line)?.[0] ?? [])];
  const steps = lines.flatMap((line) => /^(?:\/\/|#) ## (Step \d+)/.exec(line)?.[1] ?? []);
  return [...marked, ...steps, ...(/\.m?tsx?$/.test(path) ? declarations(text).map((span) => span.name) : [])];
}

/** The few names closest to the wanted one, by the edits between them. */
export function nearest(wanted: string, names: Iterable<string>, count = 4): string[] {
  return [...new Set(names)]
    .map((name) => ({ name, far: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map((each) => each.name);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
