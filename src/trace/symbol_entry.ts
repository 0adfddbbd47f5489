/**
 * @file One entry of the symbol index, and the file form it is kept in.
 * @original
 */

/** One function, class or method of the sources. */
export interface SymbolEntry {
  /** As it stands in our file: `mul_out`, `Class.method`. */
  readonly name: string;
  /** As PyTorch qualifies it. */
  readonly symbol: string;
  readonly file: string;
  readonly line: number;
  /** PyTorch's file. */
  readonly mirrors: string;
  /** For generated code: the line of the YAML it was made from. */
  readonly from?: { readonly yaml: string; readonly line: number };
}

/** name, line, from (a line of native_functions.yaml, or `file:line`), symbol and mirrored file where they are not the file's. */
export type SymbolRow = readonly [
  name: string,
  line: number,
  from?: number | string,
  symbol?: string,
  mirrors?: string,
];

/** What the symbols of a source file share, and the symbols. */
export interface SymbolGroup {
  readonly mirrors: string;
  readonly prefix: string;
  readonly symbols: readonly SymbolRow[];
}

export type SymbolFile = { readonly [file: string]: SymbolGroup };

/** `at::native::` + `A.b` -> `at::native::A::b`; `torch.nn.` + `A.b` -> `torch.nn.A.b`. */
export function in_namespace(prefix: string, name: string): string {
  const qualified = prefix === "" || prefix.endsWith("::");
  return prefix + (qualified && name.includes(".") ? name.replaceAll(".", "::") : name);
}

/** A row's symbol, written out or made of the file's prefix and its name. */
export function symbolOf(prefix: string, row: SymbolRow): string {
  const own = row[3];
  return own === undefined || own === "" ? in_namespace(prefix, row[0]) : own;
}

export function decodeRow(file: string, { mirrors, prefix }: SymbolGroup, row: SymbolRow): SymbolEntry {
  const [name, line, from = 0, , own_mirrors = ""] = row;
  const symbol = symbolOf(prefix, row);
  const mirrored = own_mirrors === "" ? mirrors : own_mirrors;
  if (from === 0) return { name, symbol, file, line, mirrors: mirrored };
  return { name, symbol, file, line, mirrors: mirrored, from: decodeFrom(from) };
}

export function decode(index: SymbolFile): SymbolEntry[] {
  const entries: SymbolEntry[] = [];
  for (const file in index) {
    const group = index[file];
    for (const row of group.symbols) entries.push(decodeRow(file, group, row));
  }
  return entries;
}

function decodeFrom(from: number | string): { yaml: string; line: number } {
  if (typeof from === "number") return { yaml: "src/aten/native/native_functions.yaml", line: from };
  const colon = from.lastIndexOf(":");
  return { yaml: from.slice(0, colon), line: Number(from.slice(colon + 1)) };
}
