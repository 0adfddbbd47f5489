/**
 * @file Convolution over time for `(time, batch, channels)`: one matrix product for each position in the kernel.
 * @mirrors aten/src/ATen/native/ConvolutionTBC.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";

/** First time to read, first time to write, and number of steps, for position k of the kernel. */
function shifts(input: Tensor, weight: Tensor, pad: number, k: number): [from: number, to: number, count: number] {
  const [ilen, kw] = [input.size(0), weight.size(0)];
  const olen = ilen - kw + 1 + pad * 2;
  const real_pad = Math.trunc((olen - ilen + kw - 1) / 2);
  const to = Math.max(0, real_pad - k);
  return [Math.max(0, k - real_pad), to, Math.min(ilen + real_pad - k, olen) - to];
}

/** `count` time steps of all batches, as rows. */
function rows(t: Tensor, first: number, count: number): Tensor {
  return t.narrow(0, first, count).view([count * t.size(1), t.size(2)]);
}

// conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor             CompositeExplicitAutograd
export function conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad: number): Tensor {
  TORCH_CHECK(self.dim() === 3, "Input must have 3 dims: time, batch, in_channel");
  TORCH_CHECK(weight.dim() === 3, "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
  TORCH_CHECK(bias.dim() === 1, "Bias must be 1-D");
  TORCH_CHECK(self.size(2) === weight.size(1), "Input dim 2 (input channels) is not == dim 1 in the weight tensor");
  TORCH_CHECK(weight.size(2) === bias.size(0), "Bias size must equal dim 2 in the weight tensor (output channels).");
  const olen = self.size(0) - weight.size(0) + 1 + pad * 2;
  const output = at.empty_memory_format([olen, self.size(1), weight.size(2)], self.options());
  output.copy_(bias.expand(output.sizes() as number[]));
  for (let k = 0; k < weight.size(0); k++) {
    const [from, to, count] = shifts(self, weight, pad, k);
    if (count > 0) rows(output, to, count).addmm_(rows(self, from, count), weight.select_int(0, k));
  }
  return output;
}

// conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, Tensor)
//                                                                                    CompositeImplicitAutograd
export function conv_tbc_backward(
  dOutput: Tensor,
  input: Tensor,
  weight: Tensor,
  bias: Tensor,
  pad: number,
): [Tensor, Tensor, Tensor] {
  const contiguous_zeros = (t: Tensor): Tensor => at.zeros_like(t, undefined, MemoryFormat.Contiguous);
  const [dInput, dWeight] = [contiguous_zeros(input), contiguous_zeros(weight)];
  const places = Array.from({ length: weight.size(0) }, (_, k) => [k, ...shifts(input, weight, pad, k)]);
  for (const [k, from, to, count] of places)
    if (count > 0) rows(dInput, from, count).addmm_(rows(dOutput, to, count), weight.select_int(0, k).t());
  for (const [k, from, to, count] of places)
    if (count > 0) dWeight.select_int(0, k).addmm_(rows(input, from, count).t(), rows(dOutput, to, count));
  const dBias = contiguous_zeros(bias);
  dBias.copy_(dOutput.sum_dim_IntList([0], false).sum_dim_IntList([0]));
  return [dInput, dWeight, dBias];
}
