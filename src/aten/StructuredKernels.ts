/**
 * @file What the wrappers of structured kernels do with outputs: make them, or check, resize, replace by a proxy those that exist.
 * @mirrors torchgen/dest/register_dispatch_key.py#gen_registration_helpers
 * @differs PyTorch repeats these helpers in every generated file.
 */
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import {
  empty_cpu_options,
  empty_meta_options,
  empty_strided_cpu_options,
  empty_strided_meta_options,
} from "./EmptyTensor.ts";
import { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";
import { resize_output } from "./native/Resize.ts";
import { as_strided__symint } from "./native/TensorShape/index.ts";

/** Makes an output of a key's tensors; no strides: row-major, or as `options` ask. */
export type CreateOut = (sizes: readonly number[], strides: readonly number[], options: TensorOptions) => Tensor;

export function create_out_CPU(sizes: readonly number[], strides: readonly number[], options: TensorOptions): Tensor {
  return strides.length === 0 ? empty_cpu_options(sizes, options) : empty_strided_cpu_options(sizes, strides, options);
}

export function create_out_Meta(sizes: readonly number[], strides: readonly number[], options: TensorOptions): Tensor {
  return strides.length === 0
    ? empty_meta_options(sizes, options)
    : empty_strided_meta_options(sizes, strides, options);
}

/** For backends whose structured kernels are out operators only: whose tensors these are, `options` tell. */
export function create_out_CompositeExplicitAutogradNonFunctional(
  sizes: readonly number[],
  strides: readonly number[],
  options: TensorOptions,
): Tensor {
  return strides.length === 0
    ? at.empty_memory_format([...sizes], options)
    : at.empty_strided([...sizes], [...strides], options);
}

/** What a functional variant's output is before meta has announced it. */
export const undefined_output = new Tensor();

/** An `out=` tensor must have the dtype and device of the result; its shape is made to fit. */
export function resize_out(
  out: Tensor,
  sizes: readonly number[],
  strides: readonly number[],
  options: TensorOptions,
): void {
  TORCH_CHECK(
    options.dtype() === out.scalar_type(),
    "Expected out tensor to have dtype ",
    typeMetaName(options.dtype()),
    ", but got ",
    typeMetaName(out.scalar_type()),
    " instead",
  );
  TORCH_CHECK(
    options.device().eq(out.device()),
    "Expected out tensor to have device ",
    options.device(),
    ", but got ",
    out.device(),
    " instead",
  );
  const resized = resize_output(out, sizes);
  // A tensor that already fits keeps its strides, whatever meta would like.
  if (!resized) return;
  if (strides.length > 0) {
    TORCH_INTERNAL_ASSERT(options.memory_format_opt() === null);
    as_strided__symint(out, [...sizes], [...strides], null);
    return;
  }
  const memory_format = options.memory_format_opt();
  if (memory_format !== null) out.unsafeGetTensorImpl().empty_tensor_restride(memory_format);
}

/** An in-place result must be what `self` already is. TensorIterator kernels have checked this before, others (`addmm_`) have not. */
export function check_inplace(self: Tensor, sizes: readonly number[], options: TensorOptions): void {
  TORCH_CHECK(
    options.dtype() === self.scalar_type(),
    "Bad in-place call: input tensor dtype ",
    typeMetaName(self.scalar_type()),
    " and output tensor dtype ",
    typeMetaName(options.dtype()),
    " should match",
  );
  TORCH_CHECK(
    options.device().eq(self.device()),
    "Bad in-place call: input tensor device ",
    self.device(),
    " and output tensor device ",
    options.device(),
    " should match",
  );
  TORCH_CHECK(
    sameNumbers(sizes, self.sizes()),
    "Bad in-place call: input tensor size ",
    self.sizes(),
    " and output tensor size ",
    sizes,
    " should match",
  );
}

/** A tensor with exactly `strides` to compute into, if `out` has others. */
export function maybe_create_proxy(
  out: Tensor,
  sizes: readonly number[],
  strides: readonly number[],
  create_out: CreateOut,
  options: TensorOptions,
): Tensor | null {
  return sameNumbers(out.strides(), strides) ? null : create_out(sizes, strides, options);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
