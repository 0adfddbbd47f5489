/**
 * @file Kernel of `repeat_interleave`: the index of each slice, repeated a given number of times.
 * @mirrors aten/src/ATen/native/Repeat.h
 * @differs Ours checks a given size, which waits for the device; CUDA trusts it until a kernel assertion fails.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_repeats } from "#aten/native/Repeat";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { GpuKernel, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

/** Each invocation writes the places of one slice; they end where those of the next slice begin. */
const compute = new GpuKernel("repeat_interleave", {
  reads: ["repeats", "ends"],
  writes: ["out"],
  fields: ["n: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => {
    const is_long = context.type("repeats") === "vec2<u32>";
    return {
      main: `${strided_indices(1)}
  let end = load_ends(i).x;
  for (var at = end - ${is_long ? "load_repeats(i).x" : "u32(load_repeats(i))"}; at < end; at++) {
    store_out(at, ${is_long ? "vec2<u32>(i, 0u)" : "i32(i)"});
  }`,
    };
  },
});

// repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor
export function repeat_interleave(repeats: Tensor, output_size: number | null): Tensor {
  check_repeats(repeats, "repeat_interleave_webgpu");
  const n = repeats.size(0);
  if (n === 0) return at.empty_like(repeats, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  const times = repeats.contiguous();
  const ends = times.cumsum(0); // int64
  TORCH_CHECK(times.min().ge_Scalar(Scalar.ZERO).item().toBool(), "repeats can not be negative");
  const total = ends.select_int(0, -1).item().toLong();
  TORCH_CHECK(output_size === null || output_size === total, "allocated size does not match required size");
  const result = at.empty_memory_format([total], repeats.options());
  if (total > 0) compute.launch(0, [times, ends, result].map(view_of), [n], ...strided_groups(n), 1);
  return result;
}
