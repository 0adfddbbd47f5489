/**
 * @file Sampling of images at the points of a grid.
 * @mirrors torch/csrc/api/include/torch/nn/functional/vision.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { enumtype } from "../../enum.ts";
import { GridSampleFuncOptions } from "../options/vision.ts";

/** Names of C++'s types, as `caffe2::TypeMeta` prints them. */
const CPP_TYPES: Readonly<Record<number, string>> = {
  [ScalarType.Byte]: "unsigned char",
  [ScalarType.Char]: "signed char",
  [ScalarType.Short]: "short int",
  [ScalarType.Int]: "int",
  [ScalarType.Long]: "long int",
  [ScalarType.Bool]: "bool",
  [ScalarType.ComplexFloat]: "c10::complex<float>",
  [ScalarType.ComplexDouble]: "c10::complex<double>",
};

/**
 * @param theta matrices, `(N, 2, 3)` or `(N, 3, 4)`
 * @param size of the output: `(N, C, H, W)` or `(N, C, D, H, W)`
 */
export function affine_grid(theta: Tensor, size: readonly number[], align_corners = false): Tensor {
  const dtype = theta.scalar_type();
  TORCH_CHECK(isFloatingType(dtype), "Expected theta to have floating point type, but got ", CPP_TYPES[dtype]);
  const dims = size.length - 2;
  TORCH_CHECK(
    dims === 2 || dims === 3,
    "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size ",
    size,
  );
  TORCH_CHECK(
    theta.dim() === 3 && theta.size(-2) === dims && theta.size(-1) === dims + 1,
    `Expected a batch of ${dims}D affine matrices of shape Nx${dims}x${dims + 1} for size `,
    size,
    ". Got ",
    theta.sizes(),
    ".",
  );
  TORCH_CHECK(Math.min(...size) > 0, "Expected non-zero, positive output size. Got ", size);
  return at.affine_grid_generator(theta, [...size], align_corners);
}

export function grid_sample(
  input: Tensor,
  grid: Tensor,
  options: GridSampleFuncOptions = GridSampleFuncOptions(),
): Tensor {
  const mode = [enumtype.kBilinear, enumtype.kNearest, enumtype.kBicubic].indexOf(options.mode() as never);
  const padding = [enumtype.kZeros, enumtype.kBorder, enumtype.kReflection].indexOf(options.padding_mode() as never);
  const align_corners = options.align_corners();
  if (align_corners === null) {
    TORCH_WARN(
      "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
    );
  }
  return at.grid_sampler(input, grid, mode, padding, align_corners ?? false);
}
