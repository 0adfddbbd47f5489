/**
 * @file `log(sum(exp(x)))`; the maximum is factored out first, so that nothing overflows.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, isIntegralType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

function logsumexp_out_impl(result: Tensor, self: Tensor, dims: number[], keepdim: boolean): Tensor {
  if (self.numel() === 0) {
    at.sum_IntList_out(at.exp(self), dims, keepdim, null, result);
    return result.log_();
  }
  const maxes = at.amax(at.real(self), dims, true);
  const maxes_squeezed = keepdim ? maxes : at.squeeze_dims(maxes, dims);
  maxes_squeezed.masked_fill__Scalar(maxes_squeezed.abs().eq_Scalar(Scalar.fromDouble(Infinity)), Scalar.ZERO);
  at.sum_IntList_out(self.sub_Tensor(maxes).exp_(), dims, keepdim, null, result);
  return result.log_().add__Tensor(maxes_squeezed);
}

// logsumexp.out                                                                     CompositeExplicitAutogradNonFunctional
export function logsumexp_out(self: Tensor, dims: number[], keepdim: boolean, result: Tensor): Tensor {
  TORCH_CHECK(
    isFloatingType(result.scalar_type()) || isComplexType(result.scalar_type()),
    "logsumexp(): Expected floating point type for result tensor, but got: ",
    toString(result.scalar_type()),
  );
  const integral = isIntegralType(self.scalar_type(), true);
  return logsumexp_out_impl(result, integral ? self.to_dtype(get_default_dtype()) : self, dims, keepdim);
}

// logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor                 CompositeExplicitAutograd
export function logsumexp(self: Tensor, dims: number[], keepdim: boolean): Tensor {
  const integral = isIntegralType(self.scalar_type(), true);
  const options = integral ? self.options().dtype(get_default_dtype()) : self.options();
  return at.logsumexp_out(self, dims, keepdim, at.empty_memory_format([0], options));
}

// special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor         CompositeImplicitAutograd
export function special_logsumexp(self: Tensor, dims: number[], keepdim: boolean): Tensor {
  return self.logsumexp(dims, keepdim);
}

export function special_logsumexp_out(self: Tensor, dims: number[], keepdim: boolean, result: Tensor): Tensor {
  return at.logsumexp_out(self, dims, keepdim, result);
}
