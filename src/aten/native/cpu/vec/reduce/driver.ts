/**
 * @file Drivers of reductions with SIMD: extremes and their indices, `all` and `any`, products, sums of integers. A
 * tile of the reduction goes to a SIMD kernel if its inputs or its outputs are contiguous.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see kernel.ts, integers.ts, prod.ts, truth.ts (the kernels); ../../Reduce.ts (the version without SIMD)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import { AT_DISPATCH, type InstanceOf, type Instantiations } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import type { Loop2d } from "#aten/iterator/TensorIteratorState";
import { default_loop } from "#aten/native/cpu/default_loop";
import { argmax_row_instances, argmin_row_instances } from "#aten/native/cpu/generated/ReduceOpsKernel/index";
import {
  lastdim_of,
  type ReduceRow,
  type ReduceTile,
  type Reduction,
  type Row,
  row_loop,
  tile_loop,
} from "#aten/native/cpu/Reduce";
import {
  and_values,
  max_values,
  min_values,
  min_values_kernel_impl,
  or_values,
  prod_values,
} from "#aten/native/cpu/ReduceOpsKernel/index";
import { integer_sum_values } from "#aten/native/cpu/SumKernel";
import {
  type CompareRow,
  compare_row_loop,
  max_kernel_impl,
  min_kernel_impl,
} from "#aten/native/cpu/TensorCompareKernel/Reduce";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { IntegerReduceKernel_vec } from "#aten/native/cpu/vec/generated/reduce/integers";
import { ReduceOpsKernel_vec } from "#aten/native/cpu/vec/generated/reduce/kernel";
import { ProdKernel_vec } from "#aten/native/cpu/vec/generated/reduce/prod";
import { TruthKernel_vec } from "#aten/native/cpu/vec/generated/reduce/truth";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import {
  and_stub,
  argmax_stub,
  argmin_stub,
  max_values_stub,
  min_values_stub,
  or_stub,
  prod_stub,
} from "#aten/native/ReduceOps/index";
import { max_stub, min_stub } from "#aten/native/TensorCompare/Reduce";
import { divup, GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import type { TensorIterator, TensorIteratorBase } from "#aten/TensorIterator";
import { elementSize, isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** Smallest number of contiguous bytes for which SIMD is faster. */
const LEAST_BYTES = 64;

// ---- values: out[...] = combine(out[...], x[...])

/** out, stride of outputs, x, stride of rows, number of rows, elements in a row. Strides are in bytes. */
type Inner = (out: number, between_out: number, x: number, between: number, count: number, n: number) => void;
/** out, x, stride of rows in bytes, number of columns, number of rows. */
type Outer = (out: number, x: number, stride: number, columns: number, n: number) => void;

interface ValuesTile {
  readonly inner: Inner;
  readonly outer: Outer;
  /** Size of an element in bytes. */
  readonly size: number;
  /** Fallback for tiles in which neither inputs nor outputs are contiguous. */
  readonly plain: InstanceOf<ReduceTile>;
}

interface Way {
  readonly name: "inner" | "outer" | "plain";
  /** The output is the same along a row; there is one output per column. Strides are in elements. */
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly between_out: number;
}

function way_of(os: readonly number[], xs: readonly number[], n0: number, n1: number, size: number): Way {
  const first = os[0] === 0;
  const [row, column] = first ? xs : [xs[1], xs[0]];
  const [rows, columns] = first ? [n0, n1] : [n1, n0];
  const between_out = first ? os[1] : os[0];
  const reduces = first || os[1] === 0;
  const inner = reduces && row === 1 && rows * size >= LEAST_BYTES;
  const outer = reduces && column === 1 && between_out === 1 && columns * size >= LEAST_BYTES;
  return { name: inner ? "inner" : outer ? "outer" : "plain", row, column, rows, columns, between_out };
}

function vec_tile_loop(operands: readonly OperandInfo[], n0: number, n1: number, tile: ValuesTile): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const { size } = tile;
  const xs = [x.inner_stride(), x.outer_stride()];
  const way = way_of([out.inner_stride(), out.outer_stride()], xs, n0, n1, size);
  const [to, from] = [out.offset * size, x.offset * size];
  const grain = divup(GRAIN_SIZE, way.rows); // number of outputs for which another thread is worth its cost
  if (way.name === "plain") tile_loop(operands, n0, n1, tile.plain);
  else if (way.name === "inner") {
    const [apart, between] = [way.between_out * size, way.column * size];
    if (apart === 0)
      tile.inner(to, 0, from, between, way.columns, way.rows); // there is only one result
    else
      parallel_kernel(tile.inner, -1, 0, way.columns, grain, (inner, begin, end) =>
        inner(to + begin * apart, apart, from + begin * between, between, end - begin, way.rows),
      );
  } else {
    const call = (outer: Outer, begin: number, end: number): void =>
      outer(to + begin * size, from + begin * size, way.row * size, end - begin, way.rows);
    parallel_kernel(tile.outer, -1, 0, way.columns, grain, call, LEAST_BYTES / size);
  }
}

/** Functions for a dtype, or null if there is no SIMD kernel for it. */
type Functions = (dtype: ScalarType) => { readonly inner: Inner; readonly outer: Outer } | null;

/** File of the functions. It is a name and not the module itself, so that a module is loaded only when it runs. */
type VecFile = "reduce/kernel" | "reduce/integers" | "reduce/prod" | "reduce/truth";

/** File that has the SIMD kernels for a dtype. */
type FileOf = (dtype: ScalarType) => VecFile;

/** Reduces into an output that already holds initial values. */
function reduce_values(iter: TensorIterator, reduction: Reduction, file: VecFile, functions: Functions): void {
  const dtype = iter.dtype(0);
  const plain = AT_DISPATCH(reduction.instances, dtype);
  const vec = functions(dtype);
  const why = vec === null ? "no SIMD kernel for this dtype" : elsewhere(iter);
  const size = elementSize(dtype);
  if (vec === null || why !== null) {
    if (tracer === null) iter.for_each(tile_loop, plain);
    else callSlow(iter, tile_loop, plain, default_loop(reduction.symbol, reduction.file, dtype, iter.shape(), why));
    return;
  }
  const tile = { ...vec, size, plain };
  if (tracer === null) iter.for_each(vec_tile_loop, tile);
  else callSlow(iter, vec_tile_loop, tile, told_of_values(iter, reduction, file, size));
}

function values_kernel(reduction: Reduction, file_of: FileOf, functions: Functions): (iter: TensorIterator) => void {
  return (iter) => {
    const dtype = iter.dtype(0);
    iter.output().fill__Scalar(reduction.identity(dtype));
    reduce_values(iter, reduction, file_of(dtype), functions);
  };
}

function elsewhere(iter: TensorIteratorBase): string | null {
  for (let k = 0; k < iter.ntensors(); k++) if (!in_heap(iter.tensor(k).impl_)) return "not in the heap";
  return null;
}

function told_of_values(iter: TensorIterator, reduction: Reduction, file: VecFile, size: number): TraceData {
  const [dtype, shape] = [iter.dtype(0), iter.shape()];
  const pair = (strides: readonly number[]): number[] => [strides[0] ?? 0, strides[1] ?? 0];
  const [os, xs] = [pair(iter.strides(0)), pair(iter.strides(1))];
  const way = way_of(os, xs, shape[0] ?? 1, shape[1] ?? 1, size).name;
  if (way === "plain")
    return default_loop(
      reduction.symbol,
      reduction.file,
      dtype,
      shape,
      `no ${LEAST_BYTES} contiguous bytes: strides [${xs}]`,
    );
  const symbol = `${reduction.name}_${way}`;
  const lanes = file === "reduce/truth" ? ScalarType.Float : dtype; // bytes are held in vectors of floats
  return vector_loop(symbol, file, MODULES[file], dtype, shape, "heap", lanes);
}

function callSlow<T>(iter: TensorIteratorBase, loop: Loop2d<[T]>, argument: T, data: TraceData): void {
  const args: Parameters<typeof iter.for_each<[unknown]>> = [loop as Loop2d<[unknown]>, argument];
  traceCall("loop", data["scalar"] as string, iter.for_each.bind(iter), args, data, told_of_threads);
}

const MODULES = {
  "reduce/kernel": ReduceOpsKernel_vec,
  "reduce/integers": IntegerReduceKernel_vec,
  "reduce/prod": ProdKernel_vec,
  "reduce/truth": TruthKernel_vec,
} as const;

function integers(name: "sum" | "prod" | "max_values" | "min_values"): Functions {
  return (dtype) => {
    if (!IntegerReduceKernel_vec.has(dtype)) return null;
    const f = functions_of(IntegerReduceKernel_vec, dtype);
    return { inner: f[`${name}_inner`], outer: f[`${name}_outer`] };
  };
}

function extremes(name: "max_values" | "min_values"): Functions {
  const of_integers = integers(name);
  return (dtype) => {
    if (!ReduceOpsKernel_vec.has(dtype)) return of_integers(dtype);
    const f = functions_of(ReduceOpsKernel_vec, dtype);
    return { inner: f[`${name}_inner`], outer: f[`${name}_outer`] };
  };
}

function products(): Functions {
  const of_integers = integers("prod");
  return (dtype) => {
    if (!ProdKernel_vec.has(dtype)) return of_integers(dtype);
    const f = functions_of(ProdKernel_vec, dtype);
    return { inner: f.prod_inner, outer: f.prod_outer };
  };
}

const integers_apart =
  (others: VecFile): FileOf =>
  (dtype) =>
    isIntegralType(dtype, false) ? "reduce/integers" : others;
const always =
  (file: VecFile): FileOf =>
  () =>
    file;

function truths(name: "and" | "or"): Functions {
  return () => {
    const f = functions_of(TruthKernel_vec, ScalarType.Float);
    return { inner: f[`${name}_inner`], outer: f[`${name}_outer`] };
  };
}

const max_values_vec = values_kernel(max_values, integers_apart("reduce/kernel"), extremes("max_values"));
const min_others_vec = values_kernel(min_values, integers_apart("reduce/kernel"), extremes("min_values"));
/** Sum for any integral dtype. */
export const integer_sum_vec = values_kernel(integer_sum_values, always("reduce/integers"), integers("sum"));
const prod_vec = values_kernel(prod_values, integers_apart("reduce/prod"), products());
function min_values_vec(iter: TensorIterator): void {
  if (iter.dtype(0) === ScalarType.Long) min_values_kernel_impl(iter, smallest_of_int64);
  else min_others_vec(iter);
}
function smallest_of_int64(iter: TensorIterator): void {
  reduce_values(iter, min_values, "reduce/integers", integers("min_values"));
}
const and_vec = values_kernel(and_values, always("reduce/truth"), truths("and"));
const or_vec = values_kernel(or_values, always("reduce/truth"), truths("or"));

REGISTER_ARCH_DISPATCH(max_values_stub, CPUCapability.SIMD128, max_values_vec, "max_values_vec");
REGISTER_ARCH_DISPATCH(min_values_stub, CPUCapability.SIMD128, min_values_vec, "min_values_vec");
REGISTER_ARCH_DISPATCH(prod_stub, CPUCapability.SIMD128, prod_vec, "prod_vec");
REGISTER_ARCH_DISPATCH(and_stub, CPUCapability.SIMD128, and_vec, "and_vec");
REGISTER_ARCH_DISPATCH(or_stub, CPUCapability.SIMD128, or_vec, "or_vec");

// ---- indices: one whole row for each output

type Rows = ReturnType<typeof ReduceOpsKernel_vec.get>["max_rows"];

interface RowsTile {
  readonly rows: Rows;
  readonly n: number;
  readonly size: number;
}

/** Size of an int64 in bytes. */
const INDEX = 8;

/** Operands: the values (optional), the indices, and the input. */
function vec_rows_loop(operands: readonly OperandInfo[], n0: number, n1: number, { rows, n, size }: RowsTile): void {
  const [values, indices, x] = operands.length === 3 ? operands : [null, operands[0], operands[1]];
  const [apart, between, step] = [
    (values?.inner_stride() ?? 0) * size,
    indices.inner_stride() * INDEX,
    x.inner_stride() * size,
  ];
  for (let j = 0; j < n1; j++) {
    const to = (values?.at(0, j) ?? 0) * size;
    const [at, from] = [indices.at(0, j) * INDEX, x.at(0, j) * size];
    parallel_kernel(rows, -1, 0, n0, divup(GRAIN_SIZE, n), (f, begin, end) =>
      f(to + begin * apart, apart, at + begin * between, between, from + begin * step, step, end - begin, n),
    );
  }
}

function why_no_rows(
  iter: TensorIteratorBase,
  dtype: ScalarType,
  { stride, n }: { stride: number; n: number },
): string | null {
  if (!ReduceOpsKernel_vec.has(dtype)) return "no SIMD kernel for this dtype";
  if (stride !== 1) return `stride ${stride}`;
  return n * elementSize(dtype) < LEAST_BYTES ? `rows of fewer than ${LEAST_BYTES} bytes` : elsewhere(iter);
}

/** Reduces rows with SIMD, or with `plain` as the fallback. */
function run_rows<T extends { readonly stride: number; readonly n: number }>(
  iter: TensorIteratorBase,
  dtype: ScalarType,
  name: "max" | "min",
  row: T,
  plain: Loop2d<[T]>,
  told: readonly [symbol: string, file: string],
): void {
  const why = why_no_rows(iter, dtype, row);
  if (why !== null) {
    if (tracer === null) iter.for_each(plain, row);
    else callSlow(iter, plain, row, default_loop(told[0], told[1], dtype, iter.shape(), why));
    return;
  }
  const rows = functions_of(ReduceOpsKernel_vec, dtype)[`${name}_rows`];
  const tile = { rows, n: row.n, size: elementSize(dtype) };
  if (tracer === null) iter.for_each(vec_rows_loop, tile);
  else {
    const data = vector_loop(`${name}_rows`, "reduce/kernel", ReduceOpsKernel_vec, dtype, iter.shape());
    callSlow(iter, vec_rows_loop, tile, data);
  }
}

function arg_kernel(name: "max" | "min", instances: Instantiations<ReduceRow>): (iter: TensorIterator) => void {
  return (iter) => {
    const dtype = iter.dtype(1);
    const { outputs, row } = lastdim_of(iter, AT_DISPATCH(instances, dtype));
    run_rows<Row>(outputs, dtype, name, row, row_loop, [`arg${name}_row`, "ReduceOpsKernel/index"]);
  };
}

const argmax_vec = arg_kernel("max", argmax_row_instances);
const argmin_vec = arg_kernel("min", argmin_row_instances);
REGISTER_ARCH_DISPATCH(argmax_stub, CPUCapability.SIMD128, argmax_vec, "argmax_vec");
REGISTER_ARCH_DISPATCH(argmin_stub, CPUCapability.SIMD128, argmin_vec, "argmin_vec");

type CompareKernel = typeof max_kernel_impl;

/** Kernel of `max` or `min` along a dim. */
function compare_kernel(name: "max" | "min"): CompareKernel {
  const run = (iter: TensorIteratorBase, row: CompareRow): void =>
    run_rows(iter, iter.dtype(2), name, row, compare_row_loop, [`${name}_row`, "TensorCompareKernel/Reduce"]);
  const kernel = name === "max" ? max_kernel_impl : min_kernel_impl;
  return (values, indices, self, dim, keepdim) => kernel(values, indices, self, dim, keepdim, run);
}

REGISTER_ARCH_DISPATCH(max_stub, CPUCapability.SIMD128, compare_kernel("max"), "max_vec");
REGISTER_ARCH_DISPATCH(min_stub, CPUCapability.SIMD128, compare_kernel("min"), "min_vec");
