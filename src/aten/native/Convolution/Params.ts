/**
 * @file Parameters of a convolution, their checks, and the choice of a backend.
 * @mirrors aten/src/ATen/native/Convolution.cpp
 * @differs Ours leaves out conditions for CUDA, Vulkan, XPU and MPS, which no tensor here fulfils. In PyTorch, the
 * machine decides whether bfloat16 goes to `mkldnn_convolution`, and float16 needs instructions that few machines have;
 * here bfloat16 does and float16 does not.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { ConvBackend } from "#aten/native/ConvUtils";
import { get_num_threads } from "#aten/ParallelNative";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { length_error, TORCH_CHECK } from "#c10/util/Exception";

export class ConvParams {
  stride: number[];
  padding: number[];
  dilation: number[];
  transposed: boolean;
  output_padding: number[];
  groups: number;

  constructor(
    stride: readonly number[],
    padding: readonly number[],
    dilation: readonly number[],
    transposed: boolean,
    output_padding: readonly number[],
    groups: number,
  ) {
    this.stride = stride.slice();
    this.padding = padding.slice();
    this.dilation = dilation.slice();
    this.transposed = transposed;
    this.output_padding = output_padding.slice();
    this.groups = groups;
  }

  is_strided(): boolean {
    return this.stride.some((s) => s !== 1);
  }

  is_dilated(): boolean {
    return this.dilation.some((d) => d !== 1);
  }

  is_padding_neg(): boolean {
    return this.padding.some((p) => p < 0);
  }

  is_dilation_neg(): boolean {
    return this.dilation.some((d) => d < 0);
  }

  is_output_padding_neg(): boolean {
    return this.output_padding.some((p) => p < 0);
  }

  is_output_padding_big(): boolean {
    return this.output_padding.some((p, i) => p >= this.stride[i]);
  }

  is_stride_nonpos(): boolean {
    return this.stride.some((s) => s <= 0);
  }

  /** Turns one spatial dim into two, the first with size 1. */
  view1d_as_2d(): void {
    if (this.stride.length !== 1) return;
    this.stride.unshift(1);
    this.padding.unshift(0);
    this.dilation.unshift(1);
    this.output_padding.unshift(0);
  }

  use_mkldnn(input: Tensor, weight: Tensor): boolean {
    if (this.transposed && this.is_output_padding_big()) return false;
    if (input.device_type() !== DeviceType.CPU) return false;
    const dtype = input.scalar_type();
    if (dtype === ScalarType.BFloat16) return true;
    if (dtype !== ScalarType.Float) return false;
    const not_pointwise =
      this.is_strided() ||
      this.is_dilated() ||
      input.size(0) >= 16 ||
      weight.size(-1) !== 1 ||
      weight.size(-2) !== 1 ||
      get_num_threads() > 1;
    const [n, c, h, w] = input.sizes() as [number, number, number, number];
    const worth_it =
      this.groups > 1 || (weight.size(-1) > 3 && weight.size(-2) > 3) || input.size(0) > 1 || n * c * h * w > 20480;
    return not_pointwise && worth_it;
  }

  use_nnpack(input: Tensor): boolean {
    return (
      at._nnpack_available() &&
      input.device_type() === DeviceType.CPU &&
      input.scalar_type() === ScalarType.Float &&
      input.size(0) >= 16
    );
  }
}

// _nnpack_available                                                                 CompositeImplicitAutograd
/** Whether NNPACK can run here: it is not built in. */
export function _nnpack_available(): boolean {
  return false;
}

/** Expands a list to `expected_dim` numbers; one number may stand for all dims. */
export function expand_param_if_needed(
  list_param: readonly number[],
  param_name: string,
  expected_dim: number,
): number[] {
  if (list_param.length === 1 && expected_dim < 0)
    throw new length_error("cannot create std::vector larger than max_size()");
  if (list_param.length === 1) return new Array<number>(expected_dim).fill(list_param[0]);
  TORCH_CHECK(
    list_param.length === expected_dim,
    `expected ${param_name} to be a single integer value or a list of ${expected_dim} values to match the convolution dimensions, but got ${param_name}=`,
    list_param,
  );
  return list_param.slice();
}

/** `bias` is null if only the shapes of a gradient are checked. */
export function check_shape_forward(input: Tensor, weight: Tensor, bias: Tensor | null, params: ConvParams): void {
  TORCH_CHECK(!params.is_padding_neg(), "negative padding is not supported");
  TORCH_CHECK(!params.is_output_padding_neg(), "negative output_padding is not supported");
  TORCH_CHECK(!params.is_stride_nonpos(), "non-positive stride is not supported");
  TORCH_CHECK(!params.is_dilation_neg(), "dilation should be greater than zero");
  TORCH_CHECK(params.groups > 0, "expected groups to be greater than 0, but got groups=", params.groups);
  check_sizes_forward(input, weight, bias, params);
}

/** Checks the sizes of input, weight and bias; oneDNN's convolution makes the same checks. */
export function check_sizes_forward(input: Tensor, weight: Tensor, bias: Tensor | null, params: ConvParams): void {
  const k = input.dim();
  const weight_sizes = weight.sizes();
  const weight_dim = weight_sizes.length;
  const { groups, padding, dilation, transposed } = params;
  TORCH_CHECK(
    weight_dim === k,
    `Expected ${weight_dim}-dimensional input for ${weight_dim}-dimensional weight `,
    weight_sizes,
    `, but got ${k}-dimensional input of size `,
    input.sizes(),
    " instead",
  );
  TORCH_CHECK(
    weight_sizes[0] >= groups,
    `Given groups=${groups}, expected weight to be at least ${groups} at dimension 0, but got weight of size `,
    weight_sizes,
    " instead",
  );
  TORCH_CHECK(
    weight_sizes[0] % groups === 0,
    `Given groups=${groups}, expected weight to be divisible by ${groups} at dimension 0, but got weight of size [`,
    weight_sizes,
    "] instead",
  );
  const check_channels = (given: string, channels: number) =>
    TORCH_CHECK(
      input.size(1) === channels,
      `Given ${given}, weight of size `,
      weight_sizes,
      ", expected input",
      input.sizes(),
      ` to have ${channels} channels, but got ${input.size(1)} channels instead`,
    );
  const check_bias = (given: string, elements: number) =>
    TORCH_CHECK(
      bias === null || (bias.dim() === 1 && bias.size(0) === elements),
      `Given ${given}weight of size `,
      weight_sizes,
      `, expected bias to be 1-dimensional with ${elements} elements, but got bias of size `,
      bias?.sizes(),
      " instead",
    );
  if (transposed) {
    check_channels("transposed=1", weight_sizes[0]);
    check_bias("transposed=1, ", weight_sizes[1] * groups);
    return;
  }
  check_channels(`groups=${groups}`, weight_sizes[1] * groups);
  check_bias("", weight_sizes[0]);
  const input_shape = input
    .sizes()
    .slice(2)
    .map((size, i) => size + 2 * padding[i]);
  const kernel_shape = weight_sizes.slice(2).map((size, i) => dilation[i] * (size - 1) + 1);
  TORCH_CHECK(
    input_shape.every((size, i) => size >= kernel_shape[i]),
    `Calculated padded input size per channel: (${input_shape.join(" x ")}). `,
    `Kernel size: (${kernel_shape.join(" x ")}). Kernel size can't be greater than actual input size`,
  );
}

/** Precondition: the shapes have been checked, and 1-D has become 2-D. */
export function select_conv_backend(input: Tensor, weight: Tensor, params: ConvParams): ConvBackend {
  if (input.size(0) === 0 || input.size(1) === 0) return ConvBackend.Empty;
  TORCH_CHECK(
    input.numel() !== 0,
    "Only zero batch or zero channel inputs are supported, but got input shape: ",
    input.sizes(),
  );
  const { transposed } = params;
  if (params.use_mkldnn(input, weight)) return transposed ? ConvBackend.MkldnnTranspose : ConvBackend.Mkldnn;
  const dilated = params.is_dilated();
  if (input.device_type() !== DeviceType.CPU) return ConvBackend.Overrideable;
  if (input.dim() === 5) {
    if (transposed) return ConvBackend.SlowTranspose3d;
    return dilated ? ConvBackend.SlowDilated3d : ConvBackend.Slow3d;
  }
  if (input.dim() === 4) {
    if (transposed) return ConvBackend.SlowTranspose2d;
    if (dilated) return ConvBackend.SlowDilated2d;
    params.use_nnpack(input); // PyTorch calls it; it is never true
    return ConvBackend.Slow2d;
  }
  TORCH_CHECK(false, "unsupported ConvNd parameters");
}

/** Params of a call, with one number per spatial dim of the weight. */
export function params_of(
  weight: Tensor,
  stride: readonly number[],
  padding: readonly number[],
  dilation: readonly number[],
  transposed: boolean,
  output_padding: readonly number[],
  groups: number,
): ConvParams {
  const dim = weight.dim() - 2;
  return new ConvParams(
    expand_param_if_needed(stride, "stride", dim),
    expand_param_if_needed(padding, "padding", dim),
    expand_param_if_needed(dilation, "dilation", dim),
    transposed,
    expand_param_if_needed(output_padding, "output_padding", dim),
    groups,
  );
}
