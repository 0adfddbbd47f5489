/**
 * @file Meta kernels of reading at the places of a grid.
 * @mirrors torch/_meta_registrations.py#grid_sampler_3d
 */
import { register_decomposition, register_with_out } from "./_decomp/index.ts";
import { check, size_repr } from "./_prims_common/index.ts";
import type { Tensor } from "./_tensor.ts";
import { torch } from "./_torch.ts";

function check_grid_sampler(dim: number, input: Tensor, grid: Tensor, interpolation_mode: number): void {
  const [of_input, of_grid] = [[...input.shape], [...grid.shape]];
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
    input.dim() === dim + 2 && grid.dim() === dim + 2,
    () =>
      `grid_sampler(): expected ${dim + 2}D input and grid with same number of dimensions, but got input with sizes ${size_repr(of_input)} and grid with sizes ${size_repr(of_grid)}`,
  );
  check(dim === 2 || interpolation_mode !== 2, () => "grid_sampler(): bicubic interpolation only supports 4D input");
}

for (const dim of [2, 3]) {
  register_with_out(
    `grid_sampler_${dim}d`,
    (input: Tensor, grid: Tensor, interpolation_mode: number): Tensor => {
      check_grid_sampler(dim, input, grid, interpolation_mode);
      const sizes = [...[...input.shape].slice(0, 2), ...[...grid.shape].slice(1, -1)];
      return torch.empty(sizes, { dtype: input.dtype, device: input.device });
    },
    "meta",
  );
  const backward = (
    _grad_output: Tensor,
    input: Tensor,
    grid: Tensor,
    _interpolation_mode: number,
    _padding_mode: number,
    _align_corners: boolean,
    output_mask: boolean[],
  ): (Tensor | null)[] => {
    const like = (t: Tensor) => torch.empty([...t.shape], { dtype: t.dtype, device: t.device });
    return [output_mask[0] ? like(input) : null, like(grid)];
  };
  if (dim === 3) register_with_out("grid_sampler_3d_backward", backward, "meta");
  else register_decomposition("grid_sampler_2d_backward", backward, "meta");
}
