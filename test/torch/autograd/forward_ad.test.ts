/** Forward mode: dual tensors, views, writes in place, custom Functions, and forward mode over backward. */
import torch from "glasstorch";
import { expect, test } from "vitest";

import type { Any } from "../../helpers/recorded.ts";

const { dual_level, enter_dual_level, exit_dual_level, make_dual, unpack_dual, _set_fwd_grad_enabled } = torch.autograd
  .forward_ad as Any;

const { assert_close } = torch.testing as Any;
const float64 = (values: unknown): Any => torch.tensor(values as number[], { dtype: torch.float64 });
const tangent_of = (t: Any): Any => unpack_dual(t).tangent;
const error = (name: string, message: string): unknown => expect.objectContaining({ name, message });

test("a tangent goes through an operator and ends with the level", () => {
  const x = float64([1, 2, 3]);
  const y = dual_level(() => {
    const out = make_dual(x, float64([1, 1, 1])).sin();
    assert_close(tangent_of(out), x.cos());
    assert_close(unpack_dual(out).primal, x.sin());
    return out;
  });
  expect(tangent_of(y)).toBe(null);
  expect(unpack_dual(y).primal).toBe(y);
});

test("a view of a dual tensor has the view of its tangent, and writes through it are seen", () => {
  dual_level(() => {
    const base = make_dual(float64([1, 2, 3]), float64([1, 1, 1]));
    const view = base.at({ start: 1 });
    view.mul_(2);
    assert_close(tangent_of(base), float64([1, 2, 2]));
    assert_close(tangent_of(view), float64([2, 2]));
    base.mul_(3);
    assert_close(tangent_of(view), float64([6, 6]));
  });
});

test("a write of a dual tensor gives a tangent to the base of a view, and to views of a base", () => {
  dual_level(() => {
    const dual = make_dual(float64([1, 1]), float64([5, 6]));
    const base = torch.zeros([3], { dtype: torch.float64 }) as Any;
    base.at({ start: 1 }).copy_(dual);
    assert_close(tangent_of(base), float64([0, 5, 6]));
    const other = torch.zeros([2], { dtype: torch.float64 }) as Any;
    const view = other.view([2, 1]);
    other.add_(dual);
    assert_close(tangent_of(view), float64([[5], [6]]));
  });
});

test("a tangent with other strides is copied into the layout of the value", () => {
  dual_level(() => {
    const x = float64([
      [1, 2],
      [3, 4],
    ]);
    const given = float64([
      [1, 0],
      [2, 0],
    ]);
    expect([...tangent_of(make_dual(x.t(), given)).stride()]).toEqual([1, 2]);
    assert_close(tangent_of(make_dual(x.t(), given)), given);
  });
});

test("detach and the switch drop tangents, no_grad does not", () => {
  dual_level(() => {
    const x = make_dual(float64([2]), float64([1]));
    expect(tangent_of(x.detach())).toBe(null);
    assert_close(tangent_of(torch.no_grad(() => x.mul(x))), float64([4]));
    expect(_set_fwd_grad_enabled(false, () => tangent_of(x.mul(x)))).toBe(null);
    assert_close(tangent_of(x.clone()), float64([1]));
  });
});

test("a custom Function brings its own jvp", () => {
  class Cube extends torch.autograd.Function {
    static override forward(ctx: Any, x: Any, n: number): Any {
      ctx.save_for_backward(x);
      ctx.save_for_forward(x);
      return x.pow(n);
    }
    static override backward(ctx: Any, g: Any): Any {
      return [g.mul(ctx.saved_tensors[0].pow(2)).mul(3), null];
    }
    static override jvp(ctx: Any, x_t: Any, n_t: Any): Any {
      expect(n_t).toBe(null);
      return x_t.mul(ctx.saved_tensors[0].pow(2)).mul(3);
    }
  }
  const x = float64([1, 2]).requires_grad_();
  dual_level(() => assert_close(tangent_of(Cube.apply(make_dual(x.detach(), float64([1, 1])), 3)), float64([3, 12])));
  expect(torch.autograd.gradcheck((t: Any) => Cube.apply(t, 3), [x], { check_forward_ad: true })).toBe(true);
});

test("a Function without jvp, with too many tangents, or with a wrong view is refused", () => {
  const { Function } = torch.autograd as Any;
  class Plain extends Function {
    static forward(_ctx: Any, x: Any): Any {
      return x.clone();
    }
  }
  class TwoTangents extends Plain {
    static jvp(_ctx: Any, t: Any): Any {
      return [t, t];
    }
  }
  class View extends Function {
    static forward(_ctx: Any, x: Any): Any {
      return x.view([-1]);
    }
    static jvp(_ctx: Any, t: Any): Any {
      return t.clone().view([-1]);
    }
  }
  dual_level(() => {
    const x = make_dual(float64([[1, 2]]), float64([[1, 1]]));
    expect(() => (Plain as Any).apply(x)).toThrow(
      error(
        "NotImplementedError",
        "You must implement the jvp function for custom autograd.Function to use it with forward mode AD.",
      ),
    );
    expect(() => (TwoTangents as Any).apply(x)).toThrow(
      "Function's jvp returned an invalid number of forward gradients (expected 1 but got 2)",
    );
    expect(() => (View as Any).apply(x)).toThrow(
      "A custom Function is returning a view but the jvp is not returning a view of the given grad input.",
    );
  });
});

test("forward mode over backward gives products with the Hessian", () => {
  const x = float64([1, 2]);
  const f = (t: Any): Any => t.pow(3).sum().add(t.prod());
  const hessian = torch.autograd.functional.hessian as Any;
  assert_close(hessian(f, x, { vectorize: true, outer_jacobian_strategy: "forward-mode" }), hessian(f, x));
  dual_level(() => {
    const dual = make_dual(x.clone().requires_grad_(), float64([1, 0]));
    const [g] = torch.autograd.grad([f(dual)], [dual]) as Any[];
    assert_close(tangent_of(g), float64([6, 1]));
  });
});

test("a Jacobian of several inputs and outputs by forward mode is that of backward mode", () => {
  const f = (a: Any, b: Any): Any => [a.mul(b), b.exp().sum(), a.mm(b.t())];
  const inputs = [float64([[1, 2]]), float64([[0.5, -1]])];
  const by = (options: Any): Any => (torch.autograd.functional.jacobian as Any)(f, inputs, options);
  const forward = by({ strategy: "forward-mode", vectorize: true });
  for (const [i, row] of by({}).entries()) for (const [j, block] of row.entries()) assert_close(forward[i][j], block);
});

test("gradcheck finds a wrong jvp, in both modes", () => {
  class Wrong extends (torch.autograd as Any).Function {
    static forward(ctx: Any, x: Any): Any {
      ctx.save_for_forward(x);
      return x.mul(x);
    }
    static jvp(_ctx: Any, t: Any): Any {
      return t.mul(2);
    }
  }
  const x = float64([3, 5]).requires_grad_();
  const fn = (t: Any): Any => (Wrong as Any).apply(t);
  for (const fast_mode of [false, true])
    expect(() =>
      torch.autograd.gradcheck(fn, [x], { check_forward_ad: true, check_backward_ad: false, fast_mode }),
    ).toThrow("Jacobian computed with forward mode mismatch for output 0 with respect to input 0,");
  const check = { check_fwd_over_rev: true };
  expect(torch.autograd.gradgradcheck((t: Any) => t.sin().mul(t), [x], check)).toBe(true);
});

test("levels do not nest, and misuse has PyTorch's words", () => {
  const x = float64([1, 2]);
  const level = enter_dual_level();
  try {
    expect(level).toBe(0);
    expect(() => enter_dual_level()).toThrow("Nested forward mode AD is not supported at the moment");
    expect(() => exit_dual_level({ level: 3 })).toThrow(
      "Trying to exit a forward AD level that was not the last one that was created. This is not supported.",
    );
    const dual = make_dual(x, x);
    expect(() => make_dual(dual, x)).toThrow(
      "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not supported.",
    );
    expect(() => make_dual(x, float64([1]))).toThrow(
      "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. " +
        "Tensor is of size [2] while the given forward gradient is of size [1].",
    );
    expect(() => make_dual(torch.tensor([1]), x)).toThrow(
      error("ValueError", "Expected primal to be floating point or complex, but got: torch.int64"),
    );
    expect(() => torch.sin(dual, { out: torch.empty([2], { dtype: torch.float64 }) })).toThrow(
      error(
        "NotImplementedError",
        "Trying to use forward AD with sin_out that does not support it because it is an out= function",
      ),
    );
    expect(() => dual.resize_([5])).toThrow("cannot resize variables that has a forward grad");
  } finally {
    exit_dual_level();
  }
  expect(() => make_dual(x, x)).toThrow(
    "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.",
  );
  expect(() => exit_dual_level()).toThrow("Dual level must be a positive number.");
});
