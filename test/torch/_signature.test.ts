/**
 * How a call's arguments meet a signature: every small call of made-up functions as CPython binds it (recorded by
 * tools/oracle/record_python_signatures.py), and what JavaScript adds: plain objects, Maps, null, undefined.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { def, def_methods, Signature, signature, split_keywords } from "#torch/_signature";
import { type Any, readFixture } from "../helpers/recorded.ts";

type Call = readonly [positional: number, keywords: readonly string[], outcome: unknown[] | string];

const { bound } = readFixture<{ bound: Record<string, Call[]> }>(
  new URL("../fixtures/front_end/python_signatures.json.gz", import.meta.url),
);

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    expect((error as Error).name).toBe("TypeError");
    return (error as Error).message;
  }
}

/** A function or method that gives back what it was given, behind `text`. */
function made_up(text: string): (...args: unknown[]) => unknown {
  const { parameters } = new Signature(text);
  const give_back = (...values: unknown[]): unknown => values.slice(0, parameters.length); // what is behind them is undefined
  if (!text.startsWith("C.")) return def(text, give_back) as unknown as (...args: unknown[]) => unknown;
  class C {
    f(...values: unknown[]): unknown {
      expect(this).toBeInstanceOf(C);
      return give_back(...values);
    }
  }
  def_methods(C, { f: text.slice("C.f".length) });
  const self = new C();
  return (...args) => self.f(...args);
}

describe("as CPython binds", () => {
  test.each(Object.keys(bound))("%s", (text) => {
    const fn = made_up(text);
    for (const [n, names, expected] of bound[text]) {
      const args: unknown[] = Array.from({ length: n }, (_, i) => i);
      if (names.length > 0) args.push(Object.fromEntries(names.map((name) => [name, name])));
      expect(
        outcome(() => fn(...args)),
        `${n} and ${names}`,
      ).toEqual(expected);
    }
  });
});

describe("what is keywords", () => {
  const f = made_up("f(a, b=1)");

  test("a plain object at the end, with any prototype that is nobody's class", () => {
    expect(f(0, { b: 5 })).toEqual([0, 5]);
    expect(f(Object.assign(Object.create(null), { a: 4, b: 5 }))).toEqual([4, 5]);
    expect(f(0, {})).toEqual([0, 1]);
    expect(f({ b: 5 }, 0)).toEqual([{ b: 5 }, 0]); // not at the end: a value
  });

  test.each([
    ["a Map", new Map([["b", 5]])],
    ["a Set", new Set(["b"])],
    ["an array", [{ b: 5 }]],
    [
      "an instance of a class",
      new (class Options {
        b = 5;
      })(),
    ],
    ["an object over another", Object.create({ b: 5 })],
    ["a tensor", torch.ones(1)],
    ["a number object", torch.Float(2)],
    ["a Date", new Date(0)],
    ["a function", () => ({ b: 5 })],
  ])("%s is a value", (_, value) => {
    expect((f(0, value) as unknown[])[1]).toBe(value);
    expect((f(value) as unknown[])[0]).toBe(value);
  });

  test("null is None, undefined is not given", () => {
    expect(f(null, null)).toEqual([null, null]);
    expect(f(0, undefined)).toEqual([0, 1]);
    expect(f(0, { b: undefined, c: undefined })).toEqual([0, 1]);
    expect(f(undefined, { a: 3 })).toEqual([3, 1]);
    expect(f({ a: 3 }, undefined)).toEqual([3, 1]);
    expect(f(0, { b: null })).toEqual([0, null]);
    expect(() => f(undefined, 2)).toThrow("f() missing 1 required positional argument: 'a'");
  });

  test("where the next positional parameter is a dict, a plain object is that dict", () => {
    const load = made_up("f(state: dict, strict=True, extra: dict=None, *rest: dict)");
    expect(load({ strict: false })).toEqual([{ strict: false }, true, null, []]);
    expect(load({}, { strict: false })).toEqual([{}, false, null, []]);
    expect(load({}, true, { strict: 1 }, { b: 2 })).toEqual([{}, true, { strict: 1 }, [{ b: 2 }]]);
  });

  test("a call that is handed on is split by the same rule", () => {
    const map = new Map();
    expect(split_keywords([1, { a: 2 }])).toEqual([[1], { a: 2 }]);
    expect(split_keywords([1, map])).toEqual([[1, map], {}]);
  });
});

test("a method called as a function finds its self in front", () => {
  const x = torch.arange(4);
  const split: (...args: Any[]) => Any = torch.Tensor.prototype.split;
  expect(split(x, 3).map((part: Any) => part.tolist())).toEqual([[0, 1, 2], [3]]);
  expect(() => split()).toThrow("unbound method Tensor.split() needs an argument");
});

test("a subclass of Tensor prints and splits through __torch_function__", () => {
  class Wrapped extends torch.Tensor {}
  const x = torch.Tensor._make_subclass(Wrapped, torch.tensor([1.5, 2.5]));
  expect(String(x)).toBe("Wrapped([1.5000, 2.5000])");
  expect(x.split(1).map((part) => part.constructor)).toEqual([Wrapped, Wrapped]);
});

test("a signature prints as Python prints it", () => {
  for (const text of ["(a, b=1)", "(a, /, b, *, c='x', d)", "(*args, k=(1, 2), **kw)", "()"])
    expect(String(new Signature(`f${text}`))).toBe(text);
  expect(String(signature(torch.nn.Linear))).toBe("(in_features, out_features, bias=True, device=None, dtype=None)");
  expect(signature(torch.nn.Linear)?.__qualname__).toBe("Linear.__init__");
  expect(signature(torch.add)).toBeNull(); // C++ in PyTorch
});

describe("in the library", () => {
  test("an initializer's keywords", () => {
    const filled = (run: (w: Any) => unknown) => {
      torch.manual_seed(3);
      const w = torch.empty([3, 4]);
      run(w);
      return w.tolist();
    };
    const { init } = torch.nn;
    expect(filled((w) => init.xavier_normal_(w, { gain: 2 }))).toEqual(filled((w) => init.xavier_normal_(w, 2)));
    expect(filled((w) => init.uniform_({ tensor: w, b: 2 }))).toEqual(filled((w) => init.uniform_(w, 0, 2)));
    expect(filled((w) => init.kaiming_uniform_(w, { mode: "fan_out", nonlinearity: "relu" }))).toEqual(
      filled((w) => init.kaiming_uniform_(w, 0, "fan_out", "relu")),
    );
  });

  test("a module's methods", () => {
    const net = new torch.nn.Sequential(new torch.nn.Linear(2, 2), new torch.nn.ReLU({ inplace: true }));
    expect([...net.parameters({ recurse: false })]).toEqual([]);
    expect([...net.parameters()].length).toBe(2);
    expect([...net.named_parameters("net", { recurse: true })].map(([name]) => name)).toEqual([
      "net.0.weight",
      "net.0.bias",
    ]);
    expect(net.train({ mode: false }).training).toBe(false);
    expect(() => net.parameters({ recursive: false } as Any)).toThrow(
      "Module.parameters() got an unexpected keyword argument 'recursive'",
    );
  });

  test("state dicts are dicts, whatever is in them", () => {
    const net = new torch.nn.Linear(1, 1, { bias: false });
    expect(String(net.load_state_dict({ weight: torch.ones([1, 1]) }))).toBe("<All keys matched successfully>");
    expect(net.load_state_dict({ strict: torch.ones(1) }, { strict: false }).unexpected_keys).toEqual(["strict"]);
    expect(() => net.load_state_dict({ strict: torch.ones(1) })).toThrow('Unexpected key(s) in state_dict: "strict"');
    expect(net.load_state_dict(new Map([["weight", torch.ones([1, 1])]]), false).missing_keys).toEqual([]);
  });

  test("constructors", () => {
    expect(new torch.nn.Parameter(torch.ones(1), { requires_grad: false }).requires_grad).toBe(false);
    expect(String(new torch.nn.Linear({ in_features: 2, out_features: 3 }))).toBe(
      "Linear(in_features=2, out_features=3, bias=True)",
    );
    expect(new torch.nn.CrossEntropyLoss(null, { reduction: "sum" }).reduction).toBe("sum");
    expect(() => new (torch.nn.Sigmoid as Any)({ inplace: true })).toThrow(
      "Sigmoid.__init__() got an unexpected keyword argument 'inplace'",
    );
    expect(() => new (torch.nn.Tanh as Any)(1, 2)).toThrow(
      "Tanh.__init__() takes 1 positional argument but 3 were given",
    );
    const p = [new torch.nn.Parameter(torch.ones(1))];
    expect(new torch.optim.SGD(p, { lr: 0.5 }).param_groups[0]?.["lr"]).toBe(0.5);
    expect(() => new torch.optim.SGD(p, { learning_rate: 0.5 } as Any)).toThrow(
      "SGD.__init__() got an unexpected keyword argument 'learning_rate'",
    );
  });

  test("a module's call", () => {
    const net = new torch.nn.Softmax({ dim: 0 });
    expect(net({ input: torch.zeros(2) }).tolist()).toEqual([0.5, 0.5]);
    expect(() => (net as Any)()).toThrow("Softmax.forward() missing 1 required positional argument: 'input'");
    expect(() => (net as Any)(torch.zeros(2), 0)).toThrow(
      "Softmax.forward() takes 2 positional arguments but 3 were given",
    );
  });

  test("scopes take their body last, behind keywords too", () => {
    const { no_grad, set_grad_enabled, inference_mode, is_grad_enabled } = torch;
    expect([no_grad(is_grad_enabled), set_grad_enabled({ mode: false }, is_grad_enabled)]).toEqual([false, false]);
    expect(inference_mode(() => torch.is_inference_mode_enabled())).toBe(true);
    expect(inference_mode(false, () => torch.is_inference_mode_enabled())).toBe(false);
    expect(is_grad_enabled()).toBe(true);
    const hooks = { pack_hook: (x: Any) => x, unpack_hook: (x: Any) => x };
    expect(torch.autograd.graph.saved_tensors_hooks(hooks, () => 7)).toBe(7);
  });
});
