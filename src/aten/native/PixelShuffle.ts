/**
 * @file `pixel_shuffle` and `pixel_unshuffle`: channels become small squares of pixels, and back.
 * @mirrors aten/src/ATen/native/PixelShuffle.cpp
 * @differs Ours is one copy between views with more dims; PyTorch has loops.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
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
  const outer = many.sizes().slice(0, first);
  const [h, w] = many.sizes().slice(-2);
  const c = few.size(first);
  const order = [0, 3, 1, 4, 2].map((d) => first + d);
  return [
    few.view([...outer, c, h, r, w, r]),
    many.view([...outer, c, r, r, h, w]).permute([...outer.map((_, d) => d), ...order]),
  ];
}

function shuffled(self: Tensor, r: number, format: MemoryFormat): Tensor {
  check("pixel_shuffle", "upscale_factor", self, r);
  const c = self.size(-3);
  TORCH_CHECK(
    c % (r * r) === 0,
    "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, ",
    `but input.size(-3)=${c} is not divisible by ${r * r}`,
  );
  const sizes = [...self.sizes().slice(0, -3), c / (r * r), self.size(-2) * r, self.size(-1) * r];
  const output = at.empty_memory_format(sizes, self.options(), format);
  if (output.numel() === 0) return output;
  const [to, from] = views(output, self, r);
  to.copy_(from);
  return output;
}

function unshuffled(self: Tensor, r: number, format: MemoryFormat): Tensor {
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
  if (self.numel() === 0) return self.clone(); // keeps its sizes
  const sizes = [...self.sizes().slice(0, -3), self.size(-3) * r * r, self.size(-2) / r, self.size(-1) / r];
  const output = at.empty_memory_format(sizes, self.options(), format);
  const [from, to] = views(self, output, r);
  to.copy_(from);
  return output;
}

// pixel_shuffle                                                                      CPU
export function pixel_shuffle_cpu(self: Tensor, upscale_factor: number): Tensor {
  return shuffled(self, upscale_factor, self.suggest_memory_format());
}

// pixel_unshuffle                                                                    CPU
export function pixel_unshuffle_cpu(self: Tensor, downscale_factor: number): Tensor {
  return unshuffled(self, downscale_factor, self.suggest_memory_format());
}

// pixel_shuffle                                                                      CompositeExplicitAutogradNonFunctional
export function math_pixel_shuffle(self: Tensor, upscale_factor: number): Tensor {
  return shuffled(self, upscale_factor, MemoryFormat.Contiguous);
}

// pixel_unshuffle                                                                    CompositeExplicitAutogradNonFunctional
export function math_pixel_unshuffle(self: Tensor, downscale_factor: number): Tensor {
  return unshuffled(self, downscale_factor, MemoryFormat.Contiguous);
}
