/** Saved tensors that change in place, as PyTorch's: tools/oracle/user_programs/mutation_of_saved_tensors.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch as Any;
const t = torch as Any;
const allow = torch.autograd.graph.allow_mutation_on_saved_tensors;
const leaf = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float32, requires_grad: true });

user_programs("mutation_of_saved_tensors", {
  "saved tensors that change"({ say }) {
    allow(() => {
      const a = leaf(1, 2, 3);
      const b = a.clone();
      const out = b.pow(2).sum();
      b.sin_();
      out.backward();
      say(a.grad, b);
    });
    allow(() => {
      const a = leaf(0.5, 1.5);
      const b = a.exp();
      const c = b.sin();
      b.mul_(2);
      const d = b.mul(c);
      b.add_(1);
      c.zero_();
      d.sum().backward();
      say(a.grad);
    });
    allow(() => {
      const a = leaf(0.5, 1.5, 2.5);
      const b = a.clone();
      const view = b.view(3);
      const out = b.mul(view).mul(b);
      view.zero_();
      out.sum().backward();
      say(a.grad, b);
    });
    allow(() => {
      const [a, b] = [leaf(1, 2), leaf(3, 4)];
      const out = a.clone().mul(b);
      torch.no_grad(() => {
        a.mul_(5);
        t._foreach_add_([a, b], 1.0);
        torch.add(a, 7.0, { out: b });
      });
      out.sum().backward();
      say(a.grad, b.grad, a, b);
    });
    allow(() => {
      const a = leaf(1, 2);
      const out = a.sin();
      torch.no_grad(() => {
        torch.sort(torch.tensor([3.0, 1.5]));
        a.fill_(0);
      });
      out.sum().backward({ retain_graph: true });
      out.sum().backward();
      say(a.grad);
    });
    const m = new nn.Sequential(new nn.Linear(2, 2), new nn.ReLU(), new nn.Linear(2, 1));
    torch.no_grad(() => {
      let i = 0;
      for (const p of m.parameters())
        p.copy_(
          torch
            .arange(p.numel())
            .view(p.shape)
            .mul(0.5)
            .sub(0.25 * i++),
        );
    });
    allow(() => {
      const loss = m(torch.tensor([[1, 2]], { dtype: torch.float32 })).sum();
      torch.no_grad(() => {
        for (const p of m.parameters()) p.mul_(0);
      });
      loss.backward();
    });
    say([...m.parameters()].map((p: Any) => p.grad));
  },

  "outside of where they may change"({ say, fails }) {
    const a = leaf(1, 2);
    const squares = () => a.clone().pow(2).sum();
    const change = () => {
      const b = a.clone();
      const out = b.pow(2).sum();
      b.sin_();
      out.backward();
    };
    fails(change);
    const out = allow(squares) as Any;
    fails(() => out.backward());
    allow(() => fails(() => out.backward()));
    allow(() => {
      fails(() => allow(() => {}));
      const out = squares();
      fails(() => out.backward());
    });
    fails(() =>
      allow(() => {
        throw Object.assign(new Error("inside"), { name: "ValueError" });
      }),
    );
    allow(change);
    say(a.grad);
    fails(() => (allow as Any)(1));
  },
});
