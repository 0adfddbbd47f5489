/**
 * @file Operators that PyTorch decomposes before any transform sees them, so that each part meets its own rule.
 * @mirrors aten/src/ATen/functorch/PyTorchOperatorHacks.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { Reduction } from "#aten/core/Reduction";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DispatchKey } from "#c10/core/DispatchKey";
import { Scalar } from "#c10/core/Scalar";
import { batch_rules, decomposed, names, rules_for } from "./BatchRulesHelper.ts";

/** A product, and the bias added to it, as `linear` is for tensors that are no matrices. */
function linear(input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  if (input.dim() === 2 && bias !== null) return at.addmm(bias, input, weight.t());
  const output = at.matmul(input, weight.t());
  return bias === null ? output : at.add_Tensor(output, bias);
}

function binary_cross_entropy_with_logits(
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  pos_weight: Tensor | null,
  reduction: number,
): Tensor {
  const one_minus_target = at.mul_Tensor(at.rsub_Scalar(target, Scalar.ONE), input);
  let loss = at.neg(at.log_sigmoid(input));
  if (pos_weight !== null) {
    const log_weight = at.add_Scalar(at.mul_Tensor(at.sub_Scalar(pos_weight, Scalar.ONE), target), Scalar.ONE);
    loss = at.mul_Tensor(log_weight, loss);
  }
  loss = at.add_Tensor(one_minus_target, loss);
  if (weight !== null) loss = at.mul_Tensor(loss, weight);
  if (reduction === Reduction.Mean) return at.mean(loss);
  return reduction === Reduction.Sum ? at.sum(loss) : loss;
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
    binary_cross_entropy_with_logits: decomposed(binary_cross_entropy_with_logits),
    ...rules_for(
      names(`
        alpha_dropout alpha_dropout_ dropout dropout_ feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_
        index_select_backward trace_backward
      `),
      composite,
    ),
  }),
);
