/**
 * @file What printed bodies and hand-written kernels call: functions in WGSL, by name, and the few of a text that needs them. Those made of
 * kernel text stand in generated/functions.wgsl.ts.
 * @original CUDA's headers give this to every kernel.
 * @see printer.ts, helpers_float.ts, helpers_int64.ts, helpers_math.ts
 */
import { functions } from "../generated/functions.wgsl.ts";
import { FLOAT_HELPERS } from "./helpers_float.ts";
import { INT64_HELPERS } from "./helpers_int64.ts";
import { MATH_HELPERS } from "./helpers_math.ts";

/** `fn f(...)`, or `var<private> x: ...` and `const x = ...`: what a declaration at a line's beginning declares. */
const DECLARED = /^(?:fn|const|var<private>) (\w+)/gm;
const WORD = /[A-Za-z_]\w*/g;

/** By name, the declaration; made when first asked for. */
let declarations: Map<string, string> | null = null;

function all(): Map<string, string> {
  if (declarations !== null) return declarations;
  declarations = new Map();
  for (const text of [FLOAT_HELPERS, INT64_HELPERS, MATH_HELPERS, functions]) {
    const begins = [...text.matchAll(DECLARED)];
    for (const [k, { 1: name, index }] of begins.entries())
      declarations.set(name, text.slice(index, begins[k + 1]?.index).trimEnd());
  }
  return declarations;
}

/** The declarations that `text` needs, and those that these need, in the order in which they are met. */
export function helpers_for(text: string): string {
  const known = all();
  const found = new Map<string, string>();
  const visit = (of: string): void => {
    for (const [word] of of.matchAll(WORD)) {
      const declaration = found.has(word) ? undefined : known.get(word);
      if (declaration === undefined) continue;
      found.set(word, declaration);
      visit(declaration);
    }
  };
  visit(text);
  return [...found.values()].join("\n");
}
