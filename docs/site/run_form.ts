/**
 * @file Makes the run form of the library (src/playground/engine/run_form.ts): which bodies of functions come first is measured, by loading
 * the library and running the site's programs; the others are families by the operator that their function's name has in it, or else by file.
 * @original
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "@babel/parser";
import { symbolFile } from "../../src/trace/sources.ts";
import type { SymbolRow } from "../../src/trace/symbol_entry.ts";
import { isModule } from "../src/playground/engine/library.ts";
import type { FromRunner } from "../src/playground/engine/protocol.ts";
import { assemble, type Core, GAP, type Pack } from "../src/playground/engine/run_form.ts";
import { Runtime } from "../src/playground/engine/runtime.ts";
import { type Module, transpile } from "../src/playground/engine/transpile.ts";
import type { Context } from "./context.ts";

/** A shorter body is not worth a gap. */
const SHORTEST = 40;

/** Programs whose ways every reader may take first. */
const PROGRAMS = ["walkthroughs/prelu.ts", "walkthroughs/add.ts", "walkthroughs/tensor.ts", "walkthroughs/backward.ts"];

interface Body {
  readonly module: string;
  /** `Class.method` or the function's name. */
  readonly name: string;
  /** First and last line, from 1. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Cut {
  readonly path: string;
  /** With gaps. */
  readonly text: string;
  readonly bodies: readonly Body[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The module without comments and indentation, every body in a gap. */
function cut({ path, js }: Module): Cut {
  if (path.endsWith(".json")) return { path, text: js, bodies: [] };
  const options = { allowReturnOutsideFunction: true, tokens: true } as const;
  const file = parse(js, { sourceType: "script", ...options });
  const found: { readonly name: string; readonly block: Node }[] = [];
  for (const node of file.program.body as unknown as Node[]) collect(node, found);
  const plain = plainText(js, file as unknown as { comments: Node[]; tokens: Node[] });
  const bodies: Body[] = [];
  let text = "";
  let at = 0;
  for (const { name, block } of found.sort((a, b) => a.block.start - b.block.start)) {
    const [start, end] = [block.start + 1, block.end - 1];
    const body = plain(start, end);
    if (start < at || body.length < SHORTEST) continue;
    const from = js.slice(0, start).split("\n").length;
    const lines = body.split("\n").length - 1;
    text += `${plain(at, start)}${GAP}${lines}${GAP}`;
    bodies.push({ module: path, name, from, to: from + lines, text: body });
    at = end;
  }
  return { path, text: text + plain(at, js.length), bodies };
}

/** Bodies of the functions and of the methods of classes that stand at the top of a module. */
function collect(node: Node, found: { name: string; block: Node }[]): void {
  const nameOf = (of: unknown): string => String((of as { name?: string; value?: string } | null)?.name ?? "");
  const take = (name: string, fn: Node): void => {
    const block = fn["body"] as Node;
    if (block.type === "BlockStatement" && ((block["directives"] ?? []) as unknown[]).length === 0)
      found.push({ name, block });
  };
  const takeClass = (name: string, body: Node): void => {
    for (const member of body["body"] as Node[])
      if (member.type === "ClassMethod" && member["kind"] !== "constructor")
        take(`${name}.${nameOf(member["key"])}`, member);
  };
  const takeValue = (name: string, value: Node | null): void => {
    if (value === null) return;
    if (/^(Arrow)?FunctionExpression$/.test(value.type)) take(name, value);
    else if (value.type === "ObjectExpression") {
      for (const member of value["properties"] as Node[])
        if (member.type === "ObjectMethod") take(`${name}.${nameOf(member["key"])}`, member);
    } else if (value.type === "ClassExpression") takeClass(name, value["body"] as Node);
    else if (value.type === "AssignmentExpression") takeValue(name, value["right"] as Node);
  };
  if (node.type === "FunctionDeclaration") take(nameOf(node["id"]), node);
  else if (node.type === "ClassDeclaration") takeClass(nameOf(node["id"]), node["body"] as Node);
  else if (node.type === "VariableDeclaration")
    for (const each of node["declarations"] as Node[]) takeValue(nameOf(each["id"]), each["init"] as Node | null);
  else if (node.type === "ExpressionStatement") {
    const expression = node["expression"] as Node;
    const left = expression["left"] as Node | undefined;
    if (expression.type === "AssignmentExpression")
      takeValue(
        left?.type === "MemberExpression" ? nameOf(left["property"]) : nameOf(left),
        expression["right"] as Node,
      );
  }
}

/** Stretches of a text without its comments and the blanks at the ends of its lines; a template's text stays as it is. */
function plainText(js: string, { comments, tokens }: { comments: readonly Node[]; tokens: readonly Node[] }) {
  const kept: [number, number][] = [];
  for (const token of tokens) {
    const label = (token["type"] as unknown as { label?: string }).label;
    if (label === "template" || label === "string") kept.push([token.start, token.end]);
  }
  const gone = comments.map(({ start, end }): [number, number] => [start, end]);
  // Where a line is no part of a template, its blanks at both ends go.
  for (const { index, 0: blanks } of js.matchAll(/[ \t]+(?=\n)|(?<=\n)[ \t]+/g))
    if (!kept.some(([from, to]) => from < index && index < to)) gone.push([index, index + blanks.length]);
  gone.sort((a, b) => a[0] - b[0]);
  return (from: number, to: number): string => {
    let out = "";
    let at = from;
    for (const [start, end] of gone) {
      if (end <= at || start >= to) continue;
      out += js.slice(at, Math.max(at, start)) + js.slice(Math.max(at, start), end).replace(/[^\n]/g, "");
      at = end;
    }
    return out + js.slice(at, to);
  };
}

/** Numbers of the bodies that run when the library is loaded and when the programs are. */
async function measure(
  cuts: readonly Cut[],
  programs: ReadonlyMap<string, string>,
  files: readonly (readonly [string, string])[],
): Promise<Set<number>> {
  const ran = new Set<number>();
  const numbered = cuts
    .flatMap(({ bodies }) => bodies)
    .map(({ text }, i): [number, string] => [i, `__ran(${i});${text}`]);
  const modules = assemble(
    {
      modules: cuts.map(({ path, text }) => [path, text]),
      bodies: numbered,
      symbols: {},
      groups: {},
      names: {},
      mentions: [],
    },
    [],
  );
  const global = globalThis as { __ran?: (body: number) => void };
  global.__ran = (body) => void ran.add(body);
  for (const [path, text] of programs) {
    const told: FromRunner[] = [];
    const runtime = new Runtime((message) => told.push(message));
    runtime.load(modules, true);
    const program = { path, text, js: transpile(path, text, true).js };
    await runtime.run({
      program,
      options: { detail: "layers", values: false },
      files,
      complete: true,
      symbols: symbolFile(),
    });
    const failure = told.find((message) => message.type === "failure");
    if (failure?.type === "failure") throw new Error(`${path}: ${failure.failure.message}`);
  }
  delete global.__ran;
  return ran;
}

/** `AddmmBackward0` -> `addmm_backward0` */
const snake = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();

/** The family of a body: the longest name of an operator in its own, `wrapper_CPU_add_Tensor` -> `add`; without one, its file. */
function familyOf({ name, module }: Body, operators: ReadonlySet<string>): string {
  const words = snake(name.replace(".", "_")).split("_").filter(Boolean);
  for (let length = words.length; length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const part = words.slice(from, from + length).join("_");
      if (operators.has(part)) return part;
    }
  return module;
}

/** Names of the operators of native_functions.yaml, without overloads and underscores at the ends. */
function operatorNames(yaml: string): ReadonlySet<string> {
  return new Set([...yaml.matchAll(/^- func: (\w+)/gm)].map(([, name = ""]) => name.replace(/^_+|_+$/g, "")));
}

const identifiers = (text: string): Set<string> => new Set(text.match(/[A-Za-z_]\w*/g) ?? []);

export interface Made {
  readonly words: string;
  readonly core: string;
  readonly rest: string;
}

export async function runForm(context: Context, texts: ReadonlyMap<string, string>): Promise<Made> {
  const cuts = [...texts].filter(([path]) => isModule(path)).map(([path, text]) => cut(transpile(path, text)));
  const bodies = cuts.flatMap((each) => each.bodies);
  const read = (path: string): [string, string] => [path, readFileSync(join(context.root, path), "utf8")];
  const first = await measure(cuts, new Map(PROGRAMS.map(read)), [...texts]);

  const operators = operatorNames(texts.get("src/aten/native/native_functions.yaml") ?? "");
  const families = new Map<string, number[]>();
  bodies.forEach((body, i) => {
    if (first.has(i)) return;
    const family = familyOf(body, operators);
    families.set(family, [...(families.get(family) ?? []), i]);
  });
  const known = new Set([...first].map((i) => familyOf(bodies[i] as Body, operators)));
  const numbers = new Map([...families.keys()].map((family, i) => [family, i]));
  const packOf = symbolsBeside(bodies);
  const packs = [...families.values()].map((each) => packOf(each));
  const inCore = new Set(bodies.keys());
  for (const each of families.values()) for (const i of each) inCore.delete(i);

  const core: Core = {
    modules: cuts.map(({ path, text }) => [path, text]),
    ...packOf([...inCore], true),
    groups: Object.fromEntries(
      Object.entries(symbolFile()).map(([file, { mirrors, prefix }]) => [file, [mirrors, prefix]]),
    ),
    ...namesOf(bodies, families, numbers, operators, known),
  };
  rmSync(join(context.out, "run"), { recursive: true, force: true });
  const write = (name: string, value: unknown): Uint8Array => {
    const packed = gzipSync(JSON.stringify(value), { level: 9 });
    context.write(join(context.out, `run/${name}.pack`), packed);
    return packed;
  };
  packs.forEach((pack, i) => void write(`${i}`, pack));
  const sent = write("core", core);
  const rest: Pack = packOf([...families.values()].flat());
  const restSent = write("rest", rest);
  const integrity = (bytes: Uint8Array): string => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;
  const kb = (bytes: Uint8Array): number => Math.round(bytes.length / 1024);
  return {
    words: `first ${kb(sent)} KB (${inCore.size} of ${bodies.length} bodies), ${families.size} families ${kb(restSent)} KB`,
    core: integrity(sent),
    rest: integrity(restSent),
  };
}

/** Packs of bodies with the rows of the index that stand at their heads; what stands at none is the core's. */
function symbolsBeside(bodies: readonly Body[]): (numbers: readonly number[], others?: boolean) => Pack {
  const index = symbolFile();
  const owned = new Map<number, [file: string, row: SymbolRow]>();
  const owners = new Set<SymbolRow>();
  bodies.forEach(({ module, name, from }, i) => {
    // A loop's place in a recording is the scalar function it was made from, which itself never runs: where kernels are written, all rows come.
    if (/^src\/aten\/native\/(?!.*generated\/)/.test(module)) return;
    // A function's row names the line of its head, the nearest one above its body.
    let nearest: SymbolRow | undefined;
    for (const row of index[module]?.symbols ?? [])
      if (row[1] <= from && row[1] >= (nearest?.[1] ?? 0) && lastName(row[0]) === lastName(name)) nearest = row;
    if (nearest === undefined) return;
    owned.set(i, [module, nearest]);
    owners.add(nearest);
  });
  return (numbers, others = false) => {
    const symbols: Record<string, SymbolRow[]> = {};
    for (const i of numbers) {
      const [file, row] = owned.get(i) ?? [];
      if (file === undefined || row === undefined) continue;
      symbols[file] ??= [];
      if (!symbols[file].includes(row)) symbols[file].push(row);
    }
    if (others)
      for (const [file, group] of Object.entries(index))
        for (const row of group.symbols) if (!owners.has(row)) (symbols[file] ??= []).push(row);
    return { bodies: numbers.map((i) => [i, (bodies[i] as Body).text]), symbols };
  };
}

const lastName = (name: string): string => name.replace(/^.*[.:]/, "");

/** Whether a program may use it: generated functions and the insides of kernels have names of other forms. */
const isPublic = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_]+$/.test(name) &&
  !/^(wrapper|structured|THP)_?|_loops?$|_(out|kernel|stub|cpu|meta|impl)\b/.test(name);

/** From every name that leads to one family to that family, and from a family to those that its bodies name. */
function namesOf(
  bodies: readonly Body[],
  families: ReadonlyMap<string, readonly number[]>,
  numbers: ReadonlyMap<string, number>,
  operators: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Pick<Core, "names" | "mentions"> {
  // A name of several families tells nothing.
  const definers = new Map<string, Set<number>>();
  const unknown = new Map([...numbers].filter(([family]) => !known.has(family)));
  for (const [family, list] of families)
    for (const i of known.has(family) ? [] : list)
      for (const part of (bodies[i] as Body).name.split("."))
        definers.set(part, (definers.get(part) ?? new Set()).add(unknown.get(family) as number));
  const direct = (name: string): number | undefined => {
    const operator = snake(name).replace(/^_+|_+$/g, "");
    if (operators.has(operator)) return unknown.get(operator);
    const of = definers.get(name);
    return of?.size === 1 ? [...of][0] : undefined;
  };
  const mentions = [...families.values()].map((list) => {
    const named = new Set<number>();
    for (const i of list)
      for (const name of identifiers((bodies[i] as Body).text)) {
        const family = direct(name);
        if (family !== undefined) named.add(family);
      }
    return [...named];
  });
  const names: Record<string, number> = {};
  for (const name of new Set([...definers.keys(), ...operators])) {
    const family = direct(name);
    if (family !== undefined && isPublic(name)) names[name] = family;
  }
  return { names, mentions };
}
