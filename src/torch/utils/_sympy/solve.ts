/**
 * @file Solves a relation for one symbol.
 * @mirrors torch/utils/_sympy/solve.py
 */
import { type Expr, integer, mul, type Operator, of_atom, Relation, scale, sub, sum_of, type Term } from "./expr.ts";

/** The relation with its sides exchanged. */
export const MIRRORED: Readonly<Record<Operator, Operator>> = {
  Eq: "Eq",
  Ne: "Ne",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

const contains = (expr: Expr, name: string): boolean => expr.free_symbols().has(name);

/** Bounds of a whole quotient are bounds of the number that is divided: `s0//2 >= 3` means `s0 >= 6`. */
function without_division(op: Operator, quotient: Expr, other: Expr, name: string): Relation | null {
  const { atom } = quotient;
  if (atom?.name !== "FloorDiv" || atom.args === null || op === "Eq" || op === "Ne") return null;
  const [base, divisor] = atom.args as [Expr, Expr];
  const by = divisor.constant;
  if (by === null || by <= 0) return null;
  const one = integer(1);
  // base//by >= n: base >= n*by.   base//by > n: base >= (n+1)*by.   base//by < n: base < n*by.   base//by <= n: base < (n+1)*by.
  const bound = op === ">" || op === "<=" ? sub(other, scale(one, -1)) : other;
  const of_base = op === ">" || op === ">=" ? ">=" : "<";
  return solve_for(new Relation(of_base, base, mul(bound, divisor)), name);
}

/** The relation as `name op expression`; null if it cannot be written so with whole numbers. */
export function solve_for(relation: Relation, name: string): Relation | null {
  const difference = sub(relation.lhs, relation.rhs);
  const [with_name, without]: [Term[], Term[]] = [[], []];
  for (const term of difference.terms) {
    const occurs = term.factors.some(([atom]) => contains(of_atom(atom), name));
    (occurs ? with_name : without).push(term);
  }
  const [term] = with_name;
  if (term === undefined || with_name.length > 1 || term.factors.length !== 1) return null;
  const [[atom, power]] = term.factors as [Term["factors"][0]];
  if (power !== 1) return null;
  const { coefficient } = term;
  const op = coefficient < 0 ? MIRRORED[relation.op] : relation.op;
  const rest = scale(sum_of(without), -Math.sign(coefficient));
  const by = Math.abs(coefficient);
  if (atom.args !== null) return by === 1 ? without_division(op, of_atom(atom), rest, name) : null;
  const right = divided(rest, by, op);
  return right === null ? null : new Relation(op, of_atom(atom), right);
}

/** `rest / by`: exact, or a bound for whole numbers. */
function divided(rest: Expr, by: number, op: Operator): Expr | null {
  if (by === 1) return rest;
  if (rest.terms.every(({ coefficient }) => coefficient % by === 0)) return scale(rest, 1 / by);
  const { constant } = rest;
  if (constant === null || op === "Eq" || op === "Ne") return null;
  // s < 7/2 means s < 4; s <= 7/2 means s <= 3; s > 7/2 means s > 3; s >= 7/2 means s >= 4.
  const exact = constant / by;
  return integer(op === "<" || op === ">=" ? Math.ceil(exact) : Math.floor(exact));
}
