/**
 * @file Batching rules of products and decompositions of matrices.
 * @mirrors aten/src/ATen/functorch/BatchRulesLinearAlgebra.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  decomposed,
  moveBatchDimToFront,
  names,
  type RuleResult,
  rankWithoutBatchDim,
  rules_for,
} from "./BatchRulesHelper.ts";
import { batch_in_front } from "./BoxedBatchRules.ts";

/** Operators that accept batches of matrices. */
const on_matrices = names(`
  _linalg_check_errors _linalg_det _linalg_eigh _linalg_slogdet _linalg_svd cholesky cholesky_inverse geqrf linalg_cholesky_ex
  linalg_householder_product linalg_inv_ex linalg_ldl_factor_ex linalg_lu_factor_ex linalg_qr lu_unpack
`);

/** Matrix products by `matmul`, after a check of the samples' ranks. */
function product(
  name: string,
  ranks: readonly [number, number],
  fn: (a: Tensor, b: Tensor, a_batched: boolean, b_batched: boolean) => Tensor,
) {
  return (a: Tensor, a_bdim: BDim, b: Tensor, b_bdim: BDim): RuleResult => {
    const given = [rankWithoutBatchDim(a, a_bdim), rankWithoutBatchDim(b, b_bdim)];
    TORCH_CHECK(
      given[0] === ranks[0] && given[1] === ranks[1],
      name.endsWith("dot")
        ? `Got wrong shapes for ${name}`
        : `Shape mismatch: Got incorrect dims for ${name}(a, b). a has dim ${given[0]}and b has dim ${given[1]}` +
            `but expected them to have dim ${ranks[0]} and dim ${ranks[1]}`,
    );
    const [x, y] = [moveBatchDimToFront(a, a_bdim), moveBatchDimToFront(b, b_bdim)];
    return [fn(x, y, a_bdim !== null, b_bdim !== null), 0];
  };
}

const dot = (a: Tensor, b: Tensor, a_batched: boolean, b_batched: boolean): Tensor => {
  if (!a_batched) return at.mv(b, a);
  if (!b_batched) return at.mv(a, b);
  return at.bmm(a.unsqueeze(1), b.unsqueeze(-1)).squeeze_dim(-1).squeeze_dim(-1);
};

/** `beta * self + alpha * product`. */
function add(self: Tensor, mul: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  const scaled = alpha.equal(1) ? mul : at.mul_Scalar(mul, alpha);
  return beta.equal(1) ? at.add_Tensor(scaled, self) : at.add_Tensor(scaled, at.mul_Scalar(self, beta));
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...rules_for(on_matrices, batch_in_front),
    bmm: product("bmm", [3, 3], (a, b) => at.matmul(a, b)),
    mm: product("mm", [2, 2], (a, b) => at.matmul(a, b)),
    mv: product("mv", [2, 1], (a, b, _, b_batched) =>
      b_batched ? at.matmul(a, b.unsqueeze(-1)).squeeze_dim(-1) : at.matmul(a, b),
    ),
    dot: product("dot", [1, 1], dot),
    vdot: product("vdot", [1, 1], (a, b, a_batched, b_batched) =>
      dot(a.conj().resolve_conj(), b, a_batched, b_batched),
    ),
    addmm: decomposed((self: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar) =>
      add(self, at.mm(a, b), beta, alpha),
    ),
    addmv: decomposed((self: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar) =>
      add(self, at.mv(a, b), beta, alpha),
    ),
    baddbmm: decomposed((self: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar) =>
      add(self, at.bmm(a, b), beta, alpha),
    ),
    addbmm: decomposed((self: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar) =>
      add(self, at.sum_dim_IntList(at.bmm(a, b), [0]), beta, alpha),
    ),
    linalg_cross: (self: Tensor, self_bdim: BDim, other: Tensor, other_bdim: BDim, dim: number): RuleResult => {
      const rank = rankWithoutBatchDim(self, self_bdim);
      const ranks = [rank, rankWithoutBatchDim(other, other_bdim)];
      TORCH_CHECK(ranks[0] === ranks[1], `linalg.cross: inputs must have the same number of dimensions.`);
      const [x, y] = [moveBatchDimToFront(self, self_bdim), moveBatchDimToFront(other, other_bdim)];
      const lined_up = (t: Tensor, bdim: BDim): Tensor => (bdim === null ? t.unsqueeze(0) : t);
      return [at.linalg_cross(lined_up(x, self_bdim), lined_up(y, other_bdim), dim < 0 ? dim : dim + 1), 0];
    },
    // The kernel views the batch as one dimension, which a tensor with a moved batch dimension may not allow.
    linalg_matrix_exp: (self: Tensor, self_bdim: BDim): RuleResult => [
      at.linalg_matrix_exp(moveBatchDimToFront(self, self_bdim).contiguous()),
      0,
    ],
    linalg_slogdet: decomposed((A: Tensor) => at._linalg_slogdet(A).slice(0, 2)),
    "linalg_pinv.atol_rtol_tensor": batch_in_front,
    linalg_lstsq: batch_in_front,
    cholesky_solve: batch_in_front,
    linalg_lu_solve: batch_in_front,
    linalg_solve_triangular: batch_in_front,
    triangular_solve: batch_in_front,
    _linalg_solve_ex(
      A: Tensor,
      A_bdim: BDim,
      B: Tensor,
      B_bdim: BDim,
      left: boolean,
      check_errors: boolean,
    ): RuleResult {
      const size = A_bdim !== null ? A.size(A_bdim) : B.size(B_bdim as number);
      const is_vector = rankWithoutBatchDim(B, B_bdim) === 1 && rankWithoutBatchDim(A, A_bdim) === 2;
      const front = (t: Tensor, bdim: BDim): Tensor =>
        bdim === null ? t.expand([size, ...t.sizes()]) : moveBatchDimToFront(t, bdim);
      const a = front(A, A_bdim);
      const b = is_vector ? front(B, B_bdim).unsqueeze(left ? -1 : -2) : front(B, B_bdim);
      const [result, LU, pivots, info] = at._linalg_solve_ex(a, b, left, check_errors);
      return [
        [is_vector ? result.squeeze_dim(left ? -1 : -2) : result, 0],
        [LU, 0],
        [pivots, 0],
        [info, 0],
      ];
    },
  }),
);
