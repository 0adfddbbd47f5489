/**
 * @file Fractional max pooling of images: windows at random positions.
 * @mirrors aten/src/ATen/native/FractionalMaxPool2d.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { max_pool2d_backward_kernel } from "./DilatedMaxPool2d.ts";
import { fractional_max_pool_check_shape, fractional_max_pool_into } from "./FractionalMaxPooling.ts";
import { contiguously, type Images } from "./Pool/index.ts";

function images_of(input: Tensor, [oH, oW]: readonly number[]): Images {
  const sizes = input.sizes();
  const [H, W] = sizes.slice(-2);
  return { planes: sizes.slice(0, -2).reduce((n, size) => n * size, 1), H, W, oH, oW };
}

export abstract class structured_fractional_max_pool2d extends MetaBase {
  meta(input: Tensor, pool_size: number[], output_size: number[], _randomSamples: Tensor): void {
    const must = "must either be a single Int or tuple of Ints";
    TORCH_CHECK(pool_size.length === 2, `fractional_max_pool2d: kernel_size ${must}`);
    TORCH_CHECK(output_size.length === 2, `fractional_max_pool2d: output_size ${must}`);
    const ndims = input.dim();
    TORCH_CHECK(
      ndims === 3 || ndims === 4,
      "fractional_max_pool2d(): Expected 3D or 4D tensor, but got: ",
      input.sizes(),
    );
    for (let i = ndims - 3; i < ndims; i++)
      TORCH_CHECK(
        input.size(i) > 0,
        "fractional_max_pool2d(): Expected input to have non-zero size for non-batch dimensions, but got",
        input.sizes(),
        ` with dimension ${i} being empty.`,
      );
    const { H, W, oH, oW } = images_of(input, output_size);
    const [kH, kW] = pool_size;
    TORCH_CHECK(oH + kH - 1 <= H, `fractional_max_pool2d(): pool height ${kH} too large relative to input height ${H}`);
    TORCH_CHECK(oW + kW - 1 <= W, `fractional_max_pool2d(): pool width ${kW} too large relative to input width ${W}`);
    const sizes = [...input.sizes().slice(0, -2), oH, oW];
    this.set_output_raw_strided(0, sizes, [], input.options());
    this.set_output_raw_strided(1, sizes, [], input.options().dtype(ScalarType.Long));
  }
}

// fractional_max_pool2d.output                                                      CPU
export abstract class structured_fractional_max_pool2d_out_cpu extends structured_fractional_max_pool2d {
  impl(
    input: Tensor,
    [kH, kW]: number[],
    output_size: number[],
    randomSamples: Tensor,
    output: Tensor,
    indices: Tensor,
  ): void {
    fractional_max_pool_check_shape(2, input, randomSamples);
    check_floating_types_and2(input.scalar_type(), "fractional_max_pool2d_out_frame");
    if (output.numel() === 0) return;
    const volumes = { ...images_of(input, output_size), T: 1, oT: 1 };
    const window = { kT: 1, kH, kW };
    // A plane's first sample is for the width.
    fractional_max_pool_into([output, indices], input, randomSamples, [-1, 1, 0], window, volumes);
  }
}

export abstract class structured_fractional_max_pool2d_backward extends MetaBase {
  meta(gradOutput: Tensor, input: Tensor, _pool_size: number[], output_size: number[], indices: Tensor): void {
    const first = input.dim() === 4 ? 1 : 0;
    for (const d of [first, first + 1, first + 2]) input.size(d); // throws if there is no such dim
    const expected = [...input.sizes().slice(0, -2), ...output_size];
    const name = "fractional_max_pool2d_backward()";
    TORCH_CHECK(sizes_equal(gradOutput.sizes(), expected), `${name}: gradOutput sizes unexpected`);
    TORCH_CHECK(sizes_equal(indices.sizes(), expected), `${name}: indices sizes unexpected`);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// fractional_max_pool2d_backward.grad_input                                         CPU
export abstract class structured_fractional_max_pool2d_backward_cpu extends structured_fractional_max_pool2d_backward {
  impl(
    gradOutput: Tensor,
    input: Tensor,
    _pool_size: number[],
    output_size: number[],
    indices: Tensor,
    gradInput: Tensor,
  ): void {
    gradInput.zero_();
    check_floating_types_and2(input.scalar_type(), "fractional_max_pool2d_backward_out_frame");
    check_type(gradOutput, input.scalar_type());
    check_type(indices, ScalarType.Long);
    if (gradOutput.numel() === 0) return;
    const images = images_of(input, output_size);
    contiguously([gradInput], ([grad]) =>
      max_pool2d_backward_kernel.call(input.device_type(), grad, gradOutput.contiguous(), indices.contiguous(), images),
    );
  }
}
