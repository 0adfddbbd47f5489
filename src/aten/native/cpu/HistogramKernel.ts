/**
 * @file Kernels of histograms, with bins of equal or of any width.
 * @mirrors aten/src/ATen/native/Histogram.h
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type int32,
  load,
  type opmath_t,
  round_to,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { histogramdd_stub } from "#aten/native/Histogram/Histogramdd";
import { histogramdd_linear_stub } from "#aten/native/Histogram/index";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { floor } from "#c10/util/math";
import { count_at_instances, count_linear_instances, find_bins_instances } from "./generated/HistogramKernel.ts";

/** The last bin includes its right edge. @template histogram_cpu: floating types and halves */
export function count_linear(
  hist: data<scalar_t>,
  ho: number,
  bins: number,
  x: data<scalar_t>,
  xo: number,
  n: number,
  left: opmath_t,
  right: opmath_t,
): void {
  for (let i = 0; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(x, xo + i));
    if (v >= left && v <= right) {
      const above = round_to<scalar_t>(v - left);
      const scaled = round_to<scalar_t>(above * cast<opmath_t>(bins));
      let bin = cast<number>(floor(round_to<scalar_t>(scaled / (right - left))));
      if (bin >= bins) bin = bins - 1;
      store(hist, ho + bin, cast<scalar_t>(cast<opmath_t>(load(hist, ho + bin)) + 1));
    }
  }
}

/**
 * Binary search for the bin of each point's coordinate in one dimension. `stride` times the bin is added to the point's
 * entry in `at`, which becomes -1 for a point outside all bins. For bins of equal width, PyTorch computes the bin and
 * checks the edges next to it, which gives the same bin.
 * @template histogram_cpu: floating types and halves
 */
export function find_bins(
  at: data<int32>,
  edges: data<scalar_t>,
  eo: number,
  bins: number,
  x: data<scalar_t>,
  xo: number,
  step: number,
  n: number,
  stride: number,
): void {
  const left = load(edges, eo);
  const right = load(edges, eo + bins);
  for (let i = 0; i < n; i++) {
    const v = load(x, xo + i * step);
    if (v >= left && v <= right) {
      // Invariant: edges up to `low` are <= v, and edges from `high` on are > v.
      let low = 0;
      let high = bins;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (v >= load(edges, eo + middle)) low = middle;
        else high = middle;
      }
      if (load(at, i) >= 0) store(at, i, cast<int32>(load(at, i) + low * stride));
    } else {
      store(at, i, -1);
    }
  }
}

/** @template histogram_cpu: floating types and halves */
export function count_at(
  hist: data<scalar_t>,
  ho: number,
  at: data<int32>,
  n: number,
  weight: data<scalar_t>,
  wo: number,
  weighted: boolean,
): void {
  for (let i = 0; i < n; i++) {
    const place = cast<number>(load(at, i));
    if (place >= 0) {
      const more = weighted ? load(weight, wo + i) : 1;
      store(hist, ho + place, cast<scalar_t>(load(hist, ho + place) + more));
    }
  }
}

function histogramdd_kernel_impl(
  self: Tensor,
  weight: Tensor | null,
  hist: Tensor,
  bin_edges: readonly Tensor[],
): void {
  const find = AT_DISPATCH(find_bins_instances, self.scalar_type());
  for (const [dim, edges] of bin_edges.entries())
    TORCH_INTERNAL_ASSERT(hist.size(dim) + 1 === edges.numel(), "hist.size(dim) + 1 == bin_edges[dim].numel()");
  if (self.numel() === 0) return;
  const [n, D] = self.sizes();
  const places = new Int32Array(n);
  let stride = hist.numel();
  for (const [dim, edges] of bin_edges.entries()) {
    const bins = edges.numel() - 1;
    stride /= bins;
    const x = self.data_offset() + dim;
    find(places, edges.data_view(), edges.data_offset(), bins, self.data_view(), x, D, n, stride);
  }
  const count = AT_DISPATCH(count_at_instances, self.scalar_type());
  const w = weight ?? self;
  count(hist.data_view(), hist.data_offset(), places, n, w.data_view(), w.data_offset(), weight !== null);
}

function histogramdd_linear_kernel_impl(self: Tensor, hist: Tensor, left: number, right: number): void {
  const run = AT_DISPATCH(count_linear_instances, self.scalar_type());
  const [to, from] = [hist.data_view(), self.data_view()];
  run(to, hist.data_offset(), hist.numel(), from, self.data_offset(), self.numel(), left, right);
}

REGISTER_DEFAULT_DISPATCH(histogramdd_stub, histogramdd_kernel_impl, "histogramdd_kernel_impl");
REGISTER_DEFAULT_DISPATCH(histogramdd_linear_stub, histogramdd_linear_kernel_impl, "histogramdd_linear_kernel_impl");
