/**
 * @file Instance normalization as a function.
 * @mirrors torch/csrc/api/include/torch/nn/functional/instancenorm.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { or_null } from "../../optional_tensor.ts";
import { InstanceNormFuncOptions } from "../options/instancenorm.ts";

export function instance_norm(input: Tensor, options: InstanceNormFuncOptions = InstanceNormFuncOptions()): Tensor {
  const [weight, bias] = [or_null(options.weight()), or_null(options.bias())];
  const [mean, variance] = [or_null(options.running_mean()), or_null(options.running_var())];
  const use_input_stats = options.use_input_stats();
  return at.instance_norm(
    input,
    weight,
    bias,
    mean,
    variance,
    use_input_stats,
    options.momentum(),
    options.eps(),
    true,
  );
}
