/**
 * @file Dropout: each element is kept with probability 1 - p and scaled by 1 / (1 - p).
 * @mirrors aten/src/ATen/native/Dropout.cpp
 */
import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

function check_probability(p: number): void {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", printDouble(p));
}

/** Ones with probability 1 - p, scaled by 1 / (1 - p) so that the expectation stays. */
function make_noise(input: Tensor, p: number): Tensor {
  const noise = at.empty_like(input);
  noise.bernoulli__float(1 - p);
  noise.div__Scalar(Scalar.fromDouble(1 - p));
  return noise;
}

// dropout(Tensor input, float p, bool train) -> Tensor                              CompositeImplicitAutograd
export function dropout(input: Tensor, p: number, train: boolean): Tensor {
  check_probability(p);
  if (p === 0 || !train || input.numel() === 0) return input;
  if (p === 1) return input.mul_Tensor(at.zeros([], input.options()));
  return input.mul_Tensor(make_noise(input, p));
}

// dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)                      CompositeImplicitAutograd
export function dropout_(self: Tensor, p: number, train: boolean): Tensor {
  check_probability(p);
  if (p === 0 || !train || self.numel() === 0) return self;
  if (p === 1) return self.mul__Tensor(at.zeros([], self.options()));
  return self.mul__Tensor(make_noise(self, p));
}
