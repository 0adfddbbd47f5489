/**
 * @file The symbol index: from PyTorch's name of a function to our file and line and PyTorch's file. Built by codegen from the sources,
 * never typed by hand; loaded only by the recorder and by tools.
 * @original
 */
import type { TraceKind } from "../c10/util/Trace.ts";
import index from "../generated/symbols.json" with { type: "json" };
import type { Mirror, SourcePosition } from "./event.ts";
import { decode, type SymbolEntry, type SymbolFile } from "./symbol_entry.ts";

export const symbols: readonly SymbolEntry[] = decode(index as unknown as SymbolFile);

let bySymbol: Map<string, SymbolEntry[]> | null = null;

function table(): Map<string, SymbolEntry[]> {
  if (bySymbol !== null) return bySymbol;
  bySymbol = new Map();
  for (const entry of symbols) {
    const symbol = plainSymbol(entry.symbol);
    const known = bySymbol.get(symbol);
    if (known === undefined) bySymbol.set(symbol, [entry]);
    else known.push(entry);
  }
  return bySymbol;
}

/** Without `(anonymous namespace)::`: the traces leave it out, as the comparison rule does. */
function plainSymbol(symbol: string): string {
  return symbol.replaceAll("(anonymous namespace)::", "");
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
  const found = names.flatMap((full) => table().get(full) ?? []);
  const home = kind === undefined ? undefined : homes[kind];
  return found.find((entry) => home?.test(entry.file) === true) ?? found[0] ?? null;
}

/** `torch.nn.modules.module.Module._call_impl`, or as a module prints itself: `PReLU.forward`. */
function findPython(name: string): SymbolEntry | null {
  const exact = table().get(name)?.[0];
  if (exact !== undefined) return exact;
  const parts = name.split(".");
  for (let n = Math.min(2, parts.length); n >= 1; n--) {
    const tail = parts.slice(-n).join(".");
    const folder = parts.slice(1, -2).join("/"); // nn/modules/module
    const found = symbols.find(
      (s) =>
        s.name === tail &&
        s.file.startsWith("src/torch/") &&
        !s.file.includes("csrc-equivalent") &&
        s.file.includes(folder),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** The function `name` of `file`, as a loop names its scalar function. */
export function positionIn(file: string, name: string): { source: SourcePosition; mirrors: Mirror } | null {
  const entry = symbols.find((s) => s.file === file && s.name === name);
  return entry === undefined ? null : placed(entry);
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
  const short = name.slice(name.lastIndexOf(".") + 1);
  return symbols.find((s) => s.file === file && (s.name === name || s.name === short)) ?? null;
}
