/**
 * @file `tensorsolve` and `tensorinv`: tensors are treated as matrices, with some dims as rows and the others as
 * columns.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { checkLinalgCompatibleDtype, checkSameDevice } from "#aten/native/LinearAlgebraUtils";
import { resize_output } from "#aten/native/Resize";
import { TORCH_CHECK } from "#c10/util/Exception";

const multiply_integers = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

// linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor         CompositeImplicitAutograd
export function linalg_tensorsolve(self: Tensor, other: Tensor, dims: number[] | null): Tensor {
  const ndim = self.dim();
  const to_the_end = dims?.map((_, i) => ndim - dims.length + i) ?? [];
  const self_ = dims === null ? self : at.movedim_intlist(self, dims, to_the_end); // (*shape of other, *shape of the result)
  const result_shape = self_.sizes().slice(other.dim());
  const result_product = multiply_integers(result_shape);
  const other_product = multiply_integers(other.sizes());
  TORCH_CHECK(
    result_product === other_product,
    "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got ",
    result_product,
    " != ",
    other_product,
  );
  const matrix = self_.reshape([result_product, result_product]);
  return at.linalg_solve(matrix, other.flatten_using_ints()).reshape(result_shape);
}

// linalg_tensorsolve.out                                                            CompositeImplicitAutograd
export function linalg_tensorsolve_out(self: Tensor, other: Tensor, dims: number[] | null, result: Tensor): Tensor {
  checkSameDevice("tensorsolve", result, self);
  checkLinalgCompatibleDtype("tensorsolve", result.scalar_type(), self.scalar_type());
  const result_tmp = at.linalg_tensorsolve(self, other, dims);
  resize_output(result, result_tmp.sizes());
  return result.copy_(result_tmp);
}

// linalg_tensorinv(Tensor self, int ind=2) -> Tensor                                CompositeImplicitAutograd
export function linalg_tensorinv(self: Tensor, ind: number): Tensor {
  TORCH_CHECK(ind > 0, "Expected a strictly positive integer for 'ind', but got ", ind);
  TORCH_CHECK(ind <= self.dim(), "ArrayRef: invalid slice, N = ", ind, "; size = ", self.dim());
  const shape_ind_end = self.sizes().slice(ind);
  const shape_start_ind = self.sizes().slice(0, ind);
  const prod_ind_end = multiply_integers(shape_ind_end);
  const prod_start_ind = multiply_integers(shape_start_ind);
  TORCH_CHECK(
    prod_ind_end === prod_start_ind,
    "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ",
    prod_ind_end,
    " != ",
    prod_start_ind,
  );
  const [result, info] = at.linalg_inv_ex(self.reshape([prod_ind_end, prod_ind_end]), false);
  at._linalg_check_errors(info, "inv", true);
  return result.reshape([...shape_ind_end, ...shape_start_ind]);
}

// linalg_tensorinv.out                                                              CompositeImplicitAutograd
export function linalg_tensorinv_out(self: Tensor, ind: number, result: Tensor): Tensor {
  checkSameDevice("tensorinv", result, self);
  checkLinalgCompatibleDtype("tensorinv", result.scalar_type(), self.scalar_type());
  const result_tmp = at.linalg_tensorinv(self, ind);
  resize_output(result, result_tmp.sizes());
  return result.copy_(result_tmp);
}
