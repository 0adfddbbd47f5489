/**
 * @file Batching rules of operators on one tensor, element by element.
 * @mirrors aten/src/ATen/functorch/BatchRulesUnaryOps.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { type BDim, batch_rules, moveBatchDimToFront, names, rules_for } from "./BatchRulesHelper.ts";
import { unary } from "./BoxedBatchRules.ts";

const pointwise_operators = names(`
  _conj abs abs_ acos acos_ acosh acosh_ angle asin asin_ asinh asinh_ atan atan_ atanh atanh_ bitwise_not bitwise_not_ ceil ceil_ celu
  celu_ cos cos_ cosh cosh_ deg2rad deg2rad_ digamma digamma_ elu elu_ erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expm1
  expm1_ floor floor_ frac frac_ gelu hardshrink hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh hardtanh_ i0 i0_ isinf isnan
  isneginf isposinf leaky_relu leaky_relu_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_ log_ logical_not logical_not_ logit
  logit_ mish mish_ mvlgamma mvlgamma_ nan_to_num nan_to_num_ neg neg_ rad2deg rad2deg_ reciprocal reciprocal_ relu relu_ round
  round.decimals round_ round_.decimals rsqrt rsqrt_ sgn sgn_ sigmoid sigmoid_ sign sign_ signbit silu silu_ sin sin_ sinc sinc_ sinh
  sinh_ softplus softshrink special_erfcx special_i1 sqrt sqrt_ tan tan_ tanh tanh_ threshold threshold_ trunc trunc_ alias detach zero_
  fill_.Scalar
`);

function check_memory_format(operator: string, memory_format: MemoryFormat | null): void {
  TORCH_CHECK(
    memory_format === null || memory_format === MemoryFormat.Preserve || memory_format === MemoryFormat.Contiguous,
    `NYI: Tensor.${operator}(memory_format) inside vmap is only supported with `,
    "memory_format torch.preserve_format or torch.contiguous_format (got ",
    memory_format === MemoryFormat.ChannelsLast ? "ChannelsLast" : "ChannelsLast3d",
    ")",
  );
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...rules_for(pointwise_operators, unary),
    clone(self: Tensor, bdim: BDim, memory_format: MemoryFormat | null) {
      check_memory_format("clone", memory_format);
      // A contiguous clone is one of each sample.
      if (memory_format === MemoryFormat.Contiguous)
        return [at.clone(moveBatchDimToFront(self, bdim), memory_format), 0];
      return [at.clone(self, memory_format), bdim];
    },
    _to_copy(
      self: Tensor,
      bdim: BDim,
      dtype: ScalarType | null,
      layout: Layout | null,
      device: Device | null,
      pin_memory: boolean | null,
      non_blocking: boolean,
      memory_format: MemoryFormat | null,
    ) {
      const options = new TensorOptions(dtype, layout, device, pin_memory);
      return [at._to_copy(self, options, non_blocking, memory_format), bdim];
    },
  }),
);
