/**
 * @file Building an iterator: the common shape of the operands, their common dtype, the outputs, and the fewest
 * possible dimensions. The phases are in PyTorch's order and have its names.
 * @mirrors aten/src/ATen/TensorIterator.cpp
 * @differs The phases are methods of this class; in PyTorch they are methods of TensorIteratorBase. See
 * Note [One shape for all iterators] in ../TensorIterator.ts.
 * @differs An operator keeps its iterator between calls, Note [Operators are used again] in ../StructuredOutputs.ts; in
 * C++ an iterator lives on the stack.
 */

import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_partial_overlap } from "#aten/MemoryOverlap";
import { resize_output } from "#aten/native/Resize";
import {
  gives_way,
  ResultTypeState,
  result_type_of_state,
  update_result_type_state,
} from "#aten/native/TypeProperties";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { canCast, isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { cpu_contiguous_options, OperandInfo } from "./OperandInfo.ts";
import type { TensorIteratorConfigBase } from "./TensorIteratorConfig.ts";
import { TensorIteratorState } from "./TensorIteratorState.ts";

const Undefined = ScalarType.Undefined;
const cpu = Device.of(DeviceType.CPU);

/** The empty list of strides: it tells `set_output_raw_strided` that the output is contiguous. */
const CONTIGUOUS_STRIDES: readonly number[] = [];
const NO_DIMS: readonly number[] = CONTIGUOUS_STRIDES;
/** Shared by every operand of a one-dimensional contiguous iteration. Stride arrays are never changed in place. */
const UNIT_STRIDE: readonly number[] = [1];
const BROADCAST_STRIDE: readonly number[] = [0];
const INVERTED: readonly (readonly number[])[] = Array.from({ length: 8 }, (_, ndim) =>
  Array.from({ length: ndim }, (_, i) => ndim - 1 - i),
);

const FastSetupType = { NONE: 0, CONTIGUOUS: 1, CHANNELS_LAST: 2, NON_OVERLAPPING_DENSE: 3 } as const;
type FastSetupType = (typeof FastSetupType)[keyof typeof FastSetupType];

/** The interface of a structured operator's outputs (StructuredOutputs.ts). */
interface OutputPlaces {
  readonly outputs_: readonly Tensor[];
  set_output_raw_strided(i: number, sizes: readonly number[], strides: readonly number[], options: TensorOptions): void;
}

/** An iterator that can be built. It has no subclasses. */
export class TensorIteratorBuild extends TensorIteratorState {
  /** Receives each output's geometry. Null: there is no operator, and the iterator keeps its outputs among its operands. */
  outputs_: OutputPlaces | null = null;

  /** Resets it to the state of a new one that holds no tensor: see Note [Operators are used again] in ../StructuredOutputs.ts. */
  release(): void {
    const operands = this.operands_;
    for (let i = 0; i < operands.length; i++) operands[i].clear();
    this.clear();
  }

  // ---- build, in PyTorch's phases

  /**
   * Builds by the options of `config`: for the config's own tensors (then `out` is null), or for one output and up to
   * three inputs after it (Note [Shared configs] in TensorIterator.ts). There are five parameters without defaults, so
   * that no array is made on the way.
   */
  build(
    config: TensorIteratorConfigBase,
    out: Tensor | null,
    a: Tensor | null,
    b: Tensor | null,
    c: Tensor | null,
  ): void {
    if (tracer !== null) this.callSlow(config, out, a, b, c);
    else this.set_up(config, out, a, b, c);
  }

  private callSlow(
    config: TensorIteratorConfigBase,
    out: Tensor | null,
    a: Tensor | null,
    b: Tensor | null,
    c: Tensor | null,
  ): void {
    const inputs = out === null ? config.tensors_ : [out, a, b, c].filter((t) => t !== null);
    const told = () => this.describe();
    traceCall(
      "iterator",
      "at::TensorIteratorBase::build",
      this.set_up.bind(this),
      [config, out, a, b, c],
      { inputs },
      told,
    );
  }

  private set_up(
    config: TensorIteratorConfigBase,
    out: Tensor | null,
    a: Tensor | null,
    b: Tensor | null,
    c: Tensor | null,
  ): void {
    if (this.common_set_up(config, out, a, b, c)) return;
    this.is_reduction_ = config.is_reduction_;
    this.enforce_linear_iteration_ = config.enforce_linear_iteration_;
    this.populate_operands(config, out, a, b, c);
    this.mark_outputs();
    if (config.check_mem_overlap_) this.compute_mem_overlaps();
    this.compute_shape(config);
    this.mark_resize_outputs(config);
    this.compute_types(config);
    if (!this.fast_set_up()) {
      this.compute_strides(config);
      this.reorder_dimensions();
      this.allocate_or_resize_outputs();
      if (!this.is_meta_) this.coalesce_dimensions();
    }
    if (this.is_meta_) return;
    for (const op of this.operands_) op.locate();
  }

  // Note [The common case in one pass]
  // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  // Most iterators have one output, and operands that agree: one dtype, one shape of at least one dimension, on the
  // CPU, contiguous; or the output is still to be made. The phases would find this out one by one, and each would
  // change nothing. Here each tensor is tested once, and the resulting state is the one that the phases produce (a test
  // builds both ways and compares). Two kinds of disagreement are also common: a number beside a tensor (`x + 1`), and
  // a copy to another dtype. Any other goes through the phases.
  private common_set_up(
    config: TensorIteratorConfigBase,
    out: Tensor | null,
    a: Tensor | null,
    b: Tensor | null,
    c: Tensor | null,
  ): boolean {
    if (out === null) {
      const own = config.tensors_;
      if (config.num_outputs_ !== 1 || own.length < 2 || own.length > 4) return false;
      return this.common_set_up(config, own[0], own[1], own[2] ?? null, own[3] ?? null);
    }
    if (a === null || !a.defined() || !config.has_common_case()) return false;
    const model = a.impl_;
    if (
      !is_model(model, config) ||
      (b !== null && !agrees(b.impl_, model)) ||
      (c !== null && !agrees(c.impl_, model)) ||
      (out.defined() && !agrees(out.impl_, model))
    )
      return c === null && this.nearly_common_set_up(config, out, a, b);
    const dtype = model.dtype();
    const operands = this.take_operands(b === null ? 2 : c === null ? 3 : 4);
    const output = operands[0];
    if (out.defined()) set_given_output(output, out, a, b, c, config.check_mem_overlap_);
    else output.set_agreeing(null, config.static_dtype_ ?? dtype, UNIT_STRIDE);
    this.wish(config, model);
    this.all_ops_same_shape_ = true;
    this.set_output(0, this.shape_, CONTIGUOUS_STRIDES, cpu_contiguous_options(output.target_dtype));
    if (this.shape_.length > 1) this.flatten();
    output.locate();
    set_input(operands[1], a, dtype);
    if (b !== null) set_input(operands[2], b, dtype);
    if (c !== null) set_input(operands[3], c, dtype);
    return true;
  }

  private nearly_common_set_up(config: TensorIteratorConfigBase, out: Tensor, a: Tensor, b: Tensor | null): boolean {
    return b === null ? this.set_up_conversion(config, out, a) : this.set_up_beside_number(config, out, a, b);
  }

  /** Sets the state that all one-pass set-ups have in common. */
  private wish(config: TensorIteratorConfigBase, model: TensorImpl): void {
    this.operands_[0].is_output = true;
    this.num_outputs_ = 1;
    this.is_reduction_ = false;
    this.enforce_linear_iteration_ = config.enforce_linear_iteration_;
    this.shape_ = model.sizes();
    this.common_dtype_ = model.dtype();
  }

  /** Sets up if `b` is one element, which takes `a`'s dtype. */
  private set_up_beside_number(config: TensorIteratorConfigBase, out: Tensor, a: Tensor, b: Tensor): boolean {
    const model = a.impl_;
    const number = b.impl_;
    const dtype = model.dtype();
    const ndim = model.dim();
    if (!b.defined() || number.dim() > 0 || number.device() !== cpu) return false;
    if (!is_model(model, config) || !is_row_major(model)) return false;
    if (number.dtype() !== dtype && !(config.promote_inputs_to_common_dtype_ && gives_way(number.dtype(), dtype)))
      return false;
    if (ndim >= INVERTED.length || (out.defined() && !(agrees(out.impl_, model) && is_row_major(out.impl_))))
      return false;
    const operands = this.take_operands(3);
    const output = operands[0];
    if (out.defined()) set_given_output(output, out, a, b, null, config.check_mem_overlap_);
    else output.set_agreeing(null, config.static_dtype_ ?? dtype, UNIT_STRIDE);
    this.wish(config, model);
    operands[2].set_agreeing(b, dtype, BROADCAST_STRIDE);
    if (number.dtype() !== dtype) operands[2].exchange_tensor(b.to_dtype(dtype));
    this.perm_ = INVERTED[ndim];
    this.set_output(0, this.shape_, CONTIGUOUS_STRIDES, output.original_options(null));
    if (ndim > 1) this.flatten();
    set_input(operands[1], a, dtype);
    output.locate();
    operands[2].locate();
    return true;
  }

  /** Sets up if `out` and `a` agree in everything except perhaps their dtypes, which stay as they are. */
  private set_up_conversion(config: TensorIteratorConfigBase, out: Tensor, a: Tensor): boolean {
    if (!out.defined() || config.looks_at_dtypes()) return false;
    const model = a.impl_;
    if (model.device() !== cpu || !model.is_contiguous() || !agrees_in_shape(out.impl_, model)) return false;
    const operands = this.take_operands(2);
    const strides = model.dim() === 0 ? NO_DIMS : UNIT_STRIDE;
    operands[0].set_agreeing(out, out.impl_.dtype(), strides);
    operands[0].is_read_write = is_read_too(out, a, config.check_mem_overlap_);
    operands[1].set_agreeing(a, model.dtype(), strides);
    this.wish(config, model);
    this.all_ops_same_shape_ = true;
    this.all_ops_are_scalars_ = model.dim() === 0;
    this.set_output(0, this.shape_, CONTIGUOUS_STRIDES, cpu_contiguous_options(out.impl_.dtype()));
    if (this.shape_.length > 1) this.flatten();
    operands[0].locate();
    operands[1].locate();
    return true;
  }

  private populate_operands(
    config: TensorIteratorConfigBase,
    out: Tensor | null,
    a: Tensor | null,
    b: Tensor | null,
    c: Tensor | null,
  ): void {
    if (out === null) {
      const own = config.tensors_;
      const operands = this.take_operands(own.length);
      for (let i = 0; i < own.length; i++) operands[i].set_tensor(own[i]);
      this.num_outputs_ = config.num_outputs_;
      return;
    }
    const operands = this.take_operands(a === null ? 1 : b === null ? 2 : c === null ? 3 : 4);
    operands[0].set_tensor(out);
    if (a !== null) operands[1].set_tensor(a);
    if (b !== null) operands[2].set_tensor(b);
    if (c !== null) operands[3].set_tensor(c);
    this.num_outputs_ = 1;
  }

  /** Takes the operands of the last use, if the number is the same. */
  private take_operands(n: number): OperandInfo[] {
    if (this.operands_.length !== n) this.operands_ = fresh_operands(n);
    return this.operands_;
  }

  /** Marks outputs as written. An output that is also an input is read as well, and may not be resized. */
  private mark_outputs(): void {
    const operands = this.operands_;
    for (let i = 0; i < this.num_outputs_; i++) {
      const op = operands[i];
      op.is_output = true;
      if (op.tensor_ === null) continue;
      for (let j = this.num_outputs_; j < operands.length; j++) {
        const input = operands[j].tensor_;
        if (input !== null && op.tensor_.impl_ === input.impl_) op.is_read_write = true;
      }
    }
  }

  private compute_mem_overlaps(): void {
    const operands = this.operands_;
    for (let i = 0; i < this.num_outputs_; i++) {
      const output = operands[i].tensor_;
      if (output === null) continue;
      assert_no_internal_overlap(output);
      for (let j = this.num_outputs_; j < operands.length; j++) {
        const input = operands[j].tensor_;
        if (input !== null) assert_no_partial_overlap(output, input); // an undefined input throws later, when dtypes are checked
      }
    }
  }

  private compute_shape(config: TensorIteratorConfigBase): void {
    if (config.static_shape_ !== null) {
      this.shape_ = config.static_shape_;
      return;
    }
    this.all_ops_same_shape_ = true;
    let has_scalars = false;
    let has_tensors = false;
    let shape: readonly number[] = NO_DIMS;
    const operands = this.operands_;
    for (let i = config.resize_outputs_ ? this.num_outputs_ : 0; i < operands.length; i++) {
      const tensor = operands[i].tensor_;
      if (tensor === null) continue;
      const sizes = tensor.sizes();
      if (sizes.length === 0) has_scalars = true;
      else has_tensors = true;
      if (has_scalars && has_tensors) this.all_ops_same_shape_ = false;
      if (shape.length === 0) shape = sizes;
      else if (!sizes_equal(shape, sizes)) {
        this.all_ops_same_shape_ = false;
        shape = infer_size_dimvector(shape, sizes);
      }
    }
    this.shape_ = shape;
    this.all_ops_are_scalars_ = !has_tensors;
  }

  private mark_resize_outputs(config: TensorIteratorConfigBase): void {
    if (config.static_shape_ !== null) return;
    for (let i = 0; i < this.num_outputs_; i++) {
      const op = this.operands_[i];
      if (op.tensor_ === null || sizes_equal(op.tensor_.sizes(), this.shape_)) continue;
      if (config.resize_outputs_ && !op.is_read_write) {
        op.will_resize = true;
        continue;
      }
      TORCH_CHECK(
        this.is_reduction_, // a reduction's output is smaller than the iteration shape, which is its input's
        "output with shape ",
        op.tensor_.sizes(),
        " doesn't match the broadcast shape ",
        this.shape_,
      );
    }
  }

  private compute_types(config: TensorIteratorConfigBase): void {
    const operands = this.operands_;
    let common_device = cpu;
    let common_dtype: ScalarType = Undefined;
    let output_dtype: ScalarType = Undefined;
    let has_different_input_dtypes = false;
    let has_different_output_dtypes = false;
    let has_undefined_outputs = false;
    for (let i = 0; i < operands.length; i++) {
      const op = operands[i];
      if (op.target_dtype === Undefined) {
        TORCH_INTERNAL_ASSERT(op.is_output, "Found type undefined input tensor!");
        if (config.static_dtype_ !== null) op.target_dtype = config.static_dtype_;
        else has_undefined_outputs = true;
        if (config.static_device_ !== null) op.device = config.static_device_;
        else has_undefined_outputs = true;
        if (has_undefined_outputs || op.tensor_ === null) continue;
      }
      const tensor = op.tensor_;
      if (tensor === null) continue;
      if (common_device.is_cpu()) common_device = op.device as Device;
      if (!op.is_output) {
        if (op.target_dtype !== common_dtype) {
          if (common_dtype === Undefined) common_dtype = op.target_dtype;
          else has_different_input_dtypes = true;
        }
      } else if (op.target_dtype !== output_dtype) {
        if (output_dtype === Undefined) output_dtype = op.target_dtype;
        else has_different_output_dtypes = true;
      }
    }
    this.common_dtype_ = common_dtype;

    if (
      config.check_all_same_dtype_ &&
      (has_different_input_dtypes ||
        has_different_output_dtypes ||
        (common_dtype !== output_dtype && output_dtype !== Undefined))
    ) {
      for (const op of operands) {
        if (op.tensor_ === null) continue;
        TORCH_CHECK(
          op.target_dtype === common_dtype,
          "Found dtype ",
          toString(op.target_dtype),
          " but expected ",
          toString(common_dtype),
        );
      }
    }

    if (
      !has_undefined_outputs &&
      !config.check_all_same_device_ &&
      !config.promote_inputs_to_common_dtype_ &&
      !config.cast_common_dtype_to_outputs_ &&
      !config.enforce_safe_casting_to_output_
    ) {
      if (has_different_input_dtypes) this.common_dtype_ = Undefined;
      this.finish_devices(common_device);
      return;
    }
    if ((has_different_input_dtypes || this.all_ops_are_scalars_) && config.promote_inputs_to_common_dtype_) {
      common_dtype = this.compute_common_dtype();
    }
    if (config.promote_integer_inputs_to_float_ && isIntegralType(common_dtype, true))
      common_dtype = get_default_dtype();
    this.common_dtype_ = common_dtype;
    this.finish_devices(common_device);
    this.convert_operands(config, common_device);
  }

  private finish_devices(common_device: Device): void {
    this.common_device_ = common_device;
    this.is_meta_ = common_device.is_meta();
  }

  private compute_common_dtype(): ScalarType {
    const state = new ResultTypeState();
    for (let i = this.num_outputs_; i < this.operands_.length; i++) {
      update_result_type_state(this.operands_[i].tensor(), state);
    }
    return result_type_of_state(state);
  }

  /** The second half of `compute_types`: checks devices, and puts temporaries in place of operands of another dtype. */
  private convert_operands(config: TensorIteratorConfigBase, common_device: Device): void {
    const operands = this.operands_;
    const common_dtype = this.common_dtype_;
    let cpu_scalars = 0;
    for (let i = 0; i < operands.length; i++) {
      const op = operands[i];
      if (op.target_dtype === Undefined) op.target_dtype = common_dtype;
      if (op.device === null) op.device = common_device;
      const tensor = op.tensor_;
      if (tensor === null) continue;
      if (config.check_all_same_device_ && op.device !== common_device && !op.device.eq(common_device)) {
        const cpu_scalar = config.allow_cpu_scalars_ && !op.is_output && tensor.dim() === 0 && op.device.is_cpu();
        if (cpu_scalar) {
          TORCH_CHECK(cpu_scalars < 1, "Trying to pass too many CPU scalars to non-CPU kernel!");
          cpu_scalars++;
        } else this.refuse_devices(common_device, op.device);
      }
      if (op.current_dtype === common_dtype) continue;
      if (config.enforce_safe_casting_to_output_ && op.is_output) {
        TORCH_CHECK(
          canCast(common_dtype, op.current_dtype),
          "result type ",
          toString(common_dtype),
          " can't be cast to the desired output type ",
          toString(op.current_dtype),
        );
      }
      if (!common_device.is_cpu()) continue;
      if (config.cast_common_dtype_to_outputs_ && op.is_output && !this.is_meta_) {
        const options = tensor.options().dtype(common_dtype);
        op.exchange_tensor(at.empty_like(tensor, options, MemoryFormat.Contiguous));
        op.current_dtype = op.target_dtype = common_dtype;
      }
      if (config.promote_inputs_to_common_dtype_ && !op.is_output) {
        op.exchange_tensor(tensor.to_dtype(common_dtype));
        op.current_dtype = op.target_dtype = common_dtype;
      }
    }
  }

  /**
   * Throws for a wrong device. Meta kernels are Python functions in PyTorch, with their own messages: the expected
   * device is that of the first input.
   */
  private refuse_devices(common_device: Device, other: Device): never {
    const inputs = this.operands_.slice(this.num_outputs_);
    const expected = inputs[0].device as Device;
    const odd = inputs.find((op) => op.device !== null && !op.device.eq(expected));
    if (common_device.is_meta() && odd !== undefined) {
      TORCH_CHECK(false, "Tensor on device ", odd.device, " is not on the expected device ", expected, "!");
    }
    TORCH_CHECK(
      false,
      "Expected all tensors to be on the same device, but found at least two devices, ",
      common_device,
      " and ",
      other,
      "!",
    );
    throw new Error("unreachable");
  }

  // Note [Fast set-up]
  // ~~~~~~~~~~~~~~~~~~
  // When nothing is broadcast and every operand has its elements in the same order without holes, the iteration is one run of
  // numel() elements, whatever the shape: no strides to compute, nothing to reorder or coalesce.

  private compute_fast_setup_type(): FastSetupType {
    if (this.is_reduction_ || !this.all_ops_same_shape_) return FastSetupType.NONE;
    const operands = this.operands_;
    let is_contiguous = true;
    let is_channels_last = !this.enforce_linear_iteration_;
    let is_dense = !this.enforce_linear_iteration_;
    for (let i = 0; i < operands.length; i++) {
      const op = operands[i];
      if (op.tensor_ === null || op.will_resize) continue;
      const impl = op.tensor_.impl_;
      if (is_contiguous && impl.is_contiguous()) continue;
      if (is_contiguous) {
        // The operands before this one were contiguous, and have not been tested for channels-last yet.
        is_contiguous = false;
        i = -1;
        continue;
      }
      is_channels_last = is_channels_last && impl.is_contiguous(MemoryFormat.ChannelsLast);
      is_dense = is_dense && impl.is_non_overlapping_and_dense();
    }
    if (is_contiguous) return FastSetupType.CONTIGUOUS;
    if (is_channels_last) return FastSetupType.CHANNELS_LAST;
    if (!is_dense) return FastSetupType.NONE;
    let first: readonly number[] | null = null;
    for (let i = operands.length - 1; i >= 0; i--) {
      const op = operands[i];
      if (op.tensor_ === null || op.will_resize) continue;
      if (first === null) first = op.tensor_.strides();
      else if (!sizes_equal(first, op.tensor_.strides())) return FastSetupType.NONE;
    }
    return FastSetupType.NON_OVERLAPPING_DENSE;
  }

  private fast_set_up(): boolean {
    const setup_type = this.compute_fast_setup_type();
    if (setup_type === FastSetupType.NONE) return false;
    const shape = this.shape_;
    for (let i = 0; i < this.num_outputs_; i++) {
      const op = this.operands_[i];
      if (setup_type === FastSetupType.CONTIGUOUS) {
        this.set_output(i, shape, CONTIGUOUS_STRIDES, op.original_options(MemoryFormat.Contiguous));
      } else if (setup_type === FastSetupType.CHANNELS_LAST) {
        this.set_output(i, shape, CONTIGUOUS_STRIDES, op.original_options(MemoryFormat.ChannelsLast));
      } else {
        this.set_output(i, shape, this.strides_of_defined(), op.original_options(null));
      }
    }
    const ndim = shape.length;
    if (ndim > 1) this.flatten();
    for (const op of this.operands_) op.strides = ndim > 0 ? UNIT_STRIDE : NO_DIMS;
    return true;
  }

  /** Makes all elements one dimension. */
  private flatten(): void {
    this.has_coalesced_dimensions_ = true;
    this.shape_ = [this.numel()];
  }

  private strides_of_defined(): readonly number[] {
    for (let i = this.operands_.length - 1; i >= 0; i--) {
      const tensor = this.operands_[i].tensor_;
      if (tensor !== null) return tensor.strides();
    }
    return CONTIGUOUS_STRIDES;
  }

  private compute_strides(config: TensorIteratorConfigBase): void {
    const shape = this.shape_;
    const ndim = shape.length;
    for (const op of this.operands_) {
      if (op.tensor_ === null || op.will_resize) continue;
      const sizes = config.static_shape_ !== null ? shape : op.tensor_.sizes();
      const own = op.tensor_.strides();
      const shift = ndim - sizes.length;
      const strides = new Array<number>(ndim);
      for (let i = 0; i < shift; i++) strides[i] = 0;
      for (let i = 0; i < sizes.length; i++) {
        strides[shift + i] = sizes[i] === 1 && shape[shift + i] !== 1 ? 0 : own[i];
      }
      op.strides = strides;
    }
  }

  /** 1 if `dim0` should come after `dim1`; -1 if before; 0 if no operand decides. */
  private should_swap(dim0: number, dim1: number): number {
    const operands = this.operands_;
    for (let arg = 0; arg < operands.length; arg++) {
      const op = operands[arg];
      if (op.strides === null || op.will_resize) continue;
      const stride0 = op.strides[dim0];
      const stride1 = op.strides[dim1];
      // Reduced dimensions, whose output stride is 0, come first.
      if (this.is_reduction_ && op.is_output && (stride0 === 0) !== (stride1 === 0)) return stride1 === 0 ? 1 : -1;
      if (stride0 === 0 || stride1 === 0) continue;
      if (stride0 !== stride1) return stride0 < stride1 ? -1 : 1;
      if (this.shape_[dim0] > this.shape_[dim1]) return 1;
    }
    return 0;
  }

  private reorder_dimensions(): void {
    const ndim = this.shape_.length;
    const perm = INVERTED[ndim]?.slice() ?? Array.from({ length: ndim }, (_, i) => ndim - 1 - i);
    if (ndim > 1 && !this.enforce_linear_iteration_) {
      // An insertion sort that stops at the first operand that decides: it is stable, and right for ambiguous strides.
      for (let i = 1; i < ndim; i++) {
        let dim1 = i;
        for (let dim0 = i - 1; dim0 >= 0; dim0--) {
          const comparison = this.should_swap(perm[dim0], perm[dim1]);
          if (comparison > 0) {
            const swapped = perm[dim0];
            perm[dim0] = perm[dim1];
            perm[dim1] = swapped;
            dim1 = dim0;
          } else if (comparison < 0) break;
        }
      }
    }
    this.perm_ = perm;
    this.shape_ = permuted(this.shape_, perm);
    for (const op of this.operands_) if (op.strides !== null) op.strides = permuted(op.strides, perm);
  }

  private allocate_or_resize_outputs(): void {
    const perm = this.perm_ as readonly number[];
    const ndim = this.shape_.length;
    for (let i = 0; i < this.num_outputs_; i++) {
      const op = this.operands_[i];
      if (op.tensor_ !== null && !op.will_resize) {
        this.set_output(i, op.tensor_.sizes(), CONTIGUOUS_STRIDES, op.original_options(null));
        continue;
      }
      TORCH_INTERNAL_ASSERT(op.is_type_defined(), "no type for operand", i);
      const strides = new Array<number>(ndim);
      let next = 1;
      let inverted = true;
      for (let d = 0; d < ndim; d++) {
        strides[d] = next;
        next *= this.shape_[d];
        if (perm[d] !== ndim - d - 1) inverted = false;
      }
      op.strides = strides;
      this.set_output(
        i,
        this.invert_perm(this.shape_),
        inverted ? CONTIGUOUS_STRIDES : this.invert_perm(strides),
        op.original_options(null),
      );
      op.current_dtype = op.target_dtype;
    }
  }

  /** Brings a list from iteration order back to the tensors' order. */
  protected invert_perm(input: readonly number[]): number[] {
    TORCH_INTERNAL_ASSERT(!this.has_coalesced_dimensions_ && this.perm_ !== null, "no permutation to invert");
    const result = new Array<number>(input.length);
    for (let d = 0; d < input.length; d++) result[this.perm_[d]] = input[d];
    return result;
  }

  // ---- outputs

  /** Called when the geometry of output `output_idx` is known. */
  set_output(output_idx: number, sizes: readonly number[], strides: readonly number[], options: TensorOptions): void {
    const outputs = this.outputs_;
    if (outputs === null) {
      this.set_output_raw_strided(output_idx, sizes, strides, options);
      return;
    }
    outputs.set_output_raw_strided(output_idx, sizes, strides, options);
    this.output_was_set(output_idx, outputs.outputs_[output_idx]);
  }

  /** Makes or resizes an iterator's own output, in its place among the operands. */
  set_output_raw_strided(
    i: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    const op = this.operands_[i];
    if (op.tensor_ === null) {
      op.tensor_ =
        strides.length === 0
          ? at.empty_memory_format(sizes as number[], options)
          : at.empty_strided(sizes as number[], strides as number[], options);
      op.current_dtype = op.target_dtype;
    } else if (op.will_resize) {
      resize_output(op.tensor_, sizes as number[]);
      if (strides.length > 0) op.tensor_.as_strided_(sizes as number[], strides as number[]);
      else if (options.has_memory_format())
        op.tensor_.impl_.empty_tensor_restride(options.memory_format_opt() as MemoryFormat);
    }
  }

  at(i: number): Tensor {
    return this.operands_[i]?.tensor_ ?? new Tensor();
  }

  /**
   * Called when `t` is in place among a structured operator's outputs: it becomes operand `output_idx`, or the model of
   * its shape.
   */
  output_was_set(output_idx: number, t: Tensor): void {
    const op = this.operands_[output_idx];
    TORCH_INTERNAL_ASSERT(t.defined(), "output ", output_idx, " was not set");
    if (op.tensor_ === null) {
      op.tensor_ = t;
      op.current_dtype = op.target_dtype;
    } else if (op.will_resize) resized_output_was_set(op, t);
  }

  /** Copies temporaries back into the outputs they stand for. */
  cast_outputs(): void {
    for (let i = 0; i < this.num_outputs_; i++) {
      const op = this.operands_[i];
      if (op.original_tensor_ !== null) cast_output(op, op.original_tensor_);
    }
  }
}

function cast_output(op: OperandInfo, original: Tensor): void {
  if (original.scalar_type() === op.current_dtype) return;
  const temporary = op.tensor();
  // If this iterator keeps its own outputs, only the temporary was resized. A structured operator has already resized
  // the caller's tensor.
  if (!sizes_equal(original.sizes(), temporary.sizes()))
    original.resize_as_(temporary).as_strided_(temporary.sizes(), temporary.strides());
  original.copy_(temporary);
  op.restore_original_tensor();
}

function resized_output_was_set(op: OperandInfo, t: Tensor): void {
  if (op.original_tensor_ === null) {
    op.tensor_ = t;
    return;
  }
  // The caller's tensor was resized, so the temporary must be resized too.
  TORCH_INTERNAL_ASSERT(op.original_tensor_.is_same(t), "output changed while it was built");
  const temporary = op.tensor();
  resize_output(temporary, t.sizes());
  if (!sizes_equal(temporary.strides(), t.strides())) temporary.as_strided_(t.sizes(), t.strides());
}

function fresh_operands(n: number): OperandInfo[] {
  const operands: OperandInfo[] = new Array(n);
  for (let i = 0; i < n; i++) operands[i] = new OperandInfo();
  return operands;
}

function set_input(op: OperandInfo, tensor: Tensor, dtype: ScalarType): void {
  op.set_agreeing(tensor, dtype, UNIT_STRIDE);
  op.locate();
}

function set_given_output(
  op: OperandInfo,
  out: Tensor,
  a: Tensor,
  b: Tensor | null,
  c: Tensor | null,
  check_mem_overlap: boolean,
): void {
  op.set_agreeing(out, out.impl_.dtype(), UNIT_STRIDE);
  op.is_read_write = is_read_too(out, a, check_mem_overlap);
  if (b !== null && is_read_too(out, b, check_mem_overlap)) op.is_read_write = true;
  if (c !== null && is_read_too(out, c, check_mem_overlap)) op.is_read_write = true;
}

/** Whether the output is an input as well; throws if they share only part of their memory. */
function is_read_too(output: Tensor, input: Tensor, check_mem_overlap: boolean): boolean {
  if (input.impl_ === output.impl_) return true;
  if (check_mem_overlap) assert_no_partial_overlap(output, input);
  return false;
}

/** Whether the tensor can be the model with which the others of the common case must agree. */
function is_model(impl: TensorImpl, config: TensorIteratorConfigBase): boolean {
  if (impl.dim() === 0 || !impl.is_contiguous() || impl.device() !== cpu) return false;
  return !(config.promote_integer_inputs_to_float_ && isIntegralType(impl.dtype(), true));
}

/** Whether strides are row-major in every dimension, also in those of one element. */
function is_row_major(impl: TensorImpl): boolean {
  const sizes = impl.sizes();
  const strides = impl.strides();
  let next = 1;
  for (let d = sizes.length - 1; d >= 0; d--) {
    if (strides[d] !== next) return false;
    next *= sizes[d];
  }
  return next > 0;
}

function agrees(impl: TensorImpl, model: TensorImpl): boolean {
  return impl.dtype() === model.dtype() && agrees_in_shape(impl, model);
}

function agrees_in_shape(impl: TensorImpl, model: TensorImpl): boolean {
  if (impl.device() !== cpu || !impl.is_contiguous()) return false;
  const sizes = impl.sizes();
  return sizes === model.sizes() || sizes_equal(sizes, model.sizes());
}

function permuted(input: readonly number[], perm: readonly number[]): number[] {
  const result = new Array<number>(perm.length);
  for (let i = 0; i < perm.length; i++) result[i] = input[perm[i]];
  return result;
}
