/**
 * @file Formulas of derivatives.yaml that are more than one expression, and helpers of generated nodes.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 *
 * The operators and their order are PyTorch's, because a trace of backward shows them. If a line of C++ calls two
 * operators in one expression, the compiled order (last argument first) is written out here with `const`s.
 */

import { toAccumulateType } from "#aten/AccumulateType";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { TensorGeometry } from "#aten/TensorGeometry";
import { INDEX_MAX } from "#aten/TensorIndexing";
import { areAnyTensorSubclassLike, isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { GradMode } from "#c10/core/GradMode";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { same_int, sym_add, sym_product, symbols_of } from "#c10/core/SymInt";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { NotImplementedError, TORCH_CHECK } from "#c10/util/Exception";
import { DelayedError } from "#torch/csrc-equivalent/autograd/functions/basic_ops";
import type { IndexRange, Node, variable_list } from "#torch/csrc-equivalent/autograd/node";
import { undefined_variables } from "#torch/csrc-equivalent/autograd/owning_list";
import type { SavedVariable } from "#torch/csrc-equivalent/autograd/saved_variable";

// Helpers of every node

/** Assigns slots of a node's outputs, argument by argument. */
export class IndexRangeGenerator {
  private i = 0;

  range(range_size: number): IndexRange {
    this.i += range_size;
    return [this.i - range_size, this.i];
  }

  size(): number {
    return this.i;
  }
}

export function any_variable_defined(variables: variable_list): boolean {
  for (let i = 0; i < variables.length; i++) if (variables[i].defined()) return true;
  return false;
}

/** Stores one gradient, or a list of gradients, in its slots. */
export function copy_range(out: variable_list, range: IndexRange, t: Tensor | readonly Tensor[]): void {
  const [begin, end] = range;
  TORCH_CHECK(end <= out.length);
  if (t instanceof Tensor) {
    TORCH_CHECK(end - begin === 1, "inconsistent range for Tensor output");
    out[begin] = t;
    return;
  }
  TORCH_CHECK(end - begin === t.length, "inconsistent range for TensorList output");
  for (let i = 0; i < t.length; i++) out[begin + i] = t[i];
}

/** A saved optional argument for users: null (None) if there was none. */
export function unpack_opt(saved: SavedVariable, saved_for: Node | null = null): Tensor | null {
  const t = saved.unpack(saved_for);
  return t.defined() ? t : null;
}

export function unpack_list(saved: readonly SavedVariable[], saved_for: Node | null = null): Tensor[] {
  return saved.map((x) => x.unpack(saved_for));
}

export function unpack_opt_list(saved: readonly SavedVariable[], saved_for: Node | null = null): (Tensor | null)[] {
  return saved.map((x) => unpack_opt(x, saved_for));
}

/**
 * A saved int as Python reads it. PyTorch converts it as unsigned, so -1 shows as 2^64 - 1; a slice to the end ends at INT64_MAX.
 */
export function as_unsigned(value: number): number | bigint {
  if (value === INDEX_MAX) return 2n ** 63n - 1n;
  return value >= 0 ? value : BigInt.asUintN(64, BigInt(value));
}

/** Used in formulas for `a, b:`; `cond` says whether `t` is needed, so that forward saves it only then. */
export function wrap_opt_if(t: Tensor, cond: boolean): Tensor | null {
  return cond ? t : null;
}

/** The result of a formula that is not implemented: forward works, but a gradient that reaches it throws. */
export function not_implemented(name: string, reason = ""): Tensor {
  throw new NotImplementedError(`the derivative for '${name}' is not implemented.${reason === "" ? "" : ` ${reason}`}`);
}

export function not_implemented_list(name: string, reason = ""): Tensor[] {
  return [not_implemented(name, reason)];
}

// Properties that forward saves instead of tensors

/** Strides, for formulas whose result has the layout of their input; empty if nobody needs its gradient. */
export function strides_or_error(input: Tensor, _input_name: string): number[] {
  return input.requires_grad() && input.layout() === Layout.Strided ? input.strides().slice() : [];
}

export function to_args_sizes_symint(tensors: readonly Tensor[]): number[][] {
  return tensors.map((t) => t.sizes().slice());
}

export function to_args_sizes(tensors: readonly Tensor[]): number[][] {
  return to_args_sizes_symint(tensors);
}

export function to_args_scalartypes(tensors: readonly Tensor[]): ScalarType[] {
  return tensors.map((t) => t.scalar_type());
}

// Arithmetic

/**
 * Makes the gradient of a real input real.
 * @differs No kernel here makes complex tensors, so there is never a part to drop, and formulas only keep the call;
 * PyTorch drops the imaginary part.
 */
export function handle_r_to_c(_self_st: ScalarType, gradient_result: Tensor): Tensor {
  return gradient_result;
}

/** `t * s`, without the multiplication if `s` is 1. */
export function maybe_multiply(t: Tensor, s: Scalar): Tensor {
  return !s.isBoolean() && s.equal(1) ? t : t.mul_Scalar(s);
}

export function log1p_backward(grad: Tensor, self: Tensor): Tensor {
  return grad.div_Tensor(self.add_Scalar(Scalar.fromInt(1)).conj());
}

/** d atan2(self, other) = (other dself - self dother) / (self^2 + other^2). */
export function atan2_backward(
  grad: Tensor,
  self: Tensor,
  other: Tensor,
  output_mask: readonly boolean[],
): [Tensor, Tensor] {
  if (!grad.defined()) return [new Tensor(), new Tensor()];
  const self_squared = self.mul_Tensor(self);
  const sum = self_squared.add_Tensor(other.mul_Tensor(other), Scalar.ONE);
  const inverse = sum.reciprocal();
  const at_origin = sum.eq_Scalar(Scalar.ZERO); // 0 there, not NaN
  const recip = isTensorSubclassLike(inverse)
    ? inverse.masked_fill_Scalar(at_origin, Scalar.ZERO)
    : inverse.masked_fill__Scalar(at_origin, Scalar.ZERO);
  return [
    output_mask[0] ? grad.mul_Tensor(other).mul_Tensor(recip) : new Tensor(),
    output_mask[1] ? grad.mul_Tensor(self.neg()).mul_Tensor(recip) : new Tensor(),
  ];
}

/** 1 or -1 if the sign stayed or changed; 0 where self was 0. */
export function copysign_tensor_self_backward(grad: Tensor, self: Tensor, result: Tensor): Tensor {
  const ratio = result.div_Tensor(self);
  ratio.masked_fill__Scalar(self.eq_Scalar(Scalar.fromInt(0)), Scalar.fromInt(0));
  return grad.mul_Tensor(ratio);
}

/**
 * @differs The angle of a real number jumps and is constant elsewhere, so the gradient is 0; PyTorch also has the
 * formula for complex numbers.
 */
export function angle_backward(_grad: Tensor, self: Tensor): Tensor {
  return at.zeros_like(self);
}
export function rad2deg_backward(grad: Tensor): Tensor {
  return grad.mul_Scalar(Scalar.fromDouble(57.29577951308232));
}
export function deg2rad_backward(grad: Tensor): Tensor {
  return grad.mul_Scalar(Scalar.fromDouble(0.017453292519943295));
}

/** I0(x) - I1(x) / x; 1/2 where x is nearly 0, because the quotient fails there. */
export function i1_backward(grad: Tensor, self: Tensor, result: Tensor): Tensor {
  const eps = Scalar.fromDouble(self.scalar_type() === ScalarType.Double ? 2 ** -52 : 2 ** -23);
  const self_is_not_tiny = self.abs().gt_Scalar(eps);
  // Both operands are selected first: otherwise `where` would pass a NaN of the other side on to the gradient.
  const safe_self = at.where_self(self_is_not_tiny, self, at.scalar_tensor(eps, self.options()));
  const quotient = result.mul_Tensor(safe_self.reciprocal());
  const gradx = safe_self.i0().sub_Tensor(quotient, Scalar.ONE);
  const half = at.scalar_tensor(Scalar.fromDouble(0.5), self.options());
  return grad.mul_Tensor(at.where_self(self_is_not_tiny, gradx, half));
}

export function mvlgamma_backward(grad: Tensor, self: Tensor, p: number): Tensor {
  const half = Scalar.fromDouble(0.5);
  const steps = at.arange_start_step(Scalar.fromDouble(-Number(p) / 2 + 0.5), half, half, self.options());
  const args = steps.add_Tensor(self.unsqueeze(-1), Scalar.ONE);
  return grad.mul_Tensor(args.digamma_().sum_dim_IntList([-1], false, null));
}

/** `logit_backward` in operators that are differentiable again. */
export function infinitely_differentiable_logit_backward(grad: Tensor, self: Tensor, eps: number | null): Tensor {
  const lo = eps ?? 0;
  const outside =
    eps === null
      ? at.empty_memory_format([], self.options()).fill__Scalar(Scalar.fromDouble(NaN))
      : at.zeros([], self.options());
  const density = grad.div_Tensor(self.mul_Tensor(at.rsub_Scalar(self, Scalar.fromDouble(1))));
  const below = self.le_Scalar(Scalar.fromDouble(1 - lo));
  const above = self.ge_Scalar(Scalar.fromDouble(lo));
  return at.where_self(at.logical_and(above, below), density, outside);
}

/** (cos(pi x) - sinc x) / x; 0 at 0. */
export function sinc_backward(grad: Tensor, self: Tensor): Tensor {
  const pi = Scalar.fromDouble(Math.PI);
  const self_pi = self.mul_Scalar(pi);
  const self_squared_pi = self.mul_Tensor(self).mul_Scalar(pi);
  const sine = self_pi.sin();
  const difference = self_pi.mul_Tensor(self_pi.cos()).sub_Tensor(sine, Scalar.ONE);
  const out = grad.mul_Tensor(difference.div_Tensor(self_squared_pi).conj());
  const zero = at.scalar_tensor(Scalar.ZERO, grad.options());
  return at.where_self(self_squared_pi.eq_Scalar(Scalar.fromDouble(0)), zero, out);
}

/** The second derivative of gelu, times both gradients. */
export function gelu_double_backward(ggI: Tensor, gO: Tensor, input: Tensor, approximate: string): Tensor {
  const number = Scalar.fromDouble;
  const square = input.mul_Tensor(input);
  const both = ggI.mul_Tensor(gO);
  if (approximate !== "tanh") {
    const density = square
      .mul_Scalar(number(-0.5))
      .exp()
      .mul_Scalar(number(1 / Math.sqrt(2 * Math.PI)));
    return both.mul_Tensor(density).mul_Tensor(at.rsub_Scalar(square, number(2)));
  }
  // y = x (1 + t) / 2, t = tanh u, u = beta (x + kappa x^3); t' = (1 - t^2) u'
  const beta = Math.sqrt(2 / Math.PI);
  const kappa = 0.044715;
  const t = input
    .add_Tensor(square.mul_Tensor(input).mul_Scalar(number(kappa)))
    .mul_Scalar(number(beta))
    .tanh();
  const u1 = square
    .mul_Scalar(number(3 * kappa))
    .add_Scalar(Scalar.ONE)
    .mul_Scalar(number(beta));
  const half_x_u2 = square.mul_Scalar(number(3 * beta * kappa));
  const bend = u1.add_Tensor(half_x_u2).sub_Tensor(input.mul_Tensor(t).mul_Tensor(u1).mul_Tensor(u1));
  return both.mul_Tensor(at.rsub_Scalar(t.mul_Tensor(t), Scalar.ONE)).mul_Tensor(bend);
}

export function infinitely_differentiable_silu_backward(grad_output: Tensor, input: Tensor): Tensor {
  const sigmoid = input.sigmoid();
  const slope = input.mul_Tensor(at.rsub_Scalar(sigmoid, Scalar.ONE)).add_Scalar(Scalar.ONE);
  return grad_output.mul_Tensor(sigmoid).mul_Tensor(slope);
}

export function mul_tensor_backward(grad: Tensor, other: Tensor | Scalar, self_st: ScalarType): Tensor {
  const out = other instanceof Tensor ? grad.mul_Tensor(other.conj()) : grad.mul_Scalar(other.conj());
  return handle_r_to_c(self_st, out);
}

/** The slope of rounding is 0 wherever it exists. */
export function div_tensor_self_backward(
  grad: Tensor,
  other: Tensor | Scalar,
  self_st: ScalarType,
  rounding_mode: string | null = null,
): Tensor {
  if (rounding_mode !== null) return at.zeros_like(grad, grad.options().dtype(self_st));
  const result = other instanceof Tensor ? grad.div_Tensor(other.conj()) : grad.div_Scalar(other.conj());
  return handle_r_to_c(self_st, result);
}

export function div_tensor_other_backward(
  grad: Tensor,
  self: Tensor,
  other: Tensor,
  rounding_mode: string | null = null,
): Tensor {
  if (rounding_mode !== null) return at.zeros_like(grad, grad.options().dtype(other.scalar_type()));
  const slope = self.div_Tensor(other).div_Tensor(other).conj(); // -d(self / other) / d(other)
  return handle_r_to_c(other.scalar_type(), grad.neg().mul_Tensor(slope));
}

/** d(self ^ p) = p * self ^ (p - 1); for p = 0 it is 0, also where self is 0. */
export function pow_backward(grad: Tensor, self: Tensor, exponent: Scalar): Tensor {
  if (exponent.equal(0)) return at.zeros_like(self);
  const p = exponent.toDouble();
  const slope = self
    .pow_Tensor_Scalar(Scalar.fromDouble(p - 1))
    .mul_Scalar(Scalar.fromDouble(p))
    .conj();
  return handle_r_to_c(self.scalar_type(), grad.mul_Tensor(slope));
}

export function pow_backward_self(grad: Tensor, self: Tensor, exponent: Tensor): Tensor {
  const power = self.pow_Tensor_Tensor(exponent.sub_Scalar(Scalar.ONE));
  const slope = grad.mul_Tensor(exponent.mul_Tensor(power).conj());
  const zero = at.scalar_tensor(Scalar.fromDouble(0), grad.options());
  const out = at.where_self(exponent.eq_Scalar(Scalar.fromDouble(0)), zero, slope);
  return handle_r_to_c(self.scalar_type(), out);
}

// Note [The power's derivative where the base is 0]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// d(self ^ p) / dp = result * log(self), and log(0) is -inf. For p >= 0 the limit is 0 (0 ^ p does not change with p), so 0 is
// written there; for p < 0 the result is inf already, and so is its slope.
export function pow_backward_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor): Tensor {
  const cond = exponent.ge_Scalar(Scalar.ZERO);
  const at_zero = at.logical_and(self.eq_Scalar(Scalar.ZERO), cond);
  const promoted_dtype = at.result_type_Tensor(self, exponent);
  // For an integer base and a floating exponent, the log is computed in the dtype of the power.
  const slope = result.mul_Tensor(self.to_dtype(promoted_dtype).log()).conj();
  const zero = at.scalar_tensor(Scalar.fromDouble(0), grad.options());
  const out = grad.mul_Tensor(at.where_self(at_zero, zero, slope));
  return handle_r_to_c(exponent.scalar_type(), out);
}

/**
 * Gradient for a base that is a number: it is 0 everywhere or nowhere.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp#pow_backward_exponent
 */
export function pow_backward_exponent_scalar(grad: Tensor, base: Scalar, exponent: Tensor, result: Tensor): Tensor {
  const slope = result.mul_Scalar(base.log()).conj();
  if (!base.equal(0)) return handle_r_to_c(exponent.scalar_type(), grad.mul_Tensor(slope));
  const zero = at.zeros([], grad.options());
  return handle_r_to_c(
    exponent.scalar_type(),
    grad.mul_Tensor(at.where_self(exponent.ge_Scalar(Scalar.ZERO), zero, slope)),
  );
}

/** Nothing flows where a bound limits the value; on the bound itself the slope is 1. */
export function clamp_backward(grad: Tensor, self: Tensor, min: Scalar | null, max: Scalar | null): Tensor {
  if (min === null && max === null) return grad;
  const zero = at.scalar_tensor(Scalar.fromDouble(0), grad.options());
  if (min !== null && max !== null) {
    const self_ge_min = self.ge_Scalar(min);
    return at.where_self(self_ge_min.logical_and_(self.le_Scalar(max)), grad, zero);
  }
  return at.where_self(min !== null ? self.ge_Scalar(min) : self.le_Scalar(max as Scalar), grad, zero);
}

/**
 * `clamp_backward` for bounds that are tensors; an absent one is undefined.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp#clamp_backward
 */
export function clamp_backward_tensor(grad: Tensor, self: Tensor, min: Tensor, max: Tensor): Tensor {
  if (!min.defined() && !max.defined()) return grad;
  const zero = at.scalar_tensor(Scalar.fromDouble(0), grad.options());
  if (min.defined() && max.defined()) {
    const self_ge_min = self.ge_Tensor(min);
    const self_le_max = self.le_Tensor(max);
    const pred = areAnyTensorSubclassLike([self, min, max])
      ? self_ge_min.logical_and(self_le_max)
      : self_ge_min.logical_and_(self_le_max);
    return at.where_self(pred, grad, zero);
  }
  return at.where_self(min.defined() ? self.ge_Tensor(min) : self.le_Tensor(max), grad, zero);
}

/** Gradients of the bounds: a bound gets the gradient where it is the result. With min > max the result is max. */
export function clamp_backward_min_max(
  grad: Tensor,
  self: Tensor,
  min: Tensor,
  max: Tensor,
  grad_input_mask: readonly boolean[],
): [Tensor, Tensor] {
  const ret: [Tensor, Tensor] = [new Tensor(), new Tensor()];
  if (!grad.defined()) return ret;
  const zero = at.scalar_tensor(Scalar.fromDouble(0), grad.options());
  if (min.defined() && max.defined()) {
    if (grad_input_mask[0]) {
      const self_lt_min = self.lt_Tensor(min);
      const min_lt_max = min.lt_Tensor(max);
      const pred = areAnyTensorSubclassLike([self, min, max])
        ? self_lt_min.logical_and(min_lt_max)
        : self_lt_min.logical_and_(min_lt_max);
      ret[0] = at.where_self(pred, grad, zero);
    }
    if (grad_input_mask[1]) {
      const self_gt_max = self.gt_Tensor(max);
      const max_lt_min = max.lt_Tensor(min);
      const pred = areAnyTensorSubclassLike([self, min, max])
        ? self_gt_max.logical_or(max_lt_min)
        : self_gt_max.logical_or_(max_lt_min);
      ret[1] = at.where_self(pred, grad, zero);
    }
  } else if (min.defined() && grad_input_mask[0]) {
    ret[0] = at.where_self(self.lt_Tensor(min), grad, zero);
  } else if (max.defined() && grad_input_mask[1]) {
    ret[1] = at.where_self(self.gt_Tensor(max), grad, zero);
  }
  return ret;
}

/** A step has slope 0. @differs Complex numbers, whose phase has another slope, do not occur here; PyTorch handles them. */
export function sgn_backward(_x: Tensor, _gx: Tensor, sgn: Tensor): Tensor {
  return at._efficientzerotensor(sgn.sizes(), sgn.options());
}

// Reductions

/** Restores the reduced dimensions with size 1, so that the gradient has the dimensions of the input. */
export function unsqueeze_multiple(t: Tensor, opt_dim: readonly number[] | null, n_dims: number): Tensor {
  if (opt_dim === null) return t;
  if (opt_dim.length === 1) return t.unsqueeze(opt_dim[0]);
  const dims_to_unsqueeze = dim_list_to_bitset(opt_dim, n_dims);
  let res = t;
  for (let i = 0; i < n_dims; i++) if (dims_to_unsqueeze[i]) res = res.unsqueeze(i);
  return res;
}

export function sum_backward(
  grad: Tensor,
  sizes: readonly number[],
  opt_dims: readonly number[] | null,
  keepdim: boolean,
): Tensor {
  if (!keepdim && sizes.length > 0 && opt_dims !== null && opt_dims.length > 0)
    return unsqueeze_multiple(grad, opt_dims, sizes.length).expand(sizes as number[]);
  return grad.expand(sizes as number[]);
}

export function mean_backward(
  grad: Tensor,
  shape: readonly number[],
  opt_dim: readonly number[] | null,
  numel: number,
  keepdim: boolean,
): Tensor {
  const is_all_reduce = opt_dim === null || opt_dim.length === 0;
  const n = is_all_reduce ? numel : _safe_size(shape, opt_dim);
  return sum_backward(grad, shape, opt_dim, keepdim).div_Scalar(Scalar.fromInt(n));
}

export function nansum_backward(grad: Tensor, self: Tensor, dims: readonly number[] | null, keepdim: boolean): Tensor {
  const is_number = self.isnan().logical_not();
  return sum_backward(grad, self.sizes(), dims, keepdim).mul_Tensor(is_number);
}

/** Products of all other elements without a division: the product of those before it times the product of those after it. */
export function prod_safe_zeros_backward(grad: Tensor, inp: Tensor, dim: number): Tensor {
  if (inp.numel() === 0) return grad.expand_as(inp);
  const size = inp.size(dim);
  if (size === 1) return grad;
  const ones = at.ones((inp.sizes() as number[]).with(dim, 1), grad.options());
  const exclusive_normal = at.cat([ones, inp.narrow(dim, 0, size - 1)], dim).cumprod(dim);
  const narrow_reverse = inp.narrow(dim, 1, size - 1).flip([dim]);
  const exclusive_reverse = at.cat([ones, narrow_reverse], dim).cumprod(dim).flip([dim]);
  return grad.mul_Tensor(exclusive_normal.mul_Tensor(exclusive_reverse).conj());
}

/** The gradient of a product over all elements; with `dim`, of products along that dimension. */
export function prod_backward(
  grad: Tensor,
  input: Tensor,
  result: Tensor,
  dim: number | null = null,
  keepdim = false,
): Tensor {
  if (input.dim() === 0) return grad;
  if (dim !== null) return prod_dim_backward(grad, input, result, maybe_wrap_dim(dim, input.dim()), keepdim);
  const safe = (): Tensor => prod_safe_zeros_backward(grad, input.contiguous().view([-1]), 0).view_as(input);
  if (input.is_meta() || isTensorSubclassLike(input)) return safe();
  const zero_idx = input.eq_Scalar(Scalar.ZERO).nonzero();
  if (zero_idx.numel() === 0) return grad.mul_Tensor(result.div_Tensor(input).conj());
  if (!GradMode.is_enabled() && zero_idx.size(0) > 1) return at.zeros_like(input);
  return safe();
}

function prod_dim_backward(grad_: Tensor, input: Tensor, result_: Tensor, dim: number, keepdim: boolean): Tensor {
  const grad = keepdim ? grad_ : grad_.unsqueeze(dim);
  const result = keepdim ? result_ : result_.unsqueeze(dim);
  if (input.is_meta() || isTensorSubclassLike(input)) return prod_safe_zeros_backward(grad, input, dim);
  const slice_zero_count = input.eq_Scalar(Scalar.ZERO).sum_dim_IntList([dim], true);
  const total_zeros = slice_zero_count.sum().item().toLong();
  if (total_zeros === 0) return grad.mul_Tensor(result.div_Tensor(input).conj());
  return prod_safe_zeros_backward(grad, input, dim);
}

export function cumsum_backward(grad: Tensor, dim: number): Tensor {
  const numel = grad.sym_numel();
  if (same_int(numel, 0) || same_int(numel, 1) || same_int(grad.sym_size(dim), 1)) return grad;
  return grad.flip([dim]).cumsum(dim).flip([dim]);
}

export function logsumexp_backward(
  grad: Tensor,
  self: Tensor,
  result: Tensor,
  dim: readonly number[],
  keepdim: boolean,
): Tensor {
  const ndim = self.dim();
  const restored = (t: Tensor): Tensor => (keepdim || ndim === 0 ? t : unsqueeze_multiple(t, dim, ndim));
  const grad_ = restored(grad);
  return grad_.mul_Tensor(self.sub_Tensor(restored(result)).exp().conj());
}

/** The smallest finite number of each dtype. */
const LOWEST: Readonly<Partial<Record<ScalarType, number>>> = {
  [ScalarType.Half]: -65504,
  [ScalarType.BFloat16]: -(2 - 2 ** -7) * 2 ** 127,
  [ScalarType.Float]: -(2 - 2 ** -23) * 2 ** 127,
  [ScalarType.Double]: -Number.MAX_VALUE,
};

/** Computed with logarithms, separately for positive and negative gradients: products of exponentials would overflow. */
export function logcumsumexp_backward(grad: Tensor, self: Tensor, result: Tensor, dim: number): Tensor {
  if (grad.dim() === 0 || grad.numel() === 0) return grad;
  const scalar_min = Scalar.fromDouble(LOWEST[grad.scalar_type()] ?? Number.NEGATIVE_INFINITY);
  const reverse_logcumsumexp = (x: Tensor): Tensor => at.logcumsumexp(x.flip([dim]), dim).flip([dim]);
  const grad_min = at.scalar_tensor(scalar_min, grad.options());
  const log_abs_grad = grad.abs().log();
  const log_grad_positive = at.where_self(grad.gt_Scalar(Scalar.ZERO), log_abs_grad, grad_min);
  const log_grad_negative = at.where_self(grad.lt_Scalar(Scalar.ZERO), log_abs_grad, grad_min);
  const part = (log_grad: Tensor): Tensor => reverse_logcumsumexp(log_grad.sub_Tensor(result)).add_Tensor(self).exp();
  const output_pos = part(log_grad_positive);
  return output_pos.sub_Tensor(part(log_grad_negative));
}

/** The slope of the 2-norm is the unit vector; where a norm has no slope, at 0, it is defined as 0. */
export function norm_backward(
  grad_: Tensor,
  self: Tensor,
  p_: Scalar | null,
  norm_: Tensor,
  dim: readonly number[] = [],
  keepdim = true,
): Tensor {
  const ndim = self.dim();
  const p = p_ === null ? 2 : p_.toDouble();
  const restored = (t: Tensor): Tensor => (keepdim || ndim === 0 ? t : unsqueeze_multiple(t, dim, ndim));
  const [grad, norm] = [restored(grad_), restored(norm_)];
  const power = Scalar.fromDouble;
  if (p === 0) return new Tensor();
  if (p === 1) return self.sgn().mul_Tensor(grad);
  if (p === 2) {
    const unit = self.div_Tensor(norm).masked_fill__Scalar(norm.eq_Scalar(Scalar.ZERO), Scalar.ZERO);
    return grad.mul_Tensor(unit);
  }
  if (!Number.isFinite(p)) {
    // Equal extremes share the gradient; if the norm is NaN, the NaNs share it.
    const self_abs = self.abs();
    const mask = self_abs.eq_Tensor(norm).logical_or(self_abs.isnan());
    const share = grad.div_Tensor(mask.sum_dim_IntList(dim as number[], true)).mul_Tensor(mask);
    return self.sgn().mul_Tensor(share);
  }
  if (p < 1) {
    const slope = self
      .abs()
      .pow__Scalar(power(p - 1))
      .masked_fill__Scalar(self.eq_Scalar(Scalar.ZERO), Scalar.ZERO);
    const self_scaled = self.sgn().mul_Tensor(slope);
    const scale = norm.pow_Tensor_Scalar(power(1 - p));
    return self_scaled.mul_Tensor(grad).mul_Tensor(scale);
  }
  const scaled_abs = self.abs().pow__Scalar(power(p < 2 ? p - 1 : p - 2));
  const self_scaled = (p < 2 ? self.sgn() : self).mul_Tensor(scaled_abs);
  const scale_v = grad.div_Tensor(norm.pow_Tensor_Scalar(power(p - 1)));
  scale_v.masked_fill__Scalar(norm.eq_Scalar(Scalar.ZERO), Scalar.ZERO);
  return self_scaled.mul_Tensor(scale_v);
}

export function linalg_vector_norm_backward(
  grad: Tensor,
  self: Tensor,
  scalar_ord: Scalar,
  norm: Tensor,
  opt_dim: readonly number[] | null,
  keepdim: boolean,
): Tensor {
  return norm_backward(grad, self, scalar_ord, norm, opt_dim ?? [], keepdim);
}

export function renorm_backward(grad: Tensor, self: Tensor, p: Scalar, dim_: number, maxnorm: Scalar): Tensor {
  const dim = maybe_wrap_dim(dim_, self.dim());
  const reduce_dims = [...self.sizes().keys()].filter((d) => d !== dim);
  const acc_type = toAccumulateType(self.scalar_type(), self.device().type());
  const norm = at.linalg_vector_norm(self, p, reduce_dims, true, acc_type);
  const grad_output = self.conj().mul_Tensor(grad).sum_dim_IntList(reduce_dims, true, acc_type);
  const nb = norm_backward(grad_output, self, p, norm, reduce_dims, true);
  const invnorm = norm.add_Scalar(Scalar.fromDouble(1e-7)).reciprocal();
  const across = grad.sub_Tensor(invnorm.mul_Tensor(nb));
  const grad_norm = invnorm.mul_Scalar(maxnorm).mul_Tensor(across);
  const scaled = grad_norm.to_dtype(grad.scalar_type());
  return at.where_self(norm.gt_Scalar(maxnorm), scaled, grad);
}

/** 2 / (n - correction) * (x - mean); without degrees of freedom it is infinite, and NaN where x equals the mean. */
export function var_backward(
  grad_: Tensor,
  self: Tensor,
  dim: readonly number[] | null,
  correction_opt: Scalar | null,
  keepdim: boolean,
): Tensor {
  const correction = (correction_opt ?? Scalar.ONE).toDouble();
  if (self.dim() === 0 || dim === null) {
    const dof = self.numel() - correction;
    if (dof <= 0) {
      const [nan, infinity] = [Scalar.fromDouble(Number.NaN), Scalar.fromDouble(Infinity)];
      return grad_.mul_Tensor(at.where_Scalar(self.eq_Tensor(self.mean()), nan, infinity));
    }
    const distance = self.sub_Tensor(self.mean());
    return grad_.mul_Scalar(Scalar.fromDouble(2 / dof)).mul_Tensor(distance);
  }
  const grad = !keepdim && self.dim() > 1 ? unsqueeze_multiple(grad_, dim, self.dim()) : grad_;
  const dof = _safe_size(self.sizes(), dim) - correction;
  const distance = self.sub_Tensor(self.mean_dim(dim as number[], true));
  return grad.mul_Scalar(Scalar.fromDouble(2 / dof)).mul_Tensor(distance);
}

export function std_backward(
  result: Tensor,
  grad: Tensor,
  self: Tensor,
  dim: readonly number[] | null,
  correction: Scalar | null,
  keepdim: boolean,
): Tensor {
  const half = grad.div_Tensor(result.mul_Scalar(Scalar.fromInt(2)));
  const grad_var = half.masked_fill__Scalar(result.eq_Scalar(Scalar.ZERO), Scalar.ZERO);
  return var_backward(grad_var, self, dim, correction, keepdim);
}

/** The sum of the gradient through var (or std) and the gradient through the mean. */
function with_mean_backward(
  gself: Tensor,
  gmean: Tensor,
  self: Tensor,
  dim: readonly number[] | null,
  keepdim: boolean,
): Tensor {
  if (!gmean.defined()) return gself;
  const aux = mean_backward(gmean, self.sizes(), dim ?? [], self.numel(), keepdim);
  return gself.defined() ? gself.add_Tensor(aux) : aux;
}

export function var_mean_backward(
  gvar: Tensor,
  gmean: Tensor,
  self: Tensor,
  dim: readonly number[] | null,
  correction: Scalar | null,
  keepdim: boolean,
): Tensor {
  const gself = gvar.defined() ? var_backward(gvar, self, dim, correction, keepdim) : new Tensor();
  return with_mean_backward(gself, gmean, self, dim, keepdim);
}

export function std_mean_backward(
  gstd: Tensor,
  gmean: Tensor,
  self: Tensor,
  std: Tensor,
  dim: readonly number[] | null,
  correction: Scalar | null,
  keepdim: boolean,
): Tensor {
  const gself = gstd.defined() ? std_backward(std, gstd, self, dim, correction, keepdim) : new Tensor();
  return with_mean_backward(gself, gmean, self, dim, keepdim);
}

/** Number of elements that were reduced to one result. */
export function _safe_size(sizes: readonly number[], dim: readonly number[]): number {
  if (sizes.length === 0) return 1;
  const symbols = symbols_of(sizes);
  return sym_product(dim.map((d) => symbols[maybe_wrap_dim(d, sizes.length)] as number));
}

export function restore_reduced_dims(output: Tensor, dims: readonly number[], keepdim: boolean): Tensor {
  if (keepdim) return output;
  const total_dims = output.dim() + dims.length;
  const reduced = new Set(dims.map((i) => (i < 0 ? total_dims + i : i)));
  const sizes = output.sizes();
  let j = 0;
  const target_shape = Array.from({ length: total_dims }, (_, i) => (reduced.has(i) ? 1 : sizes[j++]));
  return output.reshape(target_shape);
}

/** Equal extremes share the gradient. */
export function scale_grad_by_count(grad: Tensor, mask: Tensor, dims: readonly number[]): Tensor {
  return grad.div_Tensor(mask.sum_dim_IntList(dims as number[], true)).mul_Tensor(mask);
}

export function aminmax_backward(
  self: Tensor,
  dim: number | null,
  keepdim: boolean,
  grad_min: Tensor,
  grad_max: Tensor,
  min: Tensor,
  max: Tensor,
): Tensor {
  const dims = dim === null ? [] : [dim];
  const share = (grad: Tensor, extreme: Tensor): Tensor => {
    const restored = restore_reduced_dims(grad, dims, keepdim);
    return scale_grad_by_count(restored, restore_reduced_dims(extreme, dims, keepdim).eq_Tensor(self), dims);
  };
  if (!grad_min.defined()) return grad_max.defined() ? share(grad_max, max) : new Tensor();
  const result = share(grad_min, min);
  if (!grad_max.defined()) return result;
  const other = share(grad_max, max);
  return areAnyTensorSubclassLike([result, other]) ? result.add_Tensor(other) : result.add__Tensor(other);
}

/** The gradient for the extreme of a whole tensor: equal extremes share it; if the extreme is NaN, the NaNs do. */
export function evenly_distribute_backward(grad: Tensor, input: Tensor, value: Tensor): Tensor {
  if (areAnyTensorSubclassLike([grad, input, value])) {
    const both_nan = input.isnan().logical_and(value.isnan());
    const mask = input.eq_Tensor(value).logical_or_(both_nan);
    return mask.mul_Tensor(grad.div_Tensor(mask.sum()));
  }
  const mask = value.isnan().item().toBool() ? input.isnan() : input.eq_Tensor(value);
  const zeros = grad.new_zeros(input.sizes(), input.options());
  return zeros.masked_fill__Tensor(mask, grad.div_Tensor(mask.sum()));
}

export function masked_fill_backward(grad: Tensor, mask: Tensor): Tensor {
  if (areAnyTensorSubclassLike([grad, mask])) return at.where_ScalarOther(mask, grad, Scalar.ZERO).sum();
  return grad.masked_select(mask).sum();
}

// Shapes

export function permute_backwards(grad: Tensor, fwd_dims: readonly number[]): Tensor {
  const dims: number[] = new Array(fwd_dims.length).fill(0);
  fwd_dims.forEach((d, i) => {
    dims[maybe_wrap_dim(d, fwd_dims.length)] = i;
  });
  return grad.permute(dims);
}

function dim_list_to_bitset(dims: readonly number[], ndims: number): boolean[] {
  const seen: boolean[] = new Array(ndims).fill(false);
  for (const d of dims) seen[maybe_wrap_dim(d, ndims)] = true;
  return seen;
}

/** Restores every dimension of size 1, for `squeeze()`. */
export function unsqueeze_to(self: Tensor, sym_sizes: readonly number[]): Tensor {
  let result = self;
  for (let dim = 0; dim < sym_sizes.length; dim++) if (sym_sizes[dim] === 1) result = result.unsqueeze(dim);
  return result;
}

/** @mirrors torch/csrc/autograd/FunctionsManual.cpp#unsqueeze_to */
export function unsqueeze_to_dim(self: Tensor, dim: number, sym_sizes: readonly number[]): Tensor {
  return unsqueeze_to_dims(self, [dim], sym_sizes);
}

/**
 * Restores those of the dims that had size 1, for `squeeze(dims)`.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp#unsqueeze_to
 */
export function unsqueeze_to_dims(self: Tensor, dims: readonly number[], sym_sizes: readonly number[]): Tensor {
  const ndim = sym_sizes.length;
  if (ndim === 0) return self;
  const mask = dim_list_to_bitset(dims, ndim);
  let result = self;
  for (let d = 0; d < ndim; d++) if (mask[d] && sym_sizes[d] === 1) result = result.unsqueeze(d);
  return result;
}

/** INT64_MAX: "to the end". */
const TO_THE_END = Number.MAX_SAFE_INTEGER;

export function slice_backward_wrapper(
  grad: Tensor,
  input_sizes: readonly number[],
  dim: number,
  start: number | null,
  end: number | null,
  step: number,
): Tensor {
  return at.slice_backward(grad, input_sizes as number[], dim, start ?? 0, end ?? TO_THE_END, step);
}

/**
 * Concatenates the gradients of the pieces; a piece that nobody used counts as zeros, because `cat` refuses undefined tensors.
 */
export function split_with_sizes_backward(
  grads: variable_list,
  split_sizes: readonly number[],
  dim: number,
  sizes: readonly number[],
  options: TensorOptions,
): Tensor {
  const wrapped = maybe_wrap_dim(dim, sizes.length);
  const all_defined_grads = grads.map((grad, j) => {
    if (grad.defined()) return grad;
    const grad_size = [...sizes];
    grad_size[wrapped] = split_sizes[j];
    return at.zeros(grad_size, options);
  });
  return at.cat(all_defined_grads, wrapped);
}

/** Gradient of `split`, whose last piece may be smaller. */
export function split_backward(
  grads: variable_list,
  split_size: number,
  dim: number,
  sym_sizes: readonly number[],
  options: TensorOptions,
): Tensor {
  const wrapped = maybe_wrap_dim(dim, sym_sizes.length);
  const num_splits = grads.length;
  const split_sizes: number[] = new Array(num_splits).fill(split_size);
  split_sizes[num_splits - 1] = sym_sizes[wrapped] - Number(split_size) * (num_splits - 1); // the difference is a bigint beyond 2^53
  return split_with_sizes_backward(grads, split_sizes, wrapped, sym_sizes, options);
}

export function unbind_backward(grads: variable_list, dim: number): Tensor {
  const known = grads.find((grad) => grad.defined());
  TORCH_CHECK(known !== undefined);
  const sizes = known.sizes();
  const options = known.options();
  return at.stack(
    grads.map((grad) => (grad.defined() ? grad : at.zeros([], options).expand(sizes))),
    dim,
  );
}

export function cat_tensors_backward(
  grad: Tensor,
  sizes: readonly (readonly number[])[],
  _dtypes: readonly ScalarType[],
  dim: number,
): Tensor[] {
  if (!grad.defined()) return undefined_variables(sizes.length);
  const shape_of_one = sizes.find((shape) => !is_legacy_empty(shape));
  const wrapped = shape_of_one === undefined ? dim : maybe_wrap_dim(dim, shape_of_one.length);
  let accumulate = 0;
  return sizes.map((shape) => {
    if (is_legacy_empty(shape)) return at.zeros([0], grad.options());
    const size = symbols_of(shape)[wrapped] as number;
    const start = accumulate;
    accumulate = sym_add(accumulate, size);
    return grad.narrow(wrapped, start, size);
  });
}

/** Whether `cat` ignores this shape: it has always ignored tensors of shape (0). */
function is_legacy_empty(shape: readonly number[]): boolean {
  return shape.length === 1 && same_int(symbols_of(shape)[0] as number, 0);
}

export function stack_tensors_backward(grad: Tensor, dim: number, dtypes: readonly ScalarType[]): Tensor[] {
  if (!grad.defined()) return undefined_variables(dtypes.length);
  return dtypes.map((_, i) => grad.select_int(dim, i));
}

export function index_backward(zeros_like_self: Tensor, indices: (Tensor | null)[], grad: Tensor): Tensor {
  if (
    areAnyTensorSubclassLike([zeros_like_self, grad]) ||
    indices.some((index) => index !== null && isTensorSubclassLike(index))
  ) {
    return zeros_like_self.index_put(indices, grad, true);
  }
  return at._index_put_impl_(zeros_like_self, indices, grad, true, true);
}

/** The gradient of a copy gets the dtype and device of the original. */
export function _to_copy_backward(grad: Tensor, self_options: TensorOptions): Tensor {
  return grad.to_dtype_layout(self_options, false, false);
}

// Note [The gradient of as_strided]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// as_strided reads cells of the storage, whatever the input's own shape is. So its gradient goes through a storage too:
// add every output gradient to the cell that the output element was read from, then read the cells that the input
// shows. Two complications: several output elements may read one cell (then their gradients are summed), and several
// input elements may be one cell (`expand`; then the cell's gradient is divided among them, so that summing over the
// expansion gives the right total). Dimensions of size 1 do not matter, and a dimension with stride 0 can be summed
// before.
export function as_strided_backward(
  grad_: Tensor,
  input_geometry: TensorGeometry,
  sizes: readonly number[],
  strides: readonly number[],
  storage_offset_: number | null,
): Tensor {
  let grad = grad_;
  const storage_offset = storage_offset_ ?? input_geometry.storage_offset();
  const out_sizes: number[] = [];
  const out_strides: number[] = [];
  for (let i = grad.dim() - 1; i >= 0; i--) {
    const size = sizes[i];
    const stride = strides[i];
    if (size === 0) return at.zeros(input_geometry.sizes() as number[], grad.options());
    if (size === 1) grad = grad.squeeze_dim(i);
    else if (stride === 0) grad = grad.sum_dim_IntList([i], false);
    else {
      out_sizes.unshift(size);
      out_strides.unshift(stride);
    }
  }
  const out_maybe_overlap = _maybe_overlapping_memory(out_sizes, out_strides);

  const inp_sizes: number[] = [];
  const inp_strides: number[] = [];
  for (let i = input_geometry.dim() - 1; i >= 0; i--) {
    const size = input_geometry.sizes()[i];
    if (size === 0) return at.zeros(input_geometry.sizes() as number[], grad.options());
    if (size === 1) continue;
    inp_sizes.unshift(size);
    inp_strides.unshift(input_geometry.strides()[i]);
  }
  const inp_maybe_overlap = _maybe_overlapping_memory(inp_sizes, inp_strides);

  const shared_offset = Math.min(input_geometry.storage_offset(), storage_offset);
  const inp_effective_offset = input_geometry.storage_offset() - shared_offset;
  const out_effective_offset = storage_offset - shared_offset;
  const base_size = Math.max(
    _min_storage_size(inp_sizes, inp_strides, inp_effective_offset),
    _min_storage_size(out_sizes, out_strides, out_effective_offset),
  );
  const storage = grad.new_zeros([base_size]);
  const flatten_full_indices =
    inp_maybe_overlap || out_maybe_overlap
      ? at.arange_start(Scalar.ZERO, Scalar.fromInt(base_size), grad.options().dtype(ScalarType.Long))
      : null;

  if (out_maybe_overlap) {
    const out_indices = (flatten_full_indices as Tensor).as_strided(out_sizes, out_strides, out_effective_offset);
    const source = grad.reshape([-1]);
    storage.index_add_(0, out_indices.reshape([-1]), source);
  } else {
    storage.as_strided(out_sizes, out_strides, out_effective_offset).copy_(grad);
  }

  if (inp_maybe_overlap) {
    const count = at.zeros_like(storage);
    const inp_indices = (flatten_full_indices as Tensor)
      .as_strided(inp_sizes, inp_strides, inp_effective_offset)
      .reshape([-1]);
    count.index_add_(0, inp_indices, at.ones([1], grad.options()).expand_as(inp_indices));
    storage.div__Tensor(count); // 0 / 0 in cells that the input does not show
  }
  return storage.as_strided(
    input_geometry.sizes() as number[],
    input_geometry.strides() as number[],
    inp_effective_offset,
  );
}

/**
 * As PyTorch computes it: `self` gets the gradient of the part that was overwritten, and zeros elsewhere. (One would
 * expect the rest.) Precondition: `self` was contiguous, which the operator requires if it needs a gradient.
 */
export function as_strided_scatter_backward(
  grad: Tensor,
  input_geometry: TensorGeometry,
  _src_geometry: TensorGeometry,
  sizes: readonly number[],
  strides: readonly number[],
  storage_offset: number | null,
): Tensor {
  const contiguous = grad.contiguous();
  const [input_sizes, size, stride] = [[...input_geometry.sizes()], [...sizes], [...strides]];
  const slice = (t: Tensor): Tensor => t.as_strided(size, stride, storage_offset);
  const grad_slice = slice(contiguous);
  const result = contiguous.new_zeros(input_sizes).as_strided(input_sizes, [...input_geometry.strides()]);
  slice(result).copy_(grad_slice);
  return result;
}

/** Whether two elements may be one cell. The answer is exact for layouts without holes; for others it may be a false yes. */
function _maybe_overlapping_memory(sizes: readonly number[], strides: readonly number[]): boolean {
  if (sizes.length === 0) return false;
  const argsort = sizes.map((_, i) => i).sort((i, j) => strides[i] - strides[j]);
  let max_index_in_slice = 0;
  for (const i of argsort) {
    const stride = strides[i];
    if (stride <= max_index_in_slice) return true;
    max_index_in_slice += stride * (sizes[i] - 1);
  }
  return false;
}

/** Number of elements from the start of the storage to the last cell that is used. */
function _min_storage_size(sizes: readonly number[], strides: readonly number[], storage_offset: number): number {
  let storage_size = storage_offset + 1;
  for (let i = 0; i < sizes.length; i++) {
    if (sizes[i] === 0) return storage_offset;
    storage_size += (sizes[i] - 1) * strides[i];
  }
  return storage_size;
}

// Indexing

/**
 * A value combined with zero, or with the extreme, can hide others, so each reduction has its own rule for the elements
 * that get the gradient.
 */
export function scatter_reduce_backward(
  grad: Tensor,
  self: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor,
  reduce: string,
  include_self: boolean,
  result: Tensor,
): [Tensor, Tensor] {
  if (!grad.defined()) return [new Tensor(), new Tensor()];
  const [grad_self, grad_src] = scatter_reduction_gradients(grad, self, dim, index, src, reduce, include_self, result);
  // At a position where anything was written, nothing of `self` is left.
  return [include_self ? grad_self : grad_self.scatter_value(dim, index, Scalar.ZERO), grad_src];
}

function scatter_reduction_gradients(
  grad: Tensor,
  self: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor,
  reduce: string,
  include_self: boolean,
  result: Tensor,
): [Tensor, Tensor] {
  if (reduce === "sum") return [grad, grad.gather(dim, index)];
  if (reduce === "prod") return scatter_prod_gradients(grad, self, dim, index, src, include_self, result);
  if (reduce === "mean") {
    const N = (include_self ? at.ones_like(grad) : at.zeros_like(grad)).scatter_add(dim, index, at.ones_like(src));
    N.masked_fill__Scalar(N.eq_Scalar(Scalar.ZERO), Scalar.ONE);
    const grad_self = grad.div_Tensor(N);
    const N_src = N.gather(dim, index);
    return [grad_self, grad.gather(dim, index).div_Tensor(N_src)];
  }
  TORCH_CHECK(
    reduce === "amax" || reduce === "amin",
    "Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' but got ",
    reduce,
    ".",
  );
  const value = result.gather(dim, index);
  const self_is_result = self.eq_Tensor(result).to_dtype(self.scalar_type());
  const src_is_result = src.eq_Tensor(value).to_dtype(self.scalar_type());
  const N_to_distribute = self_is_result.scatter_add(dim, index, src_is_result);
  const grad_distributed = grad.div_Tensor(N_to_distribute);
  const grad_self = self.eq_Tensor(result).mul_Tensor(grad_distributed);
  const of_src = grad_distributed.gather(dim, index);
  return [grad_self, src.eq_Tensor(value).mul_Tensor(of_src)];
}

/**
 * The product of all other elements: the product divided by the element, but where the element is zero the product is
 * computed without it.
 */
function scatter_prod_gradients(
  grad: Tensor,
  self: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor,
  include_self: boolean,
  result: Tensor,
): [Tensor, Tensor] {
  const masked_self = self.masked_fill_Scalar(self.eq_Scalar(Scalar.ZERO), Scalar.ONE);
  const masked_self_result = masked_self.scatter_reduce_two(dim, index, src, "prod", include_self);
  const grad_self = grad.mul_Tensor(masked_self_result).div_Tensor(masked_self);
  const src_zero = src.eq_Scalar(Scalar.ZERO);
  const zeros = at.zeros_like(self).scatter_add(dim, index, src_zero.to_dtype(self.scalar_type()));
  const src_num_zeros = zeros.gather(dim, index);
  const src_single_zero = at.bitwise_and_Tensor(src_zero, src_num_zeros.eq_Scalar(Scalar.ONE));
  const masked_src = src.masked_fill_Scalar(src_single_zero, Scalar.ONE);
  const masked_src_result = self.scatter_reduce_two(dim, index, masked_src, "prod", include_self);
  const others = src.masked_fill_Scalar(src_zero, Scalar.ONE);
  const of_others = grad.mul_Tensor(result).gather(dim, index).div_Tensor(others);
  const of_zeros = grad.mul_Tensor(masked_src_result).gather(dim, index);
  const grad_src = at.where_self(src_single_zero, of_zeros, of_others);
  if (!GradMode.is_enabled() || !src_num_zeros.gt_Scalar(Scalar.ONE).any().item().toBool())
    return [grad_self, grad_src];
  const node = new DelayedError(
    "scatter_reduce(): Double backward is unsupported for src when >1 zeros in src are scattered to the same position in self",
    1,
  );
  return [grad_self, node.apply([grad_src])[0]];
}

export function take_backward(grad: Tensor, self: Tensor, indices: Tensor): Tensor {
  const grad_self = at.zeros_like(self);
  if (areAnyTensorSubclassLike([grad, indices])) return grad_self.put(indices, grad, true);
  return grad_self.put_(indices, grad, true);
}

/** The first backward handled padding and frequencies; here the gradient of a row only goes to where the row went. */
export function embedding_dense_double_backward_symint(grad: Tensor, indices: Tensor, padding_idx: number): Tensor {
  const gg_weight = grad.index_select(0, indices.reshape([-1]));
  if (padding_idx >= 0) {
    const padding = indices.eq_Scalar(Scalar.fromInt(padding_idx)).reshape([-1, 1]);
    gg_weight.masked_fill__Scalar(padding, Scalar.ZERO);
  }
  return gg_weight.view([...indices.sizes(), -1]);
}

/** Each tensor's block of the gradient, with the tensor's own number of dims. */
export function block_diag_backward(
  grad: Tensor,
  sizes: readonly (readonly number[])[],
  dtypes: readonly ScalarType[],
): Tensor[] {
  if (!grad.defined()) return undefined_variables(sizes.length);
  let [row, column] = [0, 0];
  return sizes.map((shape, i) => {
    const grad_val = handle_r_to_c(dtypes[i], grad);
    if (shape.length === 1 && shape[0] === 0) {
      row += 1; // a block without columns still takes a row
      return at.zeros([0], grad_val.options());
    }
    const [height, width] = shape.length === 2 ? shape : [1, shape.length === 0 ? 1 : shape[0]];
    const slice = grad_val.slice_Tensor(0, row, row + height).slice_Tensor(1, column, column + width);
    row += height;
    column += width;
    if (shape.length === 2) return slice;
    return slice.squeeze_dim(-1); // the engine sums away the dim that is left
  });
}

export function reverse_list(list: readonly number[]): number[] {
  return list.slice().reverse();
}
export function reverse_list_symint(list: readonly number[]): number[] {
  return list.slice().reverse();
}

/** `c10::fmap`: the list of `fn`'s results. */
export function fmap(list: readonly number[], fn: (one: number) => number): number[] {
  return list.map((one) => fn(one));
}

export function infinitely_differentiable_native_dropout_backward(grad: Tensor, mask: Tensor, scale: number): Tensor {
  return grad.mul_Tensor(mask.type_as(grad).mul_Scalar(Scalar.fromDouble(scale)));
}

export function native_dropout_double_backward(ggI: Tensor, grad: Tensor, mask: Tensor, scale: number): Tensor {
  return ggI.type_as(grad).mul_Tensor(mask.type_as(grad).mul_Scalar(Scalar.fromDouble(scale)));
}

// Matrices

/** Whether the columns of a matrix lie one after another. */
function is_transposed(strides: readonly number[], sizes: readonly number[]): boolean {
  const [of_rows, of_columns] = symbols_of(strides) as [number, number];
  return same_int(of_rows, 1) && same_int(of_columns, symbols_of(sizes)[0] as number);
}

/** dL/d(mat1) of `alpha * mat1 @ mat2`. A column-major matrix gets a column-major gradient, so that adding them is one pass. */
export function mm_mat1_backward(
  grad: Tensor,
  mat2: Tensor,
  mat1_sizes: readonly number[],
  mat1_strides: readonly number[],
  mat1_layout: Layout,
  alpha: Scalar,
): Tensor {
  const strided =
    grad.layout() === Layout.Strided && mat2.layout() === Layout.Strided && mat1_layout === Layout.Strided;
  if (strided && is_transposed(mat1_strides, mat1_sizes))
    return maybe_multiply(mat2.conj().mm(grad.t()).t(), alpha.conj());
  return maybe_multiply(grad.mm(mat2.t().conj()), alpha.conj());
}

export function mm_mat2_backward(
  grad: Tensor,
  mat1: Tensor,
  mat2_sizes: readonly number[],
  mat2_strides: readonly number[],
  mat2_layout: Layout,
  alpha: Scalar,
): Tensor {
  const strided =
    grad.layout() === Layout.Strided && mat1.layout() === Layout.Strided && mat2_layout === Layout.Strided;
  if (strided && is_transposed(mat2_strides, mat2_sizes))
    return maybe_multiply(grad.t().mm(mat1.conj()).t(), alpha.conj());
  return maybe_multiply(mat1.t().conj().mm(grad), alpha.conj());
}

/**
 * The gradients of `linear_backward`, whose results are (grad_output @ weight, grad_output^T @ self, sum of
 * grad_output's rows). A vector counts as a matrix of one row.
 */
export function linear_double_backward(
  grads: variable_list,
  self: Tensor,
  grad_output: Tensor,
  weight: Tensor,
): [Tensor, Tensor, Tensor] {
  const result: [Tensor, Tensor, Tensor] = [new Tensor(), new Tensor(), new Tensor()];
  if (!grad_output.defined()) return result;
  const is_row = grad_output.dim() === 1;
  const matrix = (t: Tensor): Tensor => (t.dim() === 1 ? t.unsqueeze(0) : t);
  const [of_input, of_weight, of_bias] = grads;
  const rows = matrix(grad_output);
  if (of_weight.defined()) {
    const grad_self = rows.matmul(of_weight);
    result[0] = is_row ? grad_self.squeeze_dim(0) : grad_self;
  }
  if (any_variable_defined(grads)) {
    let grad = at.zeros_like(rows);
    if (of_input.defined()) grad = grad.add_Tensor(matrix(of_input).matmul(weight.mT()));
    if (of_weight.defined()) grad = grad.add_Tensor(matrix(self).matmul(of_weight.mT()));
    if (of_bias.defined()) grad = grad.add_Tensor(of_bias);
    result[1] = is_row ? grad.squeeze_dim(0) : grad;
  }
  if (of_input.defined()) result[2] = rows.mT().matmul(matrix(of_input));
  return result;
}

// Softmax

export function softmax_double_backward(grad: Tensor, grad_output: Tensor, dim: number, output: Tensor): Tensor {
  const c = grad_output.mul_Tensor(output.mul_Tensor(grad).sum_dim_IntList([dim], true));
  const b = output.mul_Tensor(grad_output).sum_dim_IntList([dim], true).mul_Tensor(grad);
  const a = grad_output.mul_Tensor(grad);
  return a.sub_Tensor(b).sub_Tensor(c);
}

// Normalization

/** `t` (C) with the dims of a batch, in which dim 1 is the channel: (1, C, 1, ...). */
function unsqueeze_dim1(t: Tensor, target: Tensor): Tensor {
  let at_dim1 = t;
  for (let d = t.dim(); d + 1 < target.dim(); d++) at_dim1 = at_dim1.unsqueeze(at_dim1.dim());
  return at_dim1;
}

function expand_as_dim1(t: Tensor, target: Tensor): Tensor {
  return unsqueeze_dim1(t, target).expand_as(target);
}

/** Sum over all dims except the channel. */
function sum_exclude_dim1(to_sum: Tensor, keepdim = true): Tensor {
  let sum = to_sum.sum_dim_IntList([0], keepdim);
  const start = keepdim ? 2 : 1;
  for (let d = sum.dim() - 1; d >= start; d--) sum = sum.sum_dim_IntList([d], keepdim);
  return sum;
}

/** The sum of the two, in place in the first one that is defined. */
function plus(sum: Tensor, term: Tensor): Tensor {
  return sum.defined() ? sum.add__Tensor(term) : term;
}

// Note [The second gradient of batch_norm]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// With d = input - mean, s = 1 / sqrt(var + eps), M elements in a channel and S the sum over it, backward gave
//
//     gI = gamma s / M (M gO - S gO - d s^2 S(gO d))        gG = S(gO d) s        gB = S gO
//
// and here each of the three is differentiated by input, gamma and gO, `ggI`, `ggG`, `ggB` being what comes from above. In
// evaluation mean and s do not depend on the input, and gI = gamma s gO.

/**
 * The parts of a normalization: `d` = distance from the mean, `s` = 1 / sqrt(var + eps) and its powers, `n` = number of
 * elements, and sums over them.
 */
interface Normalized {
  readonly d: Tensor;
  readonly s: Tensor;
  readonly s2: Tensor;
  readonly s3: Tensor;
  readonly n: number;
  sum(t: Tensor): Tensor;
}

function normalized(d: Tensor, s: Tensor, n: number, sum: (t: Tensor) => Tensor): Normalized {
  return { d, s, s2: s.pow_Tensor_Scalar(Scalar.fromInt(2)), s3: s.pow_Tensor_Scalar(Scalar.fromInt(3)), n, sum };
}

/** The result of backward for a gradient `g` and a weight. */
function first_back_grad_input({ d, s, s2, n, sum }: Normalized, g: Tensor, weight: Tensor): Tensor {
  const count = Scalar.fromInt(n);
  const h0 = weight.mul_Tensor(s).div__Scalar(count);
  const projected = d.mul_Tensor(s2).mul_Tensor(sum(g.mul_Tensor(d)));
  return h0.mul_Tensor(g.mul_Scalar(count).sub__Tensor(sum(g)).sub__Tensor(projected));
}

/** The derivative of that result with respect to the input: `g` is backward's gradient, `gg` the incoming one. */
function second_back_grad_input({ d, s2, s3, n, sum }: Normalized, g: Tensor, gg: Tensor): Tensor {
  const count = Scalar.fromInt(n);
  const g_sum = sum(g);
  const g_d_sum = sum(g.mul_Tensor(d));
  const gg_sum = sum(gg);
  const gg_d_sum = sum(gg.mul_Tensor(d));
  const all = gg_sum.mul_Tensor(g_sum).div__Scalar(count);
  all.sub__Tensor(sum(g.mul_Tensor(gg)));
  all.add__Tensor(
    s2
      .mul_Tensor(g_d_sum)
      .mul_Tensor(gg_d_sum)
      .mul__Scalar(Scalar.fromDouble(3 / n)),
  );
  const centered = (total: Tensor, t: Tensor) => total.div_Scalar(count).sub_Tensor(t);
  const t0 = d.mul_Tensor(s3).mul_Tensor(all).div__Scalar(count);
  const t1 = gg_d_sum.mul_Tensor(s3).div__Scalar(count).mul_Tensor(centered(g_sum, g));
  const t2 = g_d_sum.mul_Tensor(s3).div__Scalar(count).mul_Tensor(centered(gg_sum, gg));
  return t0.add__Tensor(t1).add__Tensor(t2);
}

// @parameters PyTorch's own.
export function batchnorm_double_backward(
  input: Tensor,
  gamma: Tensor | null,
  ggI: Tensor,
  ggG: Tensor,
  ggB: Tensor,
  gO: Tensor,
  running_mean: Tensor | null,
  running_var: Tensor | null,
  training: boolean,
  eps: number,
  save_mean: Tensor | null,
  save_invstd: Tensor | null,
  output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const affine = gamma?.defined() === true;
  const gamma_expanded = affine ? expand_as_dim1(gamma, input) : at.ones([], input.options());
  const ggG_expanded = affine && ggG.defined() ? expand_as_dim1(ggG, input) : new Tensor();
  const ggB_expanded = affine && ggB.defined() ? expand_as_dim1(ggB, input) : new Tensor();

  const number = Scalar.fromDouble;
  const M = input.numel() / input.size(1);
  // Statistics of a half tensor may be floats.
  const of_dtype = (t: Tensor | null) => (t as Tensor).to_dtype(input.scalar_type());
  const mu = unsqueeze_dim1(training ? of_dtype(save_mean) : (running_mean as Tensor), input);
  const invstd = training
    ? of_dtype(save_invstd)
    : (running_var as Tensor).add_Scalar(number(eps)).pow_Tensor_Scalar(number(-0.5));
  const channels = normalized(input.sub_Tensor(mu), unsqueeze_dim1(invstd, input), M, sum_exclude_dim1);
  const { d, s, s2, s3 } = channels;

  let gI = new Tensor();
  if (ggI.defined() && training) gI = gamma_expanded.mul_Tensor(second_back_grad_input(channels, gO, ggI));
  if (affine && ggG.defined()) {
    if (training) {
      const t0 = gO.mul_Tensor(s);
      const t1 = s.mul_Tensor(sum_exclude_dim1(gO)).div__Scalar(number(-M));
      const t2 = d
        .mul_Tensor(s3)
        .mul_Tensor(sum_exclude_dim1(gO.mul_Tensor(d)))
        .div__Scalar(number(-M));
      gI = plus(gI, ggG_expanded.mul_Tensor(t0.add__Tensor(t1).add__Tensor(t2)));
    } else {
      gI = plus(gI, ggG_expanded.mul_Tensor(s).mul_Tensor(gO));
    }
  }

  let gG = new Tensor();
  if (affine && ggI.defined()) {
    const products = training
      ? ggI.mul_Tensor(first_back_grad_input(channels, gO, at.ones([], s2.options())))
      : ggI.mul_Tensor(gO).mul_Tensor(s);
    gG = sum_exclude_dim1(products, false);
  }

  let ggO = new Tensor();
  if (ggI.defined())
    ggO = training
      ? first_back_grad_input(channels, ggI, gamma_expanded)
      : ggI.mul_Tensor(s).mul_Tensor(gamma_expanded);
  if (affine && ggG.defined()) ggO = plus(ggO, ggG_expanded.mul_Tensor(d).mul_Tensor(s));
  if (affine && ggB.defined()) ggO = plus(ggO, ggB_expanded);

  if (output_mask[0] && !gI.defined()) gI = at.zeros_like(input);
  if (output_mask[1] && !gG.defined()) gG = affine ? at.zeros_like(gamma) : gG;
  if (output_mask[2] && !ggO.defined()) ggO = at.zeros_like(gO);
  return [gI, gG, ggO];
}

/** Sums over the repetitions: dim d of the gradient is viewed as (repeats[d], input_shape[d]). */
export function repeat_backward(grad_: Tensor, repeats: readonly number[], input_shape: readonly number[]): Tensor {
  if (repeats.includes(0)) return at.zeros(input_shape.slice(), grad_.options());
  const num_unsqueezed = grad_.dim() - input_shape.length;
  let grad = grad_;
  for (let i = 0; i < num_unsqueezed; i++) grad = grad.sum_dim_IntList([0], false);
  const grad_size: number[] = [];
  const sum_dims: number[] = [];
  for (const [dim, size] of symbols_of(input_shape).entries()) {
    const repeat = repeats[dim + num_unsqueezed];
    if (repeat !== 1) sum_dims.push(grad_size.push(repeat) - 1);
    grad_size.push(size as number);
  }
  return sum_dims.length === 0 ? grad : grad.reshape(grad_size).sum_dim_IntList(sum_dims);
}

/** Like batch_norm's (Note [The second gradient of batch_norm]), but rows are normalized, and the weight applies along them. */
export function layer_norm_double_backward(
  input_t: Tensor,
  gamma: Tensor | null,
  ggI: Tensor,
  ggG: Tensor,
  ggB: Tensor,
  gO_t: Tensor,
  save_mean_t: Tensor,
  save_invstd_t: Tensor,
  normalized_shape: readonly number[],
  output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const affine = gamma?.defined() === true;
  const N = normalized_shape.reduce((n, size) => n * size, 1);
  const M = N === 0 ? 0 : input_t.numel() / N;
  const gO = gO_t.reshape([M, N]);
  const centered = input_t.reshape([M, N]).sub_Tensor(save_mean_t.reshape([M, 1]));
  const rows = normalized(centered, save_invstd_t.reshape([M, 1]), N, (t) => t.sum_dim_IntList([1], true));
  const { d, s } = rows;
  const weight = affine ? gamma.reshape([1, N]) : at.ones([1], input_t.options());
  const one = at.ones([], rows.s2.options());

  let gI = new Tensor();
  let gG = new Tensor();
  let ggO = new Tensor();
  if (ggI.defined()) {
    const gg = ggI.reshape([M, N]);
    gI = second_back_grad_input(rows, gO.mul_Tensor(weight), gg);
    const back = first_back_grad_input(rows, gg, one);
    if (affine) gG = gO.mul_Tensor(back).sum_dim_IntList([0]);
    ggO = back.mul_Tensor(weight);
  }
  if (affine && ggG.defined()) {
    const gg = ggG.reshape([1, N]);
    gI = plus(gI, first_back_grad_input(rows, gO.mul_Tensor(gg), one));
    ggO = plus(ggO, d.mul_Tensor(s).mul_Tensor(gg));
  }
  if (affine && ggB.defined()) ggO = plus(ggO, ggB.reshape([1, N]).expand([M, N]));

  if (output_mask[0] && !gI.defined()) gI = at.zeros_like(input_t);
  if (output_mask[1] && !gG.defined()) gG = affine ? at.zeros_like(gamma) : gG;
  if (output_mask[2] && !ggO.defined()) ggO = at.zeros_like(gO);
  const seen_as = (t: Tensor, like: Tensor | null) => (t.defined() && like !== null ? t.reshape_as(like) : t);
  return [seen_as(gI, input_t), seen_as(gG, gamma), seen_as(ggO, gO_t)];
}

/**
 * Gradients of group_norm in differentiable operators, for a graph of backward; gradients `dmean` and `drstd` may come in too.
 * @parameters PyTorch's own.
 */
export function infinitely_differentiable_native_group_norm_backward(
  dY: Tensor,
  dmean: Tensor,
  drstd: Tensor,
  X: Tensor,
  mean: Tensor,
  rstd: Tensor,
  gamma: Tensor | null,
  N: number,
  C: number,
  HxW: number,
  group: number,
  _eps: number,
  grad_input_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const G = group;
  const D = C / G;
  const s = Scalar.fromDouble(1 / (D * HxW));
  const X_tensor = X.reshape([N, G, D, HxW]);
  const mean_tensor = mean.reshape([N, G, 1, 1]);
  const rstd_tensor = rstd.reshape([N, G, 1, 1]);
  const rstd_cube = rstd_tensor.mul_Tensor(rstd_tensor).mul_Tensor(rstd_tensor);
  const result: [Tensor, Tensor, Tensor] = [new Tensor(), new Tensor(), new Tensor()];
  let dX = new Tensor();
  if (dY.defined()) {
    const dY_tensor = dY.reshape([N, G, D, HxW]);
    const ds = dY_tensor.mul_Tensor(X_tensor).sum_dim_IntList([3]).unsqueeze_(-1);
    const db = dY_tensor.sum_dim_IntList([3]).unsqueeze_(-1);
    if (grad_input_mask[0]) {
      const weight = gamma?.defined() ? gamma.reshape([1, G, D, 1]) : null;
      const weighed = (t: Tensor) => (weight === null ? t : t.mul_Tensor(weight));
      const a = weighed(rstd_tensor);
      const ds_sum = weighed(ds).sum_dim_IntList([2]).unsqueeze_(-2);
      const db_sum = weighed(db).sum_dim_IntList([2]).unsqueeze_(-2);
      const b = db_sum.mul_Tensor(mean_tensor).sub_Tensor(ds_sum).mul_Tensor(rstd_cube).mul_Scalar(s);
      const c = b.neg().mul_Tensor(mean_tensor).sub_Tensor(db_sum.mul_Tensor(rstd_tensor).mul_Scalar(s));
      dX = a.mul_Tensor(dY_tensor).add_Tensor(b.mul_Tensor(X_tensor)).add_Tensor(c);
    }
    const of_weight = () => ds.sub_Tensor(db.mul_Tensor(mean_tensor)).mul_Tensor(rstd_tensor).sum_dim_IntList([0]);
    if (grad_input_mask[1]) result[1] = of_weight().reshape_as(gamma as Tensor);
    if (grad_input_mask[2]) result[2] = db.sum_dim_IntList([0]).reshape([C]);
  }
  if (grad_input_mask[0]) {
    // Each element contributes to the mean equally, and to 1 / std by its distance from the mean.
    const shares: Tensor[] = [];
    if (dmean.defined()) shares.push(dmean.reshape([N, G, 1, 1]).mul_Scalar(s).expand_as(X_tensor));
    if (drstd.defined()) {
      const of_std = rstd_cube
        .mul_Tensor(drstd.reshape([N, G, 1, 1]))
        .mul_Scalar(s)
        .neg();
      shares.push(X_tensor.sub_Tensor(mean_tensor).mul_Tensor(of_std));
    }
    for (const share of shares) dX = dX.defined() ? dX.add_Tensor(share) : share;
    result[0] = dX.defined() ? dX.reshape_as(X) : dX;
  }
  return result;
}

/** Padding that was added is cut off again, and elements that were cut off get zeros. */
export function constant_pad_nd_backward(grad: Tensor, pad: readonly number[]): Tensor {
  return at.constant_pad_nd(
    grad,
    pad.map((p) => -p),
    Scalar.ZERO,
  );
}

/**
 * Gradients of an LSTM layer in differentiable operators, for a graph of backward: its steps are computed again.
 * @parameters PyTorch's own.
 */
export function mkldnn_rnn_layer_differentiable_backward(
  input: Tensor,
  weight0: Tensor,
  weight1: Tensor,
  weight2: Tensor,
  weight3: Tensor,
  hx_: Tensor,
  cx_tmp: Tensor,
  output: Tensor,
  _hy_: Tensor,
  _cy_: Tensor,
  grad_output_r: Tensor | null,
  grad_hy_r: Tensor | null,
  grad_cy_r: Tensor | null,
  reverse: boolean,
  _mode: number,
  hidden_size: number,
  _num_layers: number,
  has_biases: boolean,
  _train: boolean,
  _bidirectional: boolean,
  _batch_sizes: readonly number[],
  _batch_first: boolean,
  _workspace: Tensor,
): [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor] {
  const given = (t: Tensor | null) => t?.defined() === true;
  if (![grad_output_r, grad_hy_r, grad_cy_r].some(given)) {
    const none = () => new Tensor();
    return [none(), none(), none(), none(), none(), none(), none()];
  }
  const or_zeros = (grad: Tensor | null, like: Tensor) =>
    grad?.defined() ? grad.contiguous() : at.zeros_like(like, like.options(), MemoryFormat.Contiguous);
  const grad_output = or_zeros(grad_output_r, output);
  let grad_hy = or_zeros(grad_hy_r, hx_);
  let grad_cy = or_zeros(grad_cy_r, cx_tmp);
  const no_bias = () => at.zeros([4 * hidden_size], weight0.options());
  const bias_ih = has_biases ? weight2 : no_bias();
  const bias_hh = has_biases ? weight3 : no_bias();
  const seq_length = input.size(0);

  interface Step {
    readonly x: Tensor;
    readonly before: readonly [h: Tensor, c: Tensor];
    readonly gates: readonly Tensor[];
    readonly cy: Tensor;
  }
  const steps: Step[] = [];
  let state: [Tensor, Tensor] = [hx_, cx_tmp];
  for (let seq = 0; seq < seq_length; seq++) {
    const x = input.select_int(0, reverse ? seq_length - 1 - seq : seq);
    const of_hidden = at.linear(state[0], weight1, bias_hh);
    const gate = at.linear(x, weight0, bias_ih).add__Tensor(of_hidden);
    const chunked_gates = gate.unsafe_chunk(4, 1);
    const i = chunked_gates[0].sigmoid_();
    const f = chunked_gates[1].sigmoid_();
    const g = chunked_gates[2].tanh_();
    const o = chunked_gates[3].sigmoid_();
    const cy = f.mul_Tensor(state[1]).add_Tensor(i.mul_Tensor(g));
    steps.push({ x, before: state, gates: [i, f, g, o], cy });
    state = [o.mul_Tensor(cy.tanh()), cy];
  }

  const from_one = (t: Tensor) => at.rsub_Scalar(t, Scalar.ONE); // 1 - t
  const layer_dx: Tensor[] = new Array(seq_length);
  let [dWx, dWh, db] = [new Tensor(), new Tensor(), new Tensor()];
  for (let seq = seq_length - 1; seq >= 0; seq--) {
    const x_index = reverse ? seq_length - 1 - seq : seq;
    const { x, before, gates, cy } = steps[seq];
    const [i, f, g, o] = gates as [Tensor, Tensor, Tensor, Tensor];
    const tanh_c = cy.tanh();
    const grad_h = grad_output.select_int(0, x_index).add_Tensor(grad_hy);
    const d_cell = grad_cy.add_Tensor(grad_h.mul_Tensor(o).mul_Tensor(from_one(tanh_c.mul_Tensor(tanh_c))));
    const d_output = grad_h.mul_Tensor(tanh_c).mul_Tensor(o).mul_Tensor(from_one(o));
    const d_new = d_cell.mul_Tensor(i).mul_Tensor(from_one(g.mul_Tensor(g)));
    const d_forget = d_cell.mul_Tensor(before[1]).mul_Tensor(f).mul_Tensor(from_one(f));
    const d_input = d_cell.mul_Tensor(g).mul_Tensor(i).mul_Tensor(from_one(i));
    const da = at.cat([d_input, d_forget, d_new, d_output], 1);
    layer_dx[x_index] = at.matmul(da, weight0).unsqueeze(0);
    const last = seq === seq_length - 1;
    const da_t = da.transpose_int(0, 1);
    const of_x = at.matmul(da_t, x);
    const of_h = at.matmul(da_t, before[0]);
    const of_bias = da.sum_dim_IntList([0]);
    dWx = last ? of_x : dWx.add_Tensor(of_x);
    dWh = last ? of_h : dWh.add_Tensor(of_h);
    db = last ? of_bias : db.add_Tensor(of_bias);
    grad_hy = at.matmul(da, weight1);
    grad_cy = d_cell.mul_Tensor(f);
  }
  return [at.cat(layer_dx, 0), dWx, dWh, db, db, grad_hy, grad_cy];
}

/** Gradients at the positions of each window's maximum. Planes have `dim` dims. */
export function max_pool_double_backward(grad: Tensor, indices: Tensor, dim: number): Tensor {
  if (indices.numel() === 0) return at.empty_like(indices, grad.options());
  const size = [...indices.sizes().slice(0, indices.dim() - dim), -1];
  const indices_view = indices.view(size);
  const flat = grad.contiguous(indices.suggest_memory_format()).view(size);
  return flat.gather(-1, indices_view).view(indices.sizes().slice());
}

/**
 * The gradient of each of three factors is the product of the other two with `grad_out`; dims that were summed are
 * restored in it.
 */
export function _trilinear_backward(
  grad_out: Tensor,
  i1: Tensor | null,
  i2: Tensor | null,
  i3: Tensor | null,
  expand1: readonly number[],
  expand2: readonly number[],
  expand3: readonly number[],
  sumdim: readonly number[],
  grad_input_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const grads: [Tensor, Tensor, Tensor] = [new Tensor(), new Tensor(), new Tensor()];
  if (!grad_out.defined()) return grads;
  const [e1, e2, e3, sum] = [[...expand1], [...expand2], [...expand3], [...sumdim]];
  if (grad_input_mask[0]) grads[0] = at._trilinear(grad_out, i2 as Tensor, i3 as Tensor, sum, e2, e3, e1);
  if (grad_input_mask[1]) grads[1] = at._trilinear(i1 as Tensor, grad_out, i3 as Tensor, e1, sum, e3, e2);
  if (grad_input_mask[2]) grads[2] = at._trilinear(i1 as Tensor, i2 as Tensor, grad_out, e1, e2, sum, e3);
  return grads;
}
