/**
 * @file `cat` and `stack`: several tensors are copied into one. `stack` is `cat` plus a view wherever the new dimension
 * is not last.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import { sizes_equal } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { copy_stub } from "#aten/native/Copy";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { result_type } from "#aten/native/TypeProperties";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { computeStride } from "#aten/TensorUtils/index";
import { cat_should_skip_tensor, legacy_cat_wrap_dim } from "#aten/WrapDimUtils";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { canCast, isFloatingType, type ScalarType, toString } from "#c10/core/ScalarType";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_CHECK_TYPE, TORCH_CHECK_VALUE } from "#c10/util/Exception";

export const cat_serial_stub =
  DEFINE_DISPATCH<(result: Tensor, tensors: readonly Tensor[], dim: number) => void>("cat_serial_stub");

function check_cat_shape_except_dim(first: Tensor, second: Tensor, dimension: number, index: number): void {
  const first_dims = first.dim();
  const second_dims = second.dim();
  TORCH_CHECK(
    first_dims === second_dims,
    "Tensors must have same number of dimensions: got ",
    first_dims,
    " and ",
    second_dims,
  );
  for (let dim = 0; dim < first_dims; dim++) {
    if (dim === dimension) continue;
    const expected = first.sizes()[dim];
    const actual = second.sizes()[dim];
    TORCH_CHECK(
      expected === actual,
      "Sizes of tensors must match except in dimension ",
      dimension,
      ". Expected size ",
      expected,
      " but got size ",
      actual,
      " for tensor number ",
      index,
      " in the list.",
    );
  }
}

function cat_check_no_zero_dim(tensors: readonly Tensor[]): void {
  for (let i = 0; i < tensors.length; i++) {
    TORCH_CHECK(tensors[i].dim() > 0, "zero-dimensional tensor (at position ", i, ") cannot be concatenated");
  }
}

/** Channels last only if every input is. */
function cat_compute_output_memory_format(inputs: readonly Tensor[]): MemoryFormat {
  let format: MemoryFormat | null = null;
  for (const t of inputs) {
    const f = t.suggest_memory_format();
    if (f === MemoryFormat.Contiguous || (format !== null && format !== f)) return MemoryFormat.Contiguous;
    format = f;
  }
  return format ?? MemoryFormat.Contiguous;
}

/** Facts about the inputs that meta finds and passes to impl in place of `dim`. */
export interface cat_precompute {
  readonly dim: number;
  /** Index of the first input that takes part. Inputs of shape (0) are skipped, whatever the shape of the others. */
  readonly valid: number;
  readonly all_contiguous: boolean;
  readonly all_same_dtype: boolean;
  readonly all_same_sizes_and_stride: boolean;
  readonly memory_format: MemoryFormat;
}

// cat(Tensor[] tensors, int dim=0) -> Tensor
export abstract class structured_cat extends MetaBase {
  meta(tensors: Tensor[], dim_: number): cat_precompute {
    TORCH_CHECK_VALUE(tensors.length > 0, "torch.cat(): expected a non-empty list of Tensors");
    cat_check_no_zero_dim(tensors);
    const dim = legacy_cat_wrap_dim(dim_, tensors);
    const first = tensors[0];
    const result = this.maybe_get_output(0);
    const common_dtype = result_type(...tensors);
    let out_dtype: ScalarType = common_dtype;
    if (result.defined()) {
      out_dtype = result.scalar_type();
      TORCH_CHECK_TYPE(
        canCast(common_dtype, out_dtype),
        "torch.cat(): input types can't be cast to the desired output type ",
        toString(out_dtype),
      );
    }
    const valid = tensors.findIndex((t) => !cat_should_skip_tensor(t));
    const memory_format = cat_compute_output_memory_format(tensors);
    const reference = tensors[Math.max(valid, 0)];
    let all_contiguous = true;
    let all_same_dtype = true;
    let all_same_sizes_and_stride = valid === 0;
    let sizes = [0];
    let size_at_dim = 0;
    for (let i = 0; i < tensors.length; i++) {
      const t = tensors[i];
      all_same_dtype &&= t.scalar_type() === out_dtype;
      if (cat_should_skip_tensor(t)) {
        all_contiguous = false;
        all_same_sizes_and_stride = false;
        continue;
      }
      check_cat_shape_except_dim(reference, t, dim, i);
      size_at_dim += t.size(dim);
      all_contiguous &&= t.is_contiguous(memory_format);
      all_same_sizes_and_stride &&=
        sizes_equal(t.sizes(), reference.sizes()) && sizes_equal(t.strides(), reference.strides());
    }
    if (valid >= 0) {
      sizes = reference.sizes().slice();
      sizes[dim] = size_at_dim;
    }
    const options = first.options().dtype(out_dtype).memory_format(memory_format);
    this.set_output_raw_strided(0, sizes, [], options);
    if (result.defined() && valid >= 0) {
      const out = this.maybe_get_output(0);
      assert_no_internal_overlap(out);
      for (const t of tensors) assert_no_overlap(out, t);
    }
    all_contiguous &&= this.maybe_get_output(0).is_contiguous(memory_format);
    return { dim, valid, all_contiguous, all_same_dtype, all_same_sizes_and_stride, memory_format };
  }
}

/** Copies, and converts if the dtypes differ. */
function copy_into_slice(result_slice: Tensor, source: Tensor): void {
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false) // meta has checked the whole result
    .resize_outputs(false)
    .add_output(result_slice)
    .add_const_input(source)
    .promote_inputs_to_common_dtype(true)
    .cast_common_dtype_to_outputs(true)
    .enforce_safe_casting_to_output(true)
    .build();
  copy_stub.call(iter.device_type(0), iter, false);
  iter.cast_outputs();
}

// cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)          CPU
export abstract class structured_cat_out_cpu extends structured_cat {
  impl(
    tensors: Tensor[],
    dim: number,
    valid: number,
    all_contiguous: boolean,
    all_same_dtype: boolean,
    all_same_sizes_and_stride: boolean,
    memory_format: MemoryFormat,
    result: Tensor,
  ): void {
    if (result.numel() === 0 || valid < 0) return;
    const rows = dim === 0 && memory_format === MemoryFormat.Contiguous && !tensors.some(cat_should_skip_tensor);
    if (all_contiguous && all_same_dtype && (rows || isFloatingType(result.scalar_type()))) {
      cat_serial_stub.call(DeviceType.CPU, result, tensors, dim);
    } else if (all_same_dtype && all_same_sizes_and_stride && result.is_contiguous(memory_format)) {
      cat_equal_slices(tensors, dim, result);
    } else {
      let offset = 0;
      for (const t of tensors) {
        if (cat_should_skip_tensor(t)) continue;
        const size = t.sizes()[dim];
        copy_into_slice(result.narrow(dim, offset, size), t);
        offset += size;
      }
    }
  }
}

/** Copies inputs of one geometry: the first slice of the result serves all of them; it is moved along `dim` by hand. */
function cat_equal_slices(tensors: readonly Tensor[], dim: number, result: Tensor): void {
  const slice_size = tensors[0].sizes()[dim];
  const first = result.narrow(dim, 0, slice_size);
  const step = slice_size * result.strides()[dim];
  const impl = first.impl_;
  for (let i = 0; i < tensors.length; i++) {
    const slice = TensorImpl.view(impl.storage(), impl.key_set_, impl.dtype());
    slice.set_sizes_and_strides(impl.sizes(), impl.strides(), impl.storage_offset() + i * step);
    copy_into_slice(new Tensor(slice), tensors[i]);
  }
}

function check_stack_inputs(tensors: readonly Tensor[]): void {
  const entry_shape = tensors[0].sizes();
  for (let i = 1; i < tensors.length; i++) {
    const shape = tensors[i].sizes();
    TORCH_CHECK(
      sizes_equal(shape, entry_shape),
      "stack expects each tensor to be equal size, but got ",
      entry_shape,
      " at entry 0 and ",
      shape,
      " at entry ",
      i,
    );
  }
}

function get_stack_inputs(tensors: readonly Tensor[], dim: number): Tensor[] {
  check_stack_inputs(tensors);
  return tensors.map((t) => t.unsqueeze(dim));
}

// stack(Tensor[] tensors, int dim=0) -> Tensor                                   CompositeExplicitAutograd
export function stack(tensors: Tensor[], dim: number): Tensor {
  TORCH_CHECK(tensors.length > 0, "stack expects a non-empty TensorList");
  const first = tensors[0];
  const wrapped_dim = maybe_wrap_dim(dim, first.dim() + 1);
  if (wrapped_dim < first.dim()) {
    // (n, m) next to (n, m) along 0 gives (2n, m), and splitting a dimension is always a view: (2, n, m).
    check_stack_inputs(tensors);
    const result_sizes = first.sizes().slice();
    result_sizes.splice(wrapped_dim, 0, tensors.length);
    return at.cat(tensors, wrapped_dim).view(result_sizes);
  }
  return at.cat(get_stack_inputs(tensors, dim), dim);
}

// stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)        CompositeExplicitAutograd
export function stack_out(tensors: Tensor[], dim: number, result: Tensor): Tensor {
  TORCH_CHECK(tensors.length > 0, "stack expects a non-empty TensorList");
  const first = tensors[0];
  const wrapped_dim = maybe_wrap_dim(dim, first.dim() + 1);
  if (wrapped_dim < first.dim()) {
    check_stack_inputs(tensors);
    const result_sizes = first.sizes().slice();
    result_sizes.splice(wrapped_dim, 0, tensors.length);
    resize_output(result, result_sizes);
    const cat_sizes = first.sizes().slice();
    cat_sizes[wrapped_dim] = cat_sizes[wrapped_dim] * tensors.length;
    if (computeStride(result.sizes(), result.strides(), cat_sizes) !== null) {
      at.cat_out(tensors, wrapped_dim, result.view(cat_sizes));
      return result;
    }
  }
  return at.cat_out(get_stack_inputs(tensors, dim), dim, result);
}

// concat(Tensor[] tensors, int dim=0) -> Tensor                                  CompositeImplicitAutograd
/** Alias of `cat`. */
export function concat(tensors: Tensor[], dim: number): Tensor {
  return at.cat(tensors, dim);
}

export function concat_out(tensors: Tensor[], dim: number, out: Tensor): Tensor {
  return at.cat_out(tensors, dim, out);
}

export function concatenate(tensors: Tensor[], dim: number): Tensor {
  return at.cat(tensors, dim);
}

export function concatenate_out(tensors: Tensor[], dim: number, out: Tensor): Tensor {
  return at.cat_out(tensors, dim, out);
}
