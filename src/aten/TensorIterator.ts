/**
 * @file The iterator: it is built from operands, and a kernel's driver (native/cpu/Loops/index.ts) runs loops over it.
 * Here: the class that structured kernels extend, the named builders, and TensorIterator itself. Its parts are in
 * iterator/.
 * @mirrors aten/src/ATen/TensorIterator.h
 * @example
 *   const iter = new TensorIteratorConfig().add_output(out).add_const_input(a).add_const_input(b).build();
 *   cpu_kernel(iter, add_loops, Scalar.ONE); // the loop that codegen made of a scalar function
 *   iter.output(); // `out`, or what was made for it
 * @see iterator/README.md, walkthroughs/kernel.ts
 */
import type { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { TypedArray } from "./Dispatch.ts";
import type { Tensor } from "./generated/core/TensorBody.ts";
import type { OperandInfo } from "./iterator/OperandInfo.ts";
import { TensorIteratorBuild } from "./iterator/TensorIteratorBuild.ts";
import { TensorIteratorConfigBase } from "./iterator/TensorIteratorConfig.ts";
import type { Context, Loop2d } from "./iterator/TensorIteratorState.ts";
import { MetaBase } from "./TensorMeta.ts";

// Note [The phases of build]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// The order matters, because each phase needs the results of those before it. Beside each: its effect on `out = a + b` for a float32 `a` of (2, 3), an
// int64 `b` of no dimension (the number 3) and an `out` still to be made:
//
//   populate_operands             out: none     a: float32 (2, 3)     b: int64 ()
//   mark_outputs                  out is written; it would be read, too, if it were `a`
//   compute_mem_overlaps          nothing: `out` has no memory yet
//   compute_shape                 (2, 3), broadcast from (2, 3) and ()
//   mark_resize_outputs           nothing: only an output that is there can have another shape
//   compute_types                 common dtype float32: `b` has no dimension, so it gives way, and a float32 copy stands in for it
//   fast_set_up                   refuses: the operands differ in shape
//   compute_strides               a: (3, 1)     b: (0, 0), one element for all
//   reorder_dimensions            (3, 2): the fastest dimension first       a: (1, 3)     b: (0, 0)
//   allocate_or_resize_outputs    out: float32 (2, 3) is made, and takes the order of the inputs       out: (1, 3)
//   coalesce_dimensions           (6): two rows of 3 that follow each other are one of 6       out: (1)     a: (1)     b: (0)
//   locate                        each operand's memory, and where it begins in it
//
// The loop sees one row of 6 elements. If `b` were (2, 3), fast_set_up would have produced such a row without the four
// phases after it; if it were also float32, Note [The common case in one pass] would have produced it without any
// phase.

// Note [Common dtype]
// ~~~~~~~~~~~~~~~~~~~
// Kernels compute in one dtype. These options of the config decide which, and how operands are converted:
//
//   promote_inputs_to_common_dtype      inputs of several dtypes meet in the one that `torch.result_type` gives: the highest category
//                                       (bool, integral, floating, complex) wins, in it tensors with dimensions before those without,
//                                       and these before numbers. An input of another dtype is replaced by a copy.
//   promote_integer_inputs_to_float     if that is integral, the default dtype instead (`exp`, `div`)
//   cast_common_dtype_to_outputs        an output of another dtype is replaced by a temporary, which cast_outputs copies back at the end;
//   enforce_safe_casting_to_output      ... unless that would lose the category: a float result does not go into an int64 tensor
//
// Without them nothing is converted: check_all_same_dtype requires that all agree, or the kernel handles it (copy_,
// where's mask).

// Note [One shape for all iterators]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Every structured operator is a subclass. V8 compiles `this.shape_` well only for few classes: with dozens of them a
// build took three times as long. So the state and the phases are in one class without subclasses, and an operator
// holds an instance of it. Kernels see no difference; a driver accesses `iter_` once.
export abstract class TensorIteratorBase extends MetaBase {
  /** Declared only: see Note [Fields are assigned, not defined] in torch/csrc-equivalent/autograd/node.ts. */
  declare readonly iter_: TensorIteratorBuild;

  constructor() {
    super();
    this.iter_ = new TensorIteratorBuild();
  }

  build(config: TensorIteratorConfigBase): void {
    this.iter_.build(config, null, null, null, null);
  }

  override set_output_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    super.set_output_strided(output_idx, sizes, strides, options);
    this.iter_.output_was_set(output_idx, this.maybe_get_output(output_idx));
  }

  override set_output_raw_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    this.iter_.set_output(output_idx, sizes, strides, options);
  }

  // ---- named builders, for structured kernels (`borrowing` is PyTorch's word for operands it does not own)

  build_borrowing_binary_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.iter_.build(BINARY_OP, out, a, b, null);
  }
  build_binary_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.iter_.build(BINARY_OP, out, a, b, null);
  }
  build_borrowing_binary_float_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.iter_.build(BINARY_FLOAT_OP, out, a, b, null);
  }
  build_borrowing_unary_op(out: Tensor, a: Tensor): void {
    this.iter_.build(UNARY_OP, out, a, null, null);
  }
  build_unary_op(out: Tensor, a: Tensor): void {
    this.iter_.build(UNARY_OP, out, a, null, null);
  }
  build_borrowing_unary_float_op(out: Tensor, a: Tensor): void {
    this.iter_.build(UNARY_FLOAT_OP, out, a, null, null);
  }
  /** `a` is already in the common dtype; if the output has another dtype, the result is cast. */
  build_output_borrowing_argument_owning_unary_op(out: Tensor, a: Tensor): void {
    this.iter_.build(UNARY_OP_CASTING, out, a, null, null);
  }
  build_borrowing_unary_force_boolean_op(out: Tensor, a: Tensor): void {
    this.iter_.build(FORCE_BOOLEAN_OP.declare_static_device(a.device()), out, a, null, null);
  }
  build_ternary_op(out: Tensor, a: Tensor, b: Tensor, c: Tensor): void {
    this.iter_.build(BINARY_OP, out, a, b, c);
  }

  /** A comparison gives bool. For an output of another dtype it computes in the common dtype and casts. */
  build_borrowing_comparison_op(out: Tensor, a: Tensor, b: Tensor): void {
    if (!out.defined()) this.iter_.build(COMPARISON_OP_TO_BOOL, out, a, b, null);
    else if (out.scalar_type() !== ScalarType.Bool) this.iter_.build(COMPARISON_OP_CASTING, out, a, b, null);
    else this.iter_.build(COMPARISON_OP, out, a, b, null);
  }
  build_comparison_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.build_borrowing_comparison_op(out, a, b);
  }

  /** `b` is a number wrapped for this call. */
  build_borrowing_except_last_argument_comparison_op(out: Tensor, a: Tensor, b: Tensor): void {
    this.build_borrowing_comparison_op(out, a, b);
  }

  // ---- queries of kernels: see iterator/TensorIteratorState.ts

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
  operand(arg: number): OperandInfo {
    return this.iter_.operand(arg);
  }
  strides(arg: number): readonly number[] {
    return this.iter_.strides(arg);
  }
  data_view(arg: number): TypedArray {
    return this.iter_.data_view(arg);
  }
  /**
   * Moves an operand to another offset in its memory, keeping its strides. Precondition: the iteration stays inside the memory.
   */
  unsafe_replace_operand(arg: number, offset: number): void {
    this.iter_.operand(arg).offset = offset;
  }
  data_offset(arg: number): number {
    return this.iter_.data_offset(arg);
  }
  dtype(arg = 0): ScalarType {
    return this.iter_.dtype(arg);
  }
  common_dtype(): ScalarType {
    return this.iter_.common_dtype();
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
  is_contiguous(): boolean {
    return this.iter_.is_contiguous();
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
  num_output_elements(): number {
    return this.iter_.num_output_elements();
  }
  narrow(dim: number, start: number, size: number): void {
    this.iter_.narrow(dim, start, size);
  }
  read_output(): void {
    this.iter_.read_output();
  }
  for_each<C extends Context>(loop: Loop2d<C>, ...ctx: C): void {
    this.iter_.for_each(loop, ...ctx);
  }
  cast_outputs(): void {
    this.iter_.cast_outputs();
  }
}

// Note [Shared configs]
// ~~~~~~~~~~~~~~~~~~~~~
// The named builders always use the same options, so each keeps one config, without tensors, and passes the tensors beside it.
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
const COPY_OP = new TensorIteratorConfigBase()
  .resize_outputs(false)
  .check_all_same_dtype(false)
  .check_all_same_device(false);
const REDUCE_OP = new TensorIteratorConfigBase()
  .set_check_mem_overlap(false)
  .resize_outputs(false)
  .is_reduction(true)
  .promote_inputs_to_common_dtype(true);

/** An iterator whose outputs are its operands: for kernels that are not structured. */
export class TensorIterator extends TensorIteratorBase {
  override maybe_get_output(output_idx: number): Tensor {
    return this.iter_.at(output_idx);
  }

  /** Resets it to the state of a new one that holds no tensor. */
  release(): void {
    this.iter_.release();
  }

  /** @original PyTorch's `copy_impl` contains the config in its own text */
  build_copy_op(out: Tensor, a: Tensor): void {
    this.iter_.build(COPY_OP, out, a, null, null);
  }

  static binary_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_binary_op(out, a, b);
    return iter;
  }
  static borrowing_binary_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_borrowing_binary_op(out, a, b);
    return iter;
  }
  static binary_float_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_borrowing_binary_float_op(out, a, b);
    return iter;
  }
  static comparison_op(out: Tensor, a: Tensor, b: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_borrowing_comparison_op(out, a, b);
    return iter;
  }
  static unary_op(out: Tensor, a: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_unary_op(out, a);
    return iter;
  }
  static unary_float_op(out: Tensor, a: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.build_borrowing_unary_float_op(out, a);
    return iter;
  }
  static nullary_op(out: Tensor): TensorIterator {
    const iter = new TensorIterator();
    iter.iter_.build(NULLARY_OP, out, null, null, null);
    return iter;
  }
  static borrowing_nullary_op(out: Tensor): TensorIterator {
    return TensorIterator.nullary_op(out);
  }
  static reduce_op(out: Tensor, a: Tensor): TensorIterator {
    TORCH_INTERNAL_ASSERT(out.defined(), "a reduction's output must be defined");
    const iter = new TensorIterator();
    iter.iter_.build(REDUCE_OP, out, a, null, null);
    return iter;
  }
  /** An iterator for two results of one reduction. Precondition: they have the same sizes and strides. */
  static reduce_op2(out1: Tensor, out2: Tensor, a: Tensor): TensorIterator {
    TORCH_INTERNAL_ASSERT(out1.defined() && out2.defined(), "a reduction's outputs must be defined");
    return new TensorIteratorConfig()
      .set_check_mem_overlap(false)
      .add_output(out1)
      .add_output(out2)
      .add_const_input(a)
      .resize_outputs(false)
      .is_reduction(true)
      .check_all_same_dtype(false)
      .build();
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

/** The options of one iterator; `build` applies them. */
export class TensorIteratorConfig extends TensorIteratorConfigBase {
  build(): TensorIterator {
    const iter = new TensorIterator();
    iter.build(this);
    return iter;
  }
}
