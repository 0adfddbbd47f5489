/**
 * @file Reflection padding: the edge itself is not repeated.
 * @mirrors aten/src/ATen/native/ReflectionPad.cpp
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";
import {
  check_grad_output,
  check_output_sizes,
  check_reflection,
  check_valid_input,
  pad_backward_into,
  pad_into,
  padded_sizes,
} from "./Padding.ts";

/** Sizes of the result, after all checks. */
function sizes_of(dim: number, input: Tensor, padding: readonly number[]): number[] {
  check_valid_input(dim, input, padding);
  check_reflection(dim, input, padding);
  const sizes = padded_sizes(dim, input, padding);
  check_output_sizes("reflection", dim, input, sizes);
  return sizes;
}

function forward(dim: number, output: Tensor, input: Tensor, padding: readonly number[]): void {
  check_all_types_and2(input.scalar_type(), `reflection_pad${dim}d`);
  pad_into("reflection", dim, output, input, padding);
}

function backward(dim: number, grad_input: Tensor, grad_output: Tensor, padding: readonly number[]): void {
  check_floating_types_and2(grad_output.scalar_type(), `reflection_pad${dim}d_backward`);
  check_type(grad_input, grad_output.scalar_type());
  pad_backward_into("reflection", dim, grad_input, grad_output, padding);
}

export abstract class structured_reflection_pad1d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(1, input, padding);
    this.set_output_raw_strided(0, sizes, [], input.options());
  }
}

// reflection_pad1d.out                                                              CPU
export abstract class structured_reflection_pad1d_out_cpu extends structured_reflection_pad1d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
    forward(1, output, input, padding);
  }
}

export abstract class structured_reflection_pad1d_backward extends MetaBase {
  meta(grad_output: Tensor, input: Tensor, padding: number[]): void {
    check_reflection(1, input, padding);
    check_grad_output("reflection", 1, grad_output, input, padding);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// reflection_pad1d_backward.grad_input                                              CPU
export abstract class structured_reflection_pad1d_backward_out_cpu extends structured_reflection_pad1d_backward {
  impl(grad_output: Tensor, _input: Tensor, padding: number[], grad_input: Tensor): void {
    if (grad_output.numel() === 0) return;
    grad_input.zero_();
    backward(1, grad_input, grad_output, padding);
  }
}

// reflection_pad2d.out                                                              CPU
export function reflection_pad2d_out_cpu(input: Tensor, padding: number[], output: Tensor): Tensor {
  const sizes = sizes_of(2, input, padding);
  if (input.dim() === 3) output.resize_(sizes);
  else output.resize_(sizes, input.suggest_memory_format());
  forward(2, output, input, padding);
  return output;
}

// reflection_pad2d                                                                  CPU
export function reflection_pad2d_cpu(input: Tensor, padding: number[]): Tensor {
  return reflection_pad2d_out_cpu(input, padding, at.empty_memory_format([0], input.options()));
}

function reflection_pad2d_backward_out_template(
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  padding: number[],
): Tensor {
  check_grad_output("reflection", 2, grad_output, input, padding);
  backward(2, grad_input, grad_output, padding);
  return grad_input;
}

// reflection_pad2d_backward.grad_input                                              CPU
export function reflection_pad2d_backward_out_cpu(
  grad_output: Tensor,
  input: Tensor,
  padding: number[],
  grad_input: Tensor,
): Tensor {
  grad_input.resize_as_(input, input.suggest_memory_format());
  grad_input.zero_();
  return reflection_pad2d_backward_out_template(grad_input, grad_output, input, padding);
}

// reflection_pad2d_backward                                                         CPU
export function reflection_pad2d_backward_cpu(grad_output: Tensor, input: Tensor, padding: number[]): Tensor {
  const options = new TensorOptions().memory_format(input.suggest_memory_format());
  return reflection_pad2d_backward_out_template(at.zeros_like(input, options), grad_output, input, padding);
}

export abstract class structured_reflection_pad3d extends MetaBase {
  meta(input: Tensor, padding: number[]): void {
    const sizes = sizes_of(3, input, padding);
    this.set_output_raw_strided(0, sizes, [], input.options());
  }
}

// reflection_pad3d.out                                                              CPU
export abstract class structured_reflection_pad3d_out_cpu extends structured_reflection_pad3d {
  impl(input: Tensor, padding: number[], output: Tensor): void {
    output.resize_(output.sizes().slice(), input.suggest_memory_format());
    forward(3, output, input, padding);
  }
}

export abstract class structured_reflection_pad3d_backward extends MetaBase {
  meta(grad_output: Tensor, input: Tensor, padding: number[]): void {
    TORCH_CHECK(padding.length === 6, `padding size is expected to be 6, but got: ${padding.length}`);
    TORCH_CHECK(input.dim() > 3, unmet("input.dim() > 3"));
    TORCH_CHECK(grad_output.dim() === input.dim(), unmet("grad_output.dim() == input.dim()"));
    check_grad_output("reflection", 3, grad_output, input, padding);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// reflection_pad3d_backward.grad_input                                              CPU
export abstract class structured_reflection_pad3d_backward_out_cpu extends structured_reflection_pad3d_backward {
  impl(grad_output: Tensor, input: Tensor, padding: number[], grad_input: Tensor): void {
    if (grad_output.numel() === 0) return;
    grad_input.resize_(input.sizes().slice(), input.suggest_memory_format());
    grad_input.zero_();
    backward(3, grad_input, grad_output, padding);
  }
}
