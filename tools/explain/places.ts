/**
 * @file Places of functions: ours by file and name, with PyTorch's name and file.
 * @original
 */
import type { SymbolEntry } from "#trace/symbol_entry";

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A function's place, ours and PyTorch's. */
export interface FunctionPlace extends Place {
  readonly symbol: string;
  readonly mirrors: string;
}

export class Places {
  private readonly byFile = new Map<string, Map<string, SymbolEntry>>();
  private readonly byName = new Map<string, SymbolEntry>();

  constructor(symbols: Iterable<SymbolEntry>) {
    for (const s of symbols) {
      let inFile = this.byFile.get(s.file);
      if (inFile === undefined) this.byFile.set(s.file, (inFile = new Map()));
      if (!inFile.has(s.name)) inFile.set(s.name, s);
      if (!this.byName.has(s.name)) this.byName.set(s.name, s);
    }
  }

  in(file: string, name: string): FunctionPlace | null {
    return placeOf(this.byFile.get(file)?.get(name));
  }

  /** The function that a registration in `file` names: one of that file, or an imported one. */
  named(file: string, name: string): FunctionPlace | null {
    return this.in(file, name) ?? placeOf(this.byName.get(name));
  }

  /** The first function in a file whose name ends so. */
  ending(file: string, tail: string): (FunctionPlace & { readonly name: string }) | null {
    for (const s of this.byFile.get(file)?.values() ?? [])
      if (s.name.endsWith(tail)) return { ...(placeOf(s) as FunctionPlace), name: s.name };
    return null;
  }
}

function placeOf(s: SymbolEntry | undefined): FunctionPlace | null {
  return s === undefined ? null : { symbol: s.symbol, file: s.file, line: s.line, mirrors: s.mirrors };
}
