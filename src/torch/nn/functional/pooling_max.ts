/**
 * @file Max pooling over volumes, adaptive and fractional max pooling, and max unpooling.
 * @mirrors torch/nn/functional.py#max_pool3d
 */
import { ValueError } from "#c10/util/Exception";
import { _C, having, PySequence_Tuple } from "#torch/_C";
import { boolean_dispatch } from "#torch/_jit_internal";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _list_with_default, _pair, _single, _triple, factor, type Sizes, sizes_repr } from "#torch/nn/modules/utils";

const _VF = _C._VariableFunctions;
const _nn = _C._nn;

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

/** `max_pool3d`, together with the indices of the maxima. */
export const max_pool3d_with_indices = def_overridable(
  "max_pool3d_with_indices(input: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
  (...[input, kernel_size, stride, padding, dilation, ceil_mode]: MaxPool): Tensor[] => {
    const strides = numbers(stride ?? kernel_size);
    return _nn.max_pool3d_with_indices(
      input,
      numbers(kernel_size),
      strides,
      numbers(padding),
      numbers(dilation),
      ceil_mode,
    ) as unknown as Tensor[];
  },
  "torch.nn.functional.max_pool3d_with_indices",
);

/** Maximum of each window; with `return_indices`, also its index.   `(N, C, D, H, W)` */
export const max_pool3d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 6 },
  max_pool3d_with_indices,
  def_overridable(
    "_max_pool3d(input: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    (...[input, kernel_size, stride, padding, dilation, ceil_mode]: MaxPool): Tensor => {
      const strides = numbers(stride ?? kernel_size);
      return _VF.max_pool3d(input, numbers(kernel_size), strides, numbers(padding), numbers(dilation), ceil_mode);
    },
    "torch.nn.functional.max_pool3d",
    { public_api: (): unknown => max_pool3d },
  ),
  "max_pool3d",
);

/** `adaptive_max_pool1d`, together with the indices of the maxima. */
export const adaptive_max_pool1d_with_indices = def_overridable(
  "adaptive_max_pool1d_with_indices(input: Tensor, output_size, return_indices=False)",
  (input: Tensor, output_size: Sizes<number | null>, _return_indices: boolean): Tensor[] =>
    _VF.adaptive_max_pool1d(input, numbers(output_size as Size)) as unknown as Tensor[],
  "torch.nn.functional.adaptive_max_pool1d_with_indices",
);

/** Maximum of each of `output_size` parts; with `return_indices`, also its index.   `(N, C, L)` */
export const adaptive_max_pool1d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 2 },
  adaptive_max_pool1d_with_indices,
  def_overridable(
    "_adaptive_max_pool1d(input: Tensor, output_size, return_indices=False)",
    (input: Tensor, output_size: Sizes<number | null>, _return_indices: boolean): Tensor =>
      adaptive_max_pool1d_with_indices(input, output_size)[0],
    "torch.nn.functional.adaptive_max_pool1d",
    { public_api: (): unknown => adaptive_max_pool1d },
  ),
  "adaptive_max_pool1d",
);

/** `adaptive_max_pool2d`, together with the indices of the maxima. */
export const adaptive_max_pool2d_with_indices = def_overridable(
  "adaptive_max_pool2d_with_indices(input: Tensor, output_size, return_indices=False)",
  (input: Tensor, output_size: Sizes<number | null>, _return_indices: boolean): Tensor[] =>
    _nn.adaptive_max_pool2d(
      input,
      numbers(_list_with_default(output_size, input.size() as number[])),
    ) as unknown as Tensor[],
  "torch.nn.functional.adaptive_max_pool2d_with_indices",
);

/** Maximum of each of `output_size` parts; with `return_indices`, also its index.   `(N, C, H, W)` */
export const adaptive_max_pool2d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 2 },
  adaptive_max_pool2d_with_indices,
  def_overridable(
    "_adaptive_max_pool2d(input: Tensor, output_size, return_indices=False)",
    (input: Tensor, output_size: Sizes<number | null>, _return_indices: boolean): Tensor =>
      adaptive_max_pool2d_with_indices(input, output_size)[0],
    "torch.nn.functional.adaptive_max_pool2d",
    { public_api: (): unknown => adaptive_max_pool2d },
  ),
  "adaptive_max_pool2d",
);

/** `adaptive_max_pool3d`, together with the indices of the maxima. */
export const adaptive_max_pool3d_with_indices = def_overridable(
  "adaptive_max_pool3d_with_indices(input: Tensor, output_size, return_indices=False)",
  (input: Tensor, output_size: Sizes<number | null>, _return_indices: boolean): Tensor[] =>
    _nn.adaptive_max_pool3d(
      input,
      numbers(_list_with_default(output_size, input.size() as number[])),
    ) as unknown as Tensor[],
  "torch.nn.functional.adaptive_max_pool3d_with_indices",
);

/** Maximum of each of `output_size` parts; with `return_indices`, also its index.   `(N, C, D, H, W)` */
export const adaptive_max_pool3d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 2 },
  adaptive_max_pool3d_with_indices,
  def_overridable(
    "_adaptive_max_pool3d(input: Tensor, output_size, return_indices=False)",
    (input: Tensor, output_size: Sizes<number | null>, _return_indices: boolean): Tensor =>
      adaptive_max_pool3d_with_indices(input, output_size)[0],
    "torch.nn.functional.adaptive_max_pool3d",
    { public_api: (): unknown => adaptive_max_pool3d },
  ),
  "adaptive_max_pool3d",
);

type Fractional = [
  input: Tensor,
  kernel_size: Size,
  output_size: Size | null,
  output_ratio: Size | null,
  return_indices: boolean,
  _random_samples: Tensor | null,
];

/** `fractional_max_pool2d`, together with the indices of the maxima. */
export const fractional_max_pool2d_with_indices = def_overridable(
  "fractional_max_pool2d_with_indices(input: Tensor, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples: Tensor=None)",
  (...[input, kernel_size, output_size, output_ratio, , _random_samples]: Fractional): Tensor[] => {
    let size = output_size;
    if (size === null) {
      if (output_ratio === null)
        throw new ValueError("fractional_max_pool2d requires specifying either an output_size or an output_ratio");
      if (Array.isArray(output_ratio) && output_ratio.length > 2)
        throw new ValueError("fractional_max_pool2d requires output_ratio to either be a single Int or tuple of Ints.");
      size = _pair<number>(output_ratio).map((ratio, d) => Math.trunc(input.size(d - 2) * ratio));
    }
    const samples = _random_samples ?? samples_for(input, 2);
    return _nn.fractional_max_pool2d(input, numbers(kernel_size), numbers(size), samples) as unknown as Tensor[];
  },
  "torch.nn.functional.fractional_max_pool2d_with_indices",
);

/**
 * Maximum of each window, with windows at random distances.
 * @param output_size the size of the result; or give `output_ratio`, the size relative to the input.
 */
export const fractional_max_pool2d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 4 },
  fractional_max_pool2d_with_indices,
  def_overridable(
    "_fractional_max_pool2d(input: Tensor, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples: Tensor=None)",
    (...[input, kernel_size, output_size, output_ratio, return_indices, _random_samples]: Fractional): Tensor => {
      const rest = [kernel_size, output_size, output_ratio, return_indices, _random_samples] as const;
      return fractional_max_pool2d_with_indices(input, ...rest)[0];
    },
    "torch.nn.functional.fractional_max_pool2d",
    { public_api: (): unknown => fractional_max_pool2d },
  ),
  "fractional_max_pool2d",
);

/** `fractional_max_pool3d`, together with the indices of the maxima. */
export const fractional_max_pool3d_with_indices = def_overridable(
  "fractional_max_pool3d_with_indices(input: Tensor, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples: Tensor=None)",
  (...[input, kernel_size, output_size, output_ratio, , _random_samples]: Fractional): Tensor[] => {
    let size = output_size;
    if (size === null) {
      if (output_ratio === null)
        throw new ValueError("fractional_max_pool3d requires specifying either an output_size or an output_ratio");
      size = _triple(output_ratio).map((ratio, d) => Math.trunc(input.size(d - 3) * ratio));
    }
    const samples = _random_samples ?? samples_for(input, 3);
    return _nn.fractional_max_pool3d(input, numbers(kernel_size), numbers(size), samples) as unknown as Tensor[];
  },
  "torch.nn.functional.fractional_max_pool3d_with_indices",
);

/**
 * Maximum of each window, with windows at random distances.
 * @param output_size the size of the result; or give `output_ratio`, the size relative to the input.
 */
export const fractional_max_pool3d = boolean_dispatch(
  { arg_name: "return_indices", arg_index: 4 },
  fractional_max_pool3d_with_indices,
  def_overridable(
    "_fractional_max_pool3d(input: Tensor, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples: Tensor=None)",
    (...[input, kernel_size, output_size, output_ratio, return_indices, _random_samples]: Fractional): Tensor => {
      const rest = [kernel_size, output_size, output_ratio, return_indices, _random_samples] as const;
      return fractional_max_pool3d_with_indices(input, ...rest)[0];
    },
    "torch.nn.functional.fractional_max_pool3d",
    { public_api: (): unknown => fractional_max_pool3d },
  ),
  "fractional_max_pool3d",
);

/** `dim` random numbers for each plane. */
function samples_for(input: Tensor, dim: number): Tensor {
  const batch = having(input, "dim").dim() === dim + 1 ? 1 : input.size(0);
  return torch.rand(batch, input.size(-dim - 1), dim, { dtype: input.dtype, device: input.device });
}

/** The size of the result of unpooling: the default, or `output_size`, which must differ from it by less than the stride in each dim. */
function _unpool_output_size(
  input: Tensor,
  kernel_size: readonly number[],
  stride: readonly number[],
  padding: readonly number[],
  output_size: readonly number[] | null,
): number[] {
  const dim = kernel_size.length;
  const input_size = [...having(input, "size").size()].slice(-dim);
  const default_size = kernel_size.map(
    (k, d) => (input_size[d] - 1) * factor(stride[d]) + factor(k) - 2 * factor(padding[d]),
  );
  let size = output_size === null ? default_size : PySequence_Tuple(output_size);
  if (output_size !== null) {
    if (size.length === dim + 2) size = size.slice(2);
    if (size.length !== dim)
      throw new ValueError(
        `output_size should be a sequence containing ${dim} or ${dim + 2} elements, but it has a length of '${size.length}'`,
      );
    for (const [d, n] of size.entries()) {
      const [min_size, max_size] = [default_size[d] - stride[d], default_size[d] + stride[d]];
      if (!(min_size < n && n < max_size))
        throw new ValueError(
          `invalid output_size "${sizes_repr(size)}" (dim ${d} must be between ${min_size} and ${max_size})`,
        );
    }
  }
  for (const [d, n] of size.entries())
    if (n < 0)
      throw new ValueError(
        `max_unpooling: output_size must contain non-negative spatial dimensions, but got output_size[${d}]=${n}`,
      );
  return size;
}

type Unpool = [
  input: Tensor,
  indices: Tensor,
  kernel_size: Size,
  stride: Size | null,
  padding: Size,
  output_size: readonly number[] | null,
];

/** Partial inverse of `max_pool1d`: the maxima return to their positions, all other elements are 0. */
export const max_unpool1d = def_overridable(
  "max_unpool1d(input: Tensor, indices, kernel_size, stride=None, padding=0, output_size=None)",
  (...[input, indices, kernel_size, stride, padding, output_size]: Unpool): Tensor => {
    const [kernel, steps, pads] = [_single(kernel_size), _single(stride ?? kernel_size), _single(padding)];
    const size = _unpool_output_size(input, kernel, steps, pads, output_size);
    return _nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [...size, 1]).squeeze(-1);
  },
  "torch.nn.functional.max_unpool1d",
);

/** Partial inverse of `max_pool2d`: the maxima return to their positions, all other elements are 0. */
export const max_unpool2d = def_overridable(
  "max_unpool2d(input: Tensor, indices, kernel_size, stride=None, padding=0, output_size=None)",
  (...[input, indices, kernel_size, stride, padding, output_size]: Unpool): Tensor => {
    const [kernel, steps, pads] = [_pair(kernel_size), _pair(stride ?? kernel_size), _pair(padding)];
    const size = _unpool_output_size(input, kernel, steps, pads, output_size);
    return _nn.max_unpool2d(input, indices, size);
  },
  "torch.nn.functional.max_unpool2d",
);

/** Partial inverse of `max_pool3d`: the maxima return to their positions, all other elements are 0. */
export const max_unpool3d = def_overridable(
  "max_unpool3d(input: Tensor, indices, kernel_size, stride=None, padding=0, output_size=None)",
  (...[input, indices, kernel_size, stride, padding, output_size]: Unpool): Tensor => {
    const [kernel, steps, pads] = [_triple(kernel_size), _triple(stride ?? kernel_size), _triple(padding)];
    const size = _unpool_output_size(input, kernel, steps, pads, output_size);
    return _nn.max_unpool3d(input, indices, size, steps, pads);
  },
  "torch.nn.functional.max_unpool3d",
);
