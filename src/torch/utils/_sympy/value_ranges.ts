/**
 * @file `ValueRanges`: between which bounds an expression lies, if its symbols lie between theirs.
 * @mirrors torch/utils/_sympy/value_ranges.py
 * @differs Ours has ranges of numbers; PyTorch's also describe conditions.
 */
import { type Atom, type Expr, type Relation, sub } from "./expr.ts";

const infinite = (value: number, is_float: boolean): string => {
  const name = is_float ? "oo" : "int_oo";
  return value === Infinity ? name : value === -Infinity ? `-${name}` : String(value);
};

/** All numbers from `lower` to `upper`, both included. */
export class ValueRanges {
  static readonly __module__ = "torch.utils._sympy.value_ranges";
  readonly lower: number;
  readonly upper: number;
  readonly is_float: boolean;

  constructor(lower: number, upper: number, is_float = false) {
    this.lower = lower;
    this.upper = upper;
    this.is_float = is_float;
  }

  static readonly UNKNOWN = new ValueRanges(-Infinity, Infinity);

  toString(): string {
    const { lower, upper, is_float } = this;
    return `VR[${infinite(lower, is_float)}, ${infinite(upper, is_float)}]`;
  }
  __repr__(): string {
    return this.toString();
  }
  has(value: number): boolean {
    return this.lower <= value && value <= this.upper;
  }
  /** The numbers in both ranges. */
  and(other: ValueRanges): ValueRanges {
    return new ValueRanges(Math.max(this.lower, other.lower), Math.min(this.upper, other.upper), this.is_float);
  }
}

/** The product of bounds, where nothing times anything is nothing. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);

function product(a: ValueRanges, b: ValueRanges): ValueRanges {
  const corners = [times(a.lower, b.lower), times(a.lower, b.upper), times(a.upper, b.lower), times(a.upper, b.upper)];
  return new ValueRanges(Math.min(...corners), Math.max(...corners));
}

function power(base: ValueRanges, exponent: number): ValueRanges {
  if (base.lower >= 0) return new ValueRanges(base.lower ** exponent, base.upper ** exponent);
  let result = base;
  for (let i = 1; i < exponent; i++) result = product(result, base);
  return result;
}

/** The quotient rounded by `round`, if the divisor cannot be zero or change its sign. */
function quotient(a: ValueRanges, b: ValueRanges, round: (value: number) => number): ValueRanges {
  if (b.lower <= 0 && b.upper >= 0) return ValueRanges.UNKNOWN;
  const divided = (x: number, y: number): number =>
    Number.isFinite(x) || Number.isFinite(y) ? round(x / y) : x > 0 === y > 0 ? Infinity : -Infinity;
  const corners = [a.lower, a.upper].flatMap((x) => [b.lower, b.upper].map((y) => divided(x, y)));
  // A finite number by an infinite one comes near to zero from one side.
  return new ValueRanges(Math.min(...corners), Math.max(...corners));
}

function atom_range({ name, args }: Atom, range_of: (symbol: string) => ValueRanges): ValueRanges {
  if (args === null) return range_of(name);
  const ranges = args.map((arg) => bound_sympy(arg, range_of));
  const [a, b] = ranges as [ValueRanges, ValueRanges];
  switch (name) {
    case "FloorDiv":
      return quotient(a, b, Math.floor);
    case "IntTrueDiv":
    case "FloatTrueDiv":
      return quotient(a, b, (value) => value);
    case "Mod":
      return b.lower > 0
        ? new ValueRanges(0, Math.min(b.upper - 1, a.lower >= 0 ? a.upper : Infinity))
        : ValueRanges.UNKNOWN;
    case "Max":
      return new ValueRanges(Math.max(...ranges.map((r) => r.lower)), Math.max(...ranges.map((r) => r.upper)));
    case "Min":
      return new ValueRanges(Math.min(...ranges.map((r) => r.lower)), Math.min(...ranges.map((r) => r.upper)));
    case "ToFloat":
      return a;
    case "FloorToInt":
      return new ValueRanges(Math.floor(a.lower), Math.floor(a.upper));
    case "CeilToInt":
      return new ValueRanges(Math.ceil(a.lower), Math.ceil(a.upper));
    case "TruncToInt":
      return new ValueRanges(Math.trunc(a.lower), Math.trunc(a.upper));
    default:
      return ValueRanges.UNKNOWN;
  }
}

/** The range of an expression. */
export function bound_sympy(expr: Expr, range_of: (symbol: string) => ValueRanges): ValueRanges {
  let [lower, upper] = [0, 0];
  for (const { coefficient, factors } of expr.terms) {
    let range = new ValueRanges(coefficient, coefficient);
    for (const [atom, exponent] of factors) range = product(range, power(atom_range(atom, range_of), exponent));
    lower += range.lower;
    upper += range.upper;
  }
  return Number.isNaN(lower) || Number.isNaN(upper) ? ValueRanges.UNKNOWN : new ValueRanges(lower, upper);
}

/** Whether a relation always holds, or never; null if that depends on the symbols. */
export function statically_known(
  { op, lhs, rhs }: Relation,
  range_of: (symbol: string) => ValueRanges,
): boolean | null {
  const { lower, upper } = bound_sympy(sub(lhs, rhs), range_of);
  const decided: Readonly<Record<typeof op, readonly [always: boolean, never: boolean]>> = {
    Eq: [lower === 0 && upper === 0, lower > 0 || upper < 0],
    Ne: [lower > 0 || upper < 0, lower === 0 && upper === 0],
    "<": [upper < 0, lower >= 0],
    "<=": [upper <= 0, lower > 0],
    ">": [lower > 0, upper <= 0],
    ">=": [lower >= 0, upper < 0],
  };
  const [always, never] = decided[op];
  return always ? true : never ? false : null;
}
