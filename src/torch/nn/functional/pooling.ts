/**
 * @file Max pooling and average pooling over windows in `torch.nn.functional`.
 * @mirrors torch/nn/functional.py#max_pool2d
 */
import { _C } from "#torch/_C";
import { boolean_dispatch } from "#torch/_jit_internal";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { _list_with_default, type Sizes } from "#torch/nn/modules/utils";

const _VF = _C._VariableFunctions;

type Size = Sizes<number>;
/** The arguments that all max pooling functions share. */
type MaxPool = [
  input: Tensor,
  kernel_size: Size,
  stride: Size | null,
  padding: Size,
  dilation: Size,
  ceil_mode: boolean,
  return_indices: boolean,
];

/** Types a size as a list of numbers; the function of `torch` takes a number, too. */
function numbers(size: Size): number[] {
  return size as number[];
}

/** The stride as a list; without one the operator takes the window, so windows do not overlap. */
function stride_of(stride: Size | null): number[] {
  return numbers(stride ?? []);
}

/** `max_pool1d`, together with the indices of the maxima. */
export const max_pool1d_with_indices = def_overridable(
  "max_pool1d_with_indices(input: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
  (...[input, kernel_size, stride, padding, dilation, ceil_mode]: MaxPool): Tensor[] => {
    const strides = stride_of(stride);
    return _VF.max_pool1d_with_indices(
      input,
      numbers(kernel_size),
      strides,
      numbers(padding),
      numbers(dilation),
      ceil_mode,
    ) as unknown as Tensor[];
  },
  "torch.nn.functional.max_pool1d_with_indices",
);

/** Maximum of each window; with `return_indices`, also its index.   `(N, C, L)` */
export const max_pool1d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 6 },
  max_pool1d_with_indices,
  def_overridable(
    "_max_pool1d(input: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    (...[input, kernel_size, stride, padding, dilation, ceil_mode]: MaxPool): Tensor => {
      const strides = stride_of(stride);
      return _VF.max_pool1d(input, numbers(kernel_size), strides, numbers(padding), numbers(dilation), ceil_mode);
    },
    "torch.nn.functional.max_pool1d",
    { public_api: (): unknown => max_pool1d },
  ),
  "max_pool1d",
);

/** `max_pool2d`, together with the indices of the maxima. */
export const max_pool2d_with_indices = def_overridable(
  "max_pool2d_with_indices(input: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
  (...[input, kernel_size, stride, padding, dilation, ceil_mode]: MaxPool): Tensor[] => {
    const strides = stride_of(stride);
    return _C._nn.max_pool2d_with_indices(
      input,
      numbers(kernel_size),
      strides,
      numbers(padding),
      numbers(dilation),
      ceil_mode,
    ) as unknown as Tensor[];
  },
  "torch.nn.functional.max_pool2d_with_indices",
);

/** Maximum of each window; with `return_indices`, also its index.   `(N, C, H, W)` */
export const max_pool2d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 6 },
  max_pool2d_with_indices,
  def_overridable(
    "_max_pool2d(input: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    (...[input, kernel_size, stride, padding, dilation, ceil_mode]: MaxPool): Tensor => {
      const strides = stride_of(stride);
      return _VF.max_pool2d(input, numbers(kernel_size), strides, numbers(padding), numbers(dilation), ceil_mode);
    },
    "torch.nn.functional.max_pool2d",
    { public_api: (): unknown => max_pool2d },
  ),
  "max_pool2d",
);

/** Mean of each window.   `(N, C, L)` */
export const avg_pool1d = _VF.avg_pool1d;

/** Mean of each window.   `(N, C, H, W)` */
export const avg_pool2d = _C._nn.avg_pool2d;

/** Mean of each of `output_size` parts.   `(N, C, L)` */
export const adaptive_avg_pool1d = _VF.adaptive_avg_pool1d;

/** Mean of each of `output_size` parts; null keeps the size of a dim.   `(N, C, H, W)` */
export const adaptive_avg_pool2d = def_overridable(
  "adaptive_avg_pool2d(input: Tensor, output_size)",
  (input: Tensor, output_size: Sizes<number | null>): Tensor =>
    _C._nn.adaptive_avg_pool2d(input, _list_with_default(output_size, input.size() as number[]) as number[]),
  "torch.nn.functional.adaptive_avg_pool2d",
);

/** Mean of each of `output_size` parts; null keeps the size of a dim.   `(N, C, D, H, W)` */
export const adaptive_avg_pool3d = def_overridable(
  "adaptive_avg_pool3d(input: Tensor, output_size)",
  (input: Tensor, output_size: Sizes<number | null>): Tensor =>
    _C._nn.adaptive_avg_pool3d(input, _list_with_default(output_size, input.size() as number[]) as number[]),
  "torch.nn.functional.adaptive_avg_pool3d",
);
