/** Operators of a few lines, whose values and operators called are recorded in programs.json.gz: what they promise through `torch`. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

test("fill_diagonal_ writes where eye is 1", () => {
  expect(torch.zeros(4, 3).fill_diagonal_(1).equal(torch.eye(4, 3))).toBe(true);
  expect(torch.zeros(5, 2).fill_diagonal_(1, true).tolist()).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
});

test("adjoint and real are views of real numbers", () => {
  const x = torch.ones(2, 3);
  expect(torch.adjoint(x).data_ptr()).toBe(x.data_ptr());
  expect(x.adjoint().shape).toEqual([3, 2]);
  expect(torch.real(x).data_ptr()).toBe(x.data_ptr());
  expect(() => torch.ones(2).adjoint()).toThrow("tensor.adjoint() is only supported on matrices");
});

test("is_signed", () => {
  expect(
    [torch.uint8, torch.bool, torch.int8, torch.bfloat16].map((dtype) => torch.ones(1, { dtype }).is_signed()),
  ).toEqual([false, false, true, true]);
});

test("vander: a polynomial's coefficients times it are its values", () => {
  const x = torch.tensor([1, 2, 3]);
  expect(
    torch
      .vander(x, 3)
      .mul(torch.tensor([2, 0, 1]))
      .sum(1)
      .tolist(),
  ).toEqual([3, 9, 19]);
  expect(torch.vander(x, 3, true).equal(torch.vander(x, 3).flip([1]))).toBe(true);
});

test("range ends where it says", () => {
  expect(torch.range(1, 2, 0.5).tolist()).toEqual([1, 1.5, 2]);
  expect(() => torch.range(0, 3, -1)).toThrow("upper bound and lower bound inconsistent with step sign");
});

test("poisson: mean and variance are the rate", () => {
  torch.manual_seed(0);
  for (const rate of [3, 40]) {
    const drawn = torch.poisson(torch.full([4000], rate, { dtype: torch.float64 }));
    expect(Math.abs(drawn.mean().item() / rate - 1)).toBeLessThan(0.05);
    expect(Math.abs(drawn.var().item() / rate - 1)).toBeLessThan(0.1);
  }
  expect(torch.poisson(torch.ones([2], { device: "meta" })).shape).toEqual([2]);
});

test("nonzero_static is nonzero, cut or filled", () => {
  const x = torch.tensor([0, 7, 0, 8, 9]);
  expect(torch.nonzero_static(x, { size: 2 }).equal(x.nonzero().narrow(0, 0, 2))).toBe(true);
  expect(x.nonzero_static({ size: 4, fill_value: 5 }).tolist()).toEqual([[1], [3], [4], [5]]);
  expect(torch.nonzero_static(torch.ones([2, 3], { device: "meta" }), { size: 4 }).stride()).toEqual([1, 4]);
});

/** The texts are PyTorch's. */
test("refusals that come before anything is computed", () => {
  const LD = torch.eye(3);
  const solve = (...pivots: number[]) =>
    torch.linalg.ldl_solve(LD, torch.tensor(pivots, { dtype: torch.int32 }), torch.ones(3, 1));
  expect(() => solve(0, 1, 2)).toThrow("Pivots given to ldl_solve must all satisfy |pivot| >= 1. ");
  expect(() => solve(1, 2, 7)).toThrow("Pivots given to ldl_solve must all satisfy |pivot| <= LD.size(-2). ");
  expect(solve(1, 2, 3).tolist()).toEqual([[1], [1], [1]]);
  const { unfold_backward, _logcumsumexp } = torch.ops.aten as Any;
  expect(() => unfold_backward(torch.ones(2, 3), [5], 0, 3, -1)).toThrow("step is -1 but must be > 0");
  const flags = torch.ones(3, { dtype: torch.bool });
  expect(() => _logcumsumexp.out(flags, 0, { out: torch.ones(3, { dtype: torch.int64 }) })).toThrow(
    "\"logcumsumexp_out_cpu\" not implemented for 'Bool'",
  );
});
