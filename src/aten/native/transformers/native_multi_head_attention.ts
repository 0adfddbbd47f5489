/**
 * @file Operator for a whole multi-head attention, for evaluation: projections, scores, softmax, weighted values,
 * projection.
 * @mirrors aten/src/ATen/native/transformers/attention.cpp
 * @differs Ours has no nested tensors; PyTorch does. Ours refuses a bias whose length differs from the projection's;
 * PyTorch reads outside its memory.
 * @see attention.ts (attention alone)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { linear } from "#aten/native/Linear/index";
import { matmul } from "#aten/native/LinearAlgebra/Matmul";
import { chunk, split, split_with_sizes } from "#aten/native/TensorShape/Slice";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "../DispatchStub.ts";

interface Extents {
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly num_head: number;
}

export const transform_bias_rescale_qkv_stub = DEFINE_DISPATCH<
  (q_k_v: Tensor, qkv: Tensor, qkv_bias: Tensor, extents: Extents) => void
>("transform_bias_rescale_qkv_stub");

// _transform_bias_rescale_qkv                                                                        CPU
/**
 * Adds the bias, divides the queries by sqrt(D / heads), and returns [B, heads, T, D / heads] for each of the three.
 */
export function transform_bias_rescale_qkv_cpu(
  qkv: Tensor,
  qkv_bias: Tensor,
  num_head: number,
): [Tensor, Tensor, Tensor] {
  const [B, T, _3D] = [qkv.size(0), qkv.size(1), qkv.size(2)];
  const D = Math.floor(_3D / 3);
  TORCH_CHECK(D % num_head === 0, unmet("D % num_head == 0"));
  TORCH_CHECK(_3D % 3 === 0, unmet("_3D % 3 == 0"));
  const dim_per_head = D / num_head;
  const q_k_v = at.empty_memory_format([3, B, num_head, T, dim_per_head], qkv.options());
  const bias = qkv_bias.contiguous();
  TORCH_CHECK(bias.numel() === _3D, `expected qkv_bias to have ${_3D} elements, but got ${bias.numel()}`);
  const extents = { B, T, D, num_head };
  transform_bias_rescale_qkv_stub.call(DeviceType.CPU, q_k_v, qkv.contiguous(), bias, extents);
  return split(q_k_v.view([3 * B, num_head, T, dim_per_head]), B, 0) as [Tensor, Tensor, Tensor];
}

const gemm_nt = (self: Tensor, other: Tensor): Tensor => matmul(self, other.t());

/** One matrix product if all three are the same tensor, two products if keys are the values. */
function qkv_projection(query: Tensor, key: Tensor, value: Tensor, embed_dim: number, qkv_weight: Tensor): Tensor {
  if (!key.is_same(value)) {
    const [q, k, v] = chunk(qkv_weight, 3, 0);
    return at.cat([gemm_nt(query, q), gemm_nt(key, k), gemm_nt(value, v)], 2);
  }
  if (query.is_same(key)) return gemm_nt(query, qkv_weight);
  const [q, kv] = split_with_sizes(qkv_weight, [embed_dim, embed_dim * 2], 0);
  return at.cat([gemm_nt(query, q), gemm_nt(key, kv)], 2);
}

/** Merges the first two dims. */
const batched = ([a, b, c, d]: readonly number[]): number[] => [a * b, c, d];

function bmm_nt(a: Tensor, b: Tensor): Tensor {
  const a_ = a.view(batched(a.sizes()));
  const b_ = b.view(batched(b.sizes()));
  const c_ = at.bmm(a_, b_.transpose_int(2, 1));
  return c_.view([a.size(0), a.size(1), a.size(2), b.size(2)]);
}

function masked_softmax(attn_scores: Tensor, attn_mask: Tensor | null, mask_type: number | null): Tensor {
  const dim = attn_scores.dim() - 1;
  if (attn_mask === null) return at._softmax_out(attn_scores, dim, false, attn_scores);
  const mask = attn_mask.scalar_type() === ScalarType.Bool ? attn_mask : attn_mask.to_dtype(ScalarType.Bool);
  return at._masked_softmax(attn_scores, mask, dim, mask_type);
}

/** a @ b, written to the memory of `out`. */
function bmm_nn(out: Tensor, a: Tensor, b: Tensor): Tensor {
  const a_ = a.view(batched(a.sizes()));
  const b_ = b.view(batched(b.sizes()));
  const c_ = at.bmm_out(a_, b_, out.reshape(batched(out.sizes())));
  return c_.view([a.size(0), a.size(1), a.size(2), b.size(3)]);
}

/** Merges the heads and applies the last projection. */
function transform0213_gemm_nt_bias(a: Tensor, weight: Tensor, bias: Tensor): Tensor {
  const [B, heads, T, dim_per_head] = a.sizes();
  const rows = a
    .permute([0, 2, 1, 3])
    .contiguous(MemoryFormat.Contiguous)
    .view([B, T, heads * dim_per_head]);
  const r = linear(rows.view([B * T, heads * dim_per_head]), weight, bias);
  return r.view([B, T, r.size(1)]);
}

function check_inputs(tensors: readonly Tensor[], embed_dim: number): void {
  const [query, key, value] = tensors;
  TORCH_CHECK(query.dim() === 3, `expected 3-D \`query\`, got ${query.dim()}-D tensor`);
  TORCH_CHECK(
    query.size(2) === embed_dim,
    `passed-in embed_dim ${embed_dim} didn't match last dim of query ${query.size(2)}`,
  );
  TORCH_CHECK(key.dim() === 3, `expected 3-D \`key\`, got ${key.dim()}-D tensor`);
  TORCH_CHECK(value.dim() === 3, `expected 3-D \`value\`, got ${value.dim()}-D tensor`);
  const same = sizes_equal(query.sizes(), key.sizes()) && sizes_equal(key.sizes(), value.sizes());
  TORCH_CHECK(same, "expected `query`/`key`/`value` shapes to match");
}

function check_projection(D: number, qkv_weight: Tensor, qkv_bias: Tensor, num_head: number): void {
  TORCH_CHECK(qkv_weight.dim() === 2, `expected 2-D \`qkv_weight\`, got ${qkv_weight.dim()}-D tensor`);
  TORCH_CHECK(D * 3 === qkv_weight.size(0), "expected `qkv_weight` first dim to be 3x embed_dim");
  TORCH_CHECK(D === qkv_weight.size(1), "expected `qkv_weight` second dim to be embed_Dim");
  TORCH_CHECK(qkv_bias.dim() === 1, `expected 1-D \`qkv_bias\`, got ${qkv_bias.dim()}-D tensor`);
  TORCH_CHECK(qkv_bias.size(0) === 3 * D, "expected `qkv_bias` first dim and first dim of query to be equal");
  TORCH_CHECK(D % num_head === 0, "`embed_dim` must divide evenly by `num_heads`");
}

// _native_multi_head_attention                                                                       CPU
// @parameters PyTorch's own.
export function native_multi_head_attention_cpu(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  embed_dim: number,
  num_head: number,
  qkv_weight: Tensor,
  qkv_bias: Tensor,
  proj_weight: Tensor,
  proj_bias: Tensor,
  mask: Tensor | null,
  need_weights: boolean,
  average_attn_weights: boolean,
  mask_type: number | null,
): [Tensor, Tensor] {
  check_inputs([query, key, value], embed_dim);
  check_projection(embed_dim, qkv_weight, qkv_bias, num_head);
  const qkv = qkv_projection(query, key, value, embed_dim, qkv_weight);
  if (qkv.numel() === 0) return [at.empty_like(query, query.options()), new Tensor()];
  const [q, k, v] = at._transform_bias_rescale_qkv(qkv, qkv_bias, num_head);
  let qkt = masked_softmax(bmm_nt(q, k), mask, mask_type);
  // The queries are no longer needed: the weighted values take their memory.
  const attn_ctx = bmm_nn(q, qkt, v);
  const proj = transform0213_gemm_nt_bias(attn_ctx, proj_weight, proj_bias);
  if (!need_weights) return [proj, new Tensor()];
  if (average_attn_weights) {
    qkt = at.sum_dim_IntList(qkt, [1]);
    qkt.div__Scalar(Scalar.fromInt(num_head));
  }
  return [proj, qkt];
}
