/**
 * @file References of mathematical functions: rounding, remainders, signs, angles, logarithms and others.
 * @mirrors torch/_refs/__init__.py
 * @see index.ts; special.ts
 */
import { RuntimeError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition, register_with_out } from "../_decomp/index.ts";
import * as prims from "../_prims.ts";
import {
  check,
  is_float_dtype,
  is_integer_dtype,
  is_tensor,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  type NumberType,
  number_type,
  type TensorOrNumber,
} from "../_prims_common/index.ts";
import {
  elementwise_type_promotion_wrapper,
  type Keywords,
  out_wrapper,
  type Reference,
} from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import {
  _make_elementwise_binary_reference,
  _make_elementwise_unary_reference,
  _make_inplace,
  elementwise,
  elementwise2,
  floor_divide,
  register_binary,
  register_unary,
} from "./index.ts";

// one operand ---------------------------------------------------------------------------------------------------------------

const exact_dtype = { exact_dtype: true };

for (const name of ["lgamma", "digamma", "erfinv", "i0"])
  register_unary(name, _make_elementwise_unary_reference(KIND.INT_TO_FLOAT));
register_unary(
  "frac",
  _make_elementwise_unary_reference(KIND.DEFAULT, (x) => torch.sub(x, torch.trunc(x)), exact_dtype),
);
register_unary(
  "sinc",
  _make_elementwise_unary_reference(KIND.INT_TO_FLOAT, (x) => {
    const a = torch.mul(x, Math.PI);
    return torch.where(torch.eq(a, 0), 1, torch.div(torch.sin(a), a));
  }),
);
for (const name of ["rad2deg", "deg2rad"])
  register_unary(
    name,
    _make_elementwise_unary_reference(KIND.INT_TO_FLOAT, (a) => torch.mul(a, torch.Float(0))),
  );

register_decomposition(
  "signbit signbit.out",
  _make_elementwise_unary_reference(
    KIND.ALWAYS_BOOL,
    (a) => prims._prim_elementwise_meta([a], torch.bool),
    exact_dtype,
  ),
);
for (const name of ["isposinf", "isneginf"])
  register_decomposition(
    `${name} ${name}.out`,
    _make_elementwise_unary_reference(
      KIND.ALWAYS_BOOL,
      (a) => (is_float_dtype(a.dtype) ? torch.eq(a, Infinity) : torch.zeros_like(a, { dtype: torch.bool })),
      exact_dtype,
    ),
  );

// `round` and `nan_to_num` themselves have meta functions, so only other forms are registered here.
register_decomposition(
  "round.out round.decimals_out",
  out_wrapper(elementwise_type_promotion_wrapper([0], KIND.DEFAULT, elementwise)),
);
register_decomposition("nan_to_num_", _make_inplace(out_wrapper(elementwise)));

register_decomposition(
  "frexp.Tensor frexp.Tensor_out",
  out_wrapper((self: Tensor) => {
    check(is_float_dtype(self.dtype), () => "torch.frexp() only supports floating-point dtypes");
    return [torch.empty_like(self), torch.empty_like(self, { dtype: torch.int32 })];
  }),
);

// two operands --------------------------------------------------------------------------------------------------------------

/** Both operands must be tensors, since no overload takes a number. */
for (const [name, kind] of [
  ["atan2", KIND.INT_TO_FLOAT],
  ["hypot", KIND.DEFAULT],
  ["gcd", KIND.DEFAULT],
  ["igamma", KIND.INT_TO_FLOAT],
  ["igammac", KIND.INT_TO_FLOAT],
] as const)
  register_binary(`${name} ${name}.out`, `${name}_`, _make_elementwise_binary_reference(kind, elementwise2, { name }));
for (const name of ["fmax", "fmin"])
  register_binary(`${name} ${name}.out`, "", _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name }));

register_binary(
  "lcm lcm.out",
  "lcm_",
  _make_elementwise_binary_reference(
    KIND.DEFAULT,
    (x, y) => {
      const [a, b] = [x as Tensor, y as Tensor];
      const narrow = a.dtype === torch.int8 || a.dtype === torch.int16;
      const [c, d] = narrow ? [a.to(torch.int32), b.to(torch.int32)] : [a, b];
      const g = torch.gcd(c, d);
      const res = torch.abs(torch.mul(elementwise2(c, torch.where(torch.eq(g, 0), 1, g)), d));
      return narrow ? res.to(a.dtype) : res;
    },
    { name: "lcm" },
  ),
);

register_binary(
  "fmod.Scalar fmod.Scalar_out fmod.Tensor fmod.Tensor_out",
  "fmod_.Scalar fmod_.Tensor",
  _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name: "fmod", supports_lhs_python_scalar: false }),
);
register_binary(
  "remainder.Scalar remainder.Scalar_out remainder.Tensor remainder.Tensor_out remainder.Scalar_Tensor remainder.Scalar_Tensor_out",
  "remainder_.Scalar remainder_.Tensor",
  _make_elementwise_binary_reference(KIND.DEFAULT, elementwise2, { name: "remainder" }),
);

register_binary(
  "floor_divide floor_divide.out floor_divide.Scalar floor_divide.Scalar_out",
  "",
  out_wrapper((self: Tensor, other: TensorOrNumber) => torch.div(self, other, { rounding_mode: "floor" })),
);
register_decomposition("floor_divide_.Tensor floor_divide_.Scalar", _make_inplace(floor_divide));

register_binary(
  "copysign.Tensor copysign.out copysign.Scalar copysign.Scalar_out",
  "copysign_.Tensor copysign_.Scalar",
  _make_elementwise_binary_reference(
    KIND.INT_TO_FLOAT,
    (x, b) => {
      const a = x as Tensor;
      if (is_tensor(b) && String(a.device) !== String(b.device))
        throw new RuntimeError(
          `Expected divisor (b) to be on the same device (${a.device}) as dividend (a), but it is found on ${b.device}!`,
        );
      const sign = is_tensor(b) ? b : torch.scalar_tensor(b, { dtype: a.dtype, device: a.device });
      return torch.where(torch.signbit(sign), torch.neg(torch.abs(a)), torch.abs(a));
    },
    { name: "copysign", supports_lhs_python_scalar: false },
  ),
);

// logarithms ------------------------------------------------------------------------------------------------------------------

for (const name of ["logaddexp", "logaddexp2"])
  register_binary(
    `${name} ${name}.out`,
    "",
    _make_elementwise_binary_reference(
      KIND.DEFAULT,
      (x, y) => {
        const [a, b] = [x as Tensor, y as Tensor];
        const mask = torch.ge(a, b);
        const sum = torch.add(torch.where(mask, a, b), torch.log1p(torch.where(mask, b, a)));
        return torch.where(torch.eq(a, b), a, sum);
      },
      { name },
    ),
  );

/** `a log(b)` with the broadcast shape of both; `log` only determines the dtype. */
export function x_times_log(log: (b: Tensor) => Tensor): Reference {
  return out_wrapper(
    elementwise_type_promotion_wrapper([0, 1], KIND.INT_TO_FLOAT, (x: TensorOrNumber, y: TensorOrNumber) => {
      const a = is_tensor(x) ? x : like(y as Tensor, x);
      const b = is_tensor(y) ? y : like(a, y);
      const rhs = torch.where(torch.eq(a, 0), 0, torch.mul(a, log(b)));
      return torch.where(torch.isnan(b), NaN, rhs);
    }),
  );
}
function like(t: Tensor, number: NumberType): Tensor {
  return torch.scalar_tensor(number, { dtype: t.dtype, device: t.device });
}
register_binary(
  "xlogy.Tensor xlogy.OutTensor xlogy.Scalar_Self xlogy.OutScalar_Self xlogy.Scalar_Other xlogy.OutScalar_Other",
  "xlogy_.Tensor xlogy_.Scalar_Other",
  x_times_log((b) => torch.log(b)),
);

// outer products ----------------------------------------------------------------------------------------------------------

/** `beta * self + alpha * outer(vec1, vec2)`; for bool tensors a number counts as true or false. */
register_with_out(
  "addr",
  (self: Tensor, vec1: Tensor, vec2: Tensor, { beta, alpha }: Keywords & { beta: NumberType; alpha: NumberType }) => {
    for (const [name, v] of [
      ["vec1", vec1],
      ["vec2", vec2],
    ] as const)
      check(v.dim() === 1, () => `addr: Expected 1-D argument ${name}, but got ${v.dim()}-D`);
    const wide = self.expand([vec1.size(0), vec2.size(0)]);
    const dtype = [self, vec1, vec2].map((t) => t.dtype).reduce((a, b) => torch.promote_types(a, b));
    if (is_integer_dtype(dtype))
      for (const number of [beta, alpha])
        check(number_type(number) !== "float", () => `cannot safely convert <class 'float'> to ${dtype}`);
    return torch.empty([...wide.shape], { dtype, device: self.device });
  },
);
