/**
 * @file `scatter_reduce`: scatters a source and combines values with the same position.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { structured_scatter_base } from "./Scatter.ts";

const reductions = ["sum", "prod", "mean", "amax", "amin"] as const;
/** Ways to combine elements. */
export type ScatterReduction = (typeof reductions)[number];

export const scatter_reduce_two_stub =
  DEFINE_DISPATCH<(self: Tensor, dim: number, index: Tensor, src: Tensor, reduce: ScatterReduction) => void>(
    "scatter_reduce_two_stub",
  );

function get_operator_enum(reduce: string): ScatterReduction {
  const known = reductions.find((name) => name === reduce);
  TORCH_CHECK(known !== undefined, "reduce argument must be either sum, prod, mean, amax or amin, got ", reduce);
  return known;
}

const integral_bounds: ReadonlyMap<ScalarType, readonly [low: bigint, high: bigint]> = new Map([
  [ScalarType.Bool, [0n, 1n]],
  [ScalarType.Byte, [0n, 255n]],
  [ScalarType.Char, [-128n, 127n]],
  [ScalarType.Short, [-(2n ** 15n), 2n ** 15n - 1n]],
  [ScalarType.Int, [-(2n ** 31n), 2n ** 31n - 1n]],
  [ScalarType.Long, [-(2n ** 63n), 2n ** 63n - 1n]],
] as [ScalarType, [bigint, bigint]][]);

/** Neutral element of a reduction. */
export function neutral(reduce: ScatterReduction, dtype: ScalarType): Scalar {
  if (reduce === "sum" || reduce === "mean") return Scalar.ZERO;
  if (reduce === "prod") return Scalar.ONE;
  const bounds = integral_bounds.get(dtype);
  if (bounds === undefined) return Scalar.fromDouble(reduce === "amax" ? -Infinity : Infinity);
  return Scalar.fromInt(bounds[reduce === "amax" ? 0 : 1]);
}

/** Divides each sum by the number of its terms, or by one if there are none. */
function divide_by_count(out: Tensor, dim: number, index: Tensor, src: Tensor, include_self: boolean): void {
  const ones = at.ones_like(src);
  const count = include_self ? at.ones_like(out) : at.zeros_like(out);
  count.scatter_add_(dim, index, ones);
  count.masked_fill__Scalar(count.eq_Scalar(Scalar.ZERO), Scalar.ONE);
  if (isFloatingType(out.scalar_type())) out.div__Tensor(count);
  else out.div__Tensor_mode(count, "floor");
}

// scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!)
/** As in PyTorch, `self` is copied into the result twice. */
export abstract class structured_scatter_reduce_two extends structured_scatter_base {
  meta(self: Tensor, dim: number, index: Tensor, src: Tensor, reduce: string, _include_self: boolean): void {
    this.announce(self, dim, index, src, null);
    get_operator_enum(reduce);
  }
  impl(
    self: Tensor,
    dim_: number,
    index: Tensor,
    src: Tensor,
    reduce: string,
    include_self: boolean,
    out: Tensor,
  ): void {
    TORCH_WARN_ONCE("scatter_reduce() is in beta and the API may change at any time.");
    const dim = maybe_wrap_dim(dim_, self.dim());
    const op = get_operator_enum(reduce);
    if (!self.is_same(out)) out.copy_(self);
    if (index.numel() !== 0) {
      out.copy_(self);
      if (!include_self) out.scatter__value(dim, index, neutral(op, out.scalar_type()));
      scatter_reduce_two_stub.call(self.device_type(), out, dim, index.to_dtype(ScalarType.Long), src, op);
    }
    if (op === "mean") divide_by_count(out, dim, index, src, include_self);
  }
}
