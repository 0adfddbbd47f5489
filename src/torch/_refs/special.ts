/**
 * @file References of the functions of `torch.special`.
 * @mirrors torch/_refs/special/__init__.py
 */

import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import { ELEMENTWISE_TYPE_PROMOTION_KIND as KIND } from "../_prims_common/index.ts";
import { elementwise_type_promotion_wrapper, out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import {
  _make_elementwise_binary_reference,
  _make_elementwise_unary_reference,
  _make_inplace,
  elementwise2,
} from "./index.ts";
import { x_times_log } from "./math.ts";

register_decomposition(
  "logit logit.out",
  out_wrapper(
    elementwise_type_promotion_wrapper([0], KIND.INT_TO_FLOAT, (self: Tensor, eps: number | null) => {
      const [lo, hi] = [torch.Float(eps ?? -1), torch.Float(1 - (eps ?? -1))];
      const x = torch.where(torch.lt(self, lo), lo, torch.where(torch.gt(self, hi), hi, self));
      return torch.log(torch.true_divide(x, torch.rsub(x, 1)));
    }),
  ),
);
for (const name of ["special_erfcx", "special_i1"])
  register_decomposition(`${name} ${name}.out`, _make_elementwise_unary_reference(KIND.INT_TO_FLOAT));
register_decomposition(
  "special_zeta special_zeta.out special_zeta.self_scalar special_zeta.self_scalar_out special_zeta.other_scalar special_zeta.other_scalar_out",
  _make_elementwise_binary_reference(KIND.INT_TO_FLOAT, elementwise2, { name: "zeta" }),
);

const multigammaln = out_wrapper(
  elementwise_type_promotion_wrapper([0], KIND.INT_TO_FLOAT, (a: Tensor, p: number) => {
    const b = torch.mul(torch.arange(1 - p, 1, 1, { dtype: a.dtype, device: a.device }), 0.5);
    const sum = torch.sum(torch.lgamma(torch.add(a.unsqueeze(-1), b)), -1);
    return torch.add(sum, 0.25 * p * (p - 1) * Math.log(Math.PI));
  }),
);
register_decomposition("mvlgamma mvlgamma.out", multigammaln);
register_decomposition("mvlgamma_", _make_inplace(multigammaln));

register_decomposition(
  "special_xlog1py special_xlog1py.out special_xlog1py.self_scalar special_xlog1py.self_scalar_out special_xlog1py.other_scalar special_xlog1py.other_scalar_out",
  x_times_log((b) => torch.log1p(b)),
);
