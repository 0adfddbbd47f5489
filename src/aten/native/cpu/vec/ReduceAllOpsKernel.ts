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
import { default_loop, functions_of, vector_loop } from "./driver.ts";
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
function vec_kernel(name: "max_all" | "min_all", sign: number, plain: Kernel): Kernel {
  const vectors: Kernel = (result, input) => {
    const f = functions_of(ReduceAllOpsKernel_vec, input.scalar_type()).greatest;
    result.fill__Scalar(Scalar.fromDouble(f(address_of(input.impl_), input.numel(), sign)));
  };
  const callSlow = (why: string | null, result: Tensor, input: Tensor): void => {
    const [dtype, shape] = [input.scalar_type(), input.sizes()];
    const file = "ReduceAllOpsKernel";
    const data =
      why === null
        ? vector_loop("greatest", file, ReduceAllOpsKernel_vec, dtype, shape)
        : default_loop(name, file, dtype, shape, why);
    const run = why === null ? vectors : plain;
    traceCall("loop", data["scalar"] as string, run, [result, input], data, nothing);
  };
  return (result, input) => {
    const why = why_not(input);
    if (tracer !== null) callSlow(why, result, input);
    else if (why === null) vectors(result, input);
    else plain(result, input);
  };
}

function why_not(input: Tensor): string | null {
  if (!ReduceAllOpsKernel_vec.has(input.scalar_type())) return "a dtype without vectors";
  if (input.numel() < FEWEST) return `n < ${FEWEST}`;
  return in_heap(input.impl_) ? null : "not in the heap";
}

const max_all_vec = vec_kernel("max_all", 1, max_all_kernel_impl);
const min_all_vec = vec_kernel("min_all", -1, min_all_kernel_impl);
REGISTER_ARCH_DISPATCH(max_all_stub, CPUCapability.SIMD128, max_all_vec, "max_all_vec");
REGISTER_ARCH_DISPATCH(min_all_stub, CPUCapability.SIMD128, min_all_vec, "min_all_vec");
