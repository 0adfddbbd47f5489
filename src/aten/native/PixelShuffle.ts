/**
 * @file `pixel_shuffle` and `pixel_unshuffle`: channels become small squares of pixels, and back.
 * @mirrors aten/src/ATen/native/PixelShuffle.cpp
 * @differs The kernels are one copy between views with more dims, which they make without the dispatcher; PyTorch's
 * are loops.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { copy_ } from "#aten/native/Copy";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";

function check(name: string, factor_name: string, self: Tensor, factor: number): void {
  TORCH_CHECK(
    self.dim() >= 3,
    `${name} expects input to have at least 3 dimensions, but got input with ${self.dim()} dimension(s)`,
  );
  TORCH_CHECK(factor > 0, `${name} expects a positive ${factor_name}, but got ${factor}`);
}

/**
 * Views of both tensors with the same order of elements. `few` has fewer channels and larger images; `many` has factor
 * * factor times as many channels.
 */
function views(few: Tensor, many: Tensor, r: number): [few: Tensor, many: Tensor] {
  const first = many.dim() - 3;
  const sizes = [...many.sizes().slice(0, first), few.size(first), many.size(-2), r, many.size(-1), r];
  const [few_outer, [c, h, w]] = [few.strides().slice(0, first), few.strides().slice(first)];
  const [many_outer, [C, H, W]] = [many.strides().slice(0, first), many.strides().slice(first)];
  return [
    as_strided_tensorimpl(few, sizes, [...few_outer, c, h * r, h, w * r, w], null),
    as_strided_tensorimpl(many, sizes, [...many_outer, C * r * r, H, C * r, W, C], null),
  ];
}

function check_shuffle(self: Tensor, r: number): number[] {
  check("pixel_shuffle", "upscale_factor", self, r);
  const c = self.size(-3);
  TORCH_CHECK(
    c % (r * r) === 0,
    "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, ",
    `but input.size(-3)=${c} is not divisible by ${r * r}`,
  );
  return [...self.sizes().slice(0, -3), c / (r * r), self.size(-2) * r, self.size(-1) * r];
}

function check_unshuffle(self: Tensor, r: number): number[] {
  check("pixel_unshuffle", "downscale_factor", self, r);
  for (const [d, side] of [
    [-2, "height"],
    [-1, "width"],
  ] as const)
    TORCH_CHECK(
      self.size(d) % r === 0,
      `pixel_unshuffle expects ${side} to be divisible by downscale_factor, `,
      `but input.size(${d})=${self.size(d)} is not divisible by ${r}`,
    );
  return [...self.sizes().slice(0, -3), self.size(-3) * r * r, self.size(-2) / r, self.size(-1) / r];
}

/** A new tensor of these sizes, in the memory format of `self`. */
function output_of(self: Tensor, sizes: readonly number[], format: MemoryFormat): Tensor {
  const output = at.empty_memory_format([0], self.options());
  return output.resize_([...sizes], format);
}

// pixel_shuffle                                                                      CPU
export function pixel_shuffle_cpu(self: Tensor, upscale_factor: number): Tensor {
  const sizes = check_shuffle(self, upscale_factor);
  const format = self.suggest_memory_format();
  const output = output_of(self, sizes, format);
  if (output.numel() === 0) return output;
  const [to, from] = views(output, self.contiguous(format), upscale_factor);
  copy_(to, from, false);
  return output;
}

// pixel_unshuffle                                                                    CPU
export function pixel_unshuffle_cpu(self: Tensor, downscale_factor: number): Tensor {
  const sizes = check_unshuffle(self, downscale_factor);
  if (self.numel() === 0) return self.clone(); // keeps its sizes
  const format = self.suggest_memory_format();
  const output = output_of(self, sizes, format);
  const [from, to] = views(self.contiguous(format), output, downscale_factor);
  copy_(to, from, false);
  return output;
}

// pixel_shuffle                                                                      CompositeExplicitAutogradNonFunctional
export function math_pixel_shuffle(self: Tensor, upscale_factor: number): Tensor {
  const [sizes, r] = [check_shuffle(self, upscale_factor), upscale_factor];
  const outer = self.sizes().slice(0, -3);
  const split = self.reshape([...outer, sizes[outer.length], r, r, self.size(-2), self.size(-1)]);
  const order = [0, 3, 1, 4, 2].map((d) => outer.length + d);
  return split
    .permute([...outer.keys(), ...order])
    .clone(MemoryFormat.Contiguous)
    .view(sizes);
}

// pixel_unshuffle                                                                    CompositeExplicitAutogradNonFunctional
export function math_pixel_unshuffle(self: Tensor, downscale_factor: number): Tensor {
  const [sizes, r] = [check_unshuffle(self, downscale_factor), downscale_factor];
  const outer = self.sizes().slice(0, -3);
  const split = self.reshape([...outer, self.size(-3), self.size(-2) / r, r, self.size(-1) / r, r]);
  const order = [0, 2, 4, 1, 3].map((d) => outer.length + d);
  return split
    .permute([...outer.keys(), ...order])
    .clone(MemoryFormat.Contiguous)
    .view(sizes);
}
