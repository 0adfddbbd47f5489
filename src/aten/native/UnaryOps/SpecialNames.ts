/**
 * @file Aliases in `torch.special` of existing operators.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 * @see Special.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { ScalarType } from "#c10/core/ScalarType";

export function special_expit(self: Tensor): Tensor {
  return self.sigmoid();
}
export function special_expit_out(self: Tensor, out: Tensor): Tensor {
  return at.sigmoid_out(self, out);
}

export function special_exp2(self: Tensor): Tensor {
  return self.exp2();
}
export function special_exp2_out(self: Tensor, out: Tensor): Tensor {
  return at.exp2_out(self, out);
}

export function special_expm1(self: Tensor): Tensor {
  return self.expm1();
}
export function special_expm1_out(self: Tensor, out: Tensor): Tensor {
  return at.expm1_out(self, out);
}

export function special_erf(self: Tensor): Tensor {
  return self.erf();
}
export function special_erf_out(self: Tensor, out: Tensor): Tensor {
  return at.erf_out(self, out);
}

export function special_erfc(self: Tensor): Tensor {
  return self.erfc();
}
export function special_erfc_out(self: Tensor, out: Tensor): Tensor {
  return at.erfc_out(self, out);
}

export function special_erfinv(self: Tensor): Tensor {
  return self.erfinv();
}
export function special_erfinv_out(self: Tensor, out: Tensor): Tensor {
  return at.erfinv_out(self, out);
}

export function special_log1p(self: Tensor): Tensor {
  return self.log1p();
}
export function special_log1p_out(self: Tensor, out: Tensor): Tensor {
  return at.log1p_out(self, out);
}

export function special_sinc(self: Tensor): Tensor {
  return self.sinc();
}
export function special_sinc_out(self: Tensor, out: Tensor): Tensor {
  return at.sinc_out(self, out);
}

export function special_gammaln(self: Tensor): Tensor {
  return self.lgamma();
}
export function special_gammaln_out(self: Tensor, out: Tensor): Tensor {
  return at.lgamma_out(self, out);
}

export function special_digamma(self: Tensor): Tensor {
  return self.digamma();
}
export function special_digamma_out(self: Tensor, out: Tensor): Tensor {
  return at.digamma_out(self, out);
}

export function special_psi(self: Tensor): Tensor {
  return self.digamma();
}
export function special_psi_out(self: Tensor, out: Tensor): Tensor {
  return at.digamma_out(self, out);
}

export function special_i0(self: Tensor): Tensor {
  return self.i0();
}
export function special_i0_out(self: Tensor, out: Tensor): Tensor {
  return at.i0_out(self, out);
}

export function special_round(self: Tensor, decimals: number): Tensor {
  return self.round_decimals(decimals);
}
export function special_round_out(self: Tensor, decimals: number, out: Tensor): Tensor {
  return at.round_decimals_out(self, decimals, out);
}

export function special_logit(self: Tensor, eps: number | null): Tensor {
  return self.logit(eps);
}
export function special_logit_out(self: Tensor, eps: number | null, out: Tensor): Tensor {
  return at.logit_out(self, eps, out);
}

export function special_polygamma(n: number, self: Tensor): Tensor {
  return self.polygamma(n);
}
export function special_polygamma_out(n: number, self: Tensor, out: Tensor): Tensor {
  return at.polygamma_out(n, self, out);
}

export function special_multigammaln(self: Tensor, p: number): Tensor {
  return self.mvlgamma(p);
}
export function special_multigammaln_out(self: Tensor, p: number, out: Tensor): Tensor {
  return at.mvlgamma_out(self, p, out);
}

export function special_softmax(self: Tensor, dim: number, dtype: ScalarType | null): Tensor {
  return at.softmax_int(self, dim, dtype);
}
export function special_log_softmax(self: Tensor, dim: number, dtype: ScalarType | null): Tensor {
  return at.log_softmax_int(self, dim, dtype);
}
