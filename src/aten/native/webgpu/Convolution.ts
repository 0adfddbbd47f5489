/**
 * @file Kernels of convolution as matrix products over columns (im2col.ts): forward, and the gradients of input and
 * weight. The forward of a transposed convolution is the input gradient of an ordinary one, and the other way round.
 *
 *   forward      weight (O, K) @ columns (K, places)               for each image
 *   to input     weight (O, K)^T @ gradient (O, places)            gives columns; col2im adds them up
 *   to weight    gradient (O, images * places) @ columns^T
 * @mirrors aten/src/ATen/native/ConvUtils.h
 * @differs Ours has one algorithm; PyTorch lets cuDNN choose among many.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { conv_input_size, conv_output_size } from "#aten/native/ConvUtils";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { multiply_integers } from "#c10/util/accumulate";
import { gemm, type Matrix } from "./gemm.ts";
import { col2im, type Geometry, im2col } from "./im2col.ts";
import { view_of } from "./KernelText.ts";

type MaybeTensor = Tensor | null;

/** Limit for the number of column elements in memory at a time; at least one image is handled at a time. */
const MOST_COLUMNS = 2 ** 24;

interface Convolution extends Geometry {
  readonly groups: number;
}

function geometry_of(
  weight_sizes: readonly number[],
  places: readonly number[],
  params: { stride: number[]; padding: number[]; dilation: number[]; groups: number },
): Convolution {
  return { ...params, kernel: weight_sizes.slice(2), places };
}

/**
 * Splits the images into chunks whose columns fit into the limit, and calls `each` with the first image and the count.
 */
function in_chunks(images: number, rows: number, places: number, each: (first: number, count: number) => void): void {
  const most = Math.max(1, Math.floor(MOST_COLUMNS / Math.max(1, rows * places)));
  for (let first = 0; first < images; first += most) each(first, Math.min(most, images - first));
}

function of_group(t: Tensor, dim: number, groups: number, g: number): Tensor {
  const size = t.size(dim) / groups;
  return groups === 1 ? t : t.narrow(dim, g * size, size);
}

function matrix(t: Tensor, batch: number, row: number, column: number): Matrix {
  return { view: view_of(t), batch, row, column };
}

/** input (N, C, ...) by weight (O, C / groups, ...) -> (N, O, ...) */
function forward(input: Tensor, weight_: Tensor, bias: MaybeTensor, conv: Convolution): Tensor {
  const { groups, places } = conv;
  const images = input.size(0);
  const O = weight_.size(0);
  const L = multiply_integers(places);
  const output = at.empty_memory_format([images, O, ...places], input.options());
  if (output.numel() === 0) return output;
  const weight = weight_.contiguous();
  const rows = input.size(1) * multiply_integers(conv.kernel);
  const [m, k] = [O / groups, rows / groups];
  in_chunks(images, rows, L, (first, batches) => {
    const columns = at.empty_memory_format([rows, batches * L], input.options());
    im2col(input.narrow(0, first, batches), columns, conv);
    const out = output.narrow(0, first, batches);
    for (let g = 0; g < groups; g++) {
      const a = matrix(of_group(weight, 0, groups, g), 0, k, 1);
      const b = matrix(of_group(columns, 0, groups, g), L, batches * L, 1);
      const c = matrix(of_group(out, 1, groups, g), O * L, L, 1);
      const addend = bias === null ? null : matrix(of_group(bias.contiguous(), 0, groups, g), 0, 1, 0);
      gemm(a, b, addend, c, { batches, m, n: L, k, alpha: 1, beta: addend === null ? 0 : 1 });
    }
  });
  return output;
}

/** grad (N, O, ...) by weight (O, C / groups, ...) -> (N, C, ...size) */
function to_input(
  grad_: Tensor,
  weight_: Tensor,
  bias: MaybeTensor,
  size: readonly number[],
  conv: Convolution,
): Tensor {
  const { groups, places } = conv;
  const [images, O] = grad_.sizes();
  const L = multiply_integers(places);
  const C = weight_.size(1) * groups;
  const input = at.empty_memory_format([images, C, ...size], grad_.options());
  if (input.numel() === 0) return input;
  const weight = weight_.contiguous();
  const grad = grad_.contiguous();
  const rows = C * multiply_integers(conv.kernel);
  const [m, k] = [rows / groups, O / groups];
  const sum_dtype = isIntegralType(grad.scalar_type(), true) ? grad.scalar_type() : ScalarType.Float;
  in_chunks(images, rows, L, (first, batches) => {
    const columns = at.empty_memory_format([rows, batches * L], grad.options().dtype(sum_dtype));
    const of_images = grad.narrow(0, first, batches);
    for (let g = 0; g < groups; g++) {
      const a = matrix(of_group(weight, 0, groups, g), 0, 1, m);
      const b = matrix(of_group(of_images, 1, groups, g), O * L, L, 1);
      const c = matrix(of_group(columns, 0, groups, g), L, batches * L, 1);
      gemm(a, b, null, c, { batches, m, n: L, k, alpha: 1, beta: 0 });
    }
    col2im(columns, bias === null ? null : bias.contiguous(), input.narrow(0, first, batches), conv);
  });
  return input;
}

/** grad (N, O, ...) and input (N, C, ...) -> (O, C / groups, ...kernel) */
function to_weight(grad: Tensor, input: Tensor, conv: Convolution): Tensor {
  const { groups, places, kernel } = conv;
  const [images, O] = grad.sizes();
  const L = multiply_integers(places);
  const rows = input.size(1) * multiply_integers(kernel);
  const weight = at.zeros([O, input.size(1) / groups, ...kernel], grad.options());
  if (weight.numel() === 0 || grad.numel() === 0) return weight;
  const [m, n] = [O / groups, rows / groups];
  in_chunks(images, rows, L, (first, count) => {
    const columns = at.empty_memory_format([rows, count * L], input.options());
    im2col(input.narrow(0, first, count), columns, conv);
    const by_channel = grad.narrow(0, first, count).transpose_int(0, 1).contiguous();
    const k = count * L;
    for (let g = 0; g < groups; g++) {
      const a = matrix(of_group(by_channel, 0, groups, g), 0, k, 1);
      const b = matrix(of_group(columns, 0, groups, g), 0, 1, k);
      const c = matrix(of_group(weight, 0, groups, g), 0, n, 1);
      gemm(a, b, first === 0 ? null : c, c, { batches: 1, m, n, k, alpha: 1, beta: first === 0 ? 0 : 1 });
    }
  });
  return weight;
}

// convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups)
//   -> Tensor
export function convolution_overrideable(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
): Tensor {
  const params = { stride, padding, dilation, groups };
  const given = bias?.defined() ? bias : null;
  if (!transposed) {
    const size = conv_output_size(input.sizes(), weight.sizes(), params);
    return forward(input, weight, given, geometry_of(weight.sizes(), size.slice(2), params));
  }
  const size = conv_input_size(input.sizes(), weight.sizes(), params, output_padding, groups);
  const conv = geometry_of(weight.sizes(), input.sizes().slice(2), params);
  return to_input(input, weight, given, size.slice(2), conv);
}

// convolution_backward_overrideable(Tensor grad_output, Tensor input, Tensor weight, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask)
//   -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)
export function convolution_backward_overrideable(
  grad_output: Tensor,
  input: Tensor,
  weight: Tensor,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  _output_padding: number[],
  groups: number,
  output_mask: boolean[],
): [Tensor, Tensor, Tensor] {
  const params = { stride, padding, dilation, groups };
  // In a transposed convolution the roles are exchanged: the kernel slides over the places of its input.
  const [small, large] = transposed ? [input, grad_output] : [grad_output, input];
  const conv = geometry_of(weight.sizes(), small.sizes().slice(2), params);
  const gradient = (): Tensor =>
    transposed
      ? forward(grad_output, weight, null, conv)
      : to_input(grad_output, weight, null, input.sizes().slice(2), conv);
  const dims = grad_output.sizes().flatMap((_, d) => (d === 1 ? [] : [d]));
  return [
    output_mask[0] ? gradient() : new Tensor(),
    output_mask[1] ? to_weight(small, large, conv) : new Tensor(),
    output_mask[2] ? grad_output.sum_dim_IntList(dims, false, null) : new Tensor(),
  ];
}
