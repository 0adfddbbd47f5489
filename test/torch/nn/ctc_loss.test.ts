/** ctc_loss as PyTorch's: tools/oracle/user_programs/ctc_loss.py in TypeScript, line for line; and its gradient against differences. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const nn = torch.nn as Any;
const F = nn.functional;
const t_ = torch as Any;

user_programs("ctc_loss", {
  "losses of all reductions, and the gradient"({ say }) {
    torch.manual_seed(0);
    const x: Any = torch.randn([6, 3, 5], { dtype: torch.float64, requires_grad: true });
    const log_probs = x.log_softmax(2);
    const targets: Any = torch.tensor([
      [1, 2, 2],
      [3, 3, 4],
      [4, 1, 1],
    ]);
    for (const reduction of ["none", "mean", "sum"]) {
      for (const lengths of [
        [
          [6, 5, 6],
          [3, 2, 0],
        ],
        [torch.tensor([6, 6, 4]), torch.tensor([1, 3, 2])],
      ]) {
        const loss = F.ctc_loss(log_probs, targets, ...lengths, { reduction });
        const [grad] = torch.autograd.grad(loss.sum(), x, { retain_graph: true }) as Any[];
        say(loss, loss.grad_fn.name(), grad.select(1, 1).contiguous());
      }
    }
    say(F.ctc_loss(log_probs, torch.tensor([1, 2, 2, 3, 3]), [6, 5, 6], [3, 2, 0], 4, "none"));
    say(F.ctc_loss(log_probs.float(), targets.int(), [6, 5, 6], [3, 2, 0]));
    const one = [log_probs.select(1, 0), targets.select(0, 0), [6], [3]];
    say(new nn.CTCLoss({ blank: 4, reduction: "sum" })(...one), new nn.CTCLoss({ reduction: "none" })(...one));
    say(new nn.CTCLoss());
  },

  "a target that cannot be read"({ say }) {
    const x: Any = torch.linspace(-1, 1, 24, { dtype: torch.float64 }).reshape(4, 2, 3).requires_grad_();
    const targets = torch.tensor([
      [1, 1, 2],
      [1, 2, 1],
    ]);
    for (const zero_infinity of [false, true]) {
      const loss = F.ctc_loss(x.log_softmax(2), targets, [3, 4], [3, 3], { reduction: "none", zero_infinity });
      say(loss, (torch.autograd.grad(loss.select(0, 1), x) as Any[])[0]);
    }
    const none = { reduction: "none" };
    say(
      F.ctc_loss(x.log_softmax(2), targets, [0, 4], [0, 3], none),
      F.ctc_loss(x.log_softmax(2), targets, [0, 4], [1, 3], { ...none, zero_infinity: true }),
    );
    say(t_._ctc_loss(x.log_softmax(2).detach(), targets, [4, 4], [3, 3], 0, true));
  },

  "what ctc_loss refuses"({ say, fails }) {
    const lp: Any = torch.zeros(5, 2, 4).log_softmax(2);
    const t: Any = torch.tensor([
      [1, 2],
      [2, 3],
    ]);
    const two = [
      [5, 5],
      [2, 2],
    ];
    fails(() => t_.ctc_loss(lp.half(), t, ...two));
    fails(() => t_.ctc_loss(lp.int(), t, ...two));
    fails(() => t_.ctc_loss(lp, t, ...two, 4));
    fails(() => t_.ctc_loss(lp, t, ...two, -1));
    fails(() => t_.ctc_loss(lp, t, [5], [2, 2]));
    fails(() => t_.ctc_loss(lp, t, [5, 5], [2]));
    fails(() => t_.ctc_loss(lp, t, [6, 5], [2, 2]));
    fails(() => t_.ctc_loss(lp, t, [-1, 5], [2, 2]));
    fails(() => t_.ctc_loss(lp, t, [5, 5], [-1, 2]));
    fails(() => t_.ctc_loss(lp, t, [5, 5], [2, 3]));
    fails(() => t_.ctc_loss(lp, t.select(0, 0), ...two));
    fails(() => t_.ctc_loss(lp, t.unsqueeze(0), ...two));
    fails(() => t_.ctc_loss(lp.select(0, 0).select(0, 0), t, ...two));
    fails(() => t_.ctc_loss(lp, t.narrow(0, 0, 1), ...two));
    fails(() => t_.ctc_loss(lp, t, torch.tensor([5, 5]).float(), torch.tensor([2, 2])));
    fails(() => t_.ctc_loss(lp, t, torch.tensor([5, 5]), torch.tensor([2, 2]).float()));
    fails(() => t_._ctc_loss(lp, t.float(), ...two));
    fails(() => t_.ctc_loss(lp.narrow(1, 0, 0), t.narrow(0, 0, 0), [], []));
    fails(() => F.ctc_loss(lp, t, ...two, { reduction: "x" }));
    fails(() => t_._ctc_loss(lp.to("meta"), t.to("meta"), [5, 5], [2, 9]));
    say(t_._ctc_loss(lp.to("meta"), t.to("meta"), [5, 5], [2, 1]).map((r: Any) => r.size()));
  },
});

test("the gradient through log_softmax agrees with finite differences", () => {
  torch.manual_seed(1);
  const x = torch.randn([5, 2, 4], { dtype: torch.float64 }).requires_grad_();
  const targets = torch.tensor([
    [1, 1, 2],
    [3, 2, 1],
  ]);
  const loss = (input: Any) => F.ctc_loss(input.log_softmax(2), targets, [5, 4], [3, 2], { reduction: "sum" });
  expect(torch.autograd.gradcheck(loss, [x])).toBe(true);
});
