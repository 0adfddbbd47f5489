import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const { AveragedModel, get_ema_avg_fn, get_swa_avg_fn, get_ema_multi_avg_fn, update_bn } = torch.optim.swa_utils;

test("the copy is the model's own, and is called like it", () => {
  const model = new torch.nn.Sequential(new torch.nn.Linear(2, 3), new torch.nn.ReLU(), new torch.nn.Linear(3, 1));
  const averaged = new AveragedModel(model);
  const x = torch.randn(4, 2);
  expect(torch.equal(averaged(x), model(x))).toBe(true);
  expect([...averaged.state_dict().keys()].sort()).toEqual(
    ["n_averaged", ...[...model.state_dict().keys()].map((key: string) => `module.${key}`)].sort(),
  );
  torch.no_grad(() => {
    for (const p of model.parameters()) p.add_(1);
  });
  expect(torch.equal(averaged(x), model(x))).toBe(false);
  averaged.update_parameters(model);
  expect(torch.equal(averaged(x), model(x))).toBe(true);
});

test("one function of the two, and a decay between 0 and 1", () => {
  const model = new torch.nn.Linear(1, 1);
  expect(() => new AveragedModel(model, { avg_fn: get_swa_avg_fn(), multi_avg_fn: get_ema_multi_avg_fn() })).toThrow(
    "Only one of avg_fn and multi_avg_fn should be provided",
  );
  expect(() => get_ema_avg_fn(1.5)).toThrow("Invalid decay value 1.5 provided. Please provide a value in [0,1] range.");
});

test("update_bn runs the data once, each batch counting the same", () => {
  class Statistics extends torch.nn.Module {
    momentum: number | null = 0.1;
    resets = 0;
    seen: (number | null)[] = [];
    reset_running_stats(): void {
      this.resets++;
    }
    override forward(x: Any): Any {
      this.seen.push(this.training ? this.momentum : -1);
      return x;
    }
  }
  const statistics = new Statistics();
  const model = new torch.nn.Sequential(statistics).eval();
  update_bn([torch.ones(1), [torch.ones(1), "label"]], model);
  expect([statistics.resets, statistics.seen, statistics.momentum, model.training]).toEqual([
    1,
    [null, null],
    0.1,
    false,
  ]);
});

test("a module's deep copy shares nothing but what was shared in it", () => {
  const linear: Any = new torch.nn.Linear(2, 2);
  const model: Any = new torch.nn.Sequential(linear, linear);
  model.note = { sizes: [1, 2] };
  let calls = 0;
  linear.register_forward_hook(() => void calls++);
  const copy = model.__deepcopy__(new Map());
  expect(String(copy)).toBe(String(model));
  expect(copy[0]).toBe(copy[1]);
  expect(copy[0]).not.toBe(linear);
  expect(copy[0].weight).toBeInstanceOf(torch.nn.Parameter);
  copy.note.sizes.push(3);
  expect(model.note.sizes).toEqual([1, 2]);
  copy(torch.ones(1, 2));
  expect(calls).toBe(2);
  copy[0].weight = new torch.nn.Parameter(torch.zeros(2, 2));
  expect(linear.weight.count_nonzero?.() ?? linear.weight.abs().sum().item()).not.toBe(0);
});
