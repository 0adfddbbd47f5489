/**
 * @file Operator for a whole Transformer encoder layer, for evaluation.
 * @mirrors aten/src/ATen/native/transformers/transformer.cpp
 * @differs Ours has no nested tensors; PyTorch does.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

/** @param use_gelu null means no activation */
function linear_for_ffn(bias: Tensor, mat1: Tensor, mat2: Tensor, use_gelu: boolean | null): Tensor {
  const [B, T, D] = mat1.sizes();
  const rows = mat1.view([B * T, D]);
  const result =
    use_gelu === null
      ? at.addmm(bias, rows, mat2.t())
      : at._addmm_activation(bias, rows, mat2.t(), Scalar.ONE, Scalar.ONE, use_gelu);
  return result.view([B, T, -1]);
}

function ffn(input: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, use_gelu: boolean): Tensor {
  TORCH_CHECK(input.dim() === 3, "batched input size should be 3");
  TORCH_CHECK(w1.dim() === 2, "2d weights expected");
  TORCH_CHECK(w2.dim() === 2, "2d weights expected");
  return linear_for_ffn(b2, linear_for_ffn(b1, input, w1, use_gelu), w2, null);
}

// _transformer_encoder_layer_fwd                                                                     CPU
// @parameters PyTorch's own.
export function transformer_encoder_layer_forward(
  src: Tensor,
  embed_dim: number,
  num_heads: number,
  qkv_weight: Tensor,
  qkv_bias: Tensor,
  proj_weight: Tensor,
  proj_bias: Tensor,
  use_gelu: boolean,
  norm_first: boolean,
  layer_norm_eps: number,
  layer_norm_weight_1: Tensor,
  layer_norm_bias_1: Tensor,
  layer_norm_weight_2: Tensor,
  layer_norm_bias_2: Tensor,
  ffn_weight_1: Tensor,
  ffn_bias_1: Tensor,
  ffn_weight_2: Tensor,
  ffn_bias_2: Tensor,
  mask: Tensor | null,
  mask_type: number | null,
): Tensor {
  if (src.numel() === 0) return src.clone();
  const norm1 = (t: Tensor) =>
    at.layer_norm(t, [embed_dim], layer_norm_weight_1, layer_norm_bias_1, layer_norm_eps, true);
  const norm2 = (t: Tensor) =>
    at.layer_norm(t, [embed_dim], layer_norm_weight_2, layer_norm_bias_2, layer_norm_eps, true);
  let x = norm_first ? norm1(src) : src;
  // biome-ignore format: one operand group per line
  [x] = at._native_multi_head_attention(
    x, x, x, embed_dim, num_heads,
    qkv_weight, qkv_bias, proj_weight, proj_bias,
    mask, false, true, mask_type,
  );
  x.add__Tensor(src);
  if (!norm_first) x = norm1(x);
  const pre_ffn_res = x;
  if (norm_first) x = norm2(x);
  x = ffn(x, ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2, use_gelu);
  x.add__Tensor(pre_ffn_res);
  return norm_first ? x : norm2(x);
}
