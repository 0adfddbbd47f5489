/**
 * @file The addition of two elements. native_functions.yaml names it under `ufunc_inner_loop`: stub, loops and structured kernel are
 * generated from it.
 * @mirrors aten/src/ATen/native/ufunc/add.h
 */
import { type captured, round_to, type scalar_t } from "#aten/Dispatch";

/** @loop add_stub: Bool, all types and halves */
export function add(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  return self + alpha * other;
}

/**
 * Halves round after each step, where float32 and float64 may multiply and add in one.
 * @differs PyTorch rounds so in its scalar loop (strided operands, and the last elements of a run); its vectors of 32 halves do not.
 */
export function add$reduced(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  // 1 and -1 leave nothing to round.
  return self + (alpha !== 1 && alpha !== -1 ? round_to<scalar_t>(alpha * other) : alpha * other);
}

export function add$bool(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  return self || (alpha && other) ? 1 : 0;
}
