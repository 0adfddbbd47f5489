import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const t = torch as Any;
const lists = () => [torch.tensor([1.5, 2]), torch.tensor([[3.5]])];
const values = (list: Any[]) => list.map((x) => x.tolist());

/** Results of the operator on single tensors and of the operator on lists, also in place. */
describe.each([
  ["add", [2], (x: Any) => x.add(2)],
  ["add", [[1, 2]], (x: Any, i: number) => x.add([1, 2][i])],
  ["add", [lists(), { alpha: 2 }], (x: Any, i: number) => x.add(lists()[i], { alpha: 2 })],
  ["add", [torch.tensor(2.5), { alpha: 2 }], (x: Any) => x.add(5)],
  ["sub", [lists()], (x: Any, i: number) => x.sub(lists()[i])],
  ["sub", [1], (x: Any) => x.sub(1)],
  ["mul", [torch.tensor(2.5)], (x: Any) => x.mul(2.5)],
  ["div", [[2, 4]], (x: Any, i: number) => x.div([2, 4][i])],
  ["clamp_min", [2], (x: Any) => x.clamp_min(2)],
  ["maximum", [[2, 5]], (x: Any, i: number) => x.clamp_min([2, 5][i])],
  ["addcmul", [lists(), lists(), 0.5], (x: Any, i: number) => x.addcmul(lists()[i], lists()[i], { value: 0.5 })],
  [
    "addcmul",
    [lists(), lists(), torch.tensor([1.5, 2])],
    (x: Any, i: number) => x.addcmul(lists()[i], lists()[i], { value: [1.5, 2][i] }),
  ],
  [
    "addcdiv",
    [lists(), lists(), [1, 2]],
    (x: Any, i: number) => x.addcdiv(lists()[i], lists()[i], { value: [1, 2][i] }),
  ],
  ["lerp", [[torch.ones(2), torch.ones(1, 1)], 0.25], (x: Any) => x.lerp(torch.ones_like(x), 0.25)],
  [
    "lerp",
    [
      [torch.ones(2), torch.ones(1, 1)],
      [0.25, 0.5],
    ],
    (x: Any, i: number) => x.lerp(torch.ones_like(x), [0.25, 0.5][i]),
  ],
  ["lerp", [[torch.ones(2), torch.ones(1, 1)], lists()], (x: Any, i: number) => x.lerp(torch.ones_like(x), lists()[i])],
  ["pow", [2], (x: Any) => x.pow(2)],
  ["pow", [lists()], (x: Any, i: number) => x.pow(lists()[i])],
  ["neg", [], (x: Any) => x.neg()],
  ["sqrt", [], (x: Any) => x.sqrt()],
  ["rsqrt", [], (x: Any) => x.rsqrt()],
  ["reciprocal", [], (x: Any) => x.reciprocal()],
  ["abs", [], (x: Any) => x.abs()],
  ["sign", [], (x: Any) => x.sign()],
] as [string, Any[], (x: Any, i: number) => Any][])("_foreach_%s of %j", (name, args, each) => {
  const expected = values(lists().map(each));
  test("gives new tensors", () => {
    const given = lists();
    expect(values(t[`_foreach_${name}`](given, ...args))).toEqual(expected);
    expect(values(given)).toEqual(values(lists()));
  });
  test("in place it writes its list, and gives it back", () => {
    const given = lists();
    expect(t[`_foreach_${name}_`](given, ...args)).toBe(given);
    expect(values(given)).toEqual(expected);
    expect(given.every((x) => x._version > 0)).toBe(true);
  });
});

test("a number to the power of each; copies and zeros", () => {
  expect(values(t._foreach_pow(2, [torch.tensor([2, 3])]))).toEqual([[4, 8]]);
  const list = lists();
  t._foreach_copy_(list, [torch.zeros(2), torch.ones(1, 1)]);
  expect(values(list)).toEqual([[0, 0], [[1]]]);
  t._foreach_zero_(list);
  expect(values(list)).toEqual([[0, 0], [[0]]]);
});

test("lists must fit", () => {
  expect(() => t._foreach_add([], 1)).toThrow("Tensor list must have at least one tensor.");
  expect(() => t._foreach_add(lists(), [1])).toThrow("Tensor list must have same number of elements as scalar list.");
  expect(() => t._foreach_add(lists(), [torch.ones(1)])).toThrow(
    "Tensor lists must have the same number of tensors, got 2 and 1",
  );
  expect(() => t._foreach_mul(lists(), torch.ones(2))).toThrow(
    "scalar tensor expected to be 0 dim but it has 1 dimensions and 2 elements.",
  );
  expect(() => t._foreach_addcmul(lists(), lists(), lists(), torch.ones(3))).toThrow(
    "Expected length of scalars to match input of length 2 but got 3 instead.",
  );
});

test("a leaf that wants a gradient is not written; what depends on one refuses backward", () => {
  const leaves = lists().map((x) => x.requires_grad_());
  expect(() => t._foreach_add_(leaves, 1)).toThrow(
    "a leaf Variable that requires grad is being used in an in-place operation.",
  );
  torch.no_grad(() => t._foreach_add_(leaves, 1));
  expect(values(leaves)).toEqual([[2.5, 3], [[4.5]]]);
  const changed = leaves.map((x) => x.mul(1));
  t._foreach_maximum_(changed, 2); // the one operator on a tensor and a number that it could be made of does not exist
  expect(() => changed[0].sum().backward()).toThrow("derivative for _foreach_maximum_ is not implemented");
});
