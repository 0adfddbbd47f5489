/**
 * @file The greatest and the smallest of all elements, with vectors.
 * @mirrors aten/src/ATen/native/cpu/ReduceAllOpsKernel.cpp
 * @see ../ReduceAllOpsKernel.ts: the same without vectors
 * @vec ReduceAllOpsKernel: float32, float64
 */
import { address_of, in_heap } from "#aten/cpu/vec/heap";
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
  type Vec,
} from "#aten/cpu/vec/Vec";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { max_all_stub, min_all_stub } from "#aten/native/ReduceAllOps";
import { Scalar } from "#c10/core/Scalar";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import { max_all_kernel_impl, min_all_kernel_impl } from "../ReduceAllOpsKernel.ts";
import { functions_of, vector_loop } from "./driver.ts";
import { ReduceAllOpsKernel_vec } from "./generated/ReduceAllOpsKernel.ts";

/** The greater, lane by lane; a NaN stays. @inline */
function greater(max: Vec, v: Vec): Vec {
  const better: Mask = v > max || v !== v;
  return better ? v : max;
}

/** @inline */
function greater_one(max: float, v: float): float {
  return v > max || v !== v ? v : max;
}

/** The greatest of `n` > 0 neighbours, or NaN if any is; with `sign` -1 the greatest of their opposites. */
export function greatest(x: ptr, n: int, sign: float): float {
  const s: Vec = splat(sign);
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  const bytes = n * sizeof<scalar_t>();
  const end = x + bytes;
  const whole = x + (bytes & -64);
  for (; x < whole; x += 64) {
    m0 = greater(m0, load(x) * s);
    m1 = greater(m1, load(x + 16) * s);
    m2 = greater(m2, load(x + 32) * s);
    m3 = greater(m3, load(x + 48) * s);
  }
  const m: Vec = greater(greater(m0, m1), greater(m2, m3));
  let max: float = greater_one(lane(m, 0), lane(m, 1));
  if (lanes<scalar_t>() === 4) {
    max = greater_one(max, lane(m, lanes<scalar_t>() - 2));
    max = greater_one(max, lane(m, lanes<scalar_t>() - 1));
  }
  for (; x < end; x += sizeof<scalar_t>()) max = greater_one(max, load_one(x) * sign);
  return max * sign;
}

// The driver ------------------------------------------------------------------------------------------------------------

/** Fewer elements are quicker without vectors. */
const FEWEST = 16;

type Kernel = typeof max_all_kernel_impl;

/** `sign` 1: the greatest; -1: the smallest. */
function vec_kernel(sign: number, plain: Kernel): Kernel {
  return (result, input) => {
    const why = why_not(input);
    if (why !== null) return plain(result, input, why);
    const dtype = input.scalar_type();
    const f = functions_of(ReduceAllOpsKernel_vec, dtype).greatest;
    const [at, n] = [address_of(input.impl_), input.numel()];
    let found: number;
    if (tracer === null) found = f(at, n, sign);
    else {
      const data = vector_loop("greatest", "ReduceAllOpsKernel", ReduceAllOpsKernel_vec, dtype, input.sizes());
      found = traceCall("loop", "at::native::greatest", f, [at, n, sign], data, nothing);
    }
    result.fill__Scalar(Scalar.fromDouble(found));
  };
}

function why_not(input: Tensor): string | null {
  if (!ReduceAllOpsKernel_vec.has(input.scalar_type())) return "a dtype without vectors";
  if (input.numel() < FEWEST) return `n < ${FEWEST}`;
  return in_heap(input.impl_) ? null : "not in the heap";
}

const max_all_vec = vec_kernel(1, max_all_kernel_impl);
const min_all_vec = vec_kernel(-1, min_all_kernel_impl);
REGISTER_ARCH_DISPATCH(max_all_stub, CPUCapability.SIMD128, max_all_vec, "max_all_vec");
REGISTER_ARCH_DISPATCH(min_all_stub, CPUCapability.SIMD128, min_all_vec, "min_all_vec");
