/**
 * @file The library as it is sent to be run: compiled, without comments, each line in its place; bodies of functions, and whole functions and
 * classes, apart from what stands around them. What loads the library and what programs commonly run come first; the other parts lie in
 * families, by the operator or the file they belong to. The page sends for the families that a program names. A part that has not come says
 * so when it is called or asked for: then the rest is fetched, and the run begins anew.
 * @original
 */
import type { SymbolFile, SymbolRow } from "../../../../src/trace/symbol_entry.ts";
import { blankLiterals } from "../../../../tools/module_loader/literals.ts";
import type { MissingPart } from "./protocol.ts";
import { lengthen } from "./shorthand.ts";
import type { Module } from "./transpile.ts";

/** Stands in a text for a body: between two of these, how many lines it has. */
export const GAP = "\u0001";

/** A part of a module that stands in lines of its own, or behind what stands there. */
export type Item = readonly [number: number, module: number, texts: readonly (readonly [line: number, text: string])[]];

/**
 * Bodies and items by number, and the rows of the symbol index for what stands in them. Bodies' numbers and rows' lines are counted from the
 * one before (`fromBefore`): small numbers, again and again the same, take least room.
 */
export interface Pack {
  readonly bodies: readonly (readonly [number: number, text: string])[];
  readonly items: readonly Item[];
  readonly symbols: { readonly [file: string]: readonly SymbolRow[] };
}

export interface Core extends Pack {
  /** Path -> text in shorthand, with gaps; bodies are numbered through all of them. */
  readonly modules: readonly (readonly [path: string, text: string])[];
  /** How many items there are; the lines of those that have not come are empty. */
  readonly apart: number;
  /** By module: of the symbol index, what all rows of its file share (`mirrors` as `shortOf` says it); null where the file has no row. */
  readonly groups: readonly (readonly [mirrors: string, prefix: string] | null)[];
  /** Names in the measured programs: a program that uses only these needs no family. */
  readonly familiar: readonly string[];
}

/** The parts that come whole: the device, the Python machine, the systems that capture programs, and what stands on them: `torch.compile`, lazy tensors, the C++ front end. */
export type WholeName = "webgpu" | "python" | "graphs" | "compile";

/** The entries of the library that lie in such a part, except the device's, which a program has to import. */
export const WHOLE_PACK_OF_ENTRY: ReadonlyMap<string, WholeName> = new Map([
  ["src/python.ts", "python"],
  ["src/fx.ts", "graphs"],
  ["src/func.ts", "graphs"],
  ["src/export.ts", "graphs"],
  ["src/jit.ts", "graphs"],
  ["src/compile.ts", "compile"],
  ["src/lazy.ts", "compile"],
  ["src/cpp.ts", "compile"],
]);

/** A part comes whole if who uses it goes most of its ways. Its modules are in shorthand. */
export interface WholePack {
  readonly modules: readonly Module[];
  readonly symbols: SymbolFile;
}

/** Where names lead. */
export interface Names {
  /** A name that a program may use -> the family behind it. Names whose common way came with the core have none. */
  readonly names: { readonly [name: string]: number };
  /** By family: those that its bodies name. */
  readonly mentions: readonly (readonly number[])[];
}

/** Rows in the order of the number that they have at `place`, each counted from the one before. */
export function fromBefore<T extends readonly unknown[]>(rows: readonly T[], place: number): T[] {
  const sorted = [...rows].sort((a, b) => (a[place] as number) - (b[place] as number));
  return sorted.map((row, i) =>
    row.with(place, (row[place] as number) - ((sorted[i - 1]?.[place] ?? 0) as number)),
  ) as unknown as T[];
}

/** The rows, with places counted from 0 again. */
export function fromStart<T extends readonly unknown[]>(rows: readonly T[], place: number): T[] {
  let at = 0;
  return rows.map((row) => row.with(place, (at += row[place] as number)) as unknown as T);
}

/** The families in which parts lie that have been asked for by a run. */
export interface Where {
  /** By body: its family, or -1 if it comes with the core. */
  readonly bodies: readonly number[];
  /** By module and name of an item: its family. */
  readonly items: { readonly [module: string]: { readonly [name: string]: number } };
}

/** The family of a part that a run has asked for; null if no family has it. */
export function familyOf({ bodies, items }: Where, part: MissingPart): number | null {
  if (part === null) return null;
  const family = typeof part === "number" ? bodies[part] : ownOf(ownOf(items, part.module), part.name);
  return family === undefined || family < 0 ? null : family;
}

const ownOf = <T>(table: { readonly [name: string]: T } | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** Called in the place of a body that has not come, with the body's number. */
export const MISSING = "__missing";

/** The modules, with what has come. */
export function assemble(core: Core, packs: readonly Pack[]): Module[] {
  const bodies = new Map([core, ...packs].flatMap((pack) => fromStart(pack.bodies, 0)));
  const items = new Map(packs.flatMap((pack) => pack.items.map((item) => [item[0], item])));
  const added = new Map<number, Item[]>();
  for (const item of items.values()) added.set(item[1], [...(added.get(item[1]) ?? []), item]);
  const partial = items.size < core.apart;
  let next = 0;
  return core.modules.map(([path, text], i) => {
    const parts = lengthen(text).split(GAP);
    for (let i = 1; i < parts.length; i += 2, next++)
      parts[i] = bodies.get(next) ?? `throw ${MISSING}(${next});${"\n".repeat(Number(parts[i]))}`;
    return { path, js: withItems(parts.join(""), added.get(i) ?? []), partial };
  });
}

function withItems(js: string, items: readonly Item[]): string {
  if (items.length === 0) return js;
  const lines = js.split("\n");
  for (const [, , texts] of items)
    for (const [line, text] of texts)
      for (const [i, part] of text.split("\n").entries()) {
        const before = lines[line + i];
        lines[line + i] = i > 0 || before === "" ? `${before}${part}` : `${before};${part}`;
      }
  return lines.join("\n");
}

/** Where PyTorch's file of the same name stands, without the ending. */
const namesake = (file: string): string =>
  file
    .replace(/^src\/(?:torch\/csrc-equivalent|aten)\//, (folder) =>
      folder === "src/aten/" ? "aten/src/ATen/" : "torch/csrc/",
    )
    .replace(/^src\//, "")
    .replace(/\.ts$/, "");

/** The file that `file` mirrors, as it is sent: of a namesake the ending is enough. */
export function shortOf(file: string, mirrors: string): string {
  const same = namesake(file);
  return mirrors.startsWith(`${same}.`) ? mirrors.slice(same.length) : mirrors;
}

const mirrorsOf = (file: string, short: string): string => (short.startsWith(".") ? namesake(file) + short : short);

/** The symbol index of what has come: nothing else can be in a recording. */
export function symbolsOf(core: Core, packs: readonly Pack[]): SymbolFile {
  const index: Record<string, SymbolFile[string]> = {};
  for (const [i, group] of core.groups.entries()) {
    if (group === null) continue;
    const [file] = core.modules[i] as readonly [string, string];
    const rows = [core, ...packs].flatMap(({ symbols }) => fromStart(symbols[file] ?? [], 1));
    const mirrors = mirrorsOf(file, group[0]);
    index[file] = { mirrors, prefix: group[1], symbols: rows.sort((a, b) => a[1] - b[1]) };
  }
  return index;
}

/** The families that a program names, and those that these name. */
export function familiesIn({ names, mentions }: Names, program: string): number[] {
  const wanted = new Set<number>();
  for (const name of namesIn(program)) if (Object.hasOwn(names, name)) wanted.add(names[name] as number);
  return [...new Set([...wanted].flatMap((family) => [family, ...(mentions[family] ?? [])]))];
}

/** As `namesIn`, in a program in Python. Texts in it may hold names (f-strings), so only comments are left out. */
export function namesInPython(program: string): Set<string> {
  return new Set([...program.replace(/#.*/g, "").matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name));
}

/** Everything that a program calls by a name, keywords among it. */
export function namesIn(program: string): Set<string> {
  return new Set([...blankLiterals(program).matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name));
}
