/**
 * @file Kernels of extremes, their indices, products, and `all` and `any`.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type Instantiations,
  type int64,
  is_floating,
  load,
  round_to,
  type row,
  row_at,
  type scalar_t,
  scratch,
  sizeof,
  store,
} from "#aten/Dispatch";
import { empty_cpu } from "#aten/EmptyTensor";
import { copy_ } from "#aten/native/Copy";
import {
  and_tile_instances,
  argmax_row_instances,
  argmin_row_instances,
  max_values_tile_instances,
  min_values_tile_instances,
  or_tile_instances,
  prod_tile_instances,
} from "#aten/native/cpu/generated/ReduceOpsKernel/index";
import {
  binary_kernel_reduce_lastdim,
  binary_kernel_reduce_vec,
  type ReduceTile,
  type Reduction,
} from "#aten/native/cpu/Reduce";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { fill__Scalar } from "#aten/native/Fill";
import {
  and_stub,
  argmax_stub,
  argmin_stub,
  max_values_stub,
  min_values_stub,
  or_stub,
  prod_stub,
} from "#aten/native/ReduceOps/index";
import { TensorIterator } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";

/** NaN counts as the largest value. @template max_values_cpu: Bool, all types and halves */
export function max_values_tile(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    const to = row_at(out, j);
    const from = row_at(x, j);
    if (to.stride === 0) {
      let max: scalar_t = load(to, 0);
      for (let i = 0; i < n0; i++) {
        const v: scalar_t = load(from, i);
        if (v > max || v !== v) max = v;
      }
      store(to, 0, max);
    } else {
      for (let i = 0; i < n0; i++) {
        const v: scalar_t = load(from, i);
        if (v > load(to, i) || v !== v) store(to, i, v);
      }
    }
  }
}

/** NaN counts as the smallest value. @template min_values_cpu: Bool, all types and halves */
export function min_values_tile(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    const to = row_at(out, j);
    const from = row_at(x, j);
    if (to.stride === 0) {
      let min: scalar_t = load(to, 0);
      for (let i = 0; i < n0; i++) {
        const v: scalar_t = load(from, i);
        if (v < min || v !== v) min = v;
      }
      store(to, 0, min);
    } else {
      for (let i = 0; i < n0; i++) {
        const v: scalar_t = load(from, i);
        if (v < load(to, i) || v !== v) store(to, i, v);
      }
    }
  }
}

// ATen's Vectorized<T>::size(): the elements in AVX2's 32 bytes, on every machine.
const VECTOR_NBYTES = 32;

/**
 * `product` times `n` elements. Contiguous elements are multiplied in the order of PyTorch's vectors: four vectors at a
 * time, each lane by itself; then the four vectors, the lanes, and the remaining elements.
 * @template prod_out_cpu: floating types and halves
 */
export function prod_vectors(product: scalar_t, x: row<scalar_t>, n: number): scalar_t {
  const lanes = VECTOR_NBYTES / sizeof<scalar_t>();
  const columns = 4 * lanes;
  const whole = x.stride === 1 ? n - (n % columns) : 0;
  let result: scalar_t = product;
  if (whole > 0) {
    const acc = scratch<scalar_t>(columns);
    for (let k = 0; k < columns; k++) store(acc, k, load(x, k));
    for (let i = columns; i < whole; i += columns)
      for (let k = 0; k < columns; k++) store(acc, k, load(acc, k) * load(x, i + k));
    let of_lanes: scalar_t = 1;
    for (let k = 0; k < lanes; k++) {
      const low: scalar_t = round_to<scalar_t>(load(acc, k) * load(acc, k + lanes));
      const high: scalar_t = round_to<scalar_t>(load(acc, k + 2 * lanes) * load(acc, k + 3 * lanes));
      of_lanes = round_to<scalar_t>(of_lanes * round_to<scalar_t>(low * high));
    }
    result = round_to<scalar_t>(result * of_lanes);
  }
  for (let i = whole; i < n; i++) result = round_to<scalar_t>(result * load(x, i));
  return result;
}

/** Integers can be multiplied in any order. @template prod_out_cpu: Bool, all types and halves */
export function prod_row(product: scalar_t, x: row<scalar_t>, n: number): scalar_t {
  let result: scalar_t = product;
  for (let i = 0; i < n; i++) result = result * load(x, i);
  return result;
}
export function prod_row$floating(product: scalar_t, x: row<scalar_t>, n: number): scalar_t {
  return prod_vectors(product, x, n);
}
export function prod_row$reduced(product: scalar_t, x: row<scalar_t>, n: number): scalar_t {
  return prod_vectors(product, x, n);
}

/** @template prod_out_cpu: Bool, all types and halves */
export function prod_tile(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    const to = row_at(out, j);
    const from = row_at(x, j);
    if (to.stride === 0) {
      store(to, 0, prod_row(load(to, 0), from, n0));
    } else {
      for (let i = 0; i < n0; i++) store(to, i, load(to, i) * load(from, i));
    }
  }
}

/** @template and_kernel: Bool, Byte */
export function and_tile(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      const both = load(row_at(out, j), i) !== 0 && load(row_at(x, j), i) !== 0;
      store(row_at(out, j), i, both ? 1 : 0);
    }
  }
}

/** @template or_kernel: Bool, Byte */
export function or_tile(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      const either = load(row_at(out, j), i) !== 0 || load(row_at(x, j), i) !== 0;
      store(row_at(out, j), i, either ? 1 : 0);
    }
  }
}

/** Index of the first maximum, or of the first NaN if there is one. @template argmax_cpu: all types and halves */
export function argmax_row(out: row<int64>, x: row<scalar_t>, n: number): void {
  let max: scalar_t = load(x, 0);
  let at = 0;
  for (let i = 1; i < n; i++) {
    if (is_floating<scalar_t>() && max !== max) break;
    const v: scalar_t = load(x, i);
    if (v > max || v !== v) {
      max = v;
      at = i;
    }
  }
  store(out, 0, cast<int64>(at));
}

/** Index of the first minimum, or of the first NaN if there is one. @template argmin_cpu: all types and halves */
export function argmin_row(out: row<int64>, x: row<scalar_t>, n: number): void {
  let min: scalar_t = load(x, 0);
  let at = 0;
  for (let i = 1; i < n; i++) {
    if (is_floating<scalar_t>() && min !== min) break;
    const v: scalar_t = load(x, i);
    if (v < min || v !== v) {
      min = v;
      at = i;
    }
  }
  store(out, 0, cast<int64>(at));
}

const lowestIntegers: ReadonlyMap<ScalarType, bigint> = new Map([
  [ScalarType.Byte, 0n],
  [ScalarType.Char, -128n],
  [ScalarType.Short, -32768n],
  [ScalarType.Int, -2147483648n],
  [ScalarType.Long, -9223372036854775808n],
] as [ScalarType, bigint][]);

/** The smallest value of a dtype. */
function lowerBound(dtype: ScalarType): Scalar {
  if (dtype === ScalarType.Bool) return Scalar.FALSE;
  if (isFloatingType(dtype)) return Scalar.fromDouble(-Infinity);
  return Scalar.fromInt(lowestIntegers.get(dtype) ?? 0n);
}

function upperBound(dtype: ScalarType): Scalar {
  if (dtype === ScalarType.Bool) return Scalar.TRUE;
  if (isFloatingType(dtype)) return Scalar.fromDouble(Infinity);
  return Scalar.fromInt(dtype === ScalarType.Byte ? 255n : -1n - (lowestIntegers.get(dtype) ?? 0n));
}

function reduction(name: string, instances: Instantiations<ReduceTile>, identity: Reduction["identity"]): Reduction {
  return { name, instances, identity, symbol: `${name}_tile`, file: "ReduceOpsKernel/index" };
}

export const max_values = reduction("max_values", max_values_tile_instances, lowerBound);
export const min_values = reduction("min_values", min_values_tile_instances, upperBound);
export const and_values = reduction("and", and_tile_instances, () => Scalar.ONE);
export const prod_values = reduction("prod", prod_tile_instances, () => Scalar.ONE);
export const or_values = reduction("or", or_tile_instances, () => Scalar.ZERO);

function reduce(iter: TensorIterator, { instances, identity }: Reduction): void {
  const dtype = iter.dtype(0);
  const tile = AT_DISPATCH(instances, dtype);
  iter.output().fill__Scalar(identity(dtype));
  binary_kernel_reduce_vec(iter, tile);
}

function max_values_kernel_impl(iter: TensorIterator): void {
  reduce(iter, max_values);
}

/** `run` reduces an int64 input into an output that already holds values. */
export function min_values_kernel_impl(iter: TensorIterator, run = min_values_without_vectors): void {
  const dtype = iter.dtype(0);
  if (dtype === ScalarType.Long) {
    // PyTorch has no int64 vectors for this reduction: an output is written after its row has been read, so it may be
    // the input itself.
    const [out, x] = [iter.output(), iter.tensor(1)];
    const apart = out.is_alias_of(x)
      ? TensorIterator.reduce_op(out, copy_(empty_cpu(x.sizes(), dtype), x, false))
      : iter;
    fill__Scalar(out, upperBound(dtype));
    run(apart);
    return;
  }
  reduce(iter, min_values);
}

function min_values_without_vectors(iter: TensorIterator): void {
  binary_kernel_reduce_vec(iter, AT_DISPATCH(min_values_tile_instances, iter.dtype(0)));
}

function and_kernel_impl(iter: TensorIterator): void {
  reduce(iter, and_values);
}

function prod_kernel_impl(iter: TensorIterator): void {
  reduce(iter, prod_values);
}

function or_kernel_impl(iter: TensorIterator): void {
  reduce(iter, or_values);
}

function argmax_kernel_impl(iter: TensorIterator): void {
  binary_kernel_reduce_lastdim(iter, AT_DISPATCH(argmax_row_instances, iter.dtype(1)));
}

function argmin_kernel_impl(iter: TensorIterator): void {
  binary_kernel_reduce_lastdim(iter, AT_DISPATCH(argmin_row_instances, iter.dtype(1)));
}

REGISTER_DEFAULT_DISPATCH(max_values_stub, max_values_kernel_impl, "max_values_kernel_impl");
REGISTER_DEFAULT_DISPATCH(min_values_stub, (iter) => min_values_kernel_impl(iter), "min_values_kernel_impl");
REGISTER_DEFAULT_DISPATCH(and_stub, and_kernel_impl, "and_kernel_impl");
REGISTER_DEFAULT_DISPATCH(or_stub, or_kernel_impl, "or_kernel_impl");
REGISTER_DEFAULT_DISPATCH(prod_stub, prod_kernel_impl, "prod_kernel_impl");
REGISTER_DEFAULT_DISPATCH(argmax_stub, argmax_kernel_impl, "argmax_kernel_impl");
REGISTER_DEFAULT_DISPATCH(argmin_stub, argmin_kernel_impl, "argmin_kernel_impl");
