/**
 * @file The language of kernel text, and how a kernel picks its instance for a dtype.
 * @mirrors aten/src/ATen/Dispatch.h
 * @differs C++ instantiates a lambda per dtype inside AT_DISPATCH_*; here codegen writes the instances
 *   (tools/codegen/dest/kernels.ts) and AT_DISPATCH looks one up.
 */
import { VecLoops } from "#aten/cpu/vec/VecLoops";
import type { TypedArray } from "#c10/core/Allocator";
import { NumScalarTypes, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

export type { TypedArray } from "#c10/core/Allocator";

// Note [Kernel text]
// ~~~~~~~~~~~~~~~~~~
// A `@loop` or `@template` function is never run as it stands: codegen makes one copy per dtype, in which these types and
// intrinsics get their meaning. TypeScript sees numbers throughout, so the text is checked as if every element were a double;
// the generated copies are checked again with their real types (an int64 element is a bigint there).

// Note [Rows]
// ~~~~~~~~~~~
// `row<scalar_t>` says in one word what three parameters said before: whose memory, where it begins, how far elements stand apart.
// It is no object. Codegen expands a row into its parts wherever it stands, a parameter, a variable, an argument:
//
//     gather_line(out: row<scalar_t>, ...)     function gather_line_float32(out: Float32Array, out_offset: number, out_stride: number, ...)
//     load(out, i)                             out[out_offset + i * out_stride]
//     row<row<scalar_t>>                       out, out_offset, out_stride, out_inner_stride: a matrix; `row_at(out, j)` is its row j
//     pointer<scalar_t>                        out, out_offset: elements side by side, C++'s `scalar_t*`
//     row<pointer<scalar_t>>                   out, out_offset, out_stride: a matrix whose rows are such
//
// and so does whoever calls an instance from ordinary code (`InstanceOf` is its type): view, offset, stride(s), in this order. Objects there
// would read better by a comma, but a driver makes a row for every line of a tensor: one object each, or a shared one whose fields
// the instance must load again in every line. Numbers stay in registers, and a 4-element tensor pays for nothing.

/** The element type of the instance. */
export type scalar_t = number;
/** What scalar_t computes in: float32 for the halves, else itself. */
export type opmath_t = number;
/** What sums of scalar_t are held in: float64 for float32, int64 for integers. */
export type acc_t = number;
/** `opmath_t` and `acc_t` of another type variable. */
export type opmath<T extends number> = T;
export type acc<T extends number> = T;
/** One dtype by name. */
export type bool = number | boolean;
export type uint8 = number;
export type int8 = number;
export type int16 = number;
export type int32 = number;
export type int64 = number;
export type float16 = number;
export type bfloat16 = number;
export type float32 = number;
export type float64 = number;
/** A typed array of elements T; the `T` is for codegen. */
export type data<T extends number | boolean> = TypedArray & { readonly element?: T };
/** Elements T some distance apart, or rows some distance apart. See Note [Rows]. */
export type row<T> = T extends { readonly view: infer V } ? { readonly inner: T } & Strided<V> : Strided<data<number>>;
/** Elements T side by side: a row of stride 1, which has no parameter for it. */
export type pointer<T extends number | boolean> = Pointer<data<T>>;
interface Pointer<V> {
  readonly view: V;
  /** Of the first element, in elements from the beginning of the view. */
  readonly offset: number;
}
interface Strided<V> extends Pointer<V> {
  readonly stride: number;
}
/** A Scalar given with the call, as scalar_t; `captured<T>` is handed through untouched. */
export type captured<T = number> = T;
/** A Scalar given with the call, as opmath_t. */
export type captured_opmath = number;

function onlyInKernelText(): never {
  throw new Error("kernel text was called directly; call its instance from the generated file");
}
// The type parameters below are for codegen; TypeScript has no use for them.
/** Element `i` of `x`. */
export const load: (x: Pointer<unknown> | TypedArray, i: number) => number = onlyInKernelText;
/** `x[i] = v`, rounded or wrapped as the dtype does. */
export const store: (x: Pointer<unknown> | TypedArray, i: number, v: number | boolean) => void = onlyInKernelText;
/** Row `i` of several. */
export const row_at: <T>(x: { readonly inner: T }, i: number) => T = onlyInKernelText;
/** The rest of `x`, from element (or row) `i` on. */
export const row_from: <R extends Pointer<unknown>>(x: R, i: number) => R = onlyInKernelText;
/** C++'s `static_cast`. */
export const cast: <T extends number | boolean>(v: number | boolean | bigint) => T = onlyInKernelText;
/** `v` as if stored as T and loaded again. */
export const round_to: <T extends number | boolean>(v: number | boolean) => T = onlyInKernelText;
/** The same bits as another type of as many bytes. */
export const bit_cast: <T extends number>(v: number) => T = onlyInKernelText;
/** `a * b + c`; fused, with one rounding, where the machine can. In functions of `cpu/vec` only, as the three below. */
export const fmadd: (a: number, b: number, c: number) => number = onlyInKernelText;
/** The smaller (larger) one; `a` if either is NaN. */
export const pmin: (a: number, b: number) => number = onlyInKernelText;
export const pmax: (a: number, b: number) => number = onlyInKernelText;
// ---- in functions of `aten/webgpu/math` only
/** The nearest integer, of two the even one. */
export const nearest: (x: number) => number = onlyInKernelText;
/** `base` to the power of `exponent`, an integer. */
export const powi: (base: number, exponent: number) => number = onlyInKernelText;
/** The greatest common divisor. */
export const calc_gcd: (a: number, b: number) => number = onlyInKernelText;
/** x = n pi / 2 + r, |r| at most pi / 4: n modulo 4, and r. */
export const trig_quadrant: (x: number) => number = onlyInKernelText;
export const trig_rest: (x: number) => number = onlyInKernelText;

/**
 * What a GPU asserts, where CUDA's kernel does: told at the next synchronization (c10/webgpu/interface.ts, Note [An assertion of a kernel]). Nothing on
 * the CPU, where a TORCH_CHECK beside it throws; a TORCH_CHECK is nothing on a GPU.
 */
export const CUDA_KERNEL_ASSERT: (cond: boolean) => void = onlyInKernelText;

/** `expr`, which seldom holds: what a choice needs for the case that it does is computed only where a lane needs it. */
export const C10_UNLIKELY: (expr: boolean) => boolean = onlyInKernelText;
/** -Infinity or the smallest integer. */
export const lower_bound: <_T extends number | boolean>() => number = onlyInKernelText;
/** Infinity or the largest integer. */
export const upper_bound: <_T extends number | boolean>() => number = onlyInKernelText;
/** The smallest and largest finite values, and the distance from 1 to the next number. */
export const lowest: <_T extends number | boolean>() => number = onlyInKernelText;
export const highest: <_T extends number | boolean>() => number = onlyInKernelText;
export const epsilon: <_T extends number | boolean>() => number = onlyInKernelText;
/** Constants of the instance; a branch they rule out is not even written. */
export const is_floating: <_T extends number | boolean>() => boolean = onlyInKernelText;
export const is_integral: <_T extends number | boolean>() => boolean = onlyInKernelText;
export const is_bool: <_T extends number | boolean>() => boolean = onlyInKernelText;
/** Bytes of an element. */
export const sizeof: <_T extends number | boolean>() => number = onlyInKernelText;
/** A new typed array of `n` elements. */
export const scratch: <T extends number | boolean>(n: number) => data<T> = onlyInKernelText;

/** A row of a table: one ScalarType per type variable, then the function. */
export type InstanceRow = readonly [ScalarType, Instance] | readonly [ScalarType, ScalarType, Instance];
/** Instances differ in their parameters; `never` lets every function in, and nobody call one unseen. */
type Instance = (...args: never[]) => unknown;

/** Rows are looked up by `first * NumScalarTypes + second`: a place for every pair, whatever dtypes get kernels. */
function tableOf(rows: readonly InstanceRow[]): unknown[] {
  const pairs = rows[0]?.length === 3;
  const table: unknown[] = new Array(pairs ? NumScalarTypes * NumScalarTypes : NumScalarTypes).fill(null);
  for (const row of rows) {
    if (row.length === 3) table[row[0] * NumScalarTypes + row[1]] = row[2];
    else table[row[0]] = row[1];
  }
  return table;
}

function notImplemented(label: string, dtype: ScalarType): never {
  TORCH_CHECK_NOT_IMPLEMENTED(false, '"', label, "\" not implemented for '", toString(dtype), "'");
  throw new Error("unreachable");
}

/** What AT_DISPATCH_FLOATING_TYPES(dtype, label, ...) refuses, where no instance is looked up. */
export function check_floating_types(dtype: ScalarType, label: string): void {
  if (dtype !== ScalarType.Float && dtype !== ScalarType.Double) notImplemented(label, dtype);
}

/** The same with AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, ...). */
export function check_floating_types_and2(dtype: ScalarType, label: string): void {
  const { Float, Double, Half, BFloat16 } = ScalarType;
  if (dtype !== Float && dtype !== Double && dtype !== Half && dtype !== BFloat16) notImplemented(label, dtype);
}

/** The same with AT_DISPATCH_FLOATING_TYPES_AND3(kLong, kHalf, kBFloat16, ...). */
export function check_floating_types_and3(dtype: ScalarType, label: string): void {
  if (dtype !== ScalarType.Long) check_floating_types_and2(dtype, label);
}

/** The same with AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, ...): numbers, but no complex ones. */
export function check_all_types_and2(dtype: ScalarType, label: string): void {
  if (dtype > ScalarType.Long) check_floating_types_and2(dtype, label);
}

/** The same with AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, ...). */
export function check_all_types_and3(dtype: ScalarType, label: string): void {
  if (dtype !== ScalarType.Bool) check_all_types_and2(dtype, label);
}

/** The same with AT_DISPATCH_INTEGRAL_TYPES. */
export function check_integral_types(dtype: ScalarType, label: string): void {
  if (dtype > ScalarType.Long) notImplemented(label, dtype);
}

/** The parameters of an instance that stand for one of its template: for a row its view, its offset and its strides. */
type Parts<P> = [P] extends [Pointer<unknown>] ? [view: TypedArray, offset: number, ...Strides<P>] : [P];
type Strides<P> =
  P extends Strided<unknown> ? [stride: number, ...(P extends { readonly inner: infer I } ? Strides<I> : [])] : [];
type Expanded<P> = P extends [infer First, ...infer Rest] ? [...Parts<First>, ...Expanded<Rest>] : [];
/** The type of the instances of a `@template` function. */
export type InstanceOf<F> = F extends (...args: infer P) => infer R ? (...args: Expanded<P>) => R : never;

/** The instances of a `@template` function `F`. */
export class Instantiations<F> {
  readonly label: string;
  private readonly rows: readonly InstanceRow[];
  /** By dtype, or pair of dtypes; made at the first call. */
  private table_: readonly (InstanceOf<F> | null | undefined)[] | null = null;

  constructor(label: string, rows: readonly InstanceRow[]) {
    this.label = label;
    this.rows = rows;
  }

  private table(): readonly (InstanceOf<F> | null | undefined)[] {
    return this.table_ ?? (this.table_ = tableOf(this.rows) as (InstanceOf<F> | null)[]);
  }

  /** The instance, or null. */
  find(dtype: ScalarType): InstanceOf<F> | null {
    return this.table()[dtype] ?? null;
  }

  get(dtype: ScalarType): InstanceOf<F> {
    return this.table()[dtype] ?? notImplemented(this.label, dtype);
  }

  get2(first: ScalarType, second: ScalarType): InstanceOf<F> {
    return this.table()[first * NumScalarTypes + second] ?? this.missing(first, second);
  }

  /** Of a pair without instance, the dtype to blame. */
  private missing(first: ScalarType, second: ScalarType): never {
    const begin = first * NumScalarTypes;
    const known = this.table()
      .slice(begin, begin + NumScalarTypes)
      .some(Boolean);
    return notImplemented(this.label, known ? second : first);
  }
}

/** The instance of a template for `dtype`, or NotImplementedError `"sum_cpu" not implemented for 'Bool'`. */
export function AT_DISPATCH<F>(instances: Instantiations<F>, dtype: ScalarType): InstanceOf<F> {
  return instances.get(dtype);
}

/** The instance for two dtypes, in the order of the tag's type variables. */
export function AT_DISPATCH_2<F>(instances: Instantiations<F>, first: ScalarType, second: ScalarType): InstanceOf<F> {
  return instances.get2(first, second);
}

export type CaptureKind = "scalar_t" | "opmath_t" | "as_is";

export interface LoopShape {
  readonly outputs: number;
  readonly inputs: number;
  /** Per type variable, the operand whose dtype chooses the instance. */
  readonly by: readonly number[];
  readonly captures: readonly CaptureKind[];
}

/** `fn(n, m, x0, o0, s0, t0, x1, ..., capture0, ...)`: see tools/codegen/kernels/emit_loop.ts for the names. */
// biome-ignore lint/suspicious/noExplicitAny: one type for every arity; called only by the drivers of Loops.ts
export type LoopFunction = (...args: any[]) => void;

/** The loops of a `@loop` scalar function. */
export class Loops {
  readonly label: string;
  /** The scalar function's name and file: the `source` of a loop event. */
  readonly symbol: string;
  readonly file: string;
  readonly outputs: number;
  readonly operands: number;
  readonly by0: number;
  /** -1 with one type variable. */
  readonly by1: number;
  readonly captures: readonly CaptureKind[];
  private readonly instances_: Instantiations<LoopFunction>;
  /** The same loops for vectors. */
  readonly vec: VecLoops;

  constructor(
    label: string,
    symbol: string,
    file: string,
    shape: LoopShape,
    rows: readonly InstanceRow[],
    simd: string | VecLoops,
  ) {
    this.label = label;
    this.symbol = symbol;
    this.file = file;
    this.outputs = shape.outputs;
    this.operands = shape.outputs + shape.inputs;
    this.by0 = shape.by[0];
    this.by1 = shape.by[1] ?? -1;
    this.captures = shape.captures;
    this.instances_ = new Instantiations<LoopFunction>(label, rows);
    this.vec = typeof simd === "string" ? new VecLoops(simd) : simd;
  }

  get(dtype: ScalarType): LoopFunction {
    return this.instances_.get(dtype);
  }

  get2(first: ScalarType, second: ScalarType): LoopFunction {
    return this.instances_.get2(first, second);
  }

  /** For `dtype` alone, whose elements are taken as those of `as` are. */
  taking(dtype: ScalarType, as: ScalarType): Loops {
    const { outputs, operands, by0, captures } = this;
    const shape = { outputs, inputs: operands - outputs, by: [by0], captures };
    return new Loops(this.label, this.symbol, this.file, shape, [[dtype, this.get(as)]], this.vec.taking(dtype, as));
  }

  /** In JavaScript, one element after the other; `why` is what a recording says. */
  without_vectors(why: string): Loops {
    const vec = VecLoops.refused(why);
    return Object.assign(Object.create(Loops.prototype), this, { vec }) as Loops;
  }
}
