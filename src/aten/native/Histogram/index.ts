/**
 * @file `histc` and `histogram`: the number of elements, or the sum of their weights, in each bin.
 * @mirrors aten/src/ATen/native/Histogram.cpp
 * @see Histogramdd.ts (several dimensions); cpu/HistogramKernel.ts (the counting)
 */
import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import {
  counted,
  histogramdd_check_inputs,
  histogramdd_count,
  histogramdd_prepare_out,
  select_outer_bin_edges,
} from "./Histogramdd.ts";

/** Adds the counts of `self` to `hist`, both contiguous. Elements outside all bins are ignored. */
export const histogramdd_linear_stub =
  DEFINE_DISPATCH<(self: Tensor, hist: Tensor, leftmost_edge: number, rightmost_edge: number) => void>(
    "histogramdd_linear_stub",
  );

/**
 * If the bounds are equal (as 0 and 0), the extremes of the elements are used. If these are equal too, the range
 * extends by 1 to each side.
 */
function histc_select_outer_bin_edges(input: Tensor, min: Scalar, max: Scalar): [left: number, right: number] {
  let [left, right] = [min.toDouble(), max.toDouble()];
  if (left === right && input.numel() > 0) {
    const [least, greatest] = at.aminmax(input);
    [left, right] = [least.item().toDouble(), greatest.item().toDouble()];
  }
  if (left === right) [left, right] = [left - 1, right + 1];
  TORCH_CHECK(
    Number.isFinite(left) && Number.isFinite(right),
    "torch.histc: range of [",
    printDouble(left),
    ", ",
    printDouble(right),
    "] is not finite",
  );
  TORCH_CHECK(left < right, "torch.histc: max must be larger than min");
  return [left, right];
}

// histc.out                                                                         CPU
export function histogram_histc_out(self: Tensor, bin_ct: number, min: Scalar, max: Scalar, hist: Tensor): Tensor {
  const bin_edges = at.empty_memory_format([0], self.options()); // PyTorch stores the edges, so there must be memory for them
  const reshaped = observations(self);
  TORCH_CHECK(
    self.dtype() === hist.dtype(),
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input ",
    typeMetaName(self.dtype()),
    " and hist ",
    typeMetaName(hist.dtype()),
  );
  TORCH_CHECK(bin_ct > 0, "torch.histogram(): bins must be > 0, but got ", bin_ct, " for dimension 0");
  const bins = Number(bin_ct);
  resize_output(bin_edges, [bins + 1]);
  resize_output(hist, [bins]);
  const [left, right] = histc_select_outer_bin_edges(reshaped, min, max);
  const dtype = self.scalar_type();
  const refuses = dtype === ScalarType.Bool ? "linspace_cpu" : "histogram_cpu";
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(dtype), `"${refuses}" not implemented for '${toString(dtype)}'`);
  at.linspace_out(Scalar.fromDouble(left), Scalar.fromDouble(right), bins + 1, bin_edges);
  return counted(reshaped, null, hist, (points, _, counts) => {
    histogramdd_linear_stub.call(self.device_type(), points, counts, left, right);
  });
}

// histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor            CPU
export function histogram_histc(self: Tensor, bin_ct: number, min: Scalar, max: Scalar): Tensor {
  return histogram_histc_out(self, bin_ct, min, max, at.empty_memory_format([0], self.options()));
}

// histogram: `histogramdd` in one dimension; its messages show that
// ------------------------------------------------------

/** One observation per row, as `histogramdd` needs. */
const observations = (self: Tensor): Tensor => self.reshape([self.numel(), 1]);
const flat = (weight: Tensor | null): Tensor | null => weight?.reshape([weight.numel()]) ?? null;

// histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges)
//   -> (Tensor(a!) hist, Tensor(b!) bin_edges)                                      CPU
export function histogram_out(
  self: Tensor,
  bins: Tensor,
  weight: Tensor | null,
  density: boolean,
  hist: Tensor,
  bin_edges: Tensor,
): [Tensor, Tensor] {
  const [input, weights] = [observations(self), flat(weight)];
  histogramdd_check_inputs(input, [bins], weights);
  histogramdd_prepare_out(input, [bins.numel() - 1], hist, [bin_edges]);
  bin_edges.copy_(bins);
  histogramdd_count(input, [bin_edges], weights, density, hist);
  return [hist, bin_edges];
}

// histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)     CPU
export function histogram(self: Tensor, bins: Tensor, weight: Tensor | null, density: boolean): [Tensor, Tensor] {
  const hist = at.empty_memory_format([0], self.options());
  const bin_edges = at.empty_memory_format([0], bins.options());
  return histogram_out(self, bins, weight, density, hist, bin_edges);
}

// histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!) hist,
//   Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges)                CPU
export function histogram_out_bin_ct_out(
  self: Tensor,
  bin_ct: number,
  range: number[] | null,
  weight: Tensor | null,
  density: boolean,
  hist: Tensor,
  bin_edges: Tensor,
): [Tensor, Tensor] {
  const [input, weights] = [observations(self), flat(weight)];
  histogramdd_prepare_out(input, [bin_ct], hist, [bin_edges]);
  const [[left, right]] = select_outer_bin_edges(input, range);
  at.linspace_out(Scalar.fromDouble(left), Scalar.fromDouble(right), bin_ct + 1, bin_edges);
  histogramdd_check_inputs(input, [bin_edges], weights);
  histogramdd_count(input, [bin_edges], weights, density, hist);
  return [hist, bin_edges];
}

// histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False)
//   -> (Tensor hist, Tensor bin_edges)                                              CPU
export function histogram_bin_ct(
  self: Tensor,
  bin_ct: number,
  range: number[] | null,
  weight: Tensor | null,
  density: boolean,
): [Tensor, Tensor] {
  const hist = at.empty_memory_format([0], self.options());
  const bin_edges = at.empty_memory_format([0], self.options());
  return histogram_out_bin_ct_out(self, bin_ct, range, weight, density, hist, bin_edges);
}
