/**
 * @file Scans: the sum, product or logsumexp of all elements up to each one.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 * @see cpu/ReduceOpsKernel/Cumulative.ts (the arithmetic); Cummax.ts (extremes)
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH, type DispatchStub } from "#aten/native/DispatchStub";
import { check_scalar_type_device_layout_equal } from "#aten/native/ReduceOpsUtils";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { GradMode } from "#c10/core/GradMode";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";

type CumFn = (result: Tensor, self: Tensor, dim: number) => void;
export const cumsum_stub = DEFINE_DISPATCH<CumFn>("cumsum_stub");
export const cumprod_stub = DEFINE_DISPATCH<CumFn>("cumprod_stub");
export const logcumsumexp_stub = DEFINE_DISPATCH<CumFn>("logcumsumexp_stub");

// cumsum, cumprod -----------------------------------------------------------------------------------------------------

abstract class structured_cum_op extends MetaBase {
  meta(self: Tensor, dim: number, dtype: ScalarType | null): void {
    maybe_wrap_dim(dim, self.dim());
    const result = this.maybe_get_output(0) as Tensor | undefined;
    const own = isIntegralType(self.scalar_type(), true) ? ScalarType.Long : self.scalar_type();
    const out_dtype = dtype ?? (result?.defined() ? result.scalar_type() : own);
    this.set_output_raw_strided(0, self.sizes() as number[], [], self.options().dtype(out_dtype));
  }

  protected run(stub: DispatchStub<CumFn>, self: Tensor, dim: number, result: Tensor): void {
    if (self.dim() === 0) result.fill__Tensor(self);
    else if (self.numel() === 0) result.zero_();
    else stub.call(self.device_type(), result, self.to_dtype(result.scalar_type()), maybe_wrap_dim(dim, self.dim()));
  }
}

export abstract class structured_cumsum extends structured_cum_op {}

// cumsum.out                                                                        CPU
export abstract class structured_cumsum_out extends structured_cumsum {
  impl(self: Tensor, dim: number, _dtype: ScalarType | null, result: Tensor): void {
    this.run(cumsum_stub, self, dim, result);
  }
}

export abstract class structured_cumprod extends structured_cum_op {}

// cumprod.out                                                                       CPU
export abstract class structured_cumprod_out extends structured_cumprod {
  impl(self: Tensor, dim: number, _dtype: ScalarType | null, result: Tensor): void {
    this.run(cumprod_stub, self, dim, result);
  }
}

// logcumsumexp --------------------------------------------------------------------------------------------------------

// _logcumsumexp(Tensor self, int dim) -> Tensor                                     CPU
export function _logcumsumexp_cpu(self: Tensor, dim: number): Tensor {
  return _logcumsumexp_out_cpu(self, dim, at.empty_like(self, undefined, MemoryFormat.Contiguous));
}

/**
 * @differs Ours refuses a result of another dtype; PyTorch writes into it as if it had this dtype, outside its memory.
 */
export function _logcumsumexp_out_cpu(self: Tensor, dim: number, result: Tensor): Tensor {
  check_floating_types_and2(self.scalar_type(), "logcumsumexp_out_cpu");
  check_type(result, self.scalar_type());
  logcumsumexp_stub.call(self.device_type(), result, self, dim);
  return result;
}

// logcumsumexp(Tensor self, int dim) -> Tensor                                      CompositeExplicitAutograd
export function logcumsumexp(self: Tensor, dim: number): Tensor {
  return at._logcumsumexp(self, dim);
}

export function logcumsumexp_out(self: Tensor, dim: number, result: Tensor): Tensor {
  check_scalar_type_device_layout_equal(result, self);
  return at._logcumsumexp_out(self.toType(result.scalar_type()), dim, result);
}

// Backward of cumprod -------------------------------------------------------------------------------------------------

// Note [Derivative of cumprod]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// y[j] = x[0] ... x[j], so for j >= k, dy[j] / dx[k] is the product without x[k]: y[j] / x[k] if x[k] is not 0. If no
// element is 0, the gradient is therefore the sum of grad[j] * y[j] over j >= k, a scan from the end, divided by x[k].
// Otherwise let z1 be the first zero of a line and z2 the second one (or the end):
//   k < z1    as above, with the sum over j < z1 only: later products all contain x[z1] = 0
//   k = z1    the product of all elements before z1, times the sum over z1 <= j < z2 of grad[j] * x[z1 + 1] ... x[j]
//   k > z1    0
// This is one pass, but it has no second derivative. If a graph is needed, the gradient is computed product by product.

function reversed_cumsum(w: Tensor, dim: number): Tensor {
  return w.flip([dim]).cumsum(dim).flip([dim]);
}

function cumprod_backward_with_zeros(
  grad: Tensor,
  input: Tensor,
  is_zero: Tensor,
  w: Tensor,
  dim: number,
  output: Tensor,
  subclass: boolean,
): Tensor {
  const [zero, one] = [Scalar.fromDouble(0), Scalar.fromDouble(1)];
  let grad_input = at.zeros(input.sizes() as number[], grad.options());
  const zeros_until = is_zero.cumsum(dim);
  const before = zeros_until.eq_Scalar(Scalar.ZERO);
  const sums_until_z1 = reversed_cumsum(w.masked_fill_Scalar(before.bitwise_not(), zero), dim);
  const left = subclass ? sums_until_z1.div_Tensor(input) : sums_until_z1.div__Tensor(input);
  grad_input = at.where_self(before, left, grad_input);

  let mask = zeros_until.eq_Scalar(Scalar.ONE); // from z1 to z2; empty if there is no zero, in which case max returns 0
  const [, first_zero_index] = mask.max_dim(dim, true);
  const first_zero_mask = at.zeros_like(mask).scatter__value(dim, first_zero_index, Scalar.ONE).logical_and_(mask);
  mask = mask.bitwise_and__Tensor(first_zero_mask.bitwise_not());
  const products = input.masked_fill_Scalar(mask.bitwise_not(), one).cumprod(dim);
  const grad_between = grad.masked_fill_Scalar(zeros_until.ne_Scalar(Scalar.ONE), zero);
  const before_z1 = at
    .gather(output, dim, first_zero_index.sub_Scalar(Scalar.ONE).relu_())
    .masked_fill__Scalar(first_zero_index.eq_Scalar(Scalar.ZERO), one);
  const summands = subclass ? products.mul_Tensor(grad_between) : products.mul__Tensor(grad_between);
  const sums = summands.sum_dim_IntList([dim], true);
  const at_z1 = subclass ? sums.mul_Tensor(before_z1) : sums.mul__Tensor(before_z1);
  return at.where_self(first_zero_mask, at_z1, grad_input);
}

/** dy[j] / dx[k] for all j >= k. */
function omitted_products(input: Tensor, dim: number, k: number, dim_size: number, ones: Tensor): Tensor {
  const behind = (): Tensor => at.cumprod(input.slice_Tensor(dim, k + 1), dim);
  if (k === 0) return at.cat([ones, behind()], dim);
  const prods_until_k = at.prod_dim_int(input.slice_Tensor(dim, 0, k), dim, true);
  if (k === dim_size - 1) return prods_until_k;
  const prods_from_k_plus_1 = behind();
  const both = prods_until_k.expand_as(prods_from_k_plus_1).mul_Tensor(prods_from_k_plus_1);
  return at.cat([prods_until_k, both], dim);
}

// cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor     CompositeImplicitAutograd
export function cumprod_backward(grad: Tensor, input: Tensor, dim_: number, output: Tensor): Tensor {
  if (input.numel() <= 1) return grad;
  const dim = maybe_wrap_dim(dim_, input.dim());
  const dim_size = input.size(dim);
  if (dim_size === 1) return grad;
  const subclass = areAnyTensorSubclassLike([input, grad, output]);
  const w = output.mul_Tensor(grad);
  const is_zero = input.eq_Scalar(Scalar.ZERO);
  if (!subclass && !is_zero.any().item().toBool()) return reversed_cumsum(w, dim).div_Tensor(input);
  if (!GradMode.is_enabled()) return cumprod_backward_with_zeros(grad, input, is_zero, w, dim, output, subclass);

  const grad_inputs: Tensor[] = [];
  const grad_input = subclass ? null : at.zeros(input.sizes() as number[], grad.options());
  const ones = at.ones([1], grad.options()).expand((input.sizes() as number[]).with(dim, 1));
  for (let k = 0; k < dim_size; k++) {
    const products = omitted_products(input, dim, k, dim_size, ones);
    const grad_slice = at.sum_dim_IntList(grad.slice_Tensor(dim, k).mul_Tensor(products), [dim]);
    if (grad_input === null) grad_inputs.push(grad_slice);
    else grad_input.select_int(dim, k).copy_(grad_slice);
  }
  return grad_input ?? at.stack(grad_inputs, dim);
}
