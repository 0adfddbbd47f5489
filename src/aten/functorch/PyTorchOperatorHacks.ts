/**
 * @file Operators that PyTorch decomposes before any transform sees them, so that each part meets its own rule.
 * @mirrors aten/src/ATen/functorch/PyTorchOperatorHacks.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DispatchKey } from "#c10/core/DispatchKey";
import { batch_rules, decomposed, names, rules_for } from "./BatchRulesHelper.ts";

/** A product, and the bias added to it, as `linear` is for tensors that are no matrices. */
function linear(input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  if (input.dim() === 2 && bias !== null) return at.addmm(bias, input, weight.t());
  const output = at.matmul(input, weight.t());
  return bias === null ? output : at.add_Tensor(output, bias);
}

/** The operator's composite kernel, which calls others. */
const composite = CppFunction.makeFromBoxedFunction((op: OperatorHandle, _ks, stack: Stack) => {
  Dispatcher.singleton().callBoxedForDispatchKey(op, DispatchKey.CompositeImplicitAutograd, stack);
}, "composite_hack");

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchDynamicLayerFrontMode",
  batch_rules({
    linear: decomposed(linear),
    ...rules_for(
      names(`
        alpha_dropout alpha_dropout_ dropout dropout_ feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_
        index_select_backward trace_backward
      `),
      composite,
    ),
  }),
);
