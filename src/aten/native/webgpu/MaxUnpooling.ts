/**
 * @file Kernels of max unpooling: the maxima are written back to the positions where max pooling found them.
 * @mirrors aten/src/ATen/native/MaxPooling.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { max_unpool_kernel } from "#aten/native/MaxUnpooling";
import { as_index } from "./indices.ts";
import { GpuKernel, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

const unpool = new GpuKernel("max_unpool", {
  reads: ["input", "indices"],
  writes: ["out"],
  fields: ["n: u32", "plane: u32", "out_plane: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  asserts: "aten::max_unpool",
  code: (context) => ({
    main: `${strided_indices(1)}
  let index = ${as_index(context.type("indices"), "load_indices(i)")};
  if (!in_bounds(index, p.out_plane)) {
    return;
  }
  store_out(i / p.plane * p.out_plane + u32(index), load_input(i));`,
  }),
});

/** An index out of range is reported at the next synchronization. */
function max_unpool(output: Tensor, input: Tensor, indices: Tensor, planes: number): null {
  const n = input.numel();
  if (n === 0) return null;
  const values = [n, n / planes, output.numel() / planes];
  const groups = strided_groups(n);
  unpool.launch(0, [input, indices, output].map(view_of), values, ...groups, 1);
  return null;
}

REGISTER_PRIVATEUSE1_DISPATCH(max_unpool_kernel, max_unpool, "max_unpool_webgpu");
