/** torch.nn.utils and the rarer first values: worked cases, laws, refusals. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const { utils, init } = torch.nn as Any;

/** Two parameters, whose gradients together have the norm 5. */
function parameters(): Any[] {
  return [[3], [0, 4]].map((grad) => {
    const p = new torch.nn.Parameter(torch.zeros(grad.length));
    p.grad = torch.tensor(grad, { dtype: torch.float32 });
    return p;
  });
}

test("gradients beyond a norm are scaled to it, and those below stay", () => {
  for (const foreach of [null, false, true]) {
    const ps = parameters();
    expect(utils.clip_grad_norm_(ps, 2.5, { foreach }).item()).toBe(5);
    expect(utils.get_total_norm(ps.map((p) => p.grad)).item()).toBeCloseTo(2.5, 5);
    utils.clip_grad_norm_(ps, 10);
    expect(ps[0].grad.item()).toBeCloseTo(1.5, 5);
  }
  expect(utils.clip_grad_norm_(parameters(), 1, Number.POSITIVE_INFINITY).item()).toBe(4);
  expect(utils.clip_grad_norm_([], 1).item()).toBe(0);
});

test("each element of a gradient may be kept small for itself", () => {
  const ps = parameters();
  utils.clip_grad_value_(ps, 3.5);
  expect(ps.map((p) => p.grad.tolist())).toEqual([[3], [0, 3.5]]);
});

test("a norm that is no number is an error where one asks for it", () => {
  const [p] = parameters();
  p.grad.fill_(Number.POSITIVE_INFINITY);
  expect(() => utils.clip_grad_norm_(p, 1, { error_if_nonfinite: true })).toThrow(
    "The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be clipped.",
  );
});

test("parameters are a vector, and a vector is parameters", () => {
  const net = new torch.nn.Linear(2, 3);
  const vec = utils.parameters_to_vector(net.parameters());
  expect(vec.tolist()).toEqual([...net.weight.reshape(-1).tolist(), ...(net.bias as Any).tolist()]);
  utils.vector_to_parameters(torch.arange(9).float(), net.parameters());
  expect([net.weight.tolist(), (net.bias as Any).tolist()]).toEqual([
    [
      [0, 1],
      [2, 3],
      [4, 5],
    ],
    [6, 7, 8],
  ]);
  expect(() => utils.vector_to_parameters([1], net.parameters())).toThrow("expected torch.Tensor, but got: list");
});

test("what is drawn lies between the bounds, near the middle and far from it", () => {
  for (const [mean, std, a, b] of [
    [0, 1, -2, 2],
    [0, 1, 1.5, 2],
  ] as const) {
    torch.manual_seed(3);
    const t = init.trunc_normal_(torch.empty(500), mean, std, a, b);
    expect([t.min().item() >= a, t.max().item() <= b, new Set(t.tolist()).size > 400]).toEqual([true, true, true]);
  }
});

test("identities, of a matrix and of a convolution", () => {
  expect(init.eye_(torch.empty(2, 3)).tolist()).toEqual([
    [1, 0, 0],
    [0, 1, 0],
  ]);
  const x = torch.randn(1, 4, 5);
  const w = init.dirac_(torch.empty(4, 2, 3), 2);
  expect(w.sum().item()).toBe(4);
  expect([w.select(0, 3).tolist(), x.shape.length]).toEqual([
    [
      [0, 0, 0],
      [0, 1, 0],
    ],
    3,
  ]);
  expect(() => init.dirac_(torch.empty(3, 2, 3), 2)).toThrow("dim 0 must be divisible by groups");
  expect(() => init.eye_(torch.empty(3))).toThrow("Only tensors with 2 dimensions are supported");
});

test("a share of each column is zero", () => {
  const t = init.sparse_(torch.empty(10, 4), 0.25);
  expect(t.eq(0).sum(0).tolist()).toEqual([3, 3, 3, 3]);
});

test.each([
  [4, 4, "matrix_exp", true],
  [3, 5, "cayley", true],
  [5, 3, "householder", true],
  [5, 3, "householder", false],
])("a %i x %i weight by %s is orthogonal, and stays so in training", (rows, columns, map, use_trivialization) => {
  torch.manual_seed(0);
  const { orthogonal } = utils.parametrizations;
  const m: Any = orthogonal(new torch.nn.Linear(columns, rows).double(), "weight", map, { use_trivialization });
  const check = () => {
    const W = rows < columns ? m.weight.mT : m.weight;
    expect(torch.allclose(W.mT.matmul(W), torch.eye(W.size(-1), { dtype: torch.float64 }), 1e-9, 1e-9)).toBe(true);
  };
  check();
  const before = m.weight.detach();
  m.weight.pow(3).sum().backward();
  torch.no_grad(() => m.parametrizations.weight.original.sub_(m.parametrizations.weight.original.grad));
  check();
  expect(torch.allclose(m.weight, before)).toBe(false);
  // What is assigned is made orthogonal: by QR it is what it was.
  torch.no_grad(() => {
    m.weight = before.mul(2);
  });
  expect(torch.allclose(m.weight, before, 1e-9, 1e-9)).toBe(true);
});

test("maps without an inverse refuse assignment; an unknown map is refused", () => {
  const { orthogonal } = utils.parametrizations;
  const m: Any = orthogonal(new torch.nn.Linear(3, 3), "weight", "cayley", { use_trivialization: false });
  expect(() => {
    m.weight = torch.eye(3);
  }).toThrow("It is not possible to assign to the matrix exponential or the Cayley parametrizations");
  expect(() => orthogonal(new torch.nn.Linear(3, 3), "weight", "qr")).toThrow(
    'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: qr',
  );
});
