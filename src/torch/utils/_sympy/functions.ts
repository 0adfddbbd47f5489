/**
 * @file Functions in expressions of sizes: whole division, remainder, the larger and the smaller, true division. Each is simplified when it is made.
 * @mirrors torch/utils/_sympy/functions.py
 */
import { ZeroDivisionError } from "#python/Objects/exceptions";
import { add, type Expr, type Factor, integer, mul, ONE, of_atom, sum_of, type Term, ZERO } from "./expr.ts";

const apply_text = (name: string, args: readonly Expr[]): string => `${name}(${args.join(", ")})`;
const applied = (name: string, args: readonly Expr[], text: string = apply_text(name, args)): Expr =>
  of_atom({ name, args, text });

/** In parentheses unless it is one name or number. */
const operand = (expr: Expr): string => (/^[\w.]+$/.test(String(expr)) ? String(expr) : `(${expr})`);

export const floor_mod = (a: number, b: number): number => a - Math.floor(a / b) * b;

/** The terms of `base` that `divisor` divides, already divided, and the others. */
function split_by(base: Expr, divisor: Expr): readonly [quotient: Expr, rest: Expr] {
  if (divisor.terms.length !== 1) return [ZERO, base];
  const [{ coefficient: d, factors: divisor_factors }] = divisor.terms as [Term];
  const quotient: Term[] = [];
  const rest: Term[] = [];
  for (const term of base.terms) {
    const powers = new Map<string, Factor>(term.factors.map((factor) => [factor[0].text, factor]));
    let divides = term.coefficient % d === 0;
    for (const [atom, power] of divisor_factors) {
      const have = powers.get(atom.text)?.[1] ?? 0;
      if (have < power) divides = false;
      else if (have === power) powers.delete(atom.text);
      else powers.set(atom.text, [atom, have - power]);
    }
    if (divides) quotient.push({ coefficient: term.coefficient / d, factors: [...powers.values()] });
    else rest.push(term);
  }
  return [sum_of(quotient), sum_of(rest)];
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** The greatest whole number that divides all coefficients and this number. */
const common_divisor = (expr: Expr, number: number): number =>
  expr.terms.reduce((g, { coefficient }) => gcd(g, Math.abs(coefficient)), Math.abs(number));

const divide_all = (expr: Expr, by: number): Expr =>
  sum_of(expr.terms.map(({ coefficient, factors }) => ({ coefficient: coefficient / by, factors })));

/** `base // divisor`, rounded down. @throws {ZeroDivisionError} for a divisor of zero */
export function FloorDiv(base: Expr, divisor: Expr): Expr {
  const [a, b] = [base.constant, divisor.constant];
  if (b === 0) throw new ZeroDivisionError("division by zero");
  if (a !== null && b !== null) return integer(Math.floor(a / b));
  if (a === 0) return ZERO;
  if (b === 1) return base;
  if (base.equals(divisor)) return ONE;
  const [quotient, rest] = split_by(base, divisor);
  if (rest.constant === 0) return quotient;
  if (quotient.constant !== 0 && b !== null) return add(quotient, FloorDiv(rest, divisor));
  const { atom } = base;
  if (atom?.name === "FloorDiv" && atom.args !== null) {
    const [inner, by] = atom.args as [Expr, Expr];
    return FloorDiv(inner, mul(by, divisor));
  }
  const common = b === null ? 1 : common_divisor(base, b);
  if (b !== null && common > 1) return FloorDiv(divide_all(base, common), integer(b / common));
  return applied("FloorDiv", [base, divisor], `(${operand(base)}//${operand(divisor)})`);
}

/** `p % q` of numbers that are not negative. @throws {ZeroDivisionError} for a divisor of zero */
export function Mod(p: Expr, q: Expr): Expr {
  const [a, b] = [p.constant, q.constant];
  if (b === 0) throw new ZeroDivisionError("Modulo by zero");
  if (a !== null && b !== null) return integer(floor_mod(a, b));
  if (b === 1 || p.equals(q)) return ZERO;
  const [, rest] = split_by(p, q);
  if (rest.constant !== null && b !== null) return integer(floor_mod(rest.constant, b));
  if (rest.constant === 0) return ZERO;
  return applied("Mod", [b === null ? p : rest, q]);
}

function extreme(name: "Max" | "Min", a: Expr, b: Expr): Expr {
  const pick = name === "Max" ? Math.max : Math.min;
  const parts = [a, b].flatMap((expr) => (expr.atom?.name === name ? (expr.atom.args ?? []) : [expr]));
  let number: number | null = null;
  const others = new Map<string, Expr>();
  for (const part of parts) {
    if (part.constant === null) others.set(String(part), part);
    else number = number === null ? part.constant : pick(number, part.constant);
  }
  const args = [
    ...(number === null ? [] : [integer(number)]),
    ...[...others.keys()].sort().map((k) => others.get(k) as Expr),
  ];
  return args.length === 1 ? (args[0] as Expr) : applied(name, args);
}
export const Max = (a: Expr, b: Expr): Expr => extreme("Max", a, b);
export const Min = (a: Expr, b: Expr): Expr => extreme("Min", a, b);

/** `a / b` of whole numbers, a float. */
export function IntTrueDiv(a: Expr, b: Expr): Expr {
  if (b.constant === 0) throw new ZeroDivisionError("division by zero");
  return a.constant !== null && b.constant !== null ? integer(a.constant / b.constant) : applied("IntTrueDiv", [a, b]);
}
export function FloatTrueDiv(a: Expr, b: Expr): Expr {
  if (b.constant === 0) throw new ZeroDivisionError("float division by zero");
  return a.constant !== null && b.constant !== null
    ? integer(a.constant / b.constant)
    : applied("FloatTrueDiv", [a, b]);
}
export const ToFloat = (a: Expr): Expr => (a.constant !== null ? a : applied("ToFloat", [a]));
export const FloorToInt = (a: Expr): Expr =>
  a.constant !== null ? integer(Math.floor(a.constant)) : applied("FloorToInt", [a]);
export const CeilToInt = (a: Expr): Expr =>
  a.constant !== null ? integer(Math.ceil(a.constant)) : applied("CeilToInt", [a]);
export const TruncToInt = (a: Expr): Expr =>
  a.constant !== null ? integer(Math.trunc(a.constant)) : applied("TruncToInt", [a]);
export const PowByNatural = (a: Expr, b: Expr): Expr => applied("PowByNatural", [a, b]);
export const FloatPow = (a: Expr, b: Expr): Expr =>
  a.constant !== null && b.constant !== null ? integer(a.constant ** b.constant) : applied("FloatPow", [a, b]);

/** The values of the functions, and how they are made anew of other arguments. */
const FUNCTIONS: Record<
  string,
  { readonly make: (...args: Expr[]) => Expr; readonly value: (...args: number[]) => number }
> = {
  FloorDiv: { make: FloorDiv, value: (a, b) => Math.floor(a / b) },
  Mod: { make: Mod, value: floor_mod },
  Max: { make: (...args) => args.reduce(Max), value: Math.max },
  Min: { make: (...args) => args.reduce(Min), value: Math.min },
  IntTrueDiv: { make: IntTrueDiv, value: (a, b) => a / b },
  FloatTrueDiv: { make: FloatTrueDiv, value: (a, b) => a / b },
  ToFloat: { make: ToFloat, value: (a) => a },
  FloorToInt: { make: FloorToInt, value: Math.floor },
  CeilToInt: { make: CeilToInt, value: Math.ceil },
  TruncToInt: { make: TruncToInt, value: Math.trunc },
  PowByNatural: { make: PowByNatural, value: (a, b) => a ** b },
  Abs: { make: Abs, value: Math.abs },
  FloatPow: { make: FloatPow, value: (a, b) => a ** b },
};

/** The number without its sign. */
function Abs(of: Expr): Expr {
  const { constant } = of;
  return constant === null ? applied("Abs", [of]) : integer(Math.abs(constant));
}

/** Functions of floats that are never simplified. */
const OPAQUE = ["sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "log2"] as const;
export type OpaqueFunction = (typeof OPAQUE)[number];
for (const name of OPAQUE) {
  const full = `OpaqueUnaryFn_${name}`;
  FUNCTIONS[full] = { make: (arg) => applied(full, [arg as Expr]), value: Math[name] };
}

/** The function of this name, applied to other arguments. */
export function apply(name: string, args: readonly Expr[]): Expr {
  return (FUNCTIONS[name] as (typeof FUNCTIONS)[string]).make(...args);
}

/** The value where the symbols have values; null if one has none. */
export function evaluate(expr: Expr, value_of: (symbol: string) => number | null): number | null {
  let sum = 0;
  for (const { coefficient, factors } of expr.terms) {
    let product = coefficient;
    for (const [{ name, args }, power] of factors) {
      const values = args?.map((arg) => evaluate(arg, value_of));
      if (values?.includes(null)) return null;
      const value = values === undefined ? value_of(name) : FUNCTIONS[name]?.value(...(values as number[]));
      if (value === null || value === undefined) return null;
      product *= value ** power;
    }
    sum += product;
  }
  return sum;
}
