import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import type { Any } from "../../helpers/recorded.ts";

const { lr_scheduler, SGD } = torch.optim;
const sgd = (lr: Any = 1, groups = 1): Any =>
  new SGD(
    Array.from({ length: groups }, () => ({ params: [new torch.nn.Parameter(torch.ones(1))] })),
    { lr, momentum: 0.9 },
  );
const lr_of = (o: Any): number => Number(o.param_groups[0].lr);

function warnings_of(fn: () => void): string[] {
  const seen: string[] = [];
  const previous = setWarningHandler(({ msg }) => seen.push(msg));
  try {
    fn();
  } finally {
    setWarningHandler(previous);
  }
  return seen;
}

const makers: Record<string, (o: Any) => Any> = {
  LambdaLR: (o) => new lr_scheduler.LambdaLR(o, (epoch) => 1 / (1 + epoch)),
  MultiplicativeLR: (o) => new lr_scheduler.MultiplicativeLR(o, () => 0.9),
  StepLR: (o) => new lr_scheduler.StepLR(o, 2),
  MultiStepLR: (o) => new lr_scheduler.MultiStepLR(o, [2, 3, 3]),
  ConstantLR: (o) => new lr_scheduler.ConstantLR(o),
  LinearLR: (o) => new lr_scheduler.LinearLR(o),
  ExponentialLR: (o) => new lr_scheduler.ExponentialLR(o, 0.9),
  PolynomialLR: (o) => new lr_scheduler.PolynomialLR(o, { power: 2, total_iters: 9 }),
  CosineAnnealingLR: (o) => new lr_scheduler.CosineAnnealingLR(o, 5),
  CosineAnnealingWarmRestarts: (o) => new lr_scheduler.CosineAnnealingWarmRestarts(o, 2, 2),
  CyclicLR: (o) => new lr_scheduler.CyclicLR(o, 0.1, 0.5, 3, { mode: "exp_range", gamma: 0.9 }),
  OneCycleLR: (o) => new lr_scheduler.OneCycleLR(o, 0.5, { total_steps: 12 }),
  SequentialLR: (o) =>
    new lr_scheduler.SequentialLR(
      o,
      [new lr_scheduler.ConstantLR(o, 0.1, 2), new lr_scheduler.ExponentialLR(o, 0.9)],
      [3],
    ),
  ChainedScheduler: (o) =>
    new lr_scheduler.ChainedScheduler([new lr_scheduler.LinearLR(o), new lr_scheduler.StepLR(o, 3)]),
};

describe.each(Object.entries(makers))("%s", (_, make) => {
  test("goes on from a saved state", () => {
    const [a, b] = [sgd(0.5), sgd(0.5)];
    const [first, second] = [make(a), make(b)];
    const step = (o: Any, s: Any) => {
      o.step();
      s.step();
    };
    for (let i = 0; i < 4; i++) step(a, first);
    const saved = first.state_dict();
    expect(saved).not.toHaveProperty("optimizer");
    second.load_state_dict(saved);
    b.load_state_dict(a.state_dict());
    expect(second.get_last_lr()).toEqual(first.get_last_lr());
    for (let i = 0; i < 5; i++) {
      step(a, first);
      step(b, second);
      expect(lr_of(b)).toBe(lr_of(a));
    }
  });

  test("a rate that is a tensor stays one, and goes the same way", () => {
    const rate = torch.tensor(0.5, { dtype: torch.float64 });
    const [a, b] = [sgd(rate), sgd(0.5)];
    const [first, second] = [make(a), make(b)];
    for (let i = 0; i < 8; i++) {
      for (const [o, s] of [
        [a, first],
        [b, second],
      ] as const) {
        o.step();
        s.step();
      }
      expect(a.param_groups[0].lr).toBe(rate);
      expect(rate.item()).toBeCloseTo(lr_of(b), 12);
    }
  });
});

test("a step before the optimizer's is warned of, once", () => {
  const o = sgd();
  const s = new lr_scheduler.StepLR(o, 1);
  const seen = warnings_of(() => {
    s.step();
    s.step();
  });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toContain("Detected call of `lr_scheduler.step()` before `optimizer.step()`.");
  const overridden = sgd();
  const late = new lr_scheduler.StepLR(overridden, 1);
  overridden.step = () => null;
  expect(warnings_of(() => late.step())[0]).toContain("Seems like `optimizer.step()` has been overridden");
});

test("get_lr is for steps; others ask get_last_lr", () => {
  const s = new lr_scheduler.ExponentialLR(sgd(), 0.5);
  expect(warnings_of(() => s.get_lr())).toEqual([
    "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
  ]);
  expect(s.get_last_lr()).toEqual([1]);
});

test("an epoch may be given: the closed form, and a warning", () => {
  const o = sgd();
  const s = new lr_scheduler.StepLR(o, 2, 0.5);
  const seen = warnings_of(() => s.step({ epoch: 5 }));
  expect(seen.some((msg) => msg.startsWith("The epoch parameter in `scheduler.step()` was not necessary"))).toBe(true);
  expect([lr_of(o), s.last_epoch]).toEqual([0.25, 5]);
  const w = new lr_scheduler.CosineAnnealingWarmRestarts(sgd(), 2, 2);
  w.step(4.5);
  expect([w.last_epoch, w.T_cur, w.T_i]).toEqual([4, 2.5, 4]);
});

test("resuming needs the first rates", () => {
  const o = sgd();
  expect(() => new lr_scheduler.StepLR(o, 2, { last_epoch: 3 })).toThrow(
    "param 'initial_lr' is not specified in param_groups[0] when resuming scheduler with last_epoch >= 0.",
  );
  o.param_groups[0].initial_lr = 2;
  const s = new lr_scheduler.ExponentialLR(o, { gamma: 0.5, last_epoch: 3 });
  expect([s.last_epoch, s.base_lrs]).toEqual([4, [2]]);
});

test("what is no optimizer is refused, and a wrong number of functions", () => {
  expect(() => new lr_scheduler.StepLR({} as Any, 2)).toThrow();
  expect(() => new lr_scheduler.StepLR(3 as Any, 2)).toThrow("int is not an Optimizer");
  expect(() => new lr_scheduler.LambdaLR(sgd(), [() => 1, () => 1])).toThrow("Expected 1 lr_lambdas, but got 2");
  expect(() => new lr_scheduler.MultiplicativeLR(sgd(), 3 as Any)).toThrow(
    "lr_lambda should be a function, but got int",
  );
});

test("a group that comes later is noticed", () => {
  const o = sgd();
  const s = new lr_scheduler.LambdaLR(o, () => 1);
  o.add_param_group({ params: [new torch.nn.Parameter(torch.ones(1))] });
  o.step();
  expect(() => s.step()).toThrow("zip() argument 2 is shorter than argument 1");
});

test("schedulers of one optimizer cannot be joined with another's", () => {
  const [a, b] = [sgd(), sgd()];
  expect(
    () => new lr_scheduler.SequentialLR(a, [new lr_scheduler.StepLR(a, 1), new lr_scheduler.StepLR(b, 1)], [2]),
  ).toThrow(
    "SequentialLR expects all schedulers to belong to the same optimizer, but got scheduler StepLR at index 1 has SGD (",
  );
});

test("momentum of an Adam is its first beta", () => {
  const o = new torch.optim.Adam([new torch.nn.Parameter(torch.ones(1))]);
  const s = new lr_scheduler.OneCycleLR(o, 0.1, { total_steps: 10 });
  expect(o.param_groups[0]?.["betas"]).toEqual([0.95, 0.999]);
  o.step();
  s.step();
  expect(o.param_groups[0]?.["betas"][0]).toBeLessThan(0.95);
  const plain = new torch.optim.Adagrad([new torch.nn.Parameter(torch.ones(1))]);
  expect(() => new lr_scheduler.CyclicLR(plain, 0.1, 1)).toThrow(
    "optimizer must support momentum or beta1 with `cycle_momentum` option enabled",
  );
});

test("a plateau: a metric may be a tensor, a new group takes the common bound", () => {
  const o = sgd();
  const s = new lr_scheduler.ReduceLROnPlateau(o, { patience: 0, factor: 0.5 });
  s.step(torch.tensor(1));
  s.step({ metrics: 2 });
  expect([lr_of(o), s.best, s.in_cooldown]).toEqual([0.5, 1, false]);
  o.add_param_group({ params: [new torch.nn.Parameter(torch.ones(1))] });
  s.step(3);
  expect(s.min_lrs).toEqual([0, 0]);
  expect(() => s.step("bad")).toThrow("could not convert string to float: 'bad'");
});

test("a user's scheduler sets its attributes first: see Note [A scheduler computes when it is made]", () => {
  class Ramp extends lr_scheduler.LRScheduler {
    declare by: number;
    constructor(optimizer: Any, by: number) {
      super();
      this.by = by;
      this.__init__(optimizer);
    }
    override get_lr(): number[] {
      return this.base_lrs.map((lr) => Number(lr) + this.by * this.last_epoch);
    }
  }
  const o = sgd();
  const s = new Ramp(o, 0.5);
  o.step();
  s.step();
  expect([lr_of(o), Object.keys(s.state_dict())]).toEqual([
    1.5,
    ["by", "base_lrs", "last_epoch", "_step_count", "_is_initial", "_get_lr_called_within_step", "_last_lr"],
  ]);
  class Plain extends lr_scheduler.LRScheduler {
    override get_lr(): Any[] {
      return this.base_lrs;
    }
  }
  expect(new Plain(o, -1).get_last_lr()).toEqual([1.0]);
  expect(() => new lr_scheduler.LRScheduler(o)).toThrow(expect.objectContaining({ name: "NotImplementedError" }));
});

test("a number may be a torch.Float, which Python's 2.0 is", () => {
  const o = sgd(torch.Float(2));
  const s = new lr_scheduler.CosineAnnealingWarmRestarts(o, 2, { eta_min: torch.Float(1) as Any });
  o.step();
  s.step();
  expect(lr_of(o)).toBeCloseTo(1.5, 12);
  expect(() => new lr_scheduler.CosineAnnealingWarmRestarts(o, 2, { eta_min: "low" as Any })).toThrow(
    "Expected float or int eta_min, but got low of type <class 'str'>",
  );
});
