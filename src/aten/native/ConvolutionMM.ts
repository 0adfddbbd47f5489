/**
 * @file The three sums of a convolution: its output, the gradient of its input, and the gradient of its weight.
 * @original In PyTorch each backend has its own loops for them; here every backend calls these.
 * @see cpu/ConvolutionMMKernel.ts (by columns and gemm)
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ConvArguments, ConvGradients, Steps } from "./ConvUtils.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

// Note [One convolution, three sums]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Every convolution relates three tensors: an image of C channels, a smaller image of K channels, and the weights
// between them.
//
//   forward          small[k, p]  = sum over c, t   weight[k, c, t] * image[c, place(p, t)]
//   input backward   image[c, i]  = sum over k, p, t with place(p, t) = i   weight[k, c, t] * small[k, p]
//   weight backward  weight[k, c, t] = sum over p   small[k, p] * image[c, place(p, t)]
//
// place(p, t) = p * stride - padding + t * dilation; outside the image, values are 0. A transposed convolution uses the
// same equations with other names: its forward is the second line, the gradient of its input is the first, and that of
// its weight is the third.

/** Sizes of a convolution with three spatial dims; missing leading dims have size 1. */
export interface ConvSizes {
  readonly batch: number;
  readonly groups: number;
  /** Total number of channels, over all groups, of the image and of the smaller image. */
  readonly C: number;
  readonly K: number;
  readonly image: Volume;
  readonly small: Volume;
  readonly kernel: Volume;
  readonly stride: Volume;
  readonly padding: Volume;
  readonly dilation: Volume;
}
/** Depth, height, width. */
export type Volume = readonly [number, number, number];

// `small`, `image` and `weight` as in the Note: contiguous tensors of one dtype.
export const conv_forward_stub =
  DEFINE_DISPATCH<
    (
      small: Tensor,
      image: Tensor,
      weight: Tensor,
      bias: Tensor | null,
      sizes: ConvSizes,
      columns: Tensor | null,
    ) => void
  >("conv_forward_stub");
export const conv_input_backward_stub =
  DEFINE_DISPATCH<(image: Tensor, small: Tensor, weight: Tensor, sizes: ConvSizes) => void>("conv_input_backward_stub");
export const conv_weight_backward_stub =
  DEFINE_DISPATCH<(weight: Tensor, small: Tensor, image: Tensor, sizes: ConvSizes) => void>(
    "conv_weight_backward_stub",
  );

function volume(sizes: readonly number[], missing: number): Volume {
  return [missing, missing, missing, ...sizes].slice(-3) as [number, number, number];
}

/** Sizes for tensors (N, C, *) and (N, K, *). */
export function conv_sizes(
  image: Tensor,
  small: Tensor,
  kernel: readonly number[],
  steps: Steps,
  groups: number,
): ConvSizes {
  return {
    batch: image.size(0),
    groups,
    C: image.size(1),
    K: small.size(1),
    image: volume(image.sizes().slice(2), 1),
    small: volume(small.sizes().slice(2), 1),
    kernel: volume(kernel, 1),
    stride: volume(steps.stride, 1),
    padding: volume(steps.padding, 0),
    dilation: volume(steps.dilation, 1),
  };
}

/** Calls `write` with a contiguous tensor, and makes sure that its elements end up in `result`. */
function into(result: Tensor, write: (result: Tensor) => void): void {
  if (result.is_contiguous()) {
    write(result);
    return;
  }
  const own = at.empty_memory_format(result.sizes().slice(), result.options(), MemoryFormat.Contiguous);
  write(own);
  result.copy_(own);
}

/**
 * Options of a caller: the kernel's sizes if the weight is a matrix, and scratch memory for the columns of one
 * instance.
 */
export interface ForwardOptions {
  readonly kernel?: readonly number[];
  readonly columns?: Tensor;
}

/** small = the forward sum, plus `bias` for each channel. */
export function conv_forward(
  small: Tensor,
  image: Tensor,
  weight: Tensor,
  bias: Tensor | null,
  steps: Steps,
  groups: number,
  { kernel = weight.sizes().slice(2), columns }: ForwardOptions = {},
): void {
  if (small.numel() === 0) return;
  const sizes = conv_sizes(image, small, kernel, steps, groups);
  const [x, w] = [image.contiguous(), weight.contiguous()];
  into(small, (y) => conv_forward_stub.call(y.device_type(), y, x, w, bias, sizes, columns ?? null));
}

/** image = the gradient of the input, or the output of a transposed convolution. */
export function conv_input_backward(image: Tensor, small: Tensor, weight: Tensor, steps: Steps, groups: number): void {
  if (image.numel() === 0) return;
  if (small.numel() === 0) {
    image.zero_();
    return;
  }
  const sizes = conv_sizes(image, small, weight.sizes().slice(2), steps, groups);
  const [y, w] = [small.contiguous(), weight.contiguous()];
  into(image, (x) => conv_input_backward_stub.call(x.device_type(), x, y, w, sizes));
}

/** weight = the gradient of the weight. */
export function conv_weight_backward(weight: Tensor, small: Tensor, image: Tensor, steps: Steps, groups: number): void {
  if (weight.numel() === 0) return;
  if (small.numel() === 0) {
    weight.zero_();
    return;
  }
  const sizes = conv_sizes(image, small, weight.sizes().slice(2), steps, groups);
  const [y, x] = [small.contiguous(), image.contiguous()];
  into(weight, (w) => conv_weight_backward_stub.call(w.device_type(), w, y, x, sizes));
}

/** Gradients of `image` and `weight`, if wanted, each in its own memory format. The caller sums the bias. */
export function conv_backward(
  image: Tensor,
  small_grad: Tensor,
  weight: Tensor,
  { groups, ...steps }: ConvArguments,
  output_mask: readonly boolean[],
): ConvGradients {
  const image_grad = output_mask[0] ? at.empty_like(image) : new Tensor();
  const weight_grad = output_mask[1] ? at.empty_like(weight) : new Tensor();
  if (output_mask[0]) conv_input_backward(image_grad, small_grad, weight, steps, groups);
  if (output_mask[1]) conv_weight_backward(weight_grad, small_grad, image, steps, groups);
  return [image_grad, weight_grad, new Tensor()];
}

/** Gradients of a transposed convolution, whose input is the smaller image. */
export function conv_transpose_backward(
  small: Tensor,
  image_grad: Tensor,
  weight: Tensor,
  { groups, ...steps }: ConvArguments,
  output_mask: readonly boolean[],
): ConvGradients {
  const small_grad = output_mask[0] ? at.empty_like(small) : new Tensor();
  const weight_grad = output_mask[1] ? at.empty_like(weight) : new Tensor();
  if (output_mask[0]) conv_forward(small_grad, image_grad, weight, null, steps, groups);
  if (output_mask[1]) conv_weight_backward(weight_grad, small, image_grad, steps, groups);
  return [small_grad, weight_grad, new Tensor()];
}
