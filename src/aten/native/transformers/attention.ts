/**
 * @file Attention: `softmax(query @ key.T * scale + mask) @ value`, as one kernel or as a composite.
 * @mirrors aten/src/ATen/native/transformers/attention.cpp
 * @see sdp_utils_cpp.ts (the choice), cpu/FlashAttentionKernel.ts
 */

import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { toOpMathType } from "#aten/OpMathType";
import { defined } from "#aten/TensorMethods";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, isReducedFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { same_int } from "#c10/core/SymInt";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { DEFINE_DISPATCH, REGISTER_DEFAULT_DISPATCH } from "../DispatchStub.ts";
import { calculate_scale, SDPBackend, select_sdp_backend_cpp } from "./sdp_utils_cpp.ts";

/** Arguments of an attention kernel besides the three tensors. */
export interface FlashOptions {
  readonly is_causal: boolean;
  readonly attn_mask: Tensor | null;
  readonly scale: number | null;
}

type Three = readonly [query: Tensor, key: Tensor, value: Tensor];

export const flash_attention_kernel =
  DEFINE_DISPATCH<(output: Tensor, logsumexp: Tensor, inputs: Three, options: FlashOptions) => void>(
    "flash_attention_kernel",
  );
export const flash_attention_backward_kernel = DEFINE_DISPATCH<
  (
    grads: Three,
    grad_out: Tensor,
    inputs: Three,
    forward: readonly [out: Tensor, logsumexp: Tensor],
    options: FlashOptions,
  ) => void
>("flash_attention_backward_kernel");

type sdp_choice_fn = (
  query: Tensor,
  key: Tensor,
  value: Tensor,
  attn_mask: Tensor | null,
  dropout_p: number,
  is_causal: boolean,
  scale: number | null,
  enable_gqa: boolean,
) => number;
const _fused_sdp_choice_stub = DEFINE_DISPATCH<sdp_choice_fn>("_fused_sdp_choice_stub");

// _fused_sdp_choice                                                                                  CPU
export function _fused_sdp_choice_cpp(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  attn_mask: Tensor | null,
  dropout_p: number,
  _is_causal: boolean,
  _scale: number | null,
  enable_gqa: boolean,
): number {
  const backend = select_sdp_backend_cpp({ query, key, value, attn_mask, dropout: dropout_p, enable_gqa });
  TORCH_CHECK(
    backend !== SDPBackend.error,
    "No viable backend for scaled_dot_product_attention was found. ",
    "This is likely due to turning off both the math kernel and the fused kernels.",
  );
  return backend;
}

REGISTER_DEFAULT_DISPATCH(_fused_sdp_choice_stub, _fused_sdp_choice_cpp, "_fused_sdp_choice_cpp");

// _fused_sdp_choice                                                                                  Meta
export function _fused_sdp_choice_meta(
  _query: Tensor,
  _key: Tensor,
  _value: Tensor,
  _attn_mask: Tensor | null,
  _dropout_p: number,
  _is_causal: boolean,
  _scale: number | null,
  _enable_gqa: boolean,
): number {
  return SDPBackend.math;
}

function validate_sdpa_input(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | null): void {
  const dtype = typeMetaName(query.scalar_type());
  TORCH_CHECK(
    query.scalar_type() === key.scalar_type() && query.scalar_type() === value.scalar_type(),
    "Expected query, key, and value to have the same dtype, but got query.dtype: ",
    dtype,
    " key.dtype: ",
    typeMetaName(key.scalar_type()),
    " and value.dtype: ",
    typeMetaName(value.scalar_type()),
    " instead.",
  );
  TORCH_CHECK(
    query.device().eq(key.device()) && query.device().eq(value.device()),
    "Expected query, key, and value to have the same device type, but got query.device: ",
    query.device(),
    " key.device: ",
    key.device(),
    " and value.device: ",
    value.device(),
    " instead.",
  );
  TORCH_CHECK(
    query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2,
    "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ",
    query.dim(),
    " key.dim: ",
    key.dim(),
    " and value.dim: ",
    value.dim(),
    " instead.",
  );
  if (attn_mask === null) return;
  const mask_dtype = attn_mask.scalar_type();
  TORCH_CHECK(
    mask_dtype === ScalarType.Bool || mask_dtype === ScalarType.Float || mask_dtype === query.scalar_type(),
    "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ",
    typeMetaName(attn_mask.scalar_type()),
    " and  query.dtype: ",
    dtype,
    " instead.",
  );
}

const NEG_INF = Scalar.fromDouble(Number.NEGATIVE_INFINITY);
const ZERO = Scalar.fromDouble(0);

/** Converts a boolean mask (true: attend) to one that is added: 0 where true, -inf elsewhere. */
function convert_boolean_attn_mask(attn_mask: Tensor | null, dtype: ScalarType): Tensor | null {
  if (attn_mask === null || attn_mask.scalar_type() !== ScalarType.Bool) return attn_mask;
  const minus_infinity = at.scalar_tensor(NEG_INF, new TensorOptions().dtype(dtype).device(attn_mask.device()));
  return at.where_ScalarSelf(attn_mask, ZERO, minus_infinity);
}

/** Result if one of the three tensors is empty: zeros that still depend on all three. */
function attention_of_nothing(query: Tensor, key: Tensor, value: Tensor): Tensor {
  const zeros = at.zeros([...query.sizes().slice(0, -1), value.size(-1)], query.options());
  const [of_value, of_key, of_query] = [value.sum(), key.sum(), query.sum()];
  return zeros.add_Tensor(of_query.add_Tensor(of_key).add_Tensor(of_value).mul_Scalar(Scalar.fromInt(0)));
}

// scaled_dot_product_attention                                                                       CompositeImplicitAutograd
export function scaled_dot_product_attention(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  attn_mask_: Tensor | null,
  dropout_p: number,
  is_causal: boolean,
  scale: number | null,
  enable_gqa: boolean,
): Tensor {
  validate_sdpa_input(query, key, value, attn_mask_);
  if ([query, key, value].some((t) => same_int(t.sym_numel(), 0))) return attention_of_nothing(query, key, value);
  const device = query.device().type();
  const choice = _fused_sdp_choice_stub.is_device_supported(device)
    ? _fused_sdp_choice_stub.call(device, query, key, value, attn_mask_, dropout_p, is_causal, scale, enable_gqa)
    : SDPBackend.math;
  const attn_mask = convert_boolean_attn_mask(attn_mask_, query.scalar_type());
  if (choice === SDPBackend.flash_attention)
    return at._scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p, is_causal, attn_mask, scale)[0];
  return at._scaled_dot_product_attention_math(
    query,
    key,
    value,
    attn_mask,
    dropout_p,
    is_causal,
    null,
    scale,
    enable_gqa,
  )[0];
}

/** Grouped-query attention: repeats each head of key and value for several heads of the query. */
function pre_process_group_query_attention_input(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  enable_gqa: boolean,
): [Tensor, Tensor] {
  if (!enable_gqa) return [key, value];
  const [q, k, v] = [query.size(-3), key.size(-3), value.size(-3)];
  const all_equal = q === k && k === v;
  TORCH_CHECK(
    all_equal || (q % k === 0 && q % v === 0),
    "Number of heads in key and value must divide the number of heads in ",
  );
  return all_equal
    ? [key, value]
    : [key.repeat_interleave_self_int(q / k, -3), value.repeat_interleave_self_int(q / v, -3)];
}

// _safe_softmax                                                                                      CompositeExplicitAutograd
// A row that contains only -inf becomes zeros.
export function _safe_softmax(self: Tensor, dim: number, dtype: ScalarType | null): Tensor {
  const out = at.softmax_int(self, dim, dtype);
  const masked_rows = at.isneginf(self).all_dim(dim, true);
  return at.where_self_out(masked_rows, at.scalar_tensor(ZERO, out.options()), out, out);
}

// _scaled_dot_product_attention_math                                                                 CompositeImplicitAutograd
export function _scaled_dot_product_attention_math(
  query_: Tensor,
  key: Tensor,
  value: Tensor,
  attn_mask_: Tensor | null,
  dropout_p: number,
  is_causal: boolean,
  dropout_mask: Tensor | null,
  scale: number | null,
  enable_gqa: boolean,
): [Tensor, Tensor] {
  const origin_dtype = query_.scalar_type();
  const precise = (t: Tensor) => (isReducedFloatingType(t.scalar_type()) ? t.to_dtype(ScalarType.Float) : t);
  const [query_acc, key_acc, value_acc] = [precise(query_), precise(key), precise(value)];
  // Half of the factor goes to each side, which keeps the products small; a negative sign goes to the query.
  const is_negative_scaling = scale !== null && scale < 0;
  const scaling_factor = Math.sqrt(calculate_scale(query_acc, scale === null ? null : Math.abs(scale)));
  const query = query_acc.mul_Scalar(Scalar.fromDouble(is_negative_scaling ? -scaling_factor : scaling_factor));
  let attn_mask = attn_mask_;
  if (is_causal) {
    TORCH_CHECK(
      attn_mask === null,
      "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
    );
    const options = query.options().dtype(ScalarType.Bool);
    const causal = at.ones([query.size(-2), key_acc.size(-2)], options).tril();
    attn_mask = convert_boolean_attn_mask(causal, query.scalar_type());
  }
  const [keys, values] = pre_process_group_query_attention_input(query, key_acc, value_acc, enable_gqa);
  const scaled_keys = keys.transpose_int(-2, -1).mul_Scalar(Scalar.fromDouble(scaling_factor));
  let attn = at.matmul(query, scaled_keys);
  if (attn_mask !== null) {
    const subclass = isTensorSubclassLike(attn) || isTensorSubclassLike(attn_mask);
    attn = subclass ? attn.add_Tensor(attn_mask) : attn.add__Tensor(attn_mask);
  }
  attn = at._safe_softmax(attn, -1);
  let weighed = values;
  if (dropout_p > 0) {
    if (dropout_mask === null) {
      attn = at.dropout(attn, dropout_p, true);
    } else {
      TORCH_WARN_ONCE("Dropout mask should only be used for testing purposes.");
      attn = attn.masked_fill_Scalar(dropout_mask.logical_not(), ZERO);
      weighed = values.mul_Scalar(Scalar.fromDouble(1 / (1 - dropout_p)));
    }
  }
  const attn_weights = attn.to_dtype(origin_dtype);
  return [at.matmul(attn, weighed).to_dtype(origin_dtype), attn_weights];
}

function check_flash(query: Tensor, key: Tensor, value: Tensor, dropout_p: number, attn_mask: Tensor | null): void {
  const dtype = query.scalar_type();
  const name = "scaled_dot_product_attention_flash_attention: ";
  TORCH_CHECK(
    isFloatingType(dtype),
    name,
    "Expected data type in FP32, FP64, BF16, FP16, but got ",
    toString(dtype),
    " instead.",
  );
  TORCH_CHECK(
    query.dim() === 4 && key.dim() === 4 && value.dim() === 4,
    name,
    "Accept only 4 dims inputs shape of {B, H, T, K}",
  );
  TORCH_CHECK(dropout_p === 0, name, "Currently do not support dropout > 0");
  TORCH_CHECK(
    query.size(3) === value.size(3) && key.size(3) === value.size(3),
    name,
    "Q/K/V should have the same head size",
  );
  if (attn_mask === null) return;
  const mask_dtype = attn_mask.scalar_type();
  TORCH_CHECK(
    mask_dtype === ScalarType.Float || mask_dtype === dtype,
    name,
    "Attention mask is the same data type as query",
  );
  TORCH_CHECK(attn_mask.dim() === 2 || attn_mask.dim() === 4, name, "Attention mask dim in {2, 4}");
}

// _scaled_dot_product_flash_attention_for_cpu                                                        CPU
export function _scaled_dot_product_flash_attention_cpu(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  dropout_p: number,
  is_causal: boolean,
  attn_mask: Tensor | null,
  scale: number | null,
): [Tensor, Tensor] {
  const [batchSize, qSize, num_head] = [query.size(0), query.size(2), query.size(1)];
  check_flash(query, key, value, dropout_p, attn_mask);
  const output = at.empty_like(query, query.options()).transpose_int(1, 2);
  const accumulate_dtype = toOpMathType(query.scalar_type());
  const logsumexp = at.empty_memory_format([batchSize, qSize, num_head], query.options().dtype(accumulate_dtype));
  const options = { is_causal, attn_mask, scale };
  flash_attention_kernel.call(DeviceType.CPU, output, logsumexp, [query, key, value], options);
  return [output.transpose_int(1, 2), logsumexp.transpose_int(1, 2)];
}

// _scaled_dot_product_flash_attention_for_cpu_backward                                               CPU
export function _scaled_dot_product_flash_attention_cpu_backward(
  grad_out: Tensor,
  query: Tensor,
  key: Tensor,
  value: Tensor,
  out: Tensor,
  logsumexp: Tensor,
  _dropout_p: number,
  is_causal: boolean,
  attn_mask: Tensor | null,
  scale: number | null,
): [Tensor, Tensor, Tensor] {
  if (!grad_out.defined()) return [new Tensor(), new Tensor(), new Tensor()];
  const grad_out_t = grad_out.transpose_int(1, 2);
  const [q_t, k_t, v_t] = [query.transpose_int(1, 2), key.transpose_int(1, 2), value.transpose_int(1, 2)];
  const forward = [out.transpose_int(1, 2), logsumexp.transpose_int(1, 2)] as const;
  const grad_q = at.zeros(q_t.sizes(), query.options());
  const grad_k = at.zeros(k_t.sizes(), key.options());
  const grad_v = at.zeros(v_t.sizes(), value.options());
  const options = { is_causal, attn_mask: defined(attn_mask), scale };
  const grads = [grad_q, grad_k, grad_v] as const;
  flash_attention_backward_kernel.call(DeviceType.CPU, grads, grad_out_t, [q_t, k_t, v_t], forward, options);
  return [grad_q.transpose_int(1, 2), grad_k.transpose_int(1, 2), grad_v.transpose_int(1, 2)];
}
