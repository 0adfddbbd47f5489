/** Names of PyTorch that wait: each takes its arguments, refuses, and says what to do instead. */
import torch from "glasstorch/jit";
import { expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";

const exp = (x: Any): unknown => x.exp();
const refusal = (name: string): unknown =>
  expect.objectContaining({
    name: "NotImplementedError",
    message: expect.stringMatching(new RegExp(`^${name.replaceAll(".", "\\.")} is not implemented: .`)),
  });

test("transforms of functions stand in a part of their own", () => {
  const { func, vmap } = torch as Any;
  expect(vmap).toBe(func.vmap);
  const doors = { vmap: [exp], grad: [exp], grad_and_value: [exp], vjp: [exp, 1], jvp: [exp, [1], [1]], jacrev: [exp] };
  const more = { jacfwd: [exp], hessian: [exp], linearize: [exp, 1] };
  for (const [name, args] of Object.entries({ ...doors, ...more })) {
    expect(() => func[name](...args), name).toThrow(/write import "glasstorch\/func" before its first use/);
    expect(() => func[name](), name).toThrow(/missing \d required positional argument/);
  }
});

test("packages", () => {
  const calls: Readonly<Record<string, readonly unknown[]>> = {
    "torch.hub.load": ["pytorch/vision", "resnet18", { weights: "DEFAULT" }],
    "torch.hub.load_state_dict_from_url": ["https://example.org/weights.pth"],
    "torch.onnx.export": [exp, [torch.ones(1)], "model.onnx", { opset_version: 18 }],
    "torch.distributed.init_process_group": ["gloo", { rank: 0, world_size: 2 }],
    "torch.fft.fft": [torch.ones(4)],
    "torch.fft.irfft2": [torch.ones(4, 4), { norm: "ortho" }],
    "torch.optim.SparseAdam": [[torch.ones(1)], { lr: 0.1 }],
  };
  for (const [name, args] of Object.entries(calls)) {
    const fn = name
      .split(".")
      .slice(1)
      .reduce<Any>((value, key) => value[key], torch);
    expect(() => fn(...args), name).toThrow(refusal(name));
    expect(() => fn({ no_such_argument: 1 }, 2), name).toThrow();
  }
});

test("classes, with new", () => {
  const { nn, optim } = torch as Any;
  expect(() => new optim.SparseAdam([torch.ones(1)])).toThrow(refusal("torch.optim.SparseAdam"));
  expect(() => new nn.parallel.DistributedDataParallel(new nn.ReLU())).toThrow(/is not implemented: ./);
});

test("what code asks that might be compiled or spread", () => {
  const { jit, compiler, distributed } = torch;
  const answers = [jit.is_scripting(), jit.is_tracing(), compiler.is_compiling(), compiler.is_exporting()];
  expect([...answers, distributed.is_available(), distributed.is_initialized()]).toEqual(Array(6).fill(false));
});
