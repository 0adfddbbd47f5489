/**
 * @file `gradient`: numerical derivatives of a sampled function along its dims, from adjacent samples.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { dim_list_to_bitset } from "#aten/WrapDimUtilsMulti";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";

/** @param spacing_size number of spacings given; null if one or none was given for all dims */
function pre_check_gradient(
  self: Tensor,
  spacing_size: number | null,
  dim: readonly number[] | null,
  edge_order: number,
): void {
  TORCH_CHECK(self.scalar_type() !== ScalarType.Byte, "torch.gradient does not support uint8 input.");
  if (spacing_size !== null && dim === null) {
    TORCH_CHECK(
      spacing_size === self.dim(),
      "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = ",
      self.dim(),
      "', since dim argument was not given, but got a list of length ",
      spacing_size,
    );
  }
  if (spacing_size !== null && dim !== null) {
    TORCH_CHECK(
      spacing_size === dim.length,
      "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same length, but got a spacing argument of length ",
      spacing_size,
      " and a dim argument of length ",
      dim.length,
      ".",
    );
  }
  TORCH_CHECK(edge_order === 1 || edge_order === 2, "torch.gradient only supports edge_order=1 and edge_order=2.");
  if (dim !== null) dim_list_to_bitset(dim, self.dim()); // refuses a dim that occurs twice
  for (const d of dim ?? every_dim(self)) {
    TORCH_CHECK(
      self.size(d) >= edge_order + 1,
      "torch.gradient expected each dimension size to be at least edge_order+1",
    );
  }
}

const every_dim = (self: Tensor): number[] => Array.from({ length: self.dim() }, (_, d) => d);

const times = (factor: number, x: Tensor): Tensor => x.mul_Scalar(Scalar.fromDouble(factor));

/**
 * The gradient for uneven spacing: the slope of the parabola through three adjacent samples, whose weights follow from the two
 * distances.
 */
function gradient_helper(
  self: Tensor,
  coordinates: readonly Tensor[],
  dim: readonly number[],
  edge_order: number,
): Tensor[] {
  for (const coordinate of coordinates) {
    TORCH_CHECK(
      self.device().eq(coordinate.device()),
      "torch.gradient expected each tensor to be on the same device, but got devices ",
      self.device(),
      " and ",
      coordinate.device(),
      "!",
    );
  }
  return dim.map((given, i) => {
    TORCH_CHECK(
      coordinates[i].dim() === 1,
      "torch.gradient expected each element of spacing to have one dimension, but got an element with ",
      coordinates[i].dim(),
      " dimensions!",
    );
    const direction = maybe_wrap_dim(given, self.dim());
    const samples = (start: number | null, end: number | null): Tensor => at.slice_Tensor(self, direction, start, end);
    const shape = new Array<number>(self.dim()).fill(1);
    shape[direction] = -1;

    const ax_dx = coordinates[i].diff(1, 0);
    const dx1 = at.slice_Tensor(ax_dx, 0, 0, -1);
    const dx2 = at.slice_Tensor(ax_dx, 0, 1);
    const of_a = dx1.mul_Tensor(dx1.add_Tensor(dx2));
    const a = dx2.neg().div_Tensor(of_a).reshape(shape);
    const of_b = dx1.mul_Tensor(dx2);
    const b = dx2.sub_Tensor(dx1).div_Tensor(of_b).reshape(shape);
    const c = dx1.div_Tensor(dx2.mul_Tensor(dx1.add_Tensor(dx2))).reshape(shape);
    const behind = c.mul_Tensor(samples(2, null));
    const middle = b.mul_Tensor(samples(1, -1));
    const center = a.mul_Tensor(samples(0, -2)).add_Tensor(middle).add_Tensor(behind);
    const first = ax_dx.select_int(0, 0);
    if (edge_order === 1) {
      const prepend = samples(1, 2).sub_Tensor(samples(0, 1)).div_Tensor(first);
      const last = ax_dx.select_int(0, -1);
      const append = samples(-1, null).sub_Tensor(samples(-2, -1)).div_Tensor(last);
      return at.cat([prepend, center, append], direction);
    }
    const second = ax_dx.select_int(0, 1);
    const last = ax_dx.select_int(0, -1);
    const prepend = one_sided(first, second, [samples(0, 1), samples(1, 2), samples(2, 3)]);
    const append = one_sided(
      last,
      ax_dx.select_int(0, -2),
      [samples(-1, null), samples(-2, -1), samples(-3, -2)],
      true,
    );
    return at.cat([prepend, center, append], direction);
  });
}

/** The slope at an edge, from the edge's sample and the next two; `near` and `far` are the distances between them. */
function one_sided(near: Tensor, far: Tensor, samples: readonly [Tensor, Tensor, Tensor], upper = false): Tensor {
  const sum = near.add_Tensor(far);
  const at_edge = times(2, near).add_Tensor(far).div_Tensor(near.mul_Tensor(sum));
  const next = sum.div_Tensor(near.mul_Tensor(far));
  const third = near.div_Tensor(far.mul_Tensor(sum));
  const [x0, x1, x2] = samples;
  // Terms are added from left to right at both edges.
  return upper
    ? third.mul_Tensor(x2).add_Tensor(next.neg().mul_Tensor(x1)).add_Tensor(at_edge.mul_Tensor(x0))
    : at_edge.neg().mul_Tensor(x0).add_Tensor(next.mul_Tensor(x1)).add_Tensor(third.neg().mul_Tensor(x2));
}

/** The gradient for even spacing along each dim. */
function gradient_helper_float(
  self: Tensor,
  spacing: readonly Scalar[],
  dim: readonly number[],
  edge_order: number,
): Tensor[] {
  return dim.map((given, i) => {
    const direction = maybe_wrap_dim(given, self.dim());
    const samples = (start: number | null, end: number | null): Tensor => at.slice_Tensor(self, direction, start, end);
    const ax_dx = spacing[i];
    const center = samples(2, null).sub_Tensor(samples(0, -2)).div_Scalar(ax_dx);
    let prepend: Tensor;
    let append: Tensor;
    if (edge_order === 1) {
      prepend = samples(1, 2).sub_Tensor(samples(0, 1)).div_Scalar(ax_dx);
      append = samples(-1, null).sub_Tensor(samples(-2, -1)).div_Scalar(ax_dx);
    } else {
      const two = Scalar.fromInt(2);
      const third = times(0.5, samples(2, 3));
      const second = samples(1, 2).mul_Scalar(two);
      prepend = times(-1.5, samples(0, 1)).add_Tensor(second).sub_Tensor(third).div_Scalar(ax_dx);
      const last = times(1.5, samples(-1, null));
      const before = samples(-2, -1).mul_Scalar(two);
      append = times(0.5, samples(-3, -2)).sub_Tensor(before).add_Tensor(last).div_Scalar(ax_dx);
    }
    return at.cat([prepend, center.div_Scalar(Scalar.fromInt(2)), append], direction);
  });
}

/** `dim`, or every dim if none is given. */
const gradient_dim_preprocess = (self: Tensor, dim: number | null): number[] =>
  dim === null ? every_dim(self) : [dim];

// gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]       CompositeImplicitAutograd
export function gradient_tensorarray(self: Tensor, coordinates: Tensor[], dim: number[], edge_order: number): Tensor[] {
  pre_check_gradient(self, coordinates.length, dim, edge_order);
  return gradient_helper(self, coordinates, dim, edge_order);
}

// gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]      CompositeImplicitAutograd
export function gradient_tensorarrayint(
  self: Tensor,
  coordinates: Tensor[],
  dim: number | null,
  edge_order: number,
): Tensor[] {
  const processed_dim = gradient_dim_preprocess(self, dim);
  pre_check_gradient(self, coordinates.length, dim === null ? null : processed_dim, edge_order);
  return gradient_helper(self, coordinates, processed_dim, edge_order);
}

// gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]    CompositeImplicitAutograd
export function gradient_scalarrayarray(self: Tensor, spacing: Scalar[], dim: number[], edge_order: number): Tensor[] {
  pre_check_gradient(self, spacing.length, dim, edge_order);
  return gradient_helper_float(self, spacing, dim, edge_order);
}

// gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]  CompositeImplicitAutograd
export function gradient_scalarrayint(
  self: Tensor,
  spacing: Scalar[],
  dim: number | null,
  edge_order: number,
): Tensor[] {
  const processed_dim = gradient_dim_preprocess(self, dim);
  pre_check_gradient(self, spacing.length, dim === null ? null : processed_dim, edge_order);
  return gradient_helper_float(self, spacing, processed_dim, edge_order);
}

// gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]         CompositeImplicitAutograd
export function gradient_scalararray(self: Tensor, unit_size: Scalar, dim: number[], edge_order: number): Tensor[] {
  pre_check_gradient(self, dim.length, dim, edge_order);
  return gradient_helper_float(self, new Array<Scalar>(dim.length).fill(unit_size), dim, edge_order);
}

// gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]       CompositeImplicitAutograd
export function gradient_scalarint(
  self: Tensor,
  unit_size: Scalar | null,
  dim: number | null,
  edge_order: number,
): Tensor[] {
  const processed_dim = gradient_dim_preprocess(self, dim);
  const spacing = new Array<Scalar>(processed_dim.length).fill(unit_size ?? Scalar.fromDouble(1));
  pre_check_gradient(self, dim === null ? null : 1, dim === null ? null : processed_dim, edge_order);
  return gradient_helper_float(self, spacing, processed_dim, edge_order);
}

// gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]           CompositeImplicitAutograd
export function gradient_array(self: Tensor, dim: number[], edge_order: number): Tensor[] {
  pre_check_gradient(self, dim.length, dim, edge_order);
  return gradient_helper_float(self, new Array<Scalar>(dim.length).fill(Scalar.fromDouble(1)), dim, edge_order);
}
