/**
 * @file Convolution modules.
 * @mirrors torch/nn/modules/conv.py
 */
import { NotImplementedError, ValueError } from "#c10/util/Exception";
import { PyNumber_Remainder, PyObject_RichCompareBool, py_str, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { _pair, _reverse_repeat_tuple, _single, _triple, type Sizes, sizes_repr } from "#torch/nn/modules/utils";
import { Parameter } from "#torch/nn/parameter/index";

const PADDING_STRINGS = ["same", "valid"];
const PADDING_MODES = ["zeros", "reflect", "replicate", "circular"];

function set_repr(names: readonly string[]): string {
  return `{${names.map((name) => `'${name}'`).join(", ")}}`;
}

type ConvNdArgs = [
  in_channels: number,
  out_channels: number,
  kernel_size: number[],
  stride: number[],
  padding: string | number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
  bias: boolean,
  padding_mode: string,
  ...Factory,
];

const _ConvNd_init = new Init(
  "_ConvNd.__init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias, padding_mode, device=None, dtype=None)",
  types<ConvNdArgs>,
);

export abstract class _ConvNd<A extends unknown[] = Unary> extends Module<A, Tensor> {
  static readonly __module__: string = "torch.nn.modules.conv";

  in_channels: number;
  out_channels: number;
  kernel_size: number[];
  stride: number[];
  padding: string | number[];
  dilation: number[];
  transposed: boolean;
  output_padding: number[];
  groups: number;
  padding_mode: string;
  /** The padding in the order of `F.pad`, for padding modes other than zeros. */
  _reversed_padding_repeated_twice: number[];
  weight: Parameter;
  declare bias: Parameter | null;

  static {
    def_methods(_ConvNd, {
      __init__: _ConvNd_init,
      _conv_forward: "(self, input, weight, bias)",
      reset_parameters: "(self)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof _ConvNd_init>) {
    const bound = _ConvNd_init.bind(args);
    const [in_channels, out_channels, kernel_size, stride, padding, dilation, transposed] = bound;
    const [, , , , , , , output_padding, groups, bias, padding_mode, device, dtype] = bound;
    super();
    if (PyObject_RichCompareBool(groups, "<=", 0, "int")) throw new ValueError("groups must be a positive integer");
    if (PyNumber_Remainder(in_channels, groups) !== 0) throw new ValueError("in_channels must be divisible by groups");
    if (PyNumber_Remainder(out_channels, groups) !== 0)
      throw new ValueError("out_channels must be divisible by groups");
    if (typeof padding === "string") {
      if (!PADDING_STRINGS.includes(padding))
        throw new ValueError(`Invalid padding string ${repr(padding)}, should be one of ${set_repr(PADDING_STRINGS)}`);
      if (padding === "same" && stride.some((s) => s !== 1))
        throw new ValueError("padding='same' is not supported for strided convolutions");
    }
    if (!PADDING_MODES.includes(padding_mode))
      throw new ValueError(
        `padding_mode must be one of ${set_repr(PADDING_MODES)}, but got padding_mode='${py_str(padding_mode)}'`,
      );
    this.in_channels = in_channels;
    this.out_channels = out_channels;
    this.kernel_size = kernel_size;
    this.stride = stride;
    this.padding = padding;
    this.dilation = dilation;
    this.transposed = transposed;
    this.output_padding = output_padding;
    this.groups = groups;
    this.padding_mode = padding_mode;
    this._reversed_padding_repeated_twice =
      typeof padding === "string"
        ? padding_of_string(padding, kernel_size, dilation)
        : _reverse_repeat_tuple(padding, 2);
    const channels = transposed ? [in_channels, out_channels / groups] : [out_channels, in_channels / groups];
    this.weight = new Parameter(torch.empty([...channels, ...kernel_size], { device, dtype }));
    if (bias) this.bias = new Parameter(torch.empty(out_channels, { device, dtype }));
    else this.register_parameter("bias", null);
    this.reset_parameters();
  }

  _conv_forward(_input: Tensor, _weight: Tensor, _bias: Tensor | null): Tensor {
    throw new NotImplementedError("");
  }

  /** Initializes with uniform random numbers in ±1/sqrt(fan_in), the weight before the bias. */
  reset_parameters(): void {
    init.kaiming_uniform_(this.weight, { a: Math.sqrt(5) });
    if (this.bias === null) return;
    const [fan_in] = init._calculate_fan_in_and_fan_out(this.weight);
    const bound = fan_in > 0 ? 1 / Math.sqrt(fan_in) : 0;
    init.uniform_(this.bias, -bound, bound);
  }

  override extra_repr(): string {
    const { padding, dilation, output_padding } = this;
    const [kernel_size, stride] = [sizes_repr(this.kernel_size), sizes_repr(this.stride)];
    let s = `${this.in_channels}, ${this.out_channels}, kernel_size=${kernel_size}, stride=${stride}`;
    if (typeof padding === "string" || padding.some((p) => p !== 0)) s += `, padding=${sizes_repr(padding)}`;
    if (dilation.some((d) => d !== 1)) s += `, dilation=${sizes_repr(dilation)}`;
    if (output_padding.some((p) => p !== 0)) s += `, output_padding=${sizes_repr(output_padding)}`;
    if (this.groups !== 1) s += `, groups=${this.groups}`;
    if (this.bias === null) s += ", bias=False";
    if (this.padding_mode !== "zeros") s += `, padding_mode=${this.padding_mode}`;
    return s;
  }
}

function padding_of_string(padding: string, kernel_size: readonly number[], dilation: readonly number[]): number[] {
  if (padding !== "same") return new Array<number>(2 * kernel_size.length).fill(0);
  return kernel_size
    .map((k, i) => {
      const total = dilation[i] * (k - 1);
      const left = Math.floor(total / 2);
      return [left, total - left];
    })
    .toReversed()
    .flat();
}

type ConvArgs = [
  in_channels: number,
  out_channels: number,
  kernel_size: Sizes,
  stride: Sizes,
  padding: string | Sizes,
  dilation: Sizes,
  groups: number,
  bias: boolean,
  padding_mode: string,
  ...Factory,
];
const CONV_PARAMETERS =
  "self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None";

/** The arguments of `_ConvNd`, with one number for each spatial dim. */
function conv_args(tuple: (x: Sizes) => number[], args: ConvArgs): ConvNdArgs {
  const [in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, ...factory] =
    args;
  const sides = typeof padding === "string" ? padding : tuple(padding);
  // biome-ignore format: in _ConvNd's order
  return [
    in_channels, out_channels, tuple(kernel_size), tuple(stride), sides, tuple(dilation),
    false, tuple(0), groups, bias, padding_mode, ...factory,
  ];
}

/** The convolution functions of `torch`; their padding may also be a string. */
type Convolve = (
  input: Tensor,
  weight: Tensor,
  bias: Tensor | null,
  stride: number[],
  padding: number[],
  dilation: number[],
  groups: number,
) => Tensor;

function conv_forward(self: _ConvNd, convolve: Convolve, input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  const { stride, dilation, groups, padding_mode } = self;
  if (padding_mode === "zeros")
    return convolve(input, weight, bias, stride, self.padding as number[], dilation, groups);
  const padded = F.pad(input, self._reversed_padding_repeated_twice, { mode: padding_mode });
  return convolve(padded, weight, bias, stride, new Array<number>(stride.length).fill(0), dilation, groups);
}

const Conv1d_init = new Init(`Conv1d.__init__(${CONV_PARAMETERS})`, types<ConvArgs>);

/** `F.conv1d` as a module with its own weight and bias.   `(N, C, W) -> (N, K, W')` */
export class Conv1d extends _ConvNd {
  static {
    def_methods(Conv1d, {
      __init__: Conv1d_init,
      _conv_forward: "(self, input, weight, bias)",
      forward: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof Conv1d_init>) {
    super(...conv_args(_single, Conv1d_init.bind(args)));
  }

  override _conv_forward(input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
    return conv_forward(this, F.conv1d, input, weight, bias);
  }

  override forward(input: Tensor): Tensor {
    return this._conv_forward(input, this.weight, this.bias);
  }
}

const Conv2d_init = new Init(`Conv2d.__init__(${CONV_PARAMETERS})`, types<ConvArgs>);

/** `F.conv2d` as a module with its own weight and bias.   `(N, C, H, W) -> (N, K, H', W')` */
export class Conv2d extends _ConvNd {
  static {
    def_methods(Conv2d, {
      __init__: Conv2d_init,
      _conv_forward: "(self, input, weight, bias)",
      forward: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof Conv2d_init>) {
    super(...conv_args(_pair, Conv2d_init.bind(args)));
  }

  override _conv_forward(input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
    return conv_forward(this, F.conv2d, input, weight, bias);
  }

  override forward(input: Tensor): Tensor {
    return this._conv_forward(input, this.weight, this.bias);
  }
}

const Conv3d_init = new Init(`Conv3d.__init__(${CONV_PARAMETERS})`, types<ConvArgs>);

/** `F.conv3d` as a module with its own weight and bias.   `(N, C, D, H, W) -> (N, K, D', H', W')` */
export class Conv3d extends _ConvNd {
  static {
    def_methods(Conv3d, {
      __init__: Conv3d_init,
      _conv_forward: "(self, input, weight, bias)",
      forward: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof Conv3d_init>) {
    super(...conv_args(_triple, Conv3d_init.bind(args)));
  }

  override _conv_forward(input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
    return conv_forward(this, F.conv3d, input, weight, bias);
  }

  override forward(input: Tensor): Tensor {
    return this._conv_forward(input, this.weight, this.bias);
  }
}
