/**
 * @file The signature of a built-in function, read from its text: `insert(self, index, object, /)`.
 * @mirrors Python/getargs.c (CPython 3.11)
 */
import { TypeError_ } from "../exceptions.ts";
import { float_value } from "../floatobject.ts";
import { PyTuple } from "../tupleobject.ts";

type Kind = "positional only" | "any" | "keyword only";
export interface Parameter {
  readonly name: string;
  readonly kind: Kind;
  /** Value that stands in for a missing argument; null: there is none, the argument is required. */
  readonly default: { readonly value: unknown } | null;
  /** Text of the default in the signature. */
  readonly default_text: string | null;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly positional: number;
  readonly required: number;
  readonly var_positional: string | null;
  readonly var_keyword: string | null;
  /** Whether positions alone matter, which makes a call short. */
  readonly simple: boolean;
}

/** Value of a default in a signature. */
function read_default(text: string): unknown {
  switch (text) {
    case "None":
      return null;
    case "True":
      return true;
    case "False":
      return false;
    case "()":
      return new PyTuple();
    case "<unset>":
      return undefined;
  }
  if (/^['"]/.test(text)) return text.slice(1, -1).replace(/\\n/g, "\n").replace(/\\t/g, "\t");
  if (/^-?\d+$/.test(text)) return Number(text);
  if (/^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/.test(text)) return float_value(Number(text));
  throw new TypeError_(`the default ${text} is not known to the reader of signatures`);
}

/** Cuts at commas outside quotes and brackets. */
function pieces(text: string): string[] {
  return (text.match(/(?:'[^']*'|"[^"]*"|[^,])+/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** Reads the parameters between the brackets. */
export function read_signature(text: string): Signature {
  const inner = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  const parameters: { name: string; kind: Kind; default: { value: unknown } | null; default_text: string | null }[] =
    [];
  let var_positional: string | null = null;
  let var_keyword: string | null = null;
  let kind: Kind = "any";
  for (const piece of pieces(inner)) {
    if (piece === "/") for (const parameter of parameters) parameter.kind = "positional only";
    else if (piece === "*") kind = "keyword only";
    else if (piece.startsWith("**")) var_keyword = piece.slice(2);
    else if (piece.startsWith("*")) {
      var_positional = piece.slice(1);
      kind = "keyword only";
    } else {
      const [name = "", default_text] = piece.split(/=(.*)/s);
      parameters.push({
        name: name.trim(),
        kind,
        default: default_text === undefined ? null : { value: read_default(default_text.trim()) },
        default_text: default_text ?? null,
      });
    }
  }
  const positional = parameters.filter((it) => it.kind !== "keyword only");
  return {
    parameters,
    positional: positional.length,
    required: positional.filter((it) => it.default === null).length,
    var_positional,
    var_keyword,
    simple: var_positional === null && var_keyword === null && positional.length === parameters.length,
  };
}
