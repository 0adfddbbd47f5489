/** Selective checkpoints as PyTorch's: tools/oracle/user_programs/selective_checkpoint.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const t = torch as Any;
const {
  checkpoint,
  create_selective_checkpoint_contexts: contexts,
  CheckpointPolicy,
  SelectiveCheckpointContext,
  SAC_IGNORED_OPS,
  noop_context_fn,
  get_device_states,
  set_device_states,
  DefaultDeviceType,
} = t.utils.checkpoint;
const mm = t.ops.aten.mm.default;
const floats = (data: Any, requires_grad = true) => torch.tensor(data, { dtype: torch.float32, requires_grad });

user_programs("selective_checkpoint", {
  "which operators run again"({ say }) {
    const seen: string[] = [];
    class Log extends torch.utils._python_dispatch.TorchDispatchMode {
      override __torch_dispatch__(func: Any, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
        seen.push(String(func));
        return func(...args, kwargs);
      }
    }
    const region = (a: Any, b: Any) => t.sigmoid(torch.mm(torch.mm(a, b), b)).mul(b);
    const backward = (context_fn: Any) => {
      const a = floats([
        [0.5, -1.5],
        [2.0, 0.25],
      ]);
      const b = floats([
        [1.5, 0.5],
        [-0.5, 0.75],
      ]);
      const out = checkpoint(region, a, b, { use_reentrant: false, context_fn });
      seen.length = 0;
      new Log().with(() => out.sum().backward());
      say(seen.filter((s) => ["aten.mm.default", "aten.sigmoid.default", "aten.mul.Tensor"].includes(s)));
      say(a.grad, b.grad);
    };
    backward(noop_context_fn);
    backward(() => contexts([mm]));
    backward(() => contexts([mm, t.ops.aten.sigmoid.default]));
    backward(() => contexts((_ctx: Any, op: Any) => op === mm));
    const asked: Any[] = [];
    backward(() =>
      contexts((ctx: Any, op: Any, ...args: Any[]) => {
        asked.push([String(op), args.length, 0, ctx.is_recompute, [...ctx.op_output.shape]]);
        return asked.length === 1 ? CheckpointPolicy.PREFER_SAVE : CheckpointPolicy.MUST_RECOMPUTE;
      }),
    );
    for (const what of asked) say(...what);
    say(SAC_IGNORED_OPS.has(t.ops.aten.detach.default), SAC_IGNORED_OPS.has(mm));
    const ctx = new SelectiveCheckpointContext({ is_recompute: false, op_output: 3 });
    say(ctx.is_recompute, ctx.op_output);
  },

  "keyword arguments, views and several results"({ say }) {
    const named: Any[] = [];
    const keep = (_ctx: Any, op: Any, ...args: Any[]) => {
      const last = args.at(-1);
      named.push([String(op), last?.constructor === Object ? Object.keys(last).sort() : []]);
      return CheckpointPolicy.MUST_SAVE;
    };
    const backward = (fn: Any) => {
      named.length = 0;
      const x = floats([
        [1.0, 4.0, 2.0],
        [3.0, 0.5, 6.0],
      ]);
      const out = checkpoint(fn, x, { use_reentrant: false, context_fn: () => contexts(keep) });
      out.sum().backward();
      say(x.grad);
    };
    backward((x: Any) => torch.add(x, x, { alpha: 3 }).sin());
    for (const what of named) say(...what);
    backward((x: Any) => x.t().exp());
    backward((x: Any) => x.sort({ dim: 1 })[0].sin().mul(x));
    backward((x: Any) => torch.stack([...x.unbind(0)].reverse()).sin());
    backward((x: Any) => x.sin().view(3, 2).cos());
  },

  "refusals of selective checkpoints"({ say, fails }) {
    fails(() => contexts([t.ops.aten.mm]));
    fails(() => contexts([mm, 3]));
    fails(() => contexts(["mm"]));
    fails(() => contexts(5));
    fails(() => contexts(null));
    fails(() => contexts());
    fails(() => new SelectiveCheckpointContext(true));
    fails(() => new SelectiveCheckpointContext());
    const run = (fn: Any, save: Any, options: Any = {}) => {
      const x = floats([1.0, 2.0]);
      const context_fn = () => contexts(save, options);
      return [x, checkpoint(fn, x, { use_reentrant: false, early_stop: false, context_fn })];
    };
    const sin = t.ops.aten.sin.default;
    let [x, out] = run((x: Any) => x.sin().exp(), [sin]);
    out.sum().backward({ retain_graph: true });
    fails(() => out.sum().backward());
    let times = 0;
    const other = (x: Any) => (++times === 1 ? x.sin() : x.cos());
    [x, out] = run(other, []);
    fails(() => out.sum().backward());
    const more = (x: Any) => (++times === 1 ? x.sin() : x.sin().sin());
    times = 0;
    [x, out] = run(more, []);
    fails(() => out.sum().backward());
    for (const allow of [false, true]) {
      const kept: Any[] = [];
      const changes = (x: Any) => {
        const y = x.sin();
        const z = y.exp();
        kept.push(y);
        return z;
      };
      [x, out] = run(changes, [sin], { allow_cache_entry_mutation: allow });
      torch.no_grad(() => kept[0].mul_(2));
      fails(() => out.sum().backward());
      say(x.grad);
    }
    const context_fn = () => contexts([sin]);
    const same = (x: Any) => x;
    fails(() => checkpoint(same, torch.ones(2), { use_reentrant: true, context_fn }));
    fails(() => checkpoint(same, torch.ones(2), { use_reentrant: false, debug: true, context_fn }));
  },

  "states of devices"({ say, fails }) {
    say(
      DefaultDeviceType.get_device_type(),
      ...get_device_states(torch.ones(2), [torch.ones(3)], 5),
      ...get_device_states(),
    );
    say(...get_device_states(torch.empty(2, { device: "meta" })));
    set_device_states([], []);
    set_device_states([0], []);
    fails(() => set_device_states([0], [torch.get_rng_state()]));
    fails(() => set_device_states([], [], { device_type: "foo" }));
    say(set_device_states([0], [1], { device_type: "meta" }) ?? null);
    DefaultDeviceType.set_device_type("meta");
    say(DefaultDeviceType.get_device_type(), set_device_states([0], [1]) ?? null, ...get_device_states(torch.ones(1)));
    DefaultDeviceType.set_device_type("cpu");
  },
});
