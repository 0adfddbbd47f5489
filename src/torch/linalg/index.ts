/**
 * @file `torch.linalg`: linear algebra, under the names that NumPy gives it.
 * @mirrors torch/linalg/__init__.py
 * @differs Only functions whose kernels are here.
 */
import { NotImplementedError, TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { _C, python_type, TensorBase } from "../_C.ts";
import { def } from "../_signature.ts";

/** What a matrix without answer throws. */
export const LinAlgError = _C._LinAlgError;

const { _linalg } = _C;

/** The vectors that are normal to two others, along `dim`, which has size 3. */
export const cross = _linalg.linalg_cross;

/** `sum(abs(x) ** ord) ** (1 / ord)` of all elements or along `dim`: for Infinity the greatest, for 0 how many are not zero. */
export const vector_norm = _linalg.linalg_vector_norm;

/** `L` of a positive definite `A = L L^T`, with a positive diagonal; with `upper` its transpose.   `(*, n, n) -> (*, n, n)` */
export const cholesky = _linalg.linalg_cholesky;

/** As `cholesky`, without a check: `info` is 0 where it worked, else the order of the minor that is not positive.   `(*, n, n) -> (*, n, n), (*)` */
export const cholesky_ex = _linalg.linalg_cholesky_ex;

/** The determinant of each matrix.   `(*, n, n) -> (*)` */
export const det = _linalg.linalg_det;

/** The inverse of each matrix.   `(*, n, n) -> (*, n, n)` */
export const inv = _linalg.linalg_inv;

/** As `inv`, without a check: `info` is 0 where it worked, else the number of the pivot that is zero.   `(*, n, n) -> (*, n, n), (*)` */
export const inv_ex = _linalg.linalg_inv_ex;

/** `P`, `L` and `U` of `A = P L U`: a permutation, a lower matrix with ones on its diagonal, an upper one.   `(*, m, n) -> (*, m, m), (*, m, k), (*, k, n)` */
export const lu = _linalg.linalg_lu;

/** `L` and `U` in one matrix, and the row exchanges, from 1.   `(*, m, n) -> (*, m, n), (*, k)` */
export const lu_factor = _linalg.linalg_lu_factor;

/** As `lu_factor`, without a check: `info` is the number of the first pivot that is zero, or 0.   `(*, m, n) -> (*, m, n), (*, k), (*)` */
export const lu_factor_ex = _linalg.linalg_lu_factor_ex;

/** The solution of `A X = B`, or `X A = B`, of what `lu_factor` gave for `A`.   `(*, n, n), (*, n), (*, n, k) -> (*, n, k)` */
export const lu_solve = _linalg.linalg_lu_solve;

/** `L` and `D` of symmetric `A = L D L^T` in one matrix, with blocks of two in `D` where a pivot would be small, and the exchanges.   `(*, n, n) -> (*, n, n), (*, n)` */
export const ldl_factor = _linalg.linalg_ldl_factor;

/** As `ldl_factor`, without a check: `info` is the number of the first pivot that is zero, or 0.   `(*, n, n) -> (*, n, n), (*, n), (*)` */
export const ldl_factor_ex = _linalg.linalg_ldl_factor_ex;

/** The solution of `A X = B` of what `ldl_factor` gave for `A`.   `(*, n, n), (*, n), (*, n, k) -> (*, n, k)` */
export const ldl_solve = _linalg.linalg_ldl_solve;

/** The sign of each determinant and the logarithm of its size.   `(*, n, n) -> (*), (*)` */
export const slogdet = _linalg.linalg_slogdet;

/** `X` of `A X = B`, or of `X A = B`; `B` may be a vector for each matrix.   `(*, n, n), (*, n, k) -> (*, n, k)` */
export const solve = _linalg.linalg_solve;

/** As `solve`, without a check: `info` is the number of the first pivot that is zero, or 0.   `(*, n, n), (*, n, k) -> (*, n, k), (*)` */
export const solve_ex = _linalg.linalg_solve_ex;

/** `X` of `A X = B`, or of `X A = B`, for a triangular `A`, of which only that half is read.   `(*, n, n), (*, n, k) -> (*, n, k)` */
export const solve_triangular = _linalg.linalg_solve_triangular;

/** How far from singular: `|A| |A^-1|`, by the norm `p`, the 2-norm by default.   `(*, m, n) -> (*)` */
export const cond = _linalg.linalg_cond;

/** A view of the diagonals of matrices.   `(*, m, n) -> (*, k)` */
export const diagonal = _linalg.linalg_diagonal;

/** Eigenvalues of symmetric matrices, in order, and eigenvectors as columns; only the half `UPLO` is read.   `(*, n, n) -> (*, n), (*, n, n)` */
export const eigh = _linalg.linalg_eigh;

function refuse_complex(name: string, A: Tensor): never {
  const f_name = `linalg.${name}`;
  if (!(A instanceof TensorBase))
    throw new TypeError_(`linalg_${name}(): argument 'input' (position 1) must be Tensor, not ${python_type(A)}`);
  TORCH_CHECK(A.dim() >= 2, f_name, ": The input tensor A must have at least 2 dimensions.");
  const [rows, columns] = A.shape.slice(-2);
  TORCH_CHECK(
    rows === columns,
    `${f_name}: A must be batches of square matrices, but they are ${rows} by ${columns} matrices`,
  );
  throw new NotImplementedError(
    `${f_name}: eigenvalues of a matrix that need not be symmetric are complex, and complex tensors are not built here; ` +
      `${f_name.replace("eig", "eigh")} has those of a symmetric one.`,
  );
}

/**
 * Eigenvalues of any square matrix are complex numbers.
 * @throws {NotImplementedError} always: complex tensors are not built here.
 */
export const eig = def("eig(A)", (A: Tensor): never => refuse_complex("eig", A));

/**
 * Eigenvalues of any square matrix are complex numbers.
 * @throws {NotImplementedError} always: complex tensors are not built here.
 */
export const eigvals = def("eigvals(A)", (A: Tensor): never => refuse_complex("eigvals", A));

/** Eigenvalues of symmetric matrices, in order.   `(*, n, n) -> (*, n)` */
export const eigvalsh = _linalg.linalg_eigvalsh;

/**
 * The product of reflections that `torch.geqrf` describes: its first n columns.   `(*, m, n), (*, k) -> (*, m, n)`
 */
export const householder_product = _linalg.linalg_householder_product;

/**
 * The `X` for which `|A X - B|` is least, with `residuals`, `rank` and `singular_values` as far as the `driver` tells them: 'gelsy' (by
 * QR, the default), 'gels' (A of full rank), 'gelsd' and 'gelss' (by singular values).   `(*, m, n), (*, m, k) -> (*, n, k)`
 */
export const lstsq = _linalg.linalg_lstsq;

/** As `torch.matmul`. */
export const matmul = _linalg.linalg_matmul;

/** `I + A + A^2 / 2 + A^3 / 6 + ...` of each matrix.   `(*, n, n) -> (*, n, n)` */
export const matrix_exp = _linalg.linalg_matrix_exp;

/** A norm of matrices: 'fro', 'nuc', 2 and -2 by singular values, 1 and -1 by columns, Infinity and -Infinity by rows.   `(*, m, n) -> (*)` */
export const matrix_norm = _linalg.linalg_matrix_norm;

/** The n-th power of square matrices; for a negative n, of their inverses.   `(*, n, n) -> (*, n, n)` */
export const matrix_power = _linalg.linalg_matrix_power;

/** How many singular values are greater than a tolerance.   `(*, m, n) -> (*)` */
export const matrix_rank = _linalg.linalg_matrix_rank;

/** The product of two or more matrices, in the order that costs least; the first and the last may be vectors. */
export const multi_dot = _linalg.linalg_multi_dot;

/** A norm of a vector or of a matrix, as there is one dim or two.   `(*) -> (*)` */
export const norm = _linalg.linalg_norm;

/** The pseudoinverse: of the inverse singular values those whose own is all but zero count as zero.   `(*, m, n) -> (*, n, m)` */
export const pinv = _linalg.linalg_pinv;

/** `Q`, with orthonormal columns, and `R`, an upper matrix, of `A = Q R`.   `(*, m, n) -> (*, m, k), (*, k, n)` */
export const qr = _linalg.linalg_qr;

/** `U`, `S` and `Vh` of `A = U diag(S) Vh`: orthonormal columns, values from the greatest on, orthonormal rows.   `(*, m, n) -> (*, m, m), (*, k), (*, n, n)` */
export const svd = _linalg.linalg_svd;

/** Singular values, from the greatest on.   `(*, m, n) -> (*, k)` */
export const svdvals = _linalg.linalg_svdvals;

/** The powers 0, 1, ... N - 1 of each number, side by side.   `(*, n) -> (*, n, N)` */
export const vander = _linalg.linalg_vander;

/** The product of vectors along `dim`.   `(*), (*) -> (*)` */
export const vecdot = _linalg.linalg_vecdot;

/** `x` with `tensordot(A, x, x.dim())` = `B`; `dims` of `A` are moved to its end before. */
export const tensorsolve = _linalg.linalg_tensorsolve;

/** The inverse of `A` as a map from its dims behind `ind` to those before. */
export const tensorinv = _linalg.linalg_tensorinv;
