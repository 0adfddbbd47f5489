/**
 * @file Functions and operators by name, with the place where each stands; read from the index of /lookup when somebody looks for one.
 * @original
 */
import { decode, type SymbolEntry } from "../../../src/trace/symbol_entry.ts";
import type { LookupIndex, LookupOperator } from "../../../tools/explain/lookup.ts";

export interface NamedPlace {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly what: "operator" | "function";
}

export class NamedPlaces {
  private readonly symbols: readonly SymbolEntry[];
  private readonly operators: readonly LookupOperator[];

  constructor(index: LookupIndex) {
    this.symbols = decode(index.symbols);
    this.operators = index.operators;
  }

  static async load(address: string): Promise<NamedPlaces> {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return new NamedPlaces((await answer.json()) as LookupIndex);
  }

  /** Places whose names contain every word; operators first, then code that a person wrote, shorter names before longer ones. */
  find(words: readonly string[], most: number): NamedPlace[] {
    const fits = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word));
    const operators = this.operators.flatMap(({ name, kernel }): NamedPlace[] =>
      kernel != null && fits(name)
        ? [{ name: `aten::${name}`, file: kernel.file, line: kernel.line, what: "operator" }]
        : [],
    );
    const functions = this.symbols
      .filter(({ name }) => fits(name))
      .map(({ symbol, file, line }): NamedPlace => ({ name: symbol, file, line, what: "function" }))
      .sort((a, b) => generated(a) - generated(b) || a.name.length - b.name.length);
    return [...operators.slice(0, most / 2), ...functions].slice(0, most);
  }
}

const generated = ({ file }: NamedPlace): number => (file.includes("/generated/") ? 1 : 0);
