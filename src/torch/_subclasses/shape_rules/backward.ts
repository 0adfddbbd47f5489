/**
 * @file Shape rules of operators that compute gradients: a gradient has the shape of the argument it belongs to.
 * @original
 */
import type { Expr } from "#torch/utils/_sympy/expr";
import { type RuleArguments, register_shape_rule, type Shape } from "./registry.ts";

/** The shape of the argument `name`. */
function shape_of(call: RuleArguments, name: string): Shape | null {
  const t = call.tensor(name);
  return t === null ? null : { sizes: call.sizes(t) };
}

/** The gradients of these arguments that the caller asks for. */
function masked(call: RuleArguments, shapes: readonly (Shape | null)[]): (Shape | null)[] {
  const mask = call.get("output_mask") as readonly unknown[] | null;
  return mask === null ? [...shapes] : shapes.filter((_, i) => mask[i] === true);
}

register_shape_rule(
  `max_pool2d_with_indices_backward max_pool3d_with_indices_backward avg_pool2d_backward avg_pool3d_backward _adaptive_avg_pool2d_backward
  _adaptive_avg_pool3d_backward adaptive_max_pool2d_backward adaptive_max_pool3d_backward reflection_pad1d_backward reflection_pad2d_backward
  reflection_pad3d_backward replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward nll_loss_backward
  nll_loss2d_backward mse_loss_backward smooth_l1_loss_backward huber_loss_backward binary_cross_entropy_backward
  soft_margin_loss_backward glu_backward rrelu_with_noise_backward`,
  (call) => [shape_of(call, "self")],
);

register_shape_rule("native_layer_norm_backward", (call) =>
  masked(
    call,
    ["input", "weight", "bias"].map((name) => shape_of(call, name)),
  ),
);

/** Gradients of the input, and of one weight and bias for each channel. */
const per_channel = (call: RuleArguments): (Shape | null)[] => {
  const input = shape_of(call, "input");
  const channels = { sizes: [input?.sizes[1] as Expr] };
  return masked(call, [input, channels, channels]);
};
register_shape_rule("native_group_norm_backward native_batch_norm_backward", per_channel);

register_shape_rule("convolution_backward", (call) =>
  masked(call, [shape_of(call, "input"), shape_of(call, "weight"), { sizes: call.ints("bias_sizes") }]),
);

register_shape_rule("embedding_dense_backward", (call) => {
  const width = shape_of(call, "grad_output")?.sizes.at(-1);
  return width === undefined ? null : [{ sizes: [call.int("num_weights"), width] }];
});

register_shape_rule("_scaled_dot_product_flash_attention_for_cpu_backward", (call) =>
  ["query", "key", "value"].map((name) => shape_of(call, name)),
);

register_shape_rule(
  "upsample_nearest1d_backward upsample_nearest2d_backward upsample_linear1d_backward upsample_bilinear2d_backward",
  (call) => [{ sizes: call.ints("input_size") }],
);

register_shape_rule("select_backward slice_backward diagonal_backward unfold_backward", (call) => [
  { sizes: call.ints("input_sizes") },
]);
