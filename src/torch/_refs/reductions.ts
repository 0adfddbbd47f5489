/**
 * @file References of reductions: products, variances, norms, counts, sums of exponentials.
 * @mirrors torch/_refs/__init__.py
 * @differs Ours serves Meta tensors only, where no value is computed: a formula that changes neither shape nor dtype is omitted; PyTorch's
 * references compute values.
 * @see index.ts for sums, extremes and means
 */

import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import {
  get_computation_dtype,
  is_float_dtype,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  type NumberType,
} from "../_prims_common/index.ts";
import {
  _maybe_convert_to_dtype,
  elementwise_type_promotion_wrapper,
  type Keywords,
  out_wrapper,
} from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import type { dtype } from "../types.ts";
import { _reduction, type Dims, dims_and_keepdim } from "./index.ts";

register_decomposition("prod prod.out prod.dim_int prod.int_out", (a: Tensor, ...rest: unknown[]) => {
  const { dtype, out } = rest.at(-1) as { dtype: dtype | null; out: Tensor | null };
  const product = dtype ?? out?.dtype ?? (is_float_dtype(a.dtype) ? a.dtype : torch.int64);
  return _reduction(a, { ...dims_and_keepdim(rest), dtype: product, out, has_identity: true });
});

register_decomposition(
  "count_nonzero count_nonzero.out count_nonzero.dim_IntList count_nonzero.dim_IntList_out",
  out_wrapper((self: Tensor, dim: Dims) => torch.ne(self, 0).sum({ dim: dim as number[] })),
);

register_decomposition(
  "logsumexp logsumexp.out",
  out_wrapper(
    elementwise_type_promotion_wrapper([0], KIND.INT_TO_FLOAT, (self: Tensor, dim: number[], keepdim: boolean) => {
      if (self.numel() === 0) return torch.log(torch.exp(self).sum(dim, { keepdim }));
      const maxes = torch.amax(self, dim, true);
      const result = torch.exp(torch.sub(self, maxes)).sum(dim, { keepdim });
      return torch.add(torch.log(result), keepdim ? maxes : torch.squeeze(maxes, dim));
    }),
  ),
);

register_decomposition(
  [
    "Scalar",
    "Scalar_out",
    "ScalarOpt_dtype",
    "ScalarOpt_dtype_out",
    "ScalarOpt_dim",
    "out",
    "ScalarOpt_dim_dtype",
    "dtype_out",
  ]
    .map((overload) => `norm.${overload}`)
    .join(" "),
  out_wrapper(
    (input: Tensor, p: NumberType | null, ...rest: unknown[]) => {
      const { dim, keepdim } = dims_and_keepdim(rest);
      const { dtype = null } = rest.at(-1) as { dtype?: dtype | null };
      return torch.linalg.vector_norm(input, p ?? 2, dim as number[] | null, keepdim, { dtype });
    },
    { exact_dtype: true },
  ),
);

// variance and standard deviation ------------------------------------------------------------------------------------------

interface Spread extends Keywords {
  readonly correction: NumberType | null;
  readonly keepdim: boolean;
}

function var_ref(a: Tensor, dim: Dims, { keepdim }: Spread): Tensor {
  return _reduction(a, { dim, keepdim, dtype: null, out: null, has_identity: true });
}
register_decomposition("var.correction var.correction_out", out_wrapper(var_ref));
register_decomposition(
  "var_mean.correction var_mean.correction_out",
  out_wrapper((a: Tensor, dim: Dims, kw: Spread) => [
    var_ref(a, dim, kw),
    torch.mean(a, dim as number[] | null, { keepdim: kw.keepdim }),
  ]),
);
register_decomposition(
  "std.correction std.correction_out",
  out_wrapper((given: Tensor, dim: number[] | null, { correction, keepdim }: Spread) => {
    const a = _maybe_convert_to_dtype(given, get_computation_dtype(given.dtype));
    return _maybe_convert_to_dtype(torch.sqrt(torch.var(a, dim, { correction, keepdim })), given.dtype);
  }),
);
register_decomposition(
  "std_mean.correction std_mean.correction_out",
  out_wrapper((given: Tensor, dim: number[] | null, { correction, keepdim }: Spread) => {
    const a = _maybe_convert_to_dtype(given, get_computation_dtype(given.dtype));
    const [variance, mean] = torch.var_mean(a, dim, { correction, keepdim });
    return [torch.sqrt(variance), mean].map((t) => _maybe_convert_to_dtype(t, given.dtype));
  }),
);
