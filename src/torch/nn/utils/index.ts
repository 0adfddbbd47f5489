/**
 * @file The exports of `torch.nn.utils`.
 * @mirrors torch/nn/utils/__init__.py
 */

export {
  clip_grad_norm,
  clip_grad_norm_,
  clip_grad_value_,
  clip_grads_with_norm_,
  get_total_norm,
} from "./clip_grad.ts";
export { parameters_to_vector, vector_to_parameters } from "./convert_parameters.ts";
export {
  fuse_conv_bn_eval,
  fuse_conv_bn_weights,
  fuse_linear_bn_eval,
  fuse_linear_bn_weights,
} from "./fusion.ts";
export { skip_init } from "./init.ts";
export { convert_conv2d_weight_memory_format, convert_conv3d_weight_memory_format } from "./memory_format.ts";
export * as parametrizations from "./parametrizations.ts";
export * as parametrize from "./parametrize.ts";
export * as prune from "./prune.ts";
export * as rnn from "./rnn.ts";
export { remove_spectral_norm, spectral_norm } from "./spectral_norm.ts";
export * as stateless from "./stateless.ts";
export { remove_weight_norm, weight_norm } from "./weight_norm.ts";
