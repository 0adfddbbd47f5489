/**
 * @file Kernel of `native_dropout`: it draws, masks and scales in one launch.
 * @mirrors aten/src/ATen/native/Dropout.cpp
 * @differs Ours draws for halves as for float32, four elements per thread; CUDA may take more halves per thread.
 * @see philox.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { webgpu_generator } from "#aten/webgpu/WebGPUGeneratorImpl";
import { elementSize, isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { GpuKernel, view_of } from "./KernelText.ts";
import { draw_for, PHILOX_FIELDS, PHILOX_TEXT, philox_values } from "./philox.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

/** The variant is the vector size: the number of consecutive elements that a thread of CUDA handles at once. */
const fused_dropout = new GpuKernel("fused_dropout", {
  reads: ["input"],
  writes: ["out", "mask"],
  fields: ["n: u32", ...PHILOX_FIELDS, "keep: f32", "scale: f32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  takes: isFloatingType,
  code: ({ variant }) => ({
    declarations: PHILOX_TEXT,
    main: `${strided_indices(1)}
  let turn = i / ${variant}u;
  let thread = turn % p.threads;
  let round = turn / p.threads;
  let bits = ${DRAWN[variant]};
  let kept = uniform_of(bits) < p.keep;
  store_out(i, load_input(i) * select(0.0f, 1.0f, kept) * p.scale);
  store_mask(i, select(0i, 1i, kept));`,
  }),
});

const DRAWN: Readonly<Record<number, string>> = {
  4: "philox(thread, round)[i % 4u]",
  2: "philox(thread, round / 2u)[(round % 2u) * 2u + i % 2u]", // two rounds share one Philox step
  1: "philox_of(i)",
};

/** Largest vector size that divides the number of elements, if the memory is aligned to it. */
function get_vector_size(self: Tensor): number {
  const aligned = (size: number): boolean =>
    self.numel() % size === 0 && (self.storage_offset() * elementSize(self.scalar_type())) % (4 * size) === 0;
  return [4, 2].find(aligned) ?? 1;
}

// native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)
export function native_dropout(input_: Tensor, p: number, train: boolean | null): [Tensor, Tensor] {
  const options = input_.options().dtype(ScalarType.Bool);
  if (input_.numel() === 0) return [input_, at.empty_like(input_, input_.options())];
  if (train === false) return [input_.clone(), at.ones_like(input_, options)];
  const input = input_.is_non_overlapping_and_dense() ? input_ : input_.contiguous();
  const out = at.empty_like(input);
  const mask = at.empty_like(input, options);
  const n = input.numel();
  const keep = 1 - p;
  const draw = draw_for(webgpu_generator(null), n);
  const values = [n, ...philox_values(draw), keep, keep === 0 ? 0 : 1 / keep];
  const groups = strided_groups(n);
  fused_dropout.launch(get_vector_size(input), [view_of(input), view_of(out), view_of(mask)], values, ...groups, 1);
  return [out, mask];
}
