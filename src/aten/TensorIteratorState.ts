/**
 * @file The state of an iterator: what kernels ask it, parts of it, and the walk over it. TensorIteratorBuild.ts fills it.
 * @mirrors aten/src/ATen/TensorIterator.cpp
 * @differs Strides and offsets count elements, not bytes, because loops index typed arrays.
 */
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { TypedArray } from "./Dispatch.ts";
import type { Tensor } from "./generated/core/TensorBody.ts";
import { DimCounter } from "./TensorIteratorInternal.ts";
import type { OperandInfo } from "./TensorIteratorOperand.ts";

const cpu = Device.of(DeviceType.CPU);
const NO_DIMS: readonly number[] = [];

/** `data`, `offsets`, and `strides` hold one entry per operand, outputs first; `strides` then the outer ones. */
export type Loop2d<C> = (
  data: readonly TypedArray[],
  offsets: number[],
  strides: readonly number[],
  size0: number,
  size1: number,
  ctx: C,
) => void;

export abstract class TensorIteratorState {
  /** The iteration's shape: after `build`, fastest dimension first and as few as possible. */
  protected shape_: readonly number[] = NO_DIMS;
  /** `perm_[i]`: the tensors' dimension that iteration dimension i walks. Null after fast set-up and coalescing. */
  protected perm_: readonly number[] | null = null;
  protected operands_: OperandInfo[] = [];
  protected num_outputs_ = 0;
  protected common_dtype_: ScalarType = ScalarType.Undefined;
  protected common_device_: Device = cpu;
  protected all_ops_same_shape_ = false;
  protected all_ops_are_scalars_ = false;
  protected has_coalesced_dimensions_ = false;
  protected is_reduction_ = false;
  protected is_meta_ = false;
  protected enforce_linear_iteration_ = false;
  /** Whether a reduction adds to what the output holds, and whether this part of one is the last. */
  protected accumulate_ = false;
  protected final_output_ = true;

  /** As newly made; what `build` fills in any case is left. */
  protected clear(): void {
    this.perm_ = null;
    this.common_dtype_ = ScalarType.Undefined;
    this.common_device_ = cpu;
    this.all_ops_same_shape_ = false;
    this.all_ops_are_scalars_ = false;
    this.has_coalesced_dimensions_ = false;
    this.is_meta_ = false;
    this.accumulate_ = false;
    this.final_output_ = true;
  }

  /** What a trace shows of an iterator. */
  describe(): Record<string, unknown> {
    return {
      shape: this.shape_.slice(),
      common_dtype: toString(this.common_dtype_),
      dtypes: this.operands_.map((op) => toString(op.current_dtype)),
      strides: this.operands_.map((op) => op.strides?.slice() ?? null),
      coalesced: this.has_coalesced_dimensions_,
      is_reduction: this.is_reduction_,
    };
  }

  // ---- what kernels ask

  ndim(): number {
    return this.shape_.length;
  }
  shape(): readonly number[] {
    return this.shape_;
  }
  numel(): number {
    const shape = this.shape_;
    let n = 1;
    for (let i = 0; i < shape.length; i++) n *= shape[i];
    return n;
  }
  ntensors(): number {
    return this.operands_.length;
  }
  noutputs(): number {
    return this.num_outputs_;
  }
  ninputs(): number {
    return this.operands_.length - this.num_outputs_;
  }
  operands(): readonly OperandInfo[] {
    return this.operands_;
  }
  operand(arg: number): OperandInfo {
    return this.operands_[arg];
  }
  /** In elements, fastest dimension first (@see the file's @differs). */
  strides(arg: number): readonly number[] {
    return this.operands_[arg].strides as readonly number[];
  }
  data_view(arg: number): TypedArray {
    return this.operands_[arg].data as TypedArray;
  }
  data_offset(arg: number): number {
    return this.operands_[arg].offset;
  }
  dtype(arg = 0): ScalarType {
    return this.operands_[arg].current_dtype;
  }
  input_dtype(arg = 0): ScalarType {
    return this.operands_[this.num_outputs_ + arg].current_dtype;
  }
  common_dtype(): ScalarType {
    TORCH_INTERNAL_ASSERT(this.common_dtype_ !== ScalarType.Undefined, "Queried for invalid common dtype!");
    return this.common_dtype_;
  }
  device(arg = 0): Device {
    return this.operands_[arg].device as Device;
  }
  device_type(arg = 0): DeviceType {
    return this.device(arg).type();
  }
  tensor(arg: number): Tensor {
    return this.operands_[arg].tensor();
  }
  /** The caller's output, not the temporary that stands for it. */
  output(arg = 0): Tensor {
    const op = this.operands_[arg];
    return op.original_tensor_ ?? op.tensor();
  }
  input(arg = 0): Tensor {
    return this.tensor(this.num_outputs_ + arg);
  }
  is_reduction(): boolean {
    return this.is_reduction_;
  }
  has_coalesced_dimensions(): boolean {
    return this.has_coalesced_dimensions_;
  }
  should_accumulate(): boolean {
    return this.accumulate_;
  }
  is_final_output(): boolean {
    return this.final_output_;
  }
  /** One dimension or none: a single call of the loop does it all. */
  is_trivial_1d(): boolean {
    return this.shape_.length <= 1;
  }
  is_contiguous(): boolean {
    if (this.numel() === 1) return true;
    if (this.shape_.length !== 1) return false;
    for (const op of this.operands_) if ((op.strides as readonly number[])[0] !== 1) return false;
    return true;
  }
  is_scalar(arg: number): boolean {
    return this.tensor(arg).numel() === 1;
  }
  is_cpu_scalar(arg: number): boolean {
    return this.is_scalar(arg) && this.device(arg).is_cpu();
  }
  is_dim_reduced(dim: number): boolean {
    for (const op of this.operands_) {
      if (op.is_output && (op.strides as readonly number[])[dim] === 0 && this.shape_[dim] > 1) return true;
    }
    return false;
  }
  num_reduce_dims(): number {
    let count = 0;
    for (let dim = 0; dim < this.shape_.length; dim++) if (this.strides(0)[dim] === 0) count++;
    return count;
  }

  // ---- parts of an iteration

  /** Dimension `dim` no longer walked: only its first index remains. */
  remove_dimension(dim: number): void {
    this.shape_ = this.shape_.filter((_, d) => d !== dim);
    for (const op of this.operands_) op.strides = (op.strides as readonly number[]).filter((_, d) => d !== dim);
  }

  /** Only `size` indices of `dim`, from `start`. */
  narrow(dim: number, start: number, size: number): void {
    TORCH_INTERNAL_ASSERT(dim < this.ndim() && size >= 1, "narrow: bad range");
    const shape = this.shape_.slice();
    shape[dim] = size;
    this.shape_ = shape;
    for (const op of this.operands_) op.offset += (op.strides as readonly number[])[dim] * start;
    if (size === 1 && !this.is_reduction_) this.coalesce_dimensions_of_part();
  }

  private coalesce_dimensions_of_part(): void {
    for (const op of this.operands_) op.strides = (op.strides as readonly number[]).slice();
    this.coalesce_dimensions();
  }

  /** From `start_dim` on, only the given indices, each as a dimension of size 1. */
  select_all_keeping_dim(start_dim: number, indices: readonly number[]): void {
    const shape = this.shape_.slice();
    for (let i = start_dim; i < shape.length; i++) {
      for (const op of this.operands_) {
        op.offset += (op.strides as readonly number[])[i] * indices[i - start_dim];
      }
      shape[i] = 1;
    }
    this.shape_ = shape;
  }

  /** Takes over `other`'s state; operands are copied, tensors shared. */
  assign(other: TensorIteratorState): this {
    this.shape_ = other.shape_;
    this.perm_ = other.perm_;
    this.operands_ = other.operands_.map((op) => op.copy());
    this.num_outputs_ = other.num_outputs_;
    this.common_dtype_ = other.common_dtype_;
    this.common_device_ = other.common_device_;
    this.all_ops_same_shape_ = other.all_ops_same_shape_;
    this.has_coalesced_dimensions_ = other.has_coalesced_dimensions_;
    this.is_reduction_ = other.is_reduction_;
    this.is_meta_ = other.is_meta_;
    this.accumulate_ = other.accumulate_;
    this.final_output_ = other.final_output_;
    return this;
  }

  // ---- running

  /** The offsets of all operands at the iteration's beginning. */
  get_base_offsets(): number[] {
    const operands = this.operands_;
    const result = new Array<number>(operands.length);
    for (let arg = 0; arg < operands.length; arg++) result[arg] = operands[arg].offset;
    return result;
  }

  /** Inner strides of all operands, then outer ones, and so on; at least two dimensions. */
  get_strides(): number[] {
    const n = this.operands_.length;
    const ndim = this.shape_.length;
    const dims = Math.max(2, ndim);
    const result = new Array<number>(n * dims);
    for (let arg = 0; arg < n; arg++) {
      const strides = this.strides(arg);
      for (let dim = 0; dim < dims; dim++) result[dim * n + arg] = dim < ndim ? strides[dim] : 0;
    }
    return result;
  }

  for_each<C = undefined>(loop: Loop2d<C>, ctx?: C): void {
    const numel = this.numel();
    if (numel === 0) return;
    const shape = this.shape_;
    const ndim = shape.length;
    if (ndim > 2) {
      this.serial_for_each(loop, 0, numel, ctx); // one thread: never split, see Parallel.ts
      return;
    }
    const n0 = ndim > 0 ? shape[0] : 1;
    const n1 = ndim > 1 ? shape[1] : 1;
    loop(this.data_views(), this.get_base_offsets(), this.get_strides(), n0, n1, ctx as C);
  }

  private data_views(): TypedArray[] {
    const operands = this.operands_;
    const result = new Array<TypedArray>(operands.length);
    for (let arg = 0; arg < operands.length; arg++) result[arg] = operands[arg].data as TypedArray;
    return result;
  }

  /** Elements `begin` to `end`, tile by tile. */
  serial_for_each<C = undefined>(loop: Loop2d<C>, begin: number, end: number, ctx?: C): void {
    if (begin >= end) return;
    const n = this.operands_.length;
    const data = this.data_views();
    const strides = this.get_strides();
    const base = this.get_base_offsets();
    const offsets = base.slice();
    if (this.shape_.length <= 1) {
      for (let arg = 0; arg < n; arg++) offsets[arg] = base[arg] + strides[arg] * begin;
      loop(data, offsets, strides, end - begin, 1, ctx as C);
      return;
    }
    const counter = new DimCounter(this.shape_, begin, end);
    while (!counter.is_done()) {
      for (let arg = 0; arg < n; arg++) {
        let offset = base[arg];
        for (let dim = 0; dim < counter.values.length; dim++) {
          offset += counter.values[dim] * strides[dim * n + arg];
        }
        offsets[arg] = offset;
      }
      const step = counter.max_2d_step();
      loop(data, offsets, strides, step[0], step[1], ctx as C);
      counter.increment(step);
    }
  }

  // A run of dimensions that every operand steps through evenly is one dimension.
  protected coalesce_dimensions(): void {
    const ndim = this.shape_.length;
    if (ndim <= 1) return;
    const shape = this.shape_.slice();
    let prev = 0;
    for (let dim = 1; dim < ndim; dim++) {
      if (this.can_coalesce(shape, prev, dim)) {
        if (shape[prev] === 1) this.replace_stride(prev, dim);
        shape[prev] = shape[prev] * shape[dim];
      } else {
        prev++;
        if (prev !== dim) {
          this.replace_stride(prev, dim);
          shape[prev] = shape[dim];
        }
      }
    }
    shape.length = prev + 1;
    this.shape_ = shape;
    for (const op of this.operands_) (op.strides as number[]).length = prev + 1;
    this.has_coalesced_dimensions_ = true;
  }

  private can_coalesce(shape: readonly number[], dim0: number, dim1: number): boolean {
    const shape0 = shape[dim0];
    if (shape0 === 1 || shape[dim1] === 1) return true;
    for (const op of this.operands_) {
      const strides = op.strides as readonly number[];
      if (shape0 * strides[dim0] !== strides[dim1]) return false;
    }
    return true;
  }

  /** Only during `build`, while each operand owns its array. */
  private replace_stride(dim0: number, dim1: number): void {
    for (const op of this.operands_) {
      const strides = op.strides as number[];
      strides[dim0] = strides[dim1];
    }
  }
}
