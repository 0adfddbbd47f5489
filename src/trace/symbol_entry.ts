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
type Row = readonly [name: string, line: number, from?: number | string, symbol?: string, mirrors?: string];

/** source file -> what its symbols share, and the symbols. */
export type SymbolFile = {
  readonly [file: string]: { readonly mirrors: string; readonly prefix: string; readonly symbols: readonly Row[] };
};

/** `at::native::` + `A.b` -> `at::native::A::b`; `torch.nn.` + `A.b` -> `torch.nn.A.b`. */
export function in_namespace(prefix: string, name: string): string {
  return prefix + (prefix === "" || prefix.endsWith("::") ? name.replaceAll(".", "::") : name);
}

export function decode(index: SymbolFile): SymbolEntry[] {
  const entries: SymbolEntry[] = [];
  for (const [file, { mirrors, prefix, symbols }] of Object.entries(index)) {
    for (const [name, line, from = 0, symbol = "", own_mirrors = ""] of symbols) {
      const origin = from === 0 ? {} : { from: decodeFrom(from) };
      entries.push({
        name,
        symbol: symbol === "" ? in_namespace(prefix, name) : symbol,
        file,
        line,
        mirrors: own_mirrors === "" ? mirrors : own_mirrors,
        ...origin,
      });
    }
  }
  return entries;
}

function decodeFrom(from: number | string): { yaml: string; line: number } {
  if (typeof from === "number") return { yaml: "src/aten/native/native_functions.yaml", line: from };
  const colon = from.lastIndexOf(":");
  return { yaml: from.slice(0, colon), line: Number(from.slice(colon + 1)) };
}
