/**
 * @file The interface of a structured kernel's meta function: it sets each output, and does not know whether that
 * makes, checks or resizes a tensor.
 * @mirrors aten/src/ATen/TensorMeta.h
 * @differs Meta and impl are plain methods: `class structured_mm extends MetaBase { meta(self, mat2) {...} }` and
 * `class structured_mm_out_cpu extends structured_mm { impl(self, mat2, out) {...} }`; PyTorch has the macros
 * TORCH_META_FUNC and TORCH_IMPL_FUNC.
 */
import type { TensorOptions } from "#c10/core/TensorOptions";
import type { Tensor } from "./generated/core/TensorBody.ts";
import type { StructuredOutputs } from "./StructuredOutputs.ts";

export abstract class MetaBase {
  /** The outputs and the variant that runs. Only declared here: the code that makes an operator object assigns it. */
  declare outputs: StructuredOutputs;

  /** Sets an output that must have exactly these strides: an output with others is replaced by a proxy and copied back. */
  set_output_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    this.outputs.set_output_strided(output_idx, sizes, strides, options);
  }

  /**
   * Sets an output whose strides are only a preference, used when it is made or resized. Empty strides: contiguous, or
   * as `options` say.
   */
  set_output_raw_strided(
    output_idx: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    this.outputs.set_output_raw_strided(output_idx, sizes, strides, options);
  }

  /** Sets an output that must be row-major. */
  set_output_contiguous(output_idx: number, sizes: readonly number[], options: TensorOptions): void {
    const strides = new Array<number>(sizes.length);
    let stride = 1;
    for (let d = sizes.length - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= Math.max(sizes[d], 1);
    }
    this.set_output_strided(output_idx, sizes, strides, options);
  }

  /** Output `output_idx`; in the functional variant it is undefined before it is set. */
  maybe_get_output(output_idx: number): Tensor {
    return this.outputs.at(output_idx);
  }
}
