/**
 * @file Decompositions of max unpooling, in terms of `_unsafe_index_put`.
 * @mirrors torch/_decomp/decompositions.py
 */
import { multiply_integers } from "#c10/util/accumulate";
import type { Tensor } from "#torch/_tensor/index";
import { alert_not_deterministic, check, type Shape, same_shape, size_repr } from "../_prims_common/index.ts";
import { torch } from "../_torch.ts";
import { register_with_out } from "./index.ts";

function list_repr(list: Shape): string {
  return `[${list.join(", ")}]`;
}

/** The indices refer to one plane each; here they are shifted to one list for all planes. */
function _max_unpoolnd(self: Tensor, indices: Tensor, output_size: Shape, dim: number): Tensor {
  alert_not_deterministic(`max_unpooling${dim}d_forward_out`); // because an index may occur twice
  for (const [i, size] of output_size.entries())
    check(
      size >= 0,
      () =>
        `max_unpooling${dim}d(): output_size must contain non-negative spatial dimensions, but got output_size[${i}]=${size}`,
    );
  const planes = [...self.shape].slice(0, -dim);
  const output_shape = [...planes, ...output_size];
  if (output_shape.includes(0)) return self.new_zeros(output_shape);
  const plane = torch
    .arange(multiply_integers(planes), { device: self.device })
    .view([...planes, ...output_size.map(() => 1)]);
  const indices_flat = indices.add(plane.mul(multiply_integers(output_size))).reshape([-1]);
  const output = self.new_zeros(output_shape);
  return torch.ops.aten
    ._unsafe_index_put(output.reshape([-1]), [indices_flat], self.reshape([-1]), false)
    .view(output.shape);
}

function check_input(self: Tensor, indices: Tensor, dim: number): void {
  check(
    same_shape(self.shape, indices.shape),
    () =>
      `Expected shape of indices to be same as that of the input tensor (${size_repr(self.shape)}) but got indices tensor with shape: ${size_repr(indices.shape)}`,
  );
  for (let i = 1; i < self.dim(); i++)
    check(
      self.size(i) > 0,
      () =>
        `max_unpooling${dim}d(): Expected input to have non-zero size for non-batch dimensions, but got ${size_repr(self.shape)} with dimension ${i} being empty.`,
    );
}

function check_ndim(self: Tensor, dim: number): void {
  check(
    self.dim() === dim + 1 || self.dim() === dim + 2,
    () =>
      `Input to max_unpooling${dim}d should be a ${dim + 1}d or ${dim + 2}d Tensor, but got a tensor with ${self.dim()} dimensions.`,
  );
}

function max_unpool2d(self: Tensor, indices: Tensor, output_size: Shape): Tensor {
  check(indices.dtype === torch.int64, () => `elements in indices should be type int64 but got: ${indices.dtype}`);
  check(
    output_size.length === 2,
    () =>
      `There should be exactly two elements (height, width) in output_size, but got ${output_size.length} elements.`,
  );
  check_ndim(self, 2);
  check_input(self, indices, 2);
  return _max_unpoolnd(self, indices, output_size, 2);
}

function max_unpool3d(input: Tensor, indices: Tensor, output_size: Shape, stride: Shape, padding: Shape): Tensor {
  check(indices.dtype === torch.int64, () => "elements in indices should be type int64");
  check_ndim(input, 3);
  const elements = "There should be exactly three elements (depth, height, width) in";
  check(output_size.length === 3, () => `${elements} output_size, but got ${output_size.length} elements.`);
  check(stride.length === 3, () => `${elements} stride, but got: ${stride.length} elements.`);
  check(padding.length === 3, () => `${elements} padding, but got: ${padding.length} elements.`);
  check_input(input, indices, 3);
  check(
    stride.every((step) => step > 0),
    () => `strides should be greater than zero, but got stride: ${list_repr(stride)}`,
  );
  return _max_unpoolnd(input, indices, output_size, 3);
}

register_with_out("max_unpool2d", max_unpool2d);
register_with_out("max_unpool3d", max_unpool3d);
