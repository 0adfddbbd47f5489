/**
 * @file One entry of the symbol index, and its form in the file.
 * @original
 */

/** One function, class or method of the sources. */
export interface SymbolEntry {
  /** The name in our file: `mul_out`, `Class.method`. */
  readonly name: string;
  /**
   * The name as PyTorch qualifies it. A function that PyTorch lacks keeps its name here, except kernels: these are all
   * in `at::native`.
   */
  readonly symbol: string;
  /** Set if PyTorch has nothing of this name. */
  readonly ours?: true;
  readonly file: string;
  readonly line: number;
  /** PyTorch's file. */
  readonly mirrors: string;
  /** The YAML entry from which generated code was made: `native_functions.yaml#exp.out`. */
  readonly from?: string;
}

/**
 * name, line, YAML entry, symbol and mirrored file; the last two are "" if they equal the file's. A symbol that is ours
 * begins with `OURS`.
 */
export type SymbolRow = readonly [name: string, line: number, from?: string, symbol?: string, mirrors?: string];

export const OURS = "~";

/** The symbols of a source file, and the data they share. */
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

/** A row's symbol: written out, or the file's prefix and the name. */
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
