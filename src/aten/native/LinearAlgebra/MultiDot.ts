/**
 * @file Products of many matrices in the cheapest order (`multi_dot`), products of vectors, Vandermonde matrices,
 * diagonals.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { checkFloatingOrComplex, checkSameDevice } from "#aten/native/LinearAlgebraUtils";
import { resize_output } from "#aten/native/Resize";
import { isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

// multi_dot -----------------------------------------------------------------------------------------------------------------

/** The cheapest place to split each run i..j of matrices, found from shorter runs. */
function matrix_chain_order(tensors: readonly Tensor[]): number[][] {
  const n = tensors.length;
  const p = [...tensors.map((t) => t.size(0)), tensors[n - 1].size(1)];
  const cost = tensors.map(() => new Array<number>(n).fill(0));
  const split = tensors.map(() => new Array<number>(n).fill(0));
  for (let l = 1; l < n; l++)
    for (let i = 0; i + l < n; i++) {
      const j = i + l;
      cost[i][j] = Infinity;
      for (let k = i; k < j; k++) {
        const q = cost[i][k] + cost[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (q < cost[i][j]) [cost[i][j], split[i][j]] = [q, k];
      }
    }
  return split;
}

function matrix_chain_multiplication(tensors: readonly Tensor[], order: number[][], i: number, j: number): Tensor {
  if (i === j) return tensors[i];
  const k = order[i][j];
  const left = matrix_chain_multiplication(tensors, order, i, k);
  return at.mm(left, matrix_chain_multiplication(tensors, order, k + 1, j));
}

function check_multipliable(given: readonly Tensor[], tensors: readonly Tensor[]): void {
  for (let i = 1; i < tensors.length; i++) {
    TORCH_CHECK(
      tensors[i].dtype() === tensors[0].dtype(),
      "multi_dot(): all tensors must have be the same dtype but tensor 0 is ",
      typeMetaName(tensors[0].dtype()),
      " and tensor ",
      i,
      " ",
      typeMetaName(tensors[i].dtype()),
    );
    TORCH_CHECK(
      tensors[i].device().eq(tensors[0].device()),
      "multi_dot(): all tensors must be on the same device but tensor 0 is on ",
      tensors[0].device(),
      " and tensor ",
      i,
      " on ",
      tensors[i].device(),
    );
    TORCH_CHECK(
      tensors[i - 1].size(-1) === tensors[i].size(0),
      `multi_dot(): tensors ${i - 1} and ${i} with shapes `,
      given[i - 1].sizes(),
      " and ",
      given[i].sizes(),
      " cannot be multiplied",
    );
  }
}

/**
 * A vector at the front is a row, one at the end is a column. The last product is written to `out`, if there is one.
 */
function multi_dot_impl(given: readonly Tensor[], out: Tensor | null): Tensor {
  const n = given.length;
  TORCH_CHECK(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  const out_shape: number[] = [];
  const tensors = [...given];
  for (const [i, which] of [
    [0, "first"],
    [n - 1, "last"],
  ] as const) {
    const t = given[i];
    TORCH_CHECK(
      t.dim() === 1 || t.dim() === 2,
      `multi_dot(): the ${which} tensor must be 1D or 2D but got ${t.dim()}D`,
    );
    if (t.dim() === 1) tensors[i] = t.unsqueeze(i === 0 ? 0 : -1);
    else out_shape.push(t.size(i === 0 ? 0 : 1));
  }
  for (let i = 1; i < n - 1; i++)
    TORCH_CHECK(given[i].dim() === 2, `multi_dot(): tensor ${i} must be 2D but got ${given[i].dim()}D`);
  check_multipliable(given, tensors);
  if (out !== null) check_multi_dot_out(out, tensors[0]);
  let result: Tensor | null = null;
  if (out !== null) {
    resize_output(out, out_shape);
    result = out.view([tensors[0].size(0), tensors[n - 1].size(-1)]);
  }
  const product = (a: Tensor, b: Tensor): Tensor =>
    result !== null ? at.mm_out(a, b, result) : at.mm(a, b).view(out_shape);
  if (n === 2) return product(tensors[0], tensors[1]);
  if (n === 3) {
    // If both orders cost the same, the first two matrices are multiplied first; the search below would choose the
    // other order.
    const [a, b, c, d] = [tensors[0].size(0), tensors[1].size(0), tensors[2].size(0), tensors[2].size(1)];
    return a * c * (b + d) > b * d * (a + c)
      ? product(tensors[0], at.mm(tensors[1], tensors[2]))
      : product(at.mm(tensors[0], tensors[1]), tensors[2]);
  }
  const order = matrix_chain_order(tensors);
  const k = order[0][n - 1];
  const left = matrix_chain_multiplication(tensors, order, 0, k);
  return product(left, matrix_chain_multiplication(tensors, order, k + 1, n - 1));
}

function check_multi_dot_out(out: Tensor, first: Tensor): void {
  TORCH_CHECK(
    first.dtype() === out.dtype(),
    "multi_dot(): expected out tensor to have dtype ",
    typeMetaName(first.dtype()),
    " but got ",
    typeMetaName(out.dtype()),
  );
  TORCH_CHECK(
    first.device().eq(out.device()),
    "multi_dot(): expected out tensor to be on device ",
    first.device(),
    " but got ",
    out.device(),
  );
}

// linalg_multi_dot(Tensor[] tensors) -> Tensor                                      CompositeImplicitAutograd
export function linalg_multi_dot(tensors: readonly Tensor[]): Tensor {
  return multi_dot_impl(tensors, null);
}

export function linalg_multi_dot_out(tensors: readonly Tensor[], result: Tensor): Tensor {
  multi_dot_impl(tensors, result);
  return result;
}

function check_chain(matrices: readonly Tensor[]): void {
  TORCH_WARN_ONCE(
    "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. ",
    "Use torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than ",
    "multiple parameters.",
  );
  for (const t of matrices) TORCH_CHECK(t.dim() === 2, "Tensor dimension is ", t.dim(), ", expected 2 instead.");
  TORCH_CHECK(matrices.length > 0, "chain_matmul(): Expected one or more matrices");
}

// chain_matmul(Tensor[] matrices) -> Tensor                                         CompositeImplicitAutograd
export function chain_matmul(matrices: readonly Tensor[]): Tensor {
  check_chain(matrices);
  return matrices.length === 1 ? matrices[0].clone() : linalg_multi_dot(matrices);
}

export function chain_matmul_out(matrices: readonly Tensor[], result: Tensor): Tensor {
  check_chain(matrices);
  if (matrices.length > 1) return linalg_multi_dot_out(matrices, result);
  resize_output(result, matrices[0].sizes());
  return result.copy_(matrices[0]);
}

// vecdot, vander, diagonal --------------------------------------------------------------------------------------------------

function check_vecdot(x: Tensor, y: Tensor): void {
  checkFloatingOrComplex(x, "linalg.vecdot");
  TORCH_CHECK(
    x.scalar_type() === y.scalar_type(),
    "linalg.vecdot: Expected x and y to have the same dtype, but found x of type ",
    toString(x.scalar_type()),
    " and y of type ",
    toString(y.scalar_type()),
    " instead",
  );
}

// linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor                        CompositeImplicitAutograd
export function linalg_vecdot(x: Tensor, y: Tensor, dim: number): Tensor {
  check_vecdot(x, y);
  if (x.dim() === 1 && y.dim() === 1) return at.vdot(x, y);
  return x.conj().mul_Tensor(y).sum_dim_IntList([dim]);
}

export function linalg_vecdot_out(x: Tensor, y: Tensor, dim: number, out: Tensor): Tensor {
  check_vecdot(x, y);
  TORCH_CHECK(
    out.scalar_type() === x.scalar_type(),
    `linalg.vecdot: Expected out of dtype${toString(x.scalar_type())} but found ${toString(out.scalar_type())}`,
  );
  checkSameDevice("linalg.vecdot", x, out);
  if (x.dim() === 1 && y.dim() === 1) {
    resize_output(out, []);
    return at.vdot_out(x, y, out);
  }
  return at.sum_IntList_out(x.conj().mul_Tensor(y), [dim], false, null, out);
}

// linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor                              CompositeImplicitAutograd
export function linalg_vander_symint(x_: Tensor, N: number | null): Tensor {
  const t = x_.scalar_type();
  TORCH_CHECK(
    t === ScalarType.Float || t === ScalarType.Double || isIntegralType(t, false),
    "linalg.vander supports floating point, complex, and integer tensors, but got ",
    toString(t),
  );
  const x = x_.dim() === 0 ? x_.unsqueeze(-1) : x_;
  const n = N ?? x.size(-1);
  TORCH_CHECK(n > 1, "N must be greater than 1.");
  const powers = at.cumprod(x.unsqueeze(-1).expand([...x.sizes(), n - 1]), -1);
  return at.cat([powers.new_ones([...x.sizes(), 1]), powers], -1);
}

// linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)   CompositeImplicitAutograd
export function linalg_diagonal(A: Tensor, offset: number, dim1: number, dim2: number): Tensor {
  return A.diagonal(offset, dim1, dim2);
}
