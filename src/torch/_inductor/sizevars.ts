/**
 * @file Index expressions made simpler by the ranges of their variables, and taken apart into strides.
 * @mirrors torch/_inductor/sizevars.py
 */
import {
  type Atom,
  add,
  type Expr,
  integer,
  mul,
  of_atom,
  pow,
  scale,
  substitute,
  symbol,
  ZERO,
} from "#torch/utils/_sympy/expr";
import { apply, FloorDiv, Mod } from "#torch/utils/_sympy/functions";

/** The number of values of each variable: it runs from 0 to one less. */
export type VarRanges = ReadonlyMap<string, number>;

export type { Expr };
export { add, FloorDiv, Mod, mul, symbol, ZERO };

/** The least and the greatest value; null if some variable has no range. */
function bounds(expr: Expr, ranges: VarRanges): [number, number] | null {
  let low = 0;
  let high = 0;
  for (const { coefficient, factors } of expr.terms) {
    let [a, b] = [1, 1];
    for (const [atom, power] of factors) {
      const bound = atom_bounds(atom, ranges);
      if (bound === null || bound[0] < 0) return null;
      a *= bound[0] ** power;
      b *= bound[1] ** power;
    }
    low += coefficient * (coefficient < 0 ? b : a);
    high += coefficient * (coefficient < 0 ? a : b);
  }
  return [low, high];
}

function atom_bounds(atom: Atom, ranges: VarRanges): [number, number] | null {
  if (atom.args === null) {
    const size = ranges.get(atom.name);
    return size === undefined ? null : [0, Math.max(0, size - 1)];
  }
  const [base, by] = atom.args;
  const divisor = by?.constant ?? null;
  const of_base = bounds(base, ranges);
  if (divisor === null || divisor <= 0 || of_base === null || of_base[0] < 0) return null;
  if (atom.name === "FloorDiv") return [Math.floor(of_base[0] / divisor), Math.floor(of_base[1] / divisor)];
  return atom.name === "Mod" ? [0, Math.min(divisor - 1, of_base[1])] : null;
}

/** Terms whose coefficient `by` divides, and the others. */
function split(expr: Expr, by: number): [multiples: Expr, rest: Expr] {
  let multiples = ZERO;
  let rest = ZERO;
  for (const term of expr.terms) {
    const product = term.factors.reduce(
      (p, [atom, power]) => mul(p, pow(of_atom(atom), power)),
      integer(term.coefficient),
    );
    if (term.coefficient % by === 0 && term.factors.length > 0) multiples = add(multiples, product);
    else rest = add(rest, product);
  }
  return [multiples, rest];
}

const divided = (expr: Expr, by: number): Expr => scale(expr, 1 / by);

/** `FloorDiv` or `Mod`, with what the ranges tell. */
function with_ranges(name: string, args: readonly Expr[], ranges: VarRanges): Expr {
  const [base, by] = args;
  const divisor = by?.constant ?? null;
  if ((name !== "FloorDiv" && name !== "Mod") || divisor === null || divisor <= 0) return apply(name, args);
  const bound = bounds(base, ranges);
  if (bound !== null && bound[0] >= 0 && bound[1] < divisor) return name === "FloorDiv" ? ZERO : base;
  // 8a + b with b < 8: its quotient by 32 is that of a by 4, and its remainder is 8 (a % 4) + b.
  for (const { coefficient, factors } of base.terms) {
    const unit = Math.abs(coefficient);
    if (factors.length === 0 || unit <= 1) continue;
    const [multiples, rest] = split(base, unit);
    const small = bounds(rest, ranges);
    if (small === null || small[0] < 0 || small[1] >= unit) continue;
    const whole = divided(multiples, unit);
    if (unit >= divisor && unit % divisor === 0) {
      const of_rest = with_ranges(name, [rest, by], ranges);
      return name === "Mod" ? of_rest : add(scale(whole, unit / divisor), of_rest);
    }
    if (divisor % unit !== 0) continue;
    const outer = with_ranges(name, [whole, integer(divisor / unit)], ranges);
    return name === "FloorDiv" ? outer : add(scale(outer, unit), rest);
  }
  return apply(name, args);
}

/** The expression with variables in place of others, simplified by the ranges of the new ones. */
export function simplify_with_ranges(
  expr: Expr,
  ranges: VarRanges,
  replacement: (name: string) => Expr | null = () => null,
): Expr {
  let result = ZERO;
  for (const { coefficient, factors } of expr.terms) {
    let product = integer(coefficient);
    for (const [atom, power] of factors) {
      const value =
        atom.args === null
          ? (replacement(atom.name) ?? of_atom(atom))
          : with_ranges(
              atom.name,
              atom.args.map((arg) => simplify_with_ranges(arg, ranges, replacement)),
              ranges,
            );
      product = mul(product, pow(value, power));
    }
    result = add(result, product);
  }
  return result;
}

/** The number by which the expression grows with a variable; null if it is not the same everywhere. */
export function stride_of(expr: Expr, name: string): number | null {
  let stride = 0;
  for (const { coefficient, factors } of expr.terms) {
    const uses = factors.filter(([atom]) => of_atom(atom).free_symbols().has(name));
    if (uses.length === 0) continue;
    const [[atom, power]] = uses;
    if (factors.length > 1 || power !== 1 || atom.args !== null) return null;
    stride += coefficient;
  }
  return stride;
}

/** The expression with numbers in place of variables. */
export const at = (expr: Expr, values: ReadonlyMap<string, Expr>): Expr =>
  substitute(expr, (name) => values.get(name) ?? null, apply);

/** The strides of contiguous memory. */
export function contiguous_strides(size: readonly number[]): number[] {
  const strides = new Array<number>(size.length).fill(1);
  for (let d = size.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * Math.max(1, size[d + 1]);
  return strides;
}

export const numel = (size: readonly number[]): number => size.reduce((n, s) => n * s, 1);

/** The place of an element: a sum of indices times strides. */
export const place = (index: readonly Expr[], strides: readonly number[], offset: number): Expr =>
  index.reduce((sum, i, d) => add(sum, scale(i, strides[d])), integer(offset));

/** The value where all variables are 0. Precondition: it is a sum of variables times numbers. */
export const integer_index = (expr: Expr): number =>
  expr.terms.reduce((sum, { coefficient, factors }) => (factors.length === 0 ? sum + coefficient : sum), 0);
