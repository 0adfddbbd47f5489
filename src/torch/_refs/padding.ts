/**
 * @file The reference of padding with a constant.
 * @mirrors torch/_refs/__init__.py#constant_pad_nd
 */

import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import { check, type NumberType, type Shape, size_at, suggest_memory_format } from "../_prims_common/index.ts";
import { out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";

function constant_pad_nd(input: Tensor, pad: Shape, value: NumberType): Tensor {
  check(pad.length % 2 === 0, () => `Length of pad must be even but instead it equals ${pad.length}`);
  const l_inp = input.dim();
  const l_diff = l_inp - pad.length / 2;
  check(
    l_diff >= 0,
    () =>
      `Length of pad should be no more than twice the number of dimensions of the input. Pad length is ${pad.length} while the input has ${l_inp} dimensions.`,
  );
  const padded = [...input.shape].map((_, d) => d).slice(l_diff);
  const sides = (d: number) => [pad[2 * (l_inp - d - 1)], pad[2 * (l_inp - d - 1) + 1]] as const;
  let c_input = input;
  for (const d of padded) {
    const [before, after] = sides(d);
    if (before < 0) c_input = c_input.narrow(d, -before, size_at(c_input, d) + before);
    if (after < 0) c_input = c_input.narrow(d, 0, size_at(c_input, d) + after);
  }
  if (pad.every((p) => p < 0)) return c_input.clone();
  const new_shape = [...input.shape].map((size, d) => {
    if (d < l_diff) return size;
    const [before, after] = sides(d);
    check(
      size + before + after >= 0,
      () =>
        `The input size ${size}, plus negative padding ${before} and ${after} resulted in a negative output size, which is invalid. Check dimension ${d} of your input.`,
    );
    return size + before + after;
  });
  const output = torch
    .empty(new_shape, { dtype: input.dtype, device: input.device, memory_format: suggest_memory_format(input) })
    .fill_(value);
  let c_output = output;
  for (const d of padded) {
    const [before, after] = sides(d);
    if (before >= 0) c_output = c_output.narrow(d, before, size_at(c_output, d) - before);
    if (after >= 0) c_output = c_output.narrow(d, 0, size_at(c_output, d) - after);
  }
  c_output.copy_(c_input);
  return output;
}
register_decomposition("constant_pad_nd constant_pad_nd.out", out_wrapper(constant_pad_nd));
