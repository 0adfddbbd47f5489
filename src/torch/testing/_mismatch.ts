/**
 * @file Messages of `assert_close` about the distance of two values, and the default tolerances.
 * @mirrors torch/testing/_comparison.py
 */
import { AssertionError, Exception, ValueError } from "#c10/util/Exception";
import { Float, float_repr, isFloat, py_format, python_type, repr } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";

/** The position of a pair in nested inputs: indices of sequences, keys of mappings. */
export type Id = readonly unknown[];
/** A text that replaces the message, or a function that receives the message and returns another. */
export type Message = string | ((generated: string) => string) | null;
/** A Python number. */
export type PyNumber = number | bigint | boolean | Float;

type ErrorClass = new (msg: string) => Error;

/** The mismatch of one pair. It becomes an error of `type`, after the user's own message has been applied. */
export class ErrorMeta extends Exception {
  readonly type: ErrorClass;
  readonly msg: string;
  readonly id: Id;

  constructor(type: ErrorClass, msg: string, id: Id = []) {
    super(msg);
    this.type = type;
    this.msg = msg;
    this.id = id;
  }

  to_error(msg: Message = null): Error {
    if (typeof msg === "string") return new this.type(msg);
    const generated =
      this.id.length === 0 ? this.msg : `${this.msg}\n\nThe failure occurred for item ${show_id(this.id)}`;
    return new this.type(msg === null ? generated : msg(generated));
  }
}

/** A position as text, for example `[0]['weight']`. */
export function show_id(id: Id): string {
  return id.map((item) => repr([item])).join("");
}

// Tolerances -------------------------------------------------------------------------------------------------------------

/** Tolerances by the name of the dtype. */
type Precisions = Readonly<Record<string, readonly [rtol: number, atol: number]>>;

const DTYPE_PRECISIONS: Precisions = {
  "torch.float16": [0.001, 1e-5],
  "torch.bfloat16": [0.016, 1e-5],
  "torch.float32": [1.3e-6, 1e-5],
  "torch.float64": [1e-7, 1e-7],
};

/** The largest of the default tolerances of these dtypes; 0 for integers. */
export function default_tolerances(
  inputs: readonly (Tensor | dtype)[],
  precisions: Precisions = DTYPE_PRECISIONS,
): [rtol: number, atol: number] {
  const granted = inputs.map((input) => precisions[String(input instanceof Tensor ? input.dtype : input)] ?? [0, 0]);
  return [Math.max(...granted.map(([rtol]) => rtol)), Math.max(...granted.map(([, atol]) => atol))];
}

export type Tolerance = number | Float | null;

/** The tolerances of the caller if both are given, or the defaults if none is given. */
export function get_tolerances(
  inputs: readonly (Tensor | dtype)[],
  rtol: Tolerance,
  atol: Tolerance,
  id: Id,
): [rtol: number | Float, atol: number | Float] {
  if (rtol !== null && atol !== null) return [rtol, atol];
  if (rtol === null && atol === null) return default_tolerances(inputs);
  throw new ErrorMeta(
    ValueError,
    `Both 'rtol' and 'atol' must be either specified or omitted, but got no ${rtol === null ? "rtol" : "atol"}.`,
    id,
  );
}

// Messages ---------------------------------------------------------------------------------------------------------------

/** The largest difference of a kind and its position, which is null for numbers. */
interface Greatest {
  readonly diff: string;
  readonly idx: string | null;
}

function diff_line(kind: "absolute" | "relative", { diff, idx }: Greatest, allowed: string): string {
  const head =
    idx === null
      ? `${kind === "absolute" ? "Absolute" : "Relative"} difference: ${diff}`
      : `Greatest ${kind} difference: ${diff} at index ${idx}`;
  return head + allowed;
}

function mismatch_msg(
  identifier: string,
  extra: string,
  absolute: Greatest,
  relative: Greatest,
  [rtol, atol]: readonly [number | Float, number | Float],
): string {
  const equality = Number(rtol) === 0 && Number(atol) === 0;
  const allowed = (tolerance: number | Float) => (equality ? "" : ` (up to ${repr(tolerance)} allowed)`);
  return [
    `${identifier} are not ${equality ? "equal" : "close"}!`,
    "",
    extra,
    diff_line("absolute", absolute, allowed(atol)),
    diff_line("relative", relative, allowed(rtol)),
  ].join("\n");
}

const is_int = (value: PyNumber): boolean => python_type(value) !== "float";
const to_bigint = (value: PyNumber): bigint => BigInt(value as number | bigint | boolean);

/** `abs(actual - expected)`, exact for ints of any size. */
export function abs_difference(actual: PyNumber, expected: PyNumber): bigint | Float {
  if (!is_int(actual) || !is_int(expected)) return Float(Math.abs(Number(actual) - Number(expected)));
  const difference = to_bigint(actual) - to_bigint(expected);
  return difference < 0n ? -difference : difference;
}

/** The message about the difference of two numbers. */
export function make_scalar_mismatch_msg(
  actual: PyNumber,
  expected: PyNumber,
  tolerances: readonly [number | Float, number | Float],
): string {
  const abs_diff = abs_difference(actual, expected);
  const rel_diff = Number(expected) === 0 ? Number.POSITIVE_INFINITY : Number(abs_diff) / Math.abs(Number(expected));
  return mismatch_msg(
    "Scalars",
    `Expected ${repr(expected)} but got ${repr(actual)}.`,
    { diff: repr(abs_diff), idx: null },
    { diff: float_repr(rel_diff), idx: null },
    tolerances,
  );
}

/** A tuple as Python prints it: `(1, 2)`, `(1,)`. */
export function tuple_repr(values: readonly number[]): string {
  return values.length === 1 ? `(${values[0]},)` : `(${values.join(", ")})`;
}

/** `f"{ratio:.1%}"`. A tie goes to the even digit, as in Python; `toFixed` rounds it up. */
function percent(ratio: number): string {
  const value = ratio * 100;
  return `${value % 1 === 0.25 ? Math.floor(value) + 0.2 : value.toFixed(1)}%`;
}

function unravel_index(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (const size of shape.toReversed()) {
    index.unshift(flat % size);
    flat = Math.floor(flat / size);
  }
  return index;
}

/** The largest element of `diff` (the first one if several are equal; NaN counts as the largest). */
function greatest(diff: Tensor, shape: readonly number[]): Greatest {
  const { values, indices } = torch.max(diff, 0) as unknown as { values: Tensor; indices: Tensor };
  return { diff: py_format(values), idx: tuple_repr(unravel_index(Number(indices.item()), shape)) };
}

/** The message about the number of unequal elements in two tensors, and the largest differences. */
export function make_tensor_mismatch_msg(
  actual: Tensor,
  expected: Tensor,
  matches: Tensor,
  tolerances: readonly [number | Float, number | Float],
): string {
  const total = matches.numel();
  const mismatches = total - Number(torch.sum(matches).item());
  const matches_flat = matches.flatten();
  const [a, e] = [actual, expected].map((t) => (t.dtype.is_floating_point ? t : t.to(torch.int64)).flatten());
  const abs_diff = torch.abs(torch.sub(a, e)).masked_fill(matches_flat, 0);
  const rel_diff = torch.div(abs_diff, torch.abs(e)).masked_fill(matches_flat, 0);
  return mismatch_msg(
    "Tensor-likes",
    `Mismatched elements: ${mismatches} / ${total} (${percent(mismatches / total)})`,
    greatest(abs_diff, matches.shape),
    greatest(rel_diff, matches.shape),
    tolerances,
  );
}

/** The error for values that are not close. */
export function not_close(msg: string, id: Id): ErrorMeta {
  return new ErrorMeta(AssertionError, msg, id);
}

/** The value of a 0-dim tensor, with the type of Python's `item()`. */
export function item(tensor: Tensor): PyNumber {
  const value = tensor.item() as PyNumber;
  return tensor.dtype.is_floating_point && !isFloat(value) ? Float(value as number) : value;
}
