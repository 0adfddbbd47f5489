/**
 * @file Integrals of sampled functions by the trapezoid rule.
 * @mirrors aten/src/ATen/native/Integration.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

const TWO = Scalar.fromDouble(2);

/** Sums of adjacent elements along `dim`. */
function sums_of_neighbours(y: Tensor, dim: number): Tensor {
  return y.slice_Tensor(dim, 0, -1).add_Tensor(y.slice_Tensor(dim, 1));
}

/**
 * Distances between sample points, in a shape that broadcasts with `y`: differences are taken first, then the shape is
 * adapted, as in NumPy.
 */
function distances(name: string, y: Tensor, x: Tensor, dim: number): Tensor {
  TORCH_CHECK(
    y.scalar_type() !== ScalarType.Bool && x.scalar_type() !== ScalarType.Bool,
    name,
    ": received a bool input for `x` or `y`, but bool is not supported",
  );
  let x_viewed = x;
  if (x.dim() === 1) {
    TORCH_CHECK(x.size(0) === y.size(dim), name, ": There must be one `x` value for each sample point");
    x_viewed = x.view(new Array<number>(y.dim()).fill(1).with(dim, x.size(0)));
  } else if (x.dim() < y.dim()) {
    x_viewed = x.view([...new Array<number>(y.dim() - x.dim()).fill(1), ...x.sizes()]);
  }
  const x_left = x_viewed.slice_Tensor(dim, 0, -1);
  return x_viewed.slice_Tensor(dim, 1).sub_Tensor(x_left);
}

function distance(name: string, y: Tensor, dx: Scalar): number {
  TORCH_CHECK(y.scalar_type() !== ScalarType.Bool, name, ": received a bool input for `y`, but bool is not supported");
  TORCH_CHECK(!(dx.isComplex() || dx.isBoolean()), name, ": Currently, we only support dx as a real number.");
  return dx.toDouble();
}

/** The integral over no samples: zeros. */
function zeros_like_except(y: Tensor, dim: number): Tensor {
  return at.zeros((y.sizes() as number[]).toSpliced(dim, 1), y.options());
}

// trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor                         CompositeImplicitAutograd
export function trapezoid_x(y: Tensor, x: Tensor, dim_: number): Tensor {
  const dim = maybe_wrap_dim(dim_, y.dim());
  if (y.size(dim) === 0) return zeros_like_except(y, dim);
  const dx = distances("trapezoid", y, x, dim);
  return sums_of_neighbours(y, dim).mul_Tensor(dx).sum_dim_IntList([dim]).div_Scalar(TWO);
}

// trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor                     CompositeImplicitAutograd
export function trapezoid_dx(y: Tensor, dx: Scalar, dim: number): Tensor {
  if (y.size(dim) === 0) return zeros_like_except(y, maybe_wrap_dim(dim, y.dim()));
  const apart = Scalar.fromDouble(distance("trapezoid", y, dx));
  const ends = y.select_int(dim, 0).add_Tensor(y.select_int(dim, -1)).mul_Scalar(Scalar.fromDouble(0.5));
  return y.sum_dim_IntList([dim]).sub_Tensor(ends).mul_Scalar(apart);
}

// trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor                             CompositeImplicitAutograd
export function trapz_x(y: Tensor, x: Tensor, dim: number): Tensor {
  return trapezoid_x(y, x, dim);
}

// trapz.dx(Tensor y, *, float dx=1, int dim=-1) -> Tensor                          CompositeImplicitAutograd
export function trapz_dx(y: Tensor, dx: number, dim: number): Tensor {
  return trapezoid_dx(y, Scalar.fromDouble(dx), dim);
}

// cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor              CompositeImplicitAutograd
export function cumulative_trapezoid_x(y: Tensor, x: Tensor, dim_: number): Tensor {
  const dim = maybe_wrap_dim(dim_, y.dim());
  const dx = distances("cumulative_trapezoid", y, x, dim);
  return sums_of_neighbours(y, dim).mul_Tensor(dx).cumsum(dim).div_Scalar(TWO);
}

// cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor          CompositeImplicitAutograd
export function cumulative_trapezoid_dx(y: Tensor, dx: Scalar, dim: number): Tensor {
  const half = Scalar.fromDouble(distance("cumulative_trapezoid", y, dx) / 2);
  return sums_of_neighbours(y, dim).mul_Scalar(half).cumsum(dim);
}
