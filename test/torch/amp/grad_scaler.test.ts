/** The scaler of gradients beside PyTorch's: tools/oracle/user_programs/grad_scaler.py. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch;
const { GradScaler } = torch.amp;
const float = (x: number): unknown => new torch.Float(x);
const state_of = (scaler: Any): unknown => {
  const { scale, growth_factor, backoff_factor, ...ints } = scaler.state_dict();
  return { scale: float(scale), growth_factor: float(growth_factor), backoff_factor: float(backoff_factor), ...ints };
};
const int32 = (x: unknown): Any => torch.tensor(x as never, { dtype: torch.int32 });
const float32 = (x: unknown): Any => torch.tensor(x as never, { dtype: torch.float32 });

user_programs("grad_scaler", {
  "a scale that grows, and falls after an infinite gradient": ({ say }) => {
    torch.manual_seed(0);
    const model: Any = new nn.Linear(3, 1);
    const optimizer = new torch.optim.SGD(model.parameters(), { lr: 0.1 });
    const scaler = new GradScaler("cpu", { init_scale: 16, growth_interval: 2 });
    say(float(scaler.get_scale()), scaler.is_enabled(), state_of(scaler));
    for (let i = 0; i < 6; i++) {
      optimizer.zero_grad();
      const x = torch.full([2, 3], i === 3 ? Number.POSITIVE_INFINITY : 1 + i, { dtype: torch.float32 });
      const scaled: Any = scaler.scale(model(x).sum());
      say(i !== 3 ? scaled : "infinite");
      scaled.backward();
      if (i === 4) {
        scaler.unscale_(optimizer);
        say(nn.utils.clip_grad_norm_(model.parameters(), 1));
      }
      say(scaler.step(optimizer));
      scaler.update();
      say(float(scaler.get_scale()), model.weight, model.bias);
    }
    say(state_of(scaler));
    const other = new GradScaler("cpu");
    other.load_state_dict(scaler.state_dict() as Any);
    say(
      state_of(other),
      float(other.get_growth_factor()),
      float(other.get_backoff_factor()),
      other.get_growth_interval(),
    );
  },
  "what is out of order": ({ say, fails }) => {
    const model: Any = new nn.Linear(1, 1);
    let optimizer = new torch.optim.SGD(model.parameters(), { lr: 0.1 });
    const scaler: Any = new GradScaler("cpu");
    fails(() => scaler.step(optimizer));
    fails(() => scaler.unscale_(optimizer));
    fails(() => scaler.update());
    scaler.scale(model(torch.ones(1, 1)).sum()).backward();
    fails(() => scaler.update());
    scaler.unscale_(optimizer);
    fails(() => scaler.unscale_(optimizer));
    scaler.step(optimizer);
    fails(() => scaler.step(optimizer));
    fails(() => scaler.unscale_(optimizer));
    fails(() => scaler.step(optimizer, { closure: () => 1 }));
    scaler.update();
    optimizer.zero_grad();
    fails(() => scaler.step(optimizer));
    fails(() => scaler.scale([torch.ones(1), 3]));
    fails(() => scaler.load_state_dict({}));
    fails(() => new GradScaler("cpu", { growth_factor: 1 }));
    fails(() => new GradScaler("cpu", { backoff_factor: 1 }));
    const half = new nn.Linear(1, 1).half();
    optimizer = new torch.optim.SGD(half.parameters(), { lr: 0.1 });
    half.weight.grad = torch.ones(1, 1, { dtype: torch.float16 });
    fails(() => scaler.unscale_(optimizer));
    scaler.update(4);
    say(float(scaler.get_scale()));
    scaler.update(float32(8));
    say(float(scaler.get_scale()));
    fails(() => scaler.update(torch.ones(2)));
    fails(() => scaler.update(torch.ones([], { requires_grad: true })));
    say(scaler.scale([torch.ones(2), [torch.ones(1)]]));
  },
  "turned off": ({ say }) => {
    const model: Any = new nn.Linear(1, 1, { bias: false });
    const optimizer = new torch.optim.SGD(model.parameters(), { lr: 0.1 });
    let scaler: Any = new GradScaler("cuda");
    say(scaler.is_enabled(), float(scaler.get_scale()), scaler.state_dict());
    scaler = new torch.cuda.amp.GradScaler({ enabled: false });
    say(scaler.is_enabled());
    const x = torch.ones(2);
    say(
      scaler.scale(x) === x,
      scaler.unscale_(optimizer),
      scaler.step(optimizer),
      scaler.update(),
      scaler.load_state_dict({}),
    );
    torch.cuda.amp.autocast(() =>
      say(torch.is_autocast_enabled("cuda"), torch.matmul(torch.ones(2, 2), torch.ones(2, 2))),
    );
  },
  "its operators": ({ say, fails }) => {
    const f: Any = torch._amp_foreach_non_finite_check_and_unscale_;
    for (const dtype of [torch.float32, torch.float64, torch.float16, torch.bfloat16]) {
      const x = torch.tensor([1, 2, Number.POSITIVE_INFINITY, Number.NaN], { dtype });
      const found = torch.zeros([]);
      say(f([x, torch.ones(2, 2, { dtype }).t()], found, float32(0.3)), x, found);
    }
    const [x, found] = [torch.ones(4), torch.zeros([1, 1])];
    f([x.at(torch.slice(null, null, 2))], found, float32(2));
    say(x, found, f([], found, found));
    fails(() => f([torch.ones(1).expand(3)], found, float32(2)));
    fails(() => f([torch.ones(2)], torch.zeros(2), float32(1)));
    fails(() => f([torch.ones(2)], torch.zeros([]), torch.zeros(2)));
    fails(() => f([torch.ones(2)], torch.tensor(0), float32(1)));
    fails(() => f([torch.ones(2)], float32(0), torch.tensor(1)));
    fails(() => f([torch.ones(2, { dtype: torch.int32 })], float32(0), float32(1)));
    const u: Any = torch._amp_update_scale_;
    const tracker = int32(0);
    const scale = float32(4);
    const first = [u(scale, tracker, float32(0), 2, 0.5, 2), tracker];
    say(...first, u(scale, tracker, float32(0), 2, 0.5, 2), tracker);
    const second = [u(scale, tracker, float32(Number.NaN), 2, 0.5, 2), tracker];
    say(...second, u(float32(3e38), tracker, float32(0), 2, 0.5, 1));
    fails(() => u(torch.ones(2), tracker, float32(0), 2, 0.5, 2));
    fails(() => u(float32(1), torch.tensor(0), float32(0), 2, 0.5, 2));
    fails(() => u(float32(1), int32([0, 0]), float32(0), 2, 0.5, 2));
    fails(() => u(torch.tensor(1), tracker, float32(0), 2, 0.5, 2));
    fails(() => u(float32(1), tracker, torch.tensor(0), 2, 0.5, 2));
    fails(() => u(torch.ones([], { requires_grad: true }), tracker, float32(0), 2, 0.5, 2));
  },
});
