/**
 * @file `randint_like`: random integers in the shape of another tensor.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import { SymInt } from "#c10/core/SymInt";
import { TORCH_CHECK } from "#c10/util/Exception";
import { optionsOf } from "./index.ts";

type Gen = Generator | null;
type Like = [
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
];

function drawn(self: Tensor, low: number, high: number, generator: Gen, like: Like): Tensor {
  const [dtype, layout, device, pin_memory, memory_format] = like;
  const result = at.empty_like(self, optionsOf(dtype, layout, device, pin_memory), memory_format);
  return result.random__from(low, high, generator);
}

/** Value of a bound given as a tensor. */
function bound_of(high: Tensor): number {
  TORCH_CHECK(
    high.numel() === 1 && high.dim() === 0 && high.device().is_cpu(),
    "high must be a scalar tensor and on CPU",
  );
  return SymInt(high.item().toBigInt());
}

// randint_like(Tensor self, SymInt high, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function randint_like(self: Tensor, high: number, ...like: Like): Tensor {
  return drawn(self, 0, high, null, like);
}
export function randint_like_generator(self: Tensor, high: number, generator: Gen, ...like: Like): Tensor {
  return drawn(self, 0, high, generator, like);
}
export function randint_like_Tensor(self: Tensor, high: Tensor, ...like: Like): Tensor {
  return drawn(self, 0, bound_of(high), null, like);
}
export function randint_like_Tensor_generator(self: Tensor, high: Tensor, generator: Gen, ...like: Like): Tensor {
  return drawn(self, 0, bound_of(high), generator, like);
}
export function randint_like_low_dtype(self: Tensor, low: number, high: number, ...like: Like): Tensor {
  return drawn(self, low, high, null, like);
}
export function randint_like_low_generator_dtype(
  self: Tensor,
  low: number,
  high: number,
  generator: Gen,
  ...like: Like
): Tensor {
  return drawn(self, low, high, generator, like);
}
