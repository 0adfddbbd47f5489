/**
 * Who steals a gradient, who copies it, who adds in place: the operators and nodes of a backward, in order, and what shares memory
 * afterwards, are PyTorch's (2.13.0; recorded by tools/oracle/record_ownership.py, which has the Python of each case).
 * @see src/torch/csrc-equivalent/autograd/use_count.ts
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { setTracer } from "#c10/util/Trace";
import { type Any, readFixture } from "../../../helpers/recorded.ts";

interface Recorded {
  readonly cases: Readonly<Record<string, { readonly path: readonly string[]; readonly answers: readonly unknown[] }>>;
}
const { cases: recorded } = readFixture<Recorded>(
  new URL("../../../fixtures/autograd/ownership.json.gz", import.meta.url),
);
const t = torch as Any;

/** Operators called and nodes run, in order. */
function path_of(fn: () => unknown): string[] {
  const path: string[] = [];
  let id = 0;
  setTracer({
    begin(kind, name, fields: Any) {
      if (kind === "op" && name.endsWith("::call")) path.push(String(fields.op).replace(/\..*/, ""));
      if (kind === "engine" && name.endsWith("::apply")) path.push(name.split("::").at(-2) as string);
      return ++id;
    },
    end() {},
  });
  try {
    fn();
  } finally {
    setTracer(null);
  }
  return path;
}

interface Given {
  readonly a: Any;
  readonly b: Any;
  readonly g: Any;
  readonly two: Any;
}
/** `run` is what is recorded; `ask` gives what the recorder asked, in its order. */
interface Case {
  readonly run: () => unknown;
  readonly ask?: () => unknown[];
}

const leaf = (): Any => t.ones(3, 4, { requires_grad: true });
const shares = (x: Any, y: Any): boolean => x.data_ptr() === y.data_ptr();
const first = (x: Any): number => x.__getitem__([0, 0]).item();
const F = (x: number) => new t.Float(x);

const cases: Readonly<Record<string, (given: Given) => Case>> = {
  "the caller holds g": ({ a, b, g }) => {
    const y = a.add(b);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, g), shares(b.grad, g)] };
  },
  "the engine's own gradient for two leaves": ({ a, b, g, two }) => {
    const y = a.add(b).mul(two);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, b.grad)] };
  },
  "a python number": ({ a, b, g }) => {
    const y = a.add(b).mul(3);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, b.grad)] };
  },
  "two gradients of the engine's own": ({ a, g, two }) => {
    const y = a.mul(two).add(a.mul(two));
    return { run: () => y.backward(g) };
  },
  "two gradients by numbers": ({ a, g }) => {
    const y = a.mul(2).add(a.mul(3));
    return { run: () => y.backward(g), ask: () => [first(a.grad)] };
  },
  "three gradients": ({ a, g, two }) => {
    const y = a.mul(two).add(a.mul(two)).add(a.mul(two));
    return { run: () => y.backward(g), ask: () => [first(a.grad)] };
  },
  "the same twice": ({ a, g }) => {
    const y = a.add(a);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, g), first(g)] };
  },
  "the same three times": ({ a, g }) => {
    const y = a.add(a).add(a);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, g), first(g)] };
  },
  "own and foreign": ({ a, g, two }) => {
    const y = a.add(a.mul(two));
    return { run: () => y.backward(g), ask: () => [first(g)] };
  },
  "a hook keeps": ({ a, g, two }) => {
    const kept: Any[] = [];
    a.register_hook((grad: Any) => void kept.push(grad));
    const y = a.mul(two);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, kept[0])] };
  },
  "a hook of a result keeps": ({ a, b, g, two }) => {
    const kept: Any[] = [];
    const z = a.mul(two);
    z.register_hook((grad: Any) => void kept.push(grad));
    const y = z.add(b);
    return { run: () => y.backward(g), ask: () => [shares(b.grad, kept[0])] };
  },
  "a hook returns another": ({ a, g, two }) => {
    a.register_hook((grad: Any) => grad.mul(2));
    const y = a.mul(two);
    return { run: () => y.backward(g), ask: () => [first(a.grad)] };
  },
  "a post-accumulate hook": ({ a, g, two }) => {
    const seen: number[] = [];
    a.register_post_accumulate_grad_hook((p: Any) => void seen.push(p.grad.data_ptr()));
    const y = a.mul(two);
    return { run: () => y.backward(g), ask: () => [seen[0] === a.grad.data_ptr()] };
  },
  retain_grad: ({ a, g, two }) => {
    const z = a.mul(two);
    z.retain_grad();
    const y = z.mul(two);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, z.grad)] };
  },
  "a view of g": ({ a }) => {
    const y = a.view(-1);
    const g = t.ones(12);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, g)] };
  },
  "a transposed g": ({ a }) => {
    const y = a.t();
    const g = t.ones(4, 3);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, g), a.grad.stride()] };
  },
  "a view of the engine's own": ({ a, two }) => {
    const y = a.mul(two).view(-1);
    const g = t.ones(12);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "g is an expression": ({ a, b }) => {
    const y = a.add(b);
    return { run: () => y.backward(t.ones(3, 4)), ask: () => [shares(a.grad, b.grad)] };
  },
  "g is an expression, one leaf": ({ a }) => {
    const y = a.clone();
    return { run: () => y.backward(t.ones(3, 4)) };
  },
  "no gradient given": ({ a, two }) => {
    const y = a.mul(two).sum();
    return { run: () => y.backward(), ask: () => [a.grad.stride()] };
  },
  "sum of a leaf": ({ a }) => {
    const y = a.sum();
    return { run: () => y.backward(), ask: () => [a.grad.stride()] };
  },
  "sum twice": ({ a }) => {
    const y = a.sum().add(a.sum());
    return { run: () => y.backward(), ask: () => [a.grad.stride(), first(a.grad)] };
  },
  "an expanded leaf": ({ g }) => {
    const v = t.ones(4, { requires_grad: true });
    const y = v.expand(3, 4);
    return { run: () => y.backward(g), ask: () => [v.grad.stride()] };
  },
  "an expanded gradient": ({ a }) => {
    const y = a.mul(1);
    const g = t.ones(1).expand(3, 4);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "an expanded gradient, straight": ({ a }) => {
    const y = a.clone();
    const g = t.ones(1).expand(3, 4);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "a gradient in columns": ({ a, two }) => {
    const y = a.mul(two);
    const g = t.ones(4, 3).t();
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "a gradient in columns, straight": ({ a }) => {
    const y = a.clone();
    const g = t.ones(4, 3).t();
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "a leaf in columns": ({ g, two }) => {
    const c = t.ones(4, 3).t().requires_grad_();
    const y = c.mul(two);
    return { run: () => y.backward(g), ask: () => [c.grad.stride()] };
  },
  "a leaf in columns, sum": () => {
    const c = t.ones(4, 3).t().requires_grad_();
    const y = c.sum();
    return { run: () => y.backward(), ask: () => [c.grad.stride()] };
  },
  "a leaf that overlaps itself": ({ g, two }) => {
    const c = t.ones(1).expand(3, 4).detach().requires_grad_();
    const y = c.mul(two);
    return { run: () => y.backward(g), ask: () => [c.grad.stride()] };
  },
  "a leaf with gaps": ({ g, two }) => {
    const c = t
      .ones(3, 8)
      .__getitem__([{ start: null }, { step: 2 }])
      .detach()
      .requires_grad_();
    const y = c.mul(two);
    return { run: () => y.backward(g), ask: () => [c.grad.stride()] };
  },
  "a second backward": ({ a, g, two }) => {
    a.mul(two).backward(g);
    const before = a.grad;
    const y = a.mul(two);
    return { run: () => y.backward(g), ask: () => [a.grad === before, first(before)] };
  },
  "a second backward, g held": ({ a, b, g }) => {
    a.add(b).backward(g);
    const before = a.grad;
    const y = a.add(b);
    return { run: () => y.backward(g), ask: () => [a.grad === before, first(g)] };
  },
  "a second backward without gradient mode of the graph": ({ a, g, two }) => {
    a.grad = t.ones(3, 4);
    const before = a.grad;
    const y = a.mul(two);
    return { run: () => y.backward(g), ask: () => [a.grad === before, first(before)] };
  },
  "a second backward into .grad of columns": ({ a, g, two }) => {
    a.grad = t.ones(4, 3).t();
    const y = a.mul(two);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  create_graph: ({ a, b, g }) => {
    const y = a.mul(b);
    return {
      run: () => y.backward(g, { create_graph: true }),
      ask: () => [a.grad.requires_grad, a.grad.grad_fn === null],
    };
  },
  "create_graph of a sum": ({ a, b, g }) => {
    const y = a.add(b);
    return { run: () => y.backward(g, { create_graph: true }), ask: () => [shares(a.grad, g), a.grad.requires_grad] };
  },
  "create_graph twice": ({ a, b, g }) => {
    a.mul(b).backward(g, { create_graph: true });
    const before = a.grad;
    const y = a.mul(b);
    return {
      run: () => y.backward(g, { create_graph: true }),
      ask: () => [a.grad === before, first(a.grad), first(before)],
    };
  },
  "create_graph, two branches": ({ a, g, two }) => {
    const y = a.mul(two).add(a.mul(two));
    return { run: () => y.backward(g, { create_graph: true }), ask: () => [first(a.grad)] };
  },
  "a graph kept": ({ a, b, g, two }) => {
    const y = a.add(b).mul(two);
    return { run: () => y.backward(g, { retain_graph: true }), ask: () => [shares(a.grad, b.grad)] };
  },
  "autograd.grad": ({ a, b, g, two }) => {
    const y = a.add(b).mul(two);
    let grads: Any[] = [];
    return {
      run: () => (grads = t.autograd.grad(y, [a, b], g)),
      ask: () => [shares(grads[0], grads[1]), a.grad === null],
    };
  },
  "autograd.grad of a sum": ({ a, b, g }) => {
    const y = a.add(b);
    let grads: Any[] = [];
    return { run: () => (grads = t.autograd.grad(y, [a, b], g)), ask: () => [shares(grads[0], g), grads[0] === g] };
  },
  "autograd.grad by two ways": ({ a, g, two }) => {
    const y = a.mul(two).add(a.mul(two));
    let grads: Any[] = [];
    return { run: () => (grads = t.autograd.grad(y, [a], g)), ask: () => [first(grads[0])] };
  },
  "reshape that copies": ({ a }) => {
    const y = a.t().reshape(12);
    const g = t.ones(12);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  select: ({ a }) => {
    const y = a.__getitem__([0]);
    const g = t.ones(4);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "two selects": ({ a }) => {
    const y = a.__getitem__([0]).add(a.__getitem__([1]));
    const g = t.ones(4);
    return { run: () => y.backward(g), ask: () => [a.grad.__getitem__([2, 0]).item()] };
  },
  unbind: ({ a }) => {
    const p = a.unbind();
    const y = p[0].add(p[2]);
    const g = t.ones(4);
    return { run: () => y.backward(g), ask: () => [a.grad.__getitem__([1, 0]).item()] };
  },
  "cat of the same": ({ a }) => {
    const y = t.cat([a, a]);
    const g = t.ones(6, 4);
    return { run: () => y.backward(g), ask: () => [a.grad.stride()] };
  },
  "in place on a result": ({ a, b, g, two }) => {
    const z = a.mul(two);
    z.add_(b);
    return { run: () => z.backward(g), ask: () => [shares(a.grad, b.grad)] };
  },
  "in place on a view of a result": ({ a, g, two }) => {
    const z = a.mul(two);
    z.__getitem__([0]).mul_(two);
    return { run: () => z.backward(g), ask: () => [first(a.grad), first(g)] };
  },
  mm: ({ a }) => {
    const w = t.ones(4, 2, { requires_grad: true });
    const y = a.mm(w);
    const g = t.ones(3, 2);
    return { run: () => y.backward(g), ask: () => [a.grad.stride(), w.grad.stride()] };
  },
  "mm of a transposed weight": ({ a }) => {
    const w = t.ones(2, 4, { requires_grad: true });
    const y = a.mm(w.t());
    const g = t.ones(3, 2);
    return { run: () => y.backward(g), ask: () => [a.grad.stride(), w.grad.stride()] };
  },
  "another dtype": ({ a }) => {
    const y = a.double().mul(F(1));
    const g = t.ones(3, 4, { dtype: t.float64 });
    return { run: () => y.backward(g), ask: () => [String(a.grad.dtype)] };
  },
  broadcast: ({ a, g }) => {
    const v = t.ones(4, { requires_grad: true });
    const y = a.add(v);
    return { run: () => y.backward(g), ask: () => [shares(a.grad, g), v.grad.stride()] };
  },
  "detach between": ({ a, g, two }) => {
    const y = a.mul(two).add(a.mul(two).detach());
    return { run: () => y.backward(g) };
  },
  inputs: ({ a, b, g, two }) => {
    const y = a.add(b).mul(two);
    return { run: () => y.backward(g, { inputs: [b] }), ask: () => [a.grad === null] };
  },
};

test("every recorded case is here", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(recorded).sort());
});

test.each(Object.keys(cases))("%s", (name) => {
  const { path, answers } = recorded[name];
  const before = setWarningHandler(() => {});
  try {
    const made = cases[name]({
      a: leaf(),
      b: leaf(),
      g: t.ones(3, 4),
      two: t.tensor(F(2)),
    });
    expect(path_of(made.run)).toEqual(path);
    expect((made.ask?.() ?? []).map((x) => (Array.isArray(x) ? [...x] : x))).toEqual(answers);
  } finally {
    setWarningHandler(before as Any);
  }
});
