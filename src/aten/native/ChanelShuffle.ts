/**
 * @file Channel shuffle: the channels of several groups are interleaved, first the first channel of each group, then
 * the second ones.
 * @mirrors aten/src/ATen/native/ChanelShuffle.cpp
 * @differs The kernel is one copy between views with more dims, which it makes without the dispatcher; PyTorch's is a
 * loop.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { copy_ } from "#aten/native/Copy";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { TORCH_CHECK } from "#c10/util/Exception";

/** (N, C, *) with its channels as two dims of these sizes, which are `steps` channels apart. */
function split_channels(t: Tensor, sizes: readonly [number, number], steps: readonly [number, number]): Tensor {
  const [n, , ...rest] = t.sizes();
  const [outer, channel, ...inner] = t.strides();
  const strides = [outer, channel * steps[0], channel * steps[1], ...inner];
  return as_strided_tensorimpl(t, [n, ...sizes, ...rest], strides, null);
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
  const each = input.size(1) / groups;
  const [to, from] = [
    split_channels(output, [each, groups], [groups, 1]),
    split_channels(input, [each, groups], [1, each]),
  ];
  copy_(to, from, false);
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
