/**
 * @file References of activations.
 * @mirrors torch/_refs/nn/functional/__init__.py
 */

import { RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { repr } from "../_C.ts";
import { register_decomposition } from "../_decomp/index.ts";
import * as prims from "../_prims.ts";
import {
  canonicalize_dim,
  check,
  dtype_to_type,
  is_boolean_dtype,
  is_float_dtype,
  is_integer_dtype,
  is_weakly_lesser_type,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  type NumberType,
  number_type,
  python_int,
  size_at,
} from "../_prims_common/index.ts";
import {
  elementwise_type_promotion_wrapper,
  type Keywords,
  out_wrapper,
  type Reference,
} from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import type { dtype } from "../types.ts";
import { _make_inplace } from "./index.ts";

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

register_decomposition(
  "leaky_relu leaky_relu.out",
  out_wrapper(elementwise_type_promotion_wrapper([0], KIND.DEFAULT, (a: Tensor) => prims._prim_elementwise_meta([a]))),
);

register_decomposition(
  "gelu gelu.out",
  out_wrapper(
    elementwise_type_promotion_wrapper([0], KIND.DEFAULT, (a: Tensor, { approximate = "none" }: Keywords) => {
      if (approximate !== "none" && approximate !== "tanh")
        throw new RuntimeError("approximate argument must be either none or tanh.");
      return prims._prim_elementwise_meta([a]);
    }),
  ),
);

// Refusals of numbers of another kind ------------------------------------------------------------------------------------

/** The reason why `value` cannot be used with `a`'s dtype; null if it can. */
function unsafe(name: string, value: NumberType, a: Tensor): string | null {
  const [given, wanted] = [number_type(value), dtype_to_type(a.dtype)];
  if (is_weakly_lesser_type(given, wanted)) return null;
  return `${name} argument of type <class '${given}'> cannot be safely cast to type <class '${wanted}'>!`;
}
const elementwise = (fn: (a: Tensor, ...rest: NumberType[]) => Tensor): Reference<Tensor> =>
  elementwise_type_promotion_wrapper([0], KIND.DEFAULT, fn);

// The dispatcher does not pass trailing arguments that have their default, so a Python function uses its own default: 1.0 in elu, None
// below.
const is_default = (value: NumberType): boolean => Number(value) === 1;

const elu = out_wrapper(
  elementwise((a, alpha, scale, input_scale) => {
    const given = { input_scale, scale, alpha };
    for (const name of ["input_scale", "scale", "alpha"] as const) {
      if (!is_default(given[name])) break;
      given[name] = new torch.Float(1);
    }
    for (const [name, value] of Object.entries(given)) {
      const reason = unsafe(name, value, a);
      if (reason !== null) throw new RuntimeError(reason);
    }
    return prims._prim_elementwise_meta([a]);
  }),
);
register_decomposition("elu elu.out", elu);
register_decomposition("elu_", _make_inplace(elu));

const celu = out_wrapper(
  elementwise((a, alpha) => {
    const reason = is_default(alpha) ? null : unsafe("alpha", alpha, a);
    if (reason !== null) throw new ValueError(reason);
    return prims._prim_elementwise_meta([a]);
  }),
);
register_decomposition("celu celu.out", celu);
register_decomposition("celu_", _make_inplace(celu));
register_decomposition(
  "softplus softplus.out",
  out_wrapper(
    elementwise((a, beta, threshold) => {
      const reason = is_default(beta) && Number(threshold) === 20 ? null : unsafe("beta", beta, a);
      if (reason !== null) throw new ValueError(reason);
      return prims._prim_elementwise_meta([a]);
    }),
  ),
);

const mish = out_wrapper(elementwise((a) => torch.mul(a, torch.tanh(a))));
register_decomposition("mish mish.out", mish);
register_decomposition("mish_", _make_inplace(mish));

// Piecewise linear functions ---------------------------------------------------------------------------------------------

register_decomposition(
  "hardshrink hardshrink.out",
  out_wrapper((a: Tensor, lambd: NumberType) => torch.where(torch.le(torch.abs(a), lambd), 0, a)),
);
/** `torch.finfo(dtype).max`. */
function largest(t: dtype): number {
  if (t === torch.float16) return 65504;
  if (t === torch.float64) return Number.MAX_VALUE;
  return (2 - (t === torch.bfloat16 ? 2 ** -7 : 2 ** -23)) * 2 ** 127;
}
register_decomposition(
  "softshrink softshrink.out",
  out_wrapper((a: Tensor, lambd: NumberType) => {
    if (!is_float_dtype(a.dtype))
      throw new TypeError_(
        "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'",
      );
    const max = largest(a.dtype);
    check(
      Number(lambd) >= 0 && Number(lambd) <= max,
      () =>
        `lambda must be in range [0, ${repr(torch.Float(max))}] for input dtype ${a.dtype}, but found ${repr(lambd)}`,
    );
    return torch.where(torch.gt(torch.abs(a), lambd), torch.sub(a, torch.sign(a)), a);
  }),
);
const hardtanh = out_wrapper(
  elementwise((a, min_val, max_val) => {
    if (is_boolean_dtype(a.dtype)) throw new RuntimeError("Bool inputs not supported for hardtanh");
    if (!is_integer_dtype(a.dtype)) return torch.clamp(a, min_val, max_val);
    const [min, max] = [python_int(min_val), python_int(max_val)];
    if (a.dtype === torch.uint8 && (min < 0 || max < 0))
      throw new RuntimeError("Cannot do hardtanh on an unsigned type with negative limits");
    return torch.clamp(a, min, max);
  }),
);
register_decomposition("hardtanh hardtanh.out", hardtanh);
register_decomposition("hardtanh_", (a: Tensor, min_val: NumberType, max_val: NumberType, kw: Keywords) =>
  a.copy_(hardtanh(a, min_val, max_val, kw) as Tensor),
);

register_decomposition(
  "glu glu.out",
  out_wrapper(
    elementwise_type_promotion_wrapper([0], KIND.DEFAULT, (a: Tensor, given: number) => {
      const dim = canonicalize_dim(a.dim(), given);
      const size = size_at(a, dim);
      check(size % 2 === 0, () => `Halving dimension must be even, but dimension ${dim} is size ${size}`);
      return torch.mul(a.narrow(dim, 0, size / 2), torch.sigmoid(a.narrow(dim, size / 2, size / 2)));
    }),
  ),
);
