/**
 * @file Shape rules of operators that compute element by element, and of those whose results have the shape of an argument.
 * @original
 */
import { broadcast, type RuleArguments, register_shape_rule, type Shape } from "./registry.ts";

const elementwise = (call: RuleArguments): Shape[] => {
  const shapes = call.tensors().map((t) => call.sizes(t));
  return [{ sizes: broadcast(call.env, ...shapes) }];
};

// Every operator with the tag "pointwise".
register_shape_rule("*", elementwise);
register_shape_rule("where.self masked_fill masked_fill_ lerp addcmul addcdiv bernoulli.p", elementwise);

const as_self = (call: RuleArguments): Shape[] => [{ sizes: call.sizes() }];

register_shape_rule(
  `clone _to_copy detach detach_ alias contiguous lift_fresh lift_fresh_copy empty_like zeros_like ones_like full_like rand_like randn_like
  randint_like _softmax _log_softmax _softmax_backward_data _log_softmax_backward_data tril triu flip roll cumsum cumprod logcumsumexp
  fill fill_ zero zero_ copy copy_ bernoulli bernoulli_ normal_ uniform_ exponential_ random_ dropout scatter scatter_add scatter_reduce
  index_fill index_add index_copy index_put _unsafe_index_put index_put_ masked_scatter slice_scatter select_scatter diagonal_scatter
  softmax log_softmax threshold_backward relu6 nan_to_num renorm conj _conj resolve_conj resolve_neg
  native_dropout_backward embedding_renorm_ batch_norm instance_norm group_norm layer_norm rms_norm feature_dropout alpha_dropout
  logit celu selu silu mish hardswish _weight_norm_interface pin_memory to.dtype to.dtype_layout to.device to.other
  rrelu_with_noise silu_backward gelu_backward leaky_relu_backward elu_backward tanh_backward sigmoid_backward
  bitwise_not logical_not`,
  as_self,
);

/** Several results, all of the shape of the first argument. */
const both_as_self = (call: RuleArguments): Shape[] => [{ sizes: call.sizes() }, { sizes: call.sizes() }];
register_shape_rule("native_dropout sort sort.stable cummax cummin", both_as_self);
