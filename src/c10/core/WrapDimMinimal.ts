/**
 * @file Wrapping of negative dimensions, which count from the end.
 * @mirrors c10/core/WrapDimMinimal.h
 */
import { TORCH_CHECK_INDEX } from "#c10/util/Exception";

function maybe_wrap_dim_slow(dim: number, dim_post_expr: number, wrap_scalar: boolean): number {
  if (dim_post_expr <= 0) {
    TORCH_CHECK_INDEX(wrap_scalar, "Dimension specified as ", dim, " but tensor has no dimensions");
    return maybe_wrap_dim(dim, 1, false); // a 0-d tensor has one dimension here: 0 or -1
  }
  const min = -dim_post_expr;
  const max = dim_post_expr - 1;
  TORCH_CHECK_INDEX(
    min <= dim && dim <= max,
    "Dimension out of range (expected to be in range of [",
    min,
    ", ",
    max,
    "], but got ",
    dim,
    ")",
  );
  return dim < 0 ? dim + dim_post_expr : dim;
}

/** Wraps `dim` into [0, dim_post_expr). A 0-d tensor accepts 0 and -1 if `wrap_scalar`. */
export function maybe_wrap_dim(dim: number, dim_post_expr: number, wrap_scalar = true): number {
  if (-dim_post_expr <= dim && dim < dim_post_expr) return dim < 0 ? dim + dim_post_expr : dim;
  return maybe_wrap_dim_slow(dim, dim_post_expr, wrap_scalar);
}
