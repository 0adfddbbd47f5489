/**
 * @file How the driver of scalar functions finds its elements: every way through an iterator, with what lies beside the outputs untouched.
 * @original
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { add } from "../../../../../src/aten/native/webgpu/generated/add.wgsl.ts";
import { lt, maximum, mul } from "../../../../../src/aten/native/webgpu/generated/BinaryOpsKernel/index.wgsl.ts";
import { convert } from "../../../../../src/aten/native/webgpu/generated/CopyKernel.wgsl.ts";
import { fill } from "../../../../../src/aten/native/webgpu/generated/FillKernel.wgsl.ts";
import { frexp } from "../../../../../src/aten/native/webgpu/generated/UnaryOpsKernel/Math.wgsl.ts";
import { gpu_kernel, opmath_gpu_kernel_with_scalars } from "../../../../../src/aten/native/webgpu/Loops.ts";
import { set_tuning } from "../../../../../src/aten/native/webgpu/tuning.ts";
import type { ScalarFunctions } from "../../../../../src/aten/webgpu/ScalarFunctions.ts";
import { Scalar } from "../../../../../src/c10/core/Scalar.ts";
import { elementSize, ScalarType } from "../../../../../src/c10/core/ScalarType.ts";
import { f32_from_bits, round_to_nearest_even } from "../../../../../src/c10/util/BFloat16.ts";
import { fp16_ieee_from_fp32_value, fp16_ieee_to_fp32_value } from "../../../../../src/c10/util/Half.ts";
import { type Memory, memory_of } from "../../../../../src/c10/webgpu/memory.ts";
import { close_device, get_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { bytes_of } from "../../../support/device.ts";
import { iterator, type Operand } from "../../../support/iterators.ts";
import { random_from } from "../../../support/values.ts";

const { Float, Half, BFloat16, Int, Long, Short, Char, Byte, Bool } = ScalarType;
type Values = ArrayLike<number | bigint> & { [i: number]: number | bigint };
// biome-ignore format: table
const ARRAYS: Partial<Record<ScalarType, new (buffer: ArrayBuffer) => Values>> = {
  [Float]: Float32Array, [Half]: Uint16Array, [BFloat16]: Uint16Array, [Int]: Int32Array, [Long]: BigInt64Array,
  [Short]: Int16Array, [Char]: Int8Array, [Byte]: Uint8Array, [Bool]: Uint8Array,
};

/** Elements in memory of the device, and what they are to be. */
class Storage {
  readonly dtype: ScalarType;
  readonly memory: Memory;
  readonly expected: Values;
  private readonly bytes: Uint8Array;

  constructor(dtype: ScalarType, count: number, value: (i: number) => number) {
    this.dtype = dtype;
    const buffer = new ArrayBuffer(Math.ceil((count * elementSize(dtype)) / 8) * 8);
    this.expected = new (ARRAYS[dtype] as new (b: ArrayBuffer) => Values)(buffer);
    this.bytes = new Uint8Array(buffer);
    for (let i = 0; i < count; i++) this.set(i, value(i));
    this.memory = memory_of(get_device().allocate(buffer.byteLength));
    get_device().copy_to_device(this.memory, 0, this.bytes);
  }

  get(i: number): number {
    const stored = Number(this.expected[i]);
    if (this.dtype === Half) return fp16_ieee_to_fp32_value(stored);
    return this.dtype === BFloat16 ? f32_from_bits(stored) : stored;
  }

  set(i: number, value: number): void {
    if (this.dtype === Long) this.expected[i] = BigInt(Math.trunc(value));
    else if (this.dtype === Half) this.expected[i] = fp16_ieee_from_fp32_value(value);
    else if (this.dtype === BFloat16) this.expected[i] = round_to_nearest_even(value);
    else this.expected[i] = this.dtype === Bool ? Number(value !== 0) : value;
  }

  operand(strides: readonly number[], offset = 0): Operand {
    return { dtype: this.dtype, strides, offset, memory: this.memory };
  }

  /** Every byte, those beside the outputs, too. */
  check(): void {
    expect(bytes_of(get_device(), this.memory)).toEqual(this.bytes);
  }
}

/** Calls `visit` with each operand's element number, for every index. */
function each(shape: readonly number[], operands: readonly Operand[], visit: (...at: number[]) => void): void {
  const index = shape.map(() => 0);
  const total = shape.reduce((n, size) => n * size, 1);
  for (let k = 0; k < total; k++) {
    visit(...operands.map((op) => op.offset + op.strides.reduce((sum, stride, d) => sum + stride * index[d], 0)));
    for (let d = 0; d < shape.length && ++index[d] === shape[d]; d++) index[d] = 0;
  }
}

const small = (i: number): number => ((i * 7) % 23) - 11;
const natural = (i: number): number => (i * 7) % 11;
const values_for = (dtype: ScalarType): ((i: number) => number) => (dtype === Byte || dtype === Bool ? natural : small);

const { properties } = get_device();
const { max_grid } = properties;
function set_max_grid(n: number): void {
  (properties as { max_grid: number }).max_grid = n;
}
afterEach(() => set_max_grid(max_grid));
afterAll(close_device);

/** out = a * b. */
function check_mul(
  dtype: ScalarType,
  shape: readonly number[],
  at: readonly (readonly [strides: number[], offset: number])[],
): void {
  const [out, a, b] = at.map((_, k) => new Storage(dtype, 400, (i) => (k === 0 ? 99 : values_for(dtype)(i + k))));
  const operands = [out, a, b].map((s, k) => s.operand(...at[k]));
  gpu_kernel(iterator(shape, operands), mul);
  each(shape, operands, (o, x, y) => out.set(o, a.get(x) * b.get(y)));
  for (const s of [out, a, b]) s.check();
}

const DTYPES = [Float, Half, BFloat16, Int, Long, Short, Char, Byte, Bool];

describe.each(DTYPES.map((d) => ({ dtype: d, size: elementSize(d) })))("dtype $dtype of $size bytes", ({ dtype }) => {
  test.each([1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 130, 257])("%i elements side by side", (n) => {
    check_mul(
      dtype,
      [n],
      [
        [[1], 0],
        [[1], 0],
        [[1], 0],
      ],
    );
  });
  test.each([1, 2, 3, 5, 6, 7])("an output that begins at element %i", (offset) => {
    for (const n of [1, 2, 3, 4, 9, 70])
      check_mul(
        dtype,
        [n],
        [
          [[1], offset],
          [[1], offset + 1],
          [[1], 3],
        ],
      );
  });
  test("one element for all", () => {
    check_mul(
      dtype,
      [70],
      [
        [[1], 1],
        [[0], 5],
        [[1], 0],
      ],
    );
    check_mul(
      dtype,
      [70],
      [
        [[1], 4],
        [[1], 4],
        [[0], 3],
      ],
    );
    check_mul(
      dtype,
      [9],
      [
        [[1], 0],
        [[0], 5],
        [[0], 2],
      ],
    );
  });
  test("strides, also of outputs, and backwards", () => {
    check_mul(
      dtype,
      [5, 7],
      [
        [[1, 5], 3],
        [[7, 1], 0],
        [[1, 5], 0],
      ],
    );
    check_mul(
      dtype,
      [5, 7],
      [
        [[3, 17], 2],
        [[1, 5], 1],
        [[0, 1], 4],
      ],
    );
    check_mul(
      dtype,
      [4, 3, 5],
      [
        [[2, 9, 31], 1],
        [[15, 5, 1], 0],
        [[0, 4, 0], 2],
      ],
    );
    check_mul(
      dtype,
      [6, 5],
      [
        [[1, 7], 0],
        [[-1, 6], 5],
        [[-1, -6], 40],
      ],
    );
    check_mul(
      dtype,
      [2, 2, 2, 2, 2],
      [
        [[1, 3, 7, 15, 31], 1],
        [[16, 8, 4, 2, 1], 0],
        [[1, 0, 2, 0, 4], 9],
      ],
    );
  });
  test("no dimension, and no element", () => {
    check_mul(
      dtype,
      [],
      [
        [[], 3],
        [[], 1],
        [[], 2],
      ],
    );
    check_mul(
      dtype,
      [0],
      [
        [[1], 0],
        [[1], 0],
        [[1], 0],
      ],
    );
    check_mul(
      dtype,
      [4, 0],
      [
        [[1, 4], 0],
        [[1, 4], 0],
        [[1, 4], 0],
      ],
    );
  });
  test("in place, and x with itself", () => {
    const x = new Storage(dtype, 90, values_for(dtype));
    gpu_kernel(iterator([81], [x.operand([1], 3), x.operand([1], 3), x.operand([1], 3)]), mul);
    for (let i = 3; i < 84; i++) x.set(i, x.get(i) * x.get(i));
    x.check();
  });
  test("a grid that is folded into its second dimension", () => {
    set_max_grid(2);
    check_mul(
      dtype,
      [300],
      [
        [[1], 1],
        [[1], 0],
        [[1], 0],
      ],
    );
    check_mul(
      dtype,
      [20, 15],
      [
        [[1, 20], 0],
        [[15, 1], 0],
        [[1, 20], 0],
      ],
    );
  });
});

describe.each(["software", "hardware"] as const)("an adapter of %s", (kind) => {
  beforeAll(() => set_tuning(kind));
  afterAll(() => set_tuning(null));
  test.each(DTYPES)("as many items to an invocation as it likes, dtype %s", (dtype) => {
    for (const n of [1, 15, 16, 17, 48, 256, 271]) {
      const side = [[1], 0] as [number[], number];
      check_mul(dtype, [n], [side, side, side]);
      check_mul(dtype, [n], [side, side, [[0], 1]]);
      check_mul(dtype, [n], [[[1], 1], [[1], 3], side]);
    }
    for (const n of [1, 5, 16, 33]) {
      const columns = [[1, 3], 2] as [number[], number];
      check_mul(dtype, [3, n], [columns, columns, [[0, 1], 2]]);
    }
  });
});

describe("inputs of several dtypes", () => {
  const pairs = DTYPES.flatMap((a) => DTYPES.map((b) => [a, b] as const)).filter(([a, b]) => a !== b);
  test("meet in the common one, and outputs are cast to theirs", () => {
    for (const [from, to] of pairs) {
      if (from === Bool || to === Bool || from === Byte || to === Byte) continue; // no negative numbers there
      const a = new Storage(from, 40, (i) => (small(i) % 5) + (from === Float ? 0.25 : 0));
      const b = new Storage(Float, 40, small);
      const out = new Storage(to, 40, () => 1);
      const operands = [out.operand([1], 1), a.operand([1], 2), b.operand([1], 0)];
      gpu_kernel(iterator([33], operands, Float), mul);
      for (let i = 0; i < 33; i++) {
        const product = a.get(i + 2) * b.get(i);
        out.set(i + 1, to === Float || to === Half || to === BFloat16 ? product : Math.trunc(product));
      }
      for (const s of [out, a, b]) s.check();
    }
  });
  test("a comparison gives bool, whatever it compares", () => {
    for (const from of DTYPES) {
      const a = new Storage(from, 40, values_for(from));
      const b = new Storage(Int, 40, (i) => small(i * 3));
      const out = new Storage(Bool, 40, () => 1);
      const common = from === Float || from === Half || from === BFloat16 ? Float : Long;
      gpu_kernel(iterator([6, 5], [out.operand([1, 6], 3), a.operand([1, 6]), b.operand([5, 1])], common), lt);
      each([6, 5], [out.operand([1, 6], 3), a.operand([1, 6]), b.operand([5, 1])], (o, x, y) =>
        out.set(o, Number(a.get(x) < b.get(y))),
      );
      out.check();
    }
  });
});

/** A number of the CPU, as a tensor of no dimension has it. */
function number(value: number, dtype: ScalarType, as: ArrayLike<number | bigint>): Operand {
  return { dtype, strides: [], offset: 0, memory: null, data: value === 0 ? as : as };
}

describe("numbers of the CPU", () => {
  test("are parameters", () => {
    const a = new Storage(Float, 20, small);
    const out = new Storage(Float, 20, () => 0);
    const half = number(0.5, ScalarType.Double, new Float64Array([0.5]));
    gpu_kernel(iterator([17], [out.operand([1]), a.operand([1]), half], Float), mul);
    for (let i = 0; i < 17; i++) out.set(i, a.get(i) * 0.5);
    out.check();
  });
  test("of eight bytes", () => {
    const a = new Storage(Long, 20, small);
    const out = new Storage(Long, 20, () => 0);
    const big = number(0, Long, new BigInt64Array([-5_000_000_000n]));
    gpu_kernel(iterator([17], [out.operand([1]), a.operand([1]), big], Long), mul);
    for (let i = 0; i < 17; i++) out.set(i, a.get(i) * -5_000_000_000);
    out.check();
  });
  test("wrap into narrow integers, and round into halves but where a kernel keeps them", () => {
    const bytes = new Storage(Char, 12, small);
    const three_hundred = number(0, Long, new BigInt64Array([300n]));
    const narrow = new Storage(Char, 12, () => 0);
    gpu_kernel(iterator([12], [narrow.operand([1]), bytes.operand([1]), three_hundred], Char), maximum);
    for (let i = 0; i < 12; i++) narrow.set(i, Math.max(bytes.get(i), 44));
    narrow.check();
    const halves = new Storage(Half, 12, small);
    const tenth = number(0, ScalarType.Double, new Float64Array([0.1]));
    const rounded = new Storage(Half, 12, () => 0);
    gpu_kernel(iterator([12], [rounded.operand([1]), halves.operand([1]), tenth], Half), mul);
    const tenth_as_half = fp16_ieee_to_fp32_value(fp16_ieee_from_fp32_value(0.1));
    for (let i = 0; i < 12; i++) rounded.set(i, halves.get(i) * tenth_as_half);
    rounded.check();
    const kept = new Storage(Half, 12, () => 0);
    opmath_gpu_kernel_with_scalars(iterator([12], [kept.operand([1]), halves.operand([1]), tenth], Half), mul);
    for (let i = 0; i < 12; i++) kept.set(i, Math.fround(halves.get(i) * Math.fround(0.1)));
    kept.check();
  });
});

test("captured numbers, of every dtype", () => {
  for (const dtype of DTYPES) {
    const a = new Storage(dtype, 20, values_for(dtype));
    const b = new Storage(dtype, 20, (i) => values_for(dtype)(i + 4));
    const out = new Storage(dtype, 20, () => 0);
    gpu_kernel(iterator([19], [out.operand([1], 1), a.operand([1]), b.operand([1])]), add, Scalar.fromInt(2));
    for (let i = 0; i < 19; i++) out.set(i + 1, a.get(i) + 2 * b.get(i));
    out.check();
    const filled = new Storage(dtype, 20, () => 0);
    gpu_kernel(iterator([3, 5], [filled.operand([1, 4], 1)]), fill, Scalar.fromInt(1));
    each([3, 5], [filled.operand([1, 4], 1)], (o) => filled.set(o, 1));
    filled.check();
  }
});

test("two outputs, one of half words", () => {
  const x = new Storage(Half, 40, (i) => (i - 20) * 0.75);
  const mantissa = new Storage(Half, 40, () => 5);
  const exponent = new Storage(Int, 40, () => 5);
  gpu_kernel(iterator([33], [mantissa.operand([1], 1), exponent.operand([1], 2), x.operand([1], 3)]), frexp);
  for (let i = 0; i < 33; i++) {
    const value = x.get(i + 3);
    const e = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
    mantissa.set(i + 1, value / 2 ** e);
    exponent.set(i + 2, e);
  }
  for (const s of [mantissa, exponent, x]) s.check();
});

test("copies between every two dtypes, from odd places to odd places", () => {
  for (const from of DTYPES)
    for (const to of DTYPES) {
      const src = new Storage(from, 70, to === Byte || to === Bool ? natural : values_for(from));
      const dst = new Storage(to, 70, () => 1);
      gpu_kernel(iterator([61], [dst.operand([1], 3), src.operand([1], 5)]), convert);
      for (let i = 0; i < 61; i++) dst.set(i + 3, src.get(i + 5));
      for (const s of [src, dst]) s.check();
    }
});

test("neighbours in one word, written at the same time by two launches", () => {
  const x = new Storage(Byte, 64, natural);
  const y = new Storage(Byte, 64, () => 200);
  for (let i = 0; i < 63; i += 3) gpu_kernel(iterator([3], [y.operand([1], i), x.operand([1], i + 1)]), convert);
  for (let i = 0; i < 63; i++) y.set(i, x.get(i + 1));
  y.check();
});

test("random strides of random shapes", () => {
  const random = random_from(3);
  for (let round = 0; round < 60; round++) {
    const shape = Array.from({ length: 1 + random(4) }, () => 1 + random(5));
    const dtype = DTYPES[random(DTYPES.length)];
    let step = 1 + random(2);
    const order = shape.map((_, d) => d).sort(() => random(3) - 1);
    const out_strides = shape.map(() => 0);
    for (const d of order) {
      out_strides[d] = step;
      step = step * shape[d] + random(2);
    }
    if (step > 390) continue;
    const input = (): [number[], number] => {
      const strides = shape.map(() => random(9) - 3);
      const below = strides.reduce((sum, s, d) => sum + Math.min(0, s * (shape[d] - 1)), 0);
      return [strides, random(5) - below];
    };
    check_mul(dtype, shape, [[out_strides, random(4)], input(), input()]);
  }
});

test("what no body was written for", () => {
  const x = new Storage(Float, 4, small);
  const strange = mul as ScalarFunctions;
  expect(() =>
    gpu_kernel(iterator([4], [x.operand([1]), x.operand([1]), x.operand([1])], ScalarType.Double), strange),
  ).toThrow("\"mul_webgpu\" not implemented for 'Double'");
});
