/**
 * @file The symbol index as pages ask it: by PyTorch's qualified name, by its end, or by our name.
 * @original
 */
import { symbolFile } from "../../src/trace/sources.ts";
import { decode, type SymbolEntry } from "../../src/trace/symbol_entry.ts";

const plain = (symbol: string): string => symbol.replaceAll("(anonymous namespace)::", "");

let entries: readonly SymbolEntry[] | null = null;
let byName: Map<string, SymbolEntry> | null = null;

function all(): readonly SymbolEntry[] {
  return (entries ??= decode(symbolFile()));
}

/** Exact names first; an unqualified one if it is the end of a qualified name. */
export function findSymbol(name: string): SymbolEntry | null {
  if (byName === null) {
    byName = new Map();
    const add = (key: string, entry: SymbolEntry): unknown => byName?.has(key) || byName?.set(key, entry);
    for (const entry of all()) add(plain(entry.symbol), entry);
    for (const entry of all()) add(`${entry.file}#${entry.name}`, entry);
    for (const entry of all()) add(entry.name, entry);
  }
  const wanted = plain(name);
  return (
    byName.get(wanted) ??
    byName.get(wanted.replaceAll("::", ".")) ??
    all().find((e) => plain(e.symbol).endsWith(`::${wanted}`)) ??
    null
  );
}

export function symbolNames(): string[] {
  return all().map((entry) => plain(entry.symbol));
}
