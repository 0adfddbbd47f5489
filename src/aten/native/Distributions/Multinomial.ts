/**
 * @file `multinomial`: category numbers drawn with given weights.
 * @mirrors aten/src/ATen/native/Distributions.cpp
 */
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

type Gen = Generator | null;

export const multinomial_with_replacement_stub = DEFINE_DISPATCH<
  (result: Tensor, self: Tensor, n_sample: number, gen: Gen) => void
>("multinomial_with_replacement_stub");
/** Selects the largest elements of each row. */
export const multinomial_largest_stub =
  DEFINE_DISPATCH<(result: Tensor, q: Tensor, n_sample: number) => void>("multinomial_largest_stub");

/** Up to this number, float32 represents all integers. */
const FLOAT32_MAX_CONSECUTIVE_INT = 2 ** 24;

function check_multinomial(self: Tensor, n_sample: number, with_replacement: boolean, result: Tensor): void {
  TORCH_CHECK(result.device().eq(self.device()), "multinomial arguments must have the same device");
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 2, "prob_dist must be 1 or 2 dim");
  TORCH_CHECK(
    isFloatingType(self.scalar_type()),
    "multinomial only supports floating-point dtypes for input, got: ",
    toString(self.scalar_type()),
  );
  TORCH_CHECK(
    result.scalar_type() === ScalarType.Long,
    "multinomial expects Long tensor out, got: ",
    toString(result.scalar_type()),
  );
  TORCH_CHECK(n_sample > 0, "cannot sample n_sample <= 0 samples");
  const n_categories = self.size(-1);
  TORCH_CHECK(
    with_replacement || n_sample <= n_categories,
    "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
  );
  TORCH_CHECK(n_categories <= FLOAT32_MAX_CONSECUTIVE_INT, "number of categories cannot exceed 2^24");
}

function check_weights(self: Tensor): void {
  TORCH_CHECK(
    self.numel() > 0,
    "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
  );
  const [min, max] = [self.min(), self.max()];
  const is_valid = min.ge_Scalar(Scalar.ZERO).bitwise_and_Tensor(max.lt_Scalar(Scalar.fromDouble(Infinity)));
  TORCH_CHECK(is_valid.item().toBool(), "probability tensor contains either `inf`, `nan` or element < 0");
  const none = (self.dim() === 1 ? self.sum() : self.sum_dim_IntList([1])).eq_Scalar(Scalar.ZERO);
  TORCH_CHECK(
    !(self.dim() === 1 ? none : none.any()).item().toBool(),
    "invalid multinomial distribution (sum of probabilities <= 0)",
  );
}

// Note [A race of exponentials]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// If waiting times have rates p, the first to arrive is category i with probability p_i. The next one is drawn from the
// remaining categories in the same way. So one exponential number per category, divided by its weight, gives an order
// of all categories, and the smallest ones are a sample without replacement. The code computes p / q, where q is
// exponential, and takes the largest.

// multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)   CPU
/** @differs Ours takes the largest with a stub of its own; PyTorch calls `topk`, and `aminmax` for both extremes. */
export function multinomial_out(
  self: Tensor,
  n_sample: number,
  with_replacement: boolean,
  gen: Gen,
  result: Tensor,
): Tensor {
  check_multinomial(self, n_sample, with_replacement, result);
  result.resize_(self.dim() === 1 ? [n_sample] : [self.size(0), n_sample]);
  if (result.numel() === 0) return result;
  if (with_replacement && n_sample > 1) {
    multinomial_with_replacement_stub.call(result.device().type(), result, self, n_sample, gen);
    return result;
  }
  check_weights(self);
  const q = at.empty_like(self).exponential_(1, gen);
  at.div_out(self, q, q);
  if (n_sample === 1) return at.argmax_out(q, -1, true, result);
  multinomial_largest_stub.call(result.device().type(), result, q, n_sample);
  return result;
}

// multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor     CPU
export function multinomial(self: Tensor, n_sample: number, with_replacement: boolean, gen: Gen): Tensor {
  const result = at.empty_memory_format([0], self.options().dtype(ScalarType.Long));
  return multinomial_out(self, n_sample, with_replacement, gen, result);
}
