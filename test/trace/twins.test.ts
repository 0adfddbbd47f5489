/**
 * A Python program and the TypeScript program of the same content take the same way below the front end: the same bindings, operators, keys,
 * kernels, nodes and loops, nested alike.
 */
import torch from "glasstorch";
import { python } from "glasstorch/python";
import { record, type Trace } from "glasstorch/trace";
import { expect, test } from "vitest";
import type { FunctionCtx } from "#torch/autograd/function";
import { way } from "../helpers/way.ts";

const { nn } = torch;
const { functional: F } = nn;
type Tensor = InstanceType<typeof torch.Tensor>;

interface Twin {
  /** The body of `def program():`, behind `before`. */
  readonly python: string;
  /** Statements in front of it, which are not recorded. */
  readonly before?: string;
  /** Makes what the program needs, unrecorded, and returns the program. */
  readonly typescript: () => () => unknown;
}

const twins: Readonly<Record<string, Twin>> = {
  "operators between tensors and numbers": {
    before: "a = torch.ones(2, 3); b = torch.full((3,), 2.0)",
    python: "return (a + b) * 2 - a / 4",
    typescript: () => {
      const [a, b] = [torch.ones(2, 3), torch.full([3], torch.Float(2))];
      return () => a.add(b).mul(2).sub(a.div(4));
    },
  },
  "functions with keywords": {
    before: "a = torch.ones(2, 3)",
    python: "return torch.add(a, a, alpha=2).sum(dim=1, keepdim=True)",
    typescript: () => {
      const a = torch.ones(2, 3);
      return () => torch.add(a, a, { alpha: 2 }).sum({ dim: 1, keepdim: true });
    },
  },
  "indices and views": {
    before: "a = torch.arange(12).reshape(3, 4)",
    python: "b = a[1:, ::2]; c = a[0]; a[2, 1] = 5; return b.t(), c.view(2, 2)",
    typescript: () => {
      const a = torch.arange(12).reshape(3, 4);
      return () => {
        const b = a.at(torch.slice(1, null), torch.slice(null, null, 2));
        const c = a.at(0);
        a.set_at(5, 2, 1);
        return [b.t(), c.view(2, 2)];
      };
    },
  },
  "comparison and where": {
    before: "a = torch.arange(6.0)",
    python: "return torch.where(a > 2, a, -a)",
    typescript: () => {
      const a = torch.arange(torch.Float(6));
      return () => torch.where(a.gt(2), a, a.neg());
    },
  },
  "in place, and under no_grad": {
    before: "a = torch.ones(3, requires_grad=True)",
    python: "with torch.no_grad():\n        b = a.mul_(2)\n        b += 1",
    typescript: () => {
      const a = torch.ones(3, { requires_grad: true });
      return () =>
        torch.no_grad(() => {
          a.mul_(2);
          a.add_(1);
        });
    },
  },
  "a gradient": {
    before: "x = torch.tensor([1.5, 2.5], requires_grad=True)",
    python: "y = (x * x).sum(); y.backward(); return x.grad",
    typescript: () => {
      const x = torch.tensor([1.5, 2.5], { requires_grad: true });
      return () => {
        x.mul(x).sum().backward();
        return x.grad;
      };
    },
  },
  "autograd.grad with a graph": {
    before: "x = torch.tensor([1.5, 2.5], requires_grad=True)",
    python:
      "g, = torch.autograd.grad((x ** 3).sum(), [x], create_graph=True); return torch.autograd.grad(g.sum(), [x])",
    typescript: () => {
      const x = torch.tensor([1.5, 2.5], { requires_grad: true });
      return () => {
        const [g] = torch.autograd.grad(x.pow(3).sum(), [x], { create_graph: true });
        return torch.autograd.grad((g as Tensor).sum(), [x]);
      };
    },
  },
  "a module of one's own": {
    before: `torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.act = nn.PReLU()
    def forward(self, x):
        return self.act(self.fc(x))
net = Net(); x = torch.ones(4, 3)`,
    python: "net(x).sum().backward()",
    typescript: () => {
      torch.manual_seed(0);
      class Net extends nn.Module<[Tensor], Tensor> {
        fc = new nn.Linear(3, 2);
        act = new nn.PReLU();
        override forward(x: Tensor): Tensor {
          return this.act(this.fc(x));
        }
      }
      const [net, x] = [new Net(), torch.ones(4, 3)];
      return () => net(x).sum().backward();
    },
  },
  "a Function of one's own": {
    before: `class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return x * g * 2
x = torch.ones(3, requires_grad=True)`,
    python: "Square.apply(x).sum().backward()",
    typescript: () => {
      class Square extends torch.autograd.Function {
        static override forward(ctx: FunctionCtx, x: Tensor): Tensor {
          ctx.save_for_backward(x);
          return x.mul(x);
        }
        static override backward(ctx: FunctionCtx, g: Tensor): Tensor {
          const [x] = ctx.saved_tensors as [Tensor];
          return x.mul(g).mul(2);
        }
      }
      const x = torch.ones(3, { requires_grad: true });
      return () => (Square.apply(x) as Tensor).sum().backward();
    },
  },
  "hooks of a tensor and of a module": {
    before: `net = nn.Linear(2, 2); x = torch.ones(1, 2, requires_grad=True)
net.register_forward_hook(lambda module, args, output: output * 2)
x.register_hook(lambda grad: grad + 1)`,
    python: "net(x).sum().backward()",
    typescript: () => {
      const [net, x] = [new nn.Linear(2, 2), torch.ones(1, 2, { requires_grad: true })];
      net.register_forward_hook((_module, _args, output) => (output as Tensor).mul(2));
      x.register_hook((grad) => grad.add(1));
      return () => net(x).sum().backward();
    },
  },
  "a step of training": {
    before: `torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.rand(4, 2); y = x.sum(1, True)
loss_fn = nn.MSELoss(); optimizer = torch.optim.Adam(net.parameters(), lr=0.01)`,
    python: "optimizer.zero_grad(); loss = loss_fn(net(x), y); loss.backward(); optimizer.step()",
    typescript: () => {
      torch.manual_seed(0);
      const net = new nn.Sequential(new nn.Linear(2, 8), new nn.Tanh(), new nn.Linear(8, 1));
      const x = torch.rand(4, 2);
      const y = x.sum(1, true);
      const [loss_fn, optimizer] = [new nn.MSELoss(), new torch.optim.Adam(net.parameters(), { lr: 0.01 })];
      return () => {
        optimizer.zero_grad();
        const loss = loss_fn(net(x), y);
        loss.backward();
        optimizer.step();
      };
    },
  },
  "a convolution, pooled, and a loss": {
    before:
      "torch.manual_seed(0); conv = nn.Conv2d(1, 2, 3, padding=1); x = torch.rand(2, 1, 4, 4); y = torch.tensor([1, 0])",
    python: "return F.cross_entropy(F.max_pool2d(conv(x), 4).flatten(1), y).backward()",
    typescript: () => {
      torch.manual_seed(0);
      const conv = new nn.Conv2d(1, 2, 3, { padding: 1 });
      const [x, y] = [torch.rand(2, 1, 4, 4), torch.tensor([1, 0])];
      return () => F.cross_entropy(F.max_pool2d(conv(x), 4).flatten(1), y).backward();
    },
  },
  "an LSTM over a batch": {
    before: "torch.manual_seed(0); lstm = nn.LSTM(3, 4); x = torch.rand(5, 2, 3)",
    python: "output, (h, c) = lstm(x); return output, h, c",
    typescript: () => {
      torch.manual_seed(0);
      const [lstm, x] = [new nn.LSTM(3, 4), torch.rand(5, 2, 3)];
      return () => lstm(x);
    },
  },
  "a call that fails": {
    before: "a = torch.ones(2, 3)",
    python: "try:\n        a @ a\n    except RuntimeError:\n        return a.relu()",
    typescript: () => {
      const a = torch.ones(2, 3);
      return () => {
        try {
          a.matmul(a);
        } catch {
          return a.relu();
        }
        return null;
      };
    },
  },
};

test.each(Object.entries(twins))("%s", (_, { python: body, before = "", typescript }) => {
  const text = `import torch
import torch.nn as nn
import torch.nn.functional as F
${before}

def program():
    ${body}
`;
  // The first run makes what is made once: handles, loops, graphs of nodes.
  const made = (run: () => () => unknown): Trace => {
    for (let i = 0; i < 3; i++) run()();
    const program = run();
    return record(program);
  };
  const ours = made(typescript);
  const theirs = made(() => python(text, { filename: "twin.py" })["program"]);
  expect(way(theirs.events)).toEqual(way(ours.events));
  expect(way(ours.events).length).toBeGreaterThan(3);
  expect(theirs.events.some((event) => event.kind === "line")).toBe(true);
});
