/**
 * @file `bincount`: counts of small integers, or sums of their weights.
 * @mirrors aten/src/ATen/native/SummaryOps.cpp
 */
import {
  AT_DISPATCH,
  AT_DISPATCH_2,
  cast,
  check_integral_types,
  type data,
  type int64,
  load,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _local_scalar_dense_cpu } from "#aten/native/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { add_weights_of, count_of } from "./cpu/vec/summary/driver.ts";
import { add_weights_instances, count_instances } from "./generated/SummaryOps.ts";

type input_t = number;
type weights_t = number;

/** @template bincount_cpu: integral types */
export function count(out: data<int64>, oo: number, x: data<scalar_t>, xo: number, n: number): void {
  for (let i = 0; i < n; i++) {
    const bin = oo + cast<number>(load(x, xo + i));
    store(out, bin, load(out, bin) + cast<int64>(1));
  }
}

/** @template bincount_cpu input_t: integral types; weights_t: floating types */
export function add_weights(
  out: data<weights_t>,
  oo: number,
  x: data<input_t>,
  xo: number,
  w: data<weights_t>,
  wo: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) {
    const bin = oo + cast<number>(load(x, xo + i));
    store(out, bin, load(out, bin) + load(w, wo + i));
  }
}

// bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor        CPU
export function _bincount_cpu(self: Tensor, weights: Tensor | null, minlength: number): Tensor {
  const dtype = self.scalar_type();
  check_integral_types(dtype, "bincount_cpu");
  TORCH_CHECK(minlength >= 0, "minlength should be >= 0");
  if (self.dim() === 1 && self.numel() === 0) return at.zeros([minlength], self.options().dtype(ScalarType.Long));
  TORCH_CHECK(
    self.dim() === 1 && _local_scalar_dense_cpu(self.min()).toLong() >= 0,
    "bincount only supports 1-d non-negative integral inputs.",
  );
  TORCH_CHECK(
    weights === null || (weights.dim() === 1 && weights.size(0) === self.size(0)),
    "weights should be 1-d and have the same length as input",
  );
  const nbins = Math.max(_local_scalar_dense_cpu(self.max()).toLong() + 1, minlength);
  const x = self.contiguous();
  if (weights === null) {
    const output = at.zeros([nbins], self.options().dtype(ScalarType.Long));
    const run = count_of(x, output) ?? AT_DISPATCH(count_instances, dtype);
    run(output.data_view(), output.data_offset(), x.data_view(), x.data_offset(), x.numel());
    return output;
  }
  // Weights that are not float are converted to double.
  const w = weights
    .contiguous()
    .toType(weights.scalar_type() === ScalarType.Float ? ScalarType.Float : ScalarType.Double);
  const output = at.zeros([nbins], w.options());
  const run = add_weights_of(x, output, w) ?? AT_DISPATCH_2(add_weights_instances, dtype, w.scalar_type());
  const [to, from] = [output.data_view(), x.data_view()];
  run(to, output.data_offset(), from, x.data_offset(), w.data_view(), w.data_offset(), x.numel());
  return output;
}
