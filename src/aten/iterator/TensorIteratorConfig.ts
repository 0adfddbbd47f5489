/**
 * @file The options for building an iterator: operands, and how to treat shapes, dtypes, devices and memory.
 * @mirrors aten/src/ATen/TensorIterator.h
 * @differs `build` belongs to a class in TensorIterator.ts, so that the two files do not import each other; PyTorch's
 * TensorIteratorConfig has it itself.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import type { ScalarType } from "#c10/core/ScalarType";

export class TensorIteratorConfigBase {
  /** The operands, outputs first. */
  tensors_: Tensor[] = [];
  num_outputs_ = 0;
  num_inputs_ = 0;
  static_shape_: readonly number[] | null = null;
  static_dtype_: ScalarType | null = null;
  static_device_: Device | null = null;
  check_mem_overlap_ = true;
  allow_cpu_scalars_ = false;
  is_reduction_ = false;
  resize_outputs_ = true;
  check_all_same_dtype_ = true;
  check_all_same_device_ = true;
  enforce_safe_casting_to_output_ = false;
  enforce_linear_iteration_ = false;
  promote_inputs_to_common_dtype_ = false;
  promote_integer_inputs_to_float_ = false;
  cast_common_dtype_to_outputs_ = false;

  add_output(output: Tensor): this {
    this.tensors_.push(output);
    this.num_outputs_++;
    return this;
  }
  add_input(input: Tensor): this {
    this.tensors_.push(input);
    this.num_inputs_++;
    return this;
  }
  // Const, owned and borrowed concern C++ types and reference counts; here these names only make callers recognizable.
  add_const_input(input: Tensor): this {
    return this.add_input(input);
  }
  add_owned_output(output: Tensor): this {
    return this.add_output(output);
  }
  add_borrowed_output(output: Tensor): this {
    return this.add_output(output);
  }
  add_owned_input(input: Tensor): this {
    return this.add_input(input);
  }
  add_owned_const_input(input: Tensor): this {
    return this.add_const_input(input);
  }
  add_borrowed_input(input: Tensor): this {
    return this.add_input(input);
  }
  add_borrowed_const_input(input: Tensor): this {
    return this.add_const_input(input);
  }

  /** Whether no option excludes agreeing inputs from Note [The common case in one pass] (TensorIteratorBuild.ts). */
  has_common_case(): boolean {
    return !this.is_reduction_ && this.static_shape_ === null && this.static_device_ === null;
  }

  /** Whether different dtypes matter: operands must agree, or are converted. */
  looks_at_dtypes(): boolean {
    return (
      this.check_all_same_dtype_ ||
      this.promote_inputs_to_common_dtype_ ||
      this.promote_integer_inputs_to_float_ ||
      this.cast_common_dtype_to_outputs_ ||
      this.enforce_safe_casting_to_output_
    );
  }

  set_check_mem_overlap(check: boolean): this {
    this.check_mem_overlap_ = check;
    return this;
  }
  check_all_same_dtype(check: boolean): this {
    this.check_all_same_dtype_ = check;
    return this;
  }
  check_all_same_device(check: boolean): this {
    this.check_all_same_device_ = check;
    return this;
  }
  /** Requires that outputs can hold the common dtype: float results do not go into integers. */
  enforce_safe_casting_to_output(enforce: boolean): this {
    this.enforce_safe_casting_to_output_ = enforce;
    return this;
  }
  /** Visits elements in C order, whatever the strides: for kernels whose results depend on the order. */
  enforce_linear_iteration(enforce = true): this {
    this.enforce_linear_iteration_ = enforce;
    return this;
  }
  promote_inputs_to_common_dtype(promote: boolean): this {
    this.promote_inputs_to_common_dtype_ = promote;
    if (promote) this.check_all_same_dtype_ = false;
    return this;
  }
  promote_integer_inputs_to_float(promote: boolean): this {
    this.promote_integer_inputs_to_float_ = promote;
    return this;
  }
  is_reduction(is_reduction: boolean): this {
    this.is_reduction_ = is_reduction;
    return this;
  }
  /** Allows 0-dim CPU tensors beside tensors of another device. */
  allow_cpu_scalars(allow: boolean): this {
    this.allow_cpu_scalars_ = allow;
    return this;
  }
  cast_common_dtype_to_outputs(cast: boolean): this {
    this.cast_common_dtype_to_outputs_ = cast;
    if (cast) this.check_all_same_dtype_ = false;
    return this;
  }
  resize_outputs(resize: boolean): this {
    this.resize_outputs_ = resize;
    return this;
  }
  /** Sets the dtype of undefined outputs, instead of the common one. */
  declare_static_dtype_and_device(dtype: ScalarType, device: Device): this {
    this.static_dtype_ = dtype;
    this.static_device_ = device;
    return this;
  }
  declare_static_dtype(dtype: ScalarType): this {
    this.static_dtype_ = dtype;
    return this;
  }
  declare_static_device(device: Device): this {
    this.static_device_ = device;
    return this;
  }
  /** Sets the iteration's shape, without resizing; strides are taken as they are. */
  declare_static_shape(shape: readonly number[], squash_dims: readonly number[] = []): this {
    const copy = shape.slice();
    for (const dim of squash_dims) copy[dim] = 1;
    this.static_shape_ = copy;
    return this;
  }
}
