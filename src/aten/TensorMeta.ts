/**
 * @file What a structured kernel's meta function talks to: it announces each output, and does not know whether that makes, checks or
 * resizes a tensor.
 * @mirrors aten/src/ATen/TensorMeta.h
 * @differs TORCH_META_FUNC and TORCH_IMPL_FUNC are plain methods here: `class structured_mm extends MetaBase { meta(self, mat2) {...} }` and
 * `class structured_mm_out_cpu extends structured_mm { impl(self, mat2, out) {...} }`.
 */
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Tensor } from "./generated/core/TensorBody.ts";

export abstract class MetaBase {
  /** The kernel needs exactly these strides: an output that has others is replaced by a proxy and copied back. */
  set_output_strided(
    _output_idx: number,
    _sizes: readonly number[],
    _strides: readonly number[],
    _options: TensorOptions,
  ): void {
    TORCH_INTERNAL_ASSERT(false, "set_output_strided not implemented.");
  }

  /** The strides are a wish, followed when the output is made or resized. Empty strides: contiguous, or as `options` ask. */
  set_output_raw_strided(
    _output_idx: number,
    _sizes: readonly number[],
    _strides: readonly number[],
    _options: TensorOptions,
  ): void {
    TORCH_INTERNAL_ASSERT(false, "set_output_raw_strided not implemented.");
  }

  /** The kernel needs a row-major output. */
  set_output_contiguous(output_idx: number, sizes: readonly number[], options: TensorOptions): void {
    const strides = new Array<number>(sizes.length);
    let stride = 1;
    for (let d = sizes.length - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= Math.max(sizes[d], 1);
    }
    this.set_output_strided(output_idx, sizes, strides, options);
  }

  /** The output `output_idx`: undefined before it is set, in the functional variant. Generated classes know where it is. */
  maybe_get_output(_output_idx: number): Tensor {
    TORCH_INTERNAL_ASSERT(false, "maybe_get_output not implemented.");
  }
}
