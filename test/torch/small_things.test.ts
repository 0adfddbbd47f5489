/** Small things that ported programs use: classes of values, sizes, decorators, JSON, assignment by brackets. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";

test("dtype, layout and memory_format are classes", () => {
  expect(torch.float32 instanceof torch.dtype).toBe(true);
  expect(torch.ones(1).dtype instanceof torch.dtype).toBe(true);
  expect(torch.strided instanceof torch.layout).toBe(true);
  expect(torch.channels_last instanceof torch.memory_format).toBe(true);
  for (const other of [torch.strided, "float32", null, 5, torch.ones(1)])
    expect((other as unknown) instanceof torch.dtype).toBe(false);
  expect(() => new (torch as Any).dtype()).toThrow("cannot create 'torch.dtype' instances");
  expect("dtype" in torch).toBe(true);
});

test("a size counts the elements", () => {
  expect((torch.ones(2, 3).shape as Any).numel()).toBe(6);
  expect((torch.ones(2, 3).size() as Any).numel()).toBe(6);
  expect((torch.tensor(1).shape as Any).numel()).toBe(1);
  expect((torch as Any).Size([2, 0]).numel()).toBe(0);
  expect([...torch.ones(2, 3).shape]).toStrictEqual([2, 3]);
  expect(torch.ones(2, 3).shape).toEqual([2, 3]);
  expect(Object.keys(torch.ones(2, 3).shape)).toEqual(["0", "1"]);
  expect(JSON.stringify(torch.ones(2, 3).shape)).toBe("[2,3]");
});

test("contexts decorate functions", () => {
  const w = torch.ones(2, { requires_grad: true });
  const evaluate = torch.no_grad()((factor: number) => w.mul(factor));
  expect([evaluate(2).requires_grad, evaluate(3).tolist(), w.mul(2).requires_grad]).toEqual([false, [3, 3], true]);
  class Net {
    scale = 3;
    run = torch.inference_mode()(function (this: Net) {
      return [this.scale, torch.is_inference_mode_enabled()];
    });
  }
  expect(new Net().run()).toEqual([3, true]);
  const off = torch.set_grad_enabled(false)(() => torch.is_grad_enabled());
  expect([torch.is_grad_enabled(), off(), torch.is_grad_enabled()]).toEqual([true, false, true]);
  expect(() => (torch.no_grad() as Any)(5)).toThrow("'int' object is not callable");
  const fails = torch.no_grad()(() => {
    throw new Error("mine");
  });
  expect(fails).toThrow("mine");
  expect(torch.is_grad_enabled()).toBe(true);
});

test("contexts still work as before", () => {
  {
    using _ = torch.no_grad();
    expect(torch.is_grad_enabled()).toBe(false);
  }
  expect(torch.is_grad_enabled()).toBe(true);
  expect(torch.no_grad(() => torch.is_grad_enabled())).toBe(false);
  const guard = torch.enable_grad();
  guard.__enter__();
  guard.__exit__();
  expect(guard instanceof (torch.enable_grad as Any)).toBe(true);
});

test("a tensor becomes JSON", () => {
  expect(JSON.stringify({ x: torch.tensor([[1, 2], [3, 4]]) })).toBe('{"x":[[1,2],[3,4]]}'); // biome-ignore format: a matrix
  expect(JSON.stringify(new torch.nn.Parameter(torch.tensor(1.5)))).toBe("1.5");
});

test("assignment by brackets is refused", () => {
  const x = torch.ones(2) as Any;
  expect(() => {
    x[0] = 5;
  }).toThrow("write x.set_at(value, index)");
  expect(() => {
    x[x.gt(0)] = 0;
  }).toThrow("write x.set_at(value, index)");
  x.label = "mine";
  expect(x.label).toBe("mine");
});
