import torch from "glasstorch";
import { describe, expect, test } from "vitest";

const { TorchFunctionMode, NotImplemented } = torch.overrides;
type Call = (...args: unknown[]) => unknown;

class Logged extends torch.Tensor {
  static calls: string[] = [];
  static override __torch_function__(
    func: unknown,
    types: readonly unknown[],
    args: unknown[] = [],
    kwargs?: object,
  ): unknown {
    Logged.calls.push((func as Call).name);
    return super.__torch_function__(func, types, args, kwargs);
  }
}

const logged = () => torch.Tensor._make_subclass(Logged, torch.tensor([1.5, 2.5]));

describe("__torch_function__", () => {
  test("sees functions, methods and attributes, and results keep the subclass", () => {
    Logged.calls = [];
    const x = logged();
    const y = torch.add(x, x);
    expect(y.constructor).toBe(Logged);
    expect(x.mul(2).constructor).toBe(Logged);
    expect(x.shape).toEqual([2]);
    expect(Logged.calls).toEqual(["add", "mul", "__get__"]);
  });

  test("a subclass goes before its parent", () => {
    const order: string[] = [];
    class A {
      static __torch_function__(): unknown {
        order.push("A");
        return NotImplemented;
      }
    }
    class B extends A {
      static override __torch_function__(): unknown {
        order.push("B");
        return NotImplemented;
      }
    }
    expect(() => torch.add(new A() as never, new B() as never)).toThrow(
      "Multiple dispatch failed for 'torch.add'; all __torch_function__ handlers returned NotImplemented:\n\n  - tensor subclass <class 'B'>\n  - tensor subclass <class 'A'>\n\nFor more information, try re-running with TORCH_LOGS=not_implemented",
    );
    expect(order).toEqual(["B", "A"]);
  });

  test("any object with it may stand for a tensor", () => {
    const stranger = {
      __torch_function__: (func: Call, _types: unknown, args: unknown[]) => `${func.name} of ${args.length}`,
    };
    expect(torch.mul(stranger as never, 2)).toBe("mul of 2");
  });

  test("Parameters are not overridden", () => {
    const p = new torch.nn.Parameter(torch.ones(1));
    expect(p.add(1).constructor).toBe(torch.Tensor);
  });
});

test("a mode sees every call, and not its own", () => {
  const seen: string[] = [];
  class Watch extends TorchFunctionMode {
    __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[], kwargs?: object): unknown {
      seen.push((func as Call).name);
      return kwargs === undefined ? (func as Call)(...args) : (func as Call)(...args, kwargs);
    }
  }
  const result = new Watch().with(() => torch.add(torch.ones(1), torch.ones(1), { alpha: 2 }).relu());
  expect(result.tolist()).toEqual([3]);
  expect(seen).toEqual(["ones", "ones", "add", "relu"]);
});
