/**
 * @file Transposed 2-D convolution: the input gradient of a convolution, as an operator.
 * @mirrors aten/src/ATen/native/NaiveConvolutionTranspose2d.cpp
 */
import { check_floating_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { check_type, defined } from "#aten/TensorMethods";
import { check_dim_size } from "#aten/TensorUtils/index";
import { TORCH_CHECK } from "#c10/util/Exception";
import { conv_input_backward, conv_transpose_backward } from "./ConvolutionMM.ts";
import { conv_input_size, type Steps, slow_conv_transpose2d_backward_stub } from "./ConvUtils.ts";
import { REGISTER_DISPATCH } from "./DispatchStub.ts";

type MaybeTensor = Tensor | null;

function slow_conv_transpose2d_shape_check(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  [kH, kW]: readonly number[],
  { stride: [dH, dW], dilation: [dilH, dilW] }: Steps,
  [opH, opW]: readonly number[],
): void {
  TORCH_CHECK(
    kW > 0 && kH > 0,
    `kernel size should be greater than zero, but got kernel_height: ${kH} kernel_width: ${kW}`,
  );
  TORCH_CHECK(dW > 0 && dH > 0, `stride should be greater than zero, but got stride_height: ${dH} stride_width: ${dW}`);
  TORCH_CHECK(
    dilW > 0 && dilH > 0,
    `dilation should be greater than zero, but got dilation_height: ${dilH}, dilation_width: ${dilW}`,
  );
  TORCH_CHECK(
    (opW < dW || opW < dilW) && (opH < dH || opH < dilH),
    "output padding must be smaller than either stride or dilation, but got ",
    `output_padding_height: ${opH} output_padding_width: ${opW} stride_height: ${dH} stride_width: ${dW} `,
    `dilation_height: ${dilH} dilation_width: ${dilW}`,
  );
  TORCH_CHECK(
    weight.numel() !== 0 && (weight.dim() === 2 || weight.dim() === 4),
    "non-empty 2D or 4D weight tensor expected, but got: ",
    weight.sizes(),
  );
  if (bias !== null) check_dim_size(bias, 1, 0, weight.size(1));
  TORCH_CHECK(
    input.numel() !== 0 && (input.dim() === 3 || input.dim() === 4),
    "non-empty 3D or 4D input tensor expected but got a tensor with size ",
    input.sizes(),
  );
}

/** Turns a single instance into a batch of one. */
function batched(input: Tensor): Tensor {
  return input.dim() === 4 ? input : input.unsqueeze(0);
}

export abstract class structured_slow_conv_transpose2d extends MetaBase {
  meta(
    input_: Tensor,
    weight: Tensor,
    kernel_size: number[],
    bias: MaybeTensor,
    stride: number[],
    padding: number[],
    output_padding: number[],
    dilation: number[],
  ): void {
    for (const [name, list] of Object.entries({ kernel_size, dilation, padding, stride, output_padding }))
      TORCH_CHECK(list.length === 2, `It is expected ${name} equals to 2, but got size ${list.length}`);
    const steps = { stride, padding, dilation };
    slow_conv_transpose2d_shape_check(input_, weight, defined(bias), kernel_size, steps, output_padding);
    const input = batched(input_);
    const kernel = [weight.size(0), weight.size(1), ...kernel_size];
    const sizes = conv_input_size(input.sizes(), kernel, steps, output_padding, 1);
    const [, , H, W] = sizes as [number, number, number, number];
    TORCH_CHECK(
      H >= 1 && W >= 1,
      `Given input size per channel: (${input.size(2)} x ${input.size(3)}). `,
      `Calculated output size per channel: (${H} x ${W}). Output size is too small`,
    );
    check_dim_size(input_, input_.dim(), input_.dim() - 3, weight.size(0));
    this.set_output_raw_strided(0, sizes, [], input.options());
  }
}

// slow_conv_transpose2d.out                                                         CPU
export abstract class structured_slow_conv_transpose2d_structured_cpu extends structured_slow_conv_transpose2d {
  impl(
    input: Tensor,
    weight: Tensor,
    kernel_size: number[],
    bias: MaybeTensor,
    stride: number[],
    padding: number[],
    _output_padding: number[],
    dilation: number[],
    output: Tensor,
  ): void {
    check_floating_types_and3(input.scalar_type(), "slow_conv_transpose2d_out_cpu");
    check_type(weight, input.scalar_type());
    const kernel = weight.view([weight.size(0), output.size(1), ...kernel_size]);
    conv_input_backward(output, batched(input), kernel, { stride, padding, dilation }, 1);
    const b = defined(bias);
    if (b !== null) output.add__Tensor(b.reshape([-1, 1, 1]));
  }
}

REGISTER_DISPATCH(
  slow_conv_transpose2d_backward_stub,
  (input, grad_output, weight, args, output_mask) => {
    check_floating_types_and3(input.scalar_type(), "slow_conv_transpose2d_backward_out_cpu");
    check_type(grad_output, input.scalar_type());
    return conv_transpose_backward(input, grad_output, weight, args, output_mask);
  },
  "slow_conv_transpose2d_backward_cpu",
);
