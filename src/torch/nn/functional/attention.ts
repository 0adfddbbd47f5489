/**
 * @file Multi-head attention: a projection of the inputs, scaled dot products, and a projection of the output.
 * @mirrors torch/nn/functional.py
 */
import { AssertionError, RuntimeError, warn } from "#c10/util/Exception";
import { pack } from "#python/Objects/tupleobject";
import { _C, having } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { size_repr } from "#torch/nn/_size";
import type { _float, dtype } from "#torch/types";
import { dropout as dropout_ } from "./dropout.ts";

const linear = _C._nn.linear;

type MaybeTensor = Tensor | null;

/**
 * `softmax(query @ key.T * scale + attn_mask) @ value`.   `(N, heads, L, E), (N, heads, S, E), (N, heads, S, V) -> (N, heads, L, V)`
 * `attn_mask` is added to the scores; a bool mask is true at the keys that may be used. With `is_causal`, later keys are ignored. `scale`
 * is 1 / sqrt(E) by default.
 */
export const scaled_dot_product_attention = _C._nn.scaled_dot_product_attention;

function tuple_repr(sizes: readonly number[]): string {
  return `(${sizes.join(", ")}${sizes.length === 1 ? "," : ""})`;
}

function same(sizes: readonly number[], expected: readonly number[]): boolean {
  return sizes.length === expected.length && sizes.every((n, d) => n === expected[d]);
}

export function _none_or_dtype(input: MaybeTensor): dtype | null {
  return input === null ? null : input.dtype;
}

/**
 * Converts a mask to one that is added to the scores; a bool mask is true at positions to ignore. @param other the dtype that the mask
 * should have, and the name of the mask that has it
 */
export function _canonical_mask(
  mask: MaybeTensor,
  mask_name: string,
  target_type: dtype,
  other: readonly [type: dtype | null, name: string] = [null, ""],
): MaybeTensor {
  if (mask === null) return null;
  const is_float = torch.is_floating_point(mask);
  if (mask.dtype !== torch.bool && !is_float)
    throw new AssertionError(`only bool and floating types of ${mask_name} are supported`);
  const [other_type, other_name] = other;
  if (other_type !== null && mask.dtype !== other_type) {
    warn(
      "UserWarning",
      `Support for mismatched ${mask_name} and ${other_name} is deprecated. Use same type for both instead.`,
    );
  }
  if (is_float) return mask;
  return torch.zeros_like(mask, { dtype: target_type }).masked_fill_(mask, Number.NEGATIVE_INFINITY);
}

/** Checks the shapes of the arguments. @returns whether there is a batch dim */
function _mha_shape_check(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  key_padding_mask: MaybeTensor,
  attn_mask: MaybeTensor,
  num_heads: number,
): boolean {
  const dims = having(query, "dim").dim();
  if (dims !== 2 && dims !== 3) {
    throw new AssertionError(`query should be unbatched 2D or batched 3D tensor but received ${dims}-D query tensor`);
  }
  const of = `For ${dims === 3 ? "batched (3-D)" : "unbatched (2-D)"} \`query\`, expected `;
  if (key.dim() !== dims || value.dim() !== dims) {
    throw new AssertionError(
      `${of}\`key\` and \`value\` to be ${dims}-D but found ${key.dim()}-D and ${value.dim()}-D tensors respectively`,
    );
  }
  if (key_padding_mask !== null && key_padding_mask.dim() !== dims - 1) {
    throw new AssertionError(
      `${of}\`key_padding_mask\` to be \`None\` or ${dims - 1}-D but found ${key_padding_mask.dim()}-D tensor instead`,
    );
  }
  if (attn_mask !== null && attn_mask.dim() !== 2 && attn_mask.dim() !== 3) {
    throw new AssertionError(
      `${of}\`attn_mask\` to be \`None\`, 2-D or 3-D but found ${attn_mask.dim()}-D tensor instead`,
    );
  }
  if (dims === 2 && attn_mask?.dim() === 3) {
    const expected = [num_heads, query.shape[0], key.shape[0]];
    if (!same(attn_mask.shape, expected)) {
      throw new AssertionError(
        `Expected \`attn_mask\` shape to be ${tuple_repr(expected)} but got ${size_repr(attn_mask)}`,
      );
    }
  }
  return dims === 3;
}

/** Splits `(*, n * E)` into n contiguous tensors `(*, E)` with one copy. */
function unpacked(proj: Tensor, n: number, E: number): Tensor[] {
  const parts = proj.unflatten(-1, [n, E]).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous();
  return Array.from({ length: n }, (_, i) => parts.__getitem__([i]));
}

/** Projects queries, keys and values with one packed weight; inputs that are the same tensor share one matrix product. */
function _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: MaybeTensor): Tensor[] {
  const E = q.size(-1);
  if (k === v && q === k) return unpacked(linear(q, w, b), 3, E);
  if (k === v) {
    const [w_q, w_kv] = w.split([E, E * 2]);
    const [b_q, b_kv] = b === null ? [null, null] : b.split([E, E * 2]);
    const q_proj = linear(q, w_q, b_q);
    return [q_proj, ...unpacked(linear(k, w_kv, b_kv), 2, E)];
  }
  const [w_q, w_k, w_v] = w.chunk(3);
  const [b_q, b_k, b_v] = b === null ? [null, null, null] : b.chunk(3);
  return [linear(q, w_q, b_q), linear(k, w_k, b_k), linear(v, w_v, b_v)];
}

/** Projects queries, keys and values with three separate weights, for keys or values with other feature sizes. */
function _in_projection(
  inputs: readonly [q: Tensor, k: Tensor, v: Tensor],
  weights: readonly [q: Tensor, k: Tensor, v: Tensor],
  biases: readonly MaybeTensor[],
): Tensor[] {
  const names = ["query", "key", "value"];
  const [Eq] = inputs.map((t) => t.size(-1));
  for (const [i, w] of weights.entries()) {
    const expected = [Eq, inputs[i].size(-1)];
    if (!same(w.shape, expected)) {
      throw new AssertionError(
        `expecting ${names[i]} weights shape of ${tuple_repr(expected)}, but got ${size_repr(w)}`,
      );
    }
  }
  for (const [i, b] of biases.entries()) {
    if (b !== null && !same(b.shape, [Eq]))
      throw new AssertionError(`expecting ${names[i]} bias shape of ${tuple_repr([Eq])}, but got ${size_repr(b)}`);
  }
  return inputs.map((t, i) => linear(t, weights[i], biases[i]));
}

/** Adds a column for one more key, which every query may use. */
function pad_by_one(mask: Tensor): Tensor {
  return _C._nn.pad(mask, [0, 1]);
}

function check_mask_size(attn_mask: Tensor, expected: readonly number[]): void {
  if (same(attn_mask.shape, expected)) return;
  throw new RuntimeError(
    `The shape of the ${expected.length}D attn_mask is ${size_repr(attn_mask)}, but should be ${tuple_repr(expected)}.`,
  );
}

function check_static(name: string, t: Tensor, heads: number, head_dim: number): void {
  if (t.size(0) !== heads) throw new AssertionError(`expecting ${name}.size(0) of ${heads}, but got ${t.size(0)}`);
  if (t.size(2) !== head_dim)
    throw new AssertionError(`expecting ${name}.size(2) of ${head_dim}, but got ${t.size(2)}`);
}

function check_key_padding_mask(mask: Tensor, src_len: number, bsz: number): void {
  for (const [d, expected] of [bsz, src_len].entries()) {
    if (mask.shape[d] !== expected) {
      throw new AssertionError(`Expected key_padded_mask.shape[${d}] to be ${expected}, but got ${mask.shape[d]}`);
    }
  }
}

/**
 * Multi-head attention: the function behind `nn.MultiheadAttention`, with the parameters as arguments.   `(L, N, E), (S, N, E), (S, N, E) -> (L, N, E)`
 */
export const multi_head_attention_forward = def_overridable(
  "multi_head_attention_forward(query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check, num_heads, in_proj_weight: Tensor, in_proj_bias: Tensor, bias_k: Tensor, bias_v: Tensor, add_zero_attn, dropout_p, out_proj_weight: Tensor, out_proj_bias: Tensor, training=True, key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True, is_causal=False)",
  (
    query_: Tensor,
    key_: Tensor,
    value_: Tensor,
    embed_dim_to_check: number,
    num_heads: number,
    in_proj_weight: MaybeTensor,
    in_proj_bias: MaybeTensor,
    bias_k: MaybeTensor,
    bias_v: MaybeTensor,
    add_zero_attn: boolean,
    dropout: _float,
    out_proj_weight: Tensor,
    out_proj_bias: MaybeTensor,
    training: boolean,
    key_padding_mask_: MaybeTensor,
    need_weights: boolean,
    attn_mask_: MaybeTensor,
    use_separate_proj_weight: boolean,
    q_proj_weight: MaybeTensor,
    k_proj_weight: MaybeTensor,
    v_proj_weight: MaybeTensor,
    static_k: MaybeTensor,
    static_v: MaybeTensor,
    average_attn_weights: boolean,
    is_causal_: boolean,
  ): [attn_output: Tensor, attn_output_weights: MaybeTensor] => {
    const is_batched = _mha_shape_check(query_, key_, value_, key_padding_mask_, attn_mask_, num_heads);
    const query = is_batched ? query_ : query_.unsqueeze(1);
    const key = is_batched ? key_ : key_.unsqueeze(1);
    const value = is_batched ? value_ : value_.unsqueeze(1);
    const given_padding = is_batched ? key_padding_mask_ : (key_padding_mask_?.unsqueeze(0) ?? null);
    const [tgt_len, bsz, embed_dim] = query.shape;

    const other = [_none_or_dtype(attn_mask_), "attn_mask"] as const;
    let key_padding_mask = _canonical_mask(given_padding, "key_padding_mask", query.dtype, other);
    if (is_causal_ && attn_mask_ === null) {
      throw new RuntimeError(
        "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask.",
      );
    }
    // The hint `is_causal` replaces the mask if no other mask is merged into it and the weights are not returned.
    const hint_alone = is_causal_ && key_padding_mask === null && !need_weights;
    let attn_mask = hint_alone ? null : _canonical_mask(attn_mask_, "attn_mask", query.dtype);
    const is_causal = is_causal_ && key_padding_mask === null;

    if (embed_dim !== embed_dim_to_check)
      throw new AssertionError(`was expecting embedding dimension of ${embed_dim_to_check}, but got ${embed_dim}`);
    const head_dim = Math.floor(embed_dim / num_heads);
    if (head_dim * num_heads !== embed_dim)
      throw new AssertionError(`embed_dim ${embed_dim} not divisible by num_heads ${num_heads}`);
    if (use_separate_proj_weight && !same(key.shape.slice(0, 2), value.shape.slice(0, 2))) {
      const [of_key, of_value] = [key, value].map((t) => `torch.Size([${t.shape.slice(0, 2).join(", ")}])`);
      throw new AssertionError(`key's sequence and batch dims ${of_key} do not match value's ${of_value}`);
    }
    if (!use_separate_proj_weight && !same(key.shape, value.shape))
      throw new AssertionError(`key shape ${size_repr(key)} does not match value shape ${size_repr(value)}`);

    let [q, k, v]: Tensor[] = [];
    if (!use_separate_proj_weight) {
      if (in_proj_weight === null)
        throw new AssertionError("use_separate_proj_weight is False but in_proj_weight is None");
      [q, k, v] = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias);
    } else {
      const weights = { q_proj_weight, k_proj_weight, v_proj_weight };
      for (const [name, w] of Object.entries(weights))
        if (w === null) throw new AssertionError(`use_separate_proj_weight is True but ${name} is None`);
      const biases = in_proj_bias === null ? [null, null, null] : in_proj_bias.chunk(3);
      const [w_q, w_k, w_v] = [q_proj_weight, k_proj_weight, v_proj_weight] as Tensor[];
      [q, k, v] = _in_projection([query, key, value], [w_q, w_k, w_v], biases);
    }

    if (attn_mask !== null) {
      const src_len = key.shape[0];
      if (attn_mask.dim() === 2) {
        check_mask_size(attn_mask, [tgt_len, src_len]);
        attn_mask = attn_mask.unsqueeze(0);
      } else if (attn_mask.dim() === 3) {
        check_mask_size(attn_mask, [bsz * num_heads, tgt_len, src_len]);
      } else {
        throw new RuntimeError(`attn_mask's dimension ${attn_mask.dim()} is not supported`);
      }
    }
    const one_more_key = (): void => {
      if (attn_mask !== null) attn_mask = pad_by_one(attn_mask);
      if (key_padding_mask !== null) key_padding_mask = pad_by_one(key_padding_mask);
    };

    if (bias_k !== null && bias_v !== null) {
      if (static_k !== null) throw new AssertionError("bias cannot be added to static key.");
      if (static_v !== null) throw new AssertionError("bias cannot be added to static value.");
      k = torch.cat([k, bias_k.repeat([1, bsz, 1])]);
      v = torch.cat([v, bias_v.repeat([1, bsz, 1])]);
      one_more_key();
    } else if (bias_k !== null) {
      throw new AssertionError("bias_k is set but bias_v is None");
    } else if (bias_v !== null) {
      throw new AssertionError("bias_v is set but bias_k is None");
    }

    const heads = bsz * num_heads;
    const by_head = (t: Tensor) => t.view([t.shape[0], heads, head_dim]).transpose(0, 1);
    q = by_head(q);
    if (static_k !== null) check_static("static_k", static_k, heads, head_dim);
    k = static_k ?? by_head(k);
    if (static_v !== null) check_static("static_v", static_v, heads, head_dim);
    v = static_v ?? by_head(v);

    if (add_zero_attn) {
      const zeros = (t: Tensor) => torch.zeros([heads, 1, head_dim], { dtype: t.dtype, device: t.device });
      k = torch.cat([k, zeros(k)], 1);
      v = torch.cat([v, zeros(v)], 1);
      one_more_key();
    }
    const src_len = k.size(1);

    if (key_padding_mask !== null) {
      check_key_padding_mask(key_padding_mask, src_len, bsz);
      const padding = key_padding_mask
        .view([bsz, 1, 1, src_len])
        .expand([-1, num_heads, -1, -1])
        .reshape([heads, 1, src_len]);
      attn_mask = attn_mask === null ? padding : (attn_mask as Tensor).add(padding);
    }
    const dropout_p = training ? (dropout as number) : 0;
    const project = (t: Tensor): Tensor => {
      const out = linear(t, out_proj_weight, out_proj_bias);
      const attn_output = out.view([tgt_len, bsz, out.size(1)]);
      return is_batched ? attn_output : attn_output.squeeze(1);
    };

    if (!need_weights) {
      let mask = attn_mask as MaybeTensor;
      if (mask !== null)
        mask = mask.size(0) === 1 && mask.dim() === 3 ? mask.unsqueeze(0) : mask.view([bsz, num_heads, -1, src_len]);
      const four = (t: Tensor, length: number) => t.view([bsz, num_heads, length, head_dim]);
      const attn_output = scaled_dot_product_attention(
        four(q, tgt_len),
        four(k, src_len),
        four(v, src_len),
        mask,
        dropout_p,
        is_causal,
      );
      return pack(project(attn_output.permute([2, 0, 1, 3]).reshape([bsz * tgt_len, embed_dim])), null);
    }
    const q_scaled = q.mul(Math.sqrt(1 / q.size(2)));
    const mask = attn_mask as MaybeTensor;
    if (is_causal && mask === null) throw new AssertionError("FIXME: is_causal not implemented for need_weights");
    const keys = k.transpose(-2, -1);
    let weights = mask === null ? torch.bmm(q_scaled, keys) : torch.baddbmm(mask, q_scaled, keys);
    weights = weights.softmax(-1);
    if (dropout_p > 0) weights = dropout_(weights, dropout_p);
    const attn_output = project(
      torch
        .bmm(weights, v)
        .transpose(0, 1)
        .reshape([tgt_len * bsz, embed_dim]),
    );
    weights = weights.view([bsz, num_heads, tgt_len, src_len]);
    if (average_attn_weights) weights = weights.mean(1);
    return pack(attn_output, is_batched ? weights : weights.squeeze(0));
  },
  "torch.nn.functional.multi_head_attention_forward",
  {
    kwargs: [
      "training",
      "key_padding_mask",
      "need_weights",
      "attn_mask",
      "is_causal",
      "use_separate_proj_weight",
      "q_proj_weight",
      "k_proj_weight",
      "v_proj_weight",
      "static_k",
      "static_v",
      "average_attn_weights",
    ],
  },
);
