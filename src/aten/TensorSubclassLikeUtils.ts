/**
 * @file Detection of tensors that may be subclasses: composites then avoid in-place writes and reading of values.
 * @mirrors aten/src/ATen/TensorSubclassLikeUtils.h
 */
import { BackendComponent, DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TorchDispatchModeTLS } from "#c10/core/impl/TorchDispatchModeTLS";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";

const kTensorSubclassLike = DispatchKeySet.of(
  DispatchKey.FuncTorchGradWrapper,
  DispatchKey.FuncTorchBatched,
  DispatchKey.Functionalize,
  DispatchKey.Batched,
  DispatchKey.Sparse,
  DispatchKey.SparseCsr,
  DispatchKey.Python,
).or(DispatchKeySet.ofBackends(BackendComponent.MetaBit));

/** Whether the tensor may be a subclass; under a mode every tensor may be one. */
export function isTensorSubclassLike(tensor: Tensor): boolean {
  return TorchDispatchModeTLS.any_modes_set() || tensor.key_set().has_any(kTensorSubclassLike);
}

export function areAnyTensorSubclassLike(tensors: readonly Tensor[]): boolean {
  return tensors.some(isTensorSubclassLike);
}

/** Whether a bool without dims is true. */
export function is_scalar_tensor_true(t: Tensor): boolean {
  TORCH_INTERNAL_ASSERT(t.dim() === 0 && t.scalar_type() === ScalarType.Bool);
  return at.equal(t, t.new_ones([], t.options()));
}
