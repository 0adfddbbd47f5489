/** `register_autograd` of operators with lists of tensors, beside PyTorch's: tools/oracle/user_programs/tensor_lists.py. */
import torch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const floats = (values: Any): string =>
  Array.isArray(values) ? `[${values.map(floats).join(", ")}]` : Number.isInteger(values) ? `${values}.0` : `${values}`;
const value = (t: Any): string | null => (t === null ? null : floats(t.tolist()));
/** Values of several tensors as Python prints them in a list. */
const all = (ts: readonly Any[]): string => `[${ts.map((t) => value(t) ?? "None").join(", ")}]`;
const ones = (n: number): Any => torch.ones([n]);
const leaf = (n: number): Any => torch.ones([n], { requires_grad: true });
const number = (x: number): Any => torch.tensor([x], { requires_grad: true, dtype: torch.float32 });
const sum = (ts: readonly Any[]): Any => ts.reduce((a, b) => a.add(b));
const custom_op = (name: string, fn: Any, schema: string): Any =>
  torch.library.custom_op(`lists::${name}`, fn, { mutates_args: [], schema });
const nothing = () => {};

user_programs("tensor_lists", {
  "an operator that takes a list of tensors": ({ say, fails }) => {
    const cat = custom_op("cat", (xs: Any, d: number) => torch.cat(xs, d), "(Tensor[] xs, int d) -> Tensor");
    cat.register_autograd(
      (ctx: Any, g: Any) => {
        say(ctx.needs_input_grad);
        return [[...g.split(ctx.n, 0)], null];
      },
      {
        setup_context: (ctx: Any, inputs: Any, _output: Any) => {
          ctx.n = inputs[0].map((x: Any) => x.shape[0]);
        },
      },
    );
    const [a, b] = [leaf(2), ones(3)];
    let y = cat([a, b], 0);
    say(y.grad_fn.name(), y.grad_fn.next_functions.length);
    y.mul(torch.arange(5)).sum().backward();
    say(value(a.grad), b.grad);
    y = cat([a, b, a.mul(2)], 0);
    y.mul(torch.arange(7)).sum().backward();
    say(value(a.grad));
    say(cat([b], 0).requires_grad);
    torch.no_grad(() => say(cat([a, b], 0).requires_grad));
    fails(() => say(cat([], 0).tolist()));
    const x = leaf(2);
    say(value(torch.autograd.grad(cat([x, x], 0).sum(), x)[0]));
  },
  "an operator that returns a list of tensors": ({ say }) => {
    const split = custom_op(
      "split",
      (x: Any, n: number) => x.split(n).map((t: Any) => t.clone()),
      "(Tensor x, int n) -> Tensor[]",
    );
    split.register_autograd(
      (_: Any, g: Any) => {
        say(Array.isArray(g) ? "list" : "no list", all(g));
        return [torch.cat(g), null];
      },
      { setup_context: (_ctx: Any, _inputs: Any, output: Any) => say("outputs", output.length) },
    );
    let x = leaf(5);
    const outs = split(x, 2);
    say(
      outs.length,
      outs.map((t: Any) => t.requires_grad),
      outs[1].grad_fn.name(),
      outs[2].output_nr,
    );
    outs[0].sum().add(outs[2].sum().mul(3)).backward();
    say(value(x.grad));
    split.register_autograd(
      (ctx: Any, _g: Any) => {
        ctx.set_materialize_grads(false);
        return [ones(5), null];
      },
      { setup_context: nothing },
    );
    x = leaf(5);
    split(x, 2)[1].sum().backward();
    say(value(x.grad));
  },
  "lists on both sides, and tensors beside them": ({ say }) => {
    const both = custom_op(
      "both",
      (xs: Any, y: Any, zs: Any) => [xs.map((x: Any) => x.mul(y)), y.mul(2), zs.map((z: Any) => z.mul(3))],
      "(Tensor[] xs, Tensor y, Tensor[] zs) -> (Tensor[], Tensor, Tensor[])",
    );
    both.register_autograd(
      (ctx: Any, gxs: Any, gy: Any, gzs: Any) => {
        say(ctx.needs_input_grad, all(gxs), value(gy), all(gzs));
        const [y, ...xs] = ctx.saved_tensors;
        const gradient = xs.reduce((so_far: Any, x: Any, i: number) => so_far.add(gxs[i].mul(x)), gy.mul(2));
        return [gxs.map((g: Any) => g.mul(y)), gradient, gzs.map((g: Any) => g.mul(3))];
      },
      {
        setup_context: (ctx: Any, [xs, y]: Any, _output: Any) => {
          ctx.save_for_backward(y, ...xs);
        },
      },
    );
    const [x1, x2, y, z] = [number(1), number(2), number(3), torch.full([1], 4) as Any];
    let [xs, yy, zs] = both([x1, x2], y, [z.to(torch.float32)]);
    say(all(xs), value(yy), all(zs));
    say([...xs, yy, ...zs].map((t) => t.requires_grad));
    xs[0].add(xs[1].mul(2)).add(yy).sum().backward();
    say(value(x1.grad), value(x2.grad), value(y.grad), z.grad);
    [xs, yy, zs] = both([], y, [number(5), number(6)]);
    say(xs, zs.length);
    zs[1].add(yy).sum().backward();
    say(value(y.grad));
  },
  "a list that holds None": ({ say, fails }) => {
    const opt = custom_op(
      "opt",
      (xs: Any) => sum(xs.filter((x: Any) => x !== null)).mul(2),
      "(Tensor?[] xs) -> Tensor",
    );
    opt.register_autograd(
      (ctx: Any, g: Any) => {
        say(ctx.needs_input_grad);
        return [g.mul(2), g.mul(2)];
      },
      { setup_context: nothing },
    );
    const [a, b] = [leaf(2), leaf(2)];
    say(opt([a, null]).requires_grad);
    opt([a, b]).sum().backward();
    say(value(a.grad), value(b.grad));
    const maybe = custom_op(
      "maybe",
      (x: Any, xs: Any = null) => (xs === null ? x.mul(2) : xs.length === 0 ? x.mul(0) : x.mul(sum(xs))),
      "(Tensor x, Tensor[]? xs=None) -> Tensor",
    );
    maybe.register_autograd(
      (ctx: Any, g: Any) => {
        say(ctx.needs_input_grad, ctx.n);
        return [g.mul(5), ctx.n === null ? null : new Array(ctx.n).fill(g)];
      },
      {
        setup_context: (ctx: Any, inputs: Any, _output: Any) => {
          ctx.n = inputs[1] === null ? null : inputs[1].length;
        },
      },
    );
    for (const xs of [null, [], [ones(2)], [leaf(2), ones(2)]]) {
      const x = leaf(2);
      fails(() => {
        maybe(x, xs).sum().backward();
        say(value(x.grad));
      });
    }
    fails(() => maybe(leaf(2)).sum().backward());
    fails(() =>
      maybe(ones(2), [leaf(2)])
        .sum()
        .backward(),
    );
  },
  "gradients of another structure": ({ say }) => {
    const first_lines = (f: () => void) => {
      try {
        f();
      } catch (error) {
        say((error as Error).name, (error as Error).message.split(/\s+/).join(" "));
        return;
      }
      say("no error");
    };
    const op = custom_op(
      "op",
      (xs: Any, _n: Any, y: Any) => sum(xs).mul(y),
      "(Tensor[] xs, int[] n, Tensor y) -> Tensor",
    );
    const returned: ((g: Any) => Any)[] = [
      (g) => [[g, g], null, g],
      (g) => [[g], null, g],
      (g) => [[g, g, g], null, g],
      (g) => [[null, g], null, null],
      () => [[null, null], null, null],
      (g) => [null, null, g],
      (g) => [g, null, g],
      (g) => [[g, g], null],
      (g) => [[g, g], null, g, null],
      (g) => [[g, g], [null, null], g],
      (g) => [[g, 5], null, g],
      (g) => [[g, g], null, [g]],
      (g) => [[g, g], g, g],
      () => null,
      (g) => g,
      (g) => [[g, ones(3)], null, g],
      (g) => [[[g, g]], null, g],
    ];
    for (const back of returned) {
      op.register_autograd((_: Any, g: Any) => back(g));
      const [a, b, y] = [leaf(2), leaf(2), leaf(2)];
      first_lines(() => {
        op([a, b], [1, 2], y).sum().backward();
        say(all([a.grad, b.grad, y.grad]));
      });
    }
    const one = custom_op("one", (xs: Any) => sum(xs).clone(), "(Tensor[] xs) -> Tensor");
    const gradients: ((g: Any) => Any)[] = [
      (g) => [g, g],
      (g) => [[g, g]],
      (g) => [null, g],
      (g) => [[g]],
      (g) => [g, g, g],
      () => null,
    ];
    for (const back of gradients) {
      one.register_autograd((_: Any, g: Any) => back(g));
      const [a, b] = [leaf(2), leaf(2)];
      first_lines(() => {
        one([a, b]).sum().backward();
        say(all([a.grad, b.grad]));
      });
    }
  },
  "contexts, and what is not registered": ({ say, fails }) => {
    const op = custom_op("named", (xs: Any) => sum(xs).clone(), "(Tensor[] xs) -> Tensor");
    const a = leaf(2);
    fails(() => op([a]).sum().backward());
    op.register_autograd((_: Any, g: Any) => [g], {
      setup_context: (ctx: Any, _inputs: Any, _output: Any) => {
        ctx._pt_metadata = 5;
      },
    });
    fails(() => op([a]));
    op.register_autograd((_: Any, g: Any) => [g], {
      setup_context: () => {
        const error = new Error("no");
        error.name = "ValueError";
        throw error;
      },
    });
    fails(() => op([a]));
    const kw = custom_op(
      "kw",
      (xs: Any, { s }: Any) => xs.map((x: Any) => x.mul(s)),
      "(Tensor[] xs, *, float s) -> Tensor[]",
    );
    kw.register_autograd(
      (ctx: Any, g: Any) => {
        say(ctx.needs_input_grad);
        return g.map((t: Any) => t.mul(ctx.s));
      },
      {
        setup_context: (ctx: Any, _inputs: Any, keyword_only_inputs: Any, _output: Any) => {
          ctx.s = keyword_only_inputs.s;
        },
      },
    );
    const b = leaf(2);
    const [p, q] = kw([a, b], { s: 2.5 });
    p.add(q.mul(2)).sum().backward();
    say(value(a.grad), value(b.grad));
    const twice = custom_op("twice", (xs: Any) => xs.map((x: Any) => x.mul(x)), "(Tensor[] xs) -> Tensor[]");
    twice.register_autograd((ctx: Any, g: Any) => ctx.saved_tensors.map((x: Any, i: number) => x.mul(2).mul(g[i])), {
      setup_context: (ctx: Any, inputs: Any, _output: Any) => {
        ctx.save_for_backward(...inputs[0]);
      },
    });
    const [x, y] = [number(2), number(3)];
    const [xx, yy] = twice([x, y]);
    const g = torch.autograd.grad(xx.mul(yy).sum(), [x, y], { create_graph: true });
    say(all(g));
    say(all(torch.autograd.grad((g[0] as Any).sum(), [x, y])));
  },
});
