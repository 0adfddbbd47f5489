/**
 * @file Linear resampling in terms of `_unsafe_index`. `interpolate` uses it if deterministic algorithms are required, because the gradient
 * of an index is `index_put`, which has a deterministic form.
 * @mirrors torch/_decomp/decompositions.py
 * @differs Ours does not register it as a decomposition, since `Meta` uses the shape functions of the operators; PyTorch registers it.
 */

import type { Tensor } from "#torch/_tensor/index";
import {
  check,
  elementwise_dtypes,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  suggest_memory_format,
} from "../_prims_common/index.ts";
import { _maybe_convert_to_dtype } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import { pw_cast_for_opmath } from "./decompositions.ts";

type Sizes = readonly number[] | null;

function upsample_compute_output_size(input_size: readonly number[], output_size: Sizes, scale_factors: Sizes): Sizes {
  const exactly_one = (output_size === null) !== (scale_factors === null);
  check(exactly_one, () => "Must specify exactly one of output_size and scale_factors");
  const spatial = input_size.slice(2);
  check((output_size ?? scale_factors)?.length === spatial.length, () => "");
  return output_size ?? spatial.map((size, d) => Math.trunc(size * (scale_factors as readonly number[])[d]));
}

/** The distance in the input between two neighbouring elements of the result. */
function _compute_scale(in_size: number, out_size: number, align_corners: boolean, scale: number | undefined): number {
  if (align_corners) return out_size > 1 ? (in_size - 1) / (out_size - 1) : 0;
  return scale !== undefined && scale > 0 ? 1 / scale : in_size / out_size;
}

function _compute_source_index(scale: number, dst_index: Tensor, align_corners: boolean): Tensor {
  return align_corners ? dst_index.mul(scale) : dst_index.add(0.5).mul(scale).sub(0.5);
}

const _upsample_linear = pw_cast_for_opmath(
  (input: Tensor, output_size: readonly number[], align_corners: boolean, scales: readonly number[]): Tensor => {
    const sizes = [...input.shape].slice(2);
    const [, dtype] = elementwise_dtypes([input], KIND.INT_TO_FLOAT);
    // For each dim: the positions in the input of the result's elements, and the indices of the input elements before and after each
    // position.
    const values = sizes.map((size, d): [x: Tensor, before: Tensor, behind: Tensor] => {
      const scale = _compute_scale(size, output_size[d], align_corners, scales[d]);
      const i = torch.arange(output_size[d], { device: input.device }).to(dtype);
      const at = _compute_source_index(scale, i, align_corners).clamp(0);
      const x = at.reshape([at.size(0), ...sizes.slice(d + 1).map(() => 1)]);
      const before = x.to(torch.int64);
      return [x, before, before.add(1).clamp({ max: size - 1 })];
    });
    let corners: (Tensor | null)[][] = [[null, null]];
    for (const [, before, behind] of values)
      corners = corners.flatMap((index) => [
        [...index, before],
        [...index, behind],
      ]);
    let vs = corners.map((index) => _maybe_convert_to_dtype(torch.ops.aten._unsafe_index.Tensor(input, index), dtype));
    for (const [x, before] of values.toReversed()) {
      const share = x.sub(before).clamp(0, 1).to(dtype);
      vs = Array.from({ length: vs.length / 2 }, (_, k) =>
        vs[2 * k].add(torch.mul(vs[2 * k + 1].sub(vs[2 * k]), share)),
      );
    }
    const result = vs[0].contiguous({ memory_format: suggest_memory_format(input) });
    return input.is_floating_point() ? result : result.round();
  },
);

export function _upsample_linear_vec(
  input: Tensor,
  output_size: Sizes,
  align_corners: boolean,
  scale_factors: Sizes,
): Tensor {
  const osize = upsample_compute_output_size([...input.shape], output_size, scale_factors);
  return _upsample_linear(input, osize, align_corners, scale_factors ?? []) as Tensor;
}
