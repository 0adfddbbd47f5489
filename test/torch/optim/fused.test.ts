/** Optimizers that step in one loop, beside PyTorch's: tools/oracle/user_programs/fused.py. */
import glasstorch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const torch = glasstorch as Any;
const { nn, Float, float16, bfloat16, float32, float64 } = torch;
const O = torch.optim;
const q = () => torch.ones(2);
const one = torch.tensor(Float(1));

user_programs("fused", {
  "steps in one loop"({ say }) {
    const step = (name: string, kw: object, dtype: Any = float32) => {
      const p = torch.linspace(-1, 1, 32).to(dtype).requires_grad_();
      const o = new O[name]([p], { fused: true, ...kw });
      for (let i = 0; i < 3; i++) {
        p.grad = torch.linspace(2, i - 1.5, 32).to(dtype);
        o.step();
      }
      const { state } = o.state_dict();
      say(name, p, p._version, p.grad._version, state[0] ?? null);
    };
    step("SGD", { lr: 0.1 });
    step("SGD", { lr: 0.1, momentum: 0.9, dampening: 0.1, weight_decay: 0.01 });
    step("SGD", { lr: 0.1, momentum: 0.9, nesterov: true, maximize: true });
    step("Adam", { lr: 0.01, amsgrad: true, weight_decay: 0.1 });
    step("Adam", { betas: [0.3, 0.9], maximize: true });
    step("AdamW", { lr: 0.01, weight_decay: 0.1 });
    step("Adagrad", { lr: 0.1, lr_decay: 0.1, weight_decay: 0.01 });
    step("Adagrad", { maximize: true, initial_accumulator_value: 0.5 });
    step("Adam", { lr: torch.tensor(0.02) });
    step("SGD", { lr: torch.tensor(0.02) });
    for (const dtype of [float64, float16, bfloat16]) {
      step("Adam", { lr: 0.1, weight_decay: 0.1 }, dtype);
      step("AdamW", { lr: 0.1, weight_decay: 0.1 }, dtype);
    }
  },
  "what they refuse, and the operators themselves"({ say, fails }) {
    const p = torch.ones(2, { requires_grad: true });
    fails(() => new O.SGD([p], { foreach: true, fused: true }));
    fails(() => new O.Adam([p], { differentiable: true, fused: true }));
    fails(() => new O.Adagrad([p], { differentiable: true, fused: true }));
    const adam_options = { lr: 0.1, beta1: 0.9, beta2: 0.99, weight_decay: 0, eps: 1e-8, maximize: false };
    const adam = (lists: Any[], amsgrad = false) => torch._fused_adam_(...lists, { ...adam_options, amsgrad });
    const sgd = (lists: Any[], momentum = 0, kw = {}) => {
      const numbers = { weight_decay: 0, momentum, lr: 0.1, dampening: 0, nesterov: false, maximize: false };
      torch._fused_sgd_(...lists, { ...numbers, is_first_step: false, ...kw });
    };
    fails(() => adam([[q()], [], [q()], [q()], [], [one]]));
    fails(() => adam([[q()], [q()], [], [q()], [], [one]]));
    fails(() => adam([[q()], [q()], [q()], [q()], [q()], [one]]));
    fails(() => adam([[q()], [q()], [q()], [q()], [], [one]], true));
    fails(() => adam([[q()], [q()], [q()], [q()], [], []]));
    fails(() => sgd([[q()], [q()], [q()]]));
    fails(() => sgd([[q()], [q()], []], 0.5));
    fails(() => adam([[q().int()], [q()], [q()], [q()], [], [one]]));
    fails(() => adam([[], [], [], [], [], []]));
    const [a, g] = [q(), q()];
    sgd([[a], [g], []], 0, { found_inf: one });
    say(a, g);
    sgd([[a], [g], []], 0, { grad_scale: torch.tensor(Float(4)) });
    say(a, g);
    const options = { ...adam_options, amsgrad: false };
    const r = torch.ops.aten._fused_adam([a], [g], [q()], [q()], [], [one], options);
    say(
      r.map((each: Any) => [...each]),
      a,
    );
  },
  "tensors that do not look like their parameter"({ say, fails }) {
    const same = { weight_decay: 0, lr: 0.5, maximize: false };
    const adagrad = (...lists: Any[]) => torch._fused_adagrad_(...lists, { ...same, lr_decay: 0, eps: 1e-8 });
    const sgd = (lists: Any[], momentum = 0) => {
      const numbers = { momentum, dampening: 0, nesterov: false, is_first_step: false };
      torch._fused_sgd_(...lists, { ...same, ...numbers });
    };
    const adam = (lists: Any[], amsgrad = false) =>
      torch._fused_adam_(...lists, { ...same, lr: 0.1, beta1: 0.9, beta2: 0.99, eps: 1e-8, amsgrad });
    const sums = torch.full([3, 2], Float(3));
    const a = q();
    adagrad([a], [q()], [sums], [one]);
    say(a, sums);
    const turned = torch.arange(Float(6)).reshape(3, 2).t();
    let [rows, mean] = [torch.zeros(2, 3), torch.zeros(6)];
    sgd([[rows], [turned], [mean]], 0.5);
    say(rows, mean);
    rows = torch.zeros(2, 3);
    adagrad([rows], [turned], [torch.ones(2, 3)], [one]);
    say(rows);
    [rows, mean] = [torch.zeros(2, 3), torch.zeros(2, 3)];
    adam([[rows], [turned], [mean], [torch.zeros(2, 3)], [], [one]]);
    say(rows, mean);
    const every = torch.arange(Float(8));
    sgd([[every.__getitem__(torch.slice(null, null, 2))], [torch.ones(4)], []]);
    say(every);
    const [double, half, short] = [q().double(), q().half(), q().bfloat16()];
    fails(() => sgd([[q()], [double], [half]], 0.5));
    fails(() => sgd([[q()], [q()], [half]], 0.5));
    fails(() => adagrad([q()], [double], [half], [one]));
    fails(() => adagrad([q()], [q()], [half], [one]));
    fails(() => adagrad([q()], [double], [q()], [q()]));
    fails(() => adagrad([q()], [q()], [q()], [q()]));
    fails(() => adagrad([q().int()], [double], [q()], [q()]));
    fails(() => adam([[q()], [double], [half], [short], [], [one]]));
    fails(() => adam([[q()], [double], [q()], [short], [], [one]]));
    fails(() => adam([[q()], [double], [q()], [q()], [half], [one]], true));
    fails(() => adam([[q()], [double], [q()], [q()], [], [one]]));
    fails(() => adam([[q()], [double], [q()], [q()], [], [q()]]));
    const [first, second] = [q(), q()];
    fails(() => sgd([[first, second], [q(), double], []]));
    say(first, second);
  },
  "a gradient scaler that leaves its scale to the step"({ say }) {
    for (const name of ["SGD", "Adam", "AdamW", "Adagrad"]) {
      const m = new nn.Linear(2, 1, { bias: false });
      torch.no_grad(() => m.weight.fill_(0.5));
      const o = new O[name](m.parameters(), { lr: 0.1, fused: true });
      const s = new torch.amp.GradScaler("cpu", { init_scale: Float(8), growth_interval: 2 });
      for (let i = 0; i < 5; i++) {
        o.zero_grad();
        const l = m(torch.tensor([[Float(1), i === 2 ? Infinity : Float(2)]])).sum();
        s.scale(l).backward();
        if (i === 3) s.unscale_(o);
        s.step(o);
        s.update();
        say(m.weight, m.weight.grad, s.get_scale() === 8, "grad_scale" in o);
      }
    }
  },
  "a step's state in another optimizer"({ say }) {
    const p = torch.ones(2, { requires_grad: true });
    p.grad = torch.ones(2);
    const o = new O.Adam([p], { lr: 0.1, fused: true });
    o.step();
    const o2 = new O.Adam([p], { lr: 0.1 });
    o2.load_state_dict(o.state_dict());
    o2.step();
    say(o2.param_groups[0].fused, p, o2.state_dict().state[0].step);
  },
});
