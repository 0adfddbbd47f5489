/**
 * @file The formulas of derivatives.yaml that are more than one expression, and the small steps generated nodes take.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 *
 * Which operators run, and in which order, is PyTorch's: a trace of backward shows them. Where a line of C++ calls two operators in
 * one expression, the compiled order (last argument first) is spelled out here with `const`s.
 */

import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { TensorGeometry } from "#aten/TensorGeometry";
import { INDEX_MAX } from "#aten/TensorIndexing";
import { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { NotImplementedError, TORCH_CHECK } from "#c10/util/Exception";
import type { IndexRange, Node, variable_list } from "./node.ts";
import { undefined_variables } from "./owning_list.ts";
import type { SavedVariable } from "./saved_variable.ts";

// What every node does

/** Slots of a node's outputs, handed out argument by argument. */
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

/** Puts one gradient, or a list's gradients, where they belong. */
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

/** A saved optional argument as users read it: null (None) if there was none. */
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

/** What Python reads of a saved int: PyTorch converts it as unsigned, so -1 shows as 2^64 - 1; a slice to the end ends at INT64_MAX. */
export function as_unsigned(value: number): number | bigint {
  if (value === INDEX_MAX) return 2n ** 63n - 1n;
  return value >= 0 ? value : BigInt.asUintN(64, BigInt(value));
}

/** For `a, b:` formulas: says under which condition `t` is needed, so that forward saves it only then. */
export function wrap_opt_if(t: Tensor, cond: boolean): Tensor | null {
  return cond ? t : null;
}

/** A formula nobody wrote yet. Forward is fine; a gradient that reaches it is not. */
export function not_implemented(name: string, reason = ""): Tensor {
  throw new NotImplementedError(`the derivative for '${name}' is not implemented.${reason === "" ? "" : ` ${reason}`}`);
}

export function not_implemented_list(name: string, reason = ""): Tensor[] {
  return [not_implemented(name, reason)];
}

// What forward keeps instead of tensors

/** Strides, for formulas that answer in the layout of their input; none where nobody will ask for its gradient. */
export function strides_or_error(input: Tensor, _input_name: string): number[] {
  return input.requires_grad() && input.layout() === Layout.Strided ? [...input.strides()] : [];
}

export function to_args_sizes_symint(tensors: readonly Tensor[]): number[][] {
  return tensors.map((t) => [...t.sizes()]);
}

export function to_args_scalartypes(tensors: readonly Tensor[]): ScalarType[] {
  return tensors.map((t) => t.scalar_type());
}

// Arithmetic

/**
 * The gradient of a real input is real.
 * @differs No kernel here makes complex tensors, so there is never a part to drop; formulas keep PyTorch's call.
 */
export function handle_r_to_c(_self_st: ScalarType, gradient_result: Tensor): Tensor {
  return gradient_result;
}

/** `t * s`, without the multiplication if `s` is 1. */
export function maybe_multiply(t: Tensor, s: Scalar): Tensor {
  return !s.isBoolean() && s.equal(1) ? t : t.mul_Scalar(s);
}

export function mul_tensor_backward(grad: Tensor, other: Tensor | Scalar, self_st: ScalarType): Tensor {
  const out = other instanceof Tensor ? grad.mul_Tensor(other.conj()) : grad.mul_Scalar(other.conj());
  return handle_r_to_c(self_st, out);
}

/** Rounding has slope 0 everywhere that it has one. */
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

/** d(self ^ p) = p * self ^ (p - 1), and 0 for p = 0 also where self is 0. */
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
  // An integer base beside a floating exponent: its log in the dtype of the power.
  const slope = result.mul_Tensor(self.to_dtype(promoted_dtype).log()).conj();
  const zero = at.scalar_tensor(Scalar.fromDouble(0), grad.options());
  const out = grad.mul_Tensor(at.where_self(at_zero, zero, slope));
  return handle_r_to_c(exponent.scalar_type(), out);
}

/**
 * The same for a base that is a number: it is 0 everywhere or nowhere.
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

/** Where a bound holds the value back nothing flows; on the bound itself the slope is 1. */
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
    return at.where_self(self_ge_min.logical_and_(self.le_Tensor(max)), grad, zero);
  }
  return at.where_self(min.defined() ? self.ge_Tensor(min) : self.le_Tensor(max), grad, zero);
}

/** The gradients of the bounds: each gets it where it is the result. With min > max the result is max. */
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
      ret[0] = at.where_self(self_lt_min.logical_and_(min.lt_Tensor(max)), grad, zero);
    }
    if (grad_input_mask[1]) {
      const self_gt_max = self.gt_Tensor(max);
      ret[1] = at.where_self(self_gt_max.logical_or_(max.lt_Tensor(min)), grad, zero);
    }
  } else if (min.defined() && grad_input_mask[0]) {
    ret[0] = at.where_self(self.lt_Tensor(min), grad, zero);
  } else if (max.defined() && grad_input_mask[1]) {
    ret[1] = at.where_self(self.gt_Tensor(max), grad, zero);
  }
  return ret;
}

/** A step has slope 0. @differs The phase of a complex number, which has another, does not occur here. */
export function sgn_backward(_x: Tensor, _gx: Tensor, sgn: Tensor): Tensor {
  return at._efficientzerotensor(sgn.sizes(), sgn.options());
}

// Reductions

/** Puts the reduced dimensions back with size 1, so that the gradient lines up with the input. */
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

/** How many elements one result was reduced from. */
export function _safe_size(sizes: readonly number[], dim: readonly number[]): number {
  if (sizes.length === 0) return 1;
  return dim.reduce((size, d) => size * sizes[maybe_wrap_dim(d, sizes.length)], 1);
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

/** The same for the extreme of a whole tensor; if it is nan, the nans share. */
export function evenly_distribute_backward(grad: Tensor, input: Tensor, value: Tensor): Tensor {
  const mask = value.isnan().item().toBool() ? input.isnan() : input.eq_Tensor(value);
  const zeros = grad.new_zeros(input.sizes(), input.options());
  return zeros.masked_fill__Tensor(mask, grad.div_Tensor(mask.sum()));
}

export function masked_fill_backward(grad: Tensor, mask: Tensor): Tensor {
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

/** `squeeze()`: puts back every dimension of size 1. */
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
 * `squeeze(dims)`: only those of them that had size 1 were taken out.
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

/** `cat` refuses undefined tensors: pieces that nobody used count as zeros. */
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

/** The last piece of a `split` takes what is left. */
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
  split_sizes[num_splits - 1] = sym_sizes[wrapped] - Number(split_size) * (num_splits - 1); // beyond 2^53 a bigint comes
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
    const size = shape[wrapped];
    accumulate += size;
    return grad.narrow(wrapped, accumulate - size, size);
  });
}

/** `cat` has always passed over tensors of shape (0). */
function is_legacy_empty(shape: readonly number[]): boolean {
  return shape.length === 1 && shape[0] === 0;
}

export function stack_tensors_backward(grad: Tensor, dim: number, dtypes: readonly ScalarType[]): Tensor[] {
  if (!grad.defined()) return undefined_variables(dtypes.length);
  return dtypes.map((_, i) => grad.select_int(dim, i));
}

export function index_backward(zeros_like_self: Tensor, indices: (Tensor | null)[], grad: Tensor): Tensor {
  return at._index_put_impl_(zeros_like_self, indices, grad, true, true);
}

/** A copy's gradient comes back in the dtype and on the device it left. */
export function _to_copy_backward(grad: Tensor, self_options: TensorOptions): Tensor {
  return grad.to_dtype_layout(self_options, false, false);
}

// Note [The gradient of as_strided]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// as_strided reads cells of the storage, whatever the input's own shape says. So its gradient goes through a storage as well: add
// every output gradient into the cell that the output element was read from, then look at those cells as the input does. Two things
// may happen on the way: several output elements read one cell (their gradients are summed), and several input elements are
// one cell (`expand`; the cell's gradient is divided among them, so that summing over the expansion gives the right total).
// Dimensions of size 1 say nothing, and a dimension with stride 0 can be summed away before.
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
      ? at.arange(Scalar.fromInt(base_size), grad.options().dtype(ScalarType.Long))
      : null;

  if (out_maybe_overlap) {
    const out_indices = (flatten_full_indices as Tensor).as_strided(out_sizes, out_strides, out_effective_offset);
    const source = grad.reshape([-1]);
    add_at(storage, out_indices.reshape([-1]), source);
  } else {
    storage.as_strided(out_sizes, out_strides, out_effective_offset).copy_(grad);
  }

  if (inp_maybe_overlap) {
    const count = at.zeros_like(storage);
    const inp_indices = (flatten_full_indices as Tensor)
      .as_strided(inp_sizes, inp_strides, inp_effective_offset)
      .reshape([-1]);
    add_at(count, inp_indices, at.ones([1], grad.options()).expand_as(inp_indices));
    storage.div__Tensor(count); // 0 / 0 where the input does not look
  }
  return storage.as_strided(
    input_geometry.sizes() as number[],
    input_geometry.strides() as number[],
    inp_effective_offset,
  );
}

/** @differs PyTorch calls `index_add_`, which is not among the operators here. */
function add_at(self: Tensor, index: Tensor, source: Tensor): void {
  at._index_put_impl_(self, [index], source, true, false);
}

/** May two elements be one cell? Certain only for layouts without holes to fall into; then the answer is exact. */
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

/** Elements from the start of the storage to the last cell that is seen. */
function _min_storage_size(sizes: readonly number[], strides: readonly number[], storage_offset: number): number {
  let storage_size = storage_offset + 1;
  for (let i = 0; i < sizes.length; i++) {
    if (sizes[i] === 0) return storage_offset;
    storage_size += (sizes[i] - 1) * strides[i];
  }
  return storage_size;
}

// Matrices

/** dL/d(mat1) of `alpha * mat1 @ mat2`; a column-major matrix gets a column-major gradient, so that adding them is one pass. */
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
  if (strided && mat1_strides[0] === 1 && mat1_strides[1] === mat1_sizes[0])
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
  if (strided && mat2_strides[0] === 1 && mat2_strides[1] === mat2_sizes[0])
    return maybe_multiply(grad.t().mm(mat1.conj()).t(), alpha.conj());
  return maybe_multiply(mat1.t().conj().mm(grad), alpha.conj());
}

/**
 * Of `linear_backward`: (grad_output @ weight, grad_output^T @ self, the sum of grad_output's rows). A vector is a matrix of one row.
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
