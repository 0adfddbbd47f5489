/**
 * @file `histogramdd`: the number of points with several dimensions, or the sum of their weights, in each box of a
 * grid.
 * @mirrors aten/src/ATen/native/Histogram.cpp
 * @see index.ts (one dimension); cpu/HistogramKernel.ts (the counting)
 */
import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { _local_scalar_dense_cpu } from "#aten/native/Scalar";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

/**
 * Adds the counts, or weights, of the points in `self` (n, D) to `hist`; all tensors are contiguous. Points outside all
 * bins are ignored.
 */
export const histogramdd_stub =
  DEFINE_DISPATCH<(self: Tensor, weight: Tensor | null, hist: Tensor, bin_edges: readonly Tensor[]) => void>(
    "histogramdd_stub",
  );

/** `input` is (*, D), with one tensor of edges for each of the D dimensions. */
export function histogramdd_check_inputs(input: Tensor, bins: readonly Tensor[], weight: Tensor | null): void {
  TORCH_CHECK(input.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions");
  const N = input.size(-1);
  TORCH_CHECK(
    bins.length === N,
    `torch.histogramdd: expected ${N} sequences of bin edges for a ${N}-dimensional histogram but got `,
    bins.length,
  );
  for (const [dim, edges] of bins.entries()) {
    TORCH_CHECK(
      input.dtype() === edges.dtype(),
      "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
      typeMetaName(input.dtype()),
      ` and bins for dimension ${dim} with dtype `,
      typeMetaName(edges.dtype()),
    );
    TORCH_CHECK(
      edges.dim() === 1,
      "torch.histogramdd: bins tensor should have one dimension, but got ",
      edges.dim(),
      ` dimensions in the bins tensor for dimension ${dim}`,
    );
    TORCH_CHECK(
      edges.numel() > 0,
      "torch.histogramdd: bins tensor should have at least 1 element, but got ",
      edges.numel(),
      ` elements in the bins tensor for dimension ${dim}`,
    );
  }
  if (weight === null) return;
  TORCH_CHECK(
    input.dtype() === weight.dtype(),
    "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input(",
    typeMetaName(input.dtype()),
    "), and weight(",
    typeMetaName(weight.dtype()),
    ")",
  );
  TORCH_CHECK(
    String(input.sizes().slice(0, -1)) === String(weight.sizes()),
    "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape ",
    input.sizes(),
    " and weight with shape ",
    weight.sizes(),
  );
}

export function histogramdd_prepare_out(
  input: Tensor,
  bin_ct: readonly number[],
  hist: Tensor,
  bin_edges: readonly Tensor[],
): void {
  TORCH_CHECK(
    input.dtype() === hist.dtype(),
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input ",
    typeMetaName(input.dtype()),
    " and hist ",
    typeMetaName(hist.dtype()),
  );
  for (const [dim, edges] of bin_edges.entries()) {
    TORCH_CHECK(
      input.dtype() === edges.dtype(),
      "torch.histogram: input tensor and bin_edges tensor should have the same dtype, but got input ",
      typeMetaName(input.dtype()),
      " and bin_edges ",
      typeMetaName(edges.dtype()),
      ` for dimension ${dim}`,
    );
    TORCH_CHECK(bin_ct[dim] > 0, "torch.histogram(): bins must be > 0, but got ", bin_ct[dim], ` for dimension ${dim}`);
    resize_output(edges, [bin_ct[dim] + 1]);
  }
  resize_output(hist, [...bin_ct]);
}

/** Element `i` of a vector. */
function element(t: Tensor, i: number): number {
  const one = as_strided_tensorimpl(t, [], [], t.storage_offset() + i * t.strides()[0]);
  return _local_scalar_dense_cpu(one).toDouble();
}

/** `range`, or the extremes along each dimension of `input` (n, D). If both are equal, the bin extends by half to each side. */
export function select_outer_bin_edges(
  input: Tensor,
  range: readonly number[] | null,
): [left: number, right: number][] {
  const N = input.size(-1);
  TORCH_CHECK(
    range === null || range.length === 2 * N,
    `torch.histogramdd: for a ${N}-dimensional histogram range should have ${2 * N} elements, but got `,
    range?.length ?? 0,
  );
  const outer = Array.from({ length: N }, (_, dim): [number, number] =>
    range === null ? [0, 1] : [range[2 * dim], range[2 * dim + 1]],
  );
  if (range === null && input.numel() > 0) {
    const dtype = input.scalar_type();
    const known = dtype === ScalarType.Float || dtype === ScalarType.Double;
    TORCH_CHECK_NOT_IMPLEMENTED(known, `"histogramdd" not implemented for '${toString(dtype)}'`);
    const [least, greatest] = at.aminmax(input, 0);
    for (const [dim, edges] of outer.entries()) {
      edges[0] = element(least, dim);
      edges[1] = element(greatest, dim);
    }
  }
  return outer.map(([left, right], dim) => {
    const [l, r] = [printDouble(left), printDouble(right)];
    const finite = Number.isFinite(left) && Number.isFinite(right);
    TORCH_CHECK(finite, `torch.histogramdd: dimension ${dim}'s range [`, l, ", ", r, "] is not finite");
    TORCH_CHECK(
      left <= right,
      "torch.histogramdd: min should not exceed max, but got min ",
      l,
      " max ",
      r,
      ` for dimension ${dim}`,
    );
    return left === right ? [left - 0.5, right + 0.5] : [left, right];
  });
}

/**
 * Lets `count` fill a histogram of its own with the points (n, D), and copies it to `hist`. In PyTorch each thread has
 * one, and they are summed.
 */
export function counted(
  input: Tensor,
  weight: Tensor | null,
  hist: Tensor,
  count: (points: Tensor, weights: Tensor | null, thread_histogram: Tensor) => void,
): Tensor {
  hist.fill__Scalar(Scalar.ZERO);
  const points = rows_of(input).contiguous();
  const weights = weight?.reshape([weight.numel()]).contiguous() ?? null;
  const thread_histograms = at.zeros([1, ...hist.sizes()], hist.options());
  const own = as_strided_tensorimpl(thread_histograms, hist.sizes(), thread_histograms.strides().slice(1), null);
  count(points, weights, own);
  return at.sum_IntList_out(thread_histograms, [0], false, null, hist);
}

/** `input` (*, D) as (n, D). */
function rows_of(input: Tensor): Tensor {
  const n = input
    .sizes()
    .slice(0, -1)
    .reduce((product, size) => product * size, 1);
  return input.reshape([n, input.size(-1)]);
}

/** Counts the points of `input` (*, D) between `bin_edges`. */
export function histogramdd_count(
  input: Tensor,
  bin_edges: readonly Tensor[],
  weight: Tensor | null,
  density: boolean,
  hist: Tensor,
): void {
  const N = input.size(-1);
  const edges = bin_edges.map((each) => each.contiguous());
  counted(input, weight, hist, (points, weights, counts) => {
    histogramdd_stub.call(input.device_type(), points, weights, counts, edges);
  });
  if (!density) return;
  hist.div__Scalar(hist.sum().item());
  for (const [dim, each] of bin_edges.entries()) {
    const shape = Array.from({ length: N }, (_, d) => (d === dim ? each.numel() - 1 : 1));
    hist.div__Tensor(each.diff().reshape(shape));
  }
}

function allocate_bin_edges_tensors(self: Tensor): Tensor[] {
  TORCH_CHECK(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions");
  return Array.from({ length: self.size(-1) }, () => at.empty_memory_format([0], self.options()));
}

/** Outer edges for `bin_ct` bins per dimension; the edges are not computed yet. */
function outer_of(self: Tensor, bin_ct: readonly number[], range: readonly number[] | null): [number, number][] {
  const outer = select_outer_bin_edges(rows_of(self), range);
  TORCH_CHECK(
    bin_ct.length === outer.length,
    "histogramdd: The size of bins must be equal to the innermost dimension of the input.",
  );
  return outer;
}

function write_edges(outer: readonly [number, number][], bin_ct: readonly number[], edges: readonly Tensor[]): void {
  for (const [dim, [left, right]] of outer.entries())
    at.linspace_out(Scalar.fromDouble(left), Scalar.fromDouble(right), bin_ct[dim] + 1, edges[dim]);
}

// _histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]       CPU
export function histogramdd_bin_edges(
  self: Tensor,
  bin_ct: readonly number[],
  range: readonly number[] | null,
  _weight: Tensor | null,
  _density: boolean,
): Tensor[] {
  const bin_edges = allocate_bin_edges_tensors(self);
  write_edges(outer_of(self, bin_ct, range), bin_ct, bin_edges);
  return bin_edges;
}

// _histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor      CPU
export function _histogramdd(
  self: Tensor,
  bin_ct: readonly number[],
  range: readonly number[] | null,
  weight: Tensor | null,
  density: boolean,
): Tensor {
  const hist = at.empty_memory_format([0], self.options());
  const bin_edges = allocate_bin_edges_tensors(self);
  const edges = histogramdd_bin_edges(self, bin_ct, range, weight, density);
  histogramdd_prepare_out(self, bin_ct, hist, bin_edges);
  for (const [dim, each] of edges.entries()) bin_edges[dim].copy_(each);
  histogramdd_check_inputs(self, bin_edges, weight);
  histogramdd_count(self, bin_edges, weight, density, hist);
  return hist;
}

// _histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor                    CPU
export function _histogramdd_from_bin_tensors(
  self: Tensor,
  bins: readonly Tensor[],
  weight: Tensor | null,
  density: boolean,
): Tensor {
  const hist = at.empty_memory_format([0], self.options());
  histogramdd_check_inputs(self, bins, weight);
  const bin_edges = bins.map((each) => at.empty_memory_format([0], each.options()));
  const bin_ct = bins.map((each) => each.numel() - 1);
  histogramdd_prepare_out(self, bin_ct, hist, bin_edges);
  for (const [dim, each] of bins.entries()) bin_edges[dim].copy_(each);
  histogramdd_count(self, bin_edges, weight, density, hist);
  return hist;
}

// histogramdd                                                                                        CompositeImplicitAutograd
export function histogramdd(
  self: Tensor,
  bins: number[],
  range: number[] | null,
  weight: Tensor | null,
  density: boolean,
): [Tensor, Tensor[]] {
  const bin_edges = at._histogramdd_bin_edges(self, bins, range, weight, density);
  return [at._histogramdd_from_bin_cts(self, bins, range, weight, density), bin_edges];
}

export function histogramdd_int_bins(
  self: Tensor,
  bins: number,
  range: number[] | null,
  weight: Tensor | null,
  density: boolean,
): [Tensor, Tensor[]] {
  return histogramdd(self, Array(self.size(-1)).fill(bins), range, weight, density);
}

export function histogramdd_TensorList_bins(
  self: Tensor,
  bins: Tensor[],
  _range: number[] | null,
  weight: Tensor | null,
  density: boolean,
): [Tensor, Tensor[]] {
  return [at._histogramdd_from_bin_tensors(self, bins, weight, density), [...bins]];
}
