/**
 * @file Choice of the attention kernel on the CPU: the fused one if it supports the arguments, else a composite of
 * other operators.
 * @mirrors aten/src/ATen/native/transformers/sdp_utils_cpp.h
 */

import { userEnabledFlashSDP, userEnabledMathSDP } from "#aten/Context/SDP";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { isFloatingType } from "#c10/core/ScalarType";
import { same_int } from "#c10/core/SymInt";
import { RuntimeError, TORCH_WARN } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

/** The values used on the CPU. */
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

/** The factor that multiplies the scores. */
export function calculate_scale(query: Tensor, scale: number | null): number {
  return scale ?? 1 / Math.sqrt(query.size(-1));
}

/** Whether the fused kernel supports the arguments. If `debug`, a warning says what prevents it. */
type Constraint = (params: sdp_params, debug: boolean) => boolean;

function no(debug: boolean, ...message: unknown[]): false {
  if (debug) TORCH_WARN(...message);
  return false;
}

/** Text such as `Query.size(-1): 4, Key.size(-1): 4, Value.size(-1): 5`; `name` and `of` give the parts. */
function each({ query, key, value }: sdp_params, name: string, of: (t: Tensor) => unknown): string {
  return `Query${name}${of(query)}, Key${name}${of(key)}, Value${name}${of(value)}`;
}
const sizes_of = (t: Tensor) => `[${t.sizes().join(", ")}]`;

const check_runtime_disabled_flash: Constraint = () => userEnabledFlashSDP();

const check_for_dropout: Constraint = ({ dropout }, debug) =>
  dropout <= 0 || no(debug, "Both fused kernels do not support non-zero dropout.");

const check_tensor_shapes: Constraint = (params, debug) =>
  [params.query, params.key, params.value].every((t) => t.dim() === 4) ||
  no(
    debug,
    "All fused kernels requires query, key and value to be 4 dimensional, but got ",
    each(params, " dim: ", (t) => t.dim()),
    " instead.",
  );

const check_batch_size_and_num_heads_dense: Constraint = (params, debug) => {
  const [q, k, v] = [params.query, params.key, params.value].map((t) => t.sizes());
  if (q[0] !== k[0] || q[0] !== v[0]) {
    return no(
      debug,
      "For dense inputs, both fused kernels require query, key and value to have the same batch_size. ",
      each(params, ".sizes(): ", sizes_of),
      " instead. To broadcast dense inputs, try using unsqueeze and expand_to before passing them into the kernel.",
    );
  }
  if (params.enable_gqa) {
    return (
      (k[1] === v[1] && q[1] % k[1] === 0) ||
      no(
        debug,
        "The number of heads in key/value must divide number of heads in query.",
        `Got input Key sizes(): ${k[1]}, Value sizes(): ${v[1]}, Query sizes(): ${q[1]} instead.`,
      )
    );
  }
  if (q[1] === k[1] && q[1] === v[1]) return true;
  return no(
    debug,
    "For dense input, both fused kernels require query, key and value to have the same num_heads. ",
    `Query.sizes(): ${sizes_of(params.query)}, Key sizes(): ${sizes_of(params.key)}, Value sizes(): ${sizes_of(params.value)}`,
    " instead. To broadcast dense inputs, try using unsqueeze and expand_to before passing them into the kernel.",
  );
};

/** The mask's shape: `(L or 1, S or 1)`, optionally with `(N or 1, heads or 1)` in front. */
const check_attn_mask_shape: Constraint = ({ query, key, attn_mask }, debug) => {
  if (attn_mask === null) return true;
  if (attn_mask.requires_grad()) return false;
  const one_or = (size: number, n: number) => size === n || size === 1;
  if (!one_or(attn_mask.size(-2), query.size(2)) || !one_or(attn_mask.size(-1), key.size(2))) return false;
  if (attn_mask.dim() === 2) return true;
  if (attn_mask.dim() === 4)
    if (one_or(attn_mask.size(0), query.size(0)) && one_or(attn_mask.size(1), query.size(1))) return true;
  return no(
    debug,
    "Please use the following attn mask shapes: ",
    "2d - ({Q_seq_len, 1}  x {KV_seq_len, 1}); ",
    "4d - ({Batch, 1} x {Num_heads, 1} x {Q_seq_len, 1}  x {KV_seq_len, 1})",
  );
};

const check_head_dim_size_cpp: Constraint = (params, debug) => {
  const { query, key, value } = params;
  if (query.size(-1) === key.size(-1) && query.size(-1) === value.size(-1)) return true;
  return no(
    debug,
    "Flash attention requires q,k,v to have the same last dimension.",
    ` Got ${each(params, ".size(-1): ", (t) => t.size(-1))} instead.`,
  );
};

const check_nonzero_sequence_lengths_dense: Constraint = ({ query, key }, debug) =>
  !(same_int(query.sym_size(-2), 0) || same_int(key.sym_size(-2), 0)) ||
  no(debug, "All fused kernels do not support zero seq_len_q or seq_len_kv.");

const check_last_dim_stride_equals_1_dense: Constraint = (params, debug) => {
  const { attn_mask } = params;
  // On the CPU a mask may have any strides, although the message mentions it.
  if ([params.query, params.key, params.value].every((t) => t.stride(-1) === 1)) return true;
  const mask = attn_mask === null ? "" : `, Attn_mask.stride(-1): ${attn_mask.stride(-1)}`;
  return no(
    debug,
    "All fused kernels require the last dimension of the input to have stride 1. ",
    `Got ${each(params, ".stride(-1): ", (t) => t.stride(-1))}${mask}`,
  );
};

const check_tensor_dtype: Constraint = (params, debug) => {
  const { query, key, value } = params;
  if (isFloatingType(query.scalar_type())) return true;
  const [q, k, v] = [query, key, value].map((t) => typeMetaName(t.scalar_type()));
  return no(
    debug,
    "Expected query, key and value to all be of dtype: {Float, Double, BFloat16, Half}. ",
    `Got Query dtype: ${q}, Key dtype: ${k}, and Value dtype: ${v} instead.`,
  );
};

const constraints: readonly Constraint[] = [
  check_runtime_disabled_flash,
  check_for_dropout,
  check_tensor_shapes,
  check_batch_size_and_num_heads_dense,
  check_attn_mask_shape,
  check_head_dim_size_cpp,
  check_nonzero_sequence_lengths_dense,
  check_last_dim_stride_equals_1_dense,
  check_tensor_dtype,
];

function use_flash_attention_cpp(params: sdp_params, debug: boolean): boolean {
  return constraints.every((constraint) => constraint(params, debug));
}

export function select_sdp_backend_cpp(params: sdp_params): SDPBackend {
  if (!userEnabledMathSDP() && !userEnabledFlashSDP()) return SDPBackend.error;
  if (use_flash_attention_cpp(params, false)) return SDPBackend.flash_attention;
  if (userEnabledMathSDP()) return SDPBackend.math;
  TORCH_WARN("Flash attention kernel not used because:");
  use_flash_attention_cpp(params, true);
  throw new RuntimeError("No available kernel.  Aborting execution.");
}
