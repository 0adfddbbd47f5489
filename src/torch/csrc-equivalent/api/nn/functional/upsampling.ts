/**
 * @file Resampling of signals, images and volumes.
 * @mirrors torch/csrc/api/include/torch/nn/functional/upsampling.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import { type EnumValue, enumtype, get_enum_name } from "../../enum.ts";
import { InterpolateFuncOptions } from "../options/upsampling.ts";

const { kNearest, kLinear, kBilinear, kBicubic, kTrilinear, kArea, kNearestExact } = enumtype;

/** The size of the output in each of the `dim` dimensions after batch and channels. */
function _interp_output_size(input: Tensor, dim: number, options: InterpolateFuncOptions): number[] {
  const [size, scale_factor] = [options.size(), options.scale_factor()];
  TORCH_CHECK(size !== null || scale_factor !== null, "either size or scale_factor should be defined");
  TORCH_CHECK(size === null || scale_factor === null, "only one of size or scale_factor should be defined");
  if (size !== null) return [...size];
  const factors = scale_factor as readonly number[];
  TORCH_CHECK(
    factors.length === dim,
    `scale_factor shape must match input shape. Input is ${dim}D, scale_factor size is `,
    factors.map((factor) => format_general(factor)),
  );
  if (options.recompute_scale_factor() === null && factors.some((factor) => Math.floor(factor) !== factor)) {
    TORCH_WARN(
      "The default behavior for interpolate/upsample with float scale_factor changed in 1.6.0 to align with other frameworks/libraries, and uses scale_factor directly, instead of relying on the computed output size. If you wish to keep the old behavior, please set recompute_scale_factor=True. See the documentation of nn.Upsample for details. ",
    );
  }
  return factors.map((factor, i) => Math.floor(input.size(i + 2) * factor));
}

type Resample = (input: Tensor, size: number[], ...scales: (number | null)[]) => Tensor;
type Aligned = (input: Tensor, size: number[], align_corners: boolean, ...scales: (number | null)[]) => Tensor;
/** Operators by the number of dimensions that are resampled. */
type ByDimension<F> = Readonly<Record<number, F | undefined>>;

const nearest: ByDimension<Resample> = { 1: at.upsample_nearest1d, 2: at.upsample_nearest2d, 3: at.upsample_nearest3d };
const nearest_exact: ByDimension<Resample> = {
  1: at._upsample_nearest_exact1d,
  2: at._upsample_nearest_exact2d,
  3: at._upsample_nearest_exact3d,
};
const area: ByDimension<Resample> = {
  1: at.adaptive_avg_pool1d,
  2: at.adaptive_avg_pool2d,
  3: at.adaptive_avg_pool3d,
};
const blind = new Map<EnumValue, ByDimension<Resample>>([
  [kNearest, nearest],
  [kNearestExact, nearest_exact],
  [kArea, area],
]);
const interpolating = new Map<
  EnumValue,
  { readonly dim: number; readonly plain: Aligned; readonly antialias?: Aligned }
>([
  [kLinear, { dim: 1, plain: at.upsample_linear1d }],
  [kBilinear, { dim: 2, plain: at.upsample_bilinear2d, antialias: at._upsample_bilinear2d_aa }],
  [kBicubic, { dim: 2, plain: at.upsample_bicubic2d, antialias: at._upsample_bicubic2d_aa }],
  [kTrilinear, { dim: 3, plain: at.upsample_trilinear3d }],
]);

/** @param input `(N, C, *)` with one to three more dimensions */
export function interpolate(input: Tensor, options: InterpolateFuncOptions = InterpolateFuncOptions()): Tensor {
  const mode = options.mode();
  let align_corners = options.align_corners();
  if (mode === kNearest || mode === kArea) {
    TORCH_CHECK(
      align_corners === null,
      "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear",
    );
  } else if (align_corners === null) {
    TORCH_WARN(
      "Default upsampling behavior when mode=",
      get_enum_name(mode),
      " is changed to align_corners=False since 0.4.0. Please specify align_corners=True if the old behavior is desired. See the documentation of nn.Upsample for details.",
    );
    align_corners = false;
  }
  const refusal = `Input Error: Only 3D, 4D and 5D input Tensors supported (got ${input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear (got ${get_enum_name(mode)})`;
  TORCH_CHECK(input.dim() >= 3 && input.dim() <= 5, refusal);
  const dim = input.dim() - 2;
  const factors = options.recompute_scale_factor() === true ? null : options.scale_factor();
  const scales: (number | null)[] = factors === null ? Array(dim).fill(null) : [...factors];
  const antialias = options.antialias();
  TORCH_CHECK(
    !antialias || (input.dim() === 4 && (mode === kBilinear || mode === kBicubic)),
    "Anti-alias option is only supported for bilinear and bicubic modes",
  );

  const plain = blind.get(mode)?.[dim];
  if (plain !== undefined) {
    const size = _interp_output_size(input, dim, options);
    return mode === kArea ? plain(input, size) : plain(input, size, ...scales.slice(0, dim));
  }
  const entry = interpolating.get(mode) as { dim: number; plain: Aligned; antialias?: Aligned };
  if (entry.dim !== dim) {
    TORCH_CHECK(mode !== kBicubic, refusal);
    const word = get_enum_name(mode).slice(1).toLowerCase();
    TORCH_CHECK(false, `Got ${input.dim()}D input, but ${word} mode needs ${entry.dim + 2}D input`);
  }
  const operator = antialias && entry.antialias !== undefined ? entry.antialias : entry.plain;
  return operator(input, _interp_output_size(input, dim, options), align_corners as boolean, ...scales.slice(0, dim));
}
