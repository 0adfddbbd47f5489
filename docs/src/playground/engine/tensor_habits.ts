/**
 * @file Python operations on tensors that JavaScript lacks: `x + y` would join two texts, and `x[0]` would be undefined. In the playground
 * both raise an error that says what to write instead. The library itself leaves them as they are in JavaScript.
 * @original
 */
import { placesOf } from "./stack.ts";

/** Python's operators on tensors, as methods. */
const METHODS: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "remainder",
  "**": "pow",
  "&": "bitwise_and",
  "|": "bitwise_or",
  "^": "bitwise_xor",
};

/** Places of elements that are looked for; a program that counts further has met the first. */
const INDICES = 256;

interface TensorClass {
  readonly prototype: object;
}

/** @param program its path and its script, as it runs */
export function explainHabits(Tensor: TensorClass, program: { readonly path: string; readonly js: string }): void {
  const { prototype } = Tensor;
  const toPrimitive = Reflect.get(prototype, Symbol.toPrimitive) as (hint: string) => unknown;
  const lines = program.js.split("\n");
  Object.defineProperty(prototype, Symbol.toPrimitive, {
    configurable: true,
    writable: true,
    value: function (this: object, hint: string): unknown {
      const said = hint === "string" ? null : operatorHere(lines, program.path);
      if (said !== null) throw new TypeError(said);
      return toPrimitive.call(this, hint);
    },
  });
  for (let i = -INDICES; i < INDICES; i++)
    Object.defineProperty(prototype, i, {
      configurable: true,
      get() {
        throw new TypeError(
          `to read an element of a tensor, write x.at(${i}); in JavaScript x[${i}] is a field of that name`,
        );
      },
      set() {
        throw new TypeError(
          `to set an element of a tensor, write x.set_at(value, ${i}); in JavaScript x[${i}] is a field`,
        );
      },
    });
}

/** The operator at which the program stands, if it is one between tensors: not where a text is put together, not a comparison. */
function operatorHere(lines: readonly string[], path: string): string | null {
  const [place] = placesOf(new Error().stack);
  if (place?.file !== path) return null; // the library's own
  const line = lines[place.line - 1] ?? "";
  const part = operandsAround(line, place.column - 1);
  if (/["'`]/.test(part)) return null;
  const found = /^(.*?[\w\])])\s*(\*\*|[-+*/%&|^])=?\s*([\w(].*)$/.exec(part.trim());
  if (found === null) return null;
  const [, left = "", operator = "", right = ""] = found;
  const method = METHODS[operator] as string;
  const simple = /^[\w.]+$/;
  const instead = simple.test(left) && simple.test(right) ? `${left}.${method}(${right})` : `a.${method}(b)`;
  return `JavaScript has no ${operator} for tensors: write ${instead}`;
}

/** The stretch of a line around `at` that belongs to one expression: up to the next comma, semicolon, bracket or assignment. */
function operandsAround(line: string, at: number): string {
  const ends = (letter: string | undefined): boolean => letter === undefined || /[,;{}]/.test(letter);
  let from = at;
  for (let depth = 0; from > 0; from--) {
    const letter = line[from - 1];
    if (letter === ")" || letter === "]") depth++;
    else if ((letter === "(" || letter === "[") && depth-- === 0) break;
    else if (depth === 0 && (ends(letter) || (letter === "=" && !/[-+*/%&|^<>=!]/.test(line[from - 2] ?? "")))) break;
  }
  let to = at;
  for (let depth = 0; to < line.length; to++) {
    const letter = line[to];
    if (letter === "(" || letter === "[") depth++;
    else if ((letter === ")" || letter === "]") && depth-- === 0) break;
    else if (depth === 0 && ends(letter)) break;
  }
  return line.slice(from, to);
}
