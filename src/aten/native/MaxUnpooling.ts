/**
 * @file Max unpooling: maxima are written back to the positions where max pooling found them; the rest is zeros.
 * @mirrors aten/src/ATen/native/MaxUnpooling.cpp
 */
import { alertNotDeterministic } from "#aten/Context/index";
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type } from "#aten/TensorMethods";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguous_copy, in_contiguous_memory } from "./Pool/index.ts";

/** Handles `planes` planes; all tensors are contiguous. Returns the first index that is out of range, or null. */
export const max_unpool_kernel =
  DEFINE_DISPATCH<(output: Tensor, input: Tensor, indices: Tensor, planes: number) => number | null>(
    "max_unpool_kernel",
  );

function check_sizes(name: string, self: Tensor, indices: Tensor): void {
  TORCH_CHECK(
    self.sizes().join() === indices.sizes().join(),
    "Expected shape of indices to be same as that of the input tensor (",
    self.sizes(),
    ") but got indices tensor with shape: ",
    indices.sizes(),
  );
  for (let i = 1; i < self.dim(); i++)
    TORCH_CHECK(
      self.size(i) > 0,
      `${name}(): Expected input to have non-zero size for non-batch dimensions, but got `,
      self.sizes(),
      ` with dimension ${i} being empty.`,
    );
}

function check_ndim(dim: number, self: Tensor): void {
  TORCH_CHECK(
    self.dim() === dim + 1 || self.dim() === dim + 2,
    `Input to max_unpooling${dim}d should be a ${dim + 1}d or ${dim + 2}d Tensor, but got a tensor with ${self.dim()} dimensions.`,
  );
}

function unpool_into(
  dim: number,
  output: Tensor,
  self: Tensor,
  indices: Tensor,
  output_size: readonly number[],
): Tensor {
  TORCH_CHECK(
    output_size.every((size) => size >= 0),
    `max_unpooling${dim}d(): output_size must contain non-negative spatial dimensions, `,
    `but got output_size=(${output_size.join(", ")})`,
  );
  const sizes = [...self.sizes().slice(0, -dim), ...output_size];
  output.resize_(sizes, dim === 2 && self.dim() === 4 ? self.suggest_memory_format() : null);
  output.zero_();
  if (output.numel() === 0) return output;
  check_floating_types_and2(self.scalar_type(), `max_unpool${dim}d`);
  check_type(output, self.scalar_type());
  const planes = self
    .sizes()
    .slice(0, -dim)
    .reduce((n, size) => n * size, 1);
  const channels_last = !output.is_contiguous(); // then self and indices have PyTorch's loop, too
  const source = (t: Tensor): Tensor => (channels_last ? contiguous_copy(t) : t.contiguous());
  in_contiguous_memory([output], ([out]) => {
    const wrong = max_unpool_kernel.call(self.device_type(), out, source(self), source(indices), planes);
    TORCH_CHECK(
      wrong === null,
      `Found an invalid max index: ${wrong} (output volumes are of size ${output_size.join("x")})`,
    );
  });
  return output;
}

// max_unpool2d.out                                                                  CPU
export function max_unpooling2d_forward_out_cpu(
  self: Tensor,
  indices: Tensor,
  output_size: number[],
  output: Tensor,
): Tensor {
  alertNotDeterministic("max_unpooling2d_forward_out"); // because an index may occur twice
  TORCH_CHECK(
    indices.scalar_type() === ScalarType.Long,
    `elements in indices should be type int64 but got: ${toString(indices.scalar_type())}`,
  );
  TORCH_CHECK(
    output_size.length === 2,
    `There should be exactly two elements (height, width) in output_size, but got ${output_size.length} elements.`,
  );
  check_ndim(2, self);
  check_sizes("max_unpooling2d_forward_out_cpu", self, indices);
  return unpool_into(2, output, self, indices, output_size);
}

// max_unpool2d                                                                      CPU
export function max_unpooling2d_forward_cpu(self: Tensor, indices: Tensor, output_size: number[]): Tensor {
  const output = at.empty_memory_format([0], self.options());
  return max_unpooling2d_forward_out_cpu(self, indices, output_size, output);
}

// max_unpool3d.out                                                                  CPU
export function max_unpooling3d_forward_out_cpu(
  self: Tensor,
  indices: Tensor,
  output_size: number[],
  stride: number[],
  padding: number[],
  output: Tensor,
): Tensor {
  alertNotDeterministic("max_unpooling3d_forward_out");
  TORCH_CHECK(output.is_contiguous(), "output must be contiguous");
  TORCH_CHECK(indices.scalar_type() === ScalarType.Long, "elements in indices should be type int64");
  check_ndim(3, self);
  const elements = "There should be exactly three elements (depth, height, width) in";
  TORCH_CHECK(output_size.length === 3, `${elements} output_size, but got ${output_size.length} elements.`);
  TORCH_CHECK(stride.length === 3, `${elements} stride, but got: ${stride.length} elements.`);
  TORCH_CHECK(padding.length === 3, `${elements} padding, but got: ${padding.length} elements.`);
  check_sizes("max_unpooling3d_forward_out_cpu", self, indices);
  TORCH_CHECK(
    stride.every((size) => size > 0),
    "strides should be greater than zero, but got stride: ",
    stride,
  );
  return unpool_into(3, output, self, indices, output_size);
}

// max_unpool3d                                                                      CPU
export function max_unpooling3d_forward_cpu(
  self: Tensor,
  indices: Tensor,
  output_size: number[],
  stride: number[],
  padding: number[],
): Tensor {
  const output = at.empty_memory_format([0], self.options());
  return max_unpooling3d_forward_out_cpu(self, indices, output_size, stride, padding, output);
}
