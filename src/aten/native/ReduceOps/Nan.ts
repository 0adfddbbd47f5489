/**
 * @file Sums and means that ignore NaN.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  create_reduction_result,
  get_dtype_from_result,
  get_dtype_from_self,
  make_reduction_resizing,
} from "#aten/native/ReduceOpsUtils";
import { isnan } from "#aten/native/TensorCompare/index";
import type { TensorIterator } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, isIntegralType, type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export const nansum_stub = DEFINE_DISPATCH<(iter: TensorIterator) => void>("nansum_stub");

// nansum.out                                                                        CPU
export function nansum_out(
  self: Tensor,
  dim: number[] | null,
  keepdim: boolean,
  opt_dtype: ScalarType | null,
  result: Tensor,
): Tensor {
  TORCH_CHECK(!isComplexType(self.scalar_type()), "nansum on CPU does not support complex inputs");
  // Integers have no NaN.
  if (isIntegralType(self.scalar_type(), true)) return at.sum_IntList_out(self, dim, keepdim, opt_dtype, result);
  if (opt_dtype !== null && isIntegralType(opt_dtype, true)) {
    const zeroed = self.masked_fill_Scalar(self.isnan(), Scalar.ZERO);
    return at.sum_IntList_out(zeroed, dim, keepdim, opt_dtype, result);
  }
  const dtype = get_dtype_from_result(result, opt_dtype);
  const iter = make_reduction_resizing("nansum", result, self, dim, keepdim, dtype);
  if (iter.numel() === 0) result.zero_();
  else nansum_stub.call(iter.device_type(), iter);
  return result;
}

// nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor   CPU
export function nansum(self: Tensor, dim: number[] | null, keepdim: boolean, opt_dtype: ScalarType | null): Tensor {
  const dtype = get_dtype_from_self(self, opt_dtype, true);
  return nansum_out(self, dim, keepdim, dtype, create_reduction_result(self, dim, keepdim, dtype));
}

function check_nanmean(self: Tensor, opt_dtype: ScalarType | null): void {
  TORCH_CHECK(
    isFloatingType(self.scalar_type()) || isComplexType(self.scalar_type()),
    "nanmean(): expected input to have floating point or complex dtype but got ",
    toString(self.scalar_type()),
  );
  TORCH_CHECK(
    opt_dtype === null || isFloatingType(opt_dtype) || isComplexType(opt_dtype),
    "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: ",
    opt_dtype === null ? "" : toString(opt_dtype),
  );
}

// nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor   CompositeImplicitAutograd
export function nanmean(self: Tensor, dim: number[] | null, keepdim: boolean, opt_dtype: ScalarType | null): Tensor {
  check_nanmean(self, opt_dtype);
  const factor = isnan(self.detach()).logical_not_().sum_dim_IntList(dim, keepdim);
  return at.nansum(self, dim, keepdim, opt_dtype).div_Tensor(factor);
}

// nanmean.out                                                                       CompositeImplicitAutograd
export function nanmean_out(
  self: Tensor,
  dim: number[] | null,
  keepdim: boolean,
  opt_dtype: ScalarType | null,
  result: Tensor,
): Tensor {
  TORCH_CHECK(
    !isIntegralType(self.scalar_type(), true),
    "nanmean(): integral types and 'Bool' are not supported for nanmean, even for empty tensors.",
  );
  check_nanmean(self, opt_dtype);
  const factor = isnan(self).logical_not_().sum_dim_IntList(dim, keepdim);
  return at.nansum_out(self, dim, keepdim, opt_dtype, result).div__Tensor(factor);
}
