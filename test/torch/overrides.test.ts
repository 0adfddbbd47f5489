/**
 * `__torch_function__`: what it is handed, by whom, in which order. The rows of calls.json.gz are PyTorch's
 * (tools/oracle/record_overrides.py).
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import { type Any, readFixture } from "../helpers/recorded.ts";

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
      "Multiple dispatch failed for 'torch.add'; all __torch_function__ handlers returned NotImplemented:\n\n  - tensor subclass <class '__main__.B'>\n  - tensor subclass <class '__main__.A'>\n\nFor more information, try re-running with TORCH_LOGS=not_implemented",
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

describe("the calls that PyTorch hands over", () => {
  type Row = [ts: string, python: string, who: "mode" | "subclass", calls: Any[], outcome: Any];
  const { rows } = readFixture<{ rows: Row[] }>(new URL("../fixtures/overrides/calls.json.gz", import.meta.url));
  let calls: Any[] = [];

  function note(func: Any, types: readonly Any[], args: readonly Any[], kwargs: object | undefined): void {
    const names = types.map((type) => type.name);
    calls.push([
      torch.overrides.resolve_name(func),
      func.name,
      names,
      describe_value(args),
      kwargs === undefined ? null : describe_value(kwargs),
    ]);
  }

  function describe_value(value: Any): Any {
    if (value instanceof torch.Tensor) return value.constructor.name;
    const type = (value?.constructor as Any)?.__name__;
    if (Array.isArray(value) && type?.startsWith("torch.return_types.")) {
      const fields = type.replace("torch.return_types.", "");
      return { fields, items: [...value].map(describe_value) };
    }
    if (Array.isArray(value)) return value.map(describe_value);
    if (value instanceof Map) return {};
    if (value === torch.NotImplemented) return "NotImplemented";
    if (value instanceof torch.Float) return value.valueOf();
    if (typeof value === "function")
      return /^class/.test(Function.prototype.toString.call(value)) ? `class ${value.name}` : "a function";
    if (value === undefined) return null;
    if (value === null || typeof value !== "object") return value;
    if (Object.getPrototypeOf(value) === Object.prototype)
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, describe_value(v)]));
    return String(value).startsWith("torch.") ? String(value) : "an object";
  }

  class Watch extends TorchFunctionMode {
    __torch_function__(func: unknown, types: readonly unknown[], args: unknown[], kwargs?: object): unknown {
      note(func, types, args, kwargs);
      return (func as Call)(...args, kwargs ?? {});
    }
  }

  class S extends torch.Tensor {
    static override __torch_function__(
      func: unknown,
      types: readonly unknown[],
      args: unknown[] = [],
      kwargs?: object,
    ): unknown {
      note(func, types, args, kwargs);
      return super.__torch_function__(func, types, args, kwargs);
    }
  }

  class T extends torch.Tensor {}

  test.each(rows)("%s", (ts, _python, who, expected_calls, expected) => {
    const plain = torch.tensor([
      [1.5, 2],
      [3, 4],
    ]);
    const scope = {
      torch,
      F: torch.nn.functional,
      init: torch.nn.init,
      S,
      T,
      x: who === "subclass" ? plain.as_subclass(S) : plain,
      y: torch.ones(2, 2),
    };
    const line = new Function(...Object.keys(scope), `return ${ts}`);
    const run = () => line(...Object.values(scope));
    const before = setWarningHandler(() => {});
    calls = [];
    let outcome: Any;
    try {
      outcome = describe_value(who === "mode" ? new Watch().with(run) : run());
    } catch (error) {
      outcome = [(error as Error).name, (error as Error).message];
    } finally {
      setWarningHandler(before as Any);
    }
    expect({ calls, outcome }).toEqual({ calls: expected_calls, outcome: expected });
  });
});

describe("every method of a tensor", () => {
  // What is JavaScript's, or ours: it calls the others.
  const of_javascript = ["constructor", "toString", "at", "set_at", "toJSON"];
  const prototypes = [torch.Tensor.prototype, Object.getPrototypeOf(torch.Tensor.prototype)];
  const methods = new Map<string, Call>();
  for (const [name, { value }] of prototypes.flatMap((p) => Object.entries(Object.getOwnPropertyDescriptors(p))))
    if (typeof value === "function" && !of_javascript.includes(name) && !methods.has(name)) methods.set(name, value);
  // The results of these say nothing: memory that is not written, or random.
  const unsaid =
    /^(__repr__|new$|new_empty|empty|resize|data_ptr|__hash__|random|uniform|normal|bernoulli|multinomial|exponential|cauchy|log_normal|geometric)/;

  const lists = (): Any[][] => [
    [],
    [1],
    [1.5],
    ["a"],
    [null],
    [torch.tensor([[1.5, 1]])],
    [torch.tensor([[0, 1]])],
    [torch.tensor([[true, false]])],
    [[0, 1]],
    [0, 1],
    [torch.float64],
    [(v: Any) => v],
    [{ dim: 0 }],
    [0, torch.tensor([[0], [1]]), 5],
  ];
  const receivers: Call[] = [
    () =>
      torch.tensor([
        [1.5, 2],
        [3, 4],
      ]),
    () => torch.tensor(3),
    () => torch.tensor([true, false]),
  ];

  function said(value: Any): Any {
    if (value instanceof torch.Tensor) return [String(value.dtype), value.device.type, value.tolist()];
    if (Array.isArray(value)) return [value.constructor.name, ...value.map(said)];
    if (value === NotImplemented) return "NotImplemented";
    return typeof value === "object" && value !== null ? value.constructor.name : value;
  }

  function outcome(name: string, run: () => unknown, x: Any): Any {
    const before = setWarningHandler(() => {});
    try {
      const result = run();
      return unsaid.test(name) ? "done" : [said(result), said(x)];
    } catch (error) {
      // An error of PyTorch's; a stack is expensive to write, and there are thousands of errors.
      if (typeof (error as Any).what !== "function") throw error;
      return [(error as Error).name, (error as Error).message];
    } finally {
      setWarningHandler(before as Any);
    }
  }

  // A complete run of all checks takes a share of the methods, and another share for each commit.
  test.each(cases_in_turn("methods of a tensor in a mode and on a subclass", [...methods], 12))(
    "%s answers the same by itself, as a function, in a mode and on a subclass",
    (name, method) => {
      class Passing extends torch.overrides.BaseTorchFunctionMode {}
      class Tensor extends torch.Tensor {} // messages name the class
      const numbers = receivers.flatMap((_, r) => lists().map((_, i) => [r, i] as const));
      for (const [r, i] of numbers) {
        const ways: Record<string, (x: Any, args: Any[]) => unknown> = {
          itself: (x, args) => x[name](...args),
          function: (x, args) => method(x, ...args),
          mode: (x, args) => new Passing().with(() => x[name](...args)),
          subclass: (x, args) => x[name](...args),
        };
        const outcomes = Object.entries(ways).map(([way, run]) => {
          const plain = receivers[r]() as Any;
          const x = way === "subclass" ? torch.Tensor._make_subclass(Tensor, plain) : plain;
          const found = outcome(name, () => run(x, lists()[i]), x);
          return [way, found];
        });
        for (const [way, found] of outcomes.slice(1))
          expect({ name, r, i, way, found: String(found) }).toEqual({ name, r, i, way, found: String(outcomes[0][1]) });
      }
    },
  );

  test.each([...methods])("%s takes no other object", (_name, method) => {
    for (const other of [5, "a", null, {}, [], Object.create(null), torch.Tensor]) {
      const bound = () => method.call(other);
      const unbound = () => method(other);
      for (const run of [bound, unbound]) {
        try {
          expect(run()).toBe(NotImplemented);
        } catch (error) {
          expect([(error as Error).name, (error as Any).what]).toEqual(["TypeError", expect.any(Function)]);
        }
      }
    }
  });
});
