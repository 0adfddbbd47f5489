/**
 * @file Counting into bins of equal width.
 * @mirrors aten/src/ATen/native/Histogram.h
 */
import { AT_DISPATCH, cast, type data, load, type opmath_t, round_to, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { histogramdd_linear_stub } from "#aten/native/Histogram";
import { floor } from "#c10/util/math";
import { count_linear_instances } from "./generated/HistogramKernel.ts";

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

function histogramdd_linear_kernel_impl(self: Tensor, hist: Tensor, left: number, right: number): void {
  const run = AT_DISPATCH(count_linear_instances, self.scalar_type());
  const [to, from] = [hist.data_view(), self.data_view()];
  run(to, hist.data_offset(), hist.numel(), from, self.data_offset(), self.numel(), left, right);
}

REGISTER_DISPATCH(histogramdd_linear_stub, histogramdd_linear_kernel_impl, "histogramdd_linear_kernel_impl");
