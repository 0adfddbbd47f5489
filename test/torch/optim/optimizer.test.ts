import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const { optim } = torch;
const parameter = (...values: number[]) => new torch.nn.Parameter(torch.tensor(values).float());

/** Every optimizer whose steps need no closure. */
const names = ["Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "ASGD", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD"];

function run(o: Any, params: Any[], steps: number, from = 0): void {
  for (let step = from; step < from + steps; step++) {
    for (const [i, p] of params.entries()) p.grad = torch.full_like(p, Math.sin(7 * step + i));
    o.step();
  }
}

function copy(value: Any): Any {
  if (value instanceof torch.Tensor) return value.clone();
  if (Array.isArray(value)) return value.map(copy);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, copy(v)]));
}

describe.each(names)("%s", (name) => {
  const make = (params: Any): Any => new (optim as Any)[name](params);

  test("goes on from a saved state as if nothing had happened", () => {
    const [a, b] = [parameter(1.5, -2), parameter(0.5)];
    const o = make([{ params: [a], lr: 0.05 }, { params: [b] }]);
    run(o, [a, b], 3);
    const [c, d] = [parameter(...a.tolist()), parameter(...b.tolist())];
    const other = make([{ params: [c], lr: 0.05 }, { params: [d] }]);
    other.load_state_dict(copy(o.state_dict())); // else the two would share the tensors of the state
    run(o, [a, b], 3, 3);
    run(other, [c, d], 3, 3);
    expect(c.tolist()).toEqual(a.tolist());
    expect(d.tolist()).toEqual(b.tolist());
    expect(String(other)).toBe(String(o));
  });

  test("what has no gradient stays where it is, and has no state", () => {
    const [a, b] = [parameter(1), parameter(2)];
    const o = make([a, b]);
    run(o, [a], 1);
    expect(b.item()).toBe(2);
    if (name !== "Adagrad") expect([...o.state_dict().state.keys()]).toEqual(name === "SGD" ? [] : [0]);
  });

  test("a closure is called once, with gradients recorded", () => {
    const a = parameter(3);
    const o = make([a]);
    let calls = 0;
    const loss = o.step(() => {
      calls++;
      o.zero_grad();
      const loss = a.mul(a).sum();
      loss.backward();
      return loss;
    });
    expect([calls, loss.item()]).toEqual([1, 9]);
    expect(a.item()).toBeLessThan(3);
    expect(torch.is_grad_enabled()).toBe(true);
  });

  test("capturable is for accelerators", () => {
    if (name === "Adagrad" || name === "SGD") return;
    const a = parameter(1);
    const o = new (optim as Any)[name]([a], { capturable: true });
    expect(() => run(o, [a], 1)).toThrow(
      /^If capturable=True, params.* must be on supported devices: \['cuda', 'xpu', 'hpu', /,
    );
  });
});

describe("groups", () => {
  test("the caller's dict becomes the group, defaults behind what it holds", () => {
    const group: Any = { weight_decay: 0.5, params: parameter(1) };
    const o = new optim.Adam([group], { lr: 0.25 });
    expect(o.param_groups[0]).toBe(group);
    expect(Object.keys(group).slice(0, 4)).toEqual(["weight_decay", "params", "lr", "betas"]);
    expect(Object.keys(o.state_dict().param_groups[0] as Any).at(-1)).toBe("params");
  });

  test("named parameters: the names are kept, and saved", () => {
    const net = new torch.nn.Linear(2, 1);
    const o = new optim.AdamW(net.named_parameters());
    expect(o.param_groups[0]?.["param_names"]).toEqual(["weight", "bias"]);
    expect(String(o)).toContain("    param_names: ['weight', 'bias']\n");
    const unnamed = new optim.AdamW(net.parameters());
    unnamed.load_state_dict(o.state_dict());
    expect(unnamed.param_groups[0]?.["param_names"]).toEqual(["weight", "bias"]);
    expect(() => o.add_param_group({ params: [parameter(1)] })).toThrow(
      "all optimizer param groups should be with/without names. cannot add param group without names to the optimizer",
    );
  });

  test("what is no ordered list of tensors is refused", () => {
    const o: Any = new optim.SGD([parameter(1)]);
    expect(() => o.add_param_group({ params: new Set([parameter(1)]) })).toThrow(
      "optimizer parameters need to be organized in ordered collections",
    );
    expect(() => o.add_param_group({})).toThrow(expect.objectContaining({ name: "KeyError", message: "params" }));
  });
});

describe("state_dict", () => {
  test("refuses what has another shape", () => {
    const o = new optim.SGD([parameter(1)]);
    const two = new optim.SGD([{ params: [parameter(1)] }, { params: [parameter(1)] }]);
    const longer = new optim.SGD([parameter(1), parameter(2)]);
    expect(() => o.load_state_dict(two.state_dict())).toThrow(
      "loaded state dict has a different number of parameter groups",
    );
    expect(() => o.load_state_dict(longer.state_dict())).toThrow(
      "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
    );
    expect(() => o.load_state_dict(3 as Any)).toThrow("'int' object has no attribute 'copy'");
  });

  test("state takes the parameter's dtype, a step count keeps its own", () => {
    const single = new optim.Adam([parameter(1)]);
    run(single, single.param_groups[0].params, 1);
    const p = new torch.nn.Parameter(torch.ones(1, { dtype: torch.float64 }));
    const o = new optim.Adam([p]);
    o.load_state_dict(single.state_dict());
    const state = o.state.get(p) as Any;
    expect([state.step.dtype, state.exp_avg.dtype]).toEqual([torch.float32, torch.float64]);
  });

  test("an old state's step count, a number, becomes a tensor; options that it lacks get their defaults", () => {
    const o = new optim.NAdam([parameter(1)]);
    run(o, o.param_groups[0].params, 2);
    const saved: Any = o.state_dict();
    saved.state[0].step = 2;
    saved.state[0].mu_product = 0.25;
    delete saved.param_groups[0].maximize;
    o.load_state_dict(saved);
    const { state, param_groups } = o.state_dict() as Any;
    expect([String(state[0].step), String(state[0].mu_product)]).toEqual(["tensor(2.)", "tensor(0.2500)"]);
    expect(param_groups[0].maximize).toBe(false);
  });

  test("what is saved is not what is loaded: lists and tensors of groups are copied", () => {
    const lr = torch.tensor(0.5);
    const a = new optim.Adam([parameter(1)], { lr });
    const b = new optim.Adam([parameter(1)]);
    b.load_state_dict(a.state_dict());
    lr.fill_(7);
    expect((b.param_groups as Any)[0].lr.item()).toBe(0.5);
  });

  test("hooks: in order, one that is prepended first; they may give another dict", () => {
    const o = new optim.SGD([parameter(1)]);
    const seen: string[] = [];
    o.register_state_dict_pre_hook(() => seen.push("pre"));
    o.register_state_dict_post_hook(() => void seen.push("post"));
    const handle = o.register_state_dict_post_hook((_, state_dict) => ({ ...state_dict, more: 1 }) as Any, true);
    expect(Object.keys(o.state_dict())).toEqual(["state", "param_groups", "more"]);
    o.register_load_state_dict_pre_hook((_, state_dict) => {
      seen.push("load pre");
      return { ...state_dict, param_groups: [{ ...state_dict.param_groups[0], lr: 5 }] } as Any;
    });
    o.register_load_state_dict_post_hook(() => seen.push("load post"));
    o.register_load_state_dict_post_hook(() => seen.push("load first"), { prepend: true });
    handle.remove();
    o.load_state_dict(o.state_dict());
    expect(o.param_groups[0]?.["lr"]).toBe(5);
    expect(seen).toEqual(["pre", "post", "pre", "post", "load pre", "load first", "load post"]);
  });
});

describe("hooks around step", () => {
  test("of a subclass that has no step of its own", () => {
    const seen: string[] = [];
    const handle = optim.register_optimizer_step_pre_hook((o) => void seen.push(o.constructor.name));
    const p = parameter(1);
    new optim.AdamW([p]).step();
    new optim.Adam([p]).step();
    handle.remove();
    new optim.AdamW([p]).step();
    expect(seen).toEqual(["AdamW", "Adam"]);
  });

  test("a user's optimizer", () => {
    class Halve extends optim.Optimizer {
      constructor(params: Any) {
        super(params, { by: 2 });
      }
      override step(): null {
        torch.no_grad(() => {
          for (const { params, by } of this.param_groups) for (const p of params) p.div_(by as number);
        });
        return null;
      }
    }
    const p = parameter(6);
    const o = new Halve([{ params: p, by: 3 }]);
    let steps = 0;
    o.register_step_post_hook(() => void steps++);
    o.step();
    expect([p.item(), steps]).toEqual([2, 1]);
  });
});

test("what is no number is refused in Python's words", () => {
  expect(() => new optim.Adam([parameter(1)], { lr: "fast" as Any })).toThrow(
    "'<=' not supported between instances of 'float' and 'str'",
  );
  expect(() => new optim.Adam([parameter(1)], { eps: Number.NaN })).toThrow("Invalid epsilon value: nan");
  expect(() => new optim.Adam([parameter(1)], { momentum: 1 } as Any)).toThrow(
    "Adam.__init__() got an unexpected keyword argument 'momentum'",
  );
});

test("a rate may be a tensor, and betas", () => {
  const [a, b] = [parameter(1, 2), parameter(1, 2)];
  const o = new optim.Adam([a], { lr: torch.tensor(0.01), betas: [torch.tensor(0.5), torch.tensor([0.75])] });
  const plain = new optim.Adam([b], { lr: 0.01, betas: [0.5, 0.75] });
  run(o, [a], 4);
  run(plain, [b], 4);
  expect(torch.allclose(a, b, { rtol: 1e-5 })).toBe(true);
  expect(String(o)).toContain("    lr: 0.009999999776482582\n");
});

test("fused steps exclude lists and gradients through the step", () => {
  const p = parameter(1);
  expect(() => new optim.SGD([p], { fused: true, foreach: true })).toThrow(
    "`fused` and `foreach` cannot be `True` together.",
  );
  expect(() => new optim.SGD([p], { fused: true, differentiable: true })).toThrow(
    "`fused` does not support `differentiable`",
  );
});
