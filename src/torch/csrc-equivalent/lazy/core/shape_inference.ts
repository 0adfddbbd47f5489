/**
 * @file Shapes of results, for operators without a structured Meta kernel.
 * @mirrors torch/csrc/lazy/core/shape_inference.h
 * @see tools/codegen/dest/lazy_ir.ts, Note [Generated LTC Shape Functions]
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";
import { Shape } from "./shape.ts";

type Sizes = readonly number[];

const like = (tensor: Tensor): Shape => new Shape(tensor.scalar_type(), tensor.sizes());
const sized = (tensor: Tensor, sizes: Sizes): Shape => new Shape(tensor.scalar_type(), sizes);

/** One result with dtype and sizes of the first tensor. */
function of_first(first: Tensor): Shape[] {
  return [like(first)];
}

/** One result with dtype and sizes of the second tensor: the gradient of the first input. */
function of_second(_grad_output: Tensor, self: Tensor): Shape[] {
  return [like(self)];
}

/** One number of the tensor's dtype. */
function number_of_first(first: Tensor): Shape[] {
  return [sized(first, [])];
}

export {
  number_of_first as max,
  number_of_first as min,
  number_of_first as trace,
  of_first as abs,
  of_first as as_strided_scatter_symint,
  of_first as bernoulli,
  of_first as bernoulli_p,
  of_first as diagonal_scatter,
  of_first as flip,
  of_first as glu_jvp,
  of_first as masked_fill_Scalar,
  of_first as masked_fill_Tensor,
  of_first as native_dropout_backward,
  of_first as normal_functional,
  of_first as random,
  of_first as random_from,
  of_first as random_to,
  of_first as relu,
  of_first as select_scatter,
  of_first as uniform,
  of_first as zero,
  of_second as _adaptive_avg_pool2d_backward,
  of_second as binary_cross_entropy_backward,
  of_second as glu_backward,
  of_second as log_sigmoid_backward,
  of_second as nll_loss2d_backward,
  of_second as smooth_l1_loss_backward,
};

export function _adaptive_avg_pool2d(self: Tensor, output_size: Sizes): Shape[] {
  const ndim = self.dim();
  TORCH_CHECK(
    output_size.length === 2,
    "adaptive_avg_pool2d: output_size must be 2, but got ",
    output_size.length,
    "!",
  );
  for (let i = 1; i < ndim; i++)
    TORCH_CHECK(
      self.size(i) > 0,
      "adaptive_avg_pool2d(): Expected self to have non-zero size for non-batch dimensions, but Tensor has sizes ",
      `[${self.sizes().join(", ")}] with dimension ${i} being empty`,
    );
  TORCH_CHECK(
    ndim === 3 || ndim === 4,
    "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got ",
    `[${self.sizes().join(", ")}]`,
  );
  return [sized(self, [...self.sizes().slice(0, -2), ...output_size])];
}

export function arange_out_start_out(start: Scalar, end: Scalar, step: Scalar, out: Tensor): Shape[] {
  const size = Math.ceil((end.toDouble() - start.toDouble()) / step.toDouble());
  return [sized(out, [size])];
}

export function binary_cross_entropy(
  self: Tensor,
  _target: Tensor,
  _weight: Tensor | null,
  reduction: number,
): Shape[] {
  return [reduction === 0 ? like(self) : sized(self, [])];
}

export function constant_pad_nd(self: Tensor, pad: Sizes): Shape[] {
  const sizes = self.sizes();
  const padded = sizes.length - Math.floor(pad.length / 2);
  TORCH_CHECK(pad.length % 2 === 0, "Length of pad must be even but instead it equals ", pad.length);
  TORCH_CHECK(
    padded >= 0,
    "Length of pad should be no more than twice the number of dimensions of the input. Pad length is ",
    `${pad.length}while the input has ${sizes.length}dimensions.`,
  );
  const at_end = (d: number): number => 2 * (sizes.length - 1 - d);
  const new_shape = sizes.map((size, d) => (d < padded ? size : size + pad[at_end(d)] + pad[at_end(d) + 1]));
  for (const [d, size] of new_shape.entries())
    TORCH_CHECK(
      d < padded || size >= 0,
      "The input size ",
      sizes[d],
      `, plus negative padding ${pad[at_end(d)]} and ${pad[at_end(d) + 1]} resulted in a negative output size, `,
      "which is invalid. Check dimension ",
      d,
      " of your input.",
    );
  return [sized(self, new_shape)];
}

/** Batch, channels, and for each dimension the number of places of the window. */
export function convolution(
  input: Tensor,
  weight: Tensor,
  _bias: Tensor | null,
  stride: Sizes,
  padding: Sizes,
  dilation: Sizes,
  transposed: boolean,
  output_padding: Sizes,
  groups: number,
): Shape[] {
  const dim = weight.dim();
  TORCH_CHECK(dim > 0, "weight should have at least one dimension");
  const at = (list: Sizes, d: number): number => (list.length > 1 ? list[d] : list[0]);
  const spatial = Array.from({ length: dim - 2 }, (_, d) => {
    const kernel = at(dilation, d) * (weight.size(d + 2) - 1) + 1;
    const size = input.size(d + 2);
    return transposed
      ? (size - 1) * at(stride, d) - 2 * at(padding, d) + kernel + at(output_padding, d)
      : Math.floor((size + 2 * at(padding, d) - kernel) / at(stride, d)) + 1;
  });
  const channels = transposed ? weight.size(1) * groups : weight.size(0);
  return [sized(input, [input.size(0), channels, ...spatial])];
}

export function convolution_backward(
  grad_output: Tensor,
  input: Tensor,
  weight: Tensor,
  bias_sizes: Sizes | null,
): Shape[] {
  return [like(input), like(weight), sized(grad_output, bias_sizes ?? [0])];
}

export function embedding(weight: Tensor, indices: Tensor): Shape[] {
  return [sized(weight, [...indices.sizes(), ...weight.sizes().slice(1)])];
}

export function embedding_dense_backward(grad_output: Tensor, _indices: Tensor, num_weights: number): Shape[] {
  return [sized(grad_output, [num_weights, grad_output.size(-1)])];
}

export function grid_sampler_2d(input: Tensor, grid: Tensor): Shape[] {
  return [sized(input, [input.size(0), input.size(1), grid.size(1), grid.size(2)])];
}

export function grid_sampler_2d_backward(_grad_output: Tensor, input: Tensor, grid: Tensor): Shape[] {
  return [like(input), like(grid)];
}

export function index_select(self: Tensor, dim: number, index: Tensor): Shape[] {
  const wrapped = maybe_wrap_dim(dim, self.dim());
  const index_size = index.dim() === 0 ? 1 : index.size(0);
  return [sized(self, self.dim() === 0 ? [index_size] : self.sizes().with(wrapped, index_size))];
}

export function log_sigmoid_forward(self: Tensor): Shape[] {
  return [like(self), like(self)];
}

export function logdet(self: Tensor): Shape[] {
  return [sized(self, self.sizes().slice(0, -2))];
}

export function mean(self: Tensor, dtype: ScalarType | null): Shape[] {
  return [new Shape(dtype ?? self.scalar_type(), [])];
}

export function mv(self: Tensor): Shape[] {
  return [sized(self, [self.size(0)])];
}

export function native_batch_norm(input: Tensor): Shape[] {
  TORCH_CHECK(input.dim() >= 2, "Input tensor must have at least batch and channel dimensions!");
  const features = sized(input, [input.size(1)]);
  return [like(input), features, features];
}

export function native_batch_norm_backward(_grad_out: Tensor, input: Tensor): Shape[] {
  return native_batch_norm(input);
}

export function native_dropout(input: Tensor): Shape[] {
  return [like(input), new Shape(ScalarType.Bool, input.sizes())];
}

/** The statistics have size 1 in the dimensions over which they are taken. */
export function native_layer_norm(input: Tensor, normalized_shape: Sizes): Shape[] {
  const axis = input.dim() - normalized_shape.length;
  TORCH_CHECK(axis >= 0);
  const stat = sized(
    input,
    input.sizes().map((size, d) => (d < axis ? size : 1)),
  );
  return [like(input), stat, stat];
}

export function native_layer_norm_backward(
  _grad_out: Tensor,
  input: Tensor,
  _normalized_shape: Sizes,
  _mean: Tensor,
  _rstd: Tensor,
  weight: Tensor | null,
  bias: Tensor | null,
  output_mask: readonly boolean[],
): Shape[] {
  const of = (parameter: Tensor | null, wanted: boolean): Shape =>
    wanted && parameter !== null ? like(parameter) : sized(input, []);
  return [like(input), of(weight, output_mask[1]), of(bias, output_mask[2])];
}

export function nll_loss2d_forward(self: Tensor, target: Tensor, _weight: Tensor | null, reduction: number): Shape[] {
  return [sized(self, reduction === 0 ? target.sizes() : []), sized(self, [])];
}

/** A bound: all elements. The operator falls back, because its size is not known before it has run. */
export function nonzero(self: Tensor): Shape[] {
  return [new Shape(ScalarType.Long, [self.numel(), self.dim()])];
}

export function repeat(self: Tensor, repeats: Sizes): Shape[] {
  TORCH_CHECK(
    repeats.length >= self.dim(),
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
  );
  const new_dims = repeats.length - self.dim();
  return [
    sized(
      self,
      repeats.map((count, d) => (d < new_dims ? count : count * self.size(d - new_dims))),
    ),
  ];
}

export function sort(self: Tensor): Shape[] {
  return [like(self), new Shape(ScalarType.Long, self.sizes())];
}

export function stack(tensors: readonly Tensor[], dim: number): Shape[] {
  TORCH_CHECK(tensors.length > 0, "stack expects a non-empty TensorList");
  const sizes = tensors[0].sizes();
  const different = tensors.findIndex((tensor) => String(tensor.sizes()) !== String(sizes));
  TORCH_CHECK(
    different === -1,
    "stack expects each tensor to be equal size, but got ",
    `[${sizes.join(", ")}] at entry 0 and [${tensors[different]?.sizes().join(", ")}] at entry ${different}`,
  );
  return [sized(tensors[0], sizes.toSpliced(maybe_wrap_dim(dim, sizes.length + 1), 0, tensors.length))];
}

export function std(self: Tensor): Shape[] {
  return [sized(self, [])];
}

export function std_dim(self: Tensor, dim: Sizes | null, _unbiased: boolean, keepdim: boolean): Shape[] {
  return std_correction(self, dim, null, keepdim);
}

export function std_correction(self: Tensor, dim: Sizes | null, _correction: Scalar | null, keepdim: boolean): Shape[] {
  if (dim === null) return std(self);
  const reduced = dim.length === 0 ? self.sizes().map((_, d) => d) : dim.map((d) => maybe_wrap_dim(d, self.dim()));
  return [
    sized(
      self,
      self.sizes().flatMap((size, d) => (!reduced.includes(d) ? size : keepdim ? 1 : [])),
    ),
  ];
}

/** Integers are added in int64. */
export function sum(self: Tensor, dtype: ScalarType | null): Shape[] {
  const own = isIntegralType(self.scalar_type(), true) ? ScalarType.Long : self.scalar_type();
  return [new Shape(dtype ?? own, [])];
}
