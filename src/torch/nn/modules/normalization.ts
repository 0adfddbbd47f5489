/**
 * @file `nn.LayerNorm`, `nn.GroupNorm`, `nn.RMSNorm` and the normalizations over neighbouring channels, which keep no running statistics.
 * @mirrors torch/nn/modules/normalization.py
 */
import { ValueError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { PyNumber_Remainder, PySequence_Tuple, py_str, repr, THPUtils_checkLong } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { tuple_repr } from "#torch/nn/_size";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import { Parameter } from "#torch/nn/parameter/index";
import type { DeviceLike, dtype } from "#torch/types";
import { CrossMapLRN2d as _cross_map_lrn2d } from "./_functions.ts";
import type { Factory } from "./linear/index.ts";
import { Module, type Unary } from "./module/index.ts";
import { sizes_repr } from "./utils.ts";

type Shape = number | readonly number[];

function shape_of(shape: Shape): number[] {
  return tuple(THPUtils_checkLong(shape) ? [shape as number] : (PySequence_Tuple(shape) as readonly number[]));
}

const LayerNorm_init = new Init(
  "LayerNorm.__init__(self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None)",
  types<[normalized_shape: Shape, eps: number, elementwise_affine: boolean, bias: boolean, ...Factory]>,
);

/** Normalizes the last dims by their mean and variance. */
export class LayerNorm extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.normalization";

  normalized_shape: number[];
  eps: number;
  elementwise_affine: boolean;
  declare weight: Parameter | null;
  declare bias: Parameter | null;

  static {
    def_methods(LayerNorm, {
      __init__: LayerNorm_init,
      reset_parameters: "(self)",
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof LayerNorm_init>) {
    const [normalized_shape, eps, elementwise_affine, bias, device, dtype] = LayerNorm_init.bind(args);
    super();
    this.normalized_shape = shape_of(normalized_shape);
    this.eps = eps;
    this.elementwise_affine = elementwise_affine;
    const parameter = () => new Parameter(torch.empty([...this.normalized_shape], { device, dtype }));
    if (elementwise_affine) this.weight = parameter();
    else this.register_parameter("weight", null);
    if (elementwise_affine && bias) this.bias = parameter();
    else this.register_parameter("bias", null);
    this.reset_parameters();
  }

  reset_parameters(): void {
    if (!this.elementwise_affine) return;
    init.ones_(this.weight as Parameter);
    if (this.bias !== null) init.zeros_(this.bias);
  }

  override forward(input: Tensor): Tensor {
    return F.layer_norm(input, this.normalized_shape, this.weight, this.bias, this.eps);
  }

  override extra_repr(): string {
    const shape = tuple_repr(this.normalized_shape);
    return `${shape}, eps=${repr(this.eps)}, elementwise_affine=${py_str(this.elementwise_affine)}, bias=${py_str(this.bias !== null)}`;
  }
}

const GroupNorm_init = new Init(
  "GroupNorm.__init__(self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True)",
  types<
    [
      num_groups: number,
      num_channels: number,
      eps: number,
      affine: boolean,
      device: DeviceLike | null,
      dtype: dtype | null,
      bias: boolean,
    ]
  >,
);

/** Normalizes groups of channels by their mean and variance.   `(N, C, *)` */
export class GroupNorm extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.normalization";

  num_groups: number;
  num_channels: number;
  eps: number;
  affine: boolean;
  declare weight: Parameter | null;
  declare bias: Parameter | null;

  static {
    def_methods(GroupNorm, {
      __init__: GroupNorm_init,
      reset_parameters: "(self)",
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof GroupNorm_init>) {
    const [num_groups, num_channels, eps, affine, device, dtype, bias] = GroupNorm_init.bind(args);
    super();
    if (PyNumber_Remainder(num_channels, num_groups) !== 0)
      throw new ValueError(`num_channels (${num_channels}) must be divisible by num_groups (${num_groups})`);
    this.num_groups = num_groups;
    this.num_channels = num_channels;
    this.eps = eps;
    this.affine = affine;
    const parameter = () => new Parameter(torch.empty(num_channels, { device, dtype }));
    if (affine) this.weight = parameter();
    else this.register_parameter("weight", null);
    if (affine && bias) this.bias = parameter();
    else this.register_parameter("bias", null);
    this.reset_parameters();
  }

  reset_parameters(): void {
    if (!this.affine) return;
    init.ones_(this.weight as Parameter);
    if (this.bias !== null) init.zeros_(this.bias);
  }

  override forward(input: Tensor): Tensor {
    return F.group_norm(input, this.num_groups, this.weight, this.bias, this.eps);
  }

  override extra_repr(): string {
    const { num_groups, num_channels, eps, affine } = this;
    return `${num_groups}, ${num_channels}, eps=${repr(eps)}, affine=${py_str(affine)}, bias=${py_str(this.bias !== null)}`;
  }
}

const RMSNorm_init = new Init(
  "RMSNorm.__init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None)",
  types<[normalized_shape: Shape, eps: number | null, elementwise_affine: boolean, ...Factory]>,
);

/** Divides the last dims by their root mean square. */
export class RMSNorm extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.normalization";

  normalized_shape: number[];
  eps: number | null;
  elementwise_affine: boolean;
  declare weight: Parameter | null;

  static {
    def_methods(RMSNorm, {
      __init__: RMSNorm_init,
      reset_parameters: "(self)",
      forward: "(self, x)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof RMSNorm_init>) {
    const [normalized_shape, eps, elementwise_affine, device, dtype] = RMSNorm_init.bind(args);
    super();
    this.normalized_shape = shape_of(normalized_shape);
    this.eps = eps;
    this.elementwise_affine = elementwise_affine;
    if (elementwise_affine) this.weight = new Parameter(torch.empty([...this.normalized_shape], { device, dtype }));
    else this.register_parameter("weight", null);
    this.reset_parameters();
  }

  reset_parameters(): void {
    if (this.elementwise_affine) init.ones_(this.weight as Parameter);
  }

  override forward(x: Tensor): Tensor {
    return F.rms_norm(x, this.normalized_shape, this.weight, this.eps);
  }

  override extra_repr(): string {
    return `${tuple_repr(this.normalized_shape)}, eps=${py_str(this.eps)}, elementwise_affine=${py_str(this.elementwise_affine)}`;
  }
}

const LocalResponseNorm_init = new Init(
  "LocalResponseNorm.__init__(self, size, alpha=0.0001, beta=0.75, k=1.0)",
  types<[size: number, alpha: number, beta: number, k: number]>,
);

/** Divides by a power of the mean square of neighbouring channels. */
export class LocalResponseNorm extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.normalization";

  size: number;
  alpha: number;
  beta: number;
  k: number;

  static {
    def_methods(LocalResponseNorm, {
      __init__: LocalResponseNorm_init,
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof LocalResponseNorm_init>) {
    const [size, alpha, beta, k] = LocalResponseNorm_init.bind(args);
    super();
    this.size = size;
    this.alpha = alpha;
    this.beta = beta;
    this.k = k;
  }

  override forward(input: Tensor): Tensor {
    return F.local_response_norm(input, this.size, this.alpha, this.beta, this.k);
  }

  override extra_repr(): string {
    const k = this.k === 1 ? "1.0" : py_str(this.k); // the default is written as a float
    return `${sizes_repr(this.size)}, alpha=${py_str(this.alpha)}, beta=${py_str(this.beta)}, k=${k}`;
  }
}

const CrossMapLRN2d_init = new Init(
  "CrossMapLRN2d.__init__(self, size, alpha=0.0001, beta=0.75, k=1)",
  types<[size: number, alpha: number, beta: number, k: number]>,
);

/** `LocalResponseNorm` for images only. */
export class CrossMapLRN2d extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.normalization";

  size: number;
  alpha: number;
  beta: number;
  k: number;

  static {
    def_methods(CrossMapLRN2d, { __init__: CrossMapLRN2d_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof CrossMapLRN2d_init>) {
    const [size, alpha, beta, k] = CrossMapLRN2d_init.bind(args);
    super();
    this.size = size;
    this.alpha = alpha;
    this.beta = beta;
    this.k = k;
  }

  override forward(input: Tensor): Tensor {
    return _cross_map_lrn2d.apply(input, this.size, this.alpha, this.beta, this.k);
  }

  override extra_repr(): string {
    const { size, alpha, beta, k } = this;
    return `${sizes_repr(size)}, alpha=${py_str(alpha)}, beta=${py_str(beta)}, k=${py_str(k)}`;
  }
}
