/**
 * @file Kernel of `cat`: each tensor is copied into its part of the result.
 * @mirrors aten/src/ATen/native/TensorShape.h
 * @differs Ours copies each tensor by its own launch; CUDA copies up to 128 tensors in one.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { structured_cat } from "#aten/native/TensorShape/Join";
import { cat_should_skip_tensor } from "#aten/WrapDimUtils";
import type { MemoryFormat } from "#c10/core/MemoryFormat";

export abstract class structured_cat_out extends structured_cat {
  impl(
    tensors: Tensor[],
    dim: number,
    valid: number,
    _all_contiguous: boolean,
    _all_same_dtype: boolean,
    _all_same_sizes_and_stride: boolean,
    _memory_format: MemoryFormat,
    result: Tensor,
  ): void {
    if (result.numel() === 0 || valid < 0) return;
    let offset = 0;
    for (const t of tensors) {
      if (cat_should_skip_tensor(t)) continue;
      const size = t.sizes()[dim];
      if (size > 0) result.narrow(dim, offset, size).copy_(t);
      offset += size;
    }
  }
}
