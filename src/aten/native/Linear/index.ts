/**
 * @file `linear`: input @ weight.t() + bias.
 * @mirrors aten/src/ATen/native/Linear.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Folds all leading dims into one, so that product and bias are one addmm. */
function _flatten_nd_linear(input: Tensor, weight: Tensor, bias: Tensor): Tensor {
  const input_sizes = input.sizes();
  const last = input_sizes[input_sizes.length - 1];
  let flattened_dim = 1;
  for (let d = 0; d < input_sizes.length - 1; d++) flattened_dim *= input_sizes[d];
  const result = at.addmm(bias, input.view([flattened_dim, last]), weight.t());
  return result.view([...input_sizes.slice(0, -1), result.size(1)]);
}

// linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor                  CompositeImplicitAutograd
export function linear(input: Tensor, weight: Tensor, bias_opt: Tensor | null): Tensor {
  // (*, in), (out, in), (out)
  const input_dim = input.dim();
  const weight_dim = weight.dim();
  TORCH_CHECK(
    input_dim !== 0 && weight_dim !== 0,
    "both arguments to linear need to be at least 1D, but they are ",
    input_dim,
    "D and ",
    weight_dim,
    "D",
  );
  const bias = bias_opt?.defined() ? bias_opt : null;
  if (bias !== null) {
    if (input_dim === 2) return at.addmm(bias, input, weight.t());
    const flattenable = bias.dim() === 1 || bias.squeeze().dim() === 1;
    if (flattenable && input.is_contiguous()) return _flatten_nd_linear(input, weight, bias);
  }
  const output = at.matmul(input, weight.t());
  if (bias === null) return output;
  return isTensorSubclassLike(bias) ? at.add_Tensor(output, bias, Scalar.ONE) : output.add__Tensor(bias);
}

// linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)   CompositeExplicitAutograd
export function linear_out(input: Tensor, weight: Tensor, bias_opt: Tensor | null, output: Tensor): Tensor {
  const bias = bias_opt?.defined() ? bias_opt : null;
  if (input.dim() === 2 && bias !== null) return at.addmm_out(bias, input, weight.t(), Scalar.ONE, Scalar.ONE, output);
  at.matmul_out(input, weight.t(), output);
  if (bias !== null) output.add__Tensor(bias);
  return output;
}
