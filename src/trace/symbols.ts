/**
 * @file The symbol index: from PyTorch's name of a function to our file and line and PyTorch's file. Built by codegen from the sources,
 * never typed by hand; loaded only by the recorder and by tools.
 * @original
 */
import type { TraceKind } from "../c10/util/Trace.ts";
import index from "../generated/symbols.json" with { type: "json" };
import type { Mirror, SourcePosition } from "./event.ts";
import { decode, decodeRow, type SymbolEntry, type SymbolFile, type SymbolGroup, symbolOf } from "./symbol_entry.ts";

const files = index as unknown as SymbolFile;

/** Every symbol. A recording looks up a hundred of fifteen thousand and decodes no more; this is for tools. */
export function allSymbols(): SymbolEntry[] {
  return decode(files);
}

let byLastName: Map<string, [file: string, row: number][]> | null = null;

/** Rows by the last part of their symbol's name, one or many. */
function table(): Map<string, [file: string, row: number][]> {
  if (byLastName !== null) return byLastName;
  byLastName = new Map();
  for (const file in files) {
    const { symbols } = files[file] as SymbolGroup;
    for (let row = 0; row < symbols.length; row++) {
      const [name, , , symbol = ""] = symbols[row] as SymbolGroup["symbols"][number];
      const last = lastName(symbol === "" ? name : symbol);
      const known = byLastName.get(last);
      if (known === undefined) byLastName.set(last, [[file, row]]);
      else known.push([file, row]);
    }
  }
  return byLastName;
}

function lastName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1);
}

/** In the order of the index. */
function symbolsNamed(symbol: string): SymbolEntry[] {
  const entries: SymbolEntry[] = [];
  for (const [file, row] of table().get(lastName(symbol)) ?? []) {
    const group = files[file] as SymbolGroup;
    const found = group.symbols[row] as SymbolGroup["symbols"][number];
    if (plainSymbol(symbolOf(group.prefix, found)) === symbol) entries.push(decodeRow(file, group, found));
  }
  return entries;
}

/** The first function of `file` that has one of these names. */
function symbolOfFile(file: string, ...names: string[]): SymbolEntry | null {
  const group = files[file];
  const row = group?.symbols.find(([name]) => names.includes(name));
  return group === undefined || row === undefined ? null : decodeRow(file, group, row);
}

/** Without `(anonymous namespace)::`: the traces leave it out, as the comparison rule does. */
function plainSymbol(symbol: string): string {
  return symbol.includes("(") ? symbol.replaceAll("(anonymous namespace)::", "") : symbol;
}

const namespaces = ["", "at::", "torch::autograd::", "torch::", "at::native::", "c10::"];

/** Where functions of a kind stand. One name often serves a kernel, the function behind it and the arithmetic of its loop. */
const homes: { readonly [kind in TraceKind]?: RegExp } = {
  kernel: /\/(Register\w+|VariableType\w*|ADInplaceOrViewType|\w*Fallback\w*)\.ts$/,
  native: /^src\/aten\/native\/(?!cpu\/|ufunc\/)/,
  loop: /^src\/aten\/native\/(cpu|ufunc)\/(?!generated\/)/,
};

/**
 * Finds a function by the name an event gives it: qualified, or short as the dispatcher prints kernels (`VariableType::view`).
 * Of several, the one that stands where functions of this `kind` do.
 */
export function findSymbol(name: string, kind?: TraceKind): SymbolEntry | null {
  if (kind === "python") return findPython(name);
  const plain = plainSymbol(name);
  // Generated nodes print without the namespace they are generated into.
  const names = [
    ...namespaces.map((namespace) => namespace + plain),
    plain.replace(/^torch::autograd::/, "torch::autograd::generated::"),
  ];
  const found = names.flatMap(symbolsNamed);
  const home = kind === undefined ? undefined : homes[kind];
  return found.find((entry) => home?.test(entry.file) === true) ?? found[0] ?? null;
}

/** `torch.nn.modules.module.Module._call_impl`, or as a module prints itself: `PReLU.forward`. */
function findPython(name: string): SymbolEntry | null {
  const exact = symbolsNamed(name)[0];
  if (exact !== undefined) return exact;
  const parts = name.split(".");
  for (let n = Math.min(2, parts.length); n >= 1; n--) {
    const tail = parts.slice(-n).join(".");
    const folder = parts.slice(1, -2).join("/"); // nn/modules/module
    const rows = table().get(parts[parts.length - 1] as string) ?? [];
    for (const [file] of rows) {
      if (!file.startsWith("src/torch/") || file.includes("csrc-equivalent") || !file.includes(folder)) continue;
      const found = symbolOfFile(file, tail);
      if (found !== null) return found;
    }
  }
  return null;
}

/** The function `name` of `file`, as a loop names its scalar function. */
export function positionIn(file: string, name: string): { source: SourcePosition; mirrors: Mirror } | null {
  const entry = symbolOfFile(file, name);
  return entry === null ? null : placed(entry);
}

function placed(entry: SymbolEntry): { source: SourcePosition; mirrors: Mirror } {
  return { source: { file: entry.file, line: entry.line }, mirrors: { path: entry.mirrors, symbol: entry.symbol } };
}

export function positionOf(name: string, kind: TraceKind): { source: SourcePosition; mirrors: Mirror } | null {
  const entry = findSymbol(name, kind);
  return entry === null ? null : placed(entry);
}

/** The function of `file` that a stack frame names: its symbol and PyTorch's file. */
export function symbolInFile(file: string, name: string): SymbolEntry | null {
  return symbolOfFile(file, name, name.slice(name.lastIndexOf(".") + 1));
}
