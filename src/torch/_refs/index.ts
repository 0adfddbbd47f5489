/**
 * @file References: operators written in a few lines of prims or of other operators. PyTorch uses them to compile and check programs; here,
 * as there, they also compute the shapes of meta tensors.
 * @mirrors torch/_refs/__init__.py
 * @differs Ours serves Meta tensors only, and views keep their C++ kernels on Meta, as in PyTorch; PyTorch's references compute values.
 * @differs In ours `add.Scalar_out` and `sub.Scalar_out` accept their alpha, `resize_as.out` its out, `baddbmm.dtype` its out_dtype;
 * PyTorch's
 *   functions lack these parameters and raise TypeError on meta tensors.
 */
import { NotImplementedError, RuntimeError, ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import * as prims from "../_prims.ts";
import { _maybe_broadcast } from "../_prims.ts";
import {
  assert,
  canonicalize_dim,
  check,
  check_same_device,
  check_value,
  compute_elementwise_output_logical_to_physical_perm,
  default_dtype,
  dtype_to_type,
  get_computation_dtype,
  is_boolean_dtype,
  is_float_dtype,
  is_tensor,
  is_weakly_lesser_type,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  type NumberType,
  number_type,
  python_int,
  reduction_dims,
  type Shape,
  same_shape,
  size_repr,
  suggest_memory_format,
  type TensorOrNumber,
  type_to_dtype,
} from "../_prims_common/index.ts";
import {
  _maybe_convert_to_dtype,
  _maybe_resize_out,
  _safe_copy_out,
  elementwise_type_promotion_wrapper,
  type Keywords,
  type OutOptions,
  out_wrapper,
  type Reference,
} from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import type { device, dtype, layout, memory_format } from "../types.ts";

// elementwise, one operand --------------------------------------------------------------------------------------------------

type Unary = (a: Tensor) => Tensor;

export const elementwise: Unary = (a) => prims._prim_elementwise_meta([a]);

export function _make_elementwise_unary_reference(
  kind: KIND,
  prim: Unary = elementwise,
  options: OutOptions = {},
): Reference {
  return out_wrapper(
    elementwise_type_promotion_wrapper([0], kind, (a: Tensor) => prim(a)),
    options,
  );
}

/** The in-place operator: the reference with its operand as `out`. */
export function _make_inplace(fn: Reference): Reference {
  return (...args) => {
    const [a] = args as [Tensor];
    return fn(...args.slice(0, -1), { ...(args.at(-1) as Keywords), out: a });
  };
}

function _neg_meta(a: Tensor): void {
  check(
    !is_boolean_dtype(a.dtype),
    () =>
      "Negation, the `-` operator, on a bool tensor is not supported. " +
      "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
  );
}

const unary: Readonly<Record<string, Reference>> = {
  sin: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  cos: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  tan: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  asin: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  acos: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  atan: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  sinh: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  cosh: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  asinh: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  acosh: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  atanh: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  erf: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  erfc: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  exp2: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  expm1: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  log2: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  log10: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  log1p: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  floor: _make_elementwise_unary_reference(KIND.DEFAULT, elementwise, { exact_dtype: true }),
  trunc: _make_elementwise_unary_reference(KIND.DEFAULT, elementwise, { exact_dtype: true }),
  ceil: _make_elementwise_unary_reference(KIND.DEFAULT, elementwise, { exact_dtype: true }),
  abs: _make_elementwise_unary_reference(KIND.COMPLEX_TO_FLOAT, elementwise, { exact_dtype: true }),
  bitwise_not: _make_elementwise_unary_reference(KIND.DEFAULT),
  exp: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  log: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  neg: _make_elementwise_unary_reference(KIND.DEFAULT, (a) => {
    _neg_meta(a);
    return elementwise(a);
  }),
  reciprocal: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  rsqrt: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  sgn: _make_elementwise_unary_reference(KIND.DEFAULT, elementwise, { exact_dtype: true }),
  sign: _make_elementwise_unary_reference(KIND.DEFAULT, elementwise, { exact_dtype: true }),
  sqrt: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
  tanh: _make_elementwise_unary_reference(KIND.INT_TO_FLOAT),
};
export function register_unary(name: string, fn: Reference): void {
  register_decomposition(`${name} ${name}.out`, fn);
  register_decomposition(`${name}_`, _make_inplace(fn));
}
for (const [name, fn] of Object.entries(unary)) register_unary(name, fn);

const isinf = _make_elementwise_unary_reference(KIND.ALWAYS_BOOL, (a) =>
  is_float_dtype(a.dtype)
    ? torch.eq(torch.abs(a), Number.POSITIVE_INFINITY)
    : torch.zeros_like(a, { dtype: torch.bool }),
);
register_decomposition("isinf isinf.out", isinf);
register_decomposition(
  "isnan isnan.out",
  _make_elementwise_unary_reference(KIND.ALWAYS_BOOL, (a) => prims._prim_elementwise_meta([a, a], torch.bool)),
);
register_decomposition(
  "logical_not logical_not.out",
  _make_elementwise_unary_reference(KIND.ALWAYS_BOOL, (a) =>
    is_boolean_dtype(a.dtype) ? torch.bitwise_not(a) : torch.eq(a, 0),
  ),
);
// Only the in-place form: sigmoid itself has a meta function.
register_decomposition("sigmoid_", _make_inplace(_make_elementwise_unary_reference(KIND.INT_TO_FLOAT)));
const conj_physical = out_wrapper((input: Tensor) => input); // the identity for a real tensor
register_decomposition("conj_physical.out", conj_physical);
register_decomposition("conj_physical_", _make_inplace(conj_physical));
register_decomposition(
  "zero.out",
  out_wrapper((input: Tensor) => torch.zeros_like(input)),
);

// elementwise, two operands -------------------------------------------------------------------------------------------------

type Binary = (a: TensorOrNumber, b: TensorOrNumber) => Tensor;

interface BinaryOptions {
  readonly name: string;
  readonly supports_lhs_python_scalar?: boolean;
  readonly supports_two_python_scalars?: boolean;
}

export const elementwise2: Binary = (a, b) => prims._prim_elementwise_meta([a, b]);
const comparison: Binary = (a, b) => prims._prim_elementwise_meta([a, b], torch.bool);

export function _make_elementwise_binary_reference(kind: KIND, prim: Binary, options: BinaryOptions): Reference {
  const { name } = options;
  const ref = elementwise_type_promotion_wrapper([0, 1], kind, (a: TensorOrNumber, b: TensorOrNumber) => {
    check_value(
      options.supports_lhs_python_scalar !== false || is_tensor(a),
      () =>
        `${name}: Received a lhs Python scalar to an elementwise binary operation that does not accept lhs scalars!`,
    );
    check_value(
      options.supports_two_python_scalars === true || is_tensor(a) || is_tensor(b),
      () => `${name}: Receive two Number inputs to an elementwise binary operation!`,
    );
    const [x, y] = _maybe_broadcast(a, b);
    return prim(x, y);
  });
  return out_wrapper(ref);
}

export function register_binary(names: string, inplace: string, fn: Reference): void {
  register_decomposition(names, fn);
  if (inplace !== "") register_decomposition(inplace, _make_inplace(fn));
}

for (const name of ["bitwise_and", "bitwise_or", "bitwise_xor"])
  register_binary(
    `${name}.Tensor ${name}.Tensor_out ${name}.Scalar ${name}.Scalar_out ${name}.Scalar_Tensor ${name}.Scalar_Tensor_out`,
    `${name}_.Tensor ${name}_.Scalar`,
    _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name }),
  );
for (const name of ["bitwise_left_shift", "bitwise_right_shift"])
  register_binary(
    `${name}.Tensor ${name}.Tensor_out ${name}.Tensor_Scalar ${name}.Tensor_Scalar_out ${name}.Scalar_Tensor ${name}.Scalar_Tensor_out`,
    `${name}_.Tensor ${name}_.Tensor_Scalar`,
    _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name }),
  );
for (const name of ["eq", "ge", "gt", "le", "lt", "ne"])
  register_binary(
    `${name}.Scalar ${name}.Scalar_out ${name}.Tensor ${name}.Tensor_out`,
    `${name}_.Scalar ${name}_.Tensor`,
    _make_elementwise_binary_reference(KIND.ALWAYS_BOOL, comparison, { name, supports_lhs_python_scalar: false }),
  );
for (const name of ["maximum", "minimum"])
  register_binary(`${name} ${name}.out`, "", _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name }));
register_binary(
  "mul.Scalar mul.Tensor mul.out mul.Scalar_out",
  "",
  _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name: "mul", supports_two_python_scalars: true }),
);

/** `a != 0`; `a` itself if it is bool. */
function truth(a: Tensor): Tensor {
  return is_boolean_dtype(a.dtype) ? a : torch.ne(a, 0);
}
for (const [name, combine] of [
  ["logical_and", torch_fn("bitwise_and")],
  ["logical_or", torch_fn("bitwise_or")],
  ["logical_xor", torch_fn("bitwise_xor")],
] as const)
  register_binary(
    `${name} ${name}.out`,
    "",
    _make_elementwise_binary_reference(KIND.ALWAYS_BOOL, (a, b) => combine(truth(a as Tensor), truth(b as Tensor)), {
      name,
    }),
  );

/** `torch[name]`, looked up at each call, because the members of `torch` are defined after this module. */
function torch_fn(name: "bitwise_and" | "bitwise_or" | "bitwise_xor"): (a: Tensor, b: Tensor) => Tensor {
  return (a, b) => torch[name](a, b);
}

const pow = _make_elementwise_binary_reference(
  KIND.BOOL_TO_LONG,
  (a, b) => {
    if (!is_tensor(b) && is_tensor(a)) {
      const exponent = Number(b);
      if (exponent === 1) return a.clone();
      if (exponent === 2) return torch.mul(a, a);
      if (exponent === 0.5) return torch.sqrt(a);
    } else if (!is_tensor(a) && is_tensor(b)) {
      if (Number(a) === 1) return torch.fill(b, true);
    }
    return elementwise2(a, b);
  },
  { name: "pow" },
);
register_decomposition(
  "pow.Tensor_Tensor pow.Tensor_Tensor_out pow.Scalar pow.Scalar_out pow.Tensor_Scalar pow.Tensor_Scalar_out",
  pow,
);
register_decomposition("pow_.Tensor pow_.Scalar", _make_inplace(pow));

/** `alpha * b`, in the common dtype of the operands. */
function scaled(a: TensorOrNumber, b: TensorOrNumber, alpha: NumberType, bool_takes_all: boolean): TensorOrNumber {
  const t = is_tensor(a) ? a.dtype : is_tensor(b) ? b.dtype : type_to_dtype(number_type(a));
  const type = dtype_to_type(t);
  if (!(bool_takes_all && type === "bool") && !is_weakly_lesser_type(number_type(alpha), type))
    throw new ValueError(
      `alpha argument of type <class '${number_type(alpha)}'> cannot be safely cast to type <class '${type}'>!`,
    );
  return is_tensor(b) ? elementwise2(b, alpha) : b;
}

interface Alpha extends Keywords {
  readonly alpha: NumberType;
}
const add = elementwise_type_promotion_wrapper([0, 1], KIND.DEFAULT, (a, b, kw_or_alpha: Alpha | NumberType) => {
  const [x, y] = _maybe_broadcast(a as TensorOrNumber, b as TensorOrNumber);
  return elementwise2(x, scaled(x, y, alpha_of(kw_or_alpha), true));
});
const sub = elementwise_type_promotion_wrapper([0, 1], KIND.DEFAULT, (a, b, kw_or_alpha: Alpha | NumberType) => {
  const [x, y] = _maybe_broadcast(a as TensorOrNumber, b as TensorOrNumber);
  if (is_tensor(x) && is_tensor(y))
    check(
      !is_boolean_dtype(x.dtype) && !is_boolean_dtype(y.dtype),
      () =>
        "Subtraction, the `-` operator, with two bool tensors is not supported. " +
        "Use the `^` or `logical_xor()` operator instead.",
    );
  const alpha = alpha_of(kw_or_alpha);
  return elementwise2(x, Number(alpha) === 1 ? y : scaled(x, y, alpha, false));
});
/** The factor alpha: a keyword in overloads for tensors, a positional argument in those for numbers. */
function alpha_of(given: Alpha | NumberType): NumberType {
  return typeof given === "object" && "alpha" in given ? given.alpha : (given as NumberType);
}
register_decomposition("add.Tensor add.out add.Scalar_out", out_wrapper(add));
register_decomposition("sub.Tensor sub.out sub.Scalar_out", out_wrapper(sub));
register_decomposition(
  "rsub.Tensor rsub.Tensor_out rsub.Scalar rsub.Scalar_out",
  out_wrapper((a: Tensor, b: TensorOrNumber, kw_or_alpha: Alpha | NumberType) => sub(b, a, alpha_of(kw_or_alpha))),
);

export const true_divide = _make_elementwise_binary_reference(KIND.INT_TO_FLOAT, elementwise2, {
  name: "true_divide",
  supports_two_python_scalars: true,
});
const trunc_divide = _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, {
  name: "trunc_divide",
  supports_two_python_scalars: true,
});
/** Moves the divisor to the device of the dividend; refuses a divisor on another device if the dividend is on the CPU. */
function on_device_of(a: Tensor, b: Tensor): Tensor {
  if (String(a.device) === String(b.device)) return b;
  if (a.device.type === "cpu")
    throw new RuntimeError(
      `Expected divisor (b) to be on the same device (${a.device}) as dividend (a), but it is found on ${b.device}!`,
    );
  return prims.device_put(b, a.device);
}
export const floor_divide = _make_elementwise_binary_reference(
  KIND.DEFAULT,
  (a, b) => {
    const [x, y] = is_tensor(a) && is_tensor(b) ? _maybe_broadcast(a, on_device_of(a, b)) : [a, b];
    const t = is_tensor(a) ? a.dtype : (b as Tensor).dtype;
    check(!is_boolean_dtype(t), () => `${t} not supported for floor_divide`);
    return elementwise2(x, y);
  },
  { name: "floor_divide", supports_two_python_scalars: true },
);

const NO_KEYWORDS: Keywords = { out: null };
const div = out_wrapper((a: TensorOrNumber, b: TensorOrNumber, { rounding_mode = null }: Keywords) => {
  if (rounding_mode === null) return true_divide(a, b, NO_KEYWORDS);
  if (rounding_mode === "trunc") return trunc_divide(a, b, NO_KEYWORDS);
  if (rounding_mode === "floor") return floor_divide(a, b, NO_KEYWORDS);
  throw new ValueError(`div expected rounding_mode to be one of None, 'trunc', or 'floor' but found ${rounding_mode}.`);
});
register_binary(
  "div.Tensor div.out div.Tensor_mode div.out_mode div.Scalar div.Scalar_out div.Scalar_mode div.Scalar_mode_out",
  "div_.Tensor_mode div_.Scalar_mode",
  div,
);

// selection ---------------------------------------------------------------------------------------------------------------

/** Applies a bound; NaN is kept. */
function bounded(a: Tensor, bound: TensorOrNumber, compare: "ge" | "le"): Tensor {
  const condition = torch.bitwise_or(torch[compare](a, bound), torch.isnan(a));
  return torch.where(condition, a, bound);
}
const clamp_ref = elementwise_type_promotion_wrapper(
  [0, 1, 2],
  KIND.DEFAULT,
  (a: Tensor, min: TensorOrNumber | null, max: TensorOrNumber | null) => {
    check_value(min !== null || max !== null, () => "clamp called but both min and max are none!");
    const raised = min === null ? a : bounded(a, min, "ge");
    return max === null ? raised : bounded(raised, max, "le");
  },
);
for (const [name, fn] of [
  ["clamp", out_wrapper(clamp_ref)],
  ["clamp_min", out_wrapper((a: Tensor, min: TensorOrNumber) => torch.clamp(a, { min }))],
  ["clamp_max", out_wrapper((a: Tensor, max: TensorOrNumber) => torch.clamp(a, { max }))],
] as const)
  register_binary(`${name} ${name}.out ${name}.Tensor ${name}.Tensor_out`, `${name}_ ${name}_.Tensor`, fn);

const where_ref = elementwise_type_promotion_wrapper(
  [1, 2],
  KIND.NO_OPMATH,
  (pred: Tensor, a: TensorOrNumber, b: TensorOrNumber) => {
    check_same_device([pred, a, b], true);
    check(is_boolean_dtype(pred.dtype), () => `expected predicate to be bool, got ${pred.dtype}`);
    const [p, x, y] = _maybe_broadcast<TensorOrNumber>(pred, a, b);
    return prims.where(p as Tensor, x, y, type_to_dtype(number_type(a as NumberType)));
  },
);
register_decomposition("where.self where.self_out", out_wrapper(where_ref, { exact_dtype: true }));

/** A tensor converted to a dtype, or a number converted to the kind of the dtype. */
function in_dtype(value: TensorOrNumber, t: dtype): TensorOrNumber {
  if (is_tensor(value)) return _maybe_convert_to_dtype(value, t);
  if (is_boolean_dtype(t)) return Number(value) !== 0;
  return is_float_dtype(t) ? torch.Float(Number(value)) : typeof value === "bigint" ? value : python_int(value);
}

register_decomposition(
  "masked_fill.Scalar masked_fill.Scalar_out masked_fill.Tensor masked_fill.Tensor_out",
  out_wrapper((a: Tensor, mask: Tensor, value: TensorOrNumber) => {
    if (is_tensor(value)) {
      check(
        value.dim() === 0,
        () => `only supports a 0-dimensional value tensor, but got tensor with ${value.dim()} dimension`,
      );
      check(String(value.device) === String(a.device), () => "Expected `value` to be on same device as `a`");
    }
    return torch.where(mask, in_dtype(value, a.dtype), a).contiguous();
  }),
);
register_decomposition("masked_fill_.Tensor", (a: Tensor, mask: Tensor, value: Tensor) =>
  a.copy_(torch.masked_fill(a, mask, value)),
);

// reductions --------------------------------------------------------------------------------------------------------------

export type Dims = readonly number[] | number | null;

/** Dims as a list; null means all dims, and so does an empty list. */
function dims_or_all(dim: Dims): readonly number[] | null {
  if (typeof dim === "number") return [dim];
  return dim !== null && dim.length === 0 ? null : dim;
}

interface Reduction {
  readonly dim: Dims;
  readonly keepdim: boolean;
  readonly dtype: dtype | null;
  readonly out: Tensor | null;
  readonly has_identity: boolean;
}

/** The result of a reduction, in the dtype of the computation. */
function reduced(a: Tensor, { dim, keepdim, dtype, has_identity }: Omit<Reduction, "out">): Tensor {
  const dims = reduction_dims(a.shape, dims_or_all(dim));
  check(
    has_identity || a.dim() === 0 || dims.every((d) => a.shape[d] > 0),
    () => "reducing over zero-size dimension for reduction operation without identity",
  );
  const computation_dtype = get_computation_dtype(dtype ?? a.dtype);
  return prims._reduction_meta(_maybe_convert_to_dtype(a, computation_dtype), dims, keepdim);
}

export function _reduction(a: Tensor, reduction: Reduction): Tensor {
  const { out, dtype } = reduction;
  if (out !== null)
    check(dtype === null || dtype === out.dtype, () => "dtype argument and out dtype must match in reduction");
  const result = reduced(a, reduction);
  if (out === null) return _maybe_convert_to_dtype(result, dtype ?? a.dtype);
  return _safe_copy_out(result, _maybe_resize_out(out, result.shape));
}

register_decomposition(
  "sum.dim_IntList sum.IntList_out",
  (a: Tensor, dim: Dims, keepdim: boolean, { dtype, out }: Keywords & { dtype: dtype | null; out: Tensor | null }) => {
    const summed = dtype ?? out?.dtype ?? (is_float_dtype(a.dtype) ? a.dtype : torch.int64);
    return _reduction(a, { dim, keepdim, dtype: summed, out, has_identity: true });
  },
);

for (const name of ["amin", "amax"])
  register_decomposition(
    `${name} ${name}.out`,
    (a: Tensor, dim: Dims, keepdim: boolean, { out }: { out: Tensor | null }) =>
      _reduction(a, { dim, keepdim, dtype: null, out, has_identity: false }),
  );

/** The dims and keepdim of a reduction; the overload for all dims has neither, only keywords. */
export function dims_and_keepdim(args: readonly unknown[]): { dim: Dims; keepdim: boolean } {
  const [dim, keepdim] = args.slice(0, -1) as [Dims?, boolean?];
  return { dim: dim ?? null, keepdim: keepdim ?? false };
}

function any_ref(a: Tensor, { dim, keepdim }: { dim: Dims; keepdim: boolean }): Tensor {
  const a_ = _maybe_convert_to_dtype(a, torch.bool);
  // An empty list of dims reduces none of them.
  const result =
    Array.isArray(dim) && dim.length === 0 ? a_.clone() : torch.ne(a_.sum({ dim: dim as number[], keepdim }), false);
  return _maybe_convert_to_dtype(result, a.dtype === torch.uint8 ? torch.uint8 : torch.bool);
}
register_decomposition(
  "any any.all_out any.dim any.out any.dims any.dims_out",
  out_wrapper((a: Tensor, ...rest: unknown[]) => any_ref(a, dims_and_keepdim(rest))),
);
register_decomposition(
  "all all.all_out all.dim all.out all.dims all.dims_out",
  out_wrapper((a: Tensor, ...rest: unknown[]) => {
    const result = torch.logical_not(any_ref(torch.logical_not(a), dims_and_keepdim(rest)));
    return _maybe_convert_to_dtype(result, a.dtype === torch.uint8 ? torch.uint8 : torch.bool);
  }),
);

register_decomposition("mean mean.dtype_out mean.dim mean.out", (a: Tensor, ...rest: unknown[]) => {
  const { dim, keepdim } = dims_and_keepdim(rest);
  const { dtype, out } = rest.at(-1) as { dtype: dtype | null; out: Tensor | null };
  const wanted = dtype ?? a.dtype;
  const result = reduced(a, { dim, keepdim, dtype: wanted, has_identity: true });
  check(
    is_float_dtype(wanted),
    () =>
      `mean(): could not infer output dtype. ${dtype === null ? "Input" : "Optional"} dtype must be either ` +
      `a floating point or complex dtype. Got: ${wanted}`,
  );
  const divided = _maybe_convert_to_dtype(true_divide(result, 1, NO_KEYWORDS) as Tensor, wanted);
  return out === null ? divided : _safe_copy_out(divided, _maybe_resize_out(out, divided.shape));
});

// products ----------------------------------------------------------------------------------------------------------------

function _dot_check(self: Tensor, other: Tensor): void {
  check(
    self.dim() === 1 && other.dim() === 1,
    () => `1D tensors expected, but got ${self.dim()}D and ${other.dim()}D tensors`,
  );
  check(
    self.dtype === other.dtype,
    () => `dot : expected both vectors to have same dtype, but found ${self.dtype} and ${other.dtype}`,
  );
  check(
    self.numel() === other.numel(),
    () =>
      `inconsistent tensor size, expected tensor [${self.numel()}] and src [${other.numel()}] to have the` + // PyTorch's message lacks this space
      `same number of elements, but got ${self.numel()} and ${other.numel()} elements respectively`,
  );
}
const dot = elementwise_type_promotion_wrapper([0, 1], KIND.DEFAULT, (self: Tensor, other: Tensor) =>
  torch.mul(self, other).sum(),
);
function checked_dot(self: Tensor, other: Tensor, kw: Keywords): Tensor {
  _dot_check(self, other);
  return dot(self, other, kw);
}
register_decomposition("dot dot.out", out_wrapper(checked_dot, { exact_dtype: true }));
register_decomposition("vdot vdot.out", out_wrapper(checked_dot, { exact_dtype: true }));

// joining -----------------------------------------------------------------------------------------------------------------

/** The memory format that all tensors suggest, else contiguous. */
function cat_compute_output_memory_format(tensors: readonly Tensor[]): memory_format {
  const [first, ...others] = tensors.map(suggest_memory_format);
  return others.every((format) => format === first) ? first : torch.contiguous_format;
}

const cat = elementwise_type_promotion_wrapper([0], KIND.NO_OPMATH, (tensors: Tensor[], dim: number) => {
  check_value(tensors.length > 0, () => "cat expects at least one tensor, but received zero!");
  check_same_device(tensors, false);
  const example = tensors.find((t) => t.dim() !== 1) ?? tensors[0];
  const wrong = (k: number, ndim: number) => () =>
    "Number of dimensions of tensors must match.  " +
    `Expected ${example.dim()}-D tensors, but got ${ndim}-D for tensor number ${k} in the list`;
  for (const [k, t] of tensors.entries()) check(t.dim() === 1 || t.dim() === example.dim(), wrong(k, t.dim()));
  const filtered: Tensor[] = [];
  for (const [k, t] of tensors.entries()) {
    const empty = t.dim() === 1 && t.shape[0] === 0; // an empty vector fits everything: `cat` always ignores it
    check(empty || t.dim() === example.dim(), wrong(k, 1));
    if (!empty) filtered.push(t);
  }
  const memory_format = cat_compute_output_memory_format(tensors);
  if (filtered.length === 0) {
    const [t] = tensors;
    return torch.empty([0], { dtype: t.dtype, device: t.device, memory_format });
  }
  const canonical = canonicalize_dim(filtered[0].dim(), dim);
  return prims.cat(filtered, canonical).clone({ memory_format });
});
register_decomposition("cat cat.out", out_wrapper(cat));

register_decomposition(
  "stack stack.out",
  out_wrapper((tensors: Tensor[], dim: number) => {
    assert(tensors.length > 0, () => "stack expects a non-empty TensorList");
    const [first] = tensors;
    const wrapped_dim = canonicalize_dim(first.dim() + 1, dim);
    if (wrapped_dim === first.dim())
      return torch.cat(
        tensors.map((t) => t.unsqueeze(wrapped_dim)),
        dim,
      );
    for (const t of tensors)
      check(
        same_shape(t.shape, first.shape),
        () => `stack expects each tensor to be equal size, but got ${size_repr(first.shape)} at entry 0 `,
      );
    const result_sizes = [...first.shape];
    result_sizes.splice(wrapped_dim, 0, tensors.length);
    return torch.cat(tensors, wrapped_dim).view(result_sizes);
  }),
);

// creation ----------------------------------------------------------------------------------------------------------------

interface Options extends Keywords {
  readonly dtype: dtype | null;
  readonly layout: layout | null;
  readonly device: device | null;
  readonly pin_memory: boolean | null;
  readonly memory_format: memory_format | null;
}

/** Options with those of `a` as defaults. */
function like(a: Tensor, { dtype, layout, device, pin_memory }: Options): Omit<Options, "out" | "memory_format"> {
  return { dtype: dtype ?? a.dtype, layout: layout ?? a.layout, device: device ?? a.device, pin_memory };
}

const factory: OutOptions = { factory: true };
register_decomposition(
  "new_empty new_empty.out",
  out_wrapper((a: Tensor, size: number[], kw: Options) => torch.empty(size, like(a, kw)), factory),
);
register_decomposition(
  "new_empty_strided new_empty_strided.out",
  out_wrapper(
    (a: Tensor, size: number[], stride: number[], kw: Options) => torch.empty_strided(size, stride, like(a, kw)),
    factory,
  ),
);
for (const [name, value] of [
  ["new_zeros", 0],
  ["new_ones", 1],
] as const)
  register_decomposition(
    `${name} ${name}.out`,
    out_wrapper((a: Tensor, size: number[], kw: Options) => torch.full(size, value, like(a, kw)), factory),
  );
register_decomposition(
  "new_full new_full.out",
  out_wrapper(
    (a: Tensor, size: number[], fill_value: NumberType, kw: Options) => torch.full(size, fill_value, like(a, kw)),
    factory,
  ),
);

register_decomposition(
  "empty_like empty_like.out",
  out_wrapper((a: Tensor, kw: Options) => {
    const options = like(a, kw);
    const { memory_format } = kw;
    if (memory_format !== null && memory_format !== torch.preserve_format)
      return torch.empty([...a.shape], { ...options, memory_format });
    const perm = compute_elementwise_output_logical_to_physical_perm([a]);
    const strides = prims.empty_permuted(a.shape, perm, a, a.dtype).stride();
    return torch.empty_strided([...a.shape], [...strides], options);
  }, factory),
);
/** `full_like` with a number that every dtype can hold. */
function filled_like(value: NumberType): Reference {
  return out_wrapper((a: Tensor, { out: _, ...kw }: Options) => torch.full_like(a, value, kw), factory);
}
register_decomposition("zeros_like.out", filled_like(0));
register_decomposition("ones_like ones_like.out", filled_like(1));
register_decomposition(
  "full.out",
  out_wrapper((shape: number[], fill_value: NumberType, { dtype, device }: Options) => {
    check(
      shape.every((size) => size >= 0),
      () =>
        "Expected cond to be True, but got False. (Could this error message be improved? " +
        "If so, please report an enhancement request to PyTorch.)",
    );
    return torch.empty(shape, { dtype: dtype ?? type_to_dtype(number_type(fill_value)), device: device ?? "cpu" });
  }, factory),
);
register_decomposition(
  "empty_strided.out",
  out_wrapper(
    (shape: number[], stride: number[], { dtype, device }: Options) =>
      torch.empty_strided(shape, stride, { dtype: dtype ?? default_dtype(), device: device ?? "cpu" }),
    factory,
  ),
);
register_decomposition(
  "clone.out",
  out_wrapper((a: Tensor, { memory_format }: Options) =>
    a.clone({ memory_format: memory_format ?? torch.preserve_format }),
  ),
);

function check_pin_memory(pin_memory: boolean | null): void {
  if (pin_memory === true) throw new NotImplementedError("PrimTorch does not support pinned memory");
}

function is_finite(x: NumberType): boolean {
  return typeof x === "bigint" || Number.isFinite(Number(x));
}

export const arange = out_wrapper((start: NumberType, end: NumberType, step: NumberType, kw: Options) => {
  check_pin_memory(kw.pin_memory);
  const [from, to, by] = [Number(start), Number(end), Number(step)];
  check(by !== 0, () => "step must be nonzero");
  check(by > 0 ? to >= from : to <= from, () => "upper bound and lower bound inconsistent with step sign");
  check(is_finite(start) && is_finite(end), () => `unsupported range: ${start} -> ${end}`);
  check(is_finite(step), () => `step must be finite but got ${step}`);
  const integer_args = [start, end, step].every((x) => number_type(x) === "int");
  const dtype = kw.dtype ?? (integer_args ? torch.int64 : default_dtype());
  let length = Math.ceil((to - from) / by);
  if (dtype === torch.int64 || integer_args) {
    const [xstart, xend, xstep] = [from, to, by].map(Math.trunc);
    check_value(xstep !== 0, () => "step must be nonzero");
    length = Math.floor((xend - xstart + xstep - Math.sign(xstep)) / xstep);
  }
  return torch.empty([length + 0 /* no -0 */], { dtype, device: kw.device ?? "cpu" });
}, factory);
register_decomposition("arange.start_step arange.start_out", arange);

register_decomposition(
  "randn",
  out_wrapper((shape: number[], { dtype, device, pin_memory }: Options) => {
    check_pin_memory(pin_memory);
    return prims.normal(shape, 1, { dtype: dtype ?? default_dtype(), device: device ?? "cpu" });
  }, factory),
);

const normal = elementwise_type_promotion_wrapper(
  [0, 1],
  KIND.DEFAULT,
  (_mean: number, std: number, size: Shape, { dtype, device }: Options) => {
    return prims.normal([...size], std, { dtype: dtype ?? default_dtype(), device: device ?? "cpu" });
  },
);
register_decomposition(
  "normal.out",
  out_wrapper((self: Tensor, mean: number, std: number, kw: Keywords) =>
    normal(mean, std, self.shape, { ...kw, dtype: self.dtype, device: self.device }),
  ),
);
register_decomposition("normal_", (self: Tensor, mean: number, std: number, kw: Keywords) => {
  const result = normal(mean, std, self.shape, { ...kw, dtype: self.dtype, device: self.device });
  return _safe_copy_out(result, self);
});
