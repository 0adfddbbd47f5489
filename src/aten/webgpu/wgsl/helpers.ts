/**
 * @file Helper functions in WGSL for printed bodies and hand-written kernels, by name, and the selection of those that
 * a text needs. Helpers made of kernel text are in generated/functions.wgsl.ts.
 * @original CUDA's headers give these to every kernel.
 * @see printer.ts, helpers_float.ts, helpers_int64.ts, helpers_math.ts
 */
import { functions } from "../generated/functions.wgsl.ts";
import { FLOAT_HELPERS } from "./helpers_float.ts";
import { INT64_HELPERS } from "./helpers_int64.ts";
import { MATH_HELPERS } from "./helpers_math.ts";

/** The name that a declaration at the beginning of a line declares: `fn f(...)`, `var<private> x: ...` or `const x = ...`. */
const DECLARED = /^(?:fn|const|var<private>) (\w+)/gm;
const WORD = /[A-Za-z_]\w*/g;

/** Declarations by name; collected at the first use. */
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

/** The declarations that `text` needs, and those that these need, in order of first occurrence. */
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
