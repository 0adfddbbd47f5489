/**
 * @file Replication padding: copies of the edge.
 * @mirrors aten/src/ATen/native/ReplicationPadding.cpp
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  check_grad_output,
  check_output_sizes,
  check_valid_input,
  pad_backward_into,
  pad_into,
  padded_sizes,
} from "./Padding.ts";

/** Sizes of the result, after all checks. */
function sizes_of(dim: number, input: Tensor, padding: readonly number[]): number[] {
  check_padding(dim, padding);
  check_valid_input(dim, input, padding);
  const sizes = padded_sizes(dim, input, padding);
  check_output_sizes("replication", dim, input, sizes);
  return sizes;
}

function forward(dim: number, output: Tensor, input: Tensor, padding: readonly number[]): void {
  check_all_types_and2(input.scalar_type(), `replication_pad${dim}d`);
  pad_into("replication", dim, output, input, padding);
}

function check_padding(dim: number, padding: readonly number[]): void {
  TORCH_CHECK(padding.length === 2 * dim, `padding size is expected to be ${2 * dim}`);
}

function backward(dim: number, grad_input: Tensor, grad_output: Tensor, padding: readonly number[]): void {
  check_floating_types_and2(grad_output.scalar_type(), `replication_pad${dim}d_backward`);
  check_type(grad_input, grad_output.scalar_type());
  pad_backward_into("replication", dim, grad_input, grad_output, padding);
}

/** Backward for two and three dims. */
function backward_out_template(
  dim: number,
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  padding: readonly number[],
): Tensor {
  check_padding(dim, padding);
  if (dim === 3) {
    for (let d = input.dim() === 5 ? 2 : 1, last = d + 3; d < last; d++) input.size(d);
    check_valid_input(3, input, padding);
  }
  check_grad_output("replication", dim, grad_output, input, padding);
  if (grad_input.numel() > 0) backward(dim, grad_input, grad_output, padding);
  return grad_input;
}

export abstract class structured_replication_pad1d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(1, input, padding);
    this.set_output_raw_strided(0, sizes, [], input.options());
  }
}

// replication_pad1d.out                                                              CPU
export abstract class structured_replication_pad1d_out_cpu extends structured_replication_pad1d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
    forward(1, output, input, padding);
  }
}

export abstract class structured_replication_pad1d_backward extends MetaBase {
  meta(grad_output: Tensor, input: Tensor, padding: number[]): void {
    check_padding(1, padding);
    check_grad_output("replication", 1, grad_output, input, padding);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// replication_pad1d_backward.grad_input                                              CPU
export abstract class structured_replication_pad1d_backward_out_cpu extends structured_replication_pad1d_backward {
  impl(grad_output: Tensor, _input: Tensor, padding: number[], grad_input: Tensor): void {
    if (grad_input.numel() === 0) return;
    grad_input.zero_();
    backward(1, grad_input, grad_output, padding);
  }
}

export abstract class structured_replication_pad2d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(2, input, padding);
    this.set_output_raw_strided(0, sizes, [], input.options());
  }
}

// replication_pad2d.out                                                              CPU
export abstract class structured_replication_pad2d_out_cpu extends structured_replication_pad2d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
    output.resize_(output.sizes().slice(), input.suggest_memory_format());
    forward(2, output, input, padding);
  }
}

// replication_pad2d_backward.grad_input                                              CPU
export function replication_pad2d_backward_out_cpu(
  grad_output: Tensor,
  input: Tensor,
  padding: number[],
  grad_input: Tensor,
): Tensor {
  grad_input.resize_as_(input, input.suggest_memory_format());
  grad_input.zero_();
  return backward_out_template(2, grad_input, grad_output, input, padding);
}

// replication_pad2d_backward                                                         CPU
export function replication_pad2d_backward_cpu(grad_output: Tensor, input: Tensor, padding: number[]): Tensor {
  const options = new TensorOptions().memory_format(input.suggest_memory_format());
  return backward_out_template(2, at.zeros_like(input, options), grad_output, input, padding);
}

export abstract class structured_replication_pad3d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(3, input, padding);
    this.set_output_raw_strided(0, sizes, [], input.options());
  }
}

// replication_pad3d.out                                                              CPU
export abstract class structured_replication_pad3d_out_cpu extends structured_replication_pad3d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
    output.resize_(output.sizes().slice(), input.suggest_memory_format());
    forward(3, output, input, padding);
  }
}

// replication_pad3d_backward.grad_input                                              CPU
export function replication_pad3d_backward_out_cpu(
  grad_output: Tensor,
  input: Tensor,
  padding: number[],
  grad_input: Tensor,
): Tensor {
  grad_input.resize_as_(input, input.suggest_memory_format());
  grad_input.zero_();
  return backward_out_template(3, grad_input, grad_output, input, padding);
}

// replication_pad3d_backward                                                         CPU
export function replication_pad3d_backward_cpu(grad_output: Tensor, input: Tensor, padding: number[]): Tensor {
  const options = new TensorOptions().memory_format(input.suggest_memory_format());
  return backward_out_template(3, at.zeros_like(input, options), grad_output, input, padding);
}
