/**
 * @file The addition of two elements. native_functions.yaml names it under `ufunc_inner_loop`: stub, loops and structured kernel are
 * generated from it.
 * @mirrors aten/src/ATen/native/ufunc/add.h
 */
import type { captured, scalar_t } from "../../Dispatch.ts";

/** @loop add_cpu: Bool, all types, Half, BFloat16 */
export function add(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  return self + alpha * other;
}

export function add$bool(self: scalar_t, other: scalar_t, alpha: captured): scalar_t {
  return self || (alpha && other) ? 1 : 0;
}
