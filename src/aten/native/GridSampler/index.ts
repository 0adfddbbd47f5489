/**
 * @file `grid_sample`: images and volumes are read at positions given by a grid.
 * @mirrors aten/src/ATen/native/GridSampler.cpp
 * @differs Ours has one pair of loops for two and three dims, over tables of neighbours; PyTorch has separate loops.
 * Our gradients have no derivative; PyTorch has `grid_sampler_2d_double_backward`. Ours has no
 * `_grid_sampler_2d_cpu_fallback`, because nothing is quantized and tables are small.
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { check_type } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { Sampling } from "./Neighbours.ts";

/** All tensors are contiguous, except the grid (N, ..., dims). */
export const grid_sampler_kernel =
  DEFINE_DISPATCH<(output: Tensor, input: Tensor, grid: Tensor, how: Sampling) => void>("grid_sampler_kernel");
/** Float or Double; contiguous except the grid. Adds to `grad_input`, if there is one. */
export const grid_sampler_backward_kernel =
  DEFINE_DISPATCH<(gradients: Gradients, grad_output: Tensor, input: Tensor, grid: Tensor, how: Sampling) => void>(
    "grid_sampler_backward_kernel",
  );
export interface Gradients {
  readonly input: Tensor | null;
  readonly grid: Tensor;
}

const Bicubic = 2;

function check_grid_sampler_common(input: Tensor, grid: Tensor): void {
  TORCH_CHECK(
    input.device().eq(grid.device()),
    `grid_sampler(): expected input and grid to be on same device, but input is on ${input.device()} and grid is on ${grid.device()}`,
  );
  TORCH_CHECK(
    input.size(0) === grid.size(0),
    "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
    input.sizes(),
    " and grid with sizes ",
    grid.sizes(),
  );
  TORCH_CHECK(
    grid.size(-1) === input.dim() - 2,
    `grid_sampler(): expected grid to have size ${input.dim() - 2} in last dimension, but got grid with sizes `,
    grid.sizes(),
  );
  for (let i = 2; i < input.dim(); i++)
    TORCH_CHECK(
      input.size(i) > 0,
      "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
      input.sizes(),
      ` with dimension ${i} being empty`,
    );
}

function check_grid_sampler(dim: number, input: Tensor, grid: Tensor, interpolation_mode: number): void {
  TORCH_CHECK(
    input.dim() === dim + 2 && input.dim() === grid.dim(),
    `grid_sampler(): expected ${dim + 2}D input and grid with same number of dimensions, but got input with sizes `,
    input.sizes(),
    " and grid with sizes ",
    grid.sizes(),
  );
  TORCH_CHECK(
    dim === 2 || interpolation_mode !== Bicubic,
    "grid_sampler(): bicubic interpolation only supports 4D input",
  );
}

/** Converts halves: their gradients are computed in float32. */
function widened(t: Tensor): Tensor {
  const dtype = t.scalar_type();
  const half = dtype === ScalarType.Half || dtype === ScalarType.BFloat16;
  return (half ? t.to_dtype(ScalarType.Float) : t).contiguous();
}

function sample(dim: number, label: string, input: Tensor, grid: Tensor, how: Sampling): Tensor {
  check_grid_sampler_common(input, grid);
  check_grid_sampler(dim, input, grid, how.interpolation_mode);
  check_floating_types_and2(input.scalar_type(), label);
  check_type(grid, input.scalar_type());
  const sizes = [...input.sizes().slice(0, 2), ...grid.sizes().slice(1, -1)];
  const output = at.empty_memory_format(sizes, input.options());
  if (output.numel() !== 0) grid_sampler_kernel.call(input.device_type(), output, input.contiguous(), grid, how);
  return output;
}

function sample_backward(
  dim: number,
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  how: Sampling,
  output_mask: readonly boolean[],
): [Tensor, Tensor] {
  const label = dim === 2 ? "grid_sampler_2d_backward_cpu_kernel_impl" : "grid_sampler_3d_backward_cpu";
  check_grid_sampler_common(input, grid);
  check_grid_sampler(dim, input, grid, how.interpolation_mode);
  check_floating_types_and2(input.scalar_type(), label);
  const dtype = input.scalar_type();
  const wide = widened(input);
  const grad_input = output_mask[0] ? at.zeros_like(wide, TensorOptions.EMPTY, MemoryFormat.Contiguous) : null;
  const grad_grid = at.empty_like(grid, wide.options(), MemoryFormat.Contiguous);
  if (grad_output.numel() !== 0) {
    const gradients = { input: grad_input, grid: grad_grid };
    grid_sampler_backward_kernel.call(input.device_type(), gradients, widened(grad_output), wide, grid, how);
  }
  const own = (t: Tensor): Tensor => (t.scalar_type() === dtype ? t : t.to_dtype(dtype));
  return [grad_input === null ? at.empty_memory_format([0], input.options()) : own(grad_input), own(grad_grid)];
}

// grid_sampler_2d                                                                    CPU
export function grid_sampler_2d_cpu(
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
): Tensor {
  const how = { interpolation_mode, padding_mode, align_corners };
  return sample(2, "grid_sampler_2d_cpu_kernel_impl", input, grid, how);
}

// grid_sampler_2d_backward                                                           CPU
export function grid_sampler_2d_backward_cpu(
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
  output_mask: boolean[],
): [Tensor, Tensor] {
  const how = { interpolation_mode, padding_mode, align_corners };
  return sample_backward(2, grad_output, input, grid, how, output_mask);
}

// grid_sampler_3d                                                                    CPU
export function grid_sampler_3d_cpu(
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
): Tensor {
  return sample(3, "grid_sampler3d_cpu", input, grid, { interpolation_mode, padding_mode, align_corners });
}

// grid_sampler_3d_backward                                                           CPU
export function grid_sampler_3d_backward_cpu(
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
  output_mask: boolean[],
): [Tensor, Tensor] {
  const how = { interpolation_mode, padding_mode, align_corners };
  return sample_backward(3, grad_output, input, grid, how, output_mask);
}

// grid_sampler                                                                       CompositeImplicitAutograd
export function grid_sampler(
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
): Tensor {
  const sampler = input.dim() === 4 ? at.grid_sampler_2d : at.grid_sampler_3d;
  return sampler(input, grid, interpolation_mode, padding_mode, align_corners);
}
