/**
 * @file Kernels of resampling, one dim after the other: an output element is a weighted sum of neighbours, and a
 * gradient element is a weighted sum over the outputs that read it.
 * @mirrors aten/src/ATen/native/cuda/UpSample.cuh
 * @differs Ours handles one dim after the other; CUDA nests the dims in one kernel and adds gradients with atomics.
 * @see Padding.ts (nearest neighbours)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { compute_index_ranges_int16_weights, type Taps, taps_of } from "#aten/native/cpu/UpSampleKernel/Weights";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { type Interpolation, upsample_backward_kernel, upsample_kernel } from "#aten/native/UpSample";
import { ScalarType } from "#c10/core/ScalarType";
import { multiply_integers } from "#c10/util/accumulate";
import { folded, GpuKernel, view_of } from "./KernelText.ts";
import { on_device, type Reads, transposed } from "./tables.ts";

const WORKGROUP = 64;

/** Weights for bytes are integer multiples of 2 ** -precision. */
const resample = new GpuKernel("upsample", {
  reads: ["input", "reads"],
  writes: ["output"],
  fields: ["n: u32", "length: u32", "to: u32", "inner: u32", "taps: u32", "bits: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  code: (context) => {
    const is_byte = context.type("input") === "i32";
    const weight = `load_reads(p.to + 1u + p.taps + t)`;
    return {
      main: `  let i = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  if (i >= p.n) {
    return;
  }
  let place = (i / p.inner) % p.to;
  let line = (i / (p.inner * p.to)) * p.length * p.inner + i % p.inner;
  let end = u32(load_reads(place + 1u));
  var sum = ${is_byte ? "(1i << p.bits) / 2i" : "0.0f"};
  for (var t = u32(load_reads(place)); t < end; t++) {
    let x = load_input(line + u32(load_reads(p.to + 1u + t)) * p.inner);
    sum += ${is_byte ? weight : `bitcast<f32>(${weight})`} * x;
  }
  store_output(i, ${is_byte ? "clamp(sum >> p.bits, 0i, 255i)" : "sum"});`,
    };
  },
});

function reads_of({ width, counts, indices, weights }: Taps): Reads {
  const starts = new Int32Array(counts.length + 1);
  for (const [i, count] of counts.entries()) starts[i + 1] = starts[i] + count;
  const total = starts[counts.length];
  const reads: Reads = { starts, indices: new Int32Array(total), weights: new Float64Array(total) };
  for (const [i, count] of counts.entries()) {
    reads.indices.set(indices.subarray(i * width, i * width + count), starts[i]);
    reads.weights.set(weights.subarray(i * width, i * width + count), starts[i]);
  }
  return reads;
}

/** Resamples along dim `d`. `output` has one place there for each entry of `reads`. */
function resample_dim(output: Tensor, input: Tensor, d: number, reads: Reads, precision: number): void {
  const weights = precision > 0 ? Int32Array.from(reads.weights) : Float32Array.from(reads.weights);
  const table = on_device([reads.starts, reads.indices, weights]);
  const inner = multiply_integers(input.sizes().slice(d + 1));
  const n = output.numel();
  const values = [n, input.size(d), output.size(d), inner, reads.indices.length, precision];
  resample.launch(0, [input, table, output].map(view_of), values, ...folded(Math.ceil(n / WORKGROUP)), 1);
}

function with_size(t: Tensor, d: number, size: number): Tensor {
  return at.empty_memory_format(t.sizes().with(d, size), t.options());
}

/** Resamples the last dim first. */
function upsample_kernel_impl(output: Tensor, input: Tensor, how: Interpolation): void {
  const is_byte = input.scalar_type() === ScalarType.Byte;
  let rest = input;
  for (let d = input.dim() - 1; d >= 2; d--) {
    const to = d === 2 ? output : with_size(rest, d, output.size(d));
    const exact = taps_of(how, rest.size(d), to.size(d), d - 2, input.scalar_type());
    const { taps, precision } = is_byte ? compute_index_ranges_int16_weights(exact) : { taps: exact, precision: 0 };
    resample_dim(to, rest, d, reads_of(taps), precision);
    rest = to;
  }
}

/** Handles the first dim first. */
function upsample_backward_kernel_impl(grad_input: Tensor, grad_output: Tensor, how: Interpolation): void {
  const last = grad_output.dim() - 1;
  let rest = grad_output;
  for (let d = 2; d <= last; d++) {
    const size = grad_input.size(d);
    const taps = taps_of(how, size, rest.size(d), d - 2, grad_output.scalar_type());
    const next = d === last ? grad_input : with_size(rest, d, size);
    resample_dim(next, rest, d, transposed(reads_of(taps), size), 0);
    rest = next;
  }
}

REGISTER_PRIVATEUSE1_DISPATCH(upsample_kernel, upsample_kernel_impl, "upsample_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  upsample_backward_kernel,
  upsample_backward_kernel_impl,
  "upsample_backward_kernel_webgpu",
);
