/**
 * @file Options of linear layers and of modules that change the shape alone.
 * @mirrors torch/csrc/api/include/torch/nn/options/linear.h
 */
import { bool, int64, list, type Made, TORCH_OPTIONS } from "../../arg.ts";

export const LinearOptions = TORCH_OPTIONS("LinearOptions", ["in_features", "out_features"], {
  in_features: int64(),
  out_features: int64(),
  bias: bool(true),
});
export type LinearOptions = Made<typeof LinearOptions>;

export const FlattenOptions = TORCH_OPTIONS("FlattenOptions", [], { start_dim: int64(1), end_dim: int64(-1) });
export type FlattenOptions = Made<typeof FlattenOptions>;

/** @differs Dimensions with names are not offered. */
export const UnflattenOptions = TORCH_OPTIONS("UnflattenOptions", ["dim", "sizes"], { dim: int64(), sizes: list() });
export type UnflattenOptions = Made<typeof UnflattenOptions>;

export const BilinearOptions = TORCH_OPTIONS("BilinearOptions", ["in1_features", "in2_features", "out_features"], {
  in1_features: int64(),
  in2_features: int64(),
  out_features: int64(),
  bias: bool(true),
});
export type BilinearOptions = Made<typeof BilinearOptions>;
