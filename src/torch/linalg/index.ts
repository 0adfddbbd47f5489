/**
 * @file `torch.linalg`: linear algebra, with NumPy's names.
 * @mirrors torch/linalg/__init__.py
 * @differs Ours has only functions whose kernels are built; PyTorch has all.
 */
import { NotImplementedError, TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { _C, python_type, TensorBase } from "../_C.ts";
import { def } from "../_signature.ts";

/** The error for a matrix without a result, for example a singular one. */
export const LinAlgError = _C._LinAlgError;

const { _linalg } = _C;

/** The cross products of vectors along `dim`, which has size 3. */
export const cross = _linalg.linalg_cross;

/**
 * The `ord`-norm of all elements, or along `dim`: `sum(abs(x) ** ord) ** (1 / ord)`. For Infinity it is the largest absolute value, for 0
 * the number of nonzero elements.
 */
export const vector_norm = _linalg.linalg_vector_norm;

/**
 * Cholesky factor `L` of a positive definite `A = L L^T`, with a positive diagonal; with `upper`, its transpose.   `(*, n, n) -> (*, n, n)`
 */
export const cholesky = _linalg.linalg_cholesky;

/**
 * `cholesky` without an error check. `info` is 0 on success, else the order of the leading minor that is not positive.   `(*, n, n) -> (*, n, n), (*)`
 */
export const cholesky_ex = _linalg.linalg_cholesky_ex;

/** The determinant of each matrix.   `(*, n, n) -> (*)` */
export const det = _linalg.linalg_det;

/** The inverse of each matrix.   `(*, n, n) -> (*, n, n)` */
export const inv = _linalg.linalg_inv;

/** `inv` without an error check. `info` is 0 on success, else the number of the pivot that is zero.   `(*, n, n) -> (*, n, n), (*)` */
export const inv_ex = _linalg.linalg_inv_ex;

/**
 * LU factorization `A = P L U`: a permutation matrix, a lower triangular matrix with ones on its diagonal, an upper triangular matrix.   `(*, m, n) -> (*, m, m), (*, m, k), (*, k, n)`
 */
export const lu = _linalg.linalg_lu;

/** LU factorization with `L` and `U` packed into one matrix, and the row exchanges, numbered from 1.   `(*, m, n) -> (*, m, n), (*, k)` */
export const lu_factor = _linalg.linalg_lu_factor;

/**
 * `lu_factor` without an error check. `info` is 0 on success, else the number of the first pivot that is zero.   `(*, m, n) -> (*, m, n), (*, k), (*)`
 */
export const lu_factor_ex = _linalg.linalg_lu_factor_ex;

/**
 * The solution of `A X = B`, or of `X A = B`, computed from the result of `lu_factor` for `A`.   `(*, n, n), (*, n), (*, n, k) -> (*, n, k)`
 */
export const lu_solve = _linalg.linalg_lu_solve;

/**
 * LDL factorization of a symmetric `A = L D L^T`, with `L` and `D` packed into one matrix, and the row exchanges. `D` has 2 x 2 blocks where a pivot would be small.   `(*, n, n) -> (*, n, n), (*, n)`
 */
export const ldl_factor = _linalg.linalg_ldl_factor;

/**
 * `ldl_factor` without an error check. `info` is 0 on success, else the number of the first pivot that is zero.   `(*, n, n) -> (*, n, n), (*, n), (*)`
 */
export const ldl_factor_ex = _linalg.linalg_ldl_factor_ex;

/** The solution of `A X = B`, computed from the result of `ldl_factor` for `A`.   `(*, n, n), (*, n), (*, n, k) -> (*, n, k)` */
export const ldl_solve = _linalg.linalg_ldl_solve;

/** The sign of each determinant, and the logarithm of its absolute value.   `(*, n, n) -> (*), (*)` */
export const slogdet = _linalg.linalg_slogdet;

/** The solution `X` of `A X = B`, or of `X A = B`; `B` may be a vector for each matrix.   `(*, n, n), (*, n, k) -> (*, n, k)` */
export const solve = _linalg.linalg_solve;

/**
 * `solve` without an error check. `info` is 0 on success, else the number of the first pivot that is zero.   `(*, n, n), (*, n, k) -> (*, n, k), (*)`
 */
export const solve_ex = _linalg.linalg_solve_ex;

/**
 * The solution `X` of `A X = B`, or of `X A = B`, for a triangular `A`; only this triangle is read.   `(*, n, n), (*, n, k) -> (*, n, k)`
 */
export const solve_triangular = _linalg.linalg_solve_triangular;

/** Condition number `|A| |A^-1|` of a matrix, by the norm `p`; the 2-norm by default.   `(*, m, n) -> (*)` */
export const cond = _linalg.linalg_cond;

/** A view of the diagonals of matrices.   `(*, m, n) -> (*, k)` */
export const diagonal = _linalg.linalg_diagonal;

/**
 * Eigenvalues of symmetric matrices in rising order, and eigenvectors as columns; only the triangle `UPLO` is read.   `(*, n, n) -> (*, n), (*, n, n)`
 */
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
    `${f_name}: the eigenvalues of a general matrix are complex, and complex tensors are not built here; ` +
      `${f_name.replace("eig", "eigh")} computes those of a symmetric matrix.`,
  );
}

/**
 * Eigenvalues and eigenvectors of any square matrix. Not built, because they are complex.
 * @throws {NotImplementedError} always: complex tensors are not built here.
 */
export const eig = def("eig(A)", (A: Tensor): never => refuse_complex("eig", A));

/**
 * Eigenvalues of any square matrix. Not built, because they are complex.
 * @throws {NotImplementedError} always: complex tensors are not built here.
 */
export const eigvals = def("eigvals(A)", (A: Tensor): never => refuse_complex("eigvals", A));

/** Eigenvalues of symmetric matrices in rising order.   `(*, n, n) -> (*, n)` */
export const eigvalsh = _linalg.linalg_eigvalsh;

/**
 * The first n columns of the product of the Householder reflections that `torch.geqrf` returns.   `(*, m, n), (*, k) -> (*, m, n)`
 */
export const householder_product = _linalg.linalg_householder_product;

/**
 * Least squares: the `X` that minimizes `|A X - B|`, with `residuals`, `rank` and `singular_values` if the `driver` computes them:
 * 'gelsy' (by QR, the default), 'gels' (`A` of full rank), 'gelsd' and 'gelss' (by singular values).   `(*, m, n), (*, m, k) -> (*, n, k)`
 */
export const lstsq = _linalg.linalg_lstsq;

/** `torch.matmul` under its name in `linalg`. */
export const matmul = _linalg.linalg_matmul;

/** Matrix exponential `I + A + A^2 / 2 + A^3 / 6 + ...` of each matrix.   `(*, n, n) -> (*, n, n)` */
export const matrix_exp = _linalg.linalg_matrix_exp;

/**
 * A norm of matrices: 'fro' and 'nuc'; 2 and -2 from the singular values; 1 and -1 from sums of columns; Infinity and -Infinity from sums of rows.   `(*, m, n) -> (*)`
 */
export const matrix_norm = _linalg.linalg_matrix_norm;

/** The n-th power of square matrices; for a negative n, of their inverses.   `(*, n, n) -> (*, n, n)` */
export const matrix_power = _linalg.linalg_matrix_power;

/** Rank of a matrix: the number of singular values greater than a tolerance.   `(*, m, n) -> (*)` */
export const matrix_rank = _linalg.linalg_matrix_rank;

/** The product of two or more matrices, multiplied in the cheapest order; the first and the last may be vectors. */
export const multi_dot = _linalg.linalg_multi_dot;

/** A vector norm if there is one dim, a matrix norm if there are two.   `(*) -> (*)` */
export const norm = _linalg.linalg_norm;

/** The pseudoinverse of a matrix, computed from its singular values; values below a tolerance count as zero.   `(*, m, n) -> (*, n, m)` */
export const pinv = _linalg.linalg_pinv;

/** QR factorization `A = Q R`: `Q` has orthonormal columns, `R` is upper triangular.   `(*, m, n) -> (*, m, k), (*, k, n)` */
export const qr = _linalg.linalg_qr;

/**
 * Singular value decomposition `A = U diag(S) Vh`: orthonormal columns, singular values in falling order, orthonormal rows.   `(*, m, n) -> (*, m, m), (*, k), (*, n, n)`
 */
export const svd = _linalg.linalg_svd;

/** Singular values in falling order.   `(*, m, n) -> (*, k)` */
export const svdvals = _linalg.linalg_svdvals;

/** The powers 0, 1, ..., N - 1 of each number, along a new last dim.   `(*, n) -> (*, n, N)` */
export const vander = _linalg.linalg_vander;

/** The dot product of vectors along `dim`.   `(*), (*) -> (*)` */
export const vecdot = _linalg.linalg_vecdot;

/** The solution `x` of `tensordot(A, x, x.dim()) = B`; the `dims` of `A` are first moved to its end. */
export const tensorsolve = _linalg.linalg_tensorsolve;

/** The inverse of `A` as a linear map from the dims after `ind` to those before. */
export const tensorinv = _linalg.linalg_tensorinv;
