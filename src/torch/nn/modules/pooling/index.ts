/**
 * @file Pooling modules.
 * @mirrors torch/nn/modules/pooling.py
 * @see max.ts and lp.ts, which hold the others of that file
 */
import { py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { _single, type Sizes, sizes_repr } from "#torch/nn/modules/utils";

type MaxPoolArgs = [
  kernel_size: Sizes,
  stride: Sizes | null,
  padding: Sizes,
  dilation: Sizes,
  return_indices: boolean,
  ceil_mode: boolean,
];
const _MaxPoolNd_init = new Init(
  "_MaxPoolNd.__init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False)",
  types<MaxPoolArgs>,
);

/** @typeParam R the type of the result: `Tensor[]` with `return_indices`. */
abstract class _MaxPoolNd<R extends Tensor | Tensor[]> extends Module<Unary, R> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  kernel_size: Sizes;
  stride: Sizes;
  padding: Sizes;
  dilation: Sizes;
  return_indices: boolean;
  ceil_mode: boolean;

  static {
    def_methods(_MaxPoolNd, { __init__: _MaxPoolNd_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof _MaxPoolNd_init>) {
    const [kernel_size, stride, padding, dilation, return_indices, ceil_mode] = _MaxPoolNd_init.bind(args);
    super();
    this.kernel_size = kernel_size;
    this.stride = stride ?? kernel_size;
    this.padding = padding;
    this.dilation = dilation;
    this.return_indices = return_indices;
    this.ceil_mode = ceil_mode;
  }

  override extra_repr(): string {
    const told = Object.entries({
      kernel_size: this.kernel_size,
      stride: this.stride,
      padding: this.padding,
      dilation: this.dilation,
    }).map(([name, size]) => `${name}=${sizes_repr(size)}`);
    return `${told.join(", ")}, ceil_mode=${py_format(this.ceil_mode)}`;
  }
}

/** Module form of `F.max_pool1d`. */
export class MaxPool1d<R extends Tensor | Tensor[] = Tensor> extends _MaxPoolNd<R> {
  static {
    def_methods(MaxPool1d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): R {
    const { kernel_size, stride, padding, dilation, ceil_mode, return_indices } = this;
    return F.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices) as R;
  }
}

/** Module form of `F.max_pool2d`. */
export class MaxPool2d<R extends Tensor | Tensor[] = Tensor> extends _MaxPoolNd<R> {
  static {
    def_methods(MaxPool2d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): R {
    const { kernel_size, stride, padding, dilation, ceil_mode, return_indices } = this;
    return F.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices) as R;
  }
}

/** Module form of `F.max_pool3d`. */
export class MaxPool3d<R extends Tensor | Tensor[] = Tensor> extends _MaxPoolNd<R> {
  static {
    def_methods(MaxPool3d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): R {
    const { kernel_size, stride, padding, dilation, ceil_mode, return_indices } = this;
    return F.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices) as R;
  }
}

abstract class _AvgPoolNd extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  kernel_size: Sizes;
  stride: Sizes;
  padding: Sizes;
  ceil_mode: boolean;
  count_include_pad: boolean;

  static {
    def_methods(_AvgPoolNd, { extra_repr: "(self)" });
  }

  constructor(kernel_size: Sizes, stride: Sizes, padding: Sizes, ceil_mode: boolean, count_include_pad: boolean) {
    super();
    this.kernel_size = kernel_size;
    this.stride = stride;
    this.padding = padding;
    this.ceil_mode = ceil_mode;
    this.count_include_pad = count_include_pad;
  }

  override extra_repr(): string {
    const [kernel_size, stride, padding] = [this.kernel_size, this.stride, this.padding].map(sizes_repr);
    return `kernel_size=${kernel_size}, stride=${stride}, padding=${padding}`;
  }
}

const AvgPool1d_init = new Init(
  "AvgPool1d.__init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
  types<[kernel_size: Sizes, stride: Sizes | null, padding: Sizes, ceil_mode: boolean, count_include_pad: boolean]>,
);

/** Module form of `F.avg_pool1d`. */
export class AvgPool1d extends _AvgPoolNd {
  static {
    def_methods(AvgPool1d, { __init__: AvgPool1d_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof AvgPool1d_init>) {
    const [kernel_size, stride, padding, ceil_mode, count_include_pad] = AvgPool1d_init.bind(args);
    super(_single(kernel_size), _single(stride ?? kernel_size), _single(padding), ceil_mode, count_include_pad);
  }

  override forward(input: Tensor): Tensor {
    const { kernel_size, stride, padding, ceil_mode, count_include_pad } = this;
    return F.avg_pool1d(
      input,
      kernel_size as number[],
      stride as number[],
      padding as number[],
      ceil_mode,
      count_include_pad,
    );
  }
}

const AvgPool2d_init = new Init(
  "AvgPool2d.__init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
  types<
    [
      kernel_size: Sizes,
      stride: Sizes | null,
      padding: Sizes,
      ceil_mode: boolean,
      count_include_pad: boolean,
      divisor_override: number | null,
    ]
  >,
);

/** Module form of `F.avg_pool2d`. */
export class AvgPool2d extends _AvgPoolNd {
  divisor_override: number | null;

  static {
    def_methods(AvgPool2d, { __init__: AvgPool2d_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof AvgPool2d_init>) {
    const [kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override] = AvgPool2d_init.bind(args);
    super(kernel_size, stride ?? kernel_size, padding, ceil_mode, count_include_pad);
    this.divisor_override = divisor_override;
  }

  override forward(input: Tensor): Tensor {
    const { kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override } = this;
    return F.avg_pool2d(
      input,
      kernel_size as number[],
      stride as number[],
      padding as number[],
      ceil_mode,
      count_include_pad,
      divisor_override,
    );
  }
}

const AvgPool3d_init = new Init(
  "AvgPool3d.__init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
  types<
    [
      kernel_size: Sizes,
      stride: Sizes | null,
      padding: Sizes,
      ceil_mode: boolean,
      count_include_pad: boolean,
      divisor_override: number | null,
    ]
  >,
);

/** Module form of `F.avg_pool3d`. */
export class AvgPool3d extends _AvgPoolNd {
  divisor_override: number | null;

  static {
    def_methods(AvgPool3d, { __init__: AvgPool3d_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof AvgPool3d_init>) {
    const [kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override] = AvgPool3d_init.bind(args);
    super(kernel_size, stride ?? kernel_size, padding, ceil_mode, count_include_pad);
    this.divisor_override = divisor_override;
  }

  override forward(input: Tensor): Tensor {
    const { kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override } = this;
    return F.avg_pool3d(
      input,
      kernel_size as number[],
      stride as number[],
      padding as number[],
      ceil_mode,
      count_include_pad,
      divisor_override,
    );
  }
}

const _AdaptiveAvgPoolNd_init = new Init(
  "_AdaptiveAvgPoolNd.__init__(self, output_size)",
  types<[output_size: Sizes<number | null>]>,
);

abstract class _AdaptiveAvgPoolNd extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  output_size: Sizes<number | null>;

  static {
    def_methods(_AdaptiveAvgPoolNd, { __init__: _AdaptiveAvgPoolNd_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof _AdaptiveAvgPoolNd_init>) {
    const [output_size] = _AdaptiveAvgPoolNd_init.bind(args);
    super();
    this.output_size = output_size;
  }

  override extra_repr(): string {
    return `output_size=${sizes_repr(this.output_size)}`;
  }
}

/** Module form of `F.adaptive_avg_pool1d`. */
export class AdaptiveAvgPool1d extends _AdaptiveAvgPoolNd {
  static {
    def_methods(AdaptiveAvgPool1d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.adaptive_avg_pool1d(input, this.output_size as number[]);
  }
}

/** Module form of `F.adaptive_avg_pool2d`. */
export class AdaptiveAvgPool2d extends _AdaptiveAvgPoolNd {
  static {
    def_methods(AdaptiveAvgPool2d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.adaptive_avg_pool2d(input, this.output_size);
  }
}

/** Module form of `F.adaptive_avg_pool3d`. */
export class AdaptiveAvgPool3d extends _AdaptiveAvgPoolNd {
  static {
    def_methods(AdaptiveAvgPool3d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.adaptive_avg_pool3d(input, this.output_size);
  }
}
