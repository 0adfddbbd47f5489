/** @file Constructors that run on an object that is already there, as Python's `super().__init__()` does. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { Allocated, allocate, construct_on } from "#python/Objects/allocated";
import type { Tensor } from "#torch/_tensor/index";
import type { Linear } from "#torch/nn/modules/linear/index";
import type { Module } from "#torch/nn/modules/module/index";
import type { Optimizer } from "#torch/optim/optimizer/index";

/** A subclass as Python makes it: a function whose prototype descends from that of the base. */
function subclass(base: { readonly prototype: object }): new () => object {
  const cls = function () {} as unknown as new () => object;
  Object.defineProperty(cls, "prototype", { value: Object.create(base.prototype, { constructor: { value: cls } }) });
  return cls;
}

type Any = Record<string, unknown> & ((...args: unknown[]) => unknown);
type Base = Parameters<typeof construct_on>[1];
const self_of = (base: Base, cls: { readonly prototype: object }): Any => allocate(base, cls.prototype) as Any;

describe("modules", () => {
  const { nn } = torch;
  const MyLinear = subclass(nn.Linear);

  test("a constructor fills the object that is there", () => {
    const self = self_of(nn.Linear, MyLinear);
    self["scale"] = 2;
    construct_on(self, nn.Linear, [3, 4]);
    expect(self).toBeInstanceOf(MyLinear);
    expect(self).toBeInstanceOf(nn.Linear);
    expect([self["scale"], self["in_features"], self["training"]]).toEqual([2, 3, true]);
    expect([...(self as unknown as Module).named_parameters()].map(([name]) => name)).toEqual(["weight", "bias"]);
    expect((self(torch.ones([2, 3])) as Tensor).shape).toEqual([2, 4]);
  });

  test("an object that a constructor makes before super() is another", () => {
    class Pair extends nn.Module {
      other: Linear;
      constructor() {
        const other = new nn.Linear(1, 2);
        super();
        this.other = other;
      }
    }
    const self = self_of(Pair, subclass(Pair));
    construct_on(self, Pair, []);
    expect(self["other"]).toBeInstanceOf(nn.Linear);
    expect(self["other"]).not.toBe(self);
    expect([...(self as unknown as Module).children()]).toEqual([self["other"]]);
  });

  test("new.target is the class of the object, and the next object is a new one", () => {
    const self = self_of(nn.Upsample, subclass(nn.Upsample));
    construct_on(self, nn.Upsample, [2]);
    expect(new nn.Linear(1, 1)).not.toBe(self);
    expect(() => construct_on(self, nn.Linear, ["x", 1])).toThrow();
    expect(new nn.Linear(1, 1)).not.toBe(self);
  });

  // Texts as PyTorch gives them.
  test.each([
    ["a module", (self: Any) => set(self, new nn.Linear(1, 1)), "cannot assign module before Module.__init__() call"],
    [
      "a parameter",
      (self: Any) => set(self, new nn.Parameter(torch.ones(1))),
      "cannot assign parameters before Module.__init__() call",
    ],
    [
      "a buffer",
      (self: Any) => set(self, new nn.Buffer(torch.ones(1))),
      "cannot assign buffer before Module.__init__() call",
    ],
    [
      "register_parameter",
      (self: Any) => run(self, "register_parameter", "p", null),
      "cannot assign parameter before Module.__init__() call",
    ],
    [
      "register_buffer",
      (self: Any) => run(self, "register_buffer", "p", null),
      "cannot assign buffer before Module.__init__() call",
    ],
    ["a call", (self: Any) => self(1), "'A' object has no attribute '_backward_hooks'"],
    ["_parameters", (self: Any) => self["_parameters"], "'A' object has no attribute '_parameters'"],
    ["train", (self: Any) => run(self, "train"), "'A' object has no attribute '_modules'"],
    ["state_dict", (self: Any) => run(self, "state_dict"), "'A' object has no attribute '_state_dict_pre_hooks'"],
    [
      "load_state_dict",
      (self: Any) => run(self, "load_state_dict", {}),
      "'A' object has no attribute '_load_state_dict_pre_hooks'",
    ],
    [
      "a hook",
      (self: Any) => run(self, "register_forward_hook", () => null),
      "'A' object has no attribute '_forward_hooks'",
    ],
    ["repr", (self: Any) => String(self), "'A' object has no attribute '_modules'"],
    ["an absent name", (self: Any) => run(self, "__getattr__", "y"), "'A' object has no attribute 'y'"],
  ] as const)("before Module.__init__: %s", (_, use, text) => {
    const A = Object.defineProperty(subclass(nn.Module), "name", { value: "A" });
    const self = self_of(nn.Module, A);
    set(self, 3); // a plain attribute is allowed
    expect(self["x"]).toBe(3);
    expect(() => use(self)).toThrow(expect.objectContaining({ name: "AttributeError", message: text }));
  });

  const run = (self: Any, name: string, ...args: unknown[]): unknown => (self[name] as Any).call(self, ...args);
  const set = (self: Any, value: unknown): unknown => run(self, "__setattr__", "x", value);
});

describe("other classes that programs extend", () => {
  const weight = torch.nn.Parameter;
  const optimizer = (): Optimizer => new torch.optim.SGD([new weight(torch.ones(1))], { lr: 0.5 });
  test.each([
    [
      "Optimizer",
      torch.optim.Optimizer,
      [[new weight(torch.ones(1))], { lr: 0.5 }],
      (self: Any) => (self["param_groups"] as Any[])[0]?.["lr"],
      0.5,
    ],
    [
      "SGD",
      torch.optim.SGD,
      [[new weight(torch.ones(1))], { lr: 0.5 }],
      (self: Any) => (self["defaults"] as Any)["lr"],
      0.5,
    ],
    ["Dataset", torch.utils.data.Dataset, [], () => 0, 0],
    ["TensorDataset", torch.utils.data.TensorDataset, [torch.ones(3)], (self: Any) => self["length"], 3],
    [
      "Sampler",
      torch.utils.data.SequentialSampler,
      [[1, 2]],
      (self: Any) => [...(self as unknown as Iterable<number>)],
      [0, 1],
    ],
    ["LRScheduler", torch.optim.lr_scheduler.StepLR, [optimizer(), 2], (self: Any) => self["step_size"], 2],
    ["Distribution", torch.distributions.Normal, [0, 1], (self: Any) => (self["loc"] as Tensor).item(), 0],
    ["Transform", torch.distributions.ExpTransform, [], (self: Any) => (self(torch.zeros(1)) as Tensor).item(), 1],
    ["Constraint", torch.distributions.constraints.Constraint, [], () => 0, 0],
    ["TorchDispatchMode", torch.utils._python_dispatch.TorchDispatchMode, [], () => 0, 0],
    ["DataLoader", torch.utils.data.DataLoader, [[1, 2]], (self: Any) => self["batch_size"], 1],
  ] as const)("%s", (_, base, args, ask, expected) => {
    const base_ = base as unknown as Base;
    const cls = subclass(base_);
    const self = self_of(base_, cls);
    self["mine"] = 1;
    construct_on(self, base_, args);
    expect(self).toBeInstanceOf(cls);
    expect(self["mine"]).toBe(1);
    expect(ask(self)).toEqual(expected);
  });

  test("a method `__init__` of the subclass is not called", () => {
    const calls: string[] = [];
    for (const [base, args] of [
      [torch.optim.lr_scheduler.LRScheduler, [optimizer()]],
      [torch.optim.lr_scheduler.StepLR, [optimizer(), 1]],
      [torch.distributions.Distribution, []],
      [torch.distributions.Normal, [0, 1]],
    ] as const) {
      const base_ = base as unknown as Base;
      const cls = subclass(base_);
      Object.defineProperty(cls.prototype, "__init__", { value: () => calls.push(cls.name) });
      Object.defineProperty(cls.prototype, "get_lr", { value: () => [0.5] });
      Object.defineProperty(cls.prototype, "arg_constraints", { value: {} });
      const self = self_of(base_, cls);
      construct_on(self, base_, args);
      expect(self["_step_count"] ?? self["_batch_shape"]).toBeDefined();
    }
    expect(calls).toEqual([]);
  });

  test("a tensor of a class with another prototype", () => {
    const cls = subclass(torch.Tensor) as unknown as typeof torch.Tensor;
    const x = torch.Tensor._make_subclass(cls, torch.ones(2), true);
    expect([x instanceof cls, x.requires_grad, x.sum().item()]).toEqual([true, true, 2]);
    expect(torch.ones(2).as_subclass(cls)).toBeInstanceOf(cls);
    expect(Reflect.construct(torch.Tensor, [2, 3], cls)).toBeInstanceOf(cls);
  });

  test("the root alone", () => {
    const self = allocate(Allocated);
    construct_on(self, Allocated, []);
    expect(self).toBeInstanceOf(Allocated);
    expect(new Allocated()).not.toBe(self);
  });
});
