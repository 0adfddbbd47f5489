/**
 * @file Linear combinations of matrices.
 * @mirrors aten/src/ATen/native/FunctionOfAMatrixUtils.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

type LinearCombination = (
  iter: TensorIterator,
  in_stride: number,
  coeff_stride: number,
  num_summations: number,
) => void;
export const _compute_linear_combination_stub = DEFINE_DISPATCH<LinearCombination>("_compute_linear_combination_stub");

// _compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor          CPU
/** `result[i] = sum over j of coefficients[i][j] input[j]`.                        `(n, *), (m, n) -> (m, *)` */
export function _compute_linear_combination(input: Tensor, coefficients: Tensor): Tensor {
  TORCH_CHECK(input.dim() > 0 && input.numel() > 0, "Empty tensor not supported");
  const sizes = [coefficients.size(0), ...input.sizes().slice(1)];
  const output = at.zeros(sizes, input.options().memory_format(MemoryFormat.Contiguous));
  return _compute_linear_combination_out(input, coefficients, output);
}

// _compute_linear_combination.out                                                   CPU
/** The iterator runs over `(m, 1, *)`; the loop inside runs over the dim that is summed. */
export function _compute_linear_combination_out(input: Tensor, coefficients: Tensor, output: Tensor): Tensor {
  const [m, n] = [coefficients.size(0), coefficients.size(1)];
  const restrided = (t: Tensor): Tensor => t.as_strided(t.sizes().with(1, 1), t.strides().with(1, 0)); // the dim that is summed inside
  const ones = new Array<number>(input.dim()).fill(1);
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_output(restrided(output.unsqueeze(1)))
    .add_input(restrided(input.unsqueeze(0)))
    .add_input(coefficients.as_strided([m, ...ones], [coefficients.stride(0), ...ones.map(() => 0)]))
    .build();
  _compute_linear_combination_stub.call(iter.device_type(), iter, input.stride(0), coefficients.stride(1), n);
  return output;
}
