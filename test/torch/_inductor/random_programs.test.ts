/** Random programs of pointwise operators, views and reductions: compiled values and gradients are those of eager. */
import "glasstorch/fx";
import fc from "fast-check";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { compile_fx } from "../../../src/torch/_inductor/compile_fx.ts";

// biome-ignore lint/suspicious/noExplicitAny: programs are made of any methods
type Any = any;
type Step = (stack: Any[]) => Any;

const t = torch as Any;
const pick = (stack: Any[], k: number): Any => stack[k % stack.length];

/** Operators of one tensor whose values stay moderate. */
const UNARY: Record<string, (x: Any) => Any> = {
  sin: (x) => x.sin(),
  cos: (x) => x.cos(),
  tanh: (x) => x.tanh(),
  sigmoid: (x) => x.sigmoid(),
  relu: (x) => x.relu(),
  abs: (x) => x.abs(),
  neg: (x) => x.neg(),
  exp: (x) => x.clamp(-2, 2).exp(),
  log: (x) => x.abs().add(1).log(),
  sqrt: (x) => x.abs().add(0.5).sqrt(),
  gelu: (x) => t.nn.functional.gelu(x),
  plus: (x) => x.add(1.5),
  times: (x) => x.mul(0.75),
  minus: (x) => t.rsub(x, 2),
  square: (x) => x.clamp(-3, 3).pow(2),
  half: (x) => x.to(t.bfloat16).to(t.float32),
  where: (x) => t.where(x.gt(0), x, x.mul(0.1)),
};
const BINARY: Record<string, (x: Any, y: Any) => Any> = {
  add: (x, y) => x.add(y),
  sub: (x, y) => x.sub(y, { alpha: 0.5 }),
  mul: (x, y) => x.tanh().mul(y.tanh()),
  div: (x, y) => x.div(y.abs().add(1)),
  maximum: (x, y) => t.maximum(x, y),
  minimum: (x, y) => t.minimum(x, y),
};
/** Operators that give a tensor of the same shape by way of others: views, reductions that are broadcast again, rows joined. */
const SHAPED: Record<string, (x: Any, k: number) => Any> = {
  transpose: (x) => x.t().contiguous().t(),
  turned: (x) => x.t().sin().t(),
  view: (x) => x.reshape(-1).cos().reshape(x.shape),
  flip: (x, k) => x.flip(k % 2),
  center: (x, k) => x.sub(x.mean(k % 2, true)),
  share: (x, k) => x.add(x.sum(k % 2, true).mul(0.1)),
  amax: (x, k) => x.sub(x.amax(k % 2, true)),
  softmax: (x, k) => t.softmax(x, k % 2),
  layer_norm: (x) => t.nn.functional.layer_norm(x, [x.shape[1]]),
  all: (x) => x.sub(x.mean()),
  var: (x) => x.div(x.var(1, { keepdim: true }).add(1)),
  cat: (x, k) => t.cat([x, x.mul(2)], k % 2).narrow(k % 2, 1, x.shape[k % 2]),
  expand: (x) => x.select(0, 0).unsqueeze(0).expand(x.shape).add(x),
  pad: (x) => t.nn.functional.pad(x, [1, 1]).narrow(1, 0, x.shape[1]),
  mm: (x) => x.mm(x.t()).mm(x).mul(0.1).tanh(),
  prod: (x) => x.tanh().prod(1, { keepdim: true }).add(x),
};

const step: fc.Arbitrary<{ name: string; step: Step }> = fc
  .record({
    kind: fc.integer({ min: 0, max: 9 }),
    a: fc.nat(5),
    b: fc.nat(5),
    which: fc.nat(1000),
  })
  .map(({ kind, a, b, which }) => {
    const [table, arity] = kind < 5 ? [UNARY, 1] : kind < 7 ? [BINARY, 2] : [SHAPED, 3];
    const names = Object.keys(table);
    const name = names[which % names.length];
    const f = table[name] as (...args: Any[]) => Any;
    const second = (stack: Any[]): Any => (arity === 2 ? pick(stack, b) : b);
    return { name, step: (stack) => f(pick(stack, a), second(stack)) };
  });

const program = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 9 }),
  rows: fc.constantFrom(1, 2, 5, 16, 19),
  columns: fc.constantFrom(1, 3, 4, 16, 21, 40),
  reduce: fc.integer({ min: 0, max: 4 }),
  seed: fc.nat(1000),
});

/** The program as a function of two matrices. */
const function_of =
  ({ steps, reduce }: { steps: readonly { step: Step }[]; reduce: number }) =>
  (x: Any, y: Any): Any => {
    const stack = [x, y];
    for (const { step } of steps) stack.push(step(stack));
    const last = stack[stack.length - 1];
    const result = [last, last.sum(0), last.sum(1), last.mean(), last.amax(1)][reduce];
    return [result, stack[stack.length - 2].mul(2)];
  };

/** Strides of the dimensions that have more than one place: the others mean nothing. */
const strides = (x: Any): string => String([...x.stride()].filter((_, i) => x.size(i) > 1));

const close = (a: Any, b: Any): boolean =>
  a.dtype === b.dtype && strides(a) === strides(b) && t.allclose(a, b, { rtol: 1e-3, atol: 1e-4, equal_nan: true }); // sums have another order, and powers enlarge the difference

test("values", () => {
  fc.assert(
    fc.property(program, (p) => {
      t.manual_seed(p.seed);
      const [x, y] = [t.randn(p.rows, p.columns), t.randn(p.rows, p.columns)];
      const f = function_of(p);
      const eager = f(x, y);
      const compiled = compile_fx(f)(x, y) as Any[];
      return eager.every((e: Any, i: number) => close(compiled[i], e));
    }),
    { numRuns: 100, seed: 881026771 },
  );
});

test("gradients", () => {
  const smooth = fc.record({
    steps: fc.array(
      step.filter(({ name }) => !["half", "flip", "prod", "amax", "maximum", "minimum", "abs"].includes(name)),
      { minLength: 1, maxLength: 6 },
    ),
    rows: fc.constantFrom(2, 5),
    columns: fc.constantFrom(3, 16),
    reduce: fc.integer({ min: 0, max: 3 }),
    seed: fc.nat(1000),
  });
  fc.assert(
    fc.property(smooth, (p) => {
      t.manual_seed(p.seed);
      const f = function_of(p);
      const run = (g: (...args: Any[]) => Any): Any[] => {
        const x = x0.clone().requires_grad_();
        const y = y0.clone().requires_grad_();
        const [a, b] = g(x, y);
        a.sum().add(b.sum()).backward();
        return [a.detach(), x.grad ?? t.zeros(1), y.grad ?? t.zeros(1)];
      };
      const [x0, y0] = [t.randn(p.rows, p.columns), t.randn(p.rows, p.columns)];
      const eager = run(f);
      const compiled = run(compile_fx(f) as Any);
      return eager.every((e, i) => t.allclose(compiled[i], e, { rtol: 1e-3, atol: 1e-4, equal_nan: true }));
    }),
    { numRuns: 30, seed: 1 },
  );
});

test("a place outside its tensor is an error", () => {
  const f = (x: Any, i: Any): Any => x.index_select(0, i).add(1);
  const compiled = compile_fx(f);
  const x = t.randn(4, 5);
  expect(t.equal(compiled(x, t.tensor([3, 0])), f(x, t.tensor([3, 0])))).toBe(true);
  expect(() => compiled(x, t.tensor([4, 0]))).toThrow("index out of bounds");
});
