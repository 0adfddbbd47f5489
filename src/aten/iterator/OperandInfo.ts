/**
 * @file One operand of an iterator: its tensor, or a temporary in its place, and the position of its elements.
 * @mirrors aten/src/ATen/TensorIterator.h
 */
import type { TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

const cpu = Device.of(DeviceType.CPU);

/** Options of a CPU output by dtype, each made once. The second table adds the contiguous memory format. */
const cpuOptions: (TensorOptions | undefined)[] = [];
const cpuContiguousOptions: (TensorOptions | undefined)[] = [];

/** One operand. */
export class OperandInfo {
  /** The tensor that is read or written; null until an output is allocated. May be a temporary of another dtype. */
  tensor_: Tensor | null = null;
  /** The caller's tensor, if `tensor_` is a temporary. */
  original_tensor_: Tensor | null = null;
  /** Strides by iteration dimension, fastest first; 0 for a broadcast dimension. Null until known. In elements (see @differs). */
  strides: readonly number[] | null = null;
  device: Device | null = null;
  /** The dtype that the operand should have, and the one it has. */
  target_dtype: ScalarType = ScalarType.Undefined;
  current_dtype: ScalarType = ScalarType.Undefined;
  is_output = false;
  will_resize = false;
  is_read_write = false;
  /**
   * The memory block's typed array, and where this operand begins in it. Without host memory: null, and where the
   * operand begins in its storage.
   */
  data: TypedArray | null = null;
  offset = 0;

  /** Sets the operand to `tensor`. Precondition: new, or cleared. */
  set_tensor(tensor: Tensor): void {
    this.strides = null;
    this.is_output = false;
    this.will_resize = false;
    this.is_read_write = false;
    const impl = tensor.impl_;
    const defined = tensor.defined();
    this.tensor_ = defined ? tensor : null;
    this.device = defined ? impl.device() : null;
    this.target_dtype = this.current_dtype = defined ? impl.dtype() : ScalarType.Undefined;
  }

  /** Sets the operand to a CPU tensor that already has the right dtype or, if null, to an output still to be made with it. */
  set_agreeing(tensor: Tensor | null, dtype: ScalarType, strides: readonly number[]): void {
    this.tensor_ = tensor;
    this.strides = strides;
    this.device = cpu;
    this.target_dtype = dtype;
    this.current_dtype = tensor === null ? ScalarType.Undefined : dtype;
    this.is_output = false;
    this.will_resize = false;
    this.is_read_write = false;
  }

  /** Finds the memory of the tensor's elements. */
  locate(): void {
    const impl = (this.tensor_ as Tensor).impl_;
    if (this.device !== cpu && impl.storage().data_ptr().block === null) {
      this.data = null; // a kernel of that device uses the storage's context and this offset
      this.offset = impl.storage_offset();
      return;
    }
    this.data = impl.data_view();
    this.offset = impl.data_offset();
  }

  /** The array that a loop reads or writes. Precondition: `locate` has been called. */
  view(): TypedArray {
    return this.data as TypedArray;
  }

  /** Position of element `i` of row `j` of the tile that begins here. */
  at(i: number, j: number): number {
    return this.offset + i * this.inner_stride() + j * this.outer_stride();
  }

  /** Distance between elements of a tile's row, and between rows; 0 if the iteration has no such dimension. */
  inner_stride(): number {
    const strides = this.strides as readonly number[];
    return strides.length > 0 ? strides[0] : 0;
  }
  outer_stride(): number {
    const strides = this.strides as readonly number[];
    return strides.length > 1 ? strides[1] : 0;
  }

  /** Releases every tensor and its memory. */
  clear(): void {
    this.tensor_ = null;
    this.original_tensor_ = null;
    this.data = null;
  }

  tensor(): Tensor {
    TORCH_INTERNAL_ASSERT(this.tensor_ !== null, "operand has no tensor");
    return this.tensor_;
  }

  is_type_defined(): boolean {
    return this.target_dtype !== ScalarType.Undefined;
  }

  options(): TensorOptions {
    const dtype = this.target_dtype;
    if (this.device === null || this.device.type() === DeviceType.CPU)
      return (cpuOptions[dtype] ??= optionsOf(dtype, cpu));
    return optionsOf(dtype, this.device);
  }

  /** Options of the tensor that the caller sees: not a temporary's dtype. */
  original_options(memory_format: MemoryFormat | null): TensorOptions {
    const options = this.original_tensor_ !== null ? this.original_tensor_.options() : this.options();
    if (memory_format === null) return options;
    const dtype = this.target_dtype;
    if (memory_format === MemoryFormat.Contiguous && options === cpuOptions[dtype])
      return cpu_contiguous_options(dtype);
    return options.memory_format(memory_format);
  }

  /** Replaces the caller's tensor by a temporary. */
  exchange_tensor(temporary: Tensor): void {
    this.original_tensor_ = this.tensor_;
    this.tensor_ = temporary;
  }

  restore_original_tensor(): void {
    this.tensor_ = this.original_tensor_;
    this.original_tensor_ = null;
  }

  copy(): OperandInfo {
    return Object.assign(new OperandInfo(), this);
  }
}

/** Options of a contiguous CPU output. */
export function cpu_contiguous_options(dtype: ScalarType): TensorOptions {
  return (cpuContiguousOptions[dtype] ??= optionsOf(dtype, cpu).memory_format(MemoryFormat.Contiguous));
}

function optionsOf(dtype: ScalarType, device: Device): TensorOptions {
  return new TensorOptions().dtype(dtype).device(device).layout(Layout.Strided);
}
