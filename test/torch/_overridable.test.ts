/**
 * Arguments that a function declared by `def_overridable` hands over. The handed-over arguments of each PyTorch function are recorded in
 * overrides.test.ts; here stand the rules.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { def_overridable } from "#torch/_overridable";

type Call = (...args: unknown[]) => unknown;

/** A value that overrides, and gives back what it was handed. */
class Override {
  static __torch_function__(...handed: unknown[]): unknown {
    return handed;
  }
}
class Other extends Override {}

const x = new Override();
const t = torch.ones(1);

/** Values by short names: `t` is a tensor, `x` overrides, a class or function has its name. */
function shown(value: unknown): unknown {
  if (value === t) return "t";
  if (value instanceof Override) return "x";
  if (typeof value === "function") return value.name;
  if (Array.isArray(value)) return value.map(shown);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, shown(v)]));
}

/** A function that gives back its arguments. */
function declared(text: string, handed = {}): Call {
  const f = def_overridable(text, (...args: unknown[]) => args, null, handed) as unknown as Call;
  return (...args) => shown(f(...args));
}

describe("the signature says", () => {
  const f = declared("f(a: Tensor, n, b: Tensor=None, how='mean')");

  test("who may override: the arguments annotated Tensor", () => {
    expect(f(x, 1)).toEqual(["f", ["Override"], ["x", 1], { b: null, how: "mean" }]);
    expect(f(t, 1, x)).toEqual(["f", ["Tensor", "Override"], ["t", 1], { b: "x", how: "mean" }]);
    expect((f(t, x) as unknown[]).slice(0, 4)).toEqual(["t", "x", null, "mean"]);
    expect(f(t, 1, { how: x })).toEqual(["t", 1, null, "x"]);
  });

  test("what goes by position and what by name, however the call gave it", () => {
    const expected = ["f", ["Override", "Tensor"], ["x", 1], { b: "t", how: "sum" }];
    expect(f(x, 1, t, "sum")).toEqual(expected);
    expect(f({ how: "sum", b: t, n: 1, a: x })).toEqual(expected);
  });

  test("whose class is asked first: a subclass, then the first argument", () => {
    const y = new Other();
    expect(f(x, 1, y)).toHaveProperty("1", ["Other", "Override"]);
    expect(f(y, 1, x)).toHaveProperty("1", ["Other", "Override"]);
    expect(f(x, 1, t)).toHaveProperty("1", ["Override", "Tensor"]);
  });

  test("a starred parameter stands for each of its values", () => {
    const g = declared("g(*tensors: Tensor, indexing=None)");
    expect(g(t, x, { indexing: "ij" })).toEqual(["g", ["Tensor", "Override"], ["t", "x"], { indexing: "ij" }]);
    expect(g(t)).toEqual([["t"], null]);
    expect(g()).toEqual([[], null]);
  });

  test.each([1, 2, 3, 5, 7, 9, 12])("each of %i parameters may be the one that overrides", (n) => {
    const names = Array.from({ length: n }, (_, i) => `p${i}`);
    const h = declared(`h(${names.map((name) => `${name}: Tensor`).join(", ")})`);
    for (let at = 0; at < n; at++) {
      const args = names.map((_, i) => (i === at ? x : t));
      const types = at === 0 ? ["Override", "Tensor"] : ["Tensor", "Override"];
      expect(h(...args)).toEqual(["h", types.slice(0, n), shown(args), {}]);
    }
    expect((h(...names.map(() => t)) as unknown[]).slice(0, n)).toEqual(names.map(() => "t"));
  });

  test("a mode overrides, too", () => {
    class Watch extends torch.overrides.TorchFunctionMode {
      __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[], kwargs?: object): unknown {
        return [func, args, kwargs];
      }
    }
    expect(new Watch().with(() => f(t, 1))).toEqual(["f", ["t", 1], { b: null, how: "mean" }]);
  });
});

describe("where PyTorch does it differently", () => {
  test("another function is handed over", () => {
    const public_api = () => function other() {};
    expect(declared("_f(a: Tensor)", { public_api })(x)).toHaveProperty("0", "other");
  });

  test("all goes by name", () => {
    const f = declared("f(a: Tensor, val)", { kwargs: ["a", "val"] });
    expect(f(x, 1)).toEqual(["f", ["Override"], [], { a: "x", val: 1 }]);
  });

  test("an argument is left out, and is relevant without being checked", () => {
    const f = declared("f(a: Tensor, how='mean', weight=None)", { relevant_args: ["a", "weight"], kwargs: ["how"] });
    expect(f(x, { weight: t })).toEqual(["f", ["Override", "Tensor"], ["x"], { how: "mean" }]);
    expect(f(t, { weight: x })).toEqual(["t", "mean", "x"]);
  });

  test("l1_loss passes on no weight, and mse_loss does", () => {
    const { l1_loss, mse_loss } = torch.nn.functional as unknown as Record<string, Call>;
    const kwargs = { size_average: null, reduce: null, reduction: "mean" };
    expect(shown(l1_loss(x, t, { weight: t }))).toEqual(["l1_loss", ["Override", "Tensor"], ["x", "t"], kwargs]);
    expect(shown(mse_loss(x, t, { weight: t }))).toHaveProperty("3", { ...kwargs, weight: "t" });
  });
});
