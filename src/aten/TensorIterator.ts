/**
 * @file From tensors to loops: an iterator is built from operands (TensorIteratorBuild.ts) and asked by kernels, whose drivers
 * (native/cpu/Loops.ts) run loops over it. Here: what structured kernels extend, the named builders, and TensorIterator itself.
 * @mirrors aten/src/ATen/TensorIterator.h
 * @see TensorIteratorConfig.ts (the wishes), TensorIteratorState.ts (what kernels ask), walkthroughs/prelu.ts
 */
import type { Device } from "#c10/core/Device";
import type { DeviceType } from "#c10/core/DeviceType";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { TypedArray } from "./Dispatch.ts";
import { sizes_equal } from "./ExpandUtils.ts";
import { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";
import { resize_output } from "./native/Resize.ts";
import { TensorIteratorBuild } from "./TensorIteratorBuild.ts";
import { TensorIteratorConfigBase } from "./TensorIteratorConfig.ts";
import type { OperandInfo } from "./TensorIteratorOperand.ts";
import type { Loop2d } from "./TensorIteratorState.ts";
import { MetaBase } from "./TensorMeta.ts";

// Note [One shape for all iterators]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Every structured operator is a subclass, and V8 compiles `this.shape_` well only while few classes pass by: with dozens of them a
// build took three times as long. So the state and the phases live in one class of which there are no subclasses, and an
// operator holds one of those. Kernels see no difference; drivers reach through to `iter_` once.
export abstract class TensorIteratorBase extends MetaBase {
  /** Declared only: see Note [Fields are assigned, not defined] in torch/csrc-equivalent/autograd/node.ts. */
  declare readonly iter_: TensorIteratorBuild;

  constructor() {
    super();
    this.iter_ = new TensorIteratorBuild(this);
  }

  build(config: TensorIteratorConfigBase): void {
    this.iter_.build(config);
  }

  /** Lets go of the tensors; this operator may now be used again: see Note [Iterators are used again] in TensorIteratorBuild.ts. */
  release(): this | null {
    this.iter_.release();
    return this;
  }

  /** Structured kernels override this, put their output where they keep it, and call up. */
  override set_output_raw_strided(
    output_idx: number,
    _sizes: readonly number[],
    _strides: readonly number[],
    _options: TensorOptions,
  ): void {
    this.iter_.output_was_set(output_idx, this.maybe_get_output(output_idx));
  }

  // ---- named builders, for structured kernels (`borrowing` is PyTorch's word for operands it does not own)

  build_borrowing_binary_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.iter_.build3(BINARY_OP, out, a, b);
  }
  build_binary_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.iter_.build3(BINARY_OP, out, a, b);
  }
  build_borrowing_binary_float_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.iter_.build3(BINARY_FLOAT_OP, out, a, b);
  }
  build_borrowing_unary_op(out: Tensor, a: Tensor): void {
    this.iter_.build2(UNARY_OP, out, a);
  }
  build_unary_op(out: Tensor, a: Tensor): void {
    this.iter_.build2(UNARY_OP, out, a);
  }
  build_borrowing_unary_float_op(out: Tensor, a: Tensor): void {
    this.iter_.build2(UNARY_FLOAT_OP, out, a);
  }
  /** `a` was already brought to the common dtype; an output of another dtype gets the result cast. */
  build_output_borrowing_argument_owning_unary_op(out: Tensor, a: Tensor): void {
    this.iter_.build2(UNARY_OP_CASTING, out, a);
  }
  build_borrowing_unary_force_boolean_op(out: Tensor, a: Tensor): void {
    this.iter_.build2(FORCE_BOOLEAN_OP.declare_static_device(a.device()), out, a);
  }
  build_ternary_op(out: Tensor, a: Tensor, b: Tensor, c: Tensor): void {
    this.iter_.build_with(BINARY_OP, [out, a, b, c], 1);
  }

  /** A comparison gives bool; into an output of another dtype it computes in the common dtype and casts. */
  build_borrowing_comparison_op(out: Tensor, a: Tensor, b: Tensor): void {
    if (!out.defined()) this.iter_.build3(COMPARISON_OP_TO_BOOL, out, a, b);
    else if (out.scalar_type() !== ScalarType.Bool) this.iter_.build3(COMPARISON_OP_CASTING, out, a, b);
    else this.iter_.build3(COMPARISON_OP, out, a, b);
  }
  build_comparison_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.build_borrowing_comparison_op(out, a, b);
  }

  /** `b` is a number wrapped for this call. */
  build_borrowing_except_last_argument_comparison_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.build_borrowing_comparison_op(out, a, b);
  }

  // ---- what kernels ask: see TensorIteratorState.ts

  ndim(): number {
    return this.iter_.ndim();
  }
  shape(): readonly number[] {
    return this.iter_.shape();
  }
  numel(): number {
    return this.iter_.numel();
  }
  ntensors(): number {
    return this.iter_.ntensors();
  }
  noutputs(): number {
    return this.iter_.noutputs();
  }
  ninputs(): number {
    return this.iter_.ninputs();
  }
  operands(): readonly OperandInfo[] {
    return this.iter_.operands();
  }
  operand(arg: number): OperandInfo {
    return this.iter_.operand(arg);
  }
  strides(arg: number): readonly number[] {
    return this.iter_.strides(arg);
  }
  data_view(arg: number): TypedArray {
    return this.iter_.data_view(arg);
  }
  data_offset(arg: number): number {
    return this.iter_.data_offset(arg);
  }
  dtype(arg = 0): ScalarType {
    return this.iter_.dtype(arg);
  }
  input_dtype(arg = 0): ScalarType {
    return this.iter_.input_dtype(arg);
  }
  common_dtype(): ScalarType {
    return this.iter_.common_dtype();
  }
  device(arg = 0): Device {
    return this.iter_.device(arg);
  }
  device_type(arg = 0): DeviceType {
    return this.iter_.device_type(arg);
  }
  tensor(arg: number): Tensor {
    return this.iter_.tensor(arg);
  }
  output(arg = 0): Tensor {
    return this.iter_.output(arg);
  }
  input(arg = 0): Tensor {
    return this.iter_.input(arg);
  }
  is_reduction(): boolean {
    return this.iter_.is_reduction();
  }
  has_coalesced_dimensions(): boolean {
    return this.iter_.has_coalesced_dimensions();
  }
  should_accumulate(): boolean {
    return this.iter_.should_accumulate();
  }
  is_final_output(): boolean {
    return this.iter_.is_final_output();
  }
  is_trivial_1d(): boolean {
    return this.iter_.is_trivial_1d();
  }
  is_contiguous(): boolean {
    return this.iter_.is_contiguous();
  }
  is_scalar(arg: number): boolean {
    return this.iter_.is_scalar(arg);
  }
  is_cpu_scalar(arg: number): boolean {
    return this.iter_.is_cpu_scalar(arg);
  }
  is_dim_reduced(dim: number): boolean {
    return this.iter_.is_dim_reduced(dim);
  }
  num_reduce_dims(): number {
    return this.iter_.num_reduce_dims();
  }
  remove_dimension(dim: number): void {
    this.iter_.remove_dimension(dim);
  }
  narrow(dim: number, start: number, size: number): void {
    this.iter_.narrow(dim, start, size);
  }
  select_all_keeping_dim(start_dim: number, indices: readonly number[]): void {
    this.iter_.select_all_keeping_dim(start_dim, indices);
  }
  for_each<C = undefined>(loop: Loop2d<C>, ctx?: C): void {
    this.iter_.for_each(loop, ctx);
  }
  serial_for_each<C = undefined>(loop: Loop2d<C>, begin: number, end: number, ctx?: C): void {
    this.iter_.serial_for_each(loop, begin, end, ctx);
  }
  cast_outputs(): void {
    this.iter_.cast_outputs();
  }
}

// Note [Shared configs]
// ~~~~~~~~~~~~~~~~~~~~~
// The named builders always wish for the same things, so each keeps one config, without tensors, and hands those beside it.
const BINARY_OP = new TensorIteratorConfigBase()
  .promote_inputs_to_common_dtype(true)
  .cast_common_dtype_to_outputs(true)
  .enforce_safe_casting_to_output(true)
  .allow_cpu_scalars(true);
const BINARY_FLOAT_OP = new TensorIteratorConfigBase()
  .allow_cpu_scalars(true)
  .promote_inputs_to_common_dtype(true)
  .cast_common_dtype_to_outputs(true)
  .enforce_safe_casting_to_output(true)
  .promote_integer_inputs_to_float(true);
const UNARY_OP = new TensorIteratorConfigBase()
  .cast_common_dtype_to_outputs(false)
  .enforce_safe_casting_to_output(false)
  .check_all_same_dtype(true);
const UNARY_OP_CASTING = new TensorIteratorConfigBase()
  .cast_common_dtype_to_outputs(true)
  .enforce_safe_casting_to_output(true);
const UNARY_FLOAT_OP = new TensorIteratorConfigBase()
  .promote_inputs_to_common_dtype(true)
  .cast_common_dtype_to_outputs(true)
  .enforce_safe_casting_to_output(true)
  .promote_integer_inputs_to_float(true);
const FORCE_BOOLEAN_OP = new TensorIteratorConfigBase()
  .check_all_same_dtype(false)
  .declare_static_dtype(ScalarType.Bool);
const COMPARISON_OP = new TensorIteratorConfigBase().allow_cpu_scalars(true).promote_inputs_to_common_dtype(true);
const COMPARISON_OP_CASTING = new TensorIteratorConfigBase()
  .allow_cpu_scalars(true)
  .promote_inputs_to_common_dtype(true)
  .cast_common_dtype_to_outputs(true);
const COMPARISON_OP_TO_BOOL = new TensorIteratorConfigBase()
  .allow_cpu_scalars(true)
  .promote_inputs_to_common_dtype(true)
  .declare_static_dtype(ScalarType.Bool);
const NULLARY_OP = new TensorIteratorConfigBase().check_all_same_dtype(false).resize_outputs(false);
const REDUCE_OP = new TensorIteratorConfigBase()
  .set_check_mem_overlap(false)
  .resize_outputs(false)
  .is_reduction(true)
  .promote_inputs_to_common_dtype(true);
const REDUCE_OP2 = new TensorIteratorConfigBase()
  .set_check_mem_overlap(false)
  .resize_outputs(false)
  .is_reduction(true)
  .check_all_same_dtype(false);

/** An iterator that keeps its outputs itself: for kernels that are not structured. */
export class TensorIterator extends TensorIteratorBase {
  override maybe_get_output(output_idx: number): Tensor {
    return this.iter_.operand(output_idx)?.tensor_ ?? new Tensor();
  }

  override set_output_raw_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    const op = this.iter_.operand(output_idx);
    if (op.tensor_ === null) {
      op.tensor_ =
        strides.length === 0
          ? at.empty_memory_format(sizes as number[], options)
          : at.empty_strided(sizes as number[], strides as number[], options);
      op.current_dtype = op.target_dtype;
    } else if (op.will_resize) {
      resize_output(op.tensor_, sizes as number[]);
      if (strides.length > 0) op.tensor_.as_strided_(sizes as number[], strides as number[]);
      else if (options.has_memory_format()) {
        op.tensor_.impl_.empty_tensor_restride(options.memory_format_opt() as MemoryFormat);
      }
    }
  }

  static binary_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    return built(BINARY_OP, [out, a, b], 1);
  }
  static borrowing_binary_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    return built(BINARY_OP, [out, a, b], 1);
  }
  static binary_float_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    return built(BINARY_FLOAT_OP, [out, a, b], 1);
  }
  static comparison_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_borrowing_comparison_op(out, a, b);
    return iter;
  }
  static unary_op(out: Tensor, a: Tensor): TensorIterator {
    return built(UNARY_OP, [out, a], 1);
  }
  static unary_float_op(out: Tensor, a: Tensor): TensorIterator {
    return built(UNARY_FLOAT_OP, [out, a], 1);
  }
  static nullary_op(out: Tensor): TensorIterator {
    return built(NULLARY_OP, [out], 1);
  }
  static borrowing_nullary_op(out: Tensor): TensorIterator {
    return built(NULLARY_OP, [out], 1);
  }
  static reduce_op(out: Tensor, a: Tensor): TensorIterator {
    TORCH_INTERNAL_ASSERT(out.defined(), "a reduction's output must be defined");
    return built(REDUCE_OP, [out, a], 1);
  }
  static reduce_op2(out1: Tensor, out2: Tensor, a: Tensor): TensorIterator {
    TORCH_INTERNAL_ASSERT(out1.defined() && out2.defined(), "a reduction's outputs must be defined");
    TORCH_CHECK(
      a.device().eq(out1.device()) && out1.device().eq(out2.device()),
      "reduce_op(): expected input and both outputs to be on same device, but input is on ",
      a.device(),
      ", output1 is on ",
      out1.device(),
      " and output2 is on",
      out2.device(),
    );
    TORCH_CHECK(
      out1.dim() === out2.dim(),
      "reduce_op(): expected both outputs to have same number of dims, but output1 has ",
      out1.dim(),
      " and output2 has ",
      out2.dim(),
    );
    TORCH_CHECK(
      sizes_equal(out1.sizes(), out2.sizes()),
      "reduce_op(): expected both outputs to have same sizes, but output1 has ",
      out1.sizes(),
      " and output2 has ",
      out2.sizes(),
    );
    TORCH_CHECK(
      sizes_equal(out1.strides(), out2.strides()),
      "reduce_op(): expected both outputs to have same strides, but output1 has ",
      out1.strides(),
      " and output2 has ",
      out2.strides(),
    );
    return built(REDUCE_OP2, [out1, out2, a], 2);
  }

  clone(): TensorIterator {
    return TensorIterator.copyOf(this);
  }

  static copyOf(other: TensorIteratorBase): TensorIterator {
    const copy = new TensorIterator();
    copy.iter_.assign(other.iter_);
    return copy;
  }
}

function built(config: TensorIteratorConfigBase, tensors: readonly Tensor[], num_outputs: number): TensorIterator {
  const iter = new TensorIterator();
  iter.iter_.build_with(config, tensors, num_outputs);
  return iter;
}

/** Wishes for one iterator; `build` grants them. */
export class TensorIteratorConfig extends TensorIteratorConfigBase {
  build(): TensorIterator {
    return built(this, this.tensors_, this.num_outputs_);
  }
}
