/**
 * @file Kernels of special mathematical functions, computed by series.
 * @mirrors aten/src/ATen/native/cpu/UnaryOpsKernel.cpp
 * @see index.ts; native/Math/index.ts (the series)
 * @differs Ours computes in double and rounds once (except trigamma); PyTorch computes float32 in float.
 */
import { type captured, round_to, type scalar_t } from "#aten/Dispatch";
import {
  digamma_of_loops,
  erfcx_of_loops,
  erfinv_of_loops,
  i0_of_loops,
  i1_of_loops,
  lgamma_of_loops,
  polygamma_of_loops,
  trigamma_of_loops,
  zeta_of_loops,
} from "#aten/native/cpu/generated/UnaryOpsKernel/Special";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  calc_digamma,
  calc_erfcx,
  calc_erfinv,
  calc_i0,
  calc_i1,
  calc_polygamma,
  lgamma,
  trigamma,
  trigamma_float,
  zeta,
} from "#aten/native/Math/index";
import {
  digamma_stub,
  erfinv_stub,
  i0_stub,
  lgamma_stub,
  polygamma_stub,
  special_erfcx_stub,
  special_i1_stub,
  zeta_stub,
} from "#aten/native/UnaryOps/Special";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { pow } from "#c10/util/math";

/** @loop lgamma_vml_cpu: floating types and halves */
export function lgamma_of(a: scalar_t): scalar_t {
  return lgamma(a);
}

/** @loop digamma: floating types and halves */
export function digamma_of(a: scalar_t): scalar_t {
  return calc_digamma(a);
}

/** @loop trigamma: floating types and halves */
export function trigamma_of(a: scalar_t): scalar_t {
  return trigamma_float(a);
}
export function trigamma_of$float64(a: scalar_t): scalar_t {
  return trigamma(a);
}

/** @loop erfinv_vml_cpu: floating types and halves */
export function erfinv_of(a: scalar_t): scalar_t {
  return calc_erfinv(a);
}

/** @loop i0_cpu: floating types and halves */
export function i0_of(a: scalar_t): scalar_t {
  return calc_i0(a);
}

/** @loop i1_cpu: floating types and halves */
export function i1_of(a: scalar_t): scalar_t {
  return calc_i1(a);
}

/** @loop erfcx_cpu: floating types */
export function erfcx_of(a: scalar_t): scalar_t {
  return calc_erfcx(a, round_to<scalar_t>(a * a));
}

/** @loop polygamma: floating types and halves */
export function polygamma_of(a: scalar_t, order: captured<number>): scalar_t {
  return calc_polygamma(a, order);
}

/** @loop zeta_cpu: floating types */
export function zeta_of(x: scalar_t, q: scalar_t): scalar_t {
  return zeta(x, q, round_to<scalar_t>(pow(q, -x)));
}

function lgamma_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, lgamma_of_loops);
}
function digamma_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, digamma_of_loops);
}
function erfinv_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, erfinv_of_loops);
}
function i0_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, i0_of_loops);
}
function i1_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, i1_of_loops);
}
function erfcx_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, erfcx_of_loops);
}
function zeta_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, zeta_of_loops);
}
function polygamma_kernel(iter: TensorIteratorBase, n: number): void {
  if (n === 0) cpu_kernel(iter, digamma_of_loops);
  else if (n === 1) cpu_kernel(iter, trigamma_of_loops);
  else cpu_kernel(iter, polygamma_of_loops, Number(n)); // beyond 2^53 an int is not an exact number
}

REGISTER_DISPATCH(lgamma_stub, lgamma_kernel, "lgamma_kernel");
REGISTER_DISPATCH(digamma_stub, digamma_kernel, "digamma_kernel");
REGISTER_DISPATCH(polygamma_stub, polygamma_kernel, "polygamma_kernel");
REGISTER_DISPATCH(erfinv_stub, erfinv_kernel, "erfinv_kernel");
REGISTER_DISPATCH(i0_stub, i0_kernel, "i0_kernel");
REGISTER_DISPATCH(special_i1_stub, i1_kernel, "i1_kernel");
REGISTER_DISPATCH(special_erfcx_stub, erfcx_kernel, "erfcx_kernel");
REGISTER_DISPATCH(zeta_stub, zeta_kernel, "zeta_kernel");
