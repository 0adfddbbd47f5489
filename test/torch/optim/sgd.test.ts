import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { SGDOptions } from "#torch/optim/sgd";
import type { Any } from "../../helpers/recorded.ts";

/** Three steps of a parameter [1.5, -2.5] whose gradient is always [0.5, 0.25]. */
function run(options: SGDOptions): number[] {
  const p = torch.tensor([1.5, -2.5], { dtype: torch.float64, requires_grad: true });
  const optimizer = new torch.optim.SGD([p], options);
  for (let i = 0; i < 3; i++) {
    p.grad = torch.tensor([0.5, 0.25], { dtype: torch.float64 });
    optimizer.step();
  }
  return p.tolist();
}

describe("values", () => {
  // Worked by hand from the update rule.
  test("plain", () => {
    expect(run({ lr: 0.5 })).toEqual([0.75, -2.875]);
  });
  test("momentum: the first buffer is the gradient itself", () => {
    expect(run({ lr: 0.5, momentum: 0.5 })).toEqual([
      1.5 - 0.5 * (0.5 + 0.75 + 0.875),
      -2.5 - 0.5 * (0.25 + 0.375 + 0.4375),
    ]);
  });
  test("nesterov looks ahead", () => {
    expect(run({ lr: 0.5, momentum: 0.5, nesterov: true })).toEqual([
      1.5 - 0.5 * (0.75 + 0.875 + 0.9375),
      -2.5 - 0.5 * (0.375 + 0.4375 + 0.46875),
    ]);
  });
  test("maximize climbs", () => {
    expect(run({ lr: 0.5, maximize: true })).toEqual([2.25, -2.125]);
  });
});

test("a loss falls", () => {
  torch.manual_seed(0);
  const net = new torch.nn.Linear(2, 1);
  const x = torch.randn(16, 2);
  const y = x.mul(torch.tensor([1.5, -0.5])).sum(1, { keepdim: true });
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
  const loss = () => net(x).sub(y).pow(2).mean();
  const before = loss().item();
  for (let i = 0; i < 100; i++) {
    optimizer.zero_grad();
    loss().backward();
    optimizer.step();
  }
  expect(loss().item()).toBeLessThan(before * 1e-3);
});

test("constructor arguments are checked", () => {
  const p = () => new torch.nn.Parameter(torch.ones(2));
  const make =
    (params: unknown, options: SGDOptions = {}) =>
    () =>
      new torch.optim.SGD(params as never, options);
  expect(make([])).toThrow("optimizer got an empty parameter list");
  expect(make([3])).toThrow("optimizer can only optimize Tensors, but one of the params is int");
  expect(make(torch.ones(2))).toThrow(
    "params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.FloatTensor",
  );
  expect(make([p().mul(2)])).toThrow("can't optimize a non-leaf Tensor");
  expect(make([p()], { lr: -1 })).toThrow("Invalid learning rate: -1");
  expect(make([p()], { momentum: -1 })).toThrow("Invalid momentum value: -1");
  expect(make([p()], { lr: 0.1, nesterov: true })).toThrow("Nesterov momentum requires a momentum and zero dampening");
  const shared = p();
  expect(make([{ params: [shared] }, { params: [shared] }])).toThrow(
    "some parameters appear in more than one parameter group",
  );
});

test("state goes out under numbers and comes back", () => {
  const make = () => new torch.optim.SGD([new torch.nn.Parameter(torch.ones(1))], { lr: 0.1, momentum: 0.9 });
  const [a, b] = [make(), make()];
  const [p] = (a.param_groups[0] as { params: torch_Tensor[] }).params as [torch_Tensor];
  p.grad = torch.tensor([0.5]);
  a.step();
  const state = a.state_dict();
  expect(state.param_groups[0]?.params).toEqual([0]);
  b.load_state_dict(state);
  expect(String(b.state_dict().state[0]?.["momentum_buffer"])).toBe("tensor([0.5000])");
});
type torch_Tensor = import("#torch/_tensor/index").Tensor;

test("hooks run around the step", () => {
  const p = new torch.nn.Parameter(torch.ones(1));
  const optimizer = new torch.optim.SGD([p], { lr: 0.1 });
  const seen: string[] = [];
  optimizer.register_step_pre_hook(() => void seen.push("pre"));
  const handle = optimizer.register_step_post_hook(() => void seen.push("post"));
  optimizer.step();
  handle.remove();
  optimizer.step();
  expect(seen).toEqual(["pre", "post", "pre"]);
});

test("repr is PyTorch's", () => {
  expect(String(new torch.optim.SGD([new torch.nn.Parameter(torch.ones(1))], { lr: 0.1 }))).toBe(`SGD (
Parameter Group 0
    dampening: 0
    differentiable: False
    foreach: None
    fused: None
    lr: 0.1
    maximize: False
    momentum: 0
    nesterov: False
    weight_decay: 0
)`);
});

test("a torch.Float among the options stays one, and computes as its number does", () => {
  const run = (lr: Any, weight_decay: Any): Any => {
    const p = new torch.nn.Parameter(torch.ones(2));
    const o = new torch.optim.SGD([p], { lr, weight_decay, momentum: torch.Float(0) as Any });
    p.grad = torch.ones(2);
    o.step();
    return [o, p.tolist()];
  };
  const [o, values] = run(torch.Float(1), torch.Float(0));
  expect(values).toEqual(run(1, 0)[1]);
  expect(o.defaults.lr).toBeInstanceOf(torch.Float);
  expect(o.param_groups[0].lr).toBeInstanceOf(torch.Float);
  expect(String(o)).toContain("    lr: 1.0\n");
  expect(String(o)).toContain("    weight_decay: 0.0\n");
  expect(o.state_dict().state.size).toBe(0); // momentum 0.0 keeps no buffer
  expect(o.state_dict().param_groups[0].lr).toBeInstanceOf(torch.Float);
  new torch.optim.SGD([new torch.nn.Parameter(torch.ones(1))], {
    lr: 0.1,
    momentum: 0.9,
    dampening: torch.Float(0) as Any,
    nesterov: true,
  });
});
