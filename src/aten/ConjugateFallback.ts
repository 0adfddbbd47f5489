/**
 * @file The Conjugate key: it marks a tensor whose numbers are to be read as conjugated.
 * @mirrors aten/src/ATen/ConjugateFallback.cpp
 * @differs No complex kernels are built, so no tensor carries the key; PyTorch's complex tensors do. Registrations are the same.
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { OperatorHandle } from "./core/dispatch/Dispatcher.ts";
import { CppFunction, fallthroughs, TORCH_LIBRARY_IMPL } from "./core/library.ts";
import type { Stack } from "./core/stack.ts";
import type { Tensor } from "./generated/core/TensorBody.ts";
import {
  TENSOR_UTILITIES_AND_CONSTRUCTORS,
  TORCH_VIEW_FNS,
  TORCH_VIEW_FNS_NATIVE_FN_REGISTRATION,
} from "./native/MathBitFallThroughLists.ts";
import { MathOpFallback } from "./native/MathBitsFallback.ts";

class ConjFallback extends MathOpFallback {
  constructor() {
    super(DispatchKey.Conjugate, "conjugate");
  }
  protected override is_bit_set(tensor: Tensor): boolean {
    return tensor.key_set().has(DispatchKey.Conjugate);
  }
}

const fallback = new ConjFallback();

function conjugateFallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  fallback.fallback_impl(op, dispatch_keys, stack);
}

TORCH_LIBRARY_IMPL("_", "Conjugate", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(conjugateFallback, "conjugateFallback"));
});

/** Operators that handle the bit themselves; the matrix products pass it to BLAS. */
const ownHandling = [
  "_has_same_storage_numel",
  "_new_zeros_with_same_feature_meta",
  "set_.source_Storage_storage_offset",
  "set_.source_Tensor",
  "set_",
  "copy_",
  "clone",
  "_conj_physical",
  "conj_physical",
  "conj_physical_",
  "resolve_conj",
  "resolve_neg",
  "repeat_interleave.Tensor",
  "repeat_interleave.self_Tensor",
  "repeat_interleave.self_int",
  "baddbmm",
  "baddbmm_",
  "baddbmm.out",
  "bmm",
  "bmm.out",
  "dot",
  "dot.out",
  "vdot",
  "vdot.out",
  "mm",
  "mm.out",
  "addmm",
  "addmm_",
  "addmm.out",
  "linalg_svd",
  "linalg_svd.U",
  "linalg_solve_triangular",
  "linalg_solve_triangular.out",
];

TORCH_LIBRARY_IMPL(
  "aten",
  "Conjugate",
  fallthroughs(ownHandling, TORCH_VIEW_FNS, TENSOR_UTILITIES_AND_CONSTRUCTORS, TORCH_VIEW_FNS_NATIVE_FN_REGISTRATION),
);
