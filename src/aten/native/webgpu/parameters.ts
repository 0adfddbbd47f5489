/**
 * @file Writing of numbers into a launch's parameters: values captured by a kernel, or CPU scalars as operands. int64
 * takes two words.
 * @mirrors aten/src/ATen/native/cuda/Loops.cuh
 */
import type { ValueType } from "#aten/cpu/vec/ir";
import type { CaptureKind } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { toOpMathType } from "#aten/OpMathType";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { round_to_bfloat16 } from "#c10/util/BFloat16";
import { round_to_half } from "#c10/util/Half";
import type { Launch } from "#c10/webgpu/interface";

/**
 * Writes a captured `value` from word `at` on, in the type of the function for `dtype`.
 * @returns the index of the next free word
 */
export function write_value(
  launch: Launch,
  at: number,
  value: Scalar | number | undefined,
  type: ValueType,
  kind: CaptureKind,
  dtype: ScalarType,
): number {
  if (value === Scalar.ONE) return write(launch, at, 1, type); // the usual alpha
  if (typeof value !== "object") return write(launch, at, value ?? 0, type);
  return write(launch, at, value.to(kind === "opmath_t" ? toOpMathType(dtype) : dtype) as number | bigint, type);
}

function write(launch: Launch, at: number, value: number | bigint, type: ValueType): number {
  if (type === "f32") launch.f32[at] = Number(value);
  else if (type === "i32") launch.i32[at] = Number(value);
  else return write_int64(launch, at, value);
  return at + 1;
}

function write_int64(launch: Launch, at: number, value: number | bigint): number {
  if (typeof value === "number") {
    launch.u32[at] = value; // modulo 2^32
    launch.i32[at + 1] = Math.floor(value / 4294967296);
  } else {
    launch.u32[at] = Number(BigInt.asUintN(32, value));
    launch.i32[at + 1] = Number(BigInt.asIntN(32, value >> 32n));
  }
  return at + 2;
}

/**
 * Writes the only element of a CPU operand as a `dtype`. If `keeps_numbers`, a number next to halves is written as
 * float32. Returns the index of the next free word.
 */
export function write_number(
  launch: Launch,
  at: number,
  op: OperandInfo,
  dtype: ScalarType,
  keeps_numbers: boolean,
): number {
  const stored = op.view()[op.offset];
  if (dtype === ScalarType.Long) return write_int64(launch, at, stored);
  const value =
    typeof stored === "number" ? (reducedFloatingType(op.current_dtype)?.to_float(stored) ?? stored) : Number(stored);
  if (isFloatingType(dtype)) launch.f32[at] = keeps_numbers ? value : round_to(dtype, value);
  else launch.i32[at] = wrapped(dtype, value);
  return at + 1;
}

function round_to(dtype: ScalarType, value: number): number {
  return dtype === ScalarType.Half
    ? round_to_half(value)
    : dtype === ScalarType.BFloat16
      ? round_to_bfloat16(value)
      : value;
}

function wrapped(dtype: ScalarType, value: number): number {
  switch (dtype) {
    case ScalarType.Bool:
      return value === 0 ? 0 : 1;
    case ScalarType.Byte:
      return value & 255;
    case ScalarType.Char:
      return (value << 24) >> 24;
    case ScalarType.Short:
      return (value << 16) >> 16;
    default:
      return value;
  }
}
