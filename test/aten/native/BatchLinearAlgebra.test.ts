/**
 * Laws of the decompositions (of eigenvectors, whose signs are free, no recorded values are asked), and what is refused, in PyTorch 2.13.0's words.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";

type Tensor = ReturnType<typeof torch.ones>;
const { linalg } = torch;

function assert_close(actual: Tensor, expected: Tensor): void {
  expect(torch.allclose(actual, expected, 1e-7, 1e-7)).toBe(true);
}

const float64 = { dtype: torch.float64 };

function random(...shape: number[]) {
  torch.manual_seed(7);
  return torch.randn(shape, float64);
}

describe("svd", () => {
  test.each([
    [3, 3],
    [5, 3],
    [3, 5],
    [1, 4],
    [2, 4, 3],
    [2, 1, 3, 4],
  ])("of a matrix of shape %i, %i ...: U S Vh is the matrix, U and Vh are orthonormal", (...shape) => {
    const a = random(...shape);
    const [m, n] = [a.size(-2), a.size(-1)];
    const k = Math.min(m, n);
    for (const full_matrices of [false, true]) {
      const { U, S, Vh } = linalg.svd(a, { full_matrices });
      expect([U.size(-1), Vh.size(-2)]).toEqual(full_matrices ? [m, n] : [k, k]);
      assert_close(
        U.narrow(-1, 0, k)
          .mul(S.unsqueeze(-2))
          .matmul(Vh.narrow(-2, 0, k)),
        a,
      );
      assert_close(U.mT.matmul(U), torch.eye(U.size(-1), float64).expand_as(U.mT.matmul(U)));
      assert_close(Vh.matmul(Vh.mT), torch.eye(Vh.size(-2), float64).expand_as(Vh.matmul(Vh.mT)));
      expect(S.diff().le(0).all().item()).toBe(true);
    }
  });

  test("of a matrix without full rank: the missing directions are orthonormal too", () => {
    const a = random(5, 1).matmul(torch.ones([1, 3], float64));
    const { U, S, Vh } = linalg.svd(a);
    assert_close(U.mT.matmul(U), torch.eye(5, float64));
    assert_close(U.narrow(-1, 0, 3).mul(S).matmul(Vh), a);
    expect(linalg.matrix_rank(a).item()).toBe(1);
    const zero = linalg.svd(torch.zeros([2, 3], float64));
    assert_close(zero.U.mT.matmul(zero.U), torch.eye(2, float64));
    expect(zero.S.tolist()).toEqual([0, 0]);
  });

  test("gradients of what does not depend on signs agree with finite differences", () => {
    const { gradcheck } = torch.autograd;
    for (const shape of [
      [3, 3],
      [4, 2],
      [2, 4],
    ]) {
      const a = random(...shape).requires_grad_(true);
      expect(gradcheck((x: typeof a) => linalg.svd(x, { full_matrices: false }).U.abs(), [a])).toBe(true);
      expect(gradcheck((x: typeof a) => linalg.svd(x, { full_matrices: false }).Vh.abs(), [a])).toBe(true);
      expect(gradcheck((x: typeof a) => linalg.svd(x).S, [a])).toBe(true);
      expect(gradcheck((x: typeof a) => linalg.pinv(x), [a])).toBe(true);
    }
  });
});

test("eigenvectors of either half, many of them", () => {
  const a = random(2, 8, 8);
  for (const UPLO of ["L", "U"]) {
    const half = UPLO === "L" ? a.tril() : a.triu();
    const symmetric = half.add(half.mT).sub(torch.diag_embed(a.diagonal(0, -2, -1)));
    const { eigenvalues, eigenvectors } = linalg.eigh(a, UPLO);
    assert_close(symmetric.matmul(eigenvectors), eigenvectors.mul(eigenvalues.unsqueeze(-2)));
    expect(eigenvalues.diff().ge(0).all().item()).toBe(true);
  }
});

test("a product of four matrices is the same in any order", () => {
  const [a, b, c, d] = [random(2, 4), random(4, 3), random(3, 5), random(5, 1)];
  assert_close(linalg.multi_dot([a, b, c, d]), a.matmul(b).matmul(c).matmul(d));
  assert_close(linalg.multi_dot([a, b, c]), a.matmul(b).matmul(c));
});

test("second derivatives of a determinant", () => {
  const { gradgradcheck } = torch.autograd;
  const det = (x: ReturnType<typeof random>) => linalg.det(x);
  expect(gradgradcheck(det, [random(3, 3).requires_grad_(true)])).toBe(true);
});

const zero = torch.zeros([3, 3]);
const tall = torch.ones([3, 2]);
const eye = torch.eye(3);
test.each([
  [() => linalg.inv(tall), "linalg.inv: A must be batches of square matrices, but they are 3 by 2 matrices"],
  [
    () => linalg.inv(zero),
    "linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the input matrix is singular.",
  ],
  [
    () => linalg.inv(torch.zeros([2, 3, 3])),
    "linalg.inv: (Batch element 0): The diagonal element 1 is zero, the inversion could not be completed because the input matrix is singular.",
  ],
  [() => linalg.solve(zero, eye), "torch.linalg.solve: The solver failed because the input matrix is singular."],
  [
    () => linalg.cholesky(zero),
    "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor of order 1 is not positive-definite).",
  ],
  [
    () => linalg.svd(eye.mul(Number.NaN)),
    "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.",
  ],
])("%o is a LinAlgError", (run, text) => {
  expect(run).toThrow(text);
  if (!text.includes("square")) expect(run).toThrow(linalg.LinAlgError);
});

test.each([
  [
    () => linalg.lu_factor(zero),
    "torch.linalg.lu_factor: U[1,1] is zero and using it on lu_solve would result in a division by zero.",
  ],
  [() => linalg.lu(eye, { pivot: false }), "linalg.lu_factor: LU without pivoting is not implemented on the CPU"],
  [
    () => linalg.qr(eye, "x"),
    "qr received unrecognized mode 'x' but expected one of 'reduced' (default), 'r', or 'complete'",
  ],
  [() => linalg.eigh(eye, "X"), "Expected UPLO argument to be 'L' or 'U', but got X"],
  [() => linalg.matrix_norm(eye, 3), "linalg.matrix_norm: Order 3 not supported."],
  [() => linalg.matrix_norm(eye, "fro", [0]), "linalg.matrix_norm: dim must be a 2-tuple. Got 0"],
  [
    () => linalg.cond(tall, 1),
    "linalg.cond(ord=1): A must be batches of square matrices, but they are 3 by 2 matrices",
  ],
  [() => linalg.multi_dot([eye]), "multi_dot(): expected at least 2 tensors but got 1"],
  [
    () => linalg.solve(eye, torch.ones([2])),
    "linalg.solve: Incompatible shapes of A and B for the equation AX = B (3x3 and 2x1)",
  ],
  [
    () => linalg.pinv(torch.ones([3])),
    "linalg.pinv(Float{[3]}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types",
  ],
  [() => torch.addr(eye, tall, torch.ones([3])), "addr: Expected 1-D argument vec1, but got 2-D"],
  [() => torch.quantile(eye, 1.5), "quantile() q must be in the range [0, 1] but got 1.5"],
])("%o is refused", (run, text) => {
  expect(run).toThrow(text);
});

test("one or two columns, whose matrix is not copied, have the solution of many", () => {
  const same = (a: Tensor, b: Tensor) => expect(torch.allclose(a, b, 1.3e-6, 1e-5)).toBe(true); // float32
  torch.manual_seed(7);
  for (const upper of [false, true])
    for (const unitriangular of [false, true])
      for (const by_rows of [false, true]) {
        const full = torch.randn([7, 7]).add(torch.eye(7).mul(4));
        const triangle = upper ? full.triu() : full.tril();
        const A = by_rows ? triangle : triangle.t().contiguous().t();
        const B = torch.arange(new torch.Float(35)).view(7, 5);
        const every = torch.linalg.solve_triangular(A, B, { upper, unitriangular });
        const both = torch.cholesky_solve(B, A, upper);
        for (const columns of [1, 2]) {
          const few = B.narrow(1, 0, columns);
          same(torch.linalg.solve_triangular(A, few, { upper, unitriangular }), every.narrow(1, 0, columns));
          same(torch.cholesky_solve(few, A, upper), both.narrow(1, 0, columns));
        }
      }
});
