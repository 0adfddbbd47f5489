/**
 * @file einsum, tensordot, inner, kron: worked cases, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const float64 = { dtype: torch.float64 };
const close = (a: Tensor, b: Tensor): void => {
  expect(a.shape).toEqual(b.shape);
  expect(torch.allclose(a, b, 1e-10, 1e-12)).toBe(true);
};
const filled = (...shape: number[]): Tensor =>
  torch
    .arange(1, shape.reduce((n, size) => n * size, 1) + 1, float64)
    .mul(0.37)
    .sin()
    .reshape(shape);
const a = filled(2, 3);
const b = filled(3, 4);
const batch = filled(5, 2, 3);
const square = filled(3, 3);

describe("einsum says", () => {
  it.each<[string, Tensor[], () => Tensor]>([
    ["ij,jk->ik", [a, b], () => a.mm(b)],
    ["ij,jk", [a, b], () => a.mm(b)],
    ["ij,jk->ki", [a, b], () => a.mm(b).t()],
    ["bij,jk->bik", [batch, b], () => batch.matmul(b)],
    ["...ij,...jk->...ik", [batch, b], () => batch.matmul(b)],
    ["ij->ji", [a], () => a.t()],
    ["ij->", [a], () => a.sum()],
    ["ij->j", [a], () => a.sum(0)],
    ["i,j->ij", [a.at(0), b.at(0)], () => torch.outer(a.at(0), b.at(0))],
    ["ij,ij->", [a, a], () => a.mul(a).sum()],
    ["ij,ij->i", [a, a], () => a.mul(a).sum(1)],
    [
      "ii",
      [square],
      () =>
        square
          .mul(
            torch.tensor([
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 1],
            ]),
          )
          .sum(),
    ],
    ["ii,ij->j", [square, b], () => torch.einsum("i,ij->j", torch.stack([0, 1, 2].map((i) => square.at(i, i))), b)],
    ["ij,jk,kl->il", [a, b, b.t()], () => a.mm(b).mm(b.t())],
    [
      "bn,anm,bm->ba",
      [filled(2, 5), filled(3, 5, 4), filled(2, 4)],
      () =>
        torch.einsum(
          "abm,bm->ba",
          filled(3, 5, 4).transpose(1, 2).matmul(filled(2, 5).t()).transpose(1, 2),
          filled(2, 4),
        ),
    ],
  ])("%s", (equation, operands, expected) => {
    close(torch.einsum(equation, ...operands), expected());
  });
  it("the same with lists of labels, and with operands in one list", () => {
    close(torch.einsum(a, [0, 1], b, [1, 2], [0, 2]), a.mm(b));
    close(torch.einsum(batch, ["...", 0, 1], b, [1, 2]), torch.einsum("...AB,BC", batch, b));
    close(torch.einsum("ij,jk->ik", [a, b]), a.mm(b));
  });
  it("a transpose as a view, and a diagonal too", () => {
    expect(torch.einsum("ij->ji", a).data_ptr()).toBe(a.data_ptr());
    expect(torch.einsum("ii->i", square).stride()).toEqual([4]);
  });
});

describe("products", () => {
  it("tensordot by lists of dims, by their number, by none", () => {
    const t = filled(2, 3, 4);
    close(
      torch.tensordot(t, filled(4, 3, 5), [
        [1, 2],
        [1, 0],
      ]),
      torch.einsum("abc,cbd->ad", t, filled(4, 3, 5)),
    );
    close(torch.tensordot(a, b, 1), a.mm(b));
    close(torch.tensordot(a, a), a.mul(a).sum());
    close(torch.tensordot(a, b, { dims: 0 }), torch.einsum("ij,kl->ijkl", a, b));
  });
  it("inner is a sum along the last dims", () => {
    close(torch.inner(a, b.t()), a.mm(b));
    close(torch.inner(a, torch.tensor(2, float64)), a.mul(2));
  });
  it("kron of different dims", () => {
    expect(
      torch
        .kron(
          torch.tensor([
            [1, 2],
            [3, 4],
          ]),
          torch.tensor([1, 10]),
        )
        .tolist(),
    ).toEqual([
      [1, 10, 2, 20],
      [3, 30, 4, 40],
    ]);
    close(torch.kron(a, b), torch.einsum("ij,kl->ikjl", a, b).reshape(6, 12));
  });
});

describe("gradients", () => {
  it.each<[string, (x: Tensor, y: Tensor) => Tensor]>([
    ["einsum of two", (x, y) => torch.einsum("ij,jk->ki", x, y)],
    ["einsum of three", (x, y) => torch.einsum("ij,jk,lj->kl", x, y, x)],
    ["einsum with a diagonal", (x, y) => torch.einsum("ii,ij->j", x, y)],
    ["tensordot", (x, y) => torch.tensordot(x, y, 1)],
    ["inner", (x, y) => torch.inner(x, y.t())],
    ["kron", torch.kron],
  ])("%s", (_, run) => {
    const [x, y] = [filled(2, 2), filled(2, 3)].map((t) => t.clone().requires_grad_(true));
    expect(torch.autograd.gradcheck(run, [x, y])).toBe(true);
  });
});

describe("refusals", () => {
  it.each<[string, Tensor[], string]>([
    ["ij->ii", [a], "einsum(): output subscript i appears more than once in the output"],
    ["ij->ik", [a], "einsum(): output subscript k does not appear in the equation for any input operand"],
    ["i.j", [a], "einsum(): found '.' for operand 0 that is not part of any ellipsis"],
    ["i1", [a], "einsum(): invalid subscript given at index 1 in the equation string, subscripts must be in [a-zA-Z]"],
    ["ij,jk", [a], "einsum(): fewer operands were provided than specified in the equation"],
    ["ij", [a, b], "einsum(): more operands were provided than specified in the equation"],
    [
      "ij,jk",
      [a, a],
      "einsum(): subscript j has size 2 for operand 1 which does not broadcast with previously seen size 3",
    ],
  ])("%s", (equation, operands, message) => {
    expect(() => torch.einsum(equation, ...operands)).toThrow(message);
  });
  it("dims that do not match", () => {
    expect(() => torch.tensordot(a, a, 1)).toThrow(
      "contracted dimensions need to match, but first has size 3 in dim -1 and second has size 2 in dim 0",
    );
    expect(() => torch.inner(a, b)).toThrow("inner() the last dimension must match on both input tensors");
  });
});
