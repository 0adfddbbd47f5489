/**
 * @file Helpers that references and meta functions share: type promotion, broadcast shapes, strides of elementwise results, dims of a
 * reduction.
 * @mirrors torch/_prims_common/__init__.py
 * @differs Ours has only the parts that the operators here need, without symbolic sizes and complex dtypes; PyTorch has both.
 */
import { alertNotDeterministic } from "#aten/Context/index";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { promoteTypes } from "#c10/core/ScalarType";
import { AssertionError, IndexError, OverflowError, RuntimeError, ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { type Float, getTHPDtype, python_type, THPVariable_Check } from "../_C.ts";
import { torch } from "../_torch.ts";
import type { dtype, memory_format } from "../types.ts";

export type NumberType = number | bigint | boolean | Float;
export type TensorOrNumber = Tensor | NumberType;
export type Shape = readonly number[];

/** The ways in which the dtypes of operands determine the dtype of the computation and of the result; see `elementwise_dtypes`. */
export const ELEMENTWISE_TYPE_PROMOTION_KIND = {
  DEFAULT: "DEFAULT",
  NO_OPMATH: "NO_OPMATH",
  INT_TO_FLOAT: "INT_TO_FLOAT",
  COMPLEX_TO_FLOAT: "COMPLEX_TO_FLOAT",
  ALWAYS_BOOL: "ALWAYS_BOOL",
  BOOL_TO_LONG: "BOOL_TO_LONG",
} as const;
export type ELEMENTWISE_TYPE_PROMOTION_KIND =
  (typeof ELEMENTWISE_TYPE_PROMOTION_KIND)[keyof typeof ELEMENTWISE_TYPE_PROMOTION_KIND];

export function is_tensor(x: unknown): x is Tensor {
  return THPVariable_Check(x);
}

/** `torch._check`. */
export function check(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new RuntimeError(message());
}

/** The function of C++, under its Python name. */
export const alert_not_deterministic = alertNotDeterministic;

/** Python's `assert`, or `raise AssertionError`. */
export function assert(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new AssertionError(message());
}

/** `t.shape[d]`; a missing dim raises Python's error. */
export function size_at(t: Tensor, d: number): number {
  const size = t.shape.at(d);
  if (size === undefined) throw new IndexError("tuple index out of range");
  return size;
}

/** `repr` of a `torch.Size`; below, of a shape that was computed. */
export function size_repr(shape: Shape): string {
  return `torch.Size([${shape.join(", ")}])`;
}
export function tuple_repr(shape: Shape): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

// dtypes ------------------------------------------------------------------------------------------------------------------

/** Python's types of numbers, lowest first. */
const TYPES = ["bool", "int", "float"] as const;
export type NumberTypeName = (typeof TYPES)[number];

export function is_float_dtype(t: dtype): boolean {
  return t.is_floating_point;
}
export function is_boolean_dtype(t: dtype): boolean {
  return t === torch.bool;
}
export function is_integer_dtype(t: dtype): boolean {
  return !t.is_floating_point && !t.is_complex && !is_boolean_dtype(t);
}

export function dtype_to_type(t: dtype): NumberTypeName {
  return is_float_dtype(t) ? "float" : is_boolean_dtype(t) ? "bool" : "int";
}
export function number_type(x: NumberType): NumberTypeName {
  return python_type(x) as NumberTypeName;
}
export function type_to_dtype(type: NumberTypeName): dtype {
  return type === "float" ? default_dtype() : type === "int" ? torch.int64 : torch.bool;
}
/** Whether every value of type `a` is a value of type `b`: bool <= int <= float. */
export function is_weakly_lesser_type(a: NumberTypeName, b: NumberTypeName): boolean {
  return TYPES.indexOf(a) <= TYPES.indexOf(b);
}
/** Whether `out=` allows this cast: it may widen the kind of number, never narrow it. */
export function can_safe_cast_to(cast_to: dtype, cast_from: dtype): boolean {
  return is_weakly_lesser_type(dtype_to_type(cast_from), dtype_to_type(cast_to));
}

/** `int(x)`. */
export function python_int(x: NumberType): number {
  const number = Number(x);
  if (Number.isNaN(number)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(number)) throw new OverflowError("cannot convert float infinity to integer");
  return Math.trunc(number);
}

export function default_dtype(): dtype {
  return getTHPDtype(get_default_dtype());
}
/** The dtype of the computation; float32 for half precision. */
export function get_computation_dtype(t: dtype): dtype {
  return t === torch.float16 || t === torch.bfloat16 ? torch.float32 : t;
}

function get_higher_dtype(a: dtype | null, b: dtype): dtype {
  return a === null ? b : getTHPDtype(promoteTypes(a.scalar_type, b.scalar_type));
}

/** The highest dtype among the tensors for which `wanted` is true; tensors with dimensions take precedence over 0-dim tensors. */
function find_highest_dtype(args: readonly TensorOrNumber[], wanted: (t: dtype) => boolean): dtype | null {
  let with_dims: dtype | null = null;
  let without: dtype | null = null;
  for (const x of args) {
    if (!is_tensor(x) || !wanted(x.dtype)) continue;
    if (x.dim() === 0) without = get_higher_dtype(without, x.dtype);
    else with_dims = get_higher_dtype(with_dims, x.dtype);
  }
  return with_dims ?? without;
}

/** The dtype of the computation, and the dtype of the result. */
export function elementwise_dtypes(
  given: readonly (TensorOrNumber | null)[],
  kind: ELEMENTWISE_TYPE_PROMOTION_KIND,
): [computation: dtype, result: dtype] {
  const args = given.filter((x) => x !== null);
  let highest: NumberTypeName = "bool";
  for (const x of args) {
    const type = is_tensor(x) ? dtype_to_type(x.dtype) : number_type(x);
    if (!is_weakly_lesser_type(type, highest)) highest = type;
  }
  let result: dtype = torch.bool;
  if (highest === "float") result = find_highest_dtype(args, is_float_dtype) ?? default_dtype();
  else if (highest === "int") result = find_highest_dtype(args, is_integer_dtype) ?? torch.int64;
  switch (kind) {
    case ELEMENTWISE_TYPE_PROMOTION_KIND.NO_OPMATH:
      return [result, result];
    case ELEMENTWISE_TYPE_PROMOTION_KIND.INT_TO_FLOAT:
      if (!is_float_dtype(result)) result = default_dtype();
      break;
    case ELEMENTWISE_TYPE_PROMOTION_KIND.BOOL_TO_LONG:
      if (is_boolean_dtype(result)) return [torch.int64, torch.int64];
      break;
    case ELEMENTWISE_TYPE_PROMOTION_KIND.ALWAYS_BOOL:
      return [get_computation_dtype(result), torch.bool];
    default:
  }
  return [get_computation_dtype(result), result];
}

/** Python's error for unpacking a list of the wrong length. */
export function unpacked(list: Shape, expected: number): void {
  const got = list.length;
  if (got < expected) throw new ValueError(`not enough values to unpack (expected ${expected}, got ${got})`);
  if (got > expected) throw new ValueError(`too many values to unpack (expected ${expected})`);
}

// operands ----------------------------------------------------------------------------------------------------------------

/** Whether `x` is a 0-dim tensor on the CPU: it may be combined with tensors of any device, and does not affect the shape. */
export function is_cpu_scalar_tensor(x: unknown): boolean {
  return is_tensor(x) && x.dim() === 0 && x.device.type === "cpu";
}

/** The operands that must agree in device and shape. */
function tensors_of(args: readonly unknown[], allow_cpu_scalar_tensors: boolean): Tensor[] {
  return args.filter((x) => is_tensor(x) && !(allow_cpu_scalar_tensors && is_cpu_scalar_tensor(x))) as Tensor[];
}

export function check_same_device(args: readonly unknown[], allow_cpu_scalar_tensors: boolean): void {
  const [first, ...others] = tensors_of(args, allow_cpu_scalar_tensors);
  for (const x of others)
    check(
      String(x.device) === String(first.device),
      () => `Tensor on device ${x.device} is not on the expected device ${first.device}!`,
    );
}

export function same_shape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((size, d) => size === b[d]);
}

export function check_same_shape(args: readonly unknown[], allow_cpu_scalar_tensors: boolean): void {
  const [first, ...others] = tensors_of(args, allow_cpu_scalar_tensors);
  for (const x of others)
    check(
      same_shape(first.shape, x.shape),
      () => `Shape ${size_repr(x.shape)} is not the expected shape ${size_repr(first.shape)}!`,
    );
}

// strides -----------------------------------------------------------------------------------------------------------------

export function make_contiguous_strides_for(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = step;
    step *= Math.max(shape[d], 1);
  }
  return strides;
}

/** Whether dim `a` of these tensors should be stored inside dim `b`: 1 for yes, -1 for no, 0 if it makes no difference. */
function should_swap(tensors: readonly Tensor[], shape: Shape, a: number, b: number): -1 | 0 | 1 {
  for (const tensor of tensors) {
    const [stride_a, stride_b] = [tensor.stride(a), tensor.stride(b)];
    if (stride_a === 0 || stride_b === 0) continue;
    if (stride_a === stride_b) {
      if (shape[b] >= shape[a]) continue;
      return 1;
    }
    return stride_b > stride_a ? -1 : 1;
  }
  return 0;
}

/**
 * The memory order of the dims of an elementwise result, outermost first. It follows the operands; the first operand with a preference
 * decides.
 */
export function compute_elementwise_output_logical_to_physical_perm(args: readonly unknown[]): number[] {
  const tensors = tensors_of(args, true);
  if (tensors.length === 0) return [];
  const shape = tensors[0].shape;
  const ndim = shape.length;
  if (ndim < 2) return shape.map((_, d) => d);
  const contiguous = tensors.every((t) => t.is_contiguous());
  const channels_last = tensors.every((t) => t.is_contiguous({ memory_format: torch.channels_last }));
  if (contiguous && !channels_last) return shape.map((_, d) => d);
  if (channels_last && !contiguous) return [0, ...shape.map((_, d) => d).slice(2), 1];
  // Insertion sort from the back, for an order in which some pairs have no preference.
  const perm = shape.map((_, d) => ndim - 1 - d);
  for (let i = 1; i < ndim; i++) {
    let dim1 = i;
    for (let dim0 = i - 1; dim0 >= 0; dim0--) {
      const comparison = should_swap(tensors, shape, perm[dim0], perm[dim1]);
      if (comparison < 0) break;
      if (comparison === 0) continue;
      [perm[dim0], perm[dim1]] = [perm[dim1], perm[dim0]];
      dim1 = dim0;
    }
  }
  return perm.reverse();
}

/**
 * Whether an order other than `perm`, computed from `tensor`, would fit as well. It is false for a dense tensor, row-major or channels
 * last.
 */
export function is_order_ambiguous(tensor: Tensor, perm: readonly number[]): boolean {
  if (perm.length < 2) return false;
  if (tensor.is_contiguous() !== tensor.is_contiguous({ memory_format: torch.channels_last })) return false;
  const back_to_front = [...perm].reverse();
  return back_to_front.some((dim, i) => i > 0 && should_swap([tensor], tensor.shape, back_to_front[i - 1], dim) !== -1);
}

/** Dense strides for `shape` if its dims are stored in the order `perm`. */
export function permuted_strides(shape: Shape, perm: readonly number[]): number[] {
  const physical = make_contiguous_strides_for(perm.map((d) => shape[d]));
  const strides = new Array<number>(shape.length);
  for (const [place, d] of perm.entries()) strides[d] = physical[place];
  return strides;
}

export function suggest_memory_format(x: Tensor): memory_format {
  const format = x.cdata.suggest_memory_format();
  return (
    [torch.channels_last, torch.channels_last_3d].find((f) => f.memory_format === format) ?? torch.contiguous_format
  );
}

// dims --------------------------------------------------------------------------------------------------------------------

/** Checks that an index along one dim is a vector or a 0-dim tensor. */
export function check_vector(index: Tensor): void {
  check(index.dim() <= 1, () => `Index should have dimension 1 or 0 (got ${index.dim()})`);
}

export function canonicalize_dim(rank: number, idx: number): number {
  const n = Math.max(rank, 1);
  if (idx < -n || idx >= n)
    throw new IndexError(`Dimension out of range (expected to be in range of [${-n}, ${n - 1}], but got ${idx})`);
  return idx < 0 ? idx + n : idx;
}

/** All dims, or the given ones with negative dims wrapped; repeated dims are refused. */
export function reduction_dims(shape: Shape, dims: readonly number[] | null): number[] {
  if (dims === null) return shape.map((_, d) => d);
  const wrapped = dims.map((d) => canonicalize_dim(shape.length, d));
  check(new Set(wrapped).size === wrapped.length, () => "duplicate value in the list of dims");
  return wrapped;
}

export function compute_reduction_output_shape(shape: Shape, dims: readonly number[], keepdim: boolean): number[] {
  const output: number[] = [];
  for (const [d, size] of shape.entries()) {
    if (!dims.includes(d)) output.push(size);
    else if (keepdim) output.push(1);
  }
  return output;
}

/** `torch._check_value`. */
export function check_value(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new ValueError(message());
}
