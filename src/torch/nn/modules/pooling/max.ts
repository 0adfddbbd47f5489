/**
 * @file Adaptive and fractional max pooling modules, and max unpooling modules.
 * @mirrors torch/nn/modules/pooling.py
 */
import { TypeError_, ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, python_type, THPUtils_checkDouble } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { _pair, _single, _triple, type Sizes, sizes_repr } from "#torch/nn/modules/utils";

const _AdaptiveMaxPoolNd_init = new Init(
  "_AdaptiveMaxPoolNd.__init__(self, output_size, return_indices=False)",
  types<[output_size: Sizes<number | null>, return_indices: boolean]>,
);

abstract class _AdaptiveMaxPoolNd extends Module<Unary, Tensor | Tensor[]> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  output_size: Sizes<number | null>;
  return_indices: boolean;

  static {
    def_methods(_AdaptiveMaxPoolNd, { __init__: _AdaptiveMaxPoolNd_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof _AdaptiveMaxPoolNd_init>) {
    const [output_size, return_indices] = _AdaptiveMaxPoolNd_init.bind(args);
    super();
    this.output_size = output_size;
    this.return_indices = return_indices;
  }

  override extra_repr(): string {
    return `output_size=${sizes_repr(this.output_size)}`;
  }
}

/** Module form of `F.adaptive_max_pool1d`. */
export class AdaptiveMaxPool1d extends _AdaptiveMaxPoolNd {
  static {
    def_methods(AdaptiveMaxPool1d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor | Tensor[] {
    return F.adaptive_max_pool1d(input, this.output_size, this.return_indices);
  }
}

/** Module form of `F.adaptive_max_pool2d`. */
export class AdaptiveMaxPool2d extends _AdaptiveMaxPoolNd {
  static {
    def_methods(AdaptiveMaxPool2d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor | Tensor[] {
    return F.adaptive_max_pool2d(input, this.output_size, this.return_indices);
  }
}

/** Module form of `F.adaptive_max_pool3d`. */
export class AdaptiveMaxPool3d extends _AdaptiveMaxPoolNd {
  static {
    def_methods(AdaptiveMaxPool3d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor | Tensor[] {
    return F.adaptive_max_pool3d(input, this.output_size, this.return_indices);
  }
}

type Unpooled = [input: Tensor, indices: Tensor, output_size?: readonly number[] | null];

abstract class _MaxUnpoolNd extends Module<Unpooled, Tensor> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  kernel_size: number[];
  stride: number[];
  padding: number[];

  static {
    def_methods(_MaxUnpoolNd, { extra_repr: "(self)" });
  }

  constructor(kernel_size: number[], stride: number[], padding: number[]) {
    super();
    this.kernel_size = kernel_size;
    this.stride = stride;
    this.padding = padding;
  }

  override extra_repr(): string {
    const [kernel_size, stride, padding] = [this.kernel_size, this.stride, this.padding].map(sizes_repr);
    return `kernel_size=${kernel_size}, stride=${stride}, padding=${padding}`;
  }
}

const MaxUnpool1d_init = new Init(
  "MaxUnpool1d.__init__(self, kernel_size, stride=None, padding=0)",
  types<[kernel_size: Sizes, stride: Sizes | null, padding: Sizes]>,
);

/** Module form of `F.max_unpool1d`. */
export class MaxUnpool1d extends _MaxUnpoolNd {
  static {
    def_methods(MaxUnpool1d, { __init__: MaxUnpool1d_init, forward: "(self, input, indices, output_size=None)" });
  }

  constructor(...args: InitArgs<typeof MaxUnpool1d_init>) {
    const [kernel_size, stride, padding] = MaxUnpool1d_init.bind(args);
    super(_single(kernel_size), _single(stride ?? kernel_size), _single(padding));
  }

  override forward(...[input, indices, output_size = null]: Unpooled): Tensor {
    return F.max_unpool1d(input, indices, this.kernel_size, this.stride, this.padding, output_size);
  }
}

const MaxUnpool2d_init = new Init(
  "MaxUnpool2d.__init__(self, kernel_size, stride=None, padding=0)",
  types<[kernel_size: Sizes, stride: Sizes | null, padding: Sizes]>,
);

/** Module form of `F.max_unpool2d`. */
export class MaxUnpool2d extends _MaxUnpoolNd {
  static {
    def_methods(MaxUnpool2d, { __init__: MaxUnpool2d_init, forward: "(self, input, indices, output_size=None)" });
  }

  constructor(...args: InitArgs<typeof MaxUnpool2d_init>) {
    const [kernel_size, stride, padding] = MaxUnpool2d_init.bind(args);
    super(_pair(kernel_size), _pair(stride ?? kernel_size), _pair(padding));
  }

  override forward(...[input, indices, output_size = null]: Unpooled): Tensor {
    return F.max_unpool2d(input, indices, this.kernel_size, this.stride, this.padding, output_size);
  }
}

const MaxUnpool3d_init = new Init(
  "MaxUnpool3d.__init__(self, kernel_size, stride=None, padding=0)",
  types<[kernel_size: Sizes, stride: Sizes | null, padding: Sizes]>,
);

/** Module form of `F.max_unpool3d`. */
export class MaxUnpool3d extends _MaxUnpoolNd {
  static {
    def_methods(MaxUnpool3d, { __init__: MaxUnpool3d_init, forward: "(self, input, indices, output_size=None)" });
  }

  constructor(...args: InitArgs<typeof MaxUnpool3d_init>) {
    const [kernel_size, stride, padding] = MaxUnpool3d_init.bind(args);
    super(_triple(kernel_size), _triple(stride ?? kernel_size), _triple(padding));
  }

  override forward(...[input, indices, output_size = null]: Unpooled): Tensor {
    return F.max_unpool3d(input, indices, this.kernel_size, this.stride, this.padding, output_size);
  }
}

type FractionalArgs = [
  kernel_size: Sizes,
  output_size: Sizes | null,
  output_ratio: Sizes | null,
  return_indices: boolean,
  _random_samples: Tensor | null,
];

/** `0 < ratio < 1`. */
function is_between_0_and_1(ratio: number): boolean {
  if (!THPUtils_checkDouble(ratio))
    throw new TypeError_(`'<' not supported between instances of 'int' and '${python_type(ratio)}'`);
  return 0 < ratio && ratio < 1;
}

/** Checks for both modules. `tuple` expands a number to the number of dims. */
abstract class _FractionalMaxPoolNd extends Module<Unary, Tensor | Tensor[]> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  kernel_size: number[];
  return_indices: boolean;
  declare _random_samples: Tensor | null;
  output_size: number[] | null;
  output_ratio: number[] | null;

  constructor(tuple: (x: Sizes) => number[], ...args: FractionalArgs) {
    const [kernel_size, output_size, output_ratio, return_indices, _random_samples] = args;
    super();
    this.kernel_size = tuple(kernel_size);
    this.return_indices = return_indices;
    this.register_buffer("_random_samples", _random_samples);
    this.output_size = output_size === null ? null : tuple(output_size);
    this.output_ratio = output_ratio === null ? null : tuple(output_ratio);
    if (output_size === null && output_ratio === null)
      throw new ValueError(`${new.target.name} requires specifying either an output size, or a pooling ratio`);
    if (output_size !== null && output_ratio !== null)
      throw new ValueError("only one of output_size and output_ratio may be specified");
    if (this.output_ratio?.some((ratio) => !is_between_0_and_1(ratio)))
      throw new ValueError(`output_ratio must be between 0 and 1 (got ${sizes_repr(output_ratio)})`);
  }
}

const FractionalMaxPool2d_init = new Init(
  "FractionalMaxPool2d.__init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)",
  types<FractionalArgs>,
);

/** Module form of `F.fractional_max_pool2d`. */
export class FractionalMaxPool2d extends _FractionalMaxPoolNd {
  static {
    def_methods(FractionalMaxPool2d, { __init__: FractionalMaxPool2d_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof FractionalMaxPool2d_init>) {
    const given = FractionalMaxPool2d_init.bind(args);
    super(_pair, ...given);
  }

  override forward(input: Tensor): Tensor | Tensor[] {
    const { kernel_size, output_size, output_ratio, return_indices, _random_samples } = this;
    return F.fractional_max_pool2d(input, kernel_size, output_size, output_ratio, return_indices, { _random_samples });
  }
}

const FractionalMaxPool3d_init = new Init(
  "FractionalMaxPool3d.__init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)",
  types<FractionalArgs>,
);

/** Module form of `F.fractional_max_pool3d`. */
export class FractionalMaxPool3d extends _FractionalMaxPoolNd {
  static {
    def_methods(FractionalMaxPool3d, { __init__: FractionalMaxPool3d_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof FractionalMaxPool3d_init>) {
    const given = FractionalMaxPool3d_init.bind(args);
    const [kernel_size] = given;
    if (_triple(kernel_size).some((k) => PyObject_RichCompareBool(k, "<=", 0, "int")))
      throw new ValueError(`kernel_size must be greater than 0, but got ${sizes_repr(kernel_size)}`);
    super(_triple, ...given);
  }

  override forward(input: Tensor): Tensor | Tensor[] {
    const { kernel_size, output_size, output_ratio, return_indices, _random_samples } = this;
    return F.fractional_max_pool3d(input, kernel_size, output_size, output_ratio, return_indices, { _random_samples });
  }
}
