/**
 * @file Kernels of norms of rows.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type InstanceOf,
  load,
  type opmath_t,
  round_to,
  type row,
  type scalar_t,
  sizeof,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { default_loop } from "#aten/native/cpu/default_loop";
import {
  norm_inf_instances,
  norm_minus_inf_instances,
  norm_one_instances,
  norm_p_instances,
  norm_two_instances,
  norm_two_row_instances,
  norm_zero_instances,
  write_norm_instances,
  write_root_instances,
  write_square_root_instances,
} from "#aten/native/cpu/generated/ReduceOpsKernel/Norm";
import { binary_kernel_reduce, is_reduce_lastdim, type ReduceOps } from "#aten/native/cpu/Reduce";
import { norm_two_rows_loop } from "#aten/native/cpu/vec/reduce/norm_driver";
import { CPUCapability, get_cpu_capability, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { norm_stub } from "#aten/native/ReduceOps/Norm";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { abs, max_propagate_nan, min_propagate_nan, pow, sqrt } from "#c10/util/math";
import { traceCall, tracer } from "#c10/util/Trace";

// Each function takes n elements into acc[0]. The norm of halves is kept in float.

/** Number of nonzero elements. @template norm_cpu: floating types and halves */
export function norm_zero(acc: data<opmath_t>, x: row<scalar_t>, n: number): void {
  let norm: opmath_t = load(acc, 0);
  for (let i = 0; i < n; i++) if (load(x, i) !== 0) norm = norm + 1;
  store(acc, 0, norm);
}

/** @template norm_cpu: floating types and halves */
export function norm_one(acc: data<opmath_t>, x: row<scalar_t>, n: number): void {
  let norm: opmath_t = load(acc, 0);
  for (let i = 0; i < n; i++) norm = norm + abs(cast<opmath_t>(load(x, i)));
  store(acc, 0, norm);
}

/** @template norm_cpu: floating types and halves */
export function norm_two(acc: data<opmath_t>, x: row<scalar_t>, n: number): void {
  let norm: opmath_t = load(acc, 0);
  for (let i = 0; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(x, i));
    norm = norm + v * v;
  }
  store(acc, 0, norm);
}

/** @template norm_cpu: floating types and halves */
export function norm_inf(acc: data<opmath_t>, x: row<scalar_t>, n: number): void {
  let norm: opmath_t = load(acc, 0);
  for (let i = 0; i < n; i++) norm = max_propagate_nan(norm, abs(cast<opmath_t>(load(x, i))));
  store(acc, 0, norm);
}

/** @template norm_cpu: floating types and halves */
export function norm_minus_inf(acc: data<opmath_t>, x: row<scalar_t>, n: number): void {
  let norm: opmath_t = load(acc, 0);
  for (let i = 0; i < n; i++) norm = min_propagate_nan(norm, abs(cast<opmath_t>(load(x, i))));
  store(acc, 0, norm);
}

/** acc[1] is p. @template norm_cpu: floating types and halves */
export function norm_p(acc: data<opmath_t>, x: row<scalar_t>, n: number): void {
  let norm: opmath_t = load(acc, 0);
  const p: opmath_t = load(acc, 1);
  for (let i = 0; i < n; i++) norm = norm + pow(abs(cast<opmath_t>(load(x, i))), p);
  store(acc, 0, norm);
}

/** @template norm_cpu: floating types and halves */
export function write_norm(out: row<scalar_t>, acc: data<opmath_t>): void {
  store(out, 0, cast<scalar_t>(load(acc, 0)));
}

/** @template norm_cpu: floating types and halves */
export function write_square_root(out: row<scalar_t>, acc: data<opmath_t>): void {
  store(out, 0, cast<scalar_t>(sqrt(load(acc, 0))));
}

/** @template norm_cpu: floating types and halves */
export function write_root(out: row<scalar_t>, acc: data<opmath_t>): void {
  const root: opmath_t = 1 / load(acc, 1);
  store(out, 0, cast<scalar_t>(pow(load(acc, 0), root)));
}

/**
 * 2-norm of `n` contiguous elements, added like vectors of 32 bytes: first each lane, then the lanes together, then the
 * remaining elements.
 * @template norm_cpu: floating types and halves
 */
export function norm_two_row(out: row<scalar_t>, x: row<scalar_t>, n: number, acc: data<opmath_t>): void {
  const lanes = 32 / sizeof<opmath_t>();
  const whole = n - (n % (32 / sizeof<scalar_t>()));
  for (let k = 0; k < lanes; k++) store(acc, k, 0);
  for (let i = 0; i < whole; i += lanes) {
    for (let k = 0; k < lanes; k++) {
      const v: opmath_t = cast<opmath_t>(load(x, i + k));
      store(acc, k, load(acc, k) + round_to<opmath_t>(v * v));
    }
  }
  let norm: opmath_t = load(acc, 0);
  for (let k = 1; k < lanes; k++) norm = round_to<opmath_t>(norm + load(acc, k));
  for (let i = whole; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(x, i));
    norm = round_to<opmath_t>(norm + round_to<opmath_t>(v * v));
  }
  store(out, 0, cast<scalar_t>(sqrt(norm)));
}

interface Row {
  readonly run: InstanceOf<typeof norm_two_row>;
  readonly n: number;
  readonly acc: TypedArray;
}

function norm_two_loop(operands: readonly OperandInfo[], n0: number, n1: number, { run, n, acc }: Row): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  for (let j = 0; j < n1; j++)
    for (let i = 0; i < n0; i++) run(out.view(), out.at(i, j), 0, x.view(), x.at(i, j), 1, n, acc);
}

/** Scratch array: eight lanes of a vector, or the state of a norm and p. */
function accumulator(dtype: ScalarType): TypedArray {
  return dtype === ScalarType.Double ? new Float64Array(8) : new Float32Array(8);
}

function norm_two_rows(outputs: TensorIteratorBase, n: number): void {
  const dtype = outputs.dtype(1);
  const run = AT_DISPATCH(norm_two_row_instances, dtype);
  outputs.for_each(norm_two_loop, { run, n, acc: accumulator(dtype) });
}

function instances_of(p: number) {
  switch (p) {
    case 0:
      return ["norm_zero", norm_zero_instances, write_norm_instances] as const;
    case 1:
      return ["norm_one", norm_one_instances, write_norm_instances] as const;
    case 2:
      return ["norm_two", norm_two_instances, write_square_root_instances] as const;
    case Infinity:
      return ["norm_inf", norm_inf_instances, write_norm_instances] as const;
    case -Infinity:
      return ["norm_minus_inf", norm_minus_inf_instances, write_norm_instances] as const;
    default:
      return ["norm_p", norm_p_instances, write_root_instances] as const;
  }
}

function norm_kernel_tensor_iterator_impl(iter: TensorIterator, p: Scalar): void {
  TORCH_CHECK(p.isIntegral(false) || p.isFloatingPoint(), "norm_kernel_cpu expects norm to be integer or float");
  const val = p.toDouble();
  if (iter.numel() === 0) {
    iter.output().fill__Scalar(Scalar.fromDouble(val < 0 ? Infinity : 0));
    return;
  }
  if (val === 2 && is_reduce_lastdim(iter)) {
    const outputs = TensorIterator.copyOf(iter);
    outputs.narrow(0, 0, 1);
    norm_two_rows_loop(outputs, iter.shape()[0], norm_two_rows);
    return;
  }
  const dtype = iter.dtype(1);
  const [symbol, steps, writes] = instances_of(val);
  const write = AT_DISPATCH(writes, dtype);
  const acc = accumulator(dtype);
  acc[1] = val;
  const ops: ReduceOps = {
    acc,
    begin(state) {
      state[0] = val === -Infinity ? Infinity : 0;
    },
    step: AT_DISPATCH(steps, dtype),
    project: (state, [out], i, j) => write(out.view(), out.at(i, j), 0, state),
  };
  if (tracer === null) binary_kernel_reduce(iter, ops);
  else callSlow(iter, ops, symbol);
}

function callSlow(iter: TensorIterator, ops: ReduceOps, symbol: string): void {
  const why = symbol === "norm_two" ? "rows that are not contiguous" : "no SIMD loop";
  const known = get_cpu_capability() === CPUCapability.DEFAULT ? null : why;
  const told = default_loop(symbol, "ReduceOpsKernel/Norm", iter.dtype(1), iter.shape(), known);
  traceCall("loop", told["scalar"] as string, binary_kernel_reduce, [iter, ops], told);
}

REGISTER_DISPATCH(norm_stub, norm_kernel_tensor_iterator_impl, "norm_kernel_tensor_iterator_impl");
