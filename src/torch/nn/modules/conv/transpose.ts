/**
 * @file Transposed convolution modules.
 * @mirrors torch/nn/modules/conv.py#_ConvTransposeNd
 */
import { ValueError } from "#c10/util/Exception";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import type { Factory } from "#torch/nn/modules/linear/index";
import { _pair, _single, _triple, type Sizes } from "#torch/nn/modules/utils";
import { _ConvNd } from "./index.ts";

type ConvTransposeArgs = [
  in_channels: number,
  out_channels: number,
  kernel_size: Sizes,
  stride: Sizes,
  padding: Sizes,
  output_padding: Sizes,
  groups: number,
  bias: boolean,
  dilation: Sizes,
  padding_mode: string,
  ...Factory,
];
const CONV_TRANSPOSE_PARAMETERS =
  "self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None";

type Call = [input: Tensor, output_size?: number[] | null];

export abstract class _ConvTransposeNd extends _ConvNd<Call> {
  static {
    def_methods(_ConvTransposeNd, {
      _output_padding: "(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None)",
    });
  }

  /** @param tuple expands a number to one number for each spatial dim */
  constructor(tuple: (x: Sizes) => number[], args: ConvTransposeArgs) {
    const [in_channels, out_channels, kernel_size, stride, padding] = args;
    const [, , , , , output_padding, groups, bias, dilation, padding_mode, ...factory] = args;
    if (padding_mode !== "zeros") throw new ValueError(`Only "zeros" padding mode is supported for ${new.target.name}`);
    // biome-ignore format: in _ConvNd's order
    super(
      in_channels, out_channels, tuple(kernel_size), tuple(stride), tuple(padding), tuple(dilation),
      true, tuple(output_padding), groups, bias, padding_mode, ...factory,
    );
  }

  /**
   * The output padding that leads to the requested size. Several input sizes give one output size of the convolution, so the inverse is not
   * unique.
   */
  _output_padding(
    input: Tensor,
    output_size: readonly number[] | null,
    stride: readonly number[],
    padding: readonly number[],
    kernel_size: readonly number[],
    num_spatial_dims: number,
    dilation: readonly number[] | null,
  ): number[] {
    if (output_size === null) return this.output_padding;
    const num_non_spatial_dims = input.dim() === num_spatial_dims + 2 ? 2 : 1;
    const sizes =
      output_size.length === num_non_spatial_dims + num_spatial_dims
        ? output_size.slice(num_non_spatial_dims)
        : output_size;
    if (sizes.length !== num_spatial_dims)
      throw new ValueError(
        `ConvTranspose${num_spatial_dims}D: for ${input.dim()}D input, output_size must have ${num_spatial_dims} or ${num_non_spatial_dims + num_spatial_dims} elements (got ${output_size.length})`,
      );
    const min_sizes = stride.map(
      (s, d) =>
        (input.size(d + num_non_spatial_dims) - 1) * s -
        2 * padding[d] +
        (dilation?.[d] ?? 1) * (kernel_size[d] - 1) +
        1,
    );
    const max_sizes = min_sizes.map((size, d) => size + stride[d] - 1);
    if (sizes.some((size, i) => size < min_sizes[i] || size > max_sizes[i])) {
      const list = (of: readonly number[]) => `[${of.join(", ")}]`;
      throw new ValueError(
        `requested an output size of ${list(sizes)}, but valid sizes range from ${list(min_sizes)} to ${list(max_sizes)} (for an input of torch.Size(${list([...input.size()].slice(2))}))`,
      );
    }
    return sizes.map((size, d) => size - min_sizes[d]);
  }
}

type ConvolveTransposed = (
  input: Tensor,
  weight: Tensor,
  bias: Tensor | null,
  stride: number[],
  padding: number[],
  output_padding: number[],
  groups: number,
  dilation: number[],
) => Tensor;

function forward(
  self: _ConvTransposeNd,
  convolve: ConvolveTransposed,
  input: Tensor,
  output_size: number[] | null,
): Tensor {
  const { weight, bias, stride, kernel_size, groups, dilation } = self;
  const padding = self.padding as number[]; // strings are only allowed for convolutions that are not transposed
  const spatial = kernel_size.length;
  const output_padding = self._output_padding(input, output_size, stride, padding, kernel_size, spatial, dilation);
  return convolve(input, weight, bias, stride, padding, output_padding, groups, dilation);
}

const ConvTranspose1d_init = new Init(
  `ConvTranspose1d.__init__(${CONV_TRANSPOSE_PARAMETERS})`,
  types<ConvTransposeArgs>,
);

/** `F.conv_transpose1d` as a module with its own weight and bias.   `(N, C, W) -> (N, K, W')` */
export class ConvTranspose1d extends _ConvTransposeNd {
  static {
    def_methods(ConvTranspose1d, { __init__: ConvTranspose1d_init, forward: "(self, input, output_size=None)" });
  }

  constructor(...args: InitArgs<typeof ConvTranspose1d_init>) {
    super(_single, ConvTranspose1d_init.bind(args));
  }

  override forward(input: Tensor, output_size: number[] | null = null): Tensor {
    return forward(this, F.conv_transpose1d, input, output_size);
  }
}

const ConvTranspose2d_init = new Init(
  `ConvTranspose2d.__init__(${CONV_TRANSPOSE_PARAMETERS})`,
  types<ConvTransposeArgs>,
);

/** `F.conv_transpose2d` as a module with its own weight and bias.   `(N, C, H, W) -> (N, K, H', W')` */
export class ConvTranspose2d extends _ConvTransposeNd {
  static {
    def_methods(ConvTranspose2d, { __init__: ConvTranspose2d_init, forward: "(self, input, output_size=None)" });
  }

  constructor(...args: InitArgs<typeof ConvTranspose2d_init>) {
    super(_pair, ConvTranspose2d_init.bind(args));
  }

  override forward(input: Tensor, output_size: number[] | null = null): Tensor {
    return forward(this, F.conv_transpose2d, input, output_size);
  }
}

const ConvTranspose3d_init = new Init(
  `ConvTranspose3d.__init__(${CONV_TRANSPOSE_PARAMETERS})`,
  types<ConvTransposeArgs>,
);

/** `F.conv_transpose3d` as a module with its own weight and bias.   `(N, C, D, H, W) -> (N, K, D', H', W')` */
export class ConvTranspose3d extends _ConvTransposeNd {
  static {
    def_methods(ConvTranspose3d, { __init__: ConvTranspose3d_init, forward: "(self, input, output_size=None)" });
  }

  constructor(...args: InitArgs<typeof ConvTranspose3d_init>) {
    super(_triple, ConvTranspose3d_init.bind(args));
  }

  override forward(input: Tensor, output_size: number[] | null = null): Tensor {
    return forward(this, F.conv_transpose3d, input, output_size);
  }
}
