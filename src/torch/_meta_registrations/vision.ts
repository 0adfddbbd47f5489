/**
 * @file Meta kernels of operators that rearrange images.
 * @mirrors torch/_meta_registrations.py#meta_pixel_shuffle
 */
import { register_decomposition, register_with_out } from "#torch/_decomp/index";
import { check, type Shape, size_repr, suggest_memory_format, tuple_repr } from "#torch/_prims_common/index";
import { out_wrapper } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

function made(like: Tensor, sizes: readonly number[]): Tensor {
  return torch.empty([...sizes], { dtype: like.dtype, device: like.device });
}

register_with_out(
  "pixel_shuffle",
  (self: Tensor, r: number): Tensor => {
    check(self.dim() > 2, () => `Invalid input shape for pixel_shuffle: ${size_repr(self.shape)}`);
    const shape = [...self.shape];
    const [C, H, W] = shape.slice(-3);
    check(
      C % (r * r) === 0,
      () => `Invalid input shape for pixel_shuffle: ${size_repr(shape)} with upscale_factor = ${r}`,
    );
    return made(self, [...shape.slice(0, -3), C / (r * r), H * r, W * r]);
  },
  "meta",
);

/** The decomposition in torch/_refs/nn/functional, only its shape. */
register_with_out(
  "pixel_unshuffle",
  (self: Tensor, r: number): Tensor => {
    check(
      self.dim() >= 3,
      () =>
        `pixel_unshuffle expects input to have at least 3 dimensions, but got input with ${self.dim()} dimension(s)`,
    );
    const shape = [...self.shape];
    const [C, H, W] = shape.slice(-3);
    const [h, w] = [Math.floor(H / r), Math.floor(W / r)];
    self.view([...shape.slice(0, -3), C, h, r, w, r]); // raises if the view is impossible
    const memory_format = suggest_memory_format(self);
    const sizes = [...shape.slice(0, -3), C * r * r, h, w];
    return torch.empty(sizes, { dtype: self.dtype, device: self.device, memory_format });
  },
  "meta",
);

const channel_shuffle = (input: Tensor, groups: number): Tensor => {
  check(
    input.dim() > 2,
    () => `channel_shuffle expects input with > 2 dims, but got input with sizes [${[...input.shape].join(", ")}]`,
  );
  const c = input.shape[1];
  check(groups > 0, () => `Number of groups to divide channels in must be positive. Value of groups:${groups}`);
  check(
    c % groups === 0,
    () => `Number of channels must be divisible by groups. Got ${c} channels and ${groups} groups.`,
  );
  return made(input, input.shape);
};
register_with_out("channel_shuffle", channel_shuffle, "meta");
register_decomposition("native_channel_shuffle", channel_shuffle, "meta");

function list_repr(list: Shape): string {
  return `[${list.join(", ")}]`;
}

function check_positive(list: Shape, name: string, least = 1): void {
  check(
    list.every((p) => p >= least),
    () => `${name} should be greater than zero, but got ${list_repr(list)}`,
  );
}

/** The numbers of blocks along height and width. */
function blocks_of(image: Shape, kernel_size: Shape, dilation: Shape, padding: Shape, stride: Shape): number[] {
  return [0, 1].map(
    (d) => 1 + Math.floor((image[d] + 2 * padding[d] - dilation[d] * (kernel_size[d] - 1) - 1) / stride[d]),
  );
}

const im2col = (input: Tensor, kernel_size: Shape, dilation: Shape, padding: Shape, stride: Shape): Tensor => {
  for (const [name, list] of Object.entries({ kernel: kernel_size, dilation, padding, stride }))
    check(list.length === 2, () => `im2col(): only 2D ${name} supported`);
  check_positive(kernel_size, "kernel_size");
  check_positive(dilation, "dilation");
  check_positive(stride, "stride");
  const shape = [...input.shape];
  check(
    (shape.length === 3 || shape.length === 4) && shape.slice(-3).every((n) => n !== 0),
    () =>
      `Expected 3D or 4D (batch mode) tensor for input with possible 0 batch size and non-zero dimensions, but got: ${tuple_repr(shape)}`,
  );
  const blocks = blocks_of(shape.slice(-2), kernel_size, dilation, padding, stride);
  check(
    blocks.every((n) => n > 0),
    () =>
      `Given an input with spatial size ${tuple_repr(shape.slice(-2))}, kernel_size=${list_repr(kernel_size)}, dilation=${list_repr(dilation)}, padding=${list_repr(padding)}, stride=${list_repr(stride)}, the calculated shape of the array of sliding blocks is ${tuple_repr(blocks)}, but its components must be at least one.`,
  );
  const rows = shape[shape.length - 3] * kernel_size[0] * kernel_size[1];
  return made(input, [...shape.slice(0, -3), rows, blocks[0] * blocks[1]]);
};
register_decomposition("im2col im2col.out", out_wrapper(im2col), "meta");

const col2im = (
  input: Tensor,
  output_size: Shape,
  kernel_size: Shape,
  dilation: Shape,
  padding: Shape,
  stride: Shape,
): Tensor => {
  for (const [name, list] of Object.entries({ output_size, kernel: kernel_size, dilation, padding, stride }))
    check(list.length === 2, () => `only 2D ${name} supported`);
  check_positive(kernel_size, "kernel_size");
  check_positive(dilation, "dilation");
  check_positive(padding, "padding", 0);
  check_positive(stride, "stride");
  check_positive(output_size, "output_size");
  const shape = [...input.shape];
  check(
    (shape.length === 2 || shape.length === 3) && shape.slice(-2).every((n) => n !== 0),
    () =>
      `Expected 2D or 3D (batch mode) tensor for input with possible 0 batch size and non-zero dimensions, but got: ${tuple_repr(shape)}`,
  );
  const [rows, L] = shape.slice(-2);
  const window = kernel_size[0] * kernel_size[1];
  check(
    rows % window === 0,
    () =>
      `Expected size of input's first non-batch dimension to be divisible by the product of kernel_size, but got input.shape[-2] = ${rows} and kernel_size=${list_repr(kernel_size)}`,
  );
  const blocks = blocks_of(output_size, kernel_size, dilation, padding, stride);
  const expected = blocks[0] * blocks[1];
  check(
    L === expected && expected > 0,
    () =>
      `Given output_size=${list_repr(output_size)}, kernel_size=${list_repr(kernel_size)}, dilation=${list_repr(dilation)}, padding=${list_repr(padding)}, stride=${list_repr(stride)}, expected input.size(-1) to be ${expected} but got ${L}.`,
  );
  return made(input, [...shape.slice(0, -2), rows / window, ...output_size]);
};
register_decomposition("col2im col2im.out", out_wrapper(col2im), "meta");
