/**
 * @file Transposed 3-D convolution.
 * @mirrors aten/src/ATen/native/NaiveConvolutionTranspose3d.cpp
 */
import { check_floating_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type, defined } from "#aten/TensorMethods";
import { check_dim_size } from "#aten/TensorUtils/index";
import { TORCH_CHECK } from "#c10/util/Exception";
import { conv_input_backward, conv_transpose_backward } from "./ConvolutionMM.ts";
import { conv_input_size, type Steps, slow_conv_transpose3d_backward_stub } from "./ConvUtils.ts";
import { REGISTER_DISPATCH } from "./DispatchStub.ts";

type MaybeTensor = Tensor | null;

const AXES = ["depth", "height", "width"] as const;

/** Text such as `stride_depth: 1 stride_height: 1 stride_width: 1`. */
function told(name: string, list: readonly number[], separator = " "): string {
  return AXES.map((axis, i) => `${name}_${axis}: ${list[i]}`).join(separator);
}

function slow_conv_transpose3d_shape_check(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  kernel_size: readonly number[],
  { stride, dilation }: Steps,
  output_padding: readonly number[],
): void {
  TORCH_CHECK(
    input.numel() !== 0 && (input.dim() === 4 || input.dim() === 5),
    "non-empty 4D or 5D (batch mode) tensor expected for input, but got: ",
    input.sizes(),
  );
  const positive = (list: readonly number[]) => list.every((n) => n > 0);
  TORCH_CHECK(positive(stride), `stride should be greater than zero, but got ${told("stride", stride)}`);
  TORCH_CHECK(positive(dilation), `dilation should be greater than zero, but got ${told("dilation", dilation, ", ")}`);
  TORCH_CHECK(positive(kernel_size), `kernel size should be greater than zero, but got ${told("kernel", kernel_size)}`);
  TORCH_CHECK(
    output_padding.every((p, i) => p < stride[i] || p < dilation[i]),
    "output padding must be smaller than either stride or dilation, but got ",
    `${told("output_padding", output_padding)} ${told("stride", stride)} ${told("dilation", dilation)}`,
  );
  TORCH_CHECK(
    weight.numel() !== 0 && weight.dim() === 5,
    "non-empty 5D tensor expected for weight, but got: ",
    weight.sizes(),
  );
  if (bias !== null) check_dim_size(bias, 1, 0, weight.size(1));
}

// slow_conv_transpose3d.out                                                         CPU
export function slow_conv_transpose3d_out_cpu(
  input_: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias_opt: MaybeTensor,
  stride: number[],
  padding: number[],
  output_padding: number[],
  dilation: number[],
  output: Tensor,
): Tensor {
  const bias = defined(bias_opt);
  for (const [name, list] of Object.entries({ kernel_size, dilation, padding, stride, output_padding }))
    TORCH_CHECK(list.length === 3, `It is expected ${name} equals to 3, but got size ${list.length}`);
  const steps = { stride, padding, dilation };
  slow_conv_transpose3d_shape_check(input_, weight, bias, kernel_size, steps, output_padding);
  check_dim_size(input_, input_.dim(), input_.dim() - 4, weight.size(0));
  const is_batch = input_.dim() === 5;
  const input = is_batch ? input_.contiguous() : input_.contiguous().unsqueeze(0);
  const sizes = conv_input_size(input.sizes(), weight.sizes(), steps, output_padding, 1);
  TORCH_CHECK(
    sizes.slice(2).every((size) => size >= 1),
    `Given input size per channel: (${input.sizes().slice(2).join(" x ")}). `,
    `Calculated output size per channel: (${sizes.slice(2).join(" x ")}). Output size is too small`,
  );
  output.resize_(sizes);
  check_floating_types_and3(input.scalar_type(), "slow_conv_transpose3d_out_cpu");
  check_type(weight, input.scalar_type());
  conv_input_backward(output, input, weight, steps, 1);
  if (bias !== null) output.add__Tensor(bias.reshape([-1, 1, 1, 1]));
  if (!is_batch) output.resize_(sizes.slice(1));
  return output;
}

// slow_conv_transpose3d                                                             CPU
export function slow_conv_transpose3d_cpu(
  input: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  output_padding: number[],
  dilation: number[],
): Tensor {
  const output = at.empty_memory_format([0], input.options());
  // biome-ignore format: arguments on one line
  return slow_conv_transpose3d_out_cpu(
    input, weight, kernel_size, bias, stride, padding, output_padding, dilation, output,
  );
}

REGISTER_DISPATCH(
  slow_conv_transpose3d_backward_stub,
  (input, grad_output, weight, args, output_mask) => {
    check_floating_types_and3(input.scalar_type(), "slow_conv_transpose3d_backward_out_cpu");
    check_type(grad_output, input.scalar_type());
    return conv_transpose_backward(input, grad_output, weight, args, output_mask);
  },
  "slow_conv_transpose3d_backward_cpu",
);
