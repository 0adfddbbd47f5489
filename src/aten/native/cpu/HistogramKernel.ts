/**
 * @file Counting into bins, of equal width and of any.
 * @mirrors aten/src/ATen/native/Histogram.h
 */
import { AT_DISPATCH, cast, type data, load, type opmath_t, round_to, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { histogramdd_linear_stub, histogramdd_stub } from "#aten/native/Histogram";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { floor } from "#c10/util/math";
import { count_between_instances, count_linear_instances } from "./generated/HistogramKernel.ts";

/** The last bin has its right edge too. @template histogram_cpu: floating types and halves */
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
 * Halves the edges until an element's bin is left. For equal bins PyTorch guesses the place and looks at the edges beside it: the same bin.
 * @template histogram_cpu: floating types and halves
 */
export function count_between(
  hist: data<scalar_t>,
  ho: number,
  edges: data<scalar_t>,
  eo: number,
  bins: number,
  x: data<scalar_t>,
  xo: number,
  n: number,
  weight: data<scalar_t>,
  wo: number,
  weighted: boolean,
): void {
  const left = load(edges, eo);
  const right = load(edges, eo + bins);
  for (let i = 0; i < n; i++) {
    const v = load(x, xo + i);
    if (v >= left && v <= right) {
      // Invariant: edges up to `low` are not above v, those from `high` on are.
      let low = 0;
      let high = bins;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (v >= load(edges, eo + middle)) low = middle;
        else high = middle;
      }
      const more = weighted ? load(weight, wo + i) : 1;
      store(hist, ho + low, cast<scalar_t>(load(hist, ho + low) + more));
    }
  }
}

function histogramdd_kernel_impl(self: Tensor, weight: Tensor | null, hist: Tensor, bin_edges: Tensor): void {
  const run = AT_DISPATCH(count_between_instances, self.scalar_type());
  TORCH_INTERNAL_ASSERT(hist.size(0) + 1 === bin_edges.numel(), "hist.size(dim) + 1 == bin_edges[dim].numel()");
  const w = weight ?? self;
  run(
    hist.data_view(),
    hist.data_offset(),
    bin_edges.data_view(),
    bin_edges.data_offset(),
    hist.numel(),
    self.data_view(),
    self.data_offset(),
    self.numel(),
    w.data_view(),
    w.data_offset(),
    weight !== null,
  );
}

function histogramdd_linear_kernel_impl(self: Tensor, hist: Tensor, left: number, right: number): void {
  const run = AT_DISPATCH(count_linear_instances, self.scalar_type());
  const [to, from] = [hist.data_view(), self.data_view()];
  run(to, hist.data_offset(), hist.numel(), from, self.data_offset(), self.numel(), left, right);
}

REGISTER_DISPATCH(histogramdd_stub, histogramdd_kernel_impl, "histogramdd_kernel_impl");
REGISTER_DISPATCH(histogramdd_linear_stub, histogramdd_linear_kernel_impl, "histogramdd_linear_kernel_impl");
