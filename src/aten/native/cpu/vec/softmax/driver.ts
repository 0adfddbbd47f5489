/**
 * @file Drivers of softmax, log_softmax and their gradients with SIMD: along the last dim, where a row is contiguous,
 * and along other dims, where neighbouring rows are interleaved.
 * @mirrors aten/src/ATen/native/cpu/SoftMaxKernel.cpp
 * @see kernel.ts (the kernels), ../../SoftMaxKernel.ts (the fallback)
 */
import { memory_of, ROOM, region_of, with_addresses, workspace } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import * as plain from "#aten/native/cpu/SoftMaxKernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { SPARE } from "#aten/native/cpu/vec/functions";
import { SoftMaxKernel_vec } from "#aten/native/cpu/vec/generated/softmax/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import * as stubs from "#aten/native/SoftMax/index";
import { divup, GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads, type WasmKernel } from "#aten/ParallelNative";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { PAD_BYTES, STRIP } from "./kernel.ts";

/** Position of the scratch-memory parameter in all kernels' signatures. */
const PAD_PARAMETER = 0;
/** Smallest length of a contiguous row for which SIMD is faster. */
const SHORTEST = 16;
/** Number of exponentials for which another thread is worth its cost. */
const GRAIN = GRAIN_SIZE / 16;

type Names = keyof ReturnType<typeof SoftMaxKernel_vec.get>;
/** Arguments: the result and the inputs, and the dim. All tensors are contiguous and have one shape and dtype. */
type Run = (tensors: readonly Tensor[], dim: number) => void;

class SoftMax {
  private readonly name: Names;
  private readonly lastdim: boolean;
  private readonly plain: Run;

  constructor(name: Names, plain: Run) {
    this.name = name;
    this.lastdim = name.endsWith("lastdim");
    this.plain = plain;
  }

  readonly run: Run = (tensors, dim) => {
    const why = this.why_not(tensors, dim);
    const run = why === null ? this.vectors : this.plain;
    if (tracer === null) run(tensors, dim);
    else this.callSlow(run, why, tensors, dim);
  };

  private callSlow(run: Run, why: string | null, tensors: readonly Tensor[], dim: number): void {
    const dtype = tensors[1].scalar_type();
    const memory = memory_of(tensors.map((t) => t.impl_));
    const shape = tensors[1].sizes();
    const data =
      why === null
        ? vector_loop(this.name, "softmax/kernel", SoftMaxKernel_vec, dtype, shape, memory)
        : default_loop(this.name.replace("strips", "rows"), "SoftMaxKernel", dtype, shape, why);
    traceCall("loop", `at::native::${this.name}`, run, [tensors, dim], data, told_of_threads);
  }

  private room([, ...given]: readonly Tensor[], dim: number): number {
    return room_for(given[0].scalar_type(), this.lastdim, given.length, given[0].size(dim));
  }

  private why_not(tensors: readonly Tensor[], dim: number): string | null {
    const self = tensors[1];
    const dtype = self.scalar_type();
    if (!SoftMaxKernel_vec.has(dtype) || tensors.some((t) => t.scalar_type() !== dtype))
      return "no SIMD kernel for this dtype";
    if (tensors.some((t) => t.numel() !== self.numel())) return "sizes that differ";
    if (this.lastdim && self.size(dim) < SHORTEST) return `rows of fewer than ${SHORTEST} elements`;
    if (!this.lastdim && beside(self, dim) < PAD_BYTES / Math.max(4, elementSize(dtype)))
      return "fewer rows than SIMD lanes";
    if (this.room(tensors, dim) > ROOM) return "rows too long for the scratch memory";
    return heap_memory() === null || workspace(PAD_BYTES) === 0 ? "no heap" : null;
  }

  private readonly vectors: Run = (tensors, dim) => {
    const self = tensors[1];
    const dtype = self.scalar_type();
    const kernel = functions_of(SoftMaxKernel_vec, dtype)[this.name] as WasmKernel;
    const [n, size] = [self.size(dim), elementSize(dtype)];
    const split = this.lastdim ? rows : strips;
    const pad = workspace(this.room(tensors, dim));
    const ran = with_addresses(
      tensors.map(({ impl_ }) => region_of(impl_)),
      (addresses) => split(kernel, pad, addresses, self.numel() / n, n, beside(self, dim) * size, size),
    );
    if (!ran) this.plain(tensors, dim);
  };
}

/**
 * Size of the scratch memory in bytes: the pad, and for halves, after it, a row of `n` floats (or a strip of rows) for
 * each of `count` tensors.
 */
function room_for(dtype: ScalarType, lastdim: boolean, count: number, n: number): number {
  if (elementSize(dtype) !== 2) return PAD_BYTES;
  return PAD_BYTES + count * (lastdim ? divup(n, 4) * 16 : n * STRIP) + SPARE;
}

/** Number of interleaved rows: the stride of `dim`, in elements. */
function beside(self: Tensor, dim: number): number {
  return self
    .sizes()
    .slice(dim + 1)
    .reduce((a, b) => a * b, 1);
}

/**
 * Splits the work among threads. A group is a set of interleaved rows, or one row on the last dim. Groups are `apart` *
 * n bytes apart.
 */
type Split = (
  kernel: WasmKernel,
  pad: number,
  addresses: readonly number[],
  count: number,
  n: number,
  apart: number,
  size: number,
) => void;

const rows: Split = (kernel, pad, addresses, count, n, _apart, size) => {
  parallel_kernel(kernel, PAD_PARAMETER, 0, count, Math.max(1, Math.floor(GRAIN / n)), (f, begin, end) =>
    f(pad, ...addresses.map((at) => at + begin * n * size), end - begin, n),
  );
};

const strips: Split = (kernel, pad, addresses, count, n, apart, size) => {
  const strip = size === 2 ? STRIP / 2 : STRIP; // in bytes
  const each = divup(apart, strip); // number of strips in a group
  const all = each * ((count * size) / apart);
  const grain = Math.max(1, Math.floor((GRAIN * size) / (n * strip)));
  parallel_kernel(kernel, PAD_PARAMETER, 0, all, grain, (f, begin, end) => {
    const group = Math.floor(begin / each);
    const first = (begin - group * each) * strip;
    f(pad, ...addresses.map((at) => at + group * n * apart), first, end - begin, apart, n);
  });
};

const forward = (name: Names, otherwise: typeof plain.softmax_kernel_impl): typeof otherwise => {
  const { run } = new SoftMax(name, ([result, self], dim) => otherwise(result, self, dim));
  return (result, self, dim) => run([result, self], dim);
};
const backward = (name: Names, otherwise: typeof plain.softmax_backward_kernel_impl): typeof otherwise => {
  const { run } = new SoftMax(name, ([gi, g, y], dim) => otherwise(gi, g, y, dim));
  return (gi, g, y, dim) => run([gi, g, y], dim);
};

const { SIMD128 } = CPUCapability;
const softmax_lastdim = forward("softmax_lastdim", plain.softmax_lastdim_kernel_impl);
const log_softmax_lastdim = forward("log_softmax_lastdim", plain.log_softmax_lastdim_kernel_impl);
const softmax = forward("softmax_strips", plain.softmax_kernel_impl);
const log_softmax = forward("log_softmax_strips", plain.log_softmax_kernel_impl);
const softmax_backward_lastdim = backward("softmax_backward_lastdim", plain.softmax_backward_lastdim_kernel_impl);
const log_softmax_backward_lastdim = backward(
  "log_softmax_backward_lastdim",
  plain.log_softmax_backward_lastdim_kernel_impl,
);
const softmax_backward = backward("softmax_backward_strips", plain.softmax_backward_kernel_impl);
const log_softmax_backward = backward("log_softmax_backward_strips", plain.log_softmax_backward_kernel_impl);

REGISTER_ARCH_DISPATCH(stubs.softmax_lastdim_kernel, SIMD128, softmax_lastdim, "vec_softmax_lastdim_kernel");
REGISTER_ARCH_DISPATCH(
  stubs.log_softmax_lastdim_kernel,
  SIMD128,
  log_softmax_lastdim,
  "vec_log_softmax_lastdim_kernel",
);
REGISTER_ARCH_DISPATCH(stubs.softmax_kernel, SIMD128, softmax, "vec_softmax_kernel");
REGISTER_ARCH_DISPATCH(stubs.log_softmax_kernel, SIMD128, log_softmax, "vec_logsoftmax_kernel");
REGISTER_ARCH_DISPATCH(
  stubs.softmax_backward_lastdim_kernel,
  SIMD128,
  softmax_backward_lastdim,
  "vec_host_softmax_backward_lastdim_kernel",
);
REGISTER_ARCH_DISPATCH(
  stubs.log_softmax_backward_lastdim_kernel,
  SIMD128,
  log_softmax_backward_lastdim,
  "vec_host_log_softmax_backward_lastdim_kernel",
);
REGISTER_ARCH_DISPATCH(stubs.softmax_backward_kernel, SIMD128, softmax_backward, "vec_softmax_backward_kernel");
REGISTER_ARCH_DISPATCH(
  stubs.log_softmax_backward_kernel,
  SIMD128,
  log_softmax_backward,
  "vec_log_softmax_backward_kernel",
);
