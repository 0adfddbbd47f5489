/**
 * @file Distances between corresponding rows, and the cosine of the angle between them.
 * @mirrors aten/src/ATen/native/Distance.cpp
 */
import { expand_outplace } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, isIntegralType, type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

// pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function pairwise_distance(x1: Tensor, x2: Tensor, p: number, eps: number, keepdim: boolean): Tensor {
  const innermost_dim = Math.max(x1.dim(), x2.dim()) - 1; // either one may be broadcast
  const difference = x1.sub_Tensor(x2).add_Scalar(Scalar.fromDouble(eps));
  return at.norm_ScalarOpt_dim(difference, Scalar.fromDouble(p), [innermost_dim], keepdim);
}

/** Converts integers, which a norm does not accept. */
function floating(x: Tensor, dtype: ScalarType): Tensor {
  return isIntegralType(x.scalar_type(), true) ? x.to_dtype(dtype) : x;
}

// cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor              CompositeImplicitAutograd
/** Each tensor is divided by its norm first, because the product of two norms could overflow. */
export function cosine_similarity(x1_: Tensor, x2_: Tensor, dim: number, eps: number): Tensor {
  const common = at.result_type_Tensor(x1_, x2_);
  TORCH_CHECK(
    isFloatingType(common),
    "expected common dtype to be floating point, yet common dtype is ",
    toString(common),
  );
  TORCH_CHECK(eps >= 0, "eps must be non-negative, got: ", eps);
  const [x1, x2] = expand_outplace(floating(x1_, common), floating(x2_, common));
  // These are clones because they are modified in place; gradients still flow through them.
  const x1_norm = at.linalg_vector_norm(x1, Scalar.fromInt(2), [dim], true).clone();
  const x2_norm = at.linalg_vector_norm(x2, Scalar.fromInt(2), [dim], true).clone();
  const guard = new NoGradGuard();
  try {
    const eps_tensor = at.scalar_tensor(Scalar.fromDouble(eps), x1_norm.options());
    x1_norm.clamp_min__Tensor(eps_tensor);
    x2_norm.clamp_min__Tensor(eps_tensor);
  } finally {
    guard.restore();
  }
  const second = x2.div_Tensor(x2_norm);
  return x1.div_Tensor(x1_norm).mul_Tensor(second).sum_dim_IntList([dim]);
}
