/**
 * @file Grids of positions after an affine map, for `grid_sampler`.
 * @mirrors aten/src/ATen/native/AffineGridGenerator.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Positions of the elements' centers in [-1, 1]. If `align_corners`, the outer centers are on the edges. */
function linspace_from_neg_one(theta: Tensor, num_steps: number, align_corners: boolean): Tensor {
  if (num_steps <= 1) return at.zeros([1], theta.options());
  const range = at.linspace(Scalar.fromInt(-1), Scalar.fromInt(1), num_steps, theta.options());
  return align_corners ? range : range.mul_Scalar(Scalar.fromDouble((num_steps - 1) / num_steps));
}

/** (N, ..., dims + 1): the position of each element, width first, and a one. */
function make_base_grid(theta: Tensor, n: number, spatial: readonly number[], align_corners: boolean): Tensor {
  const dims = spatial.length;
  const grid = at.empty_memory_format([n, ...spatial, dims + 1], theta.options());
  for (const [d, size] of spatial.entries()) {
    const along = linspace_from_neg_one(theta, size, align_corners);
    grid.select_int(-1, dims - 1 - d).copy_(along.view(spatial.map((_, i) => (i === d ? size : 1))));
  }
  grid.select_int(-1, dims).fill__Scalar(Scalar.fromInt(1));
  return grid;
}

function check_size(size: readonly number[]): void {
  TORCH_CHECK(
    size.length === 4 || size.length === 5,
    "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.",
  );
}

// affine_grid_generator                                                              CompositeExplicitAutograd
export function affine_grid_generator(theta: Tensor, size: number[], align_corners: boolean): Tensor {
  check_size(size);
  const [n, , ...spatial] = size;
  const dims = spatial.length;
  const places = spatial.reduce((a, b) => a * b, 1);
  const base = make_base_grid(theta, n, spatial, align_corners);
  const grid = base.view([n, places, dims + 1]).bmm(theta.transpose_int(1, 2));
  return grid.view([n, ...spatial, dims]);
}

// affine_grid_generator_backward                                                     CompositeImplicitAutograd
export function affine_grid_generator_backward(grad: Tensor, size: number[], align_corners: boolean): Tensor {
  check_size(size);
  const [n, , ...spatial] = size;
  const dims = spatial.length;
  const places = spatial.reduce((a, b) => a * b, 1);
  const base = make_base_grid(grad, n, spatial, align_corners);
  const grad_theta = base
    .view([n, places, dims + 1])
    .transpose_int(1, 2)
    .bmm(grad.reshape([n, places, dims]));
  return grad_theta.transpose_int(1, 2);
}
