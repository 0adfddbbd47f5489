/**
 * @file Meta kernels of operators of neural networks: recurrent layers, attention, weight normalization, embedding bags.
 * @mirrors torch/_meta_registrations.py
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { register_decomposition, register_with_out } from "#torch/_decomp/index";
import { get_computation_dtype, size_at } from "#torch/_prims_common/index";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

// recurrent ---------------------------------------------------------------------------------------------------------------

register_decomposition(
  "mkldnn_rnn_layer",
  (input: Tensor, ...args: unknown[]): Tensor[] => {
    const [, , , , hx, cx] = args as Tensor[];
    const hidden_size = args[9] as number;
    const batch_first = args[13] as boolean;
    const seq_length = size_at(input, batch_first ? 1 : 0);
    const mini_batch = size_at(input, batch_first ? 0 : 1);
    return [
      input.new_empty(batch_first ? [mini_batch, seq_length, hidden_size] : [seq_length, mini_batch, hidden_size]),
      hx.new_empty(hx.shape),
      cx.new_empty(cx.shape),
      torch.empty([0], { device: input.device, dtype: torch.uint8 }),
    ];
  },
  "meta",
);

const GRU_MODE = 3;

register_decomposition(
  "mkldnn_rnn_layer_backward",
  (input: Tensor, ...args: unknown[]): Tensor[] => {
    const [weight0, weight1, weight2, , hx, cx] = args as Tensor[];
    const [mode, hidden_size] = [args[13] as number, args[14] as number];
    const diff = (t: Tensor) => t.new_empty(t.shape, { dtype: torch.float32 });
    const [diff_x, diff_hx, diff_cx] = [diff(input), diff(hx), diff(cx)];
    const [diff_w1, diff_w2] = [diff(weight0), diff(weight1)];
    const bias_size = mode === GRU_MODE ? 4 * hidden_size : size_at(weight2, 0);
    const diff_b = weight2.new_empty([bias_size], { dtype: torch.float32 });
    return [diff_x, diff_w1, diff_w2, diff_b, diff_b, diff_hx, diff_cx];
  },
  "meta",
);

// attention ---------------------------------------------------------------------------------------------------------------

register_decomposition(
  "_scaled_dot_product_flash_attention_for_cpu",
  (query: Tensor): Tensor[] => {
    const [N, heads, L] = [query.size(0), query.size(1), query.size(2)];
    const attention = torch.empty_like(query);
    const dtype = get_computation_dtype(query.dtype);
    return [attention, torch.empty([N, L, heads], { dtype, device: query.device }).transpose(1, 2)];
  },
  "meta",
);

register_decomposition(
  "_scaled_dot_product_flash_attention_for_cpu_backward",
  (_grad_out: Tensor, query: Tensor, key: Tensor, value: Tensor): Tensor[] => {
    const permuted = (t: Tensor) => {
      const [N, heads, L, D] = t.shape;
      return t.new_empty([N, L, heads, D]).transpose(1, 2);
    };
    return [permuted(query), permuted(key), permuted(value)];
  },
  "meta",
);

/** The arguments after query, key and value. */
type MultiHeadArgs = [
  ...sizes: [embed_dim: number, num_head: number],
  ...weights: [qkv_weight: Tensor, qkv_bias: Tensor, proj_weight: Tensor, proj_bias: Tensor],
  mask: Tensor | null,
  need_weights: boolean,
  average_attn_weights: boolean,
];

register_decomposition(
  "_native_multi_head_attention",
  (query: Tensor, _key: Tensor, _value: Tensor, ...rest: readonly unknown[]): Tensor[] => {
    if (query.numel() === 0) return [query.new_empty(query.shape), query.new_empty([0])];
    const [, num_head, , , proj_weight, , , need_weights, average_attn_weights] = rest as MultiHeadArgs;
    const [B, T] = query.shape;
    const heads = average_attn_weights ? [] : [num_head];
    const attn_weights = query.new_empty(need_weights ? [B, ...heads, T, T] : [0]);
    return [query.new_empty([B, T, proj_weight.size(0)]), attn_weights];
  },
  "meta",
);

register_with_out(
  "_transformer_encoder_layer_fwd",
  (src: Tensor): Tensor => (src.numel() === 0 ? src.clone() : torch.empty_like(src)),
);

// weight normalization ----------------------------------------------------------------------------------------------------

register_decomposition(
  "_weight_norm_interface_backward",
  (_grad_w: Tensor, saved_v: Tensor, saved_g: Tensor): Tensor[] => [
    torch.empty_like(saved_v),
    torch.empty_like(saved_g),
  ],
  "meta",
);

// bags --------------------------------------------------------------------------------------------------------------------

const MODE_SUM = 0;
const MODE_MAX = 2;

/** Shapes of the four results of `_embedding_bag`. */
function embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, ...given: unknown[]): Tensor[] {
  const [, mode = MODE_SUM, , per_sample_weights = null, include_last_offset = false] = given;
  for (const [name, t] of [
    ["indices", indices],
    ["offsets", offsets],
  ] as const)
    TORCH_CHECK(
      t.dtype === torch.int64 || t.dtype === torch.int32,
      `expected ${name} to be long or int, got ${t.dtype}`,
    );
  TORCH_CHECK(weight.is_floating_point(), `expected weight to be floating point type, got ${weight.dtype}`);
  let num_bags = offsets.size(0);
  if (include_last_offset) TORCH_CHECK(num_bags-- >= 1, "include_last_offset: numBags should be at least 1");
  const output = weight.new_empty([num_bags, weight.size(1)]);
  if (per_sample_weights !== null) {
    const scale = per_sample_weights as Tensor;
    TORCH_CHECK(mode === MODE_SUM, "embedding_bag: per_sample_weights only supported with mode='sum'");
    TORCH_CHECK(scale.dim() === 1, `expected per_sample_weights to be 1D tensor, got ${scale.dim()}D`);
    TORCH_CHECK(
      scale.numel() === indices.numel(),
      `expected per_sample_weights.numel() (${scale.numel()} to be the same as indices.numel() (${indices.numel()})`,
    );
  }
  // A meta tensor cannot show that it stands for a CPU tensor, whose fast path returns smaller tensors.
  const max_indices = indices.new_empty(mode === MODE_MAX ? [num_bags, weight.size(1)] : [0]);
  return [output, indices.new_empty([indices.size(0)]), indices.new_empty(offsets.shape), max_indices];
}

register_decomposition("_embedding_bag _embedding_bag_forward_only", embedding_bag, "meta");
register_decomposition(
  "_embedding_bag_backward",
  (grad: Tensor, ...args: unknown[]): Tensor => grad.new_empty([args[5] as number, grad.size(1)]),
  "meta",
);
register_with_out(
  "_embedding_bag_dense_backward",
  (grad: Tensor, ...args: unknown[]): Tensor => grad.new_empty([args[4] as number, grad.size(1)]),
  "meta",
);
register_with_out(
  "_embedding_bag_per_sample_weights_backward",
  (grad: Tensor, _weight: Tensor, indices: Tensor, _offsets: Tensor, _offset2bag: Tensor, mode: number): Tensor => {
    TORCH_CHECK(mode === MODE_SUM, "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
    return grad.new_empty([indices.size(0)]);
  },
  "meta",
);
