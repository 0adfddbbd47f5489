/** Scopes in which something is otherwise, beside PyTorch's: tools/oracle/user_programs/scopes.py. */
import glasstorch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const torch = glasstorch as Any;
const { nn } = torch;

user_programs("scopes", {
  "a device, and a device inside it"({ say }) {
    const d = torch.device("meta");
    torch.device("meta", () => {
      say(d, torch.ones(2), new nn.Linear(1, 1).weight, torch.tensor([1]).device, torch.get_default_device());
      torch.device("cpu", () => {
        say(torch.ones(2), torch.get_default_device());
        torch.device("cpu", () => say(torch.ones(1).device));
        say(torch.ones(1).device);
      });
      say(torch.zeros(1).device, torch.zeros(1, { device: "cpu" }));
    });
    say(torch.ones(1).device, torch.get_default_device());
    torch.set_default_device("meta");
    torch.device("cpu", () => say(torch.ones(1)));
    say(torch.ones(1).device);
    torch.set_default_device(null);
  },
  "which kernel attention may take"({ say, fails }) {
    const { sdpa_kernel, SDPBackend } = nn.attention;
    const F = nn.functional.scaled_dot_product_attention;
    const { cuda } = torch.backends;
    const { MATH, FLASH_ATTENTION, EFFICIENT_ATTENTION } = SDPBackend;
    const x = torch.ones(1, 2, 3, 4, { requires_grad: true });
    const one = torch.ones(1, 1, 3, 4);
    const name = (y: Any) => y.grad_fn.name();
    const every_second = torch.ones(3, 6).__getitem__([torch.slice(), torch.slice(null, null, 2)]);
    say(name(F(x, x, x)), name(F(x, x, x, { attn_mask: every_second })));
    sdpa_kernel(MATH, () => {
      say(name(F(x, x, x)));
      sdpa_kernel([MATH, FLASH_ATTENTION], () => say(name(F(x, x, x))));
      say(cuda.flash_sdp_enabled(), cuda.math_sdp_enabled());
    });
    const flash = (...args: Any[]) => sdpa_kernel(FLASH_ATTENTION, () => fails(() => F(...args)));
    flash(x, x, x);
    flash(x, x, x, { dropout_p: 0.5 });
    flash(x.select(0, 0), x.select(0, 0), x.select(0, 0));
    flash(x, x.expand(2, 2, 3, 4), x);
    flash(x, one, one);
    flash(x, one, one, { enable_gqa: true });
    flash(torch.ones(1, 3, 3, 4), x, x, { enable_gqa: true });
    for (const size of [
      [2, 1, 1],
      [3, 2],
      [1, 3, 3, 3],
    ])
      flash(x, x, x, { attn_mask: torch.ones(size) });
    flash(x, x, x, { attn_mask: torch.ones(3, 3, { requires_grad: true }) });
    flash(x, x, torch.ones(1, 2, 3, 5));
    flash(x.mT, x.mT, x.mT);
    flash(x.int(), x.int(), x.int());
    const only = (backends: Any, q: Any) => sdpa_kernel(backends, () => F(q, q, q));
    for (const backends of [EFFICIENT_ATTENTION, [], 5, "x"]) fails(() => only(backends, x));
    only(FLASH_ATTENTION, x.to("meta"));
    cuda.enable_flash_sdp(false);
    say(name(F(x, x, x)));
    cuda.enable_flash_sdp(true);
    sdpa_kernel([MATH, FLASH_ATTENTION], { set_priority: true }, () =>
      say(torch._C._get_sdp_priority_order(), name(F(x, x, x))),
    );
    say(torch._C._get_sdp_priority_order());
    fails(() => cuda.enable_math_sdp(5));
    fails(() => cuda.enable_cudnn_sdp(5));
  },
  "which steps a profiler records"({ say, fails }) {
    const P = torch.profiler;
    const A = P.ProfilerAction;
    const numbers = (schedule: Any) => Array.from({ length: 12 }, (_, step) => schedule(step));
    say(
      numbers(P.schedule({ wait: 1, warmup: 1, active: 2 })),
      numbers(P.schedule({ wait: 0, warmup: 1, active: 1, repeat: 2 })),
    );
    say(
      numbers(P.schedule({ wait: 2, warmup: 0, active: 1, skip_first: 2 })),
      numbers(P.schedule({ wait: 3, warmup: 1, active: 2, skip_first_wait: 1, skip_first: 1 })),
    );
    fails(() => P.schedule({ wait: -1, warmup: 1, active: 1 }));
    fails(() => P.schedule({ wait: 1, warmup: 1, active: 0 }));
    fails(() => P.schedule({ wait: 1, warmup: 1, active: 1 })(-1));
    const x = torch.ones(2);
    const keys = (p: Any) => Array.from(p.key_averages(), (e: Any) => e.key).sort();
    const on_trace_ready = (p: Any) => say("ready", p.step_num, keys(p));
    const train = (schedule: Any) => {
      const p = new P.profile({ activities: [P.ProfilerActivity.CPU], on_trace_ready, schedule });
      p.__enter__();
      for (let i = 0; i < 6; i++) {
        torch.add(x, x);
        if (i % 2 === 1) torch.mul(x, x);
        p.step();
      }
      p.__exit__();
    };
    train(P.schedule({ wait: 1, warmup: 1, active: 2 }));
    train(P.schedule({ wait: 0, warmup: 1, active: 1, repeat: 1 }));
    train(null);
    const own = [A.WARMUP, A.NONE, A.RECORD, A.NONE, A.RECORD, A.RECORD_AND_SAVE, A.NONE];
    train((step: number) => own[step]);
    fails(() => new P.profile().events());
    fails(() => new P.profile().key_averages());
    fails(() => new P.profile({ schedule: () => A.DEVICE_STOPPED }));
  },
});

test("one device is entered again inside itself, and left by what entered it", () => {
  const meta = torch.device("meta");
  const leave = meta[Symbol.dispose];
  const leave_again = meta[Symbol.dispose];
  leave_again.call(meta);
  expect(torch.ones(1).device.type).toBe("meta");
  leave.call(meta);
  expect(torch.ones(1).device.type).toBe("cpu");
});
