/**
 * Reductions, scans, orders and searches of meta tensors: dtype, shape and strides of what they give, and what they refuse.
 * Each line is a call and PyTorch 2.13.0's answer to it.
 */
import torch from "glasstorch";
import { expect, test } from "vitest";

const meta = { device: "meta" } as const;
const a = torch.empty_strided([2, 3, 4], [1, 8, 2], meta);
const m = torch.empty([4, 3], meta).t();
const i = torch.empty([2, 3], { ...meta, dtype: torch.int64 });
const h = torch.empty([2, 3], { ...meta, dtype: torch.float16 });
const b = torch.empty([2, 3], { ...meta, dtype: torch.bool });
const v = torch.empty([5], meta);
const z = torch.empty([0, 3], meta);
const scalar = torch.empty([], meta);
const out = () => torch.empty([0], meta);
const places = () => torch.empty([0], { ...meta, dtype: torch.int64 });
// biome-ignore lint/suspicious/noExplicitAny: overloads of every signature
const aten = torch.ops.aten as any;
const { float32, float64 } = torch;

type Tensor = ReturnType<typeof torch.empty>;
type Result = Tensor | readonly Tensor[];

function answer(call: () => Result): string {
  try {
    const result = call();
    const tensors = result instanceof torch.Tensor ? [result] : [...result];
    return tensors
      .map((t) => `${String(t.dtype).slice(6)} [${t.shape.join(", ")}] [${t.stride().join(", ")}]`)
      .join(" ");
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message.split("\n")[0]}`;
  }
}

function agree(cases: readonly (readonly [call: () => Result, expected: string])[]): void {
  expect(cases.map(([call]) => `${call} => ${answer(call)}`)).toEqual(cases.map(([call, is]) => `${call} => ${is}`));
}

test("of a row, one", () => {
  agree([
    [() => torch.median(a), "float32 [] []"],
    [() => torch.nanmedian(i), "int64 [] []"],
    [() => torch.median(a, 1), "float32 [2, 4] [4, 1] int64 [2, 4] [4, 1]"],
    [() => torch.nanmedian(a, 1, true), "float32 [2, 1, 4] [4, 4, 1] int64 [2, 1, 4] [4, 4, 1]"],
    [() => torch.mode(i), "int64 [2] [1] int64 [2] [1]"],
    [() => torch.mode(scalar), "float32 [] [] int64 [] []"],
    [() => torch.median(a, 3), "IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 3)"],
    [() => torch.kthvalue(a, 2), "float32 [2, 3] [3, 1] int64 [2, 3] [3, 1]"],
    [() => torch.kthvalue(a, 2, 1, true), "float32 [2, 1, 4] [4, 4, 1] int64 [2, 1, 4] [4, 4, 1]"],
    [() => torch.kthvalue(scalar, 1, { keepdim: true }), "float32 [] [] int64 [] []"],
    [() => torch.kthvalue(a, 5, 1), "RuntimeError: kthvalue(): selected number k out of range for dimension 1"],
  ]);
});

test("scans and order", () => {
  agree([
    [() => torch.cummax(a, 1), "float32 [2, 3, 4] [12, 4, 1] int64 [2, 3, 4] [12, 4, 1]"],
    [() => torch.cummin(m, 0), "float32 [3, 4] [4, 1] int64 [3, 4] [4, 1]"],
    [() => torch.cummin(m, 2), "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"],
    [() => torch.cummax(scalar, 4), "float32 [] [] int64 [] []"],
    [() => torch.logcumsumexp(a, 1), "float32 [2, 3, 4] [12, 4, 1]"],
    [() => torch.logcumsumexp(i, 1), "int64 [2, 3] [3, 1]"],
    [() => torch.sort(a), "float32 [2, 3, 4] [1, 8, 2] int64 [2, 3, 4] [1, 8, 2]"],
    [() => torch.sort(m, { stable: true }), "float32 [3, 4] [1, 3] int64 [3, 4] [1, 3]"],
    [() => torch.sort(m, { out: [out(), places()] }), "float32 [3, 4] [1, 3] int64 [3, 4] [1, 3]"],
    [() => aten.sort(i, 7), "int64 [2, 3] [3, 1] int64 [2, 3] [3, 1]"],
  ]);
});

test("sums, products, counts", () => {
  agree([
    [() => torch.nansum(a), "float32 [] []"],
    [() => torch.nansum(i, 1), "int64 [2] [1]"],
    [() => torch.nansum(a, [0, 2], true), "float32 [1, 3, 1] [3, 1, 1]"],
    [() => torch.nansum(a, 1, false, { dtype: float64 }), "float64 [2, 4] [4, 1]"],
    [() => torch.prod(b), "int64 [] []"],
    [() => torch.prod(a, 1, true), "float32 [2, 1, 4] [4, 4, 1]"],
    [() => torch.prod(z, 0), "float32 [3] [1]"],
    [() => torch.prod(i, 0, false, { dtype: float32 }), "float32 [3] [1]"],
    [() => torch.prod(h, 1, { out: out() }), "float32 [2] [1]"],
    [() => torch.count_nonzero(a), "int64 [] []"],
    [() => torch.count_nonzero(a, 1), "int64 [2, 4] [4, 1]"],
    [() => torch.count_nonzero(a, [0, 2]), "int64 [3] [1]"],
    [() => torch.logsumexp(a, 1), "float32 [2, 4] [4, 1]"],
    [() => torch.logsumexp(i, [0, 1], true), "float32 [1, 1] [1, 1]"],
    [() => torch.logsumexp(h, 0), "float16 [3] [1]"],
    [() => torch.logsumexp(z, 0), "float32 [3] [1]"],
    [() => torch.logsumexp(a, []), "float32 [1, 1, 1] [1, 1, 1]"],
    [() => torch.logsumexp(a, 1, { out: out() }), "float32 [2, 4] [4, 1]"],
  ]);
});

test("norms and spreads", () => {
  const no_mean =
    "RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: torch.int64";
  agree([
    [() => aten.norm.Scalar(h, 1), "float16 [] []"],
    [() => aten.norm.ScalarOpt_dtype(h, 2, { dtype: float64 }), "float64 [] []"],
    [() => aten.norm.ScalarOpt_dim(a, 2, [1], true), "float32 [2, 1, 4] [4, 4, 1]"],
    [() => aten.norm.out(a, 2, [1], { out: out() }), "float32 [2, 4] [4, 1]"],
    [() => torch.dist(a, a), "float32 [] []"],
    [() => torch.dist(h, h, 1), "float16 [] []"],
    [() => torch.std(a), "float32 [] []"],
    [() => torch.std(h, [0], { correction: 3 }), "float16 [3] [1]"],
    [() => torch.std(i), "int64 [] []"],
    [() => torch.var(i), "int64 [] []"],
    [() => torch.var(a, [0, 2], { keepdim: true }), "float32 [1, 3, 1] [3, 1, 1]"],
    [() => torch.var(a, []), "float32 [] []"],
    [() => torch.var(a, 1, { correction: -1 }), "float32 [2, 4] [4, 1]"],
    [() => torch.var(a, 1, { out: out() }), "float32 [2, 4] [4, 1]"],
    [() => torch.var_mean(a, 1), "float32 [2, 4] [4, 1] float32 [2, 4] [4, 1]"],
    [() => torch.var_mean(i, 1), no_mean],
    [() => torch.std_mean(h), "float16 [] [] float16 [] []"],
    [() => torch.std_mean(a, [0, 1], { keepdim: true }), "float32 [1, 1, 4] [4, 4, 1] float32 [1, 1, 4] [4, 4, 1]"],
    [() => torch.std_mean(i), no_mean],
  ]);
});

test("places in order", () => {
  agree([
    [() => torch.bucketize(a, v), "int64 [2, 3, 4] [12, 4, 1]"],
    [() => torch.bucketize(a, v, { out_int32: true }), "int32 [2, 3, 4] [12, 4, 1]"],
    [() => torch.bucketize(a, v, { out: places() }), "int64 [2, 3, 4] [12, 4, 1]"],
    [() => torch.bucketize(2, v), "int64 [] []"],
    [() => torch.searchsorted(v, a), "int64 [2, 3, 4] [12, 4, 1]"],
    [() => torch.searchsorted(m, m), "int64 [3, 4] [4, 1]"],
    [() => torch.searchsorted(v, 3, { out_int32: true }), "int32 [] []"],
    [
      () => torch.searchsorted(m, i),
      "RuntimeError: torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor [3, 4] and input value tensor [2, 3]",
    ],
    [
      () => torch.searchsorted(v, a, { right: true, side: "left" }),
      "RuntimeError: torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
    ],
    [
      () => torch.searchsorted(v, a, { sorter: i }),
      "RuntimeError: torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor [5] and got sorter tensor [2, 3]",
    ],
  ]);
});

test("masked softmax, pieces", () => {
  agree([
    [() => aten._safe_softmax(a, 1), "float32 [2, 3, 4] [12, 4, 1]"],
    [() => aten._safe_softmax(a, 1, { dtype: float64 }), "float64 [2, 3, 4] [12, 4, 1]"],
    [() => aten.unsafe_split(a, 2, 2), "float32 [2, 3, 2] [1, 8, 2] float32 [2, 3, 2] [1, 8, 2]"],
    [() => aten.unsafe_split(m, 2), "float32 [2, 4] [1, 3] float32 [1, 4] [1, 3]"],
    [
      () => aten.unsafe_split(m, 0),
      "RuntimeError: split_size can only be 0 if dimension size is 0, but got dimension size of 3",
    ],
    [() => aten.unsafe_split_with_sizes(a, [1, 2], 1), "float32 [2, 1, 4] [1, 8, 2] float32 [2, 2, 4] [1, 8, 2]"],
  ]);
});
