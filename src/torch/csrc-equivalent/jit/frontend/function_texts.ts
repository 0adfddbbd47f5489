/**
 * @file Takes a text of functions apart, so that each of the library's own functions in TorchScript is parsed and compiled when it is first needed.
 * @original PyTorch compiles such a text as a whole.
 */
import { Parser } from "./parser.ts";
import { Source } from "./source_range.ts";
import type { Def } from "./tree_views.ts";

/** One function of a text. */
export interface FunctionText {
  readonly name: string;
  /** Parses the function. Its range lies in the whole text. */
  parse(): Def;
}

/** The functions of a text in their order. Precondition: `def` stands at the beginning of a line only where a function begins. */
export function function_texts(text: string): FunctionText[] {
  const source = new Source(text, "<string>", 1);
  return [...text.matchAll(/^def (\w+)/gm)].map(({ 1: name, index }) => ({
    name,
    parse: () => new Parser(source, index).parseFunction(false),
  }));
}
