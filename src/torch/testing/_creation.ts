/**
 * @file `make_tensor`: random values of any dtype, drawn in the same way as in PyTorch, so that a seed gives the same tensor in both.
 * @mirrors torch/testing/_creation.py
 * @differs Ours refuses complex and 8-bit floating dtypes; PyTorch supports them.
 */
import { TypeError_, ValueError, warn } from "#c10/util/Exception";
import { Float, isFloat, PySequence_Tuple, repr } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { DeviceLike, dtype, memory_format } from "#torch/types";

type Bound = number | bigint | Float | null;

/** The values that a dtype can hold: for floats the finite values, for ints `[lowest, highest)`. */
interface Range {
  readonly lowest: number | bigint;
  readonly highest: number | bigint;
}

/** `torch.iinfo`: min, and max + 1, except for int64, whose max + 1 `randint` does not accept. */
const INTEGRAL: Readonly<Record<string, Range>> = {
  "torch.bool": { lowest: 0, highest: 2 },
  "torch.uint8": { lowest: 0, highest: 256 },
  "torch.int8": { lowest: -128, highest: 128 },
  "torch.int16": { lowest: -(2 ** 15), highest: 2 ** 15 },
  "torch.int32": { lowest: -(2 ** 31), highest: 2 ** 31 },
  "torch.int64": { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n },
  "torch.uint16": { lowest: 0, highest: 2 ** 16 },
  "torch.uint32": { lowest: 0, highest: 2 ** 32 },
  "torch.uint64": { lowest: 0, highest: 2n ** 64n },
};

/** `torch.finfo`: max, and tiny, the smallest normal number. */
const FLOATING: Readonly<Record<string, { readonly max: number; readonly tiny: number }>> = {
  "torch.float16": { max: 65504, tiny: 2 ** -14 },
  "torch.bfloat16": { max: (2 - 2 ** -7) * 2 ** 127, tiny: 2 ** -126 },
  "torch.float32": { max: (2 - 2 ** -23) * 2 ** 127, tiny: 2 ** -126 },
  "torch.float64": { max: Number.MAX_VALUE, tiny: 2 ** -1022 },
};

const value_of = (bound: number | bigint | Float): number | bigint => (isFloat(bound) ? bound.value : bound);

function clamp(value: number | bigint, { lowest, highest }: Range): number | bigint {
  return value < lowest ? lowest : value > highest ? highest : value;
}

const ceil = (value: number | bigint): number | bigint => (typeof value === "bigint" ? value : Math.ceil(value));

/** The interval to draw from: the caller's or the default, limited to the range of the dtype. */
function interval(
  dtype: dtype,
  given: { readonly low: Bound; readonly high: Bound },
  range: Range,
  defaults: readonly [low: number, high: number],
): [low: number | bigint, high: number | bigint] {
  const { low = null, high = null } = given;
  const floating = String(dtype) in FLOATING;
  const [low_value, high_value] = [low ?? defaults[0], high ?? defaults[1]].map(value_of);
  // Python compares ints and floats with each other, and prints each in its own way.
  const [low_text, high_text] = [low ?? defaults[0], high ?? defaults[1]].map(repr);
  if ([low_value, high_value].some((value) => typeof value === "number" && Number.isNaN(value)))
    throw new ValueError(`\`low\` and \`high\` cannot be NaN, but got low=${low_text} and high=${high_text}`);
  if (Number(low_value) === Number(high_value) && floating) {
    warn(
      "FutureWarning",
      "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types " +
        "is deprecated since 2.1 and will be removed in 2.3. " +
        "Use `torch.full(...)` instead.",
    );
  } else if (low_value >= high_value) {
    throw new ValueError(`\`low\` must be less than \`high\`, but got ${low_text} >= ${high_text}`);
  } else if (high_value < range.lowest || low_value >= range.highest) {
    const [lowest, highest] = [range.lowest, range.highest].map((end) => repr(floating ? Float(end) : end));
    throw new ValueError(
      `The value interval specified by \`low\` and \`high\` is [${low_text}, ${high_text}), ` +
        `but ${dtype} only supports [${lowest}, ${highest})`,
    );
  }
  const cut: [number | bigint, number | bigint] = [clamp(low_value, range), clamp(high_value, range)];
  // Both are rounded up: no value may be below `low`, and `randint` excludes its upper end.
  return floating ? cut : [ceil(cut[0]), ceil(cut[1])];
}

function uniform_random_(t: Tensor, low: number, high: number, max: number): Tensor {
  // `uniform_` refuses a range wider than the dtype's largest value.
  if (high - low >= max) return t.uniform_(low / 2, high / 2).mul_(2);
  return t.uniform_(low, high);
}

/** The shape given as `2, 3` or as `[2, 3]`. */
function shape_of(given: readonly unknown[]): number[] {
  return (given.length === 1 && Array.isArray(given[0]) ? PySequence_Tuple(given[0]) : [...given]) as number[];
}

/**
 * A tensor of uniformly distributed values in `[low, high)`, drawn from the default generator.
 * @param low, high by default -9 and 9 for floats, -9 and 10 for ints (0 and 10 if unsigned), 0 and 2 for bool; limited to the range of the
 * dtype
 * @param noncontiguous whether the result is a view of every second element of a larger tensor
 * @param exclude_zero whether zeros are replaced by 1, or by the smallest normal number
 */
export const make_tensor = def(
  "make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False, exclude_zero=False, memory_format=None)",
  (
    given: readonly (number | readonly number[])[],
    dtype: dtype,
    device: DeviceLike,
    low: Bound,
    high: Bound,
    requires_grad: boolean,
    noncontiguous: boolean,
    exclude_zero: boolean,
    memory_format: memory_format | null,
  ): Tensor => {
    const shape = shape_of(given);
    const floating = FLOATING[String(dtype)];
    const integral = INTEGRAL[String(dtype)];
    if (noncontiguous && memory_format !== null) {
      throw new ValueError(
        "The parameters `noncontiguous` and `memory_format` are mutually exclusive, " +
          `but got noncontiguous=${repr(noncontiguous)} and memory_format=${memory_format}`,
      );
    }
    if (requires_grad && integral !== undefined)
      throw new ValueError(
        `\`requires_grad=True\` is not supported for boolean and integral dtypes, but got dtype=${dtype}`,
      );
    const every_other = noncontiguous && shape.reduce((product, size) => product * size, 1) > 1;
    if (every_other) shape.push(2 * (shape.pop() as number));

    let result: Tensor;
    if (integral !== undefined) {
      const defaults = dtype === torch.bool ? ([0, 2] as const) : ([-9, 10] as const);
      const [from, to] = interval(dtype, { low, high }, integral, defaults);
      result = torch.randint(from as number, to as number, shape, { device, dtype });
    } else if (floating !== undefined) {
      const [from, to] = interval(dtype, { low, high }, { lowest: -floating.max, highest: floating.max }, [-9, 9]);
      result = uniform_random_(torch.empty(shape, { device, dtype }), Number(from), Number(to), floating.max);
    } else {
      throw new TypeError_(
        `The requested dtype '${dtype}' is not supported by torch.testing.make_tensor(). ` +
          "To request support, file an issue at: https://github.com/pytorch/pytorch/issues",
      );
    }

    if (every_other) result = result.at("...", torch.slice(1, null, 2));
    else if (memory_format !== null) result = result.clone({ memory_format });
    if (exclude_zero) result.masked_fill_(result.eq(0), floating?.tiny ?? 1);
    if (floating !== undefined) result.requires_grad = requires_grad;
    return result;
  },
);
