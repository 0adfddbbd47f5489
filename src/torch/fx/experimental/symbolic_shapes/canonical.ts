/**
 * @file The one form in which promises are kept and printed: `<`, `<=`, `Eq` or `Ne`, every term on the side on which it is positive.
 * @mirrors torch/fx/experimental/symbolic_shapes.py#canonicalize_bool_expr
 */
import { neg, type Operator, Relation, scale, sub, sum_of, ZERO } from "#torch/utils/_sympy/expr";

const FLIPPED: Readonly<Partial<Record<Operator, Operator>>> = { ">": "<", ">=": "<=" };

const greatest_divisor = (a: number, b: number): number => (b === 0 ? Math.abs(a) : greatest_divisor(b, a % b));

/**
 *     u0 >= 2            2 <= u0
 *     2*u0 - 4*s1 < 0    u0 < 2*s1
 */
export function canonicalize_bool_expr({ op, lhs, rhs }: Relation): Relation {
  const flipped = FLIPPED[op];
  let difference = flipped === undefined ? sub(rhs, lhs) : sub(lhs, rhs);
  const common = difference.terms.reduce((all, { coefficient }) => greatest_divisor(all, coefficient), 0);
  if (common > 1 && Number.isInteger(common)) difference = scale(difference, 1 / common);
  const positive = difference.terms.filter(({ coefficient }) => coefficient >= 0);
  const negative = difference.terms.filter(({ coefficient }) => coefficient < 0);
  return new Relation(flipped ?? op, negative.length === 0 ? ZERO : neg(sum_of(negative)), sum_of(positive));
}
