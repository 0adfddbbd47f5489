/**
 * @file The parts of a compiled module: items, which are not needed until their names are used, and bodies of functions.
 * An item is a function, a class or a value at the top of the module whose creation has no side effect, with the lines that export it.
 * @original
 */
import { parse } from "@babel/parser";
import { GAP } from "../src/playground/engine/run_form.ts";
import type { Module } from "../src/playground/engine/transpile.ts";

/** A shorter body is not worth a gap. */
const SHORTEST = 40;

/** Constructors that do nothing but keep what they are given. */
const KEEPERS = new Set([
  "Instantiations",
  "Loops",
  "Map",
  "PythonArgParser",
  "Set",
  "StructuredKernel",
  "VecModules",
  "Init",
]);

export interface Body {
  readonly module: string;
  /** `Class.method` or the function's name. */
  readonly name: string;
  /** First and last line, from 1. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Names of its module that it refers to. */
  readonly refers: ReadonlySet<string>;
}

export interface Item {
  readonly module: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Names that its text outside function bodies refers to. */
  readonly refers: ReadonlySet<string>;
  readonly bodies: readonly Body[];
  /** With bodies, by the line on which it begins, from 0. */
  readonly texts: readonly (readonly [line: number, text: string])[];
}

/** How the parts are to stand in a module's text. */
export interface Style {
  readonly omits: (item: Item) => boolean;
  /** A body in its braces. */
  readonly body: (body: Body) => string;
  /** Text to put after a line that exports an item. */
  readonly exported?: (item: Item, name: string, value: string) => string;
  /** Texts to put before and after the statement that makes an item, if it runs when the module does. */
  readonly around?: (item: Item) => readonly [before: string, behind: string];
}

export interface Parts {
  readonly path: string;
  readonly items: readonly Item[];
  /** All, also those in items. */
  readonly bodies: readonly Body[];
  /** Names that the rest of the module refers to. */
  readonly refers: ReadonlySet<string>;
  text(style: Style): string;
}

export const gap = (body: Body): string => `${GAP}${body.to - body.from}${GAP}`;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly exports?: { readonly name: string; readonly value: string };
}

const placeOf = ({ start, end }: Node): Span => ({ start, end });

/**
 * The parts of a module, without comments and indentation. What is kept is positions and texts: the syntax trees of all modules together
 * would fill gigabytes.
 */
export function partsOf({ path, js }: Module): Parts {
  const file = parse(js, { sourceType: "script", allowReturnOutsideFunction: true, tokens: true });
  const plain = plainText(js, file as unknown as { comments: Node[]; tokens: Node[] });
  const lineOf = lineFinder(js);
  const places: { readonly start: number; readonly end: number; readonly body: Body }[] = [];
  const take = (block: Node, name: string, refers: ReadonlySet<string>): boolean => {
    const [start, end] = [block.start + 1, block.end - 1];
    const text = plain(start, end);
    if (text.length < SHORTEST) return false;
    places.push({
      start,
      end,
      body: { module: path, name, from: lineOf(start) + 1, to: lineOf(end) + 1, text, refers },
    });
    return true;
  };
  const refers = new Set<string>();
  const found = new Map<string, { readonly spans: Span[]; readonly refers: Set<string>; readonly node: Node }>();
  const statements = file.program.body as unknown as Node[];
  // A name that `export *` brings, too, has to stand where it stands.
  const divisible = !js.includes("_createStarExport(");
  for (const node of statements) {
    const name = divisible ? itemName(node) : null;
    const names = name === null ? refers : new Set<string>();
    if (name !== null) found.set(name, { spans: [placeOf(node)], refers: names, node });
    else if (exportOf(node, js) === null) visit(node, "", names, take);
    if (name !== null) visit(node, "", names, take);
  }
  for (const node of statements) {
    const exports = exportOf(node, js);
    if (exports === null) continue;
    const span = { start: node.start, end: node.end, exports };
    const own = found.get(exports.value) ?? (exports.from === undefined ? undefined : found.get(exports.name));
    if (own !== undefined) own.spans.push(span);
    else if (divisible && exports.from !== undefined)
      found.set(exports.name, { spans: [span], refers: new Set([exports.from, "_createNamedExportFrom"]), node });
    else visit(node, "", refers, take);
  }
  places.sort((a, b) => a.start - b.start);
  // `export let name;` asks for a name that has no value yet.
  const unset = statements.map(placeOf).filter(({ start, end }) => /^exports\.[\w$]+;?$/.test(js.slice(start, end)));
  const items = new Map<Item, { readonly made: Span; readonly runs: boolean; readonly spans: readonly Span[] }>();
  for (const [name, { spans, refers, node }] of found) {
    const bodies = places.filter(({ start, end }) => node.start < start && end < node.end).map(({ body }) => body);
    const texts = spans.map(({ start, end }) => [lineOf(start), plain(start, end)] as const);
    items.set(
      { module: path, name, from: lineOf(node.start) + 1, to: lineOf(node.end) + 1, refers, bodies, texts },
      { made: placeOf(node), runs: /^(Class|Variable)Declaration$/.test(node.type), spans },
    );
  }
  const text = ({ omits, body, exported, around }: Style): string => {
    const marks: { readonly start: number; readonly end: number; readonly text: string }[] = [];
    for (const [item, { made, runs, spans }] of items) {
      if (around !== undefined && runs) {
        const [before, behind] = around(item);
        marks.push(
          { start: made.start, end: made.start, text: before },
          { start: made.end, end: made.end, text: behind },
        );
      }
      for (const { start, end, exports } of spans)
        if (omits(item)) marks.push({ start, end, text: plain(start, end).replace(/[^\n]/g, "") });
        else if (exports !== undefined && exported !== undefined)
          marks.push({ start: end, end, text: exported(item, exports.name, exports.value) });
    }
    for (const { start, end } of unset)
      marks.push({ start, end, text: `${plain(start, end).replace(";", "")}=void 0;` });
    for (const place of places) marks.push({ ...place, text: body(place.body) });
    let out = "";
    let at = 0;
    for (const { start, end, text } of marks.sort((a, b) => a.start - b.start)) {
      if (start < at) continue; // in an item that is left out
      const between = plain(at, start);
      out += (/^ +$/.test(between) ? "" : between) + text; // statements end by themselves
      at = end;
    }
    return out + plain(at, js.length);
  };
  return { path, items: [...items.keys()], bodies: places.map(({ body }) => body), refers, text };
}

/** The name that a statement makes, if making it has no other effect. */
function itemName(node: Node): string | null {
  if (node.type === "FunctionDeclaration") return nameOf(node["id"]);
  if (node.type === "ClassDeclaration") return isPlainClass(node) ? nameOf(node["id"]) : null;
  if (node.type !== "VariableDeclaration" || node["kind"] !== "const") return null;
  const [declared, ...others] = node["declarations"] as Node[];
  const { id, init } = declared as Node as Node & { id: Node; init: Node | null };
  return others.length === 0 && id.type === "Identifier" && isPlain(init) ? nameOf(id) : null;
}

/** The export that a statement makes: `exports.name = value` or `_createNamedExportFrom(from, 'name', 'imported')`. */
function exportOf(node: Node, js: string): { name: string; value: string; from?: string } | null {
  if (node.type !== "ExpressionStatement") return null;
  const text = js.slice(node.start, node.end);
  const own = /^exports\. ?([\w$]+) = ([\w$]+);?$/.exec(text);
  if (own !== null) return { name: own[1] as string, value: own[2] as string };
  const named = /^_createNamedExportFrom\(([\w$]+), '([\w$]+)', '([\w$]+)'\);?$/.exec(text);
  if (named === null) return null;
  const [, from = "", name = "", imported = ""] = named;
  return { name, value: `${from}.${imported}`, from };
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const [field, value] of Object.entries(node))
    if (field !== "loc" && !/Comments$/.test(field))
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) children.push(each);
  return children;
}

const nameOf = (of: unknown): string => {
  const { name, value } = (of ?? {}) as { name?: string; value?: string };
  return String(name ?? value ?? "");
};

/** Whether making the value calls nothing. */
function isPlain(node: Node | null): boolean {
  if (node === null || /Literal$|^Identifier$|Function|^ObjectMethod$/.test(node.type))
    return node === null || node["computed"] !== true;
  if (node.type === "ClassExpression") return isPlainClass(node);
  if (node.type === "NewExpression")
    return KEEPERS.has(lastName(node["callee"] as Node)) && (node["arguments"] as Node[]).every(isPlain);
  return (
    /^(Member|Object|Array|Unary|Binary|Logical|Conditional|Sequence)Expression$|^(Object|Class)Property$/.test(
      node.type,
    ) &&
    node["computed"] !== true &&
    childrenOf(node).every(isPlain)
  );
}

function isPlainClass(node: Node): boolean {
  const members = (node["body"] as Node)["body"] as Node[];
  return (
    isPlain(node["superClass"] as Node | null) &&
    members.every(
      (member) =>
        (/Method$/.test(member.type) && member["computed"] !== true) ||
        (member.type === "ClassProperty" && (member["static"] !== true || isPlain(member["value"] as Node | null))) ||
        (member.type === "StaticBlock" && (member["body"] as Node[]).every(declares)),
    )
  );
}

/** Functions of no effect on anything but their class: `def_methods(X, { ... })`. */
const OF_A_CLASS =
  /\b(?:def_methods|def_distribution|def_transform|class_attributes|lazy_property|dependent_property)\b/;

function declares(statement: Node): boolean {
  const call = statement["expression"] as Node | undefined;
  return (
    call?.type === "CallExpression" &&
    OF_A_CLASS.test(calleeOf(call["callee"] as Node)) &&
    (call["arguments"] as Node[]).every(isPlain)
  );
}

/** `_signature.def_methods.call` and `(0, _signature.def_methods)`, as compiled imports are called. */
function calleeOf(callee: Node): string {
  if (callee.type !== "MemberExpression") return lastName(callee);
  return `${calleeOf(callee["object"] as Node)}.${nameOf(callee["property"])}`;
}

/** `(0, _module.Name)` -> `Name` */
function lastName(callee: Node): string {
  if (callee.type === "SequenceExpression") return lastName((callee["expressions"] as Node[]).at(-1) as Node);
  return nameOf(callee.type === "MemberExpression" ? callee["property"] : callee);
}

/** Collects what a text names and gives bodies to `take`; what is in a body it has taken is the body's. */
function visit(
  node: Node,
  name: string,
  refers: Set<string>,
  take: ((block: Node, name: string, refers: ReadonlySet<string>) => boolean) | null,
): void {
  const go = (child: unknown, called = name): void => {
    if (isNode(child)) visit(child, called, refers, take);
  };
  const member = (key: unknown): string => (name === "" ? nameOf(key) : `${name}.${nameOf(key)}`);
  switch (node.type) {
    case "Identifier":
      refers.add(nameOf(node));
      return;
    case "MemberExpression":
      go(node["object"]);
      if (node["computed"] === true) go(node["property"]);
      else if (nameOf(node["object"]) === "exports") refers.add(nameOf(node["property"]));
      return;
    case "ObjectProperty":
    case "ClassProperty":
      if (node["computed"] === true) go(node["key"]);
      go(node["value"], member(node["key"]));
      return;
    case "VariableDeclarator":
      go(node["id"]);
      go(node["init"], nameOf(node["id"]));
      return;
    case "AssignmentExpression":
      go(node["left"]);
      go(node["right"], lastName(node["left"] as Node));
      return;
    case "CallExpression": {
      const [first] = node["arguments"] as Node[];
      const said = first?.type === "StringLiteral" ? (/^\w+/.exec(nameOf(first))?.[0] ?? "") : "";
      go(node["callee"]);
      // A block of registrations is a table of its own.
      for (const each of node["arguments"] as Node[]) go(each, each.type === "ObjectExpression" ? "" : said || name);
      return;
    }
    case "ClassDeclaration":
    case "ClassExpression":
      go(node["superClass"]);
      go(node["body"], isNode(node["id"]) ? nameOf(node["id"]) : name);
      return;
  }
  if (!/Function|Method$/.test(node.type)) {
    for (const child of childrenOf(node)) go(child);
    return;
  }
  const called = isNode(node["key"]) ? member(node["key"]) : isNode(node["id"]) ? nameOf(node["id"]) : name;
  for (const parameter of node["params"] as Node[]) go(parameter, called);
  const body = node["body"] as Node;
  const own = new Set<string>();
  visit(body, called, own, null);
  const whole = body.type === "BlockStatement" && ((body["directives"] ?? []) as unknown[]).length === 0;
  if (take !== null && whole && take(body, called, own)) return;
  for (const each of own) refers.add(each);
}

/** Stretches of a text without its comments and the blanks at the ends of its lines; a template's text stays as it is. */
function plainText(js: string, { comments, tokens }: { comments: readonly Node[]; tokens: readonly Node[] }) {
  const gone = comments.map(({ start, end }): readonly [number, number] => [start, end]);
  // Where a line is no part of a template, its blanks at both ends go.
  const texts = tokens
    .filter((token) => /template|string/.test((token["type"] as unknown as { label: string }).label))
    .map(placeOf);
  let next = 0;
  for (const { index, 0: blanks } of js.matchAll(/[ \t]+(?=\n)|(?<=\n)[ \t]+/g)) {
    while ((texts[next]?.end ?? js.length) <= index) next++;
    if ((texts[next]?.start ?? js.length) >= index) gone.push([index, index + blanks.length]);
  }
  gone.sort((a, b) => a[0] - b[0]);
  const firstPast = lowest(gone.map(([, end]) => end));
  return (from: number, to: number): string => {
    let out = "";
    let at = from;
    for (let i = firstPast(from + 1); i < gone.length; i++) {
      const [start, end] = gone[i] as readonly [number, number];
      if (start >= to) break;
      if (end <= at) continue; // in a comment
      out += js.slice(at, Math.max(at, start)) + js.slice(Math.max(at, start), end).replace(/[^\n]/g, "");
      at = end;
    }
    return out + js.slice(at, to);
  };
}

/** Line of a position, from 0. */
function lineFinder(text: string): (at: number) => number {
  return lowest([...text.matchAll(/\n/g)].map(({ index }) => index));
}

/** How many of the numbers, which ascend, are less than one. */
function lowest(numbers: readonly number[]): (than: number) => number {
  return (than) => {
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[middle] as number) < than) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
