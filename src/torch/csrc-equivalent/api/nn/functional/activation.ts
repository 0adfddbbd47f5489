/**
 * @file Activations as functions. Options come last; with `inplace` a function writes into its input.
 * @mirrors torch/csrc/api/include/torch/nn/functional/activation.h
 * @see multi_head_attention.ts, the one of them that is not here
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  CELUOptions,
  ELUOptions,
  GELUOptions,
  GLUOptions,
  GumbelSoftmaxFuncOptions,
  HardshrinkOptions,
  HardtanhOptions,
  LeakyReLUOptions,
  type LogSoftmaxFuncOptions,
  ReLU6Options,
  ReLUOptions,
  RReLUFuncOptions,
  SELUOptions,
  type SoftmaxFuncOptions,
  type SoftminFuncOptions,
  SoftplusOptions,
  SoftshrinkOptions,
  type ThresholdOptions,
} from "../options/activation.ts";

export { multi_head_attention_forward } from "./multi_head_attention.ts";

const double = Scalar.fromDouble;

export function elu(input: Tensor, options: ELUOptions = ELUOptions()): Tensor {
  return (options.inplace() ? at.elu_ : at.elu)(input, double(options.alpha()));
}
export function selu(input: Tensor, options: SELUOptions = SELUOptions()): Tensor {
  return (options.inplace() ? at.selu_ : at.selu)(input);
}
export function hardshrink(input: Tensor, options: HardshrinkOptions = HardshrinkOptions()): Tensor {
  return at.hardshrink(input, double(options.lambda()));
}
export function hardtanh(input: Tensor, options: HardtanhOptions = HardtanhOptions()): Tensor {
  return (options.inplace() ? at.hardtanh_ : at.hardtanh)(input, double(options.min_val()), double(options.max_val()));
}
export function leaky_relu(input: Tensor, options: LeakyReLUOptions = LeakyReLUOptions()): Tensor {
  return (options.inplace() ? at.leaky_relu_ : at.leaky_relu)(input, double(options.negative_slope()));
}
export function logsigmoid(input: Tensor): Tensor {
  return at.log_sigmoid(input);
}

/** Samples of a distribution over categories that have gradients: noise is added to the logits before the softmax. */
export function gumbel_softmax(logits: Tensor, options: GumbelSoftmaxFuncOptions = GumbelSoftmaxFuncOptions()): Tensor {
  const dim = options.dim();
  const noise = at.empty_like(logits).exponential_().log().neg();
  const y_soft = logits.add_Tensor(noise).div_Scalar(double(options.tau())).softmax_int(dim);
  if (!options.hard()) return y_soft;
  const [, index] = y_soft.max_dim(dim, true);
  const y_hard = at.zeros_like(logits).scatter__value(dim, index, double(1));
  // The value is that of `y_hard`, the gradient that of `y_soft`.
  return y_hard.sub_Tensor(y_soft.detach()).add_Tensor(y_soft);
}

/** @param options a dimension, or options with one */
export function softmax(input: Tensor, options: SoftmaxFuncOptions | number): Tensor {
  if (typeof options === "number") return input.softmax_int(options);
  return input.softmax_int(options.dim(), options.dtype());
}
/** The softmax of the negated input. */
export function softmin(input: Tensor, options: SoftminFuncOptions | number): Tensor {
  if (typeof options === "number") return input.neg().softmax_int(options);
  return input.neg().softmax_int(options.dim(), options.dtype());
}
export function log_softmax(input: Tensor, options: LogSoftmaxFuncOptions | number): Tensor {
  if (typeof options === "number") return input.log_softmax_int(options);
  return input.log_softmax_int(options.dim(), options.dtype());
}

export function glu(input: Tensor, options: GLUOptions = GLUOptions()): Tensor {
  TORCH_CHECK(input.dim() !== 0, "glu does not support scalars because halving size must be even");
  return at.glu(input, options.dim());
}
export function gelu(input: Tensor, options: GELUOptions = GELUOptions()): Tensor {
  return at.gelu(input, options.approximate());
}
export function silu(input: Tensor): Tensor {
  return at.silu(input);
}
export function mish(input: Tensor): Tensor {
  return at.mish(input);
}
export function prelu(input: Tensor, weight: Tensor): Tensor {
  return at.prelu(input, weight);
}
export function relu(input: Tensor, options: ReLUOptions = ReLUOptions()): Tensor {
  return (options.inplace() ? at.relu_ : at.relu)(input);
}
export function relu6(input: Tensor, options: ReLU6Options = ReLU6Options()): Tensor {
  return (options.inplace() ? at.relu6_ : at.relu6)(input);
}
export function rrelu(input: Tensor, options: RReLUFuncOptions = RReLUFuncOptions()): Tensor {
  const bounds = [double(options.lower()), double(options.upper())] as const;
  return (options.inplace() ? at.rrelu_ : at.rrelu)(input, ...bounds, options.training());
}
export function celu(input: Tensor, options: CELUOptions = CELUOptions()): Tensor {
  return (options.inplace() ? at.celu_ : at.celu)(input, double(options.alpha()));
}
export function softplus(input: Tensor, options: SoftplusOptions = SoftplusOptions()): Tensor {
  return at.softplus(input, double(options.beta()), double(options.threshold()));
}
export function softshrink(input: Tensor, options: SoftshrinkOptions = SoftshrinkOptions()): Tensor {
  return at.softshrink(input, double(options.lambda()));
}
export function softsign(input: Tensor): Tensor {
  return input.div_Tensor(input.abs().add_Scalar(Scalar.ONE));
}
export function tanhshrink(input: Tensor): Tensor {
  return input.sub_Tensor(input.tanh());
}
export function threshold(input: Tensor, options: ThresholdOptions): Tensor {
  return (options.inplace() ? at.threshold_ : at.threshold)(
    input,
    double(options.threshold()),
    double(options.value()),
  );
}
