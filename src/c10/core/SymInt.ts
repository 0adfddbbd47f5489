/**
 * @file Ints of a call as a kernel uses them. Almost every one is a `number`; an int of a traced program may be a symbol.
 * @mirrors c10/core/SymInt.h
 * @differs There is no class: the type of an int is `number`; PyTorch has a class of 64 bits.
 */
import { OverflowError } from "#c10/util/Exception";

/** An int64 as an argument. If no number is exact, a bigint is passed in spite of the type; the kernel must know about it. */
export function SymInt(int: number | bigint): number {
  const double = Number(int);
  return BigInt(double) === int ? double : (int as number);
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * The double that represents this int and no other: 2^63 is no int64, so it represents INT64_MAX.
 * @differs An int that no double holds (2^53 + 1) is refused as a size, a stride, a count; PyTorch's are int64.
 */
export function guard_int(int: number | bigint): number {
  if (typeof int === "number") return int;
  const double = Number(int);
  if (BigInt(double) === int || int === INT64_MAX) return double;
  throw new OverflowError(`${int} cannot be taken here: sizes and counts are doubles, and no double holds it exactly`);
}

/** The int64 that a double of `guard_int` represents. */
export function int64_of(int: number | bigint): bigint {
  return int === 2 ** 63 ? INT64_MAX : BigInt(int);
}

/** A symbol that stands for an int: its `guard` fixes it to the number that it is in this run. */
export interface SymNodeImpl {
  guard(): number;
  /** Whether it equals another int, which becomes known of it for every run. */
  guard_equals(other: number | SymNodeImpl): boolean;
  /** Whether it equals another int, which becomes known of it for every run; false if that depends on data. */
  known_equal(other: number | SymNodeImpl): boolean;
  /** Whether it is known for every run not to be greater than another int. */
  known_at_most(other: number | SymNodeImpl): boolean;
  /** Whether it is greater than a number, which becomes known of it for every run. */
  guard_greater(other: number): boolean;
  readonly node: unknown;
}

/** Whether a value in the place of a number is a symbol. */
export function is_symbolic(value: unknown): value is SymNodeImpl {
  return typeof value === "object" && value !== null && "guard" in value && "node" in value;
}

type Int = number | SymNodeImpl;
type Operation = (other: Int) => Int;
const method = (of: SymNodeImpl, name: string): Operation =>
  (of as unknown as Record<string, Operation>)[name].bind(of);

/** The result of an operation on two ints, each of which may be a symbol. */
function of_two(name: string, a: Int, b: Int, numbers: (x: number, y: number) => number): number {
  if (is_symbolic(a)) return method(a, `__${name}__`)(b) as number;
  if (is_symbolic(b)) return method(b, `__r${name}__`)(a) as number;
  return numbers(a, b);
}

/** The sum of two ints, each of which may be a symbol in spite of the type; then the sum is one, too. */
export const sym_add = (a: number, b: number): number => of_two("add", a, b, (x, y) => x + y);
/** The product of ints, which may be symbols in spite of the type. */
export const sym_product = (ints: readonly number[]): number =>
  symbols_of(ints).reduce<number>(
    (product, int) => (product === 1 ? (int as number) : of_two("mul", product, int, (x, y) => x * y)),
    1,
  );

const SYMBOLS = Symbol("symbols");
interface WithSymbols {
  readonly [SYMBOLS]?: readonly (number | SymNodeImpl)[];
}

/** The ints of a list as they were given, symbols among them. See Note [Sizes that guard] in SymbolicShapeMeta.ts. */
export function symbols_of(list: readonly number[]): readonly (number | SymNodeImpl)[] {
  return (list as WithSymbols)[SYMBOLS] ?? list;
}

/** Whether some of the ints are symbols. */
export function has_symbols(list: readonly number[]): boolean {
  return SYMBOLS in list;
}

/** Whether two ints are equal, each of which may be a symbol. */
export function same_int(a: number | SymNodeImpl, b: number | SymNodeImpl): boolean {
  if (is_symbolic(a)) return a.guard_equals(b);
  return is_symbolic(b) ? b.guard_equals(a) : a === b;
}

/** Whether two lists are known to hold the same ints, symbols among them. */
export function known_same_ints(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [symbols_of(a), symbols_of(b)];
  const same = (x: number | SymNodeImpl, y: number | SymNodeImpl): boolean =>
    is_symbolic(x) ? x.known_equal(y) : is_symbolic(y) ? y.known_equal(x) : x === y;
  return left.length === right.length && left.every((int, i) => same(int, right[i] as number));
}

/** Whether two lists hold the same ints, symbols among them. */
export function same_ints(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [symbols_of(a), symbols_of(b)];
  return left.length === right.length && left.every((int, i) => same_int(int, right[i] as number));
}

/** A list of numbers in which reading a symbol fixes it. */
export function guarding_list(ints: readonly (number | SymNodeImpl)[]): number[] {
  const list = new Array<number>(ints.length);
  for (const [i, int] of ints.entries())
    if (typeof int === "number") list[i] = int;
    else Object.defineProperty(list, i, { get: () => int.guard(), enumerable: true, configurable: true });
  return Object.defineProperties(list, {
    [SYMBOLS]: { value: ints },
    slice: {
      value: (start?: number, end?: number) =>
        start === undefined ? guarding_list(ints) : guarding_list(ints.slice(start, end)),
    },
  });
}
