/**
 * @file The state of an iterator: the queries of kernels, parts of an iteration, and the one walk over it.
 * TensorIteratorBuild.ts fills it.
 * @mirrors aten/src/ATen/TensorIterator.cpp
 * @differs Strides and offsets count elements, because loops index typed arrays; PyTorch's count bytes.
 */
import type { TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GRAIN_SIZE } from "#aten/Parallel";
import { ANY_UNIT, is_worth_splitting, LAST_JOB, parallel_kernel, type WasmKernel } from "#aten/ParallelNative";
import { DimCounter } from "#aten/TensorIteratorInternal";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { OperandInfo } from "./OperandInfo.ts";

const cpu = Device.of(DeviceType.CPU);
const NO_DIMS: readonly number[] = [];

/**
 * A loop over a tile of `size0` by `size1` elements. The tile begins at each operand's `offset` and steps by its inner
 * and outer stride. Outputs come first; `ctx` is the context given to `for_each`.
 * @differs The operands hold pointers and strides, so a walk makes no array; PyTorch passes arrays of them.
 */
export type Loop2d<C extends Context> = (
  operands: readonly OperandInfo[],
  size0: number,
  size1: number,
  ...ctx: C
) => void;
export type Context = [a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown];

export abstract class TensorIteratorState {
  /** The iteration's shape: after `build`, fastest dimension first and as few as possible. */
  protected shape_: readonly number[] = NO_DIMS;
  /** `perm_[i]` is the tensors' dimension of iteration dimension i. Null after fast set-up and coalescing. */
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

  /** Resets the state, except what `build` sets in every case. */
  protected clear(): void {
    this.perm_ = null;
    this.common_dtype_ = ScalarType.Undefined;
    this.common_device_ = cpu;
    this.all_ops_same_shape_ = false;
    this.all_ops_are_scalars_ = false;
    this.has_coalesced_dimensions_ = false;
    this.is_meta_ = false;
  }

  /** The fields of an iterator in a trace. */
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

  // ---- queries of kernels

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
  common_dtype(): ScalarType {
    TORCH_INTERNAL_ASSERT(this.common_dtype_ !== ScalarType.Undefined, "Queried for invalid common dtype!");
    return this.common_dtype_;
  }
  /** Whether there is a common dtype: operands of different dtypes that are not promoted have none. @original */
  has_common_dtype(): boolean {
    return this.common_dtype_ !== ScalarType.Undefined;
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
  /** The caller's output, not the temporary in its place. */
  output(arg = 0): Tensor {
    const op = this.operands_[arg];
    return op.original_tensor_ ?? op.tensor();
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
  num_output_elements(): number {
    let elements = 1;
    for (let dim = 0; dim < this.shape_.length; dim++)
      if (this.strides(0)[dim] !== 0 || this.shape_[dim] === 0) elements *= this.shape_[dim];
    return elements;
  }

  // ---- parts of an iteration

  /** Restricts dimension `dim` to `size` indices from `start`. */
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
    return this;
  }

  /**
   * Makes the output the first input too, for a loop that updates elements. @original In PyTorch a loop reads at the
   * address it writes to.
   */
  read_output(): void {
    const op = this.operands_[0].copy();
    op.is_output = false;
    this.operands_.splice(this.num_outputs_, 0, op);
  }

  // ---- running

  // The context after the loop is spelled out below: as a rest parameter, or in an object, every call would allocate it.

  /** Runs the loop over the whole iteration, tile by tile. */
  for_each<C extends Context>(loop: Loop2d<C>, ...ctx: C): void;
  for_each(loop: Loop2d<Context>, a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown): void {
    const shape = this.shape_;
    const ndim = shape.length;
    if (ndim > 2) {
      this.serial_for_each(loop, 0, this.numel(), a, b, c, d, e);
      return;
    }
    const size0 = ndim > 0 ? shape[0] : 1;
    const size1 = ndim > 1 ? shape[1] : 1;
    if (size0 !== 0 && size1 !== 0) loop(this.operands_, size0, size1, a, b, c, d, e);
  }

  /**
   * Like `for_each`, for a `loop` that calls nothing but `kernel` (its first context argument), a WebAssembly function
   * on the heap: parts of the range may then run on other threads.
   * @param room the index of the kernel's parameter for the address of scratch memory
   */
  for_each_kernel<F extends WasmKernel>(
    loop: Loop2d<[F, unknown?, unknown?, unknown?, unknown?]>,
    kernel: F,
    room: number,
    b?: unknown,
    c?: unknown,
    d?: unknown,
    e?: unknown,
  ): void {
    const n = this.numel();
    if (!is_worth_splitting(n, GRAIN_SIZE)) this.for_each(loop, kernel, b, c, d, e);
    else
      parallel_kernel(
        kernel,
        room,
        0,
        n,
        GRAIN_SIZE,
        (f, begin, end) => this.serial_for_each(loop, begin, end, f, b, c, d, e),
        ANY_UNIT,
        LAST_JOB,
      );
  }

  /**
   * Runs the loop over elements `begin` to `end`. If it throws, the operands stay where they were; such an iterator is
   * not used again.
   */
  serial_for_each<C extends Context>(loop: Loop2d<C>, begin: number, end: number, ...ctx: C): void;
  serial_for_each(
    loop: Loop2d<Context>,
    begin: number,
    end: number,
    a?: unknown,
    b?: unknown,
    c?: unknown,
    d?: unknown,
    e?: unknown,
  ): void {
    const operands = this.operands_;
    const base = operands.map((op) => op.offset);
    const counter = new DimCounter(this.shape_, begin, end);
    while (!counter.is_done()) {
      for (let arg = 0; arg < operands.length; arg++) {
        const op = operands[arg];
        op.offset = base[arg] + counter.offset_of(op.strides as readonly number[]);
      }
      const step = counter.max_2d_step();
      loop(operands, step[0], step[1], a, b, c, d, e);
      counter.increment(step);
    }
    for (let arg = 0; arg < operands.length; arg++) operands[arg].offset = base[arg];
  }

  // Adjacent dimensions through which every operand steps evenly are joined.
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

  /** Used only during `build`, while each operand owns its array. */
  private replace_stride(dim0: number, dim1: number): void {
    for (const op of this.operands_) {
      const strides = op.strides as number[];
      strides[dim0] = strides[dim1];
    }
  }
}
