/**
 * @file `conv1d`, `conv_transpose2d` and similar operators: a single instance becomes a batch, and `padding="same"`
 * becomes numbers.
 * @mirrors aten/src/ATen/native/Convolution.cpp#conv2d_symint
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { defined } from "#aten/TensorMethods";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

type MaybeTensor = Tensor | null;

function batchify(input: Tensor, num_spatial_dims: number, func_name: string): [Tensor, boolean] {
  const dim_count_no_batch = num_spatial_dims + 1;
  const dim_count_batch = dim_count_no_batch + 1;
  const is_batched = input.dim() === dim_count_batch;
  TORCH_CHECK(
    input.dim() === dim_count_no_batch || is_batched,
    `Expected ${dim_count_no_batch}D (unbatched) or ${dim_count_batch}D (batched) input to ${func_name}, but got input of size: `,
    input.sizes(),
  );
  return [is_batched ? input : input.unsqueeze(0), is_batched];
}

function check_bias_type(input: Tensor, bias: MaybeTensor): void {
  TORCH_CHECK(
    bias === null || bias.dtype() === input.dtype(),
    "Input type (",
    typeMetaName(input.dtype()),
    ") and bias type (",
    bias === null ? "" : typeMetaName(bias.dtype()),
    ") should be the same",
  );
}

function conv_nd(spatial: number) {
  return (
    input_: Tensor,
    weight: Tensor,
    bias_opt: MaybeTensor,
    stride: number[],
    padding: number[],
    dilation: number[],
    groups: number,
  ): Tensor => {
    const bias = defined(bias_opt);
    check_bias_type(input_, bias);
    const [input, is_batched] = batchify(input_, spatial, `conv${spatial}d`);
    const no_output_padding = new Array<number>(spatial).fill(0);
    const output = at.convolution(input, weight, bias, stride, padding, dilation, false, no_output_padding, groups);
    return is_batched ? output : output.squeeze_dim(0);
  };
}

// conv1d, conv2d, conv3d                                                            CompositeImplicitAutograd
export const conv1d_symint = conv_nd(1);
export const conv2d_symint = conv_nd(2);
export const conv3d_symint = conv_nd(3);

function conv_transpose_nd(spatial: number) {
  return (
    input_: Tensor,
    weight: Tensor,
    bias_opt: MaybeTensor,
    stride: number[],
    padding: number[],
    output_padding: number[],
    groups: number,
    dilation: number[],
  ): Tensor => {
    const bias = defined(bias_opt);
    const [input, is_batched] = batchify(input_, spatial, `conv_transpose${spatial}d`);
    const output = at.convolution(input, weight, bias, stride, padding, dilation, true, output_padding, groups);
    return is_batched ? output : output.squeeze_dim(0);
  };
}

// conv_transpose1d, conv_transpose2d.input, conv_transpose3d.input                  CompositeImplicitAutograd
export const conv_transpose1d_symint = conv_transpose_nd(1);
export const conv_transpose2d_symint = conv_transpose_nd(2);
export const conv_transpose3d_symint = conv_transpose_nd(3);

/**
 * Padding on the left and on the right with which a kernel keeps the size. If the sum is odd, the right side gets one
 * more.
 */
function pooling_same_mode_padding_lr(kernel: number, dilation: number): [left: number, right: number] {
  const total = dilation * (kernel - 1);
  const left = Math.floor(total / 2);
  return [left, total - left];
}

function convolution_same(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  stride: number[],
  dilation: number[],
  groups: number,
): Tensor {
  const k = weight.dim();
  TORCH_CHECK(k > 2, "weight should have at least three dimensions");
  TORCH_CHECK(groups > 0, "non-positive groups is not supported");
  const dim = k - 2;
  TORCH_CHECK(
    k === input.dim(),
    `Expected ${k}-dimensional input for ${k}-dimensional weight`,
    weight.sizes(),
    `, but got ${input.dim()}-dimensional input of size `,
    input.sizes(),
    " instead",
  );
  const broadcasts = (list: number[]) => list.length === dim || list.length === 1;
  TORCH_CHECK(broadcasts(stride), `stride cannot broadcast to ${dim} dimensions`);
  TORCH_CHECK(broadcasts(dilation), `dilation cannot broadcast to ${dim} dimensions`);
  for (const s of stride) TORCH_CHECK(s === 1, "padding='same' is not supported for strided convolutions");

  const sides = weight
    .sizes()
    .slice(2)
    .map((size, i) => pooling_same_mode_padding_lr(size, dilation.length === 1 ? dilation[0] : dilation[i]));
  const no_output_padding = new Array<number>(dim).fill(0);
  const convolve = (x: Tensor) =>
    at.convolution(
      x,
      weight,
      bias,
      stride,
      sides.map(([left]) => left),
      dilation,
      false,
      no_output_padding,
      groups,
    );
  if (sides.every(([left, right]) => left === right)) return convolve(input);
  TORCH_WARN_ONCE(
    "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created",
  );
  // If the right side needs more padding, the input is padded there; the rest is equal on both sides.
  const pad_nd = sides.toReversed().flatMap(([left, right]) => [0, right - left]);
  return convolve(at.constant_pad_nd(input, pad_nd));
}

// _convolution_mode                                                                 CompositeImplicitAutograd
export function _convolution_mode_symint(
  input: Tensor,
  weight: Tensor,
  bias_opt: MaybeTensor,
  stride: number[],
  padding: string,
  dilation: number[],
  groups: number,
): Tensor {
  const bias = defined(bias_opt);
  if (padding === "same") return convolution_same(input, weight, bias, stride, dilation, groups);
  if (padding === "valid") return at.convolution(input, weight, bias, stride, [0], dilation, false, [0], groups);
  TORCH_CHECK(false, `Invalid padding string: '${padding}'`);
}

function conv_nd_padding(spatial: number) {
  return (
    input_: Tensor,
    weight: Tensor,
    bias: MaybeTensor,
    stride: number[],
    padding: string,
    dilation: number[],
    groups: number,
  ): Tensor => {
    const [input, is_batched] = batchify(input_, spatial, `conv${spatial}d`);
    const output = at._convolution_mode(input, weight, bias, stride, padding, dilation, groups);
    return is_batched ? output : output.squeeze_dim(0);
  };
}

// conv1d.padding, conv2d.padding, conv3d.padding                                    CompositeImplicitAutograd
export const conv1d_padding_symint = conv_nd_padding(1);
export const conv2d_padding_symint = conv_nd_padding(2);
export const conv3d_padding_symint = conv_nd_padding(3);

// _convolution.deprecated                                                           CompositeImplicitAutograd
// Version without allow_tf32, which older TorchScript files call.
export function _convolution_deprecated(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
  benchmark: boolean,
  deterministic: boolean,
  cudnn_enabled: boolean,
): Tensor {
  // biome-ignore format: flags on one line
  return at._convolution(
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups,
    benchmark, deterministic, cudnn_enabled, true,
  );
}
