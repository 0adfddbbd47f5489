/**
 * @file Adaptive average pooling of volumes: the mean of each part of a volume that is divided into a given number of
 * parts.
 * @mirrors aten/src/ATen/native/AdaptiveAveragePooling3d.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguously } from "./Pool/index.ts";
import { adaptive_volumes_of, check_not_empty, type Volumes } from "./Pool/Pool3d.ts";

/** All tensors are contiguous. */
export const adaptive_avg_pool3d_kernel =
  DEFINE_DISPATCH<(output: Tensor, input: Tensor, volumes: Volumes) => void>("adaptive_avg_pool3d_kernel");
/** Adds to `grad_input`. */
export const adaptive_avg_pool3d_backward_kernel = DEFINE_DISPATCH<
  (grad_input: Tensor, grad_output: Tensor, volumes: Volumes) => void
>("adaptive_avg_pool3d_backward_kernel");

// adaptive_avg_pool3d.out                                                           CPU
export function adaptive_avg_pool3d_out_cpu(input: Tensor, output_size: number[], output: Tensor): Tensor {
  TORCH_CHECK(output_size.length === 3, "adaptive_avg_pool3d: output_size must be 3");
  check_not_empty("adaptive_avg_pool3d", "input", input);
  const ndim = input.dim();
  TORCH_CHECK(ndim === 4 || ndim === 5, "adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got ", input.sizes());
  output.resize_([...input.sizes().slice(0, -3), ...output_size]);
  if (output.numel() === 0) return output;
  check_floating_types_and2(input.scalar_type(), "adaptive_avg_pool3d_cpu");
  const volumes = adaptive_volumes_of(input, output_size);
  contiguously([output], ([out]) =>
    adaptive_avg_pool3d_kernel.call(input.device_type(), out, input.contiguous(), volumes),
  );
  return output;
}

// _adaptive_avg_pool3d                                                              CPU
export function adaptive_avg_pool3d_cpu(input: Tensor, output_size: number[]): Tensor {
  return adaptive_avg_pool3d_out_cpu(input, output_size, at.empty_memory_format([0], input.options()));
}

// adaptive_avg_pool3d                                                               CompositeImplicitAutograd
export function adaptive_avg_pool3d_symint(input: Tensor, output_size: number[]): Tensor {
  TORCH_CHECK(output_size.length === 3, "adaptive_avg_pool3d: output_size must be 3");
  const [oT, oH, oW] = output_size;
  TORCH_CHECK(
    oT >= 0 && oH >= 0 && oW >= 0,
    "adaptive_avg_pool3d: elements of output_size must be greater than or equal to 0 ",
    `but received {${oT}, ${oH},${oW}}`,
  );
  if (oT !== 1 || oH !== 1 || oW !== 1) return at._adaptive_avg_pool3d(input, output_size);
  // One part is the mean of the volume, for which there are faster loops.
  const out = input.mean_dim([-1, -2, -3], true);
  if (input.suggest_memory_format() !== MemoryFormat.ChannelsLast3d) return out;
  const [n, c] = input.sizes() as [number, number];
  return at.as_strided(out, [n, c, 1, 1, 1], [c, 1, c, c, c]);
}

/** Precondition: `grad_input` has `input`'s shape and is zero. */
function backward_into(grad_input: Tensor, grad_output: Tensor, input: Tensor): Tensor {
  const name = "adaptive_avg_pool3d_backward";
  check_not_empty(name, "grad_output", grad_output);
  TORCH_CHECK(
    input.dim() === grad_output.dim(),
    `${name}_out_cpu_template: Expected dimensions ${input.dim()} for \`gradOutput_\` but got dimensions ${grad_output.dim()}`,
  );
  input.size(-4); // throws an IndexError if there is no such dim
  check_floating_types_and2(input.scalar_type(), `${name}_cpu`);
  for (const t of [grad_input, grad_output]) check_type(t, input.scalar_type());
  const volumes = adaptive_volumes_of(input, grad_output.sizes().slice(-3));
  contiguously([grad_input], ([grad]) =>
    adaptive_avg_pool3d_backward_kernel.call(input.device_type(), grad, grad_output.contiguous(), volumes),
  );
  return grad_input;
}

// adaptive_avg_pool3d_backward.grad_input                                           CPU
export function adaptive_avg_pool3d_backward_out_cpu(grad_output: Tensor, input: Tensor, grad_input: Tensor): Tensor {
  grad_input.resize_as_(input).zero_();
  return backward_into(grad_input, grad_output, input);
}

// _adaptive_avg_pool3d_backward                                                     CPU
export function adaptive_avg_pool3d_backward_cpu(grad_output: Tensor, input: Tensor): Tensor {
  return backward_into(at.zeros_like(input, undefined, MemoryFormat.Contiguous), grad_output, input);
}
