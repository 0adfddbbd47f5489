/**
 * @file Kernels of fractional max pooling: the maximum of windows at random positions, and its index.
 * @mirrors aten/src/ATen/native/FractionalMaxPooling.h
 * @differs Ours computes the window positions on the host, which waits for the random numbers; CUDA computes them in
 * the kernel.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { fractional_max_pool_kernel, type Window } from "#aten/native/FractionalMaxPooling";
import type { Volumes } from "#aten/native/Pool/Pool3d";
import { ScalarType } from "#c10/core/ScalarType";
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { memory_of_tensor } from "./Copy.ts";
import { greatest_of } from "./DilatedMaxPool3d.ts";
import { GpuKernel, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

/** `starts` holds, for each plane, the starts along depth (oT), height (oH) and width (oW). */
const forward = new GpuKernel("fractional_max_pool_forward", {
  reads: ["input", "starts"],
  writes: ["out", "indices"],
  fields: ["n: u32", ..."T H W oT oH oW kT kH kW".split(" ").map((name) => `${name}: i32`)],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    declarations: `fn window(at: i32, size: i32) -> vec2<i32> {
  let begin = load_starts(u32(at));
  return vec2<i32>(begin, begin + size);
}`,
    main: `${strided_indices(1)}
  let row = i32(i) / p.oW;
  let slab = row / p.oH;
  let number = slab / p.oT;
  let plane = number * p.T * p.H * p.W;
  let first = number * (p.oT + p.oH + p.oW);
  let t = window(first + slab % p.oT, p.kT);
  let h = window(first + p.oT + row % p.oH, p.kH);
  let w = window(first + p.oT + p.oH + i32(i) % p.oW, p.kW);
${greatest_of(context, ["1i", "1i", "1i"])}`,
  }),
});

function fractional_max_pool(
  output: Tensor,
  indices: Tensor,
  input: Tensor,
  starts: Int32Array,
  { kT, kH, kW }: Window,
  { T, H, W, oT, oH, oW }: Volumes,
): void {
  const n = output.numel();
  const there = at.empty_memory_format([starts.length], input.options().dtype(ScalarType.Int));
  const bytes = new Uint8Array(starts.buffer, starts.byteOffset, starts.byteLength);
  get_device().copy_to_device(memory_of_tensor(there), 0, bytes);
  const operands = [input, there, output, indices].map(view_of);
  const groups = strided_groups(n);
  forward.launch(0, operands, [n, T, H, W, oT, oH, oW, kT, kH, kW], ...groups, 1);
}

REGISTER_PRIVATEUSE1_DISPATCH(fractional_max_pool_kernel, fractional_max_pool, "fractional_max_pool_webgpu");
