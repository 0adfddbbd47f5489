/** Custom Functions. Messages are those of PyTorch 2.13.0. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: contexts and tensors of the front end
type Any = any;
const leaf = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float64, requires_grad: true });
const once = torch.autograd.function.once_differentiable;

class Square extends torch.autograd.Function {
  static override forward(ctx: Any, x: Any): Any {
    ctx.save_for_backward(x);
    return x.mul(x);
  }
  static override backward(ctx: Any, g: Any): Any {
    const [x] = ctx.saved_tensors;
    return g.mul(x).mul(2);
  }
}

/** A Function made of two plain functions. */
function make(forward: (ctx: Any, ...args: Any[]) => Any, backward: (ctx: Any, ...grads: Any[]) => Any): Any {
  return class F extends torch.autograd.Function {
    static override forward(ctx: Any, ...args: Any[]): Any {
      return forward(ctx, ...args);
    }
    static override backward(ctx: Any, ...grads: Any[]): Any {
      return backward(ctx, ...grads);
    }
  };
}

describe("a Function", () => {
  test("is a node with its own name", () => {
    const y = Square.apply(leaf(3));
    expect([y.item(), y.grad_fn.name(), y.grad_fn instanceof torch.autograd.graph.Node]).toEqual([
      9,
      "SquareBackward",
      true,
    ]);
  });

  test("computes gradients, also of gradients", () => {
    const x = leaf(3);
    const [g] = torch.autograd.grad(Square.apply(x), x, { create_graph: true });
    const [gg]: Any = torch.autograd.grad(g, x);
    expect([g.item(), gg.item()]).toEqual([6, 2]);
  });

  test("does not record inside forward", () => {
    let recorded = true;
    make(
      (_ctx, x) => {
        recorded = x.mul(2).requires_grad;
        return x.mul(2);
      },
      (_ctx, g) => g,
    ).apply(leaf(1));
    expect(recorded).toBe(false);
  });

  test("keeps setup_context apart from forward", () => {
    class Scale extends torch.autograd.Function {
      static override forward(x: Any, factor: number): Any {
        return x.mul(factor);
      }
      static override setup_context(ctx: Any, inputs: Any, _output: Any): void {
        ctx.factor = inputs[1];
      }
      static override backward(ctx: Any, g: Any): Any {
        return [g.mul(ctx.factor), null];
      }
    }
    const x = leaf(2);
    Scale.apply(x, 5).backward();
    expect(x.grad.item()).toBe(5);
  });

  test("knows which inputs want a gradient", () => {
    let needs: Any;
    make(
      (_ctx, a, b) => a.mul(b),
      (ctx, g) => {
        needs = ctx.needs_input_grad;
        return [g, null, null];
      },
    )
      .apply(leaf(1), torch.ones([1]), 3)
      .backward();
    expect(needs).toEqual([true, false, false]);
  });

  test("gets zeros for outputs that nobody used, or null if it wants to know", () => {
    for (const materialize of [true, false]) {
      let second: Any;
      const F = make(
        (ctx, x) => {
          ctx.set_materialize_grads(materialize);
          return [x.mul(1), x.mul(2)];
        },
        (_ctx, g0, g1) => {
          second = g1;
          return g0;
        },
      );
      const x = leaf(1);
      F.apply(x)[0].backward();
      expect(second?.tolist() ?? null).toEqual(materialize ? [0] : null);
    }
  });

  test("may have outputs without gradient", () => {
    const F = make(
      (ctx, x) => {
        const positive = x.relu();
        ctx.mark_non_differentiable(positive);
        return [x.mul(2), positive];
      },
      (_ctx, g) => g.mul(2),
    );
    const [y, positive] = F.apply(leaf(-3));
    expect([y.requires_grad, positive.requires_grad, positive.item()]).toEqual([true, false, 0]);
  });

  test("may change its input in place", () => {
    const F = make(
      (ctx, x) => {
        ctx.mark_dirty(x);
        return x.mul_(2);
      },
      (_ctx, g) => g.mul(2),
    );
    const a = leaf(1);
    const b = a.mul(3);
    const y = F.apply(b);
    expect([y === b, b.grad_fn.name(), b._version]).toEqual([true, "FBackward", 2]);
    y.backward();
    expect(a.grad.item()).toBe(6);
    expect(() => F.apply(leaf(1))).toThrow(
      "a leaf Variable that requires grad has been used in an in-place operation.",
    );
  });

  test("returns a view for an input that it returns as it is", () => {
    const F = make(
      (_ctx, x) => x,
      (_ctx, g) => g,
    );
    const a = leaf(1);
    const y = F.apply(a);
    expect([y === a, y._is_view(), y.grad_fn.name()]).toEqual([false, true, "FBackward"]);
    expect(() => y.add_(1)).toThrow(
      "Output 0 of F is a view and is being modified inplace. This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function.",
    );
  });

  test("may return what is not a tensor", () => {
    expect(
      make(
        () => "x",
        () => null,
      ).apply(leaf(1)),
    ).toBe("x");
  });

  test("forgets what it saved after backward", () => {
    const y = Square.apply(leaf(3));
    y.backward();
    expect(() => y.backward()).toThrow("Trying to backward through the graph a second time");
  });

  test("can refuse to be differentiated twice", () => {
    class OnceSquare extends torch.autograd.Function {
      static override forward(ctx: Any, x: Any): Any {
        ctx.save_for_backward(x);
        return x.mul(x);
      }
      static override backward = once((ctx: Any, g: Any) => g.mul(ctx.saved_tensors[0]).mul(2)) as Any;
    }
    const x = leaf(3);
    const y = OnceSquare.apply(x);
    const [g] = torch.autograd.grad(y.mul(y), x, { create_graph: true });
    expect(g.item()).toBe(108);
    expect(() => g.backward()).toThrow(
      "trying to differentiate twice a function that was marked with @once_differentiable",
    );
  });
});

describe("refusals", () => {
  test.each([
    [
      "too many gradients",
      (g: Any) => [g, g],
      "function FBackward returned an incorrect number of gradients (expected 1, got 2)",
    ],
    ["not a tensor", () => 3, "expected Variable or None (got int)"],
    [
      "another shape",
      () => torch.ones([5], { dtype: torch.float64 }),
      "Function FBackward returned an invalid gradient at index 0 - got [5] but expected shape compatible with [3]",
    ],
  ])("%s", (_name, backward, message) => {
    const F = make(
      (_ctx, x) => x.mul(2),
      (_ctx, g) => backward(g),
    );
    expect(() =>
      F.apply(leaf(1, 2, 3))
        .sum()
        .backward(),
    ).toThrow(message);
  });

  test("a gradient for what is not a tensor", () => {
    const F = make(
      (_ctx, x) => x.mul(2),
      (_ctx, g) => [g, g],
    );
    expect(() => F.apply(leaf(1), 2).backward()).toThrow(
      "function FBackward returned a gradient different than None at position 2, but the corresponding forward input was not a Variable",
    );
  });

  test("surplus gradients are fine if they are null", () => {
    const F = make(
      (_ctx, x) => x.mul(2),
      (_ctx, g) => [g, null, null],
    );
    const x = leaf(1);
    F.apply(x).backward();
    expect(x.grad.item()).toBe(1);
  });

  test("no forward, no backward", () => {
    class Nothing extends torch.autograd.Function {}
    class Forward extends torch.autograd.Function {
      static override forward(_ctx: Any, x: Any): Any {
        return x.mul(1);
      }
    }
    expect(() => Nothing.apply(leaf(1))).toThrow(
      "You must implement the forward function for custom autograd.Function.",
    );
    expect(() => Forward.apply(leaf(1)).backward()).toThrow(
      "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.",
    );
  });
});
