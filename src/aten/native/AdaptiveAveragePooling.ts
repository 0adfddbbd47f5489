/**
 * @file Adaptive average pooling of images: the mean of each part of an image that is divided into a given number of
 * parts.
 * @mirrors aten/src/ATen/native/AdaptiveAveragePooling.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguously, type Images } from "./Pool/index.ts";

/** All tensors are contiguous. */
export const adaptive_avg_pool2d_kernel =
  DEFINE_DISPATCH<(output: Tensor, input: Tensor, images: Images) => void>("adaptive_avg_pool2d_kernel");
/** Adds to `grad_input`. */
export const adaptive_avg_pool2d_backward_kernel = DEFINE_DISPATCH<
  (grad_input: Tensor, grad_output: Tensor, images: Images) => void
>("adaptive_avg_pool2d_backward_kernel");

function check_dtype(t: Tensor, name: string, input: Tensor): void {
  TORCH_CHECK(
    t.dtype() === input.dtype(),
    `expected dtype ${typeMetaName(input.dtype())} for \`${name}\` but got dtype ${typeMetaName(t.dtype())}`,
  );
}

function images_of(input: Tensor, oH: number, oW: number): Images {
  const [H, W] = [input.size(-2), input.size(-1)];
  return { planes: input.numel() / (H * W), H, W, oH, oW };
}

// adaptive_avg_pool2d.out                                                           CPU
export function adaptive_avg_pool2d_out_cpu(input: Tensor, output_size: number[], output: Tensor): Tensor {
  TORCH_CHECK(output_size.length === 2, "adaptive_avg_pool2d: output_size must be 2");
  const ndim = input.dim();
  TORCH_CHECK(ndim === 3 || ndim === 4, "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got ", input.sizes());
  for (const i of [-2, -1])
    TORCH_CHECK(
      input.size(i) > 0,
      "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ",
      input.sizes(),
      ` with dimension ${i + ndim} being empty`,
    );
  check_dtype(output, "output", input);
  const sizes = [...input.sizes().slice(0, -2), ...output_size];
  output.resize_(sizes, ndim === 3 ? null : input.suggest_memory_format());
  if (output.numel() === 0) return output;
  check_floating_types_and2(input.scalar_type(), "adaptive_avg_pool2d");
  const images = images_of(input, output_size[0], output_size[1]);
  contiguously([output], ([out]) =>
    adaptive_avg_pool2d_kernel.call(input.device_type(), out, input.contiguous(), images),
  );
  return output;
}

// _adaptive_avg_pool2d                                                              CPU
export function adaptive_avg_pool2d_cpu(input: Tensor, output_size: number[]): Tensor {
  return adaptive_avg_pool2d_out_cpu(input, output_size, at.empty_memory_format([0], input.options()));
}

// adaptive_avg_pool2d                                                               CompositeImplicitAutograd
export function adaptive_avg_pool2d_symint(input: Tensor, output_size: number[]): Tensor {
  TORCH_CHECK(output_size.length === 2, "adaptive_avg_pool2d: output_size must be 2");
  const [oH, oW] = output_size;
  TORCH_CHECK(
    oH >= 0 && oW >= 0,
    "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 ",
    `but received {${oH}, ${oW}}`,
  );
  if (oH !== 1 || oW !== 1) return at._adaptive_avg_pool2d(input, output_size);
  // One part is the mean of the image, for which there are faster loops.
  const out = input.mean_dim([-1, -2], true);
  if (input.suggest_memory_format() !== MemoryFormat.ChannelsLast) return out;
  const [n, c] = input.sizes() as [number, number];
  return at.as_strided(out, [n, c, 1, 1], [c, 1, c, c]);
}

// _adaptive_avg_pool2d_backward                                                     CPU
export function adaptive_avg_pool2d_backward_cpu(grad_output: Tensor, input: Tensor): Tensor {
  const name = "adaptive_avg_pool2d_backward";
  const ndim = grad_output.dim();
  for (let i = 1; i < ndim; i++)
    TORCH_CHECK(
      grad_output.size(i) > 0,
      `${name}(): Expected grad_output to have non-zero size for non-batch dimensions, but grad_output has sizes `,
      grad_output.sizes(),
      ` with dimension ${i} being empty`,
    );
  TORCH_CHECK(
    input.dim() === ndim,
    `${name}_out_cpu_template: Expected dimensions ${input.dim()} for \`grad_output\` but got dimensions ${ndim}`,
  );
  TORCH_CHECK(ndim === 3 || ndim === 4, `${name}_out_cpu_template: Expected 3D or 4D tensor, but got `, input.sizes());
  TORCH_CHECK(
    input.dtype() === grad_output.dtype(),
    `${name}_out_cpu_template: Expected dtype ${typeMetaName(input.dtype())} for \`grad_output\` but got dtype ${typeMetaName(grad_output.dtype())}`,
  );
  const grad_input = at.empty_memory_format([0], input.options());
  grad_input.resize_(input.sizes().slice(), input.suggest_memory_format());
  grad_input.zero_();
  check_floating_types_and2(grad_output.scalar_type(), name);
  const images = images_of(input, grad_output.size(-2), grad_output.size(-1));
  contiguously([grad_input], ([grad]) =>
    adaptive_avg_pool2d_backward_kernel.call(input.device_type(), grad, grad_output.contiguous(), images),
  );
  return grad_input;
}
