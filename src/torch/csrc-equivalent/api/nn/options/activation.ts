/**
 * @file Options of activations. Those of a module serve its function too, unless the function has more of them.
 * @mirrors torch/csrc/api/include/torch/nn/options/activation.h
 */
import type { ScalarType } from "#c10/core/ScalarType";
import { bool, double, int64, type Made, optional, string, TORCH_OPTIONS, tensor } from "../../arg.ts";

export const ELUOptions = TORCH_OPTIONS("ELUOptions", [], { alpha: double(1), inplace: bool(false) });
export type ELUOptions = Made<typeof ELUOptions>;

export const SELUOptions = TORCH_OPTIONS("SELUOptions", ["inplace"], { inplace: bool(false) });
export type SELUOptions = Made<typeof SELUOptions>;

export const GLUOptions = TORCH_OPTIONS("GLUOptions", ["dim"], { dim: int64(-1) });
export type GLUOptions = Made<typeof GLUOptions>;

export const GELUOptions = TORCH_OPTIONS("GELUOptions", [], { approximate: string("none") });
export type GELUOptions = Made<typeof GELUOptions>;

export const HardshrinkOptions = TORCH_OPTIONS("HardshrinkOptions", ["lambda"], { lambda: double(0.5) });
export type HardshrinkOptions = Made<typeof HardshrinkOptions>;

export const HardtanhOptions = TORCH_OPTIONS("HardtanhOptions", [], {
  min_val: double(-1),
  max_val: double(1),
  inplace: bool(false),
});
export type HardtanhOptions = Made<typeof HardtanhOptions>;

export const LeakyReLUOptions = TORCH_OPTIONS("LeakyReLUOptions", [], {
  negative_slope: double(1e-2),
  inplace: bool(false),
});
export type LeakyReLUOptions = Made<typeof LeakyReLUOptions>;

/** `dim` is the dimension whose sum is 1. */
export const SoftmaxOptions = TORCH_OPTIONS("SoftmaxOptions", ["dim"], { dim: int64() });
export type SoftmaxOptions = Made<typeof SoftmaxOptions>;
/** `dtype` is the type to which the input is converted first. */
export const SoftmaxFuncOptions = TORCH_OPTIONS("SoftmaxFuncOptions", ["dim"], {
  dim: int64(),
  dtype: optional<ScalarType>(),
});
export type SoftmaxFuncOptions = Made<typeof SoftmaxFuncOptions>;

export const SoftminOptions = TORCH_OPTIONS("SoftminOptions", ["dim"], { dim: int64() });
export type SoftminOptions = Made<typeof SoftminOptions>;
export const SoftminFuncOptions = TORCH_OPTIONS("SoftminFuncOptions", ["dim"], {
  dim: int64(),
  dtype: optional<ScalarType>(),
});
export type SoftminFuncOptions = Made<typeof SoftminFuncOptions>;

export const LogSoftmaxOptions = TORCH_OPTIONS("LogSoftmaxOptions", ["dim"], { dim: int64() });
export type LogSoftmaxOptions = Made<typeof LogSoftmaxOptions>;
export const LogSoftmaxFuncOptions = TORCH_OPTIONS("LogSoftmaxFuncOptions", ["dim"], {
  dim: int64(),
  dtype: optional<ScalarType>(),
});
export type LogSoftmaxFuncOptions = Made<typeof LogSoftmaxFuncOptions>;

export const PReLUOptions = TORCH_OPTIONS("PReLUOptions", [], { num_parameters: int64(1), init: double(0.25) });
export type PReLUOptions = Made<typeof PReLUOptions>;

export const ReLUOptions = TORCH_OPTIONS("ReLUOptions", ["inplace"], { inplace: bool(false) });
export type ReLUOptions = Made<typeof ReLUOptions>;

export const ReLU6Options = TORCH_OPTIONS("ReLU6Options", ["inplace"], { inplace: bool(false) });
export type ReLU6Options = Made<typeof ReLU6Options>;

export const RReLUOptions = TORCH_OPTIONS("RReLUOptions", [], {
  lower: double(1 / 8),
  upper: double(1 / 3),
  inplace: bool(false),
});
export type RReLUOptions = Made<typeof RReLUOptions>;
export const RReLUFuncOptions = TORCH_OPTIONS("RReLUFuncOptions", [], {
  lower: double(1 / 8),
  upper: double(1 / 3),
  training: bool(false),
  inplace: bool(false),
});
export type RReLUFuncOptions = Made<typeof RReLUFuncOptions>;

export const CELUOptions = TORCH_OPTIONS("CELUOptions", [], { alpha: double(1), inplace: bool(false) });
export type CELUOptions = Made<typeof CELUOptions>;

export const SoftplusOptions = TORCH_OPTIONS("SoftplusOptions", [], { beta: double(1), threshold: double(20) });
export type SoftplusOptions = Made<typeof SoftplusOptions>;

export const SoftshrinkOptions = TORCH_OPTIONS("SoftshrinkOptions", ["lambda"], { lambda: double(0.5) });
export type SoftshrinkOptions = Made<typeof SoftshrinkOptions>;

export const ThresholdOptions = TORCH_OPTIONS("ThresholdOptions", ["threshold", "value"], {
  threshold: double(),
  value: double(),
  inplace: bool(false),
});
export type ThresholdOptions = Made<typeof ThresholdOptions>;

export const GumbelSoftmaxFuncOptions = TORCH_OPTIONS("GumbelSoftmaxFuncOptions", [], {
  tau: double(1),
  hard: bool(false),
  dim: int64(-1),
});
export type GumbelSoftmaxFuncOptions = Made<typeof GumbelSoftmaxFuncOptions>;

export const MultiheadAttentionOptions = TORCH_OPTIONS("MultiheadAttentionOptions", ["embed_dim", "num_heads"], {
  embed_dim: int64(),
  num_heads: int64(),
  dropout: double(0),
  bias: bool(true),
  add_bias_kv: bool(false),
  add_zero_attn: bool(false),
  kdim: { ...int64(0), initial: { like: "embed_dim" } },
  vdim: { ...int64(0), initial: { like: "embed_dim" } },
});
export type MultiheadAttentionOptions = Made<typeof MultiheadAttentionOptions>;

export const MultiheadAttentionForwardFuncOptions = TORCH_OPTIONS(
  "MultiheadAttentionForwardFuncOptions",
  [
    "embed_dim_to_check",
    "num_heads",
    "in_proj_weight",
    "in_proj_bias",
    "bias_k",
    "bias_v",
    "add_zero_attn",
    "dropout_p",
    "out_proj_weight",
    "out_proj_bias",
  ],
  {
    embed_dim_to_check: int64(),
    num_heads: int64(),
    in_proj_weight: tensor,
    in_proj_bias: tensor,
    bias_k: tensor,
    bias_v: tensor,
    add_zero_attn: bool(),
    dropout_p: double(),
    out_proj_weight: tensor,
    out_proj_bias: tensor,
    training: bool(true),
    key_padding_mask: tensor,
    need_weights: bool(true),
    attn_mask: tensor,
    use_separate_proj_weight: bool(false),
    q_proj_weight: tensor,
    k_proj_weight: tensor,
    v_proj_weight: tensor,
    static_k: tensor,
    static_v: tensor,
    average_attn_weights: bool(true),
  },
);
export type MultiheadAttentionForwardFuncOptions = Made<typeof MultiheadAttentionForwardFuncOptions>;
