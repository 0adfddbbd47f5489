/**
 * @file Iterators over memory of the device, as drivers see them, without the tensors and the dispatcher above.
 * @original
 */
import type { TensorIteratorBase } from "../../../src/aten/TensorIterator.ts";
import { DTYPES } from "../../../src/aten/webgpu/dtypes.ts";
import { DeviceType } from "../../../src/c10/core/DeviceType.ts";
import { elementSize, ScalarType } from "../../../src/c10/core/ScalarType.ts";
import type { Memory } from "../../../src/c10/webgpu/memory.ts";

/** Fastest dimension first; strides and offset in elements. */
export interface Operand {
  readonly dtype: ScalarType;
  readonly strides: readonly number[];
  readonly offset: number;
  /** Null: a number of the CPU. */
  readonly memory: Memory | null;
  readonly data?: ArrayLike<number | bigint>;
}

export function dtype_of(name: string): ScalarType {
  return DTYPES.get(name) ?? (name === "float64" ? ScalarType.Double : ScalarType.Undefined);
}

/** `common`: the dtype that inputs are promoted to, if they are. */
export function iterator(
  shape: readonly number[],
  operands: readonly Operand[],
  common: ScalarType = ScalarType.Undefined,
): TensorIteratorBase {
  const infos = operands.map(({ dtype, strides, offset, memory, data }) => ({
    current_dtype: dtype,
    strides,
    offset,
    is_read_write: false,
    device: { type: () => (memory === null ? DeviceType.CPU : DeviceType.PrivateUse1) },
    tensor: () => ({ impl_: { storage: () => ({ data_ptr: () => ({ get_context: () => memory }) }) } }),
    view: () => data,
  }));
  const iter_ = {
    shape: () => shape,
    numel: () => shape.reduce((n, size) => n * size, 1),
    operands: () => infos,
    dtype: (k: number) => infos[k].current_dtype,
    has_common_dtype: () => common !== ScalarType.Undefined,
    common_dtype: () => common,
  };
  return { iter_ } as unknown as TensorIteratorBase; // what drivers ask of it
}

export function nbytes(dtype: ScalarType, count: number): number {
  return elementSize(dtype) * count;
}
