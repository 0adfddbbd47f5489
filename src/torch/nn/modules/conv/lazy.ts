/**
 * @file Convolution modules that infer the number of input channels from the first input.
 * @mirrors torch/nn/modules/conv.py#_LazyConvXdMixin
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { having } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { size_repr } from "#torch/nn/_size";
import { type Lazy, LazyModuleMixin } from "#torch/nn/modules/lazy";
import type { Factory } from "#torch/nn/modules/linear/index";
import type { Sizes } from "#torch/nn/modules/utils";
import { is_lazy, UninitializedParameter } from "#torch/nn/parameter/lazy";
import { type _ConvNd, Conv1d, Conv2d, Conv3d } from "./index.ts";
import { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from "./transpose.ts";

// biome-ignore lint/suspicious/noExplicitAny: TypeScript requires it of the base of a mixin
type ConvClass = abstract new (...args: any[]) => _ConvNd<any>;

/** A subclass of `B`, made of what the signature of a lazy class bound. */
type LazyConvClass<B extends ConvClass> = Omit<B, "prototype"> & {
  new (
    bound: LazyConvArgs | LazyConvTransposeArgs,
  ): InstanceType<B> & Lazy & { _get_in_channels(input: Tensor): number };
  readonly cls_to_become: ConvClass | null;
};

type LazyConvArgs = [
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
const PARAMETERS =
  "self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None";

type LazyConvTransposeArgs = [
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
const TRANSPOSE_PARAMETERS =
  "self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None";

/** The place of `bias` in both. */
const BIAS = 6;
type Lazily = [out_channels: number, bias: boolean, ...Factory];

/** @param num_spatial_dims 1, 2 or 3 */
function _LazyConvXdMixin<B extends ConvClass>(Base: B, num_spatial_dims: number): LazyConvClass<B> {
  class LazyConv extends LazyModuleMixin(Base as ConvClass) {
    static {
      def_methods(LazyConv, {
        initialize_parameters: "_LazyConvXdMixin.initialize_parameters(self, input, *args, **kwargs)",
      });
    }

    /** @param bound what the signature of a lazy class bound; the base's has `in_channels` in front */
    constructor(bound: LazyConvArgs | LazyConvTransposeArgs) {
      super(0, 0, ...bound.slice(1).with(BIAS - 1, false)); // no channels, and no bias
      const [out_channels, bias, device, dtype] = [bound[0], bound[BIAS], ...bound.slice(-2)] as Lazily;
      this.weight = new UninitializedParameter({ device, dtype });
      this.out_channels = out_channels;
      if (bias) this.bias = new UninitializedParameter({ device, dtype });
    }

    override reset_parameters(): void {
      if (!this.has_uninitialized_params() && this.in_channels !== 0) super.reset_parameters();
    }

    override initialize_parameters(input: Tensor): void {
      if (!this.has_uninitialized_params()) return;
      this.in_channels = this._get_in_channels(input);
      const { in_channels, out_channels, groups, transposed, kernel_size } = this;
      if (in_channels % groups !== 0) throw new ValueError("in_channels must be divisible by groups");
      const channels = transposed
        ? [in_channels, Math.floor(out_channels / groups)]
        : [out_channels, in_channels / groups];
      if (is_lazy(this.weight)) this.weight.materialize([...channels, ...kernel_size]);
      if (is_lazy(this.bias)) this.bias.materialize([out_channels]);
      this.reset_parameters();
    }

    _get_in_channels(input: Tensor): number {
      const no_batch = num_spatial_dims + 1;
      const dim = having(input, "dim").dim();
      if (dim !== no_batch && dim !== no_batch + 1)
        throw new RuntimeError(
          `Expected ${no_batch}D (unbatched) or ${no_batch + 1}D (batched) input to ${this._get_name()}, but got input of size: ${size_repr(input)}`,
        );
      return input.size(dim - no_batch);
    }
  }
  return LazyConv as unknown as LazyConvClass<B>;
}

const LazyConv1d_init = new Init(`LazyConv1d.__init__(${PARAMETERS})`, types<LazyConvArgs>);

/** A `Conv1d` that infers `in_channels` from its first input. */
export class LazyConv1d extends _LazyConvXdMixin(Conv1d, 1) {
  static override readonly cls_to_become = Conv1d;

  static {
    def_methods(LazyConv1d, { __init__: LazyConv1d_init });
  }

  constructor(...args: InitArgs<typeof LazyConv1d_init>) {
    super(LazyConv1d_init.bind(args));
  }
}

const LazyConv2d_init = new Init(`LazyConv2d.__init__(${PARAMETERS})`, types<LazyConvArgs>);

/** A `Conv2d` that infers `in_channels` from its first input. */
export class LazyConv2d extends _LazyConvXdMixin(Conv2d, 2) {
  static override readonly cls_to_become = Conv2d;

  static {
    def_methods(LazyConv2d, { __init__: LazyConv2d_init });
  }

  constructor(...args: InitArgs<typeof LazyConv2d_init>) {
    super(LazyConv2d_init.bind(args));
  }
}

const LazyConv3d_init = new Init(`LazyConv3d.__init__(${PARAMETERS})`, types<LazyConvArgs>);

/** A `Conv3d` that infers `in_channels` from its first input. */
export class LazyConv3d extends _LazyConvXdMixin(Conv3d, 3) {
  static override readonly cls_to_become = Conv3d;

  static {
    def_methods(LazyConv3d, { __init__: LazyConv3d_init });
  }

  constructor(...args: InitArgs<typeof LazyConv3d_init>) {
    super(LazyConv3d_init.bind(args));
  }
}

const LazyConvTranspose1d_init = new Init(
  `LazyConvTranspose1d.__init__(${TRANSPOSE_PARAMETERS})`,
  types<LazyConvTransposeArgs>,
);

/** A `ConvTranspose1d` that infers `in_channels` from its first input. */
export class LazyConvTranspose1d extends _LazyConvXdMixin(ConvTranspose1d, 1) {
  static override readonly cls_to_become = ConvTranspose1d;

  static {
    def_methods(LazyConvTranspose1d, { __init__: LazyConvTranspose1d_init });
  }

  constructor(...args: InitArgs<typeof LazyConvTranspose1d_init>) {
    super(LazyConvTranspose1d_init.bind(args));
  }
}

const LazyConvTranspose2d_init = new Init(
  `LazyConvTranspose2d.__init__(${TRANSPOSE_PARAMETERS})`,
  types<LazyConvTransposeArgs>,
);

/** A `ConvTranspose2d` that infers `in_channels` from its first input. */
export class LazyConvTranspose2d extends _LazyConvXdMixin(ConvTranspose2d, 2) {
  static override readonly cls_to_become = ConvTranspose2d;

  static {
    def_methods(LazyConvTranspose2d, { __init__: LazyConvTranspose2d_init });
  }

  constructor(...args: InitArgs<typeof LazyConvTranspose2d_init>) {
    super(LazyConvTranspose2d_init.bind(args));
  }
}

const LazyConvTranspose3d_init = new Init(
  `LazyConvTranspose3d.__init__(${TRANSPOSE_PARAMETERS})`,
  types<LazyConvTransposeArgs>,
);

/** A `ConvTranspose3d` that infers `in_channels` from its first input. */
export class LazyConvTranspose3d extends _LazyConvXdMixin(ConvTranspose3d, 3) {
  static override readonly cls_to_become = ConvTranspose3d;

  static {
    def_methods(LazyConvTranspose3d, { __init__: LazyConvTranspose3d_init });
  }

  constructor(...args: InitArgs<typeof LazyConvTranspose3d_init>) {
    super(LazyConvTranspose3d_init.bind(args));
  }
}
