/**
 * @file Padding with copies of the edge.
 * @mirrors aten/src/ATen/native/ReplicationPadding.cpp
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  check_grad_output,
  check_output_sizes,
  check_valid_input,
  pad_backward_into,
  pad_into,
  padded_sizes,
  padded_strides,
} from "./Padding.ts";

/** Of the result, when everything is as it must be. */
function sizes_of(dim: number, input: Tensor, padding: readonly number[]): number[] {
  TORCH_CHECK(padding.length === 2 * dim, `padding size is expected to be ${2 * dim}`);
  check_valid_input(dim, input, padding);
  const sizes = padded_sizes(dim, input, padding);
  check_output_sizes("replication", dim, input, sizes);
  return sizes;
}

function forward(dim: number, output: Tensor, input: Tensor, padding: readonly number[]): void {
  check_all_types_and2(input.scalar_type(), `replication_pad${dim}d`);
  pad_into("replication", dim, output, input, padding);
}

function check_backward(dim: number, grad_output: Tensor, input: Tensor, padding: readonly number[]): void {
  TORCH_CHECK(padding.length === 2 * dim, `padding size is expected to be ${2 * dim}`);
  check_grad_output(`replication_pad${dim}d`, input, grad_output, padded_sizes(dim, input, padding));
}

function backward(dim: number, grad_input: Tensor, grad_output: Tensor, padding: readonly number[]): void {
  check_floating_types_and2(grad_output.scalar_type(), `replication_pad${dim}d_backward`);
  check_type(grad_input, grad_output.scalar_type());
  pad_backward_into("replication", dim, grad_input, grad_output, padding);
}

export abstract class structured_replication_pad1d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(1, input, padding);
    this.set_output_raw_strided(0, sizes, padded_strides(input, sizes), input.options());
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
    check_backward(1, grad_output, input, padding);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// replication_pad1d_backward.grad_input                                              CPU
export abstract class structured_replication_pad1d_backward_out_cpu extends structured_replication_pad1d_backward {
  impl(grad_output: Tensor, _input: Tensor, padding: number[], grad_input: Tensor): void {
    backward(1, grad_input, grad_output, padding);
  }
}

export abstract class structured_replication_pad2d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(2, input, padding);
    this.set_output_raw_strided(0, sizes, padded_strides(input, sizes), input.options());
  }
}

// replication_pad2d.out                                                              CPU
export abstract class structured_replication_pad2d_out_cpu extends structured_replication_pad2d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
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
  check_backward(2, grad_output, input, padding);
  grad_input.resize_(input.sizes().slice(), input.suggest_memory_format());
  backward(2, grad_input, grad_output, padding);
  return grad_input;
}

// replication_pad2d_backward                                                         CPU
export function replication_pad2d_backward_cpu(grad_output: Tensor, input: Tensor, padding: number[]): Tensor {
  const grad_input = at.empty_memory_format([0], input.options());
  return replication_pad2d_backward_out_cpu(grad_output, input, padding, grad_input);
}

export abstract class structured_replication_pad3d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(3, input, padding);
    this.set_output_raw_strided(0, sizes, padded_strides(input, sizes), input.options());
  }
}

// replication_pad3d.out                                                              CPU
export abstract class structured_replication_pad3d_out_cpu extends structured_replication_pad3d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
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
  check_backward(3, grad_output, input, padding);
  grad_input.resize_(input.sizes().slice(), input.suggest_memory_format());
  backward(3, grad_input, grad_output, padding);
  return grad_input;
}

// replication_pad3d_backward                                                         CPU
export function replication_pad3d_backward_cpu(grad_output: Tensor, input: Tensor, padding: number[]): Tensor {
  const grad_input = at.empty_memory_format([0], input.options());
  return replication_pad3d_backward_out_cpu(grad_output, input, padding, grad_input);
}
