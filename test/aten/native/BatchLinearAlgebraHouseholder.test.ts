/**
 * Products of reflections, least squares and exponentials of matrices: worked cases, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, test } from "vitest";

const { linalg } = torch;
const { gradcheck, gradgradcheck } = torch.autograd;
const float64 = { dtype: torch.float64 };

const close = (a: Tensor, b: Tensor): void => {
  expect(a.shape).toEqual(b.shape);
  expect(torch.allclose(a, b, 1e-9, 1e-10)).toBe(true);
};

function random(...shape: number[]): Tensor {
  torch.manual_seed(11);
  return torch.randn(shape, float64);
}
const leaf = (t: Tensor): Tensor => t.clone().requires_grad_();

describe("householder_product", () => {
  test("of what geqrf leaves is Q", () => {
    const A = random(2, 5, 3);
    const { a, tau } = torch.geqrf(A);
    const Q = linalg.householder_product(a, tau);
    close(Q.matmul(a.narrow(-2, 0, 3).triu()), A);
    close(torch.orgqr(a, tau), Q);
    close(Q, linalg.qr(A).Q);
  });
  test("fewer factors than columns: the other columns are turned, too", () => {
    const [v, tau] = [random(4, 3), torch.tensor([0.5], float64)];
    const u = torch.cat([torch.ones([1], float64), v.select(1, 0).narrow(0, 1, 3)]);
    const H = torch.eye(4, float64).sub(torch.outer(u, u).mul(0.5));
    close(linalg.householder_product(v, tau), H.narrow(1, 0, 3));
  });
  test("gradients, and theirs, agree with finite differences", () => {
    const inputs = [leaf(random(3, 2)), leaf(random(2))];
    expect(gradcheck(linalg.householder_product, inputs)).toBe(true);
    expect(gradgradcheck(linalg.householder_product, inputs)).toBe(true);
  });
  test("what is not tall is refused", () => {
    expect(() => linalg.householder_product(torch.ones([2, 3]), torch.ones([2]))).toThrow(
      "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]",
    );
  });
});

describe("ormqr", () => {
  const { a, tau } = torch.geqrf(random(4, 4));
  const Q = linalg.householder_product(a, tau);
  test.each([
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ])("left=%s, transpose=%s is a product with Q; gradients agree with finite differences", (left, transpose) => {
    const C = left ? random(4, 2) : random(2, 4);
    const q = transpose ? Q.mT : Q;
    close(torch.ormqr(a, tau, C, left, transpose), left ? q.matmul(C) : C.matmul(q));
    const fn = (...args: [Tensor, Tensor, Tensor]): Tensor => torch.ormqr(...args, left, transpose);
    const inputs = [leaf(random(4, 3)), leaf(random(3)), leaf(C)];
    expect(gradcheck(fn, inputs)).toBe(true);
  });
});

describe("lstsq", () => {
  const A = random(5, 3);
  const B = random(5, 2).cos();
  test.each(["gels", "gelsy", "gelsd", "gelss"])("%s: what is left stands at right angles to A", (driver) => {
    const { solution, rank } = linalg.lstsq(A, B, { driver });
    const rest = A.matmul(solution).sub(B);
    close(A.mT.matmul(rest), torch.zeros([3, 2], float64));
    if (driver !== "gels") expect(rank.item()).toBe(3);
  });
  test("the residuals are the squares of what is left", () => {
    const { solution, residuals, singular_values } = linalg.lstsq(A, B, { driver: "gelsd" });
    close(residuals, A.matmul(solution).sub(B).pow(2).sum(0));
    close(singular_values, linalg.svdvals(A));
  });
  test.each(["gelsy", "gelsd"])("%s: without full rank, the shortest of all solutions", (driver) => {
    const low = random(5, 2).matmul(random(2, 4).sin());
    const { solution, rank } = linalg.lstsq(low, B, { driver });
    expect(rank.item()).toBe(2);
    close(solution, linalg.pinv(low).matmul(B));
  });
  test("wide: the shortest of all solutions; a vector for each matrix", () => {
    const wide = random(2, 3, 5);
    const b = random(2, 3);
    for (const driver of ["gels", "gelsy", "gelss"])
      close(linalg.lstsq(wide, b, { driver }).solution, linalg.pinv(wide).matmul(b.unsqueeze(-1)).squeeze(-1));
  });
  test("gradients through solution and residuals agree with finite differences", () => {
    const fn = (a: Tensor, b: Tensor): Tensor[] => {
      const { solution, residuals } = linalg.lstsq(a, b, { driver: "gels" });
      return [solution, residuals];
    };
    expect(gradcheck(fn, [leaf(A), leaf(B)])).toBe(true);
  });
  test("a driver that is none is refused", () => {
    expect(() => linalg.lstsq(A, B, { driver: "qr" })).toThrow(
      "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
    );
  });
});

describe("matrix_exp", () => {
  test.each([1e-17, 1e-9, 1e-5, 1e-2, 0.1, 0.5, 30])("by the degree for the norm %f: as by eigenvalues", (norm) => {
    const a = random(3, 3);
    const symmetric = a.add(a.mT);
    const A = symmetric.mul(norm / (symmetric.abs().sum(0).max().item() as number));
    const { eigenvalues, eigenvectors: V } = linalg.eigh(A);
    const expected = V.mul(eigenvalues.exp()).matmul(V.mT);
    expect(torch.allclose(torch.matrix_exp(A), expected, 1e-12, 1e-13 * Math.exp(norm))).toBe(true);
  });
  test("a batch: each matrix is squared as often as it needs", () => {
    const A = random(4, 3, 3).mul(torch.tensor([0.01, 20, 1, 5], float64).reshape(4, 1, 1));
    const each = A.unbind(0).map((m) => torch.matrix_exp(m));
    expect(torch.allclose(torch.matrix_exp(A), torch.stack(each), 1e-11, 1e-11)).toBe(true);
  });
  test("NaN stays NaN", () => {
    expect(
      torch
        .matrix_exp(torch.full([2, 2], Number.NaN))
        .isnan()
        .all()
        .item(),
    ).toBe(true);
  });
  test("gradients, and theirs, agree with finite differences", () => {
    const input = [leaf(random(2, 2))];
    expect(gradcheck(torch.matrix_exp, input)).toBe(true);
    expect(gradgradcheck(torch.matrix_exp, input)).toBe(true);
  });
});

test("eigenvalues of any matrix would be complex: refused at the door", () => {
  expect(() => linalg.eig(torch.ones([2, 3]))).toThrow(
    "linalg.eig: A must be batches of square matrices, but they are 2 by 3 matrices",
  );
  for (const fn of [linalg.eig, linalg.eigvals])
    expect(() => fn(torch.ones([2, 2]))).toThrow(
      expect.objectContaining({
        name: "NotImplementedError",
        message: expect.stringContaining("complex tensors are not built here"),
      }),
    );
});
