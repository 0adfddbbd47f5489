/**
 * @file The formula of derivatives.yaml for `index_reduce`.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { GradMode } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DelayedError } from "#torch/csrc-equivalent/autograd/functions/basic_ops";

/** @returns gradients of `self` and of `source` */
export function index_reduce_backward(
  grad: Tensor,
  self: Tensor,
  dim: number,
  index: Tensor,
  source: Tensor,
  reduce: string,
  include_self: boolean,
  result: Tensor,
): [Tensor, Tensor] {
  if (!grad.defined()) return [new Tensor(), new Tensor()];
  const [grad_self, grad_src] = gradients(grad, self, dim, index, source, reduce, include_self, result);
  // At a position where anything was written, nothing of `self` is left.
  return [include_self ? grad_self : grad_self.index_fill_int_Scalar(dim, index, Scalar.ZERO), grad_src];
}

function gradients(
  grad: Tensor,
  self: Tensor,
  dim: number,
  index: Tensor,
  source: Tensor,
  reduce: string,
  include_self: boolean,
  result: Tensor,
): [Tensor, Tensor] {
  if (reduce === "prod") return prod_gradients(grad, self, dim, index, source, include_self, result);
  if (reduce === "mean") {
    const N = (include_self ? at.ones_like(grad) : at.zeros_like(grad)).index_add(dim, index, at.ones_like(source));
    N.masked_fill__Scalar(N.eq_Scalar(Scalar.ZERO), Scalar.ONE);
    const grad_self = grad.div_Tensor(N);
    const N_src = N.index_select(dim, index);
    return [grad_self, grad.index_select(dim, index).div_Tensor(N_src)];
  }
  TORCH_CHECK(
    reduce === "amax" || reduce === "amin",
    "Expected 'reduce' to be one of 'prod', 'amax', 'amin' or 'mean' but got ",
    reduce,
    ".",
  );
  // All elements that equal the extreme share the gradient.
  const value = result.index_select(dim, index);
  const self_is_result = self.eq_Tensor(result).to_dtype(self.scalar_type());
  const source_is_result = source.eq_Tensor(value).to_dtype(self.scalar_type());
  const N_to_distribute = self_is_result.index_add(dim, index, source_is_result);
  const grad_distributed = grad.div_Tensor(N_to_distribute);
  return [
    self_is_result.mul_Tensor(grad_distributed),
    source_is_result.mul_Tensor(grad_distributed.index_select(dim, index)),
  ];
}

/**
 * The product of all other elements: the product divided by the element, but where the element is zero the product is
 * computed without it.
 */
function prod_gradients(
  grad: Tensor,
  self: Tensor,
  dim: number,
  index: Tensor,
  source: Tensor,
  include_self: boolean,
  result: Tensor,
): [Tensor, Tensor] {
  const masked_self = self.masked_fill_Scalar(self.eq_Scalar(Scalar.ZERO), Scalar.ONE);
  const masked_self_result = masked_self.index_reduce(dim, index, source, "prod", include_self);
  const grad_self = grad.mul_Tensor(masked_self_result).div_Tensor(masked_self);
  const src_zero = source.eq_Scalar(Scalar.ZERO);
  const zeros = at.zeros_like(self).index_add(dim, index, src_zero.to_dtype(self.scalar_type()));
  const src_num_zeros = zeros.index_select(dim, index);
  const src_single_zero = at.bitwise_and_Tensor(src_zero, src_num_zeros.eq_Scalar(Scalar.ONE));
  const masked_src = source.masked_fill_Scalar(src_single_zero, Scalar.ONE);
  const masked_src_result = self.index_reduce(dim, index, masked_src, "prod", include_self);
  const others = source.masked_fill_Scalar(src_zero, Scalar.ONE);
  const of_others = grad.mul_Tensor(result).index_select(dim, index).div_Tensor(others);
  const of_zeros = grad.mul_Tensor(masked_src_result).index_select(dim, index);
  const grad_src = at.where_self(src_single_zero, of_zeros, of_others);
  if (!GradMode.is_enabled() || !src_num_zeros.gt_Scalar(Scalar.ONE).any().item().toBool())
    return [grad_self, grad_src];
  const node = new DelayedError(
    "index_reduce(): Double backward is unsupported for source when >1 zeros in source are scattered to the same position in self",
    1,
  );
  return [grad_self, node.apply([grad_src])[0]];
}
