/**
 * @file softmax and log_softmax along the last dim, with vectors: rows of contiguous floats.
 * @mirrors aten/src/ATen/native/cpu/SoftMaxKernel.cpp
 * @see ../SoftMaxKernel.ts: the same without vectors, and the gradients
 * @vec SoftMaxKernel: float32, float64
 */

import { memory_of, region_of, with_addresses, workspace } from "#aten/cpu/vec/heap";
import {
  type float,
  type int,
  lane,
  lanes,
  load,
  load_one,
  pmax,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { log_softmax_lastdim_kernel, softmax_lastdim_kernel } from "#aten/native/SoftMax";
import { GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { default_loop } from "../default_loop.ts";
import { log_softmax_lastdim_kernel_impl, softmax_lastdim_kernel_impl } from "../SoftMaxKernel.ts";
import { functions_of, vector_loop } from "./driver.ts";
import { exp_nonpositive, log_from_one } from "./functions.ts";
import { SoftMaxKernel_vec } from "./generated/SoftMaxKernel.ts";

// Rounding: a sum of exponentials has four vectors of partial sums in float, where DEFAULT has one double.
// `tail` is the pad for what is left of a row: the last elements, then -Infinity, whose exponential is 0.

/** Bytes of the pad. */
export const PAD_BYTES = 16;

/** The `bytes` < 16 at `x` as a vector that -Infinity fills up. @inline */
function load_tail(pad: ptr, x: ptr, bytes: int): Vec {
  store(pad, -Infinity);
  for (let k = 0; k < bytes; k += sizeof<scalar_t>()) store_one(pad + k, load_one(x + k));
  return load(pad);
}

/** @inline */
function store_tail(pad: ptr, out: ptr, bytes: int, v: Vec): void {
  store(pad, v);
  for (let k = 0; k < bytes; k += sizeof<scalar_t>()) store_one(out + k, load_one(pad + k));
}

/** @inline */
function sum_of_lanes(v: Vec): float {
  let sum: float = lane(v, 0) + lane(v, 1);
  if (lanes<scalar_t>() === 4) sum += lane(v, lanes<scalar_t>() - 2) + lane(v, lanes<scalar_t>() - 1);
  return sum;
}

/** @inline */
function splat_max(pad: ptr, v: Vec): Vec {
  store(pad, v);
  let max: Vec = splat(load_one(pad));
  for (let k = sizeof<scalar_t>(); k < 16; k += sizeof<scalar_t>()) max = pmax(max, splat(load_one(pad + k)));
  return max;
}

/** The greatest of a row, in every lane. A NaN may be passed over: the sum will be NaN anyhow. */
function row_max(pad: ptr, x: ptr, bytes: int): Vec {
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  const whole = x + (bytes & -64);
  let p = x;
  for (; p < whole; p += 64) {
    m0 = pmax(m0, load(p));
    m1 = pmax(m1, load(p + 16));
    m2 = pmax(m2, load(p + 32));
    m3 = pmax(m3, load(p + 48));
  }
  const vectors = x + (bytes & -16);
  for (; p < vectors; p += 16) m0 = pmax(m0, load(p));
  if ((bytes & 15) > 0) m0 = pmax(m0, load_tail(pad, p, bytes & 15));
  return splat_max(pad, pmax(pmax(m0, m1), pmax(m2, m3)));
}

/** out = x / by. */
function divide(pad: ptr, out: ptr, bytes: int, by: Vec): void {
  const whole = out + (bytes & -64);
  let p = out;
  for (; p < whole; p += 64) {
    store(p, load(p) / by);
    store(p + 16, load(p + 16) / by);
    store(p + 32, load(p + 32) / by);
    store(p + 48, load(p + 48) / by);
  }
  const vectors = out + (bytes & -16);
  for (; p < vectors; p += 16) store(p, load(p) / by);
  if ((bytes & 15) > 0) store_tail(pad, p, bytes & 15, load_tail(pad, p, bytes & 15) / by);
}

/** The sum of exp(x - max); with `keep` the exponentials go to `out`. */
function exponentials(pad: ptr, out: ptr, x: ptr, bytes: int, max: Vec, keep: int): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  const whole = x + (bytes & -32);
  let p = x;
  let to = out;
  for (; p < whole; p += 32, to += 32) {
    const e0: Vec = exp_nonpositive(load(p) - max);
    const e1: Vec = exp_nonpositive(load(p + 16) - max);
    s0 += e0;
    s1 += e1;
    if (keep !== 0) {
      store(to, e0);
      store(to + 16, e1);
    }
  }
  // What is left: one vector, or less, or both.
  for (let left = bytes & 31; left > 0; left -= 16) {
    let v: Vec = 0;
    if (left >= 16) v = load(p);
    else v = load_tail(pad, p, left);
    const e: Vec = exp_nonpositive(v - max);
    s0 += e;
    if (keep !== 0) {
      if (left >= 16) store(to, e);
      else store_tail(pad, to, left, e);
    }
    p += 16;
    to += 16;
  }
  return sum_of_lanes(s0 + s1);
}

/** `rows` rows of `n` contiguous elements. */
export function softmax_lastdim(pad: ptr, out: ptr, x: ptr, rows: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let r = 0; r < rows; r++) {
    const at = r * bytes;
    const sum: float = exponentials(pad, out + at, x + at, bytes, row_max(pad, x + at, bytes), 1);
    divide(pad, out + at, bytes, splat(sum));
  }
}

/** The same for x - max - log(sum). */
export function log_softmax_lastdim(pad: ptr, out: ptr, x: ptr, rows: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let r = 0; r < rows; r++) {
    const from = x + r * bytes;
    const to = out + r * bytes;
    const max: Vec = row_max(pad, from, bytes);
    const log: Vec = log_from_one(splat(exponentials(pad, to, from, bytes, max, 0)));
    const vectors = bytes & -16;
    for (let k = 0; k < vectors; k += 16) store(to + k, load(from + k) - max - log);
    if (vectors < bytes)
      store_tail(pad, to + vectors, bytes & 15, load_tail(pad, from + vectors, bytes & 15) - max - log);
  }
}

// The driver ------------------------------------------------------------------------------------------------------------

/** Which parameter of both kernels is the room to work. */
const PAD_PARAMETER = 0;
/** Shorter rows are quicker without vectors. */
const SHORTEST = 16;

type Kernel = (result: Tensor, self: Tensor, dim: number) => void;

class LastDim {
  private readonly name: "softmax_lastdim" | "log_softmax_lastdim";
  private readonly plain: Kernel;

  constructor(name: LastDim["name"], plain: Kernel) {
    this.name = name;
    this.plain = plain;
  }

  /** `result` and `self` are rows of contiguous elements. */
  readonly run: Kernel = (result, self, dim) => {
    const why = this.why_not(self, dim);
    const run = why === null ? this.vectors : this.plain;
    if (tracer === null) run(result, self, dim);
    else this.callSlow(run, why, result, self, dim);
  };

  private callSlow(run: Kernel, why: string | null, result: Tensor, self: Tensor, dim: number): void {
    const dtype = self.scalar_type();
    const memory = memory_of([result.impl_, self.impl_]);
    const data =
      why === null
        ? vector_loop(this.name, "SoftMaxKernel", SoftMaxKernel_vec, dtype, self.sizes(), memory)
        : default_loop(this.name, "SoftMaxKernel", dtype, self.sizes(), why);
    traceCall("loop", `at::native::${this.name}`, run, [result, self, dim], data, told_of_threads);
  }

  private why_not(self: Tensor, dim: number): string | null {
    if (!SoftMaxKernel_vec.has(self.scalar_type())) return "a dtype without vectors";
    if (self.size(dim) < SHORTEST) return `rows of fewer than ${SHORTEST}`;
    return heap_memory() === null || workspace(PAD_BYTES) === 0 ? "no heap" : null;
  }

  private readonly vectors: Kernel = (result, self, dim) => {
    const dtype = self.scalar_type();
    const n = self.size(dim);
    const rows = self.numel() / n;
    const bytes = n * elementSize(dtype);
    const kernel = functions_of(SoftMaxKernel_vec, dtype)[this.name];
    const pad = workspace(PAD_BYTES);
    const grain = Math.max(1, Math.floor(GRAIN_SIZE / (16 * n)));
    const ran = with_addresses([result.impl_, self.impl_].map(region_of), ([out, x]) =>
      parallel_kernel(kernel, PAD_PARAMETER, 0, rows, grain, (f, begin, end) =>
        f(pad, out + begin * bytes, x + begin * bytes, end - begin, n),
      ),
    );
    if (!ran) this.plain(result, self, dim);
  };
}

const softmax = new LastDim("softmax_lastdim", softmax_lastdim_kernel_impl).run;
const log_softmax = new LastDim("log_softmax_lastdim", log_softmax_lastdim_kernel_impl).run;
REGISTER_ARCH_DISPATCH(softmax_lastdim_kernel, CPUCapability.SIMD128, softmax, "vec_softmax_lastdim_kernel");
REGISTER_ARCH_DISPATCH(
  log_softmax_lastdim_kernel,
  CPUCapability.SIMD128,
  log_softmax,
  "vec_log_softmax_lastdim_kernel",
);
