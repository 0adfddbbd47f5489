/**
 * @file `bincount`, which is adding up by an index.
 * @mirrors aten/src/ATen/native/SummaryOps.cpp
 * @differs CUDA adds by atomics, and is not deterministic where there are weights; this adds in the order of the elements.
 */
import { check_integral_types } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { prepare_bincount } from "#aten/native/SummaryOps";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";

// bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor
export function bincount(self: Tensor, weights: Tensor | null, minlength: number): Tensor {
  check_integral_types(self.scalar_type(), "bincount_webgpu");
  const nbins = prepare_bincount(self, weights, minlength);
  const counts = self.options().dtype(ScalarType.Long);
  if (nbins === null) return at.zeros([minlength], counts);
  // Weights that are not float would be doubles, which the device refuses.
  const added =
    weights === null
      ? at.ones([self.size(0)], counts)
      : weights.to_dtype(weights.scalar_type() === ScalarType.Float ? ScalarType.Float : ScalarType.Double);
  return at.zeros([nbins], added.options()).index_add_(0, self.to_dtype(ScalarType.Long), added, Scalar.fromInt(1));
}
