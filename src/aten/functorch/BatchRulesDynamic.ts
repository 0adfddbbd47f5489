/**
 * @file Operators that vmap refuses, because the shape of their results, or the way of the program, depends on values.
 * @mirrors aten/src/ATen/functorch/BatchRulesDynamic.cpp
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { TORCH_CHECK } from "#c10/util/Exception";
import { batch_rules, ISSUES, names, rules_for } from "./BatchRulesHelper.ts";

const unsupportedDynamicOp = CppFunction.makeFromBoxedFunction((op) => {
  TORCH_CHECK(
    false,
    "vmap: We do not support batching operators that can output dynamic shape. ",
    "Attempted to vmap over ",
    op.schema().name(),
    ". ",
    ISSUES,
  );
}, "unsupportedDynamicOp");

/** A kernel that refuses with this text. */
const unsupported = (name: string, text: string): CppFunction =>
  CppFunction.makeFromBoxedFunction(() => {
    TORCH_CHECK(false, text);
  }, name);

const unsupportedItem = unsupported(
  "unsupportedItem",
  "vmap: It looks like you're calling .item() on a Tensor. " +
    "We don't support vmap over calling .item() on a Tensor, please try to " +
    "rewrite what you're doing with other operations. If error is occurring " +
    "somewhere inside PyTorch internals, please file a bug report.",
);

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...rules_for(
      names("nonzero where unique_dim unique_consecutive unique_dim_consecutive _unique2"),
      unsupportedDynamicOp,
    ),
    _local_scalar_dense: unsupportedItem,
    item: unsupportedItem,
    is_nonzero: unsupported(
      "unsupportedIsNonzero",
      "vmap: It looks like you're attempting to use a Tensor in some " +
        "data-dependent control flow. " +
        "We don't support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .",
    ),
    allclose: unsupported("unsupportedAllclose", `vmap over torch.allclose isn't supported yet. ${ISSUES}`),
  }),
);
