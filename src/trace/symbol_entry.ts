/**
 * @file One entry of the symbol index, and the file form it is kept in.
 * @original
 */

/** One function, class or method of the sources. */
export interface SymbolEntry {
  /** As it stands in our file: `mul_out`, `Class.method`. */
  readonly name: string;
  /** As PyTorch qualifies it. What PyTorch has not keeps the name it has here, but for kernels: those all stand in `at::native`. */
  readonly symbol: string;
  /** PyTorch has nothing of this name. */
  readonly ours?: true;
  readonly file: string;
  readonly line: number;
  /** PyTorch's file. */
  readonly mirrors: string;
  /** For generated code: the YAML entry it was made from, `native_functions.yaml#exp.out`. */
  readonly from?: string;
}

/** name, line, YAML entry, symbol and mirrored file; the last two are "" where they are the file's. Before the symbol of what is ours stands `OURS`. */
export type SymbolRow = readonly [name: string, line: number, from?: string, symbol?: string, mirrors?: string];

export const OURS = "~";

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
  if (own?.startsWith(OURS) === true) return own === OURS ? row[0] : own.slice(OURS.length);
  return own === undefined || own === "" ? in_namespace(prefix, row[0]) : own;
}

export function decodeRow(file: string, { mirrors, prefix }: SymbolGroup, row: SymbolRow): SymbolEntry {
  const [name, line, from = "", own = "", own_mirrors = ""] = row;
  return {
    name,
    symbol: symbolOf(prefix, row),
    ...(own.startsWith(OURS) ? { ours: true } : {}),
    file,
    line,
    mirrors: own_mirrors === "" ? mirrors : own_mirrors,
    ...(from === "" ? {} : { from }),
  };
}

export function decode(index: SymbolFile): SymbolEntry[] {
  const entries: SymbolEntry[] = [];
  for (const file in index) {
    const group = index[file];
    for (const row of group.symbols) entries.push(decodeRow(file, group, row));
  }
  return entries;
}
