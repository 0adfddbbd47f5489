/**
 * @file What a structured kernel's meta function talks to: it announces each output, and does not know whether that makes, checks or
 * resizes a tensor.
 * @mirrors aten/src/ATen/TensorMeta.h
 * @differs TORCH_META_FUNC and TORCH_IMPL_FUNC are plain methods here: `class structured_mm extends MetaBase { meta(self, mat2) {...} }` and
 * `class structured_mm_out_cpu extends structured_mm { impl(self, mat2, out) {...} }`.
 */
import type { TensorOptions } from "#c10/core/TensorOptions";
import type { Tensor } from "./generated/core/TensorBody.ts";
import type { StructuredOutputs } from "./StructuredOutputs.ts";

export abstract class MetaBase {
  /** Which variant runs, and where its outputs are. Declared only: whoever makes an operator object gives it one. */
  declare outputs: StructuredOutputs;

  /** The kernel needs exactly these strides: an output that has others is replaced by a proxy and copied back. */
  set_output_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    this.outputs.set_output_strided(output_idx, sizes, strides, options);
  }

  /** The strides are a wish, followed when the output is made or resized. Empty strides: contiguous, or as `options` ask. */
  set_output_raw_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    this.outputs.set_output_raw_strided(output_idx, sizes, strides, options);
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

  /** The output `output_idx`: undefined before it is set, in the functional variant. */
  maybe_get_output(output_idx: number): Tensor {
    return this.outputs.at(output_idx);
  }
}
