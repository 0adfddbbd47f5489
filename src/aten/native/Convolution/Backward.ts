/**
 * @file The gradients of convolutions, and the gradients of those.
 * @mirrors aten/src/ATen/native/Convolution.cpp#convolution_backward
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { slow_conv3d_backward_cpu } from "#aten/native/ConvolutionMM3d";
import {
  ConvBackend,
  type ConvBackward,
  type ConvGradients,
  determine_backend_memory_format,
  mkldnn_convolution_backward_stub,
  mkldnn_convolution_transpose_backward_stub,
  slow_conv_dilated2d_backward_stub,
  slow_conv_dilated3d_backward_stub,
  slow_conv_transpose2d_backward_stub,
  slow_conv_transpose3d_backward_stub,
} from "#aten/native/ConvUtils";
import { defined } from "#aten/TensorMethods";
import { NotImplementedError, TORCH_CHECK } from "#c10/util/Exception";
import { subtensor, view3d, view4d } from "./index.ts";
import { ConvParams, check_shape_forward, params_of, select_conv_backend } from "./Params.ts";

type MaybeTensor = Tensor | null;

// convolution_backward_overrideable                                                 CompositeExplicitAutograd
export function convolution_backward_overrideable(
  _grad_output: Tensor,
  _input: Tensor,
  _weight: Tensor,
  _stride: number[],
  _padding: number[],
  _dilation: number[],
  _transposed: boolean,
  _output_padding: number[],
  _groups: number,
  _output_mask: boolean[],
): ConvGradients {
  throw new NotImplementedError(
    "convolution_backward_overrideable: You are likely triggering this with tensor backend other than CPU/CUDA/MKLDNN, if this is intended, please use TORCH_LIBRARY_IMPL to override this function ",
  );
}

// convolution_backward                                                              CompositeExplicitAutograd
export function convolution_backward(
  grad_output_: Tensor,
  input_: Tensor,
  weight_: Tensor,
  bias_sizes: number[] | null,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
  output_mask: boolean[],
): ConvGradients {
  let grad_output = grad_output_;
  let input = input_;
  let weight = weight_;
  const k = weight.dim();
  const dim = k - 2;
  TORCH_CHECK(dim > 0, "weight should have at least three dimensions");
  const params = params_of(weight, stride, padding, dilation, transposed, output_padding, groups);
  check_shape_forward(input, weight, null, params);
  TORCH_CHECK(
    input.dim() === grad_output.dim(),
    `Expected input and grad_output to have the same number of dimensions, but got: ${input.dim()} and ${grad_output.dim()}`,
  );
  if (!transposed)
    for (const pad of params.output_padding)
      TORCH_CHECK(
        pad === 0,
        "output_padding is not supported for non-transposed convolutions; got: ",
        params.output_padding,
      );
  if (k === 3) {
    input = input.contiguous();
    params.view1d_as_2d();
    grad_output = view4d(grad_output);
    input = view4d(input);
    weight = view4d(weight);
  }
  const backend = select_conv_backend(input, weight, params);
  let [grad_input, grad_weight, grad_bias] = run_backend(
    backend,
    grad_output,
    input,
    weight,
    bias_sizes,
    params,
    output_mask,
  );
  if (k === 3 && output_mask[0]) grad_input = view3d(grad_input);
  if (k === 3 && output_mask[1]) grad_weight = view3d(grad_weight);
  if (output_mask[2] && !grad_bias.defined())
    grad_bias = grad_output.sum_dim_IntList(dim === 3 ? [0, 2, 3, 4] : [0, 2, 3]);
  return [grad_input, grad_weight, grad_bias];
}

function run_backend(
  backend: ConvBackend,
  grad_output: Tensor,
  input_: Tensor,
  weight_: Tensor,
  bias_sizes: number[] | null,
  params: ConvParams,
  output_mask: boolean[],
): ConvGradients {
  const { stride, padding, dilation, groups } = params;
  const format = determine_backend_memory_format(input_, weight_, backend);
  if (backend === ConvBackend.Empty) {
    const grad_input = output_mask[0] ? at.zeros_like(input_) : new Tensor();
    const grad_weight = output_mask[1] ? at.zeros_like(weight_) : new Tensor();
    const grad_bias = output_mask[2] ? at.zeros(bias_sizes ?? [], weight_.options()) : new Tensor();
    return [grad_input, grad_weight, grad_bias];
  }
  if (backend === ConvBackend.Overrideable)
    // biome-ignore format: arguments on one line
    return at.convolution_backward_overrideable(
      grad_output, input_, weight_, stride, padding, dilation, params.transposed, params.output_padding, groups, output_mask,
    );
  const input = input_.contiguous(format);
  const weight = weight_.contiguous(format);
  switch (backend) {
    case ConvBackend.Mkldnn:
    case ConvBackend.MkldnnTranspose: {
      const stub = params.transposed ? mkldnn_convolution_transpose_backward_stub : mkldnn_convolution_backward_stub;
      return stub.call(input.device_type(), input, grad_output, weight, params, output_mask);
    }
    case ConvBackend.Slow3d:
      return slow_conv3d_backward_cpu(grad_output, input, weight, params, output_mask);
    default:
  }
  if (groups === 1)
    return _convolution_backward_nogroup_backend(grad_output, input, weight, output_mask, backend, params);
  const of_groups: ConvGradients[] = [];
  for (let g = 0; g < groups; g++) {
    const grad_output_g = subtensor(grad_output, 1, groups, g);
    const input_g = subtensor(input, 1, groups, g);
    const weight_g = subtensor(weight, 0, groups, g);
    of_groups.push(
      _convolution_backward_nogroup_backend(grad_output_g, input_g, weight_g, output_mask, backend, params),
    );
  }
  const joined = (i: 0 | 1 | 2, dim: number) =>
    output_mask[i] && of_groups[0][i].defined()
      ? at.cat(
          of_groups.map((grads) => grads[i]),
          dim,
        )
      : new Tensor();
  return [joined(0, 1), joined(1, 0), joined(2, 0)];
}

function _convolution_backward_nogroup_backend(
  grad_output: Tensor,
  input: Tensor,
  weight: Tensor,
  output_mask: boolean[],
  backend: ConvBackend,
  params: ConvParams,
): ConvGradients {
  const { stride, padding } = params;
  if (backend === ConvBackend.Slow2d) {
    const kernel_size = weight.sizes().slice(2);
    return at._slow_conv2d_backward_output_mask(grad_output, input, weight, kernel_size, stride, padding, output_mask);
  }
  const stubs: Partial<Record<ConvBackend, { call(...args: [number, ...Parameters<ConvBackward>]): ConvGradients }>> = {
    [ConvBackend.SlowDilated2d]: slow_conv_dilated2d_backward_stub,
    [ConvBackend.SlowDilated3d]: slow_conv_dilated3d_backward_stub,
    [ConvBackend.SlowTranspose2d]: slow_conv_transpose2d_backward_stub,
    [ConvBackend.SlowTranspose3d]: slow_conv_transpose3d_backward_stub,
  };
  const stub = stubs[backend];
  TORCH_CHECK(stub !== undefined, "Unsupported conv nogroup backend encountered");
  const one_group = { ...params, groups: 1 };
  return stub.call(input.device_type(), input, grad_output, weight, one_group, output_mask);
}

/** `a + b`, or `b` if `a` is missing. */
function sum_of(a: MaybeTensor, b: Tensor): Tensor {
  return a === null ? b : a.add_Tensor(b);
}

/** Cuts the spatial dims to `sizes`. */
function narrowed(t: Tensor, sizes: readonly number[]): Tensor {
  let result = t;
  for (let d = 2; d < sizes.length; d++) if (result.size(d) > sizes[d]) result = result.narrow(d, 0, sizes[d]);
  return result;
}

// _convolution_double_backward                                                      CompositeImplicitAutograd
// All three results are convolutions again, so gradients of any order can be computed. @parameters PyTorch's own.
export function _convolution_double_backward(
  ggI_opt: MaybeTensor,
  ggW_opt: MaybeTensor,
  ggb_opt: MaybeTensor,
  gO: Tensor,
  weight: Tensor,
  input: Tensor,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
  _output_mask: boolean[],
): ConvGradients {
  const [ggI, ggW, ggb] = [defined(ggI_opt), defined(ggW_opt), defined(ggb_opt)];
  const params = params_of(weight, stride, padding, dilation, transposed, output_padding, groups);
  const not_empty = input.numel() !== 0;

  // ggO = conv(ggI, W) + conv(I, ggW) + ggb
  let ggO: MaybeTensor = null;
  if (not_empty && ggI !== null) ggO = convolve(ggI, weight, params);
  if (not_empty && ggW !== null) ggO = sum_of(ggO, convolve(input, ggW, params));
  if (ggb !== null) {
    const shape = gO.sizes().map((_, d) => (d === 1 ? ggb.size(0) : 1));
    ggO = sum_of(ggO, ggb.contiguous().view(shape).expand(gO.sizes().slice()));
  }

  const gW = ggI !== null && not_empty ? grad_of_weight(ggI, gO, weight, params) : null;
  const gI = ggW !== null && not_empty ? grad_of_input(ggW, gO, weight, input, params) : null;
  return [ggO ?? new Tensor(), gI ?? new Tensor(), gW ?? new Tensor()];
}

function convolve(x: Tensor, w: Tensor, p: ConvParams): Tensor {
  return at.convolution(x, w, null, p.stride, p.padding, p.dilation, p.transposed, p.output_padding, p.groups);
}

/**
 * gW = conv(ggI, gO), with batch and channels exchanged so that the sum is over the batch; stride and dilation are
 * exchanged, too.
 */
function grad_of_weight(ggI: Tensor, gO: Tensor, weight: Tensor, params: ConvParams): Tensor {
  const { stride, padding, dilation, transposed, output_padding, groups } = params;
  const ggIt = ggI.transpose_int(0, 1);
  const gOt = gO.transpose_int(0, 1);
  const swapped = new ConvParams(dilation, padding, stride, false, output_padding, 1);
  const convolve_group = (ggIt_g: Tensor, gOt_g: Tensor) =>
    transposed ? convolve(gOt_g, ggIt_g, swapped) : convolve(ggIt_g, gOt_g, swapped);
  let gWt: Tensor;
  if (groups === 1) gWt = convolve_group(ggIt, gOt);
  else {
    const part = (t: Tensor, g: number) => t.narrow(0, (t.size(0) / groups) * g, t.size(0) / groups);
    const of_groups: Tensor[] = [];
    for (let g = 0; g < groups; g++) of_groups.push(convolve_group(part(ggIt, g), part(gOt, g)));
    gWt = at.cat(of_groups, 1);
  }
  return narrowed(gWt.transpose_int(0, 1), weight.sizes());
}

/** gI = convT(gO, ggW), or conv if the convolution itself is transposed. */
function grad_of_input(ggW: Tensor, gO: Tensor, weight: Tensor, input: Tensor, params: ConvParams): Tensor {
  const { stride, padding, dilation, transposed, output_padding, groups } = params;
  if (transposed)
    return narrowed(
      convolve(gO, ggW, new ConvParams(stride, padding, dilation, false, output_padding, groups)),
      input.sizes(),
    );
  // Positions of the input that no kernel reached become padding of the output.
  const reached = output_padding.map((old, i) => {
    const expected = (weight.size(i + 2) - 1) * dilation[i] - 2 * padding[i] + (stride[i] * (gO.size(i + 2) - 1) + 1);
    return expected === input.size(i + 2) ? old : input.size(i + 2) - expected;
  });
  return convolve(gO, ggW, new ConvParams(stride, padding, dilation, true, reached, groups));
}
