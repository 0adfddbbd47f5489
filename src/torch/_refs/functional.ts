/**
 * @file References of activations.
 * @mirrors torch/_refs/nn/functional/__init__.py
 */
import { register_decomposition } from "../_decomp/index.ts";
import { ELEMENTWISE_TYPE_PROMOTION_KIND as KIND, type NumberType } from "../_prims_common/index.ts";
import { elementwise_type_promotion_wrapper, type Keywords, out_wrapper } from "../_prims_common/wrappers.ts";
import type { Tensor } from "../_tensor.ts";
import { torch } from "../_torch.ts";

const relu = elementwise_type_promotion_wrapper([0], KIND.DEFAULT, (a: Tensor) => torch.where(torch.le(a, 0), 0, a));
register_decomposition("relu relu.out", out_wrapper(relu));

const threshold = out_wrapper(
  elementwise_type_promotion_wrapper([0], KIND.DEFAULT, (a: Tensor, bound: NumberType, value: NumberType) =>
    torch.where(torch.le(a, bound), value, a),
  ),
);
register_decomposition("threshold threshold.out", threshold);
register_decomposition("threshold_", (a: Tensor, bound: NumberType, value: NumberType, kw: Keywords) =>
  threshold(a, bound, value, { ...kw, out: a }),
);
