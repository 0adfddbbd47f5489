/**
 * @file The language of kernel text, and the selection of a kernel's instance by dtype.
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
// `row<scalar_t>` replaces three parameters: a view of memory, the offset of the first element, and the distance
// between elements. It is no object. Codegen expands a row into its parts wherever it appears, as a parameter, a
// variable or an argument:
//
//     gather_line(out: row<scalar_t>, ...)     function gather_line_float32(out: Float32Array, out_offset: number, out_stride: number, ...)
//     load(out, i)                             out[out_offset + i * out_stride]
//     row<row<scalar_t>>                       out, out_offset, out_stride, out_inner_stride: a matrix; `row_at(out, j)` is its row j
//     pointer<scalar_t>                        out, out_offset: elements side by side, C++'s `scalar_t*`
//     row<pointer<scalar_t>>                   out, out_offset, out_stride: a matrix whose rows are such
//
// An ordinary caller of an instance does the same (`InstanceOf` is its type): it passes view, offset and stride(s), in
// this order. Objects would be easier to read there, but a driver makes a row for every line of a tensor: it would
// allocate one object per line, or share an object whose fields the instance must load again in every line. Numbers
// stay in registers and cost a 4-element tensor nothing.

/** The element type of the instance. */
export type scalar_t = number;
/** The type in which scalar_t computes: float32 for the halves, otherwise scalar_t itself. */
export type opmath_t = number;
/** The type in which sums of scalar_t are accumulated: float64 for float32, int64 for integers. */
export type acc_t = number;
/** `opmath_t` and `acc_t` for another type variable. */
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
/** A typed array of elements T; the `T` is used by codegen. */
export type data<T extends number | boolean> = TypedArray & { readonly element?: T };
/** Elements T, or rows, at a constant distance. See Note [Rows]. */
export type row<T> = T extends { readonly view: infer V } ? { readonly inner: T } & Strided<V> : Strided<data<number>>;
/** Elements T side by side: a row of stride 1, which has no parameter for it. */
export type pointer<T extends number | boolean> = Pointer<data<T>>;
interface Pointer<V> {
  readonly view: V;
  /** Offset of the first element, in elements from the beginning of the view. */
  readonly offset: number;
}
interface Strided<V> extends Pointer<V> {
  readonly stride: number;
}
/** A Scalar passed with the call, as scalar_t; `captured<T>` is passed through unchanged. */
export type captured<T = number> = T;
/** A Scalar passed with the call, as opmath_t. */
export type captured_opmath = number;

function onlyInKernelText(): never {
  throw new Error("kernel text was called directly; call its instance from the generated file");
}
// The type parameters below are used by codegen; TypeScript does not need them.
/** Element `i` of `x`. */
export const load: (x: Pointer<unknown> | TypedArray, i: number) => number = onlyInKernelText;
/** Assigns `x[i] = v`, rounded or wrapped as the dtype requires. */
export const store: (x: Pointer<unknown> | TypedArray, i: number, v: number | boolean) => void = onlyInKernelText;
/** Row `i` of a row of rows. */
export const row_at: <T>(x: { readonly inner: T }, i: number) => T = onlyInKernelText;
/** The rest of `x`, from element (or row) `i` on. */
export const row_from: <R extends Pointer<unknown>>(x: R, i: number) => R = onlyInKernelText;
/** C++'s `static_cast`. */
export const cast: <T extends number | boolean>(v: number | boolean | bigint) => T = onlyInKernelText;
/** `v` as if it were stored as T and loaded again. */
export const round_to: <T extends number | boolean>(v: number | boolean) => T = onlyInKernelText;
/** Reinterprets the bits as another type of the same size. */
export const bit_cast: <T extends number>(v: number) => T = onlyInKernelText;
/** `a * b + c`; fused, with one rounding, if the machine can. It and the three below are used only in functions of `cpu/vec`. */
export const fmadd: (a: number, b: number, c: number) => number = onlyInKernelText;
/** The smaller (larger) of two; `a` if either is NaN. */
export const pmin: (a: number, b: number) => number = onlyInKernelText;
export const pmax: (a: number, b: number) => number = onlyInKernelText;
// ---- used only in functions of `aten/webgpu/math`
/** The nearest integer, ties to even. */
export const nearest: (x: number) => number = onlyInKernelText;
/** `base` to the power of an integer `exponent`. */
export const powi: (base: number, exponent: number) => number = onlyInKernelText;
/** The greatest common divisor. */
export const calc_gcd: (a: number, b: number) => number = onlyInKernelText;
/** x = n pi / 2 + r, with |r| at most pi / 4: these give n modulo 4, and r. */
export const trig_quadrant: (x: number) => number = onlyInKernelText;
export const trig_rest: (x: number) => number = onlyInKernelText;

/**
 * The condition that CUDA's kernel asserts. On a GPU a failure is reported at the next synchronization
 * (c10/webgpu/interface.ts, Note [An assertion of a kernel]). On the CPU it does nothing: a TORCH_CHECK beside it
 * throws, and that one does nothing on a GPU.
 */
export const CUDA_KERNEL_ASSERT: (cond: boolean) => void = onlyInKernelText;

/**
 * Marks a condition that seldom holds: values needed only by that branch of a choice are computed only if some lane needs them.
 */
export const C10_UNLIKELY: (expr: boolean) => boolean = onlyInKernelText;
/** -Infinity or the smallest integer. */
export const lower_bound: <_T extends number | boolean>() => number = onlyInKernelText;
/** Infinity or the largest integer. */
export const upper_bound: <_T extends number | boolean>() => number = onlyInKernelText;
/** The smallest and largest finite values, and the distance from 1 to the next number. */
export const lowest: <_T extends number | boolean>() => number = onlyInKernelText;
export const highest: <_T extends number | boolean>() => number = onlyInKernelText;
export const epsilon: <_T extends number | boolean>() => number = onlyInKernelText;
/** Constants of the instance; a branch that they exclude is not even generated. */
export const is_floating: <_T extends number | boolean>() => boolean = onlyInKernelText;
export const is_integral: <_T extends number | boolean>() => boolean = onlyInKernelText;
export const is_bool: <_T extends number | boolean>() => boolean = onlyInKernelText;
/** Size of an element in bytes. */
export const sizeof: <_T extends number | boolean>() => number = onlyInKernelText;
/** A new typed array of `n` elements. */
export const scratch: <T extends number | boolean>(n: number) => data<T> = onlyInKernelText;

/** A row of the table of instances: one ScalarType per type variable, then the function. */
export type InstanceRow = readonly [ScalarType, Instance] | readonly [ScalarType, ScalarType, Instance];
/**
 * Type of any instance. Instances differ in their parameters; `never` accepts every function and prevents calls without
 * a proper type.
 */
type Instance = (...args: never[]) => unknown;

/** Table index is `first * NumScalarTypes + second`: there is a place for every pair of dtypes. */
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

/** The check of AT_DISPATCH_FLOATING_TYPES(dtype, label, ...), for callers that look up no instance. */
export function check_floating_types(dtype: ScalarType, label: string): void {
  if (dtype !== ScalarType.Float && dtype !== ScalarType.Double) notImplemented(label, dtype);
}

/** The check of AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, ...). */
export function check_floating_types_and2(dtype: ScalarType, label: string): void {
  const { Float, Double, Half, BFloat16 } = ScalarType;
  if (dtype !== Float && dtype !== Double && dtype !== Half && dtype !== BFloat16) notImplemented(label, dtype);
}

/** The check of AT_DISPATCH_FLOATING_TYPES_AND3(kLong, kHalf, kBFloat16, ...). */
export function check_floating_types_and3(dtype: ScalarType, label: string): void {
  if (dtype !== ScalarType.Long) check_floating_types_and2(dtype, label);
}

/** The check of AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, ...): all numeric dtypes except complex ones. */
export function check_all_types_and2(dtype: ScalarType, label: string): void {
  if (dtype > ScalarType.Long) check_floating_types_and2(dtype, label);
}

/** The check of AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, ...). */
export function check_all_types_and3(dtype: ScalarType, label: string): void {
  if (dtype !== ScalarType.Bool) check_all_types_and2(dtype, label);
}

/** The check of AT_DISPATCH_INTEGRAL_TYPES. */
export function check_integral_types(dtype: ScalarType, label: string): void {
  if (dtype > ScalarType.Long) notImplemented(label, dtype);
}

/**
 * The parameters of an instance that replace one parameter of the template: a row becomes its view, its offset and its strides.
 */
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
  /** Instances by dtype or pair of dtypes; built at the first call. */
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

  /** The dtype to name in the error if a pair has no instance. */
  private missing(first: ScalarType, second: ScalarType): never {
    const begin = first * NumScalarTypes;
    const known = this.table()
      .slice(begin, begin + NumScalarTypes)
      .some(Boolean);
    return notImplemented(this.label, known ? second : first);
  }
}

/** The instance of a template for `dtype`; throws NotImplementedError `"sum_cpu" not implemented for 'Bool'`. */
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
  /** The operand whose dtype selects the instance, for each type variable. */
  readonly by: readonly number[];
  readonly captures: readonly CaptureKind[];
}

/** `fn(n, m, x0, o0, s0, t0, x1, ..., capture0, ...)`: see tools/codegen/kernels/emit_loop.ts for the names. */
// biome-ignore lint/suspicious/noExplicitAny: one type for every arity; called only by the drivers of Loops.ts
export type LoopFunction = (...args: any[]) => void;

/** The loops of a `@loop` scalar function. */
export class Loops {
  readonly label: string;
  /** Name and file of the scalar function: the `source` of a trace's loop event. */
  readonly symbol: string;
  readonly file: string;
  readonly outputs: number;
  readonly operands: number;
  readonly by0: number;
  /** -1 if there is only one type variable. */
  readonly by1: number;
  readonly captures: readonly CaptureKind[];
  private readonly instances_: Instantiations<LoopFunction>;
  /** These loops with vectors. */
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

  /** The loops with one change: elements of `dtype` are handled like those of `as`. */
  taking(dtype: ScalarType, as: ScalarType): Loops {
    const { outputs, operands, by0, captures } = this;
    const shape = { outputs, inputs: operands - outputs, by: [by0], captures };
    return new Loops(this.label, this.symbol, this.file, shape, [[dtype, this.get(as)]], this.vec.taking(dtype, as));
  }

  /** The loops in JavaScript only, element by element; traces show `why`. */
  without_vectors(why: string): Loops {
    const vec = VecLoops.refused(why);
    return Object.assign(Object.create(Loops.prototype), this, { vec }) as Loops;
  }
}
