/**
 * @file Kernels and drivers of the maximum and minimum of all elements, with SIMD.
 * @mirrors aten/src/ATen/native/cpu/ReduceAllOpsKernel.cpp
 * @see ../../ReduceAllOpsKernel.ts (the version without SIMD)
 * @vec ReduceAllOpsKernel: float32, float64, float16, bfloat16
 */
import { address_of, in_heap, workspace } from "#aten/cpu/vec/heap";
import {
  type float,
  type int,
  lane,
  lanes,
  load,
  load_one,
  type Mask,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store_one,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { max_all_kernel_impl, min_all_kernel_impl } from "#aten/native/cpu/ReduceAllOpsKernel";
import { aminmax_allreduce_kernel } from "#aten/native/cpu/TensorCompareKernel/Aminmax";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { greater, greater_one, greatest_of_lanes } from "#aten/native/cpu/vec/functions";
import { ReduceAllOpsKernel_vec } from "#aten/native/cpu/vec/generated/reduce/all";
import { IntegerReduceKernel_vec } from "#aten/native/cpu/vec/generated/reduce/integers";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { max_all_stub, min_all_stub } from "#aten/native/ReduceAllOps";
import { aminmax_allreduce_stub } from "#aten/native/ReduceOps/Aminmax";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { elementSize } from "#c10/core/ScalarType";
import { nothing, traceCall, tracer } from "#c10/util/Trace";

/**
 * Maximum of `n` > 0 contiguous elements, or NaN if one is NaN. If `sign` is -1: the maximum of the negated elements.
 */
export function greatest(x: ptr, n: int, sign: float): float {
  const s: Vec = splat(sign);
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  const bytes = n * sizeof<scalar_t>();
  const end = x + bytes;
  const whole = x + (bytes & -(4 * vec_bytes<scalar_t>()));
  for (; x < whole; x += 4 * vec_bytes<scalar_t>()) {
    m0 = greater(m0, load(x) * s);
    m1 = greater(m1, load(x + vec_bytes<scalar_t>()) * s);
    m2 = greater(m2, load(x + 2 * vec_bytes<scalar_t>()) * s);
    m3 = greater(m3, load(x + 3 * vec_bytes<scalar_t>()) * s);
  }
  let max: float = greatest_of_lanes(greater(greater(m0, m1), greater(m2, m3)));
  for (; x < end; x += sizeof<scalar_t>()) max = greater_one(max, load_one(x) * sign);
  return max * sign;
}

/** Smaller value of each lane; NaN stays NaN. @inline */
function smaller(min: Vec, v: Vec): Vec {
  const better: Mask = v < min || v !== v;
  return better ? v : min;
}

/** @inline */
function smaller_one(min: float, v: float): float {
  return v < min || v !== v ? v : min;
}

/**
 * Writes the minimum of `n` > 0 contiguous elements to `out` and the maximum after it. Both are NaN if one element is
 * NaN.
 */
export function least_and_greatest(out: ptr, x: ptr, n: int): void {
  let l0: Vec = Infinity;
  let l1: Vec = Infinity;
  let g0: Vec = -Infinity;
  let g1: Vec = -Infinity;
  const bytes = n * sizeof<scalar_t>();
  const end = x + bytes;
  const whole = x + (bytes & -(2 * vec_bytes<scalar_t>()));
  for (; x < whole; x += 2 * vec_bytes<scalar_t>()) {
    const v: Vec = load(x);
    const w: Vec = load(x + vec_bytes<scalar_t>());
    l0 = smaller(l0, v);
    l1 = smaller(l1, w);
    g0 = greater(g0, v);
    g1 = greater(g1, w);
  }
  const l: Vec = smaller(l0, l1);
  let min: float = smaller_one(lane(l, 0), lane(l, 1));
  if (lanes<scalar_t>() === 4) {
    min = smaller_one(min, lane(l, lanes<scalar_t>() - 2));
    min = smaller_one(min, lane(l, lanes<scalar_t>() - 1));
  }
  let max: float = greatest_of_lanes(greater(g0, g1));
  for (; x < end; x += sizeof<scalar_t>()) {
    min = smaller_one(min, load_one(x));
    max = greater_one(max, load_one(x));
  }
  store_one(out, min);
  store_one(out + sizeof<scalar_t>(), max);
}

// Drivers
// -----------------------------------------------------------------------------------------------------------------

/** Smallest number of elements for which SIMD is faster. */
const FEWEST = 16;
/** Scratch memory for one element, in bytes. */
const SLOT = 16;

type Kernel = typeof max_all_kernel_impl;
type Which = "max" | "min";

function vec_kernel(which: Which, plain: Kernel): Kernel {
  return (result, input) => {
    const is_integral = IntegerReduceKernel_vec.has(input.scalar_type());
    const slot = is_integral ? workspace(SLOT) : 0;
    const why = is_integral && slot === 0 ? "not in the heap" : why_not(input);
    if (why !== null) plain(result, input, why);
    else result.fill__Scalar(is_integral ? of_integers(which, input, slot) : of_floats(which, input));
  };
}

function of_floats(which: Which, input: Tensor): Scalar {
  const dtype = input.scalar_type();
  const f = functions_of(ReduceAllOpsKernel_vec, dtype).greatest;
  const args: [ptr, int, float] = [address_of(input.impl_), input.numel(), which === "max" ? 1 : -1];
  if (tracer === null) return Scalar.fromDouble(f(...args));
  const data = vector_loop("greatest", "reduce/all", ReduceAllOpsKernel_vec, dtype, input.sizes());
  return Scalar.fromDouble(traceCall("loop", "at::native::greatest", f, args, data, nothing));
}

/** `slot` first holds the first element, and finally the result. */
function of_integers(which: Which, input: Tensor, slot: ptr): Scalar {
  const dtype = input.scalar_type();
  const f = functions_of(IntegerReduceKernel_vec, dtype)[`${which}_values_inner`];
  const heap = input.data_view() as BigInt64Array;
  const place = slot / elementSize(dtype);
  heap[place] = heap[input.data_offset()];
  const args: [ptr, int, ptr, int, int, int] = [slot, 0, address_of(input.impl_), 0, 1, input.numel()];
  if (tracer === null) f(...args);
  else {
    const symbol = `${which}_values_inner`;
    const data = vector_loop(symbol, "reduce/integers", IntegerReduceKernel_vec, dtype, input.sizes());
    traceCall("loop", `at::native::${symbol}`, f, args, data, nothing);
  }
  return Scalar.fromInt(heap[place]);
}

function why_not(input: Tensor): string | null {
  const dtype = input.scalar_type();
  if (!ReduceAllOpsKernel_vec.has(dtype) && !IntegerReduceKernel_vec.has(dtype)) return "no SIMD kernel for this dtype";
  if (input.numel() < FEWEST) return `n < ${FEWEST}`;
  return in_heap(input.impl_) ? null : "not in the heap";
}

/** Calls two kernels for integers, one for the minimum and one for the maximum; floats need one call. */
function aminmax_allreduce_vec(self: Tensor, min: Tensor, max: Tensor): void {
  const slot = workspace(SLOT);
  const why = slot === 0 ? "not in the heap" : why_not(self);
  if (why !== null) aminmax_allreduce_kernel(self, min, max, why);
  else {
    const integral = IntegerReduceKernel_vec.has(self.scalar_type());
    const [least, greatest] = integral
      ? [of_integers("min", self, slot), of_integers("max", self, slot)]
      : extremes_of_floats(self, slot);
    min.fill__Scalar(least);
    max.fill__Scalar(greatest);
  }
}

/** The result that a kernel wrote at element `place` of the heap. */
function noted(self: Tensor, place: number): Scalar {
  const x = Number(self.data_view()[place]);
  return Scalar.fromDouble(reducedFloatingType(self.scalar_type())?.to_float(x) ?? x);
}

function extremes_of_floats(self: Tensor, slot: ptr): [least: Scalar, greatest: Scalar] {
  const dtype = self.scalar_type();
  const f = functions_of(ReduceAllOpsKernel_vec, dtype).least_and_greatest;
  const args: [ptr, ptr, int] = [slot, address_of(self.impl_), self.numel()];
  if (tracer === null) f(...args);
  else {
    const data = vector_loop("least_and_greatest", "reduce/all", ReduceAllOpsKernel_vec, dtype, self.sizes());
    traceCall("loop", "at::native::least_and_greatest", f, args, data, nothing);
  }
  const place = slot / elementSize(dtype);
  return [noted(self, place), noted(self, place + 1)];
}

const max_all_vec = vec_kernel("max", max_all_kernel_impl);
const min_all_vec = vec_kernel("min", min_all_kernel_impl);
REGISTER_ARCH_DISPATCH(max_all_stub, CPUCapability.SIMD128, max_all_vec, "max_all_vec");
REGISTER_ARCH_DISPATCH(min_all_stub, CPUCapability.SIMD128, min_all_vec, "min_all_vec");
REGISTER_ARCH_DISPATCH(aminmax_allreduce_stub, CPUCapability.SIMD128, aminmax_allreduce_vec, "aminmax_allreduce_vec");
