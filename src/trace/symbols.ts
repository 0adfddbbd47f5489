/**
 * @file Queries on the symbol index: from PyTorch's name of a function to our file and line and PyTorch's file. Only
 * the recorder and tools use it.
 * @original
 */
import type { TraceKind } from "#c10/util/Trace";
import type { Mirror, TraceEvent } from "./event.ts";
import { symbolFile } from "./sources.ts";
import { decode, decodeRow, in_namespace, OURS, type SymbolEntry, type SymbolRow, symbolOf } from "./symbol_entry.ts";

/** Every symbol, for tools. A recording looks up a hundred of fifteen thousand and decodes only those. */
export function allSymbols(): SymbolEntry[] {
  return decode(symbolFile());
}

/** A row of the index, not decoded; `order` counts through all files. */
interface Place {
  readonly file: string;
  readonly row: SymbolRow;
  readonly order: number;
}

let byName: Map<string, Place[]> | null = null;

/** Rows by their name in the file (`A::b` for a method), and by the whole symbol if one is written out. */
function table(): Map<string, Place[]> {
  if (byName !== null) return byName;
  byName = new Map();
  const found = byName;
  const add = (key: string, place: Place): void => {
    const known = found.get(key);
    if (known === undefined) found.set(key, [place]);
    else known.push(place);
  };
  let order = 0;
  const files = symbolFile();
  for (const file in files) {
    for (const row of files[file].symbols) {
      const [name, , , symbol = ""] = row;
      const place = { file, row, order: order++ };
      const here = in_namespace("", name);
      add(here, place);
      const theirs = symbol === "" || symbol.startsWith(OURS) ? here : plainSymbol(symbol);
      if (theirs !== here) add(theirs, place);
    }
  }
  return found;
}

/**
 * Entries with this symbol, in the order of the index: a row matches if its name is a suffix and its file's prefix is the rest.
 */
function symbolsNamed(symbol: string): SymbolEntry[] {
  const found = [...(table().get(symbol) ?? [])];
  for (const separator of symbol.matchAll(/::|\./g)) {
    const ending = in_namespace("", symbol.slice(separator.index + separator[0].length));
    found.push(...(table().get(ending) ?? []));
  }
  return found
    .filter(({ file, row }) => plainSymbol(symbolOf(symbolFile()[file].prefix, row)) === symbol)
    .sort((a, b) => a.order - b.order)
    .map(({ file, row }) => decodeRow(file, symbolFile()[file], row));
}

/** The first function in `file` with one of these names. */
function symbolOfFile(file: string, ...names: string[]): SymbolEntry | null {
  const group = symbolFile()[file];
  const row = group?.symbols.find(([name]) => names.includes(name));
  return group === undefined || row === undefined ? null : decodeRow(file, group, row);
}

/** The symbol without `(anonymous namespace)::`: traces omit it, and the comparison ignores it. */
function plainSymbol(symbol: string): string {
  return symbol.includes("(") ? symbol.replaceAll("(anonymous namespace)::", "") : symbol;
}

const namespaces = ["", "at::", "torch::autograd::", "torch::", "at::native::", "c10::"];

/**
 * Files of each kind of function. One name is often shared by a kernel, the function behind it and the arithmetic of its loop.
 */
const homes: { readonly [kind in TraceKind]?: RegExp } = {
  kernel: /\/(Register\w+|VariableType\w*|ADInplaceOrViewType\w*|\w*Fallback\w*)\.ts$/,
  native: /^src\/aten\/native\/(?!cpu\/|ufunc\/)/,
  loop: /^src\/aten\/native\/(cpu|ufunc)\/(?!generated\/)/,
};

/**
 * Finds a function by its name in an event: qualified, or short as the dispatcher prints kernels (`VariableType::view`).
 * If there are several, it prefers one in a file for functions of this `kind`.
 */
export function findSymbol(name: string, kind?: TraceKind): SymbolEntry | null {
  const key = `${kind} ${name}`;
  let entry = answers.get(key);
  if (entry === undefined) {
    entry = kind === "python" ? findPython(name) : findCpp(name, kind);
    answers.set(key, entry);
  }
  return entry;
}

/** Cached results: a recording looks up the same few names again and again. */
const answers = new Map<string, SymbolEntry | null>();

function findCpp(name: string, kind: TraceKind | undefined): SymbolEntry | null {
  const plain = plainSymbol(name);
  // Generated nodes print without the namespace in which they are generated.
  const names = [
    ...namespaces.map((namespace) => namespace + plain),
    plain.replace(/^torch::autograd::/, "torch::autograd::generated::"),
  ];
  const found = names.flatMap(symbolsNamed);
  const home = kind === undefined ? undefined : homes[kind];
  const atHome = found.find((entry) => home?.test(entry.file) === true);
  return atHome ?? found[0] ?? findHere(plain, home);
}

/**
 * Finds by the last part of the name in a recording, ignoring its namespace: for functions that PyTorch lacks (a kernel
 * that somebody added) and for names that it spells differently (`at::native::fill__Scalar` is an overload of its
 * `fill_`).
 */
function findHere(name: string, home: RegExp | undefined): SymbolEntry | null {
  const parts = name.split("::");
  for (let from = 0; from < parts.length; from++) {
    const ending = parts.slice(from).join("::");
    const places = (table().get(ending) ?? []).filter(({ row }) => in_namespace("", row[0]) === ending);
    const found = places.find(({ file }) => home?.test(file) === true) ?? places[0];
    if (found !== undefined) return decodeRow(found.file, symbolFile()[found.file], found.row);
  }
  // For a method that a class inherits, the class is found.
  const owner = name.slice(0, Math.max(name.lastIndexOf("::"), 0));
  return /(?:^|::)structured_\w+$/.test(owner) ? findHere(owner, home) : null;
}

/** Finds `torch.nn.modules.module.Module._call_impl`, or the short form `PReLU.forward`. */
function findPython(written: string): SymbolEntry | null {
  const name = written.replace(/^.*#/, ""); // PyTorch's profiler names it `Optimizer.step#SGD.step`
  const exact = symbolsNamed(name)[0];
  if (exact !== undefined) return exact;
  const parts = name.split(".");
  // The class of a short form counts: a program's `Net.forward` is no `forward` of ours.
  for (let n = Math.min(2, parts.length); n >= (parts.length === 2 && parts[0] !== "torch" ? 2 : 1); n--) {
    const tail = parts.slice(-n).join(".");
    const folder = parts.slice(1, -2).join("/"); // nn/modules/module
    const places = table().get(in_namespace("", tail)) ?? [];
    const found = places.find(
      ({ file }) => file.startsWith("src/torch/") && !file.includes("csrc-equivalent") && file.includes(folder),
    );
    if (found !== undefined) return decodeRow(found.file, symbolFile()[found.file], found.row);
  }
  return null;
}

/** The position of the function that an event names. */
export type Position = Required<Pick<TraceEvent, "source" | "mirrors">> & Pick<TraceEvent, "from">;

/** The function `name` in `file`: a loop names its scalar function so. */
export function positionIn(file: string, name: string): Position | null {
  const entry = symbolOfFile(file, name);
  return entry === null ? null : placed(entry);
}

/** PyTorch's file for one of ours, for an event that has a place but is not a function. */
export function mirrorOf(file: string, symbol: string): Mirror | null {
  const mirrors = symbolFile()[file]?.mirrors ?? "";
  return mirrors === "" ? null : { path: mirrors, symbol };
}

function placed(entry: SymbolEntry): Position {
  const { file, line, from } = entry;
  const position = { source: { file, line }, mirrors: mirrorIn(entry) };
  return from === undefined ? position : { ...position, from };
}

/** PyTorch's file, and its name of this function if it has one. */
export function mirrorIn({ mirrors, symbol, ours }: SymbolEntry): Mirror {
  return { path: mirrors, symbol: ours === true ? null : symbol };
}

export function positionOf(name: string, kind: TraceKind): Position | null {
  const entry = findSymbol(name, kind);
  return entry === null ? null : placed(entry);
}

/** The only function of this name in our sources. */
export function positionOfFunction(name: string): Position | null {
  const places = (table().get(name) ?? []).filter(({ row }) => row[0] === name);
  return places.length === 1 ? placed(decodeRow(places[0].file, symbolFile()[places[0].file], places[0].row)) : null;
}

/** The function in `file` that a stack frame names: its symbol and PyTorch's file. */
export function symbolInFile(file: string, name: string): SymbolEntry | null {
  return symbolOfFile(file, name, name.slice(name.lastIndexOf(".") + 1));
}
