/**
 * @file Kernel of rrelu: each element that is not positive gets a random slope between `lower` and `upper`, drawn in
 * memory order.
 * @mirrors aten/src/ATen/native/Activation.cpp
 * @differs Ours is in the folder of kernel text; in PyTorch the loop is next to the operator.
 */
import { type CPUGeneratorImpl, cpu_generator } from "#aten/CPUGeneratorImpl";
import { type Distribution, uniform_real_distribution_double } from "#aten/core/DistributionsHelper";
import type { Generator } from "#aten/core/Generator";
import { type captured, cast, type opmath_t, type scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toOpMathType } from "#aten/OpMathType";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { check_type } from "#aten/TensorMethods";
import type { Scalar } from "#c10/core/Scalar";
import { RuntimeError, unmet } from "#c10/util/Exception";
import { rrelu_with_noise_loops } from "./generated/RReluKernel.ts";
import { cpu_serial_kernel } from "./Loops/index.ts";

/** Returns the result and the slope. @loop rrelu_with_noise_out_cpu: floating types, BFloat16 */
export function rrelu_with_noise(x: scalar_t, distribution: captured<Distribution>): [scalar_t, scalar_t] {
  const r = x <= 0 ? cast<opmath_t>(cast<number>(distribution.sample())) : 1;
  return [x * r, r];
}

/**
 * Checks the bounds. PyTorch's distribution checks them when it is constructed, which is at the first random number.
 */
function uniform_between(gen: CPUGeneratorImpl, from: number, to: number): Distribution {
  const wrong = !(from <= to)
    ? "from <= to"
    : to - from <= Number.MAX_VALUE
      ? null
      : "to - from <= std::numeric_limits<T>::max()";
  if (wrong === null) return new uniform_real_distribution_double(gen, from, to);
  const sample = (): number => {
    throw new RuntimeError(unmet(wrong));
  };
  return { sample };
}

/** `input` is contiguous. `noise` must only have memory for as many elements; its strides are ignored. */
export function _rrelu_with_noise_train(
  output: Tensor,
  input: Tensor,
  noise: Tensor,
  lower: Scalar,
  upper: Scalar,
  generator: Generator | null,
): void {
  const dtype = input.scalar_type();
  rrelu_with_noise_loops.get(dtype);
  const contiguous = output.contiguous();
  check_type(contiguous, dtype);
  check_type(noise, dtype);
  const gen = cpu_generator(generator);
  const bound = (value: Scalar): number => Number(value.to(toOpMathType(dtype)));
  const distribution = uniform_between(gen, bound(lower), bound(upper));
  const n = input.numel();
  const iter = new TensorIteratorConfig()
    .add_output(contiguous.view([n]))
    .add_output(noise.as_strided([n], [1]))
    .add_const_input(input.view([n]))
    .build();
  cpu_serial_kernel(iter, rrelu_with_noise_loops, distribution);
  if (!output.is_contiguous()) output.copy_(contiguous);
}
