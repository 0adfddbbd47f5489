/** `torch.autograd.functional` beside PyTorch's: tools/oracle/user_programs/functional.py. Its doors, and those of what waits. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import type { Any } from "../../helpers/recorded.ts";
import { type Said, user_programs } from "../../helpers/user_programs.ts";

const F = torch.autograd.functional as Any;
const { jacobian, hessian, vjp, jvp, vhp, hvp } = F;
const PRODUCTS: Any[] = [vjp, jvp, vhp, hvp];
const tensor = (data: Any, kwargs = {}): Any => torch.tensor(data, kwargs);
const leaf = (data: Any): Any => tensor(data, { requires_grad: true });
const float64 = { dtype: torch.float64 };
/** An array as a tuple. */
const tuple = (value: Any): string => {
  if (!Array.isArray(value)) return repr(value);
  return `(${value.map(tuple).join(", ")}${value.length === 1 ? "," : ""})`;
};

function programs(written: Readonly<Record<string, (said: Said) => void>>): void {
  const with_tuples = Object.entries(written).map(([title, program]) => [
    title,
    ({ say, fails }: Said) => program({ say: (...values) => say(...values.map(tuple)), fails }),
  ]);
  user_programs("functional", Object.fromEntries(with_tuples));
}

programs({
  "one input, one output": ({ say }) => {
    const x = tensor(
      [
        [0.5, -1.25],
        [2, 0.75],
      ],
      float64,
    );
    const f = (x: Any) => x.exp().sum(1);
    say(jacobian(f, x));
    say(vjp(f, x, tensor([1.5, -0.5], float64)));
    say(jvp(f, x, torch.ones_like(x)));
    const g = (x: Any) => x.pow(3).mul(x.flip(0)).sum();
    say(hessian(g, x));
    say(vhp(g, x, x));
    say(hvp(g, x, x));
    say(
      vjp((x: Any) => x.sum(), x),
      jvp((x: Any) => x.mul(x.new_ones(3)), tensor([2.5])),
    );
    const fourth = (x: Any) => x.pow(4).sum();
    say(hvp(fourth, tensor([2.5])), vhp(fourth, tensor(1.5)));
    const sin = (x: Any) => x.sin();
    say(jacobian(sin, tensor(0.5)), hessian(sin, tensor(0.5)));
    say(x.requires_grad, x.grad);
  },
  "tuples in, tuples out": ({ say }) => {
    const [x, y] = [tensor([0.5, -1.5]), tensor([[2.5], [1.25]])];
    const f = (x: Any, y: Any) => [x.mul(y), y.sum(), x.exp()];
    say(jacobian(f, [x, y]));
    say(jacobian(f, [x, y])[2][1].shape);
    say(jacobian((x: Any, y: Any) => x.sum().mul(y), [x, y]));
    say(jacobian((x: Any) => [x, x.sum()], x));
    say(
      jacobian((x: Any) => [x.mul(2)], x),
      jacobian((x: Any) => x.mul(2), [x]),
    );
    const v = [torch.ones(2, 2), tensor(0.5), tensor([1.5, -1])];
    say(vjp(f, [x, y], v));
    say(jvp(f, [x, y], [x, y]));
    const g = (x: Any, y: Any) => x.pow(3).mul(y.square()).sum();
    say(hessian(g, [x, y]));
    say(vhp(g, [x, y], [y.reshape(2), y]));
    say(hvp(g, [x, y], [y.reshape(2), y]));
    const product = (x: Any) => x.prod();
    say(
      hessian((x: Any) => x.pow(3).sum(), [x]),
      hvp(product, [x], [x]),
      vhp(product, x, [x]),
    );
  },
  "what the results do not depend on": ({ say }) => {
    const [x, y] = [tensor([0.5, -1.5]), tensor([2.5])];
    const first = (x: Any, _: Any) => [x.mul(2), torch.ones(2)];
    say(jacobian(first, [x, y]));
    say(vjp((x: Any, _: Any) => x.sum(), [x, y]));
    say(jvp(first, [x, y], [x, y]));
    say(hessian((x: Any, _: Any) => x.square().sum(), [x, y]));
    const sum = (x: Any) => x.sum();
    say(hessian(sum, x), vhp(sum, x, x), hvp(sum, x, x));
    const constant = () => tensor(1.5);
    say(vjp(constant, x), vhp(constant, x, x));
    const detached = (x: Any) => x.detach().sum();
    say(vjp(detached, x), hvp(detached, x, x));
  },
  strict: ({ fails }) => {
    const [x, y] = [tensor([0.5, -1.5]), tensor([2.5, 0.5])];
    const copies = () => [x.clone().requires_grad_(), y.clone().requires_grad_()];
    const both = (f: Any, ...args: Any[]) => {
      for (const create_graph of [false, true]) fails(() => f(...args, { strict: true, create_graph }));
    };
    const zero = () => torch.zeros([]);
    const linear = (x: Any) => x.sum();
    const square = (x: Any) => x.square().sum();
    for (const f of [jacobian, hessian]) {
      both(f, zero, x);
      both(f, linear, x);
      both(f, square, x);
      both(f, (x: Any, _: Any) => x.pow(3).sum(), [x, y]);
      both(f, (x: Any, y: Any) => x.pow(3).mul(y.square()).sum(), [x, y]);
    }
    for (const f of PRODUCTS) {
      const v = f === vjp ? torch.ones([]) : x;
      both(f, zero, x, v);
      both(f, linear, x, v);
      both(f, square, x, v);
      both(f, (x: Any) => x.pow(3).sum(), copies()[0], v);
      const w = f === vjp ? v : [x, y];
      both(f, (x: Any, _: Any) => x.pow(3).sum(), [x, y], w);
      both(f, (x: Any, y: Any) => x.sum().mul(y.pow(3)).sum(), copies(), w);
    }
    both(jacobian, (x: Any) => [x.mul(2), torch.ones(2)], x);
    both(jacobian, (x: Any, y: Any) => [x.mul(2), y.mul(x.exp())], [x, y]);
    both(jacobian, (x: Any, y: Any) => [y.mul(x.exp()), x.mul(2)], copies());
    both(jvp, (x: Any) => [x.mul(2), torch.ones(2)], x, x);
  },
  create_graph: ({ say }) => {
    const x = leaf([0.5, -1.5, 2]);
    const v = leaf([1.5, 0.5, -0.25]);
    const w = leaf(2.5);
    const grad = torch.autograd.grad as Any;
    const graph = { create_graph: true };
    const f = (x: Any) => x.pow(3).mul(x.flip(0)).sum();
    for (const h of [jacobian, hessian]) {
      const r = h(f, x, graph);
      say(r, grad(r.square().sum(), x)[0]);
    }
    for (const h of PRODUCTS) {
      const u = h === vjp ? w : v;
      let [out, r] = h(f, x, u, graph);
      say(out, r, grad(r.square().sum().add(out), [x, u]));
      [out, r] = h(f, x, u);
      say(out, r, out.requires_grad, r.requires_grad);
    }
    let r = jacobian((x: Any) => x.mul(2), torch.ones(2), graph);
    say(r, r.requires_grad);
    r = hessian((x: Any) => x.square().sum(), x, graph);
    say(r, r.requires_grad);
    say(jacobian((x: Any) => jacobian(torch.exp, x, graph), tensor([0.5, 1.5])));
    say(x.grad, v.grad, w.grad);
  },
  "the user's grad mode": ({ say, fails }) => {
    const x = leaf([0.5, -1.5]);
    const seen: boolean[][] = [];
    const g = (x: Any) => {
      seen.push([torch.is_grad_enabled(), x.requires_grad, x.is_leaf]);
      return x.pow(3).sum();
    };
    const graph = { create_graph: true };
    torch.no_grad(() => {
      for (const h of [jacobian, hessian]) {
        const r = h(g, x);
        const q = h(g, x, graph);
        say(r, r.requires_grad, q, q.requires_grad, torch.is_grad_enabled());
      }
      for (const h of PRODUCTS) {
        const u = h === vjp ? tensor(1.5) : x;
        for (const options of [{}, graph]) {
          const [out, r] = h(g, x, u, options);
          say(r, out.requires_grad, r.requires_grad, torch.is_grad_enabled());
        }
        fails(() => h((x: Any) => x.reshape(5), x, u));
        say(torch.is_grad_enabled());
      }
    });
    say(...seen);
    say(torch.is_grad_enabled());
  },
  "what is refused": ({ say, fails }) => {
    const [x, y] = [tensor([0.5, -1.5]), tensor([2.5])];
    const f = (...x: Any[]) => x.map((t) => t.exp().sum()).reduce((a, b) => a.add(b));
    for (const h of [jacobian, hessian, ...PRODUCTS]) {
      const v = PRODUCTS.includes(h) ? [x] : [];
      fails(() => h(f, 5, ...v));
      fails(() => h(f, [x, null], ...v));
      fails(() => h(f, "x", ...v));
      fails(() => h(() => 5, x, ...v));
      fails(() => h((x: Any) => [x.sum(), 1.5], x, ...v));
      fails(() => h(() => null, x, ...v));
      fails(() => h(5, x, ...v));
      fails(() => h(f, torch.ones(2, { dtype: torch.int64 }), ...v));
    }
    for (const h of [hessian, vhp, hvp]) {
      const v = h === hessian ? [] : [x];
      fails(() => h((x: Any) => x, x, ...v));
      fails(() => h((x: Any) => [x.sum()], x, ...v));
      fails(() => h((x: Any) => [x.sum(), x.sum()], x, ...v));
      say(h((x: Any) => x.exp().sum().reshape(1, 1), x, ...v));
    }
    for (const h of [jvp, vhp, hvp]) {
      fails(() => h(f, x));
      fails(() => h(f, [y, y]));
      fails(() => h(f, x, [x, x]));
      fails(() => h(f, [x, y], x));
      fails(() => h(f, [x, y], [x, x]));
      fails(() => h(f, x, y));
      fails(() => h(f, x, 5));
      fails(() => h(f, [x, y], [x, null]));
    }
    const same = (x: Any) => x;
    const twice = (x: Any) => [x, x];
    fails(() => vjp((x: Any) => x.mul(2), x));
    fails(() => vjp((x: Any) => [x.sum(), x.sum()], x));
    fails(() => vjp((x: Any) => x.mul(2), x, y));
    fails(() => vjp(twice, x, [x, y]));
    fails(() => vjp(twice, x, x));
    fails(() => vjp(same, x, [x, x]));
    fails(() => vjp(same, x, 5));
    fails(() => jacobian(() => [], x));
    fails(() => jacobian(same, torch.ones(0)));
  },
  strategies: ({ fails }) => {
    const x = tensor([0.5, -1.5]);
    const f = (x: Any) => x.exp().sum();
    const [strategy, outer_jacobian_strategy] = ["forward-mode", "forward-mode"];
    fails(() => jacobian(f, x, { strategy: "sideways" }));
    fails(() => hessian(f, x, { outer_jacobian_strategy: "sideways" }));
    fails(() => jacobian(f, x, { strategy }));
    fails(() => jacobian(f, 5, { strategy }));
    fails(() => jacobian(f, x, { strategy, strict: true }));
    fails(() => jacobian(f, x, { strategy, create_graph: true }));
    fails(() => hessian(f, x, { outer_jacobian_strategy }));
    fails(() => hessian(f, x, { outer_jacobian_strategy, strict: true }));
    fails(() => hessian(f, x, { outer_jacobian_strategy, create_graph: true }));
    fails(() => hessian(f, x, { outer_jacobian_strategy, strict: true, vectorize: true }));
    fails(() => jacobian(f, x, { strict: true, vectorize: true }));
    fails(() => hessian(f, x, { strict: true, vectorize: true }));
    fails(() => jacobian(() => torch.ones(1), x, { strict: true, vectorize: true }));
  },
});

const exp = (x: Any) => x.exp();

test("vmap stands in a part of its own", () => {
  const x = tensor([0.5, -1.5]);
  const refused = (message: string) => expect.objectContaining({ name: "ImportError", message });
  const vmap = refused('torch.vmap cannot be loaded from here: write import "glasstorch/func" before its first use');
  expect(() => jacobian(exp, x, { vectorize: true })).toThrow(vmap);
  expect(() => hessian((x: Any) => x.exp().sum(), x, { vectorize: true })).toThrow(vmap);
});
