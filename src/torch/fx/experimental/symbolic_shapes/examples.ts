/**
 * @file Numbers that stand for symbols without a hint while tensors without data are computed: Meta kernels need numbers.
 * @original PyTorch's Meta kernels compute with the symbols.
 *
 * An example decides nothing: a question about it that has no answer for all runs is refused, or promised to hold (`guard_or_defer_runtime_assert`).
 * It is a number that every promise made so far allows, and if possible neither 0 nor 1, nor one that another size has.
 */
import type { Expr, Relation } from "#torch/utils/_sympy/expr";
import { solve_for } from "#torch/utils/_sympy/solve";
import { ValueRanges } from "#torch/utils/_sympy/value_ranges";

/** Divisible by all numbers up to 10, so that most views of it have whole sizes. */
const COMPOSITE = 2520;

export class Examples {
  private readonly chosen = new Map<string, number>();
  /** The range that promises about several symbols leave of a symbol, computed with the examples of the others. */
  private readonly allowed = new Map<string, ValueRanges>();
  private count = 0;

  /** The example of a symbol that lies in this range. @param others numbers that other sizes have, by their names */
  of(name: string, range: ValueRanges, others: ReadonlyMap<string, number>): number {
    const within = range.and(this.allowed.get(name) ?? ValueRanges.UNKNOWN);
    const known = this.chosen.get(name);
    if (known !== undefined && within.has(known)) return known;
    const made = name.startsWith("zuf")
      ? this.float(within)
      : this.int(within.lower > within.upper ? range : within, others);
    this.chosen.set(name, made);
    return made;
  }

  private float({ lower, upper }: ValueRanges): number {
    const wanted = 1.5 + this.count++;
    return Math.min(Math.max(wanted, lower), upper);
  }

  private int({ lower, upper }: ValueRanges, others: ReadonlyMap<string, number>): number {
    const low = Math.max(lower, 2);
    if (upper === Number.POSITIVE_INFINITY) return (Math.ceil(low / COMPOSITE) + this.count++ + 10) * COMPOSITE;
    if (upper <= low) return upper;
    const middle = Math.floor((low + upper) / 2);
    const taken = new Set(others.values());
    for (let i = 0; i < 16; i++) {
      const candidate = middle + (i % 2 === 0 ? i / 2 : -(i + 1) / 2);
      if (candidate >= low && candidate <= upper && !taken.has(candidate)) return candidate;
    }
    return middle;
  }

  /**
   * A promise: the example of one of its symbols follows it.
   * @param value_of computes an expression with examples
   */
  follow(promise: Relation, name: string, value_of: (expr: Expr) => number | null): void {
    const solved = solve_for(promise, name);
    const bound = solved === null ? null : value_of(solved.rhs);
    if (solved === null || bound === null) return;
    const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const allowed = {
      Eq: new ValueRanges(bound, bound),
      Ne: ValueRanges.UNKNOWN,
      "<": new ValueRanges(low, Math.ceil(bound) - 1),
      "<=": new ValueRanges(low, Math.floor(bound)),
      ">": new ValueRanges(Math.floor(bound) + 1, high),
      ">=": new ValueRanges(Math.ceil(bound), high),
    }[solved.op];
    this.allowed.set(name, allowed.and(this.allowed.get(name) ?? ValueRanges.UNKNOWN));
  }
}
