/**
 * @file `col2im` (`F.fold`): columns are written back to their windows' positions and added where windows overlap.
 * @mirrors aten/src/ATen/native/Col2Im.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { fill__Scalar } from "#aten/native/Fill";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  as_bytes,
  blocks_of,
  check_im2col_type,
  check_pairs,
  check_window,
  col2im_stub,
  pair_repr,
  type Sliding,
} from "./Im2Col.ts";

function col2im_shape_check(input: Tensor, output_size: readonly number[], window: Sliding): number[] {
  check_window(window);
  const sizes = input.sizes();
  const ndim = sizes.length;
  TORCH_CHECK(
    (ndim === 2 && sizes.every((size) => size !== 0)) || (ndim === 3 && sizes[1] !== 0 && sizes[2] !== 0),
    "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: ",
    sizes,
  );
  const { kernel_size, dilation, padding, stride } = window;
  const first = ndim - 2;
  TORCH_CHECK(
    sizes[first] % (kernel_size[0] * kernel_size[1]) === 0,
    "Expected size of input's dimension 1 to be divisible by the product of kernel_size, ",
    `but got input.size(1)=${sizes[first]} and kernel_size=${pair_repr(kernel_size)}.`,
  );
  const blocks = blocks_of(output_size, window);
  const given = `Given output_size=${pair_repr(output_size)}, kernel_size=${pair_repr(kernel_size)}, dilation=${pair_repr(dilation)}, padding=${pair_repr(padding)}, stride=${pair_repr(stride)}, `;
  const expected = `${blocks[0]} * ${blocks[1]} = ${blocks[0] * blocks[1]}`;
  const got = sizes[first + 1];
  const matches = got === blocks[0] * blocks[1];
  TORCH_CHECK(
    matches && blocks.every((n) => n >= 1),
    `${given}expected size of input's dimension 2 to match the calculated number of sliding blocks ${expected}, `,
    `but got input.size(2)=${got}.`,
  );
  return blocks;
}

function col2im_result(self: Tensor, output_size: number[], window: Sliding): Tensor {
  const { kernel_size, dilation, padding, stride } = window;
  check_pairs({ output_size, kernel_size, dilation, padding, stride });
  const blocks = col2im_shape_check(self, output_size, window);
  const batched = self.dim() === 3;
  const input = (batched ? self : self.unsqueeze(0)).contiguous();
  const [n, rows] = input.sizes();
  check_im2col_type(self.scalar_type(), "col2im_out_cpu");
  const output = as_bytes(input, (col) => {
    const im = at.empty_like(col, TensorOptions.EMPTY, MemoryFormat.Contiguous);
    im.resize_([n, rows / (kernel_size[0] * kernel_size[1]), ...output_size]);
    fill__Scalar(im, Scalar.ZERO);
    if (n !== 0) col2im_stub.call(col.device_type(), im, col, window, blocks);
    return im;
  });
  return batched ? output : output.squeeze_dim(0);
}

// col2im.out                                                                         CPU
export function col2im_out_cpu(
  self: Tensor,
  output_size: number[],
  kernel_size: number[],
  dilation: number[],
  padding: number[],
  stride: number[],
  output: Tensor,
): Tensor {
  const result = col2im_result(self, output_size, { kernel_size, dilation, padding, stride });
  output.resize_(result.sizes().slice());
  return output.copy_(result);
}

// col2im                                                                             CPU
export function col2im_cpu(
  self: Tensor,
  output_size: number[],
  kernel_size: number[],
  dilation: number[],
  padding: number[],
  stride: number[],
): Tensor {
  return col2im_result(self, output_size, { kernel_size, dilation, padding, stride });
}
