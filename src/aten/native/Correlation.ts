/**
 * @file `cov` and `corrcoef`: covariances of variables (one per row), and correlation coefficients.
 * @mirrors aten/src/ATen/native/Correlation.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { is_scalar_tensor_true } from "#aten/TensorSubclassLikeUtils";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

const OBSERVATIONS_DIM = 1;

function check_weights(name: string, w: Tensor, num_observations: number, kind: string, fits: boolean): void {
  TORCH_CHECK(
    w.dim() <= 1,
    `cov(): expected ${name} to have one or fewer dimensions but got ${name} with `,
    w.dim(),
    " dimensions",
  );
  TORCH_CHECK(
    fits,
    `cov(): expected ${name} to have ${kind} dtype but got ${name} with `,
    toString(w.scalar_type()),
    " dtype",
  );
  TORCH_CHECK(
    w.numel() === num_observations,
    `cov(): expected ${name} to have the same numel as there are observations in the input but got `,
    w.numel(),
    " != ",
    num_observations,
  );
  TORCH_CHECK(
    num_observations === 0 || is_scalar_tensor_true(w.min().ge_Scalar(Scalar.ZERO)),
    `cov(): ${name} cannot be negative`,
  );
}

/** Weight of each observation: its count times its weight; null if all observations count the same. */
function observation_weights(
  num_observations: number,
  fweights: Tensor | null,
  aweights: Tensor | null,
): Tensor | null {
  if (fweights !== null) {
    const integral = isIntegralType(fweights.scalar_type(), false);
    check_weights("fweights", fweights, num_observations, "integral", integral);
  }
  if (aweights === null) return fweights;
  check_weights("aweights", aweights, num_observations, "floating point", isFloatingType(aweights.scalar_type()));
  return fweights === null ? aweights : fweights.mul_Tensor(aweights);
}

/**
 * A single observation is its own mean. It becomes 0 in place, in the caller's memory, as in PyTorch if there are
 * weights of one kind.
 */
function become_zero(observed: Tensor): Tensor {
  observed.zero_();
  return isIntegralType(observed.scalar_type(), false) ? observed.to_dtype(get_default_dtype()) : observed;
}

// cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor     CompositeImplicitAutograd
export function cov(
  self: Tensor, // (variables, observations), or (observations) or () of one variable
  correction: number,
  fweights: Tensor | null,
  aweights: Tensor | null,
): Tensor {
  TORCH_CHECK(
    self.dim() <= 2,
    "cov(): expected input to have two or fewer dimensions but got an input with ",
    self.dim(),
    " dimensions",
  );
  TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, "cov(): bool dtype is not supported for input");
  const observed = self.dim() < 2 ? self.view([1, -1]) : self;
  const num_observations = observed.size(OBSERVATIONS_DIM);
  const w = observation_weights(num_observations, fweights, aweights);
  const weighted = (x: Tensor): Tensor => (w === null ? x : x.mul_Tensor(w));

  const w_sum =
    w === null
      ? at.scalar_tensor(Scalar.fromInt(num_observations), observed.options().dtype(ScalarType.Long))
      : w.sum(null);
  TORCH_CHECK(
    w === null || is_scalar_tensor_true(w_sum.ne_Scalar(Scalar.ZERO)),
    "cov(): weights sum to zero, can't be normalized",
  );
  const avg = weighted(observed).sum_dim_IntList([OBSERVATIONS_DIM], false, null).div_Tensor(w_sum);

  const corr = Scalar.fromInt(correction);
  let norm_factor: Tensor;
  if (w !== null && aweights !== null && correction !== 0)
    norm_factor = w_sum.sub_Tensor(w.mul_Tensor(aweights).sum(null).mul_Scalar(corr).div_Tensor(w_sum));
  else if (w !== null) norm_factor = correction === 0 ? w_sum : w_sum.sub_Scalar(corr, Scalar.ONE);
  else {
    const options = observed.options().dtype(ScalarType.Long);
    norm_factor = at.scalar_tensor(Scalar.fromInt(num_observations - correction), options);
  }
  if (is_scalar_tensor_true(norm_factor.le_Scalar(Scalar.ZERO))) {
    TORCH_WARN(
      "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
    );
    norm_factor.zero_();
  }

  const alone = (fweights === null) !== (aweights === null) && num_observations === 1;
  const centred = alone ? become_zero(observed) : observed.sub_Tensor(avg.unsqueeze(1));
  const c = at.mm(centred, weighted(centred).t().conj());
  return at.true_divide_Tensor(c, norm_factor).squeeze();
}

// corrcoef(Tensor self) -> Tensor                                                   CompositeImplicitAutograd
/** @differs Ours has no complex numbers; PyTorch clips their real and imaginary parts. */
export function corrcoef(self: Tensor): Tensor {
  TORCH_CHECK(
    self.dim() <= 2,
    "corrcoef(): expected input to have two or fewer dimensions but got an input with ",
    self.dim(),
    " dimensions",
  );
  const c = at.cov(self);
  if (c.dim() === 0) return c.div_Tensor(c); // 1, or NaN if the only variable has variance 0 or infinity
  const stddev = at.sqrt(c.diagonal(0, 0, 1));
  const normalized = c.div_Tensor(stddev.view([-1, 1])).div_Tensor(stddev.view([1, -1]));
  return normalized.clip(Scalar.fromInt(-1), Scalar.ONE); // rounding may have made it slightly larger than 1
}
