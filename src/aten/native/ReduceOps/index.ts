/**
 * @file Reductions over dims: sum, prod, mean, amax, amin, argmax, argmin. The operators determine shape and dtype; the
 * kernels in `cpu/ReduceOpsKernel/index.ts` and `cpu/SumKernel.ts` do the arithmetic.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */

import { is_expandable_to, sum_to } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH, type DispatchStub } from "#aten/native/DispatchStub";
import {
  check_unsupported_complex,
  create_reduction_result,
  get_dtype_from_self,
  infer_dtype_from_optional,
  make_reduction,
  make_reduction_from_out_ty,
  optional_to_arrayref,
  resize_reduction,
  zero_numel_check_dims,
} from "#aten/native/ReduceOpsUtils";
import type { TensorIterator } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import {
  canCast,
  isComplexType,
  isFloatingType,
  isReducedFloatingType,
  ScalarType,
  toString,
} from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";

type ReduceFn = (iter: TensorIterator) => void;
export const sum_stub = DEFINE_DISPATCH<ReduceFn>("sum_stub");
export const mean_stub = DEFINE_DISPATCH<ReduceFn>("mean_stub");
export const prod_stub = DEFINE_DISPATCH<ReduceFn>("prod_stub");
export const and_stub = DEFINE_DISPATCH<ReduceFn>("and_stub");
export const or_stub = DEFINE_DISPATCH<ReduceFn>("or_stub");
export const min_values_stub = DEFINE_DISPATCH<ReduceFn>("min_values_stub");
export const max_values_stub = DEFINE_DISPATCH<ReduceFn>("max_values_stub");
export const argmax_stub = DEFINE_DISPATCH<ReduceFn>("argmax_stub");
export const argmin_stub = DEFINE_DISPATCH<ReduceFn>("argmin_stub");

// sum -----------------------------------------------------------------------------------------------------------------

export abstract class structured_sum_dim_IntList extends MetaBase {
  meta(self: Tensor, opt_dim: number[] | null, keepdim: boolean, opt_dtype: ScalarType | null): void {
    const out_dtype = infer_dtype_from_optional(self, opt_dtype, this.maybe_get_output(0));
    resize_reduction(this, self, opt_dim, keepdim, out_dtype);
  }
}

/**
 * Whether sums need a buffer in a wider dtype. A tile of a reduction has two dims. If both are reduced, the result of
 * one tile is rounded to the output's dtype before the next tile is added: with halves, the sum would become inexact.
 */
function should_use_acc_buffer(iter: TensorIterator): boolean {
  if (!isReducedFloatingType(iter.dtype(0)) || iter.ndim() < 2 || iter.device_type() !== DeviceType.CPU) return false;
  return iter.strides(0)[0] === 0 && iter.strides(0)[1] === 0;
}

// sum.IntList_out                                                                   CPU
export abstract class structured_sum_out extends structured_sum_dim_IntList {
  impl(self: Tensor, opt_dim: number[] | null, keepdim: boolean, _opt_dtype: ScalarType | null, result: Tensor): void {
    const iter = make_reduction_from_out_ty(self, result, opt_dim, keepdim, result.scalar_type());
    if (iter.numel() === 0) {
      result.zero_();
    } else if (should_use_acc_buffer(iter)) {
      const sums = at.empty_memory_format(result.sizes(), result.options().dtype(ScalarType.Float));
      at.sum_IntList_out(self.to_dtype(ScalarType.Float), opt_dim, keepdim, null, sums);
      result.copy_(sums);
    } else {
      sum_stub.call(iter.device_type(), iter);
    }
  }
}

// sum(Tensor self, *, ScalarType? dtype=None) -> Tensor                            CompositeExplicitAutograd
export function sum(self: Tensor, dtype: ScalarType | null): Tensor {
  return at.sum_dim_IntList(self, [], false, dtype);
}

// sum_to_size(Tensor self, SymInt[] size) -> Tensor                                CompositeImplicitAutograd
export function sum_to_size_symint(self: Tensor, size: number[]): Tensor {
  TORCH_CHECK(
    is_expandable_to(size, self.sizes()),
    "size {",
    size,
    "} is not expandable to size {",
    self.sizes(),
    "}.",
  );
  return sum_to(self, size);
}

// prod ----------------------------------------------------------------------------------------------------------------

function impl_func_prod(self: Tensor, dims: number[] | null, keepdim: boolean, result: Tensor): void {
  const iter = make_reduction_from_out_ty(self, result, dims, keepdim, result.scalar_type());
  if (iter.numel() === 0) result.fill__Scalar(Scalar.ONE);
  else prod_stub.call(iter.device_type(), iter);
}

export abstract class structured_prod_dim_int extends MetaBase {
  meta(self: Tensor, dim: number, keepdim: boolean, dtype: ScalarType | null): void {
    const out_dtype = infer_dtype_from_optional(self, dtype, this.maybe_get_output(0));
    resize_reduction(this, self, [dim], keepdim, out_dtype);
  }
}

// prod.int_out                                                                      CPU
export abstract class structured_prod_out extends structured_prod_dim_int {
  impl(self: Tensor, dim: number, keepdim: boolean, _dtype: ScalarType | null, result: Tensor): void {
    impl_func_prod(self, [dim], keepdim, result);
  }
}

// prod(Tensor self, *, ScalarType? dtype=None) -> Tensor                           CPU
export function prod(self: Tensor, opt_dtype: ScalarType | null): Tensor {
  const dtype = get_dtype_from_self(self, opt_dtype, true);
  const result = create_reduction_result(self, [], false, dtype);
  impl_func_prod(self, [], false, result);
  return result;
}

// mean ----------------------------------------------------------------------------------------------------------------

export abstract class structured_mean_dim extends MetaBase {
  meta(self: Tensor, opt_dim: number[] | null, keepdim: boolean, opt_dtype: ScalarType | null): void {
    const in_dtype = get_dtype_from_self(self, opt_dtype, true);
    if (!isFloatingType(in_dtype) && !isComplexType(in_dtype)) {
      TORCH_CHECK(
        false,
        "mean(): could not infer output dtype. ",
        opt_dtype === null ? "Input" : "Optional",
        " dtype must be either a floating point or complex dtype. Got: ",
        toString(opt_dtype ?? self.scalar_type()),
      );
    }
    const out_dtype = infer_dtype_from_optional(self, opt_dtype, this.maybe_get_output(0));
    resize_reduction(this, self, opt_dim, keepdim, out_dtype);
  }
}

function countOfReduced(self: Tensor, opt_dim: number[] | null): number {
  if (opt_dim === null || opt_dim.length === 0 || self.dim() === 0) return self.numel();
  let count = 1;
  for (const d of opt_dim) count *= self.size(d);
  return count;
}

// mean.out                                                                          CPU, which has no mean_stub
export abstract class structured_mean_out extends structured_mean_dim {
  impl(self: Tensor, opt_dim: number[] | null, keepdim: boolean, _opt_dtype: ScalarType | null, result: Tensor): void {
    const dtype = result.scalar_type();
    if (!self.device().is_cpu()) {
      const iter = make_reduction_from_out_ty(self, result, opt_dim, keepdim, dtype);
      if (iter.numel() === 0) result.fill__Scalar(Scalar.fromDouble(Number.NaN));
      else mean_stub.call(iter.device_type(), iter);
      return;
    }
    const count = Scalar.fromInt(countOfReduced(self, opt_dim));
    if (dtype === ScalarType.Half || dtype === ScalarType.BFloat16) {
      // A sum rounded to half before the division could overflow, so sum and division are computed in float and rounded
      // once.
      const sum = result.to_dtype(ScalarType.Float);
      at.sum_IntList_out(self, opt_dim, keepdim, ScalarType.Float, sum).div__Scalar(count);
      result.copy_(sum);
    } else {
      at.sum_IntList_out(self, opt_dim, keepdim, dtype, result).div__Scalar(count);
    }
  }
}

// mean(Tensor self, *, ScalarType? dtype=None) -> Tensor                           CompositeExplicitAutograd
export function mean(self: Tensor, dtype: ScalarType | null): Tensor {
  return at.mean_dim(self, [], false, dtype);
}

// mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)   CompositeExplicitAutograd
export function mean_dtype_out(self: Tensor, dtype: ScalarType | null, result: Tensor): Tensor {
  TORCH_CHECK(
    canCast(self.scalar_type(), result.scalar_type()),
    "mean.dtype_out(): input types can't be cast to the desired output type ",
    toString(result.scalar_type()),
  );
  return at.mean_out(self, [], false, dtype, result);
}

// amax, amin ------------------------------------------------------------------------------------------------------------

abstract class structured_amax_amin extends MetaBase {
  protected announce(self: Tensor, dim: number[], keepdim: boolean, name: string): void {
    const out = this.maybe_get_output(0) as Tensor | undefined;
    if (out?.defined()) {
      TORCH_CHECK(
        self.scalar_type() === out.scalar_type(),
        "Expected the dtype for input and out to match, but got ",
        toString(self.scalar_type()),
        " for input's dtype and ",
        toString(out.scalar_type()),
        " for out's dtype.",
      );
    }
    if (self.numel() === 0) zero_numel_check_dims(self, dim, name);
    resize_reduction(this, self, dim, keepdim, self.scalar_type());
  }

  protected run(stub: DispatchStub<ReduceFn>, self: Tensor, dim: number[], keepdim: boolean, result: Tensor): void {
    const iter = make_reduction(self, result, dim, keepdim, self.scalar_type());
    if (iter.numel() !== 0) stub.call(iter.device_type(), iter);
  }
}

export abstract class structured_amax extends structured_amax_amin {
  meta(self: Tensor, dim: number[], keepdim: boolean): void {
    this.announce(self, dim, keepdim, "amax()");
  }
}

export abstract class structured_amax_out extends structured_amax {
  impl(self: Tensor, dim: number[], keepdim: boolean, result: Tensor): void {
    this.run(max_values_stub, self, dim, keepdim, result);
  }
}

export abstract class structured_amin extends structured_amax_amin {
  meta(self: Tensor, dim: number[], keepdim: boolean): void {
    this.announce(self, dim, keepdim, "amin()");
  }
}

export abstract class structured_amin_out extends structured_amin {
  impl(self: Tensor, dim: number[], keepdim: boolean, result: Tensor): void {
    this.run(min_values_stub, self, dim, keepdim, result);
  }
}

// argmax, argmin ----------------------------------------------------------------------------------------------------------

function check_argmax_argmin(name: string, self: Tensor, dim: number | null): void {
  check_unsupported_complex(name, self);
  TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, name, ": does not support bool input");
  if (dim !== null) {
    zero_numel_check_dims(self, maybe_wrap_dim(dim, self.dim()), name);
  } else {
    TORCH_CHECK_INDEX(self.numel() !== 0, name, ": Expected reduction dim to be specified for input.numel() == 0.");
  }
}

function argmax_argmin_impl(
  self: Tensor,
  dim: number | null,
  keepdim: boolean,
  result: Tensor,
  stub: DispatchStub<ReduceFn>,
): void {
  let input = self;
  let dims: number[];
  if (dim !== null) {
    const _dim = maybe_wrap_dim(dim, self.dim());
    if (self.sizes()[_dim] === 1) {
      result.fill__Scalar(Scalar.ZERO);
      return;
    }
    dims = [_dim];
  } else {
    dims = [0];
    input = self.reshape([-1]);
    keepdim = false;
  }
  const iter = make_reduction(input, result, dims, keepdim, self.scalar_type());
  if (iter.numel() !== 0) stub.call(iter.device_type(), iter);
}

export abstract class structured_argmax extends MetaBase {
  meta(self: Tensor, dim: number | null, keepdim: boolean): void {
    check_argmax_argmin("argmax()", self, dim);
    resize_reduction(this, self, optional_to_arrayref(dim), keepdim, ScalarType.Long);
  }
}

export abstract class structured_argmax_out extends structured_argmax {
  impl(self: Tensor, dim: number | null, keepdim: boolean, result: Tensor): void {
    argmax_argmin_impl(self, dim, keepdim, result, argmax_stub);
  }
}

export abstract class structured_argmin extends MetaBase {
  meta(self: Tensor, dim: number | null, keepdim: boolean): void {
    check_argmax_argmin("argmin()", self, dim);
    resize_reduction(this, self, optional_to_arrayref(dim), keepdim, ScalarType.Long);
  }
}

export abstract class structured_argmin_out extends structured_argmin {
  impl(self: Tensor, dim: number | null, keepdim: boolean, result: Tensor): void {
    argmax_argmin_impl(self, dim, keepdim, result, argmin_stub);
  }
}

// value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) -> Tensor
//                                                                                   CompositeImplicitAutograd
export function value_selecting_reduction_backward_symint(
  grad: Tensor,
  dim: number,
  indices: Tensor,
  sizes: number[],
  keepdim: boolean,
): Tensor {
  const unsqueezed = !keepdim && sizes.length > 0;
  const grad_ = unsqueezed ? grad.unsqueeze(dim) : grad;
  const indices_ = unsqueezed ? indices.unsqueeze(dim) : indices;
  if (areAnyTensorSubclassLike([grad, indices])) return grad_.new_zeros(sizes).scatter_src(dim, indices_, grad_);
  return at.zeros(sizes, grad_.options()).scatter__src(dim, indices_, grad_);
}
