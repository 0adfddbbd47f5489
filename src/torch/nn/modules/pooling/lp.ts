/**
 * @file Power-average pooling modules.
 * @mirrors torch/nn/modules/pooling.py
 */
import { py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { type Sizes, sizes_repr } from "#torch/nn/modules/utils";
import type { _float } from "#torch/types";

const _LPPoolNd_init = new Init(
  "_LPPoolNd.__init__(self, norm_type, kernel_size, stride=None, ceil_mode=False)",
  types<[norm_type: _float, kernel_size: Sizes, stride: Sizes | null, ceil_mode: boolean]>,
);

abstract class _LPPoolNd extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.pooling";

  norm_type: _float;
  kernel_size: Sizes;
  stride: Sizes | null;
  ceil_mode: boolean;

  static {
    def_methods(_LPPoolNd, { __init__: _LPPoolNd_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof _LPPoolNd_init>) {
    const [norm_type, kernel_size, stride, ceil_mode] = _LPPoolNd_init.bind(args);
    super();
    this.norm_type = norm_type;
    this.kernel_size = kernel_size;
    this.stride = stride;
    this.ceil_mode = ceil_mode;
  }

  override extra_repr(): string {
    const [kernel_size, stride] = [this.kernel_size, this.stride].map(sizes_repr);
    const told = `norm_type=${py_format(this.norm_type)}, kernel_size=${kernel_size}, stride=${stride}`;
    return `${told}, ceil_mode=${py_format(this.ceil_mode)}`;
  }
}

/** Module form of `F.lp_pool1d`. */
export class LPPool1d extends _LPPoolNd {
  static {
    def_methods(LPPool1d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.lp_pool1d(input, this.norm_type, this.kernel_size, this.stride, this.ceil_mode);
  }
}

/** Module form of `F.lp_pool2d`. */
export class LPPool2d extends _LPPoolNd {
  static {
    def_methods(LPPool2d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.lp_pool2d(input, this.norm_type, this.kernel_size, this.stride, this.ceil_mode);
  }
}

/** Module form of `F.lp_pool3d`. */
export class LPPool3d extends _LPPoolNd {
  static {
    def_methods(LPPool3d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.lp_pool3d(input, this.norm_type, this.kernel_size, this.stride, this.ceil_mode);
  }
}
