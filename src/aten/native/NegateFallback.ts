/**
 * @file The Negative key: a tensor whose values have the opposite sign of its memory.
 * @mirrors aten/src/ATen/native/NegateFallback.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, fallthroughs, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import {
  TENSOR_UTILITIES_AND_CONSTRUCTORS,
  TORCH_VIEW_FNS,
  TORCH_VIEW_FNS_NATIVE_FN_REGISTRATION,
} from "./MathBitFallThroughLists.ts";
import { MathOpFallback } from "./MathBitsFallback.ts";

class NegFallback extends MathOpFallback {
  constructor() {
    super(DispatchKey.Negative, "negation");
  }
  protected override is_bit_set(tensor: Tensor): boolean {
    return tensor.key_set().has(DispatchKey.Negative);
  }
}

const fallback = new NegFallback();

function negationFallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  fallback.fallback_impl(op, dispatch_keys, stack);
}

TORCH_LIBRARY_IMPL("_", "Negative", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(negationFallback, "negationFallback"));
});

/** Operators that handle the bit themselves. */
const ownHandling = [
  "_has_same_storage_numel",
  "_new_zeros_with_same_feature_meta",
  "set_.source_Storage_storage_offset",
  "set_.source_Tensor",
  "set_",
  "copy_",
  "clone",
  "neg_",
  "resolve_neg",
  "repeat_interleave.Tensor",
  "repeat_interleave.self_Tensor",
  "repeat_interleave.self_int",
  "resolve_conj",
  "linalg_svd",
  "linalg_svd.U",
  "linalg_solve_triangular",
  "linalg_solve_triangular.out",
];

TORCH_LIBRARY_IMPL(
  "aten",
  "Negative",
  fallthroughs(ownHandling, TORCH_VIEW_FNS, TENSOR_UTILITIES_AND_CONSTRUCTORS, TORCH_VIEW_FNS_NATIVE_FN_REGISTRATION),
);
