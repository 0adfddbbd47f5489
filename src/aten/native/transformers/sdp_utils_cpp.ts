/**
 * @file Which kernel attention runs on the CPU: the fused one where it can, else a composite of other operators.
 * @mirrors aten/src/ATen/native/transformers/sdp_utils_cpp.h
 * @differs Nobody can switch a kernel off, so none is asked for whose reason would have to be told.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { isFloatingType } from "#c10/core/ScalarType";

/** The values that matter on the CPU. */
export const SDPBackend = { error: -1, math: 0, flash_attention: 1 } as const;
export type SDPBackend = (typeof SDPBackend)[keyof typeof SDPBackend];

export interface sdp_params {
  readonly query: Tensor;
  readonly key: Tensor;
  readonly value: Tensor;
  readonly attn_mask: Tensor | null;
  readonly dropout: number;
  readonly enable_gqa: boolean;
}

/** What scores are multiplied by. */
export function calculate_scale(query: Tensor, scale: number | null): number {
  return scale ?? 1 / Math.sqrt(query.size(-1));
}

function check_tensor_shapes({ query, key, value }: sdp_params): boolean {
  return [query, key, value].every((t) => t.dim() === 4);
}

function check_batch_size_and_num_heads_dense({ query, key, value, enable_gqa }: sdp_params): boolean {
  const [q, k, v] = [query, key, value].map((t) => t.sizes());
  if (q[0] !== k[0] || q[0] !== v[0]) return false;
  if (enable_gqa) return k[1] === v[1] && q[1] % k[1] === 0;
  return q[1] === k[1] && q[1] === v[1];
}

/** `(L or 1, S or 1)`, or with `(N or 1, heads or 1)` before it. */
function check_attn_mask_shape({ query, key, attn_mask }: sdp_params): boolean {
  if (attn_mask === null) return true;
  if (attn_mask.requires_grad()) return false;
  const one_or = (size: number, n: number) => size === n || size === 1;
  const dims = attn_mask.dim();
  if (dims !== 2 && dims !== 4) return false;
  if (!one_or(attn_mask.size(-2), query.size(2)) || !one_or(attn_mask.size(-1), key.size(2))) return false;
  return dims === 2 || (one_or(attn_mask.size(0), query.size(0)) && one_or(attn_mask.size(1), query.size(1)));
}

function check_head_dim_size_cpp({ query, key, value }: sdp_params): boolean {
  return query.size(-1) === key.size(-1) && query.size(-1) === value.size(-1);
}

function check_nonzero_sequence_lengths_dense({ query, key }: sdp_params): boolean {
  return query.size(-2) !== 0 && key.size(-2) !== 0;
}

function check_last_dim_stride_equals_1_dense({ query, key, value, attn_mask }: sdp_params): boolean {
  const of_mask = attn_mask === null || attn_mask.stride(-1) === 1 || attn_mask.size(-1) === 1;
  return of_mask && [query, key, value].every((t) => t.stride(-1) === 1);
}

function use_flash_attention_cpp(params: sdp_params): boolean {
  return (
    params.dropout <= 0 &&
    check_tensor_shapes(params) &&
    check_batch_size_and_num_heads_dense(params) &&
    check_attn_mask_shape(params) &&
    check_head_dim_size_cpp(params) &&
    check_nonzero_sequence_lengths_dense(params) &&
    check_last_dim_stride_equals_1_dense(params) &&
    isFloatingType(params.query.scalar_type())
  );
}

export function select_sdp_backend_cpp(params: sdp_params): SDPBackend {
  return use_flash_attention_cpp(params) ? SDPBackend.flash_attention : SDPBackend.math;
}
