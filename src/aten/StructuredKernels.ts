/**
 * @file Helpers of structured kernels' wrappers, which handle outputs: make new ones; check, resize, or replace by a
 * proxy the given ones.
 * @mirrors torchgen/dest/register_dispatch_key.py#gen_registration_helpers
 * @differs The helpers are here once; PyTorch repeats them in every generated file.
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

/** Makes an output for a dispatch key. Without strides it is row-major, or as `options` say. */
export type CreateOut = (sizes: readonly number[], strides: readonly number[], options: TensorOptions) => Tensor;

export function create_out_CPU(sizes: readonly number[], strides: readonly number[], options: TensorOptions): Tensor {
  return strides.length === 0 ? empty_cpu_options(sizes, options) : empty_strided_cpu_options(sizes, strides, options);
}

export function create_out_Meta(sizes: readonly number[], strides: readonly number[], options: TensorOptions): Tensor {
  return strides.length === 0
    ? empty_meta_options(sizes, options)
    : empty_strided_meta_options(sizes, strides, options);
}

/** Makes an output for backends whose structured kernels are only out operators; `options` name the backend's device. */
export function create_out_CompositeExplicitAutogradNonFunctional(
  sizes: readonly number[],
  strides: readonly number[],
  options: TensorOptions,
): Tensor {
  return strides.length === 0
    ? at.empty_memory_format([...sizes], options)
    : at.empty_strided([...sizes], [...strides], options);
}

/** The output of a functional variant before meta has set it. */
export const undefined_output = new Tensor();

/** Resizes an `out=` tensor; its dtype and device must be those of the result. */
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
  // A tensor that already has the size keeps its strides, whatever meta prefers.
  if (!resized) return;
  if (strides.length > 0) {
    TORCH_INTERNAL_ASSERT(options.memory_format_opt() === null);
    out.as_strided_([...sizes], [...strides]);
    return;
  }
  const memory_format = options.memory_format_opt();
  if (memory_format !== null) out.unsafeGetTensorImpl().empty_tensor_restride(memory_format);
}

/**
 * Checks that `self` has the geometry of an in-place result. TensorIterator kernels have checked it before; others
 * (`addmm_`) have not.
 */
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

/** If `out` has other strides than `strides`, a temporary tensor that has them. */
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
