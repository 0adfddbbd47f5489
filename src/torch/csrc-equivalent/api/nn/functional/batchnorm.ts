/**
 * @file Batch normalization as a function.
 * @mirrors torch/csrc/api/include/torch/nn/functional/batchnorm.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { or_null } from "../../optional_tensor.ts";
import { BatchNormFuncOptions } from "../options/batchnorm.ts";

/** @param running_mean, running_var what is used without `training`, and updated with it; both may be undefined then */
export function batch_norm(
  input: Tensor,
  running_mean: Tensor,
  running_var: Tensor,
  options: BatchNormFuncOptions = BatchNormFuncOptions(),
): Tensor {
  TORCH_CHECK(input.dim() >= 2, "Expected at least 2 input dimensions, but got ", input.dim());
  if (options.training()) {
    const size = input.sizes();
    const values = size.reduce((product, n, i) => (i === 1 ? product : product * n), 1);
    TORCH_CHECK(values !== 1, "Expected more than 1 value per channel when training, got input size ", size);
  }
  const [weight, bias, mean, variance] = [options.weight(), options.bias(), running_mean, running_var].map(or_null);
  return at.batch_norm(
    input,
    weight,
    bias,
    mean,
    variance,
    options.training(),
    options.momentum(),
    options.eps(),
    true,
  );
}
