/**
 * @file Batching rules of operators on several tensors, element by element.
 * @mirrors aten/src/ATen/functorch/BatchRulesBinaryOps.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  ISSUES,
  maybePadToLogicalRank,
  moveBatchDimToFront,
  names,
  type RuleResult,
  rankWithoutBatchDim,
  rules_for,
  vmapIncompatibleInplaceError,
} from "./BatchRulesHelper.ts";
import { batch_in_front, pointwise, pointwise_boxed, pointwise_boxed_unchecked, unary } from "./BoxedBatchRules.ts";

const two_tensors = names(`
  __ilshift__.Scalar __ilshift__.Tensor __irshift__.Scalar __irshift__.Tensor __lshift__.Scalar __lshift__.Tensor __rshift__.Scalar
  __rshift__.Tensor add.Scalar add.Tensor add_.Scalar atan2 atan2_ bitwise_and.Scalar bitwise_and.Scalar_Tensor
  bitwise_and.Tensor bitwise_and_.Scalar bitwise_and_.Tensor bitwise_left_shift.Scalar_Tensor bitwise_left_shift.Tensor
  bitwise_left_shift.Tensor_Scalar bitwise_left_shift_.Tensor bitwise_left_shift_.Tensor_Scalar bitwise_or.Scalar
  bitwise_or.Scalar_Tensor bitwise_or.Tensor bitwise_or_.Scalar bitwise_or_.Tensor bitwise_right_shift.Scalar_Tensor
  bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar bitwise_right_shift_.Tensor bitwise_right_shift_.Tensor_Scalar
  bitwise_xor.Scalar bitwise_xor.Scalar_Tensor bitwise_xor.Tensor bitwise_xor_.Scalar bitwise_xor_.Tensor clamp_max_ clamp_max_.Tensor
  clamp_min_ clamp_min_.Tensor copysign.Scalar copysign.Tensor copysign_.Scalar copysign_.Tensor div.Scalar div.Scalar_mode div.Tensor
  div.Tensor_mode div_.Scalar div_.Tensor div_.Tensor_mode elu_backward eq.Scalar eq.Tensor floor_divide floor_divide.Scalar fmax fmin
  fmod.Scalar fmod.Tensor gcd gcd_ ge.Scalar ge.Tensor gelu_backward gt.Scalar gt.Tensor hardshrink_backward hardsigmoid_backward
  hardswish_backward hardtanh_backward hypot igamma igammac lcm lcm_ le.Scalar le.Tensor leaky_relu_backward logaddexp logaddexp2
  logical_and logical_and_ logical_or logical_or_ logical_xor logical_xor_ logit_backward lt.Scalar lt.Tensor maximum minimum mul.Scalar
  mul.Tensor mul_.Scalar mul_.Tensor ne.Scalar ne.Tensor polygamma pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor pow_.Scalar
  remainder.Scalar remainder.Scalar_Tensor remainder.Tensor rsub.Scalar rsub.Tensor sigmoid_backward silu_backward softplus_backward
  softshrink_backward special_xlog1py special_xlog1py.other_scalar special_xlog1py.self_scalar special_zeta special_zeta.other_scalar
  special_zeta.self_scalar sub.Scalar sub.Tensor sub_.Scalar sub_.Tensor tanh_backward threshold_backward xlogy.Scalar_Other
  xlogy.Scalar_Self xlogy.Tensor
`);

const more_tensors = names(`
  addcdiv addcmul clamp clamp.Tensor clamp_max clamp_max.Tensor clamp_min clamp_min.Tensor lerp.Scalar lerp.Tensor where.self
`);

/** Both tensors with the batch dimension in front and samples of one rank. */
function lined_up(self: Tensor, self_bdim: BDim, other: Tensor, other_bdim: BDim): [Tensor, Tensor] {
  const rank = Math.max(rankWithoutBatchDim(self, self_bdim), rankWithoutBatchDim(other, other_bdim));
  return [
    maybePadToLogicalRank(moveBatchDimToFront(self, self_bdim), self_bdim, rank),
    maybePadToLogicalRank(moveBatchDimToFront(other, other_bdim), other_bdim, rank),
  ];
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...rules_for(two_tensors, pointwise),
    ...rules_for(more_tensors, pointwise_boxed),
    _prelu_kernel: pointwise_boxed,
    _prelu_kernel_backward: pointwise_boxed,
    log_sigmoid_forward: unary,
    log_sigmoid_backward: pointwise_boxed,
    "frexp.Tensor": unary,
    "add_.Tensor": pointwise_boxed_unchecked,
    "masked_fill_.Scalar": pointwise_boxed,
    "fill_.Tensor"(self: Tensor, self_bdim: BDim, value: Tensor, value_bdim: BDim): RuleResult {
      if (value_bdim === null) {
        at.fill__Tensor(self, value);
        return undefined;
      }
      if (self_bdim === null) vmapIncompatibleInplaceError("fill_");
      const [physical, values] = lined_up(self, self_bdim, value, value_bdim);
      physical.copy_(values);
      return undefined;
    },
    copy_(self: Tensor, self_bdim: BDim, src: Tensor, src_bdim: BDim, non_blocking: boolean): RuleResult {
      if (self_bdim === null && src_bdim !== null) vmapIncompatibleInplaceError("inplace arithmetic");
      const [physical, values] = lined_up(self, self_bdim, src, src_bdim);
      physical.copy_(values, non_blocking);
      return undefined;
    },
    _cdist_forward: batch_in_front,
    _cdist_backward: batch_in_front,
    _euclidean_dist: batch_in_front,
    masked_select(self: Tensor, self_bdim: BDim, mask: Tensor, mask_bdim: BDim): RuleResult {
      TORCH_CHECK(
        mask_bdim === null,
        "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) ",
        "We cannot support this because for each batch this would return a ",
        "differently shaped Tensor. ",
        ISSUES,
      );
      const physical = moveBatchDimToFront(self, self_bdim);
      const batch_size = physical.size(0);
      const rank = Math.max(physical.dim() - 1, mask.dim());
      const padded = maybePadToLogicalRank(physical, 0, rank);
      const result = at.masked_select(padded, mask);
      return [result.view([batch_size, batch_size === 0 ? 0 : result.numel() / batch_size]), 0];
    },
  }),
);
