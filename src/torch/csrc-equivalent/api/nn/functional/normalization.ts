/**
 * @file Normalizations as functions.
 * @mirrors torch/csrc/api/include/torch/nn/functional/normalization.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { or_null } from "../../optional_tensor.ts";
import {
  type GroupNormFuncOptions,
  type LayerNormFuncOptions,
  type LocalResponseNormOptions,
  NormalizeFuncOptions,
} from "../options/normalization.ts";
import { PadFuncOptions } from "../options/padding.ts";
import { pad } from "./padding.ts";

const double = Scalar.fromDouble;

/** Vectors of `dim` with norm 1. */
export function normalize(input: Tensor, options: NormalizeFuncOptions = NormalizeFuncOptions()): Tensor {
  const norm = input.norm_ScalarOpt_dim(double(options.p()), [options.dim()], true);
  const denom = norm.clamp_min(double(options.eps())).expand_as(input);
  const out = options.out();
  return out === null ? input.div_Tensor(denom) : at.div_out(out, input, denom);
}

export function layer_norm(input: Tensor, options: LayerNormFuncOptions): Tensor {
  const [weight, bias] = [or_null(options.weight()), or_null(options.bias())];
  return at.layer_norm(input, [...options.normalized_shape()], weight, bias, options.eps());
}

/** Divides by a power of the mean square of `size` neighbouring channels. */
export function local_response_norm(input: Tensor, options: LocalResponseNormOptions): Tensor {
  const size = options.size();
  const dim = input.dim();
  TORCH_CHECK(dim >= 3, "Expected 3D or higher dimensionality input (got ", dim, " dimensions)");
  const sides = [Math.trunc(size / 2), Math.trunc((size - 1) / 2)];
  let div = input.mul_Tensor(input).unsqueeze(1);
  if (dim === 3) {
    div = pad(div, PadFuncOptions([0, 0, ...sides]));
    div = at.avg_pool2d(div, [size, 1], [1, 1], [0, 0], false, true, null).squeeze_dim(1);
  } else {
    const sizes = input.sizes();
    div = div.view([sizes[0], 1, sizes[1], sizes[2], -1]);
    div = pad(div, PadFuncOptions([0, 0, 0, 0, ...sides]));
    div = at.avg_pool3d(div, [size, 1, 1], [1, 1, 1], [0, 0, 0], false, true, null).squeeze_dim(1);
    div = div.view([...sizes]);
  }
  div = div
    .mul_Scalar(double(options.alpha()))
    .add_Scalar(double(options.k()))
    .pow_Tensor_Scalar(double(options.beta()));
  return input.div_Tensor(div);
}

export function group_norm(input: Tensor, options: GroupNormFuncOptions): Tensor {
  const [weight, bias] = [or_null(options.weight()), or_null(options.bias())];
  return at.group_norm(input, options.num_groups(), weight, bias, options.eps(), true);
}
