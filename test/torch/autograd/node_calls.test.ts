/** @file Nodes are callable: `y.grad_fn(gradient)`. Results and texts as PyTorch 2.13.0 gives them. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { PyTuple } from "#python/Objects/tupleobject";
import type { Any } from "../../helpers/recorded.ts";

const leaf = (): Any => torch.ones(2).requires_grad_();
const ones = (): Any => torch.ones(2);
const list = (value: Any): Any => (value === null ? null : value.tolist());
const { UndefinedGrad, DelayedError } = (torch._C as Any)._functions;

describe("a node runs its formula", () => {
  test("one gradient for each input, as a tuple", () => {
    const y = leaf().mul(2);
    const result = y.grad_fn(ones());
    expect(result).toBeInstanceOf(PyTuple);
    expect(result.map(list)).toEqual([[2, 2], null]);
    expect(y.grad_fn(null).map(list)).toEqual([null, null]);
  });

  test("a single gradient is no tuple", () => {
    const [values] = leaf().max(0) as Any;
    expect(list(values.grad_fn(torch.ones([])))).toEqual([1, 0]);
  });

  test("a leaf's node accumulates", () => {
    const x = leaf();
    const accumulate = x.mul(2).grad_fn.next_functions[0][0];
    expect(accumulate(ones())).toHaveLength(0);
    expect(list(x.grad)).toEqual([1, 1]);
  });

  test("what it saved may be gone", () => {
    const x = leaf();
    const z = x.mul(x);
    expect(z.grad_fn(ones()).map(list)).toEqual([
      [1, 1],
      [1, 1],
    ]);
    z.sum().backward();
    expect(() => z.grad_fn(ones())).toThrow("Trying to backward through the graph a second time");
  });

  test.each([
    [[], "expected 1 arguments, got 0 instead"],
    [[1], "argument 0 is not a Variable"],
    [[ones(), ones()], "expected 1 arguments, got 2 instead"],
    [[ones(), { a: 1 }], "keyword arguments are not supported"],
  ])("refused: %s", (args: readonly Any[], text) => {
    expect(() =>
      leaf()
        .mul(2)
        .grad_fn(...args),
    ).toThrow(expect.objectContaining({ name: "TypeError", message: text }));
  });

  test("it prints, names itself and is one object, as before", () => {
    const y = leaf().mul(2);
    expect(y.grad_fn).toBe(y.grad_fn);
    expect(String(y.grad_fn)).toBe("<MulBackward0 object>");
    expect(y.grad_fn.name()).toBe("MulBackward0");
    expect(y.grad_fn).toBeInstanceOf(torch.autograd.graph.Node);
  });
});

describe("nodes of torch._C._functions", () => {
  test("UndefinedGrad", () => {
    const y = UndefinedGrad()(leaf());
    expect(String(y)).toBe("tensor([1., 1.], grad_fn=<UndefinedGradBackward>)");
    expect(() => UndefinedGrad()(leaf(), leaf())).toThrow("expected 1 arguments, got 2 instead");
    expect(() => UndefinedGrad(1)).toThrow("Requires zero arguments, got 1");
  });

  test("DelayedError", () => {
    const y = DelayedError("hello", 1)(leaf());
    expect(String(y)).toBe("tensor([1., 1.], grad_fn=<Error>)");
    expect(() => y.sum().backward()).toThrow("hello");
    expect(() => DelayedError("hello", 2)(leaf())).toThrow("expected 2 arguments, got 1 instead");
  });
});

test("an object of a Function is callable, to say that this is over", () => {
  class Old extends torch.autograd.Function {}
  const old = new Old() as Any;
  expect(old).toBeInstanceOf(Old);
  expect(() => old(ones())).toThrow(
    expect.objectContaining({
      name: "RuntimeError",
      message:
        "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)",
    }),
  );
});
