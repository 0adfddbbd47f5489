/**
 * @file Meta kernels of sampling at the positions of a grid.
 * @mirrors torch/_meta_registrations.py#grid_sampler_3d
 */

import { AssertionError, IndexError } from "#c10/util/Exception";
import { register_decomposition, register_with_out } from "#torch/_decomp/index";
import { check, check_same_device, size_repr, unpacked } from "#torch/_prims_common/index";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

function check_grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: number): void {
  const [of_input, of_grid] = [[...input.shape], [...grid.shape]];
  check(
    String(input.device) === String(grid.device),
    () =>
      `grid_sampler(): expected input and grid to be on same device, but input is on ${input.device} and grid is on ${grid.device}`,
  );
  if (of_input.length === 0 || of_grid.length === 0) throw new IndexError("tuple index out of range");
  check(
    of_input[0] === of_grid[0],
    () =>
      `grid_sampler(): expected grid and input to have same batch size, but got input with sizes ${size_repr(of_input)} and grid with sizes ${size_repr(of_grid)}`,
  );
  check(
    of_grid[of_grid.length - 1] === input.dim() - 2,
    () =>
      `grid_sampler(): expected grid to have size ${input.dim() - 2} in last dimension, but got grid with sizes ${size_repr(of_grid)}`,
  );
  for (const [i, size] of of_input.entries())
    check(
      i < 2 || size > 0,
      () =>
        `grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ${size_repr(of_input)} with dimension ${i} being empty`,
    );
  check(
    input.dim() === 5 && grid.dim() === 5,
    () =>
      `grid_sampler(): expected 5D input and grid with same number of dimensions, but got input with sizes ${size_repr(of_input)} and grid with sizes ${size_repr(of_grid)}`,
  );
  check(interpolation_mode !== 2, () => "grid_sampler(): bicubic interpolation only supports 4D input");
}

/** The checks of the decomposition that serves images: first the modes, then the sizes. */
function check_grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: number, padding_mode: number): void {
  check([0, 1, 2].includes(interpolation_mode), () => `Invalid interpolation mode ${interpolation_mode}`);
  check([0, 1, 2].includes(padding_mode), () => `Invalid padding mode ${padding_mode}`);
  unpacked([...input.shape], 4);
  unpacked([...grid.shape], 4);
  const last = grid.shape[3];
  if (last !== 2) throw new AssertionError(`grid last dimension must be 2 (for x,y coords), got ${last}`);
  check_same_device([input, grid], true);
}

for (const dim of [2, 3]) {
  register_with_out(
    `grid_sampler_${dim}d`,
    (input: Tensor, grid: Tensor, interpolation_mode: number, padding_mode: number): Tensor => {
      if (dim === 2) check_grid_sampler_2d(input, grid, interpolation_mode, padding_mode);
      else check_grid_sampler_3d(input, grid, interpolation_mode);
      const sizes = [...[...input.shape].slice(0, 2), ...[...grid.shape].slice(1, -1)];
      return torch.empty(sizes, { dtype: input.dtype, device: input.device });
    },
    "meta",
  );
  const backward = (
    _grad_output: Tensor,
    input: Tensor,
    grid: Tensor,
    interpolation_mode: number,
    _padding_mode: number,
    _align_corners: boolean,
    output_mask: boolean[],
  ): (Tensor | null)[] => {
    if (dim === 3) check_grid_sampler_3d(input, grid, interpolation_mode);
    const like = (t: Tensor) => torch.empty([...t.shape], { dtype: t.dtype, device: t.device });
    return [output_mask[0] ? like(input) : null, like(grid)];
  };
  if (dim === 3) register_with_out("grid_sampler_3d_backward", backward, "meta");
  else register_decomposition("grid_sampler_2d_backward", backward, "meta");
}
