/**
 * @file Fractional max pooling of volumes: windows at random positions.
 * @mirrors aten/src/ATen/native/FractionalMaxPool3d.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { max_pool2d_backward_kernel } from "./DilatedMaxPool2d.ts";
import { fractional_max_pool_check_shape, fractional_max_pool_into } from "./FractionalMaxPooling.ts";
import { contiguously } from "./Pool/index.ts";
import { adaptive_volumes_of, as_images } from "./Pool/Pool3d.ts";

/** Values that `meta` computes and `impl` reuses. */
export interface fractional_max_pool3d_precompute {
  readonly poolSizeT: number;
  readonly poolSizeH: number;
  readonly poolSizeW: number;
  readonly outputT: number;
  readonly outputH: number;
  readonly outputW: number;
  readonly numBatch: number;
  readonly numPlanes: number;
  readonly inputT: number;
  readonly inputH: number;
  readonly inputW: number;
}

const AXES = ["time", "height", "width"];

export abstract class structured_fractional_max_pool3d extends MetaBase {
  meta(
    input: Tensor,
    pool_size: number[],
    output_size: number[],
    _randomSamples: Tensor,
  ): fractional_max_pool3d_precompute {
    const must = "must either be a single Int or tuple of three Ints";
    TORCH_CHECK(pool_size.length === 3, `fractional_max_pool3d: kernel_size ${must}`);
    TORCH_CHECK(output_size.length === 3, `fractional_max_pool3d: output_size ${must}`);
    const name = "fractional_max_pool3d_out()";
    const ndims = input.dim();
    TORCH_CHECK(ndims === 4 || ndims === 5, `${name}: Expected 4D or 5D tensor, but got: `, input.sizes());
    for (let i = ndims - 4; i < ndims; i++)
      TORCH_CHECK(
        input.size(i) > 0,
        `${name}: Expected input to have non-zero size for non-batch dimensions, but got`,
        input.sizes(),
        ` with dimension ${i} being empty.`,
      );
    const spatial = input.sizes().slice(-3);
    for (const d of [0, 2, 1]) {
      const axis = AXES[d];
      TORCH_CHECK(
        pool_size[d] <= spatial[d] && output_size[d] + pool_size[d] - 1 < spatial[d],
        `${name}: pool ${axis} ${pool_size[d]} too large relative to input ${axis} ${spatial[d]}`,
      );
    }
    const sizes = [...input.sizes().slice(0, -3), ...output_size];
    this.set_output_raw_strided(0, sizes, [], input.options());
    this.set_output_raw_strided(1, sizes, [], input.options().dtype(ScalarType.Long));
    const [poolSizeT, poolSizeH, poolSizeW] = pool_size;
    const [outputT, outputH, outputW] = output_size;
    const [inputT, inputH, inputW] = spatial;
    const numBatch = ndims === 5 ? input.size(0) : 1;
    // biome-ignore format: one line per kind
    return {
      poolSizeT, poolSizeH, poolSizeW, outputT, outputH, outputW,
      numBatch, numPlanes: input.size(-4), inputT, inputH, inputW,
    };
  }
}

// fractional_max_pool3d.output                                                      CPU
export abstract class structured_fractional_max_pool3d_out_cpu extends structured_fractional_max_pool3d {
  // @parameters PyTorch's own, with what `precomputed` puts in the place of two lists.
  impl(
    input: Tensor,
    kT: number,
    kH: number,
    kW: number,
    oT: number,
    oH: number,
    oW: number,
    randomSamples: Tensor,
    _numBatch: number,
    _numPlanes: number,
    _inputT: number,
    _inputH: number,
    _inputW: number,
    output: Tensor,
    indices: Tensor,
  ): void {
    fractional_max_pool_check_shape(3, input, randomSamples);
    check_floating_types_and2(input.scalar_type(), "fractional_max_pool3d_out_frame");
    if (output.numel() === 0) return;
    const volumes = adaptive_volumes_of(input, [oT, oH, oW]);
    fractional_max_pool_into([output, indices], input, randomSamples, [0, 1, 2], { kT, kH, kW }, volumes);
  }
}

// fractional_max_pool3d_backward.grad_input                                         CPU
export function fractional_max_pool3d_backward_out_cpu(
  gradOutput: Tensor,
  input: Tensor,
  _pool_size: number[],
  output_size: number[],
  indices: Tensor,
  gradInput: Tensor,
): Tensor {
  const first = input.dim() === 5 ? 1 : 0;
  for (let d = first; d < first + 4; d++) input.size(d); // throws if there is no such dim
  for (const [d, axis] of AXES.entries())
    TORCH_CHECK(
      output_size[d] === gradOutput.size(first + 1 + d),
      `fractional_max_pool3d_backward_out(): gradOutput ${axis} unexpected`,
    );
  gradInput.resize_as_(input);
  gradInput.zero_();
  check_floating_types_and2(input.scalar_type(), "fractional_max_pool3d_backward_out_frame");
  for (const t of [gradInput, gradOutput]) check_type(t, input.scalar_type());
  check_type(indices, ScalarType.Long);
  if (gradOutput.numel() === 0) return gradInput;
  const images = as_images(adaptive_volumes_of(input, output_size));
  contiguously([gradInput], ([grad]) =>
    max_pool2d_backward_kernel.call(input.device_type(), grad, gradOutput.contiguous(), indices.contiguous(), images),
  );
  return gradInput;
}

// fractional_max_pool3d_backward                                                    CPU
export function fractional_max_pool3d_backward_cpu(
  gradOutput: Tensor,
  input: Tensor,
  pool_size: number[],
  output_size: number[],
  indices: Tensor,
): Tensor {
  const gradInput = at.empty_memory_format([0], input.options());
  return fractional_max_pool3d_backward_out_cpu(gradOutput, input, pool_size, output_size, indices, gradInput);
}
