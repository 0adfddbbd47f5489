/**
 * @file All parameters as one vector, and back.
 * @mirrors torch/csrc/api/include/torch/nn/utils/convert_parameters.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";

function check_device(parameters: readonly Tensor[]): void {
  TORCH_CHECK(
    parameters.every((parameter) => parameter.device().eq(parameters[0].device())),
    "Found two parameters on different devices, this is currently not supported.",
  );
}

export function parameters_to_vector(parameters: readonly Tensor[]): Tensor {
  check_device(parameters);
  return at.cat(parameters.map((parameter) => parameter.view([-1])));
}

/** The parameters become views of the vector. */
export function vector_to_parameters(vec: Tensor, parameters: readonly Tensor[]): void {
  check_device(parameters);
  let pointer = 0;
  for (const parameter of parameters) {
    const num_param = parameter.numel();
    parameter.set_data(
      vec
        .slice_Tensor(0, pointer, pointer + num_param)
        .view_as(parameter)
        .data(),
    );
    pointer += num_param;
  }
}
