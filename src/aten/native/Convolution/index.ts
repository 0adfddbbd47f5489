/**
 * @file Convolution: every `conv*` operator calls `convolution`, and `_convolution` calls the chosen backend.
 * @mirrors aten/src/ATen/native/Convolution.cpp
 * @see Params.ts (checks, choice), Backward.ts, Nd.ts (conv1d and similar operators)
 */
import { deterministicAlgorithms, deterministicCuDNN, userEnabledCuDNN } from "#aten/Context/index";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  ConvBackend,
  conv_input_size,
  conv_output_size,
  determine_backend_memory_format,
  mkldnn_convolution_transpose_stub,
} from "#aten/native/ConvUtils";
import { defined } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { NotImplementedError, TORCH_CHECK } from "#c10/util/Exception";
import { check_input_same_type_as_parameters } from "./Checks.ts";
import { type ConvParams, check_shape_forward, params_of, select_conv_backend } from "./Params.ts";

type MaybeTensor = Tensor | null;

/** Turns (N, C, W) into (N, C, 1, W). */
export function view4d(tensor: Tensor): Tensor {
  TORCH_CHECK(tensor.dim() === 3, `expected 3D tensor, got tensor with ${tensor.dim()} dimensions instead`);
  return tensor.unsqueeze(2);
}

export function view3d(tensor: Tensor): Tensor {
  TORCH_CHECK(tensor.dim() === 4, `expected 4D tensor, got tensor with ${tensor.dim()} dimensions instead`);
  return tensor.squeeze_dim(2);
}

/** Part of a dim that belongs to group `g`. */
export function subtensor(tensor: Tensor, dim: number, groups: number, g: number): Tensor {
  const n = tensor.size(dim) / groups;
  return tensor.narrow(dim, n * g, n).contiguous(tensor.suggest_memory_format());
}

// convolution                                                                       CompositeExplicitAutograd
export function convolution(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
): Tensor {
  // benchmark and deterministic are cuDNN's options; allow_tf32 is for cuDNN and matrix units.
  // biome-ignore format: flags on one line
  return at._convolution(
    input, weight, defined(bias), stride, padding, dilation, transposed, output_padding, groups,
    false, deterministicCuDNN() || deterministicAlgorithms(), userEnabledCuDNN(), true,
  );
}

// convolution_overrideable                                                          CompositeExplicitAutograd
// For backends outside of the library, which register a kernel of their own.
export function convolution_overrideable(
  _input: Tensor,
  _weight: Tensor,
  _bias: MaybeTensor,
  _stride: number[],
  _padding: number[],
  _dilation: number[],
  _transposed: boolean,
  _output_padding: number[],
  _groups: number,
): Tensor {
  throw new NotImplementedError(
    "convolution_overrideable not implemented. You are likely triggering this with tensor backend other than CPU/CUDA/MKLDNN, if this is intended, please use TORCH_LIBRARY_IMPL to override this function ",
  );
}

function calc_output_size(input: Tensor, weight: Tensor, params: ConvParams): number[] {
  const sizes = params.transposed
    ? conv_input_size(input.sizes(), weight.sizes(), params, params.output_padding, params.groups)
    : conv_output_size(input.sizes(), weight.sizes(), params);
  if (input.size(1) === 0) sizes[1] = 0; // no input channels give no output channels
  return sizes;
}

/** Result for inputs without elements. It is still computed from the inputs, so that the graph exists. */
function empty_convolution(input: Tensor, weight: Tensor, params: ConvParams): Tensor {
  const contiguous = weight.is_contiguous() ? weight : weight.clone(MemoryFormat.Contiguous);
  const weight_view = at._unsafe_view(contiguous, [-1]);
  const output =
    input.size(1) === 0 ? input.view([-1]).mul_Tensor(weight_view) : input.mul_Tensor(weight_view.select_int(0, 0));
  return output.view(calc_output_size(input, weight, params));
}

// _convolution                                                                      CompositeExplicitAutograd
// @parameters PyTorch's own.
export function _convolution(
  input_r: Tensor,
  weight_r: Tensor,
  bias_r: MaybeTensor,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
  _benchmark: boolean,
  _deterministic: boolean,
  _cudnn_enabled: boolean,
  _allow_tf32: boolean,
): Tensor {
  let input = input_r;
  let weight = weight_r;
  const bias = defined(bias_r);
  const k = weight.dim();
  TORCH_CHECK(k > 2, "weight should have at least three dimensions");
  TORCH_CHECK(groups > 0, "non-positive groups is not supported");
  const params = params_of(weight, stride, padding, dilation, transposed, output_padding, groups);
  check_shape_forward(input, weight, bias, params);

  if (k === 3) {
    input = input.contiguous(); // a permuted tensor would look like channels last
    params.view1d_as_2d();
    input = view4d(input);
    weight = view4d(weight);
  }
  const backend = select_conv_backend(input, weight, params);
  const output = run_backend(backend, input, weight, bias, params);
  return k === 3 ? view3d(output) : output;
}

function run_backend(
  backend: ConvBackend,
  input_: Tensor,
  weight_: Tensor,
  bias: MaybeTensor,
  params: ConvParams,
): Tensor {
  const { stride, padding, dilation, groups } = params;
  const format = determine_backend_memory_format(input_, weight_, backend);
  if (backend === ConvBackend.Empty) return empty_convolution(input_, weight_, params);
  if (backend === ConvBackend.Overrideable)
    return at.convolution_overrideable(
      input_,
      weight_,
      bias,
      stride,
      padding,
      dilation,
      params.transposed,
      params.output_padding,
      groups,
    );
  if (backend === ConvBackend.Mkldnn || backend === ConvBackend.MkldnnTranspose)
    check_input_same_type_as_parameters(input_, weight_, bias);
  const input = input_.contiguous(format);
  const weight = weight_.contiguous(format);
  switch (backend) {
    case ConvBackend.Mkldnn:
      return at.mkldnn_convolution(input, weight, bias?.contiguous() ?? null, padding, stride, dilation, groups);
    case ConvBackend.MkldnnTranspose:
      return mkldnn_convolution_transpose_stub.call(
        input.device_type(),
        input,
        weight,
        bias?.contiguous() ?? null,
        params,
      );
    case ConvBackend.Slow3d: // the only loop with groups
      return at.slow_conv3d(input, weight, weight.sizes().slice(2), bias, stride, padding);
    default:
  }
  if (groups === 1) return _convolution_nogroup_backend(input, weight, bias, backend, params);
  const outputs: Tensor[] = [];
  for (let g = 0; g < groups; g++) {
    const input_g = subtensor(input, 1, groups, g);
    const weight_g = subtensor(weight, 0, groups, g);
    const bias_g = bias === null ? null : subtensor(bias, 0, groups, g);
    outputs.push(_convolution_nogroup_backend(input_g, weight_g, bias_g, backend, params));
  }
  return at.cat(outputs, 1);
}

function _convolution_nogroup_backend(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  backend: ConvBackend,
  { stride, padding, dilation, output_padding }: ConvParams,
): Tensor {
  const kernel_size = weight.sizes().slice(2);
  switch (backend) {
    case ConvBackend.Slow2d:
      return at.thnn_conv2d(input, weight, kernel_size, bias, stride, padding);
    case ConvBackend.SlowDilated2d:
      return at.slow_conv_dilated2d(input, weight, kernel_size, bias, stride, padding, dilation);
    case ConvBackend.SlowDilated3d:
      return at.slow_conv_dilated3d(input, weight, kernel_size, bias, stride, padding, dilation);
    case ConvBackend.SlowTranspose2d:
      return at.slow_conv_transpose2d(input, weight, kernel_size, bias, stride, padding, output_padding, dilation);
    case ConvBackend.SlowTranspose3d:
      return at.slow_conv_transpose3d(input, weight, kernel_size, bias, stride, padding, output_padding, dilation);
    default:
      TORCH_CHECK(false, "Unsupported conv nogroup backend encountered");
  }
}
