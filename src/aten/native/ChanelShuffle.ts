/**
 * @file Channel shuffle: the channels of several groups are interleaved, first the first channel of each group, then
 * the second ones.
 * @mirrors aten/src/ATen/native/ChanelShuffle.cpp
 * @differs Ours is one copy between views with more dims; PyTorch has loops.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";

/** (N, C, *) as (N, groups, C / groups, *). */
function grouped(t: Tensor, groups: number): Tensor {
  const [n, c, ...rest] = t.sizes();
  return t.view([n, groups, c / groups, ...rest]); // works for channels last, too
}

function check(self: Tensor, groups: number): void {
  TORCH_CHECK(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ", self.sizes());
  const c = self.size(1);
  TORCH_CHECK(groups > 0, "Number of groups to divide channels in must be positive. Value of groups:", groups);
  TORCH_CHECK(
    c % groups === 0,
    "Number of channels must be divisible by groups. Got ",
    c,
    " channels and ",
    groups,
    " groups.",
  );
}

// native_channel_shuffle                                                             CPU
export function channel_shuffle_cpu(self: Tensor, groups: number): Tensor {
  check(self, groups);
  if (self.numel() === 0) return self.alias();
  const output = at.empty_memory_format([0], self.options());
  output.resize_(self.sizes().slice(), self.suggest_memory_format());
  const input = self.contiguous(self.suggest_memory_format());
  grouped(output, input.size(1) / groups).copy_(grouped(input, groups).transpose_int(1, 2));
  return output;
}

// native_channel_shuffle                                                             CompositeImplicitAutograd
export function math_channel_shuffle(self: Tensor, groups: number): Tensor {
  check(self, groups);
  const [b, c] = [self.size(0), self.size(1)];
  return self
    .view([b, groups, c / groups, -1])
    .permute([0, 2, 1, 3])
    .contiguous()
    .reshape(self.sizes().slice());
}

// channel_shuffle                                                                    CPU
export function channel_shuffle(self: Tensor, groups: number): Tensor {
  check(self, groups);
  return self.numel() === 0 ? self.alias() : at.native_channel_shuffle(self, groups);
}
