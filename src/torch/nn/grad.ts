/**
 * @file The gradients of convolutions as functions, for use without a graph.
 * @mirrors torch/nn/grad.py
 */
import { having } from "#torch/_C";
import { ops } from "#torch/_ops";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { _pair, _single, _triple, type Sizes } from "./modules/utils.ts";

type Tuple = (x: Sizes) => number[];
type How = readonly [stride: Sizes, padding: Sizes, dilation: Sizes, groups: number];

/** The results of the backward operator for input, weight and bias; only the requested ones are computed. */
function gradients(
  tuple: Tuple,
  [grad_output, input, weight]: readonly [Tensor, Tensor, Tensor],
  [stride, padding, dilation, groups]: How,
  output_mask: readonly [input: boolean, weight: boolean, bias: false],
): Tensor[] {
  const backward = ops.aten.convolution_backward.default as (...args: unknown[]) => unknown;
  const sizes = [tuple(stride), tuple(padding), tuple(dilation)];
  return backward(grad_output, input, weight, null, ...sizes, false, [0], groups, output_mask) as Tensor[];
}

/** A placeholder tensor of which only the shape is used. */
function of_shape(like: Tensor, size: readonly number[]): Tensor {
  return having(like, "new_empty").new_empty([1]).expand(size);
}

function input_gradient(tuple: Tuple) {
  return (input_size: readonly number[], weight: Tensor, grad_output: Tensor, ...how: How): Tensor => {
    const input = of_shape(grad_output, input_size);
    return gradients(tuple, [grad_output, input, weight], how, [true, false, false])[0];
  };
}

function weight_gradient(tuple: Tuple) {
  return (input: Tensor, weight_size: readonly number[], grad_output: Tensor, ...how: How): Tensor => {
    const weight = of_shape(grad_output, weight_size);
    return gradients(tuple, [grad_output, input, weight], how, [false, true, false])[1];
  };
}

/** The gradient of `conv1d` with respect to its input, whose shape is `input_size`. */
export const conv1d_input = def(
  "conv1d_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1)",
  input_gradient(_single),
);

/** The gradient of `conv1d` with respect to its weight, whose shape is `weight_size`. */
export const conv1d_weight = def(
  "conv1d_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1)",
  weight_gradient(_single),
);

/** The gradient of `conv2d` with respect to its input, whose shape is `input_size`. */
export const conv2d_input = def(
  "conv2d_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1)",
  input_gradient(_pair),
);

/** The gradient of `conv2d` with respect to its weight, whose shape is `weight_size`. */
export const conv2d_weight = def(
  "conv2d_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1)",
  weight_gradient(_pair),
);

/** The gradient of `conv3d` with respect to its input, whose shape is `input_size`. */
export const conv3d_input = def(
  "conv3d_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1)",
  input_gradient(_triple),
);

/** The gradient of `conv3d` with respect to its weight, whose shape is `weight_size`. */
export const conv3d_weight = def(
  "conv3d_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1)",
  weight_gradient(_triple),
);
