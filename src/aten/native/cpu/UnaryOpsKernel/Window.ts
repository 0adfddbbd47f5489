/**
 * @file Kernel of `kaiser_window`.
 * @mirrors aten/src/ATen/native/cpu/UnaryOpsKernel.cpp
 */
import { type captured_opmath, cast, type opmath_t, round_to, type scalar_t } from "#aten/Dispatch";
import { kaiser_window_loops } from "#aten/native/cpu/generated/UnaryOpsKernel/Window";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { calc_i0 } from "#aten/native/Math/index";
import { kaiser_window_stub } from "#aten/native/TensorFactories/Windows";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { sqrt } from "#c10/util/math";

/** I0 of the element, divided by I0 of the middle. @loop kaiser_window_cpu: floating types and halves */
export function kaiser_window(a: scalar_t, alpha: captured_opmath, beta: captured_opmath): scalar_t {
  const from_middle = round_to<opmath_t>(cast<opmath_t>(a) - alpha);
  const ratio = round_to<opmath_t>(from_middle / alpha);
  const height = round_to<opmath_t>(1 - round_to<opmath_t>(ratio * ratio));
  const x = round_to<opmath_t>(beta * round_to<opmath_t>(sqrt(height)));
  return cast<scalar_t>(round_to<opmath_t>(calc_i0(x)) / round_to<opmath_t>(calc_i0(beta)));
}

function kaiser_window_kernel(iter: TensorIteratorBase, window_length: number, beta: number): void {
  const alpha = (window_length - 1) / 2;
  cpu_kernel(iter, kaiser_window_loops, Scalar.fromDouble(alpha), Scalar.fromDouble(beta));
}

REGISTER_DISPATCH(kaiser_window_stub, kaiser_window_kernel, "kaiser_window_kernel");
