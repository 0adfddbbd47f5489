/**
 * @file Attention with several heads: each head projects queries, keys and values to a part of the features, weighs the values by the
 * softmax of queries times keys, and the heads' results are joined and projected.
 *
 *   q, k, v   (length, batch, embed_dim) -> (batch * heads, length, head_dim)
 *   weights   softmax(q @ k^T / sqrt(head_dim))                  (batch * heads, target, source)
 *   output    weights @ v -> (target, batch, embed_dim), projected
 * @mirrors torch/csrc/api/include/torch/nn/functional/activation.h#multi_head_attention_forward
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT, unmet } from "#c10/util/Exception";
import type { MultiheadAttentionForwardFuncOptions } from "../options/activation.ts";
import { DropoutFuncOptions } from "../options/dropout.ts";
import { dropout } from "./dropout.ts";
import { linear } from "./linear.ts";

const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((v, i) => v === b[i]);

function check(condition: boolean, text: string): void {
  TORCH_CHECK(condition, unmet(text));
}

/** Rows `begin` to `end` of a tensor that may be undefined. */
function rows(tensor: Tensor, begin: number, end: number | null = null): Tensor {
  return tensor.defined() ? tensor.slice_Tensor(0, begin, end) : tensor;
}

/** The projections of query, key and value, in as few products as their equality allows. */
function in_projection(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  options: MultiheadAttentionForwardFuncOptions,
): readonly [q: Tensor, k: Tensor, v: Tensor] {
  const embed_dim = query.size(2);
  const bias = options.in_proj_bias();
  if (options.use_separate_proj_weight()) {
    const weights = [options.q_proj_weight(), options.k_proj_weight(), options.v_proj_weight()];
    const inputs = [query, key, value];
    for (const [i, weight] of weights.entries())
      check(
        weight.size(0) === embed_dim && weight.size(1) === inputs[i].size(-1),
        `len1 == embed_dim && len2 == ${["query", "key", "value"][i]}.size(-1)`,
      );
    const project = (i: number) =>
      linear(inputs[i], weights[i], rows(bias, i * embed_dim, i === 2 ? null : (i + 1) * embed_dim));
    return [project(0), project(1), project(2)];
  }
  const weight = options.in_proj_weight();
  const part = (input: Tensor, begin: number, end: number | null = null) =>
    linear(input, rows(weight, begin, end), rows(bias, begin, end));
  if (at.equal(query, key) && at.equal(key, value)) {
    const [q, k, v] = linear(query, weight, bias).chunk(3, -1);
    return [q, k, v];
  }
  if (at.equal(key, value)) {
    const q = part(query, 0, embed_dim);
    const [k, v] = part(key, embed_dim).chunk(2, -1);
    return [q, k, v];
  }
  return [part(query, 0, embed_dim), part(key, embed_dim, 2 * embed_dim), part(value, 2 * embed_dim)];
}

/** One more column of zeros in a mask; an undefined mask stays undefined. */
function one_column_more(mask: Tensor): Tensor {
  if (!mask.defined()) return mask;
  return at.cat([mask, at.zeros([mask.size(0), 1], new TensorOptions(mask.scalar_type()).device(mask.device()))], 1);
}

/**
 * @returns the output `(target, batch, embed_dim)` and the weights, averaged over the heads unless `average_attn_weights` is off; the
 * weights are undefined without `need_weights`
 */
export function multi_head_attention_forward(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  options: MultiheadAttentionForwardFuncOptions,
): [output: Tensor, weights: Tensor] {
  const [tgt_len, bsz, embed_dim] = query.sizes();
  const num_heads = options.num_heads();
  TORCH_INTERNAL_ASSERT(embed_dim === options.embed_dim_to_check(), "embed_dim == embed_dim_to_check");
  TORCH_INTERNAL_ASSERT(same(key.sizes(), value.sizes()), "key.sizes() == value.sizes()");
  const head_dim = Math.trunc(embed_dim / num_heads);
  TORCH_CHECK(head_dim * num_heads === embed_dim, "embed_dim must be divisible by num_heads");

  let [q, k, v] = in_projection(query, key, value, options);
  q = q.mul_Scalar(Scalar.fromDouble(1 / Math.sqrt(head_dim)));
  let attn_mask = options.attn_mask();
  let key_padding_mask = options.key_padding_mask();
  const [bias_k, bias_v, static_k, static_v] = [
    options.bias_k(),
    options.bias_v(),
    options.static_k(),
    options.static_v(),
  ];

  if (bias_k.defined() && bias_v.defined()) {
    TORCH_CHECK(!static_k.defined(), "bias cannot be added to static key.");
    TORCH_CHECK(!static_v.defined(), "bias cannot be added to static value.");
    k = at.cat([k, bias_k.repeat([1, bsz, 1])]);
    v = at.cat([v, bias_v.repeat([1, bsz, 1])]);
    attn_mask = one_column_more(attn_mask);
    key_padding_mask = one_column_more(key_padding_mask);
  } else {
    check(!bias_k.defined(), "!bias_k.defined()");
    check(!bias_v.defined(), "!bias_v.defined()");
  }

  const heads = (tensor: Tensor, length: number) =>
    tensor
      .contiguous()
      .view([length, bsz * num_heads, head_dim])
      .transpose_int(0, 1);
  q = heads(q, tgt_len);
  k = heads(k, -1);
  v = heads(v, -1);
  for (const [name, given] of [
    ["static_k", static_k],
    ["static_v", static_v],
  ] as const) {
    if (!given.defined()) continue;
    check(given.size(0) === bsz * num_heads, `${name}.size(0) == bsz * num_heads`);
    check(given.size(2) === head_dim, `${name}.size(2) == head_dim`);
    if (name === "static_k") k = given;
    else v = given;
  }
  let src_len = k.size(1);
  if (key_padding_mask.defined()) {
    check(key_padding_mask.size(0) === bsz, "key_padding_mask_.size(0) == bsz");
    check(key_padding_mask.size(1) === src_len, "key_padding_mask_.size(1) == src_len");
  }
  if (options.add_zero_attn()) {
    src_len += 1;
    const with_zeros = (tensor: Tensor) => {
      const [n, , d] = tensor.sizes();
      return at.cat([tensor, at.zeros([n, 1, d], new TensorOptions(tensor.scalar_type()).device(tensor.device()))], 1);
    };
    k = with_zeros(k);
    v = with_zeros(v);
    attn_mask = one_column_more(attn_mask);
    key_padding_mask = one_column_more(key_padding_mask);
  }

  let weights = at.bmm(q, k.transpose_int(1, 2));
  check(
    same(weights.sizes(), [bsz * num_heads, tgt_len, src_len]),
    "attn_output_weights.sizes() == IntArrayRef({bsz * num_heads, tgt_len, src_len})",
  );
  if (attn_mask.defined()) weights = weights.add__Tensor(attn_mask.unsqueeze(0));
  if (key_padding_mask.defined()) {
    weights = weights
      .view([bsz, num_heads, tgt_len, src_len])
      .masked_fill_Scalar(key_padding_mask.unsqueeze(1).unsqueeze(2), Scalar.fromDouble(Number.NEGATIVE_INFINITY))
      .view([bsz * num_heads, tgt_len, src_len]);
  }
  weights = weights.softmax_int(-1);
  weights = dropout(weights, DropoutFuncOptions().p(options.dropout_p()).training(options.training()));
  let output = at.bmm(weights, v);
  check(
    same(output.sizes(), [bsz * num_heads, tgt_len, head_dim]),
    "attn_output.sizes() == IntArrayRef({bsz * num_heads, tgt_len, head_dim})",
  );
  output = output.transpose_int(0, 1).contiguous().view([tgt_len, bsz, embed_dim]);
  output = linear(output, options.out_proj_weight(), options.out_proj_bias());
  if (!options.need_weights()) return [output, new Tensor()];
  weights = weights.view([bsz, num_heads, tgt_len, src_len]);
  if (options.average_attn_weights()) weights = weights.sum_dim_IntList([1]).div_Scalar(Scalar.fromInt(num_heads));
  return [output, weights];
}
