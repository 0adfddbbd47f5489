/**
 * @file Options of dropout: `p` is the probability that an element becomes 0.
 * @mirrors torch/csrc/api/include/torch/nn/options/dropout.h
 */
import { bool, double, type Made, TORCH_OPTIONS } from "../../arg.ts";

export const DropoutOptions = TORCH_OPTIONS("DropoutOptions", ["p"], { p: double(0.5), inplace: bool(false) });
export type DropoutOptions = Made<typeof DropoutOptions>;

const func = (name: string, training: boolean) =>
  TORCH_OPTIONS(name, [], { p: double(0.5), training: bool(training), inplace: bool(false) });
export const DropoutFuncOptions: ReturnType<typeof func> = func("DropoutFuncOptions", true);
export const AlphaDropoutFuncOptions: ReturnType<typeof func> = func("AlphaDropoutFuncOptions", false);
export const FeatureAlphaDropoutFuncOptions: ReturnType<typeof func> = func("FeatureAlphaDropoutFuncOptions", false);
export type DropoutFuncOptions = Made<typeof DropoutFuncOptions>;
