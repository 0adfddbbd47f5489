/**
 * @file Kernel of `topk`: the first k elements of each line, always sorted. Of equal elements, those with lower indices
 * are taken.
 * @mirrors aten/src/ATen/native/cuda/TensorTopK.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { structured_topk } from "#aten/native/Sorting/index";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { sort_lines } from "./Sort.ts";

export abstract class structured_topk_out extends structured_topk {
  impl(
    self: Tensor,
    k: number,
    dim: number,
    largest: boolean,
    _sorted: boolean,
    values: Tensor,
    indices: Tensor,
  ): void {
    const is_bool = self.scalar_type() === ScalarType.Bool;
    TORCH_CHECK(!is_bool, "topk does not support bool dtypes on WebGPU");
    sort_lines(self, maybe_wrap_dim(dim, self.dim()), k, largest, values, indices);
  }
}
