/**
 * @file The symbol index: from PyTorch's name of a function to our file and line and PyTorch's file. Built by codegen from the sources,
 * never typed by hand; loaded only by the recorder and by tools.
 * @original
 */
import index from "../generated/symbols.json" with { type: "json" };
import type { Mirror, SourcePosition } from "./event.ts";

/** One function, class or method of the sources. */
export interface SymbolEntry {
  readonly name: string;
  readonly symbol: string;
  readonly file: string;
  readonly line: number;
  readonly mirrors: string;
  /** For generated code: the line of the YAML it was made from. */
  readonly from?: { readonly yaml: string; readonly line: number };
}

export const symbols: readonly SymbolEntry[] = index as unknown as readonly SymbolEntry[];

let bySymbol: Map<string, SymbolEntry> | null = null;

function table(): Map<string, SymbolEntry> {
  if (bySymbol !== null) return bySymbol;
  bySymbol = new Map();
  for (const entry of symbols) {
    const symbol = plainSymbol(entry.symbol);
    if (!bySymbol.has(symbol)) bySymbol.set(symbol, entry);
  }
  return bySymbol;
}

/** Without `(anonymous namespace)::` and the namespace of generated nodes: the traces leave them out, as the comparison rule does. */
function plainSymbol(symbol: string): string {
  return symbol.replaceAll("(anonymous namespace)::", "").replace("torch::autograd::generated::", "torch::autograd::");
}

const namespaces = ["", "at::", "torch::autograd::", "torch::", "at::native::", "c10::"];

/** Finds a function by the name an event gives it: qualified, or short as the dispatcher prints kernels (`VariableType::view`). */
export function findSymbol(name: string): SymbolEntry | null {
  const plain = plainSymbol(name);
  for (const namespace of namespaces) {
    const entry = table().get(namespace + plain);
    if (entry !== undefined) return entry;
  }
  return null;
}

export function positionOf(name: string): { source: SourcePosition; mirrors: Mirror } | null {
  const entry = findSymbol(name);
  if (entry === null) return null;
  return { source: { file: entry.file, line: entry.line }, mirrors: { path: entry.mirrors, symbol: entry.symbol } };
}

/** The function of `file` that a stack frame names: its symbol and PyTorch's file. */
export function symbolInFile(file: string, name: string): SymbolEntry | null {
  const short = name.slice(name.lastIndexOf(".") + 1);
  return symbols.find((s) => s.file === file && (s.name === name || s.name === short)) ?? null;
}
