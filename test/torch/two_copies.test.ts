/**
 * Two copies of the library in one program, as npm and bundlers load them: what one copy made is refused by the other in one clear
 * sentence, whichever function it is given to.
 */
import torch from "glasstorch";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { callees } from "../helpers/malformed.ts";
import type { Any } from "../helpers/recorded.ts";

const t = torch as Any;
let other: Any;

let usual: ReturnType<typeof setWarningHandler>;
beforeAll(async () => {
  usual = setWarningHandler(() => {});
  vi.resetModules();
  other = (await import("glasstorch")).default;
});
afterAll(() => {
  setWarningHandler(usual);
});

const of_another = "Tensor of another copy of glasstorch";
const refused = `expected an object of this copy, but got ${of_another}`;

/** The calls whose argument the argument parser names, with its words. */
const named: Readonly<Record<string, readonly [(y: Any) => unknown, string]>> = {
  sum: [(y) => t.sum(y), `sum(): argument 'input' (position 1) must be Tensor, not ${of_another}`],
  add: [(y) => t.add(t.ones([2]), y), `add(): argument 'other' (position 2) must be Tensor, not ${of_another}`],
  "x.add": [(y) => t.ones([2]).add(y), `add(): argument 'other' (position 1) must be Tensor, not ${of_another}`],
  mul_: [(y) => t.ones([2]).mul_(y), `mul_(): argument 'other' (position 1) must be Tensor, not ${of_another}`],
  "out=": [(y) => t.sin(t.ones([2]), { out: y }), `sin(): argument 'out' must be Tensor, not ${of_another}`],
  stack: [(y) => t.stack([y, y]), `expected Tensor as element 0 in argument 0, but got ${of_another}`],
  equal: [(y) => t.equal(t.ones([2]), y), `equal(): argument 'other' (position 2) must be Tensor, not ${of_another}`],
  Linear: [
    (y) => new t.nn.Linear(2, 2)(y),
    `linear(): argument 'input' (position 1) must be Tensor, not ${of_another}`,
  ],
};

describe("a tensor of another copy", () => {
  test.each(Object.keys(named))("%s", (name) => {
    const [call, message] = named[name]!;
    expect(() => call(other.ones([2]))).toThrow(message);
  });

  test.each<[string, (y: Any) => unknown]>([
    ["where", (y) => t.where(t.tensor([true, false]), y, t.ones([2]))],
    ["at", (y) => t.ones([2]).at(y)],
    ["set_at", (y) => t.ones([2]).set_at(y, 0)],
    ["Parameter", (y) => new t.nn.Parameter(y)],
    ["Buffer", (y) => new t.nn.Buffer(y)],
    ["an index", (y) => t.ones([2]).sum(y)],
    ["a size", (y) => t.ones([y])],
    ["a number", (y) => t.full([2], y)],
    ["relu", (y) => t.nn.functional.relu(y)],
    ["tanh", (y) => t.nn.functional.tanh(y)],
    ["init", (y) => t.nn.init.zeros_(y)],
    ["a method of the other class", (y) => t.Tensor.prototype.add.call(y, y)],
    ["backward", (y) => t.autograd.backward(y)],
    ["an optimizer", (y) => new t.optim.SGD([y], { lr: 0.1 })],
    ["a distribution", (y) => new t.distributions.Normal(y, 1)],
    ["save", (y) => t.save([y])],
    ["clip_grad_norm_", (y) => t.nn.utils.clip_grad_norm_([y], 1)],
    ["a module's attribute", (y) => Object.assign(new t.nn.ReLU(), { weight: y })],
  ])("%s", (_, call) => {
    for (const y of [other.tensor(1), other.tensor([0, 1]), new other.nn.Parameter(other.ones([2]))]) {
      expect(() => call(y)).toThrow(/another copy of glasstorch|Expected output to be a torch.Tensor/);
    }
  });

  test("leaves torch functions as they were, in both copies", () => {
    expect(() => t.sum(other.ones([2]))).toThrow(of_another);
    expect(() => other.sum(t.ones([2]))).toThrow(of_another);
    for (const copy of [t, other]) {
      expect(copy.overrides.has_torch_function([copy.ones([1])])).toBe(false);
      expect(copy._C._is_torch_function_enabled?.() ?? true).toBe(true);
      expect(copy.sum(copy.ones([2])).item()).toBe(2);
    }
  });

  test("of a subclass is refused too", () => {
    class Named extends other.Tensor {}
    const y = other.ones([2]).as_subclass(Named);
    expect(() => t.sum(y)).toThrow("must be Tensor, not Named of another copy of glasstorch");
    expect(other.sum(y).item()).toBe(2);
  });

  test("refused by a function that would only call its methods", () => {
    expect(() => t.nn.functional.tanh(other.ones([2]))).toThrow(refused);
  });
});

describe("other objects of another copy", () => {
  test.each<[string, () => unknown, string]>([
    ["dtype", () => t.ones([2], { dtype: other.float64 }), "must be torch.dtype, not torch.dtype of another copy"],
    ["device", () => t.ones([2], { device: other.device("cpu") }), "torch.device of another copy"],
    ["device()", () => t.device(other.device("cpu")), "expected a torch.device, not torch.device of another copy"],
    ["default dtype", () => t.set_default_dtype(other.float64), "but got torch.dtype of another copy"],
    ["layout", () => t.ones([2], { layout: other.strided }), "must be torch.layout, not torch.layout of another copy"],
    [
      "memory format",
      () => t.ones([1, 1, 1, 1]).contiguous({ memory_format: other.channels_last }),
      "must be torch.memory_format, not torch.memory_format of another copy",
    ],
    [
      "generator",
      () => t.rand([2], { generator: new other.Generator() }),
      "torch._C.Generator of another copy of glasstorch",
    ],
    ["Float", () => t.full([2], other.Float(2)), "of another copy of glasstorch"],
    ["storage", () => t.empty([0]).set_(other.ones([2]).untyped_storage()), "UntypedStorage of another copy"],
    ["module", () => new t.nn.Sequential(new other.nn.ReLU()), "ReLU of another copy of glasstorch"],
    ["a module in a list", () => new t.nn.ModuleList([new other.nn.ReLU()]), "ReLU of another copy of glasstorch"],
    [
      "a module as an attribute",
      () => Object.assign(new t.nn.ReLU(), { inner: new other.nn.ReLU() }),
      "cannot assign 'torch.nn.modules.activation.ReLU of another copy of glasstorch' as attribute 'inner'",
    ],
    [
      "a module as a class field",
      () => {
        class Net extends t.nn.Module {
          inner = new other.nn.ReLU();
        }
        return [...(new Net() as Any).parameters()];
      },
      "cannot assign 'torch.nn.modules.activation.ReLU of another copy of glasstorch' as attribute 'inner'",
    ],
    [
      "an optimizer in a scheduler",
      () => new t.optim.lr_scheduler.StepLR(new other.optim.SGD([other.ones([1])], { lr: 1 }), 1),
      "SGD of another copy of glasstorch",
    ],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(message);
  });
});

test("no function lets the other copy call it without end, or fails inside", () => {
  const faults: string[] = [];
  for (const { name, call, good } of callees())
    for (const args of [[other.ones([2])], [good(), other.ones([2])], [[other.ones([2])]]]) {
      try {
        call(...args);
      } catch (error) {
        if ([TypeError, RangeError].includes((error as Any).constructor)) faults.push(`${name}: ${error}`);
      }
    }
  expect(faults).toEqual([]);
});
