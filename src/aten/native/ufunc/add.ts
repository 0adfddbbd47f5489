/**
 * @file Kernel of the addition of two elements. native_functions.yaml names it as `ufunc_inner_loop`; codegen makes the
 * stub, the loops and the structured kernel from it.
 * @mirrors aten/src/ATen/native/ufunc/add.h
 */
import { type captured, round_to, type scalar_t } from "#aten/Dispatch";

/** @loop add_stub: Bool, all types and halves */
export function add(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  return self + alpha * other;
}

/**
 * Halves are rounded after each step; float32 and float64 may use a fused multiply-add.
 * @differs Ours rounds halves like this everywhere; PyTorch does so only in its scalar loop (strided operands, and the
 * last elements of a run), not in its vectors of 32 halves.
 */
export function add$reduced(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  // A product with 1 or -1 needs no rounding.
  return self + (alpha !== 1 && alpha !== -1 ? round_to<scalar_t>(alpha * other) : alpha * other);
}

export function add$bool(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  return self || (alpha && other) ? 1 : 0;
}
