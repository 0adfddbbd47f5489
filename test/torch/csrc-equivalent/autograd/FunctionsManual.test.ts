/**
 * @file Every kind of formula against PyTorch: which nodes run, which operators each of them calls and in which order, which gradients
 * come out. The expressions are those of tools/oracle/record_backward_ops.py, at the level of `at::`.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import "#aten/generated/RegisterAll";
import "#torch/csrc-equivalent/autograd/generated/RegisterAll";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { setTracer } from "#c10/util/Trace";
import { backward, grad } from "#torch/csrc-equivalent/autograd/autograd";

interface Recorded {
  readonly inputs: Record<string, [shape: number[], values: number[]]>;
  readonly cases: Record<
    string,
    { code: string; nodes: [string, string[]][]; grads: Record<string, [values: (number | null)[], strides: number[]]> }
  >;
}
const url = new URL("../../../fixtures/autograd/backward_ops.json.gz", import.meta.url);
// Python writes NaN; JSON has no such word.
const recorded = JSON.parse(
  gunzipSync(readFileSync(url))
    .toString()
    .replace(/\bNaN\b/g, "null"),
) as Recorded;

const int = (n: number): Scalar => Scalar.fromInt(n);
const float = (n: number): Scalar => Scalar.fromDouble(n);

function tensor(shape: number[], values: readonly number[], dtype: ScalarType = ScalarType.Double): Tensor {
  const t = at.empty_memory_format(shape, TensorOptions.EMPTY.dtype(dtype));
  const data = t.data_view();
  const offset = t.data_offset();
  values.forEach((v, i) => {
    (data as unknown as (number | bigint)[])[offset + i] = dtype === ScalarType.Long ? BigInt(v) : v;
  });
  return t;
}
const leaf = (shape: number[], values: readonly number[]): Tensor => tensor(shape, values).set_requires_grad(true);
const long = (values: number[]): Tensor => tensor([values.length], values, ScalarType.Long);
const zero_base = (): Tensor => leaf([2, 3], [0, 1, 0, 2, 0, -1]);
const mask = (): Tensor => tensor([2, 3], [1, 0, 1, 0, 0, 1], ScalarType.Bool);
const rows = (): Tensor => long([1, 0, 1]);
const target = (): Tensor => long([2, 0]);
const counting = (out: Tensor): Tensor =>
  at.arange_start(int(1), int(out.numel() + 1), TensorOptions.EMPTY.dtype(out.scalar_type())).reshape([...out.sizes()]);

function grad_of(f: (...inputs: Tensor[]) => Tensor, ...inputs: Tensor[]): Tensor {
  const out = f(...inputs);
  return grad([out], [inputs[0]], [counting(out).set_requires_grad(true)], true, true)[0];
}

type Inputs = Record<"x" | "y" | "p" | "q" | "v" | "w" | "s" | "a" | "b" | "c" | "k" | "one", Tensor>;
const cases: Record<string, (i: Inputs) => Tensor> = {
  abs: ({ x }) => x.abs(),
  add: ({ x, y }) => at.add_Tensor(x, y, int(2)),
  "add.Scalar": ({ x }) => x.add_Tensor(wrapped(2)),
  addmm: ({ x, p, k }) => at.addmm(k, x, p.detach().t().contiguous(), int(2), int(3)),
  "addmm column-major": ({ x, p, k }) => at.addmm(k, x, p.t()),
  addmv: ({ x, v, k }) => at.addmv(k.select_int(0, 0), x, v, int(2), int(3)),
  amax: ({ x }) => x.amax([1]),
  "amin all": ({ x }) => x.amin(),
  as_strided: ({ x }) => x.as_strided([2, 2], [3, 1], 1),
  "as_strided expanded": ({ x }) => x.as_strided([2, 3, 1], [0, 1, 1]),
  baddbmm: ({ a, b, c }) => at.baddbmm(c, a, b, int(2), int(3)),
  bmm: ({ a, b }) => at.bmm(a, b),
  cat: ({ x, y }) => at.cat([x, y, x], 1),
  "cat with an empty": ({ v }) => at.cat([leaf([0], []), v]),
  chunk: ({ x }) => x.chunk(2, 1)[1],
  clamp: ({ x }) => x.clamp(int(-1), int(1)),
  "clamp min": ({ x }) => x.clamp(int(0), null),
  "clamp max": ({ x }) => x.clamp(null, float(0.5)),
  "clamp.Tensor": ({ x, y, p }) => at.clamp_Tensor(x, y, p),
  "clamp.Tensor min": ({ x, y }) => at.clamp_Tensor(x, y, null),
  clamp_min: ({ x }) => at.clamp_min(x, float(0.25)),
  "clamp_min.Tensor": ({ x, y }) => at.clamp_min_Tensor(x, y),
  clamp_max: ({ x }) => at.clamp_max(x, float(0.25)),
  "clamp_max.Tensor": ({ x, y }) => at.clamp_max_Tensor(x, y),
  clone: ({ x }) => x.clone(),
  div: ({ x, p }) => x.div_Tensor(p),
  "div.Scalar": ({ x }) => x.div_Tensor(wrapped(4)),
  "div floor": ({ x, p }) => x.div_Tensor_mode(p, "floor"),
  dot: ({ v, w }) => v.dot(w),
  eq_: ({ x, y }) => x.clone().eq__Tensor(y),
  exp: ({ x }) => x.exp(),
  expand: ({ v }) => v.expand([2, 3]),
  fill: ({ x, s }) => at.fill_Tensor(x, s),
  fill_: ({ x, s }) => x.clone().fill__Tensor(s),
  index: ({ x }) => x.index_Tensor([null, rows()]),
  index_put: ({ x, v }) => at.index_put(x, [target().clamp(null, int(1))], v),
  "index_put accumulate": ({ x, v }) => at.index_put(x, [target().clamp(null, int(1))], v, true),
  log: ({ p }) => p.log(),
  log_softmax: ({ x }) => x.log_softmax_int(1),
  masked_fill: ({ x }) => x.masked_fill_Scalar(mask(), float(2)),
  "masked_fill.Tensor": ({ x, s }) => x.masked_fill_Tensor(mask(), s),
  masked_select: ({ x }) => x.masked_select(mask()),
  max: ({ x }) => x.max(),
  "max.dim": ({ x }) => x.max_dim(1)[0],
  "min.dim keepdim": ({ x }) => x.min_dim(0, true)[0],
  maximum: ({ x, y }) => at.maximum(x, y),
  mean: ({ x }) => x.mean(),
  "mean.dim": ({ x }) => x.mean_dim([1]),
  "mean.dim keepdim": ({ a }) => a.mean_dim([0, 2], true),
  minimum: ({ x, y }) => at.minimum(x, y),
  mm: ({ x, p }) => at.mm(x, p.detach().t().contiguous().set_requires_grad(true)),
  "mm column-major": ({ x, p }) => at.mm(x, p.t()),
  mul: ({ x, y }) => x.mul_Tensor(y),
  "mul.Scalar": ({ x }) => x.mul_Tensor(wrapped(3)),
  "mul, one wanted": ({ x, p }) => x.mul_Tensor(p.detach()),
  mul_: ({ x, y }) => x.clone().mul__Tensor(y),
  mv: ({ x, v }) => x.mv(v),
  narrow: ({ x }) => x.narrow(1, 1, 2),
  neg: ({ x }) => x.neg(),
  nll_loss: ({ x }) => at.nll_loss(x, target()),
  "nll_loss weighted": ({ x, v }) => at.nll_loss(x, target(), v.detach().abs(), 2),
  permute: ({ a }) => a.permute([2, 0, 1]),
  pow: ({ p }) => p.pow_Tensor_Scalar(int(3)),
  "pow 0": ({ p }) => p.pow_Tensor_Scalar(int(0)),
  "pow.Tensor": ({ p, y }) => at.pow_Tensor_Tensor(p, y),
  "pow.Tensor zero base": ({ q }) => at.pow_Tensor_Tensor(zero_base(), q),
  "pow.Scalar": ({ x }) => at.pow_Scalar(int(2), x),
  "pow.Scalar 0": ({ q }) => at.pow_Scalar(int(0), q),
  prelu: ({ x, v }) => at.prelu(x, v),
  reciprocal: ({ p }) => p.reciprocal(),
  relu: ({ x }) => x.relu(),
  reshape: ({ x }) => x.t().reshape([6]),
  rsqrt: ({ p }) => p.rsqrt(),
  rsub: ({ x, y }) => at.rsub_Tensor(x, y, int(2)),
  select: ({ x }) => x.select_int(0, 1),
  sigmoid: ({ x }) => x.sigmoid(),
  slice: ({ x }) => x.slice_Tensor(1, 1),
  softmax: ({ x }) => x.softmax_int(0),
  split: ({ x }) => x.split_Tensor(2, 1)[1],
  split_with_sizes: ({ x }) => x.split_with_sizes([1, 2], 1)[0],
  sqrt: ({ p }) => p.sqrt(),
  squeeze: ({ one }) => one.squeeze(),
  "squeeze.dim": ({ one }) => one.squeeze_dim(0),
  "squeeze.dims": ({ one }) => one.squeeze_dims([0, 2]),
  stack: ({ x, y }) => at.stack([x, y], 1),
  sub: ({ x, y }) => at.sub_Tensor(x, y, int(2)),
  sum: ({ x }) => x.sum(),
  "sum.dim": ({ x }) => x.sum_dim_IntList([0]),
  "sum.dim two": ({ a }) => a.sum_dim_IntList([0, 2]),
  "sum.dim keepdim": ({ a }) => a.sum_dim_IntList([1], true),
  t: ({ x }) => x.t(),
  tanh: ({ x }) => x.tanh(),
  threshold: ({ x }) => at.threshold(x, float(0.25), int(-1)),
  _to_copy: ({ x }) => x.to_dtype(ScalarType.Float),
  transpose: ({ a }) => a.transpose_int(0, 2),
  unbind: ({ x }) => x.unbind_int(1)[1],
  unsqueeze: ({ x }) => x.unsqueeze(1),
  vdot: ({ v, w }) => v.vdot(w),
  view: ({ x }) => x.view([3, 2]),
  where: ({ x, y }) => at.where_self(mask(), x, y),
  zero_: ({ x }) => x.clone().zero_(),
  "view, mul_": ({ x }) => {
    const z = x.clone();
    z.select_int(0, 0).mul__Tensor(wrapped(2));
    return z;
  },
  "view, copy_": ({ x, v }) => {
    const z = x.clone();
    z.slice_Tensor(0, 0)
      .select_int(1, 1)
      .copy_(v.slice_Tensor(0, 0, 2));
    return z;
  },
  "double prelu": ({ x, v }) => grad_of((t, weight) => at.prelu(t, weight), x, v),
  "double sigmoid": ({ x }) => grad_of((t) => t.sigmoid(), x),
  "double tanh": ({ x }) => grad_of((t) => t.tanh(), x),
  "double softmax": ({ x }) => grad_of((t) => t.softmax_int(1), x),
  "double log_softmax": ({ x }) => grad_of((t) => t.log_softmax_int(1), x),
  "double relu": ({ x }) => grad_of((t) => t.relu(), x),
  "double select": ({ x }) => grad_of((t) => t.select_int(0, 1).mul_Tensor(t.select_int(0, 0)), x),
  "double mul": ({ x }) => grad_of((t) => t.mul_Tensor(t), x),
};

/** A Python number among tensors arrives as a tensor that does not count for dtypes. */
function wrapped(value: number): Tensor {
  const t = at.scalar_tensor(int(value), TensorOptions.EMPTY.dtype(ScalarType.Long));
  t.impl_.set_wrapped_number(true);
  return t;
}

/** Nodes in the order they ran, each with the operators it called itself. */
function record_nodes(run: () => void): [string, string[]][] {
  const nodes: [string, string[]][] = [];
  const open: { node: string[] | null }[] = [];
  setTracer({
    begin(kind, name) {
      let node: string[] | null = null;
      if (kind === "engine" && /::apply$/.test(name) && !name.includes("AccumulateGrad")) {
        node = [];
        nodes.push([name.replace(/^torch::autograd::|::apply$/g, ""), node]);
      } else if (kind === "op" && /::call$/.test(name)) {
        open.at(-1)?.node?.push(name);
      }
      open.push({ node });
      return open.length - 1;
    },
    end(id) {
      open.length = id;
    },
  });
  try {
    run();
  } finally {
    setTracer(null);
  }
  return nodes;
}

/** `at::_ops::add__Tensor::call` -> `add_`: the profiler's names have no overload. */
function base_name(op: string, known: readonly string[]): string {
  const name = op.replace(/^at::_ops::(.*)::call$/, "$1");
  const base = known.filter((k) => name === k || name.startsWith(`${k}_`)).sort((a, b) => b.length - a.length)[0];
  return base ?? name;
}

function elements(t: Tensor): number[] {
  const dense = t.detach().contiguous();
  const data = dense.data_view() as unknown as number[];
  return Array.from({ length: dense.numel() }, (_, i) => Number(data[dense.data_offset() + i]));
}

afterEach(() => setTracer(null));

// PyTorch's own choice for a corner of the square root, where the quotient would be 0 / 0.
test("a constant row has standard deviation 0, and its gradient is 0", () => {
  const x = leaf([2, 3], [5, 5, 5, 1, 2, 6]);
  const gradient = grad_of((self) => at.std_correction(self, [1], int(0), false), x);
  const values = Array.from({ length: 6 }, (_, i) => Number(gradient.reshape([6]).select_int(0, i).item().toDouble()));
  expect(values.slice(0, 3)).toEqual([0, 0, 0]);
  const std = Math.sqrt(14 / 3); // of 1, 2, 6 around their mean 3
  for (const [i, off] of [-2, -1, 3].entries()) expect(values[3 + i]).toBeCloseTo((2 * off) / (3 * std), 12); // grad is 2
});

test("the same cases on both sides", () => {
  expect(Object.keys(cases)).toEqual(Object.keys(recorded.cases));
});

describe.each(Object.keys(cases))("%s", (name) => {
  const expected = recorded.cases[name];
  const inputs = (): Inputs =>
    Object.fromEntries(
      Object.entries(recorded.inputs).map(([n, [shape, values]]) => [n, leaf(shape, values)]),
    ) as Inputs;

  test("nodes and their operators", () => {
    const out = cases[name](inputs());
    const seed = counting(out);
    const nodes = record_nodes(() => backward([out], [seed]));
    const readable = nodes.map(([node, ops], i) => [
      node,
      ops.map((op) => base_name(op, expected.nodes[i]?.[1] ?? [])),
    ]);
    expect(readable).toEqual(expected.nodes.map(([node, ops]) => [node.replace("torch::autograd::", ""), ops]));
  });

  test("gradients", () => {
    const made = inputs();
    const out = cases[name](made);
    backward([out], [counting(out)]);
    for (const [n, t] of Object.entries(made)) {
      const wanted = expected.grads[n];
      expect([n, t.grad().defined()]).toEqual([n, wanted !== undefined]);
      if (wanted === undefined) continue;
      const got = elements(t.grad());
      expect(got.length).toBe(wanted[0].length);
      got.forEach((g, i) => {
        const want = wanted[0][i] ?? Number.NaN;
        if (Number.isNaN(want)) expect(g).toBeNaN();
        else
          expect(Math.abs(g - want), `${n}[${i}]: ${g} instead of ${want}`).toBeLessThanOrEqual(
            1e-7 + 1e-7 * Math.abs(want),
          );
      });
      expect([...t.grad().strides()]).toEqual(wanted[1]);
    }
  });
});
