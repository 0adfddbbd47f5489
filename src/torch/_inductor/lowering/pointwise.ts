/**
 * @file Lowerings of operators that work element by element.
 * @mirrors torch/_inductor/lowering.py#register_pointwise
 */
import { computed_in } from "#aten/cpu/vec/ir";
import { Pointwise, type TensorBox } from "../ir/index.ts";
import { type OpsValue, V } from "../virtualized.ts";
import {
  as_number,
  broadcast_shapes,
  default_float,
  dtype_name,
  is_float,
  make_pointwise,
  operand,
  pointwise,
  promoted_dtype,
  register_lowering,
  tensors_of,
  to_dtype,
} from "./index.ts";

const call = (op: string, dtype: string, ...args: OpsValue[]): OpsValue => V.ops.pointwise(op, dtype, args);

// ---- one argument; integers become floats where the function has fractions ---------------------------------------------

const FLOATING =
  "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt rsqrt reciprocal sigmoid erf erfc erfinv lgamma digamma";
for (const op of FLOATING.split(" "))
  register_lowering(op, ([x]) => {
    const dtype = default_float((x as TensorBox).dtype);
    return pointwise(op, [x], dtype);
  });

for (const op of ["abs", "neg", "sign", "frac", "bitwise_not"])
  register_lowering(op, ([x]) => pointwise(op, [x], (x as TensorBox).dtype));

for (const op of ["floor", "ceil", "trunc", "round"])
  register_lowering(op, ([x]) => {
    const { dtype } = x as TensorBox;
    return is_float(dtype) ? pointwise(op, [x], dtype) : make_pointwise((v) => v, [x], dtype);
  });

for (const op of ["silu", "mish", "hardswish", "hardsigmoid"])
  register_lowering(op, ([x]) => pointwise(op, [x], (x as TensorBox).dtype));

register_lowering("relu", ([x]) => {
  const { dtype } = x as TensorBox;
  return pointwise("maximum", [x, 0], dtype);
});
register_lowering("isnan", ([x]) => {
  const { dtype } = x as TensorBox;
  return is_float(dtype)
    ? make_pointwise((v) => call("ne", dtype, v, v), [x], dtype, "bool")
    : make_pointwise(() => V.ops.constant(false, "bool"), [x], dtype, "bool");
});
register_lowering("isinf", ([x]) => {
  const { dtype } = x as TensorBox;
  if (!is_float(dtype)) return make_pointwise(() => V.ops.constant(false, "bool"), [x], dtype, "bool");
  return make_pointwise(
    (v) => call("eq", dtype, call("abs", dtype, v), V.ops.constant(Infinity, dtype)),
    [x],
    dtype,
    "bool",
  );
});
register_lowering("logical_not", ([x]) => pointwise("logical_not", [x], (x as TensorBox).dtype, "bool"));

// ---- two arguments -----------------------------------------------------------------------------------------------------

/** `self + alpha * other` and its like. */
function with_alpha(op: string, a: unknown, b: unknown, alpha: unknown): TensorBox | undefined {
  const dtype = promoted_dtype([a, b]);
  if (computed_in(dtype) === undefined) return undefined;
  const factor = as_number(alpha ?? 1);
  if (factor === null) return undefined;
  if (Number(factor.value) === 1) return pointwise(op, [a, b], dtype);
  if (dtype === "bool") return undefined;
  return make_pointwise(
    (x, y) => call(op, dtype, x, call("mul", dtype, y, V.ops.constant(factor.value, dtype))),
    [a, b],
    dtype,
  );
}
register_lowering("add.Tensor add.Scalar", ([a, b, third], { alpha }) => with_alpha("add", a, b, third ?? alpha));
register_lowering("sub.Tensor sub.Scalar", ([a, b, third], { alpha }) => with_alpha("sub", a, b, third ?? alpha));
register_lowering("rsub.Tensor rsub.Scalar", ([a, b, third], { alpha }) =>
  Number((third ?? alpha ?? 1) as number) === 1 ? pointwise("sub", [b, a], promoted_dtype([a, b])) : undefined,
);
register_lowering("mul.Tensor mul.Scalar", ([a, b]) => pointwise("mul", [a, b], promoted_dtype([a, b])));
register_lowering("div.Tensor div.Scalar", ([a, b]) => pointwise("div", [a, b], default_float(promoted_dtype([a, b]))));
register_lowering("div.Tensor_mode div.Scalar_mode", ([a, b], { rounding_mode }) => {
  const dtype = promoted_dtype([a, b]);
  if (rounding_mode === null || rounding_mode === undefined) return pointwise("div", [a, b], default_float(dtype));
  if (!is_float(dtype)) return undefined;
  return pointwise(rounding_mode === "floor" ? "floordiv" : "truncdiv", [a, b], dtype);
});
for (const op of ["maximum", "minimum", "fmax", "fmin"])
  register_lowering(op, ([a, b]) => pointwise(op, [a, b], promoted_dtype([a, b])));
for (const op of ["fmod", "remainder"])
  register_lowering(`${op}.Tensor ${op}.Scalar`, ([a, b]) => {
    const dtype = promoted_dtype([a, b]);
    return is_float(dtype) ? pointwise(op, [a, b], dtype) : undefined;
  });
for (const op of ["atan2", "hypot", "copysign.Tensor", "logaddexp", "xlogy.Tensor"])
  register_lowering(op, ([a, b]) => pointwise(op.split(".")[0], [a, b], default_float(promoted_dtype([a, b]))));
for (const op of ["bitwise_and", "bitwise_or", "bitwise_xor"])
  register_lowering(`${op}.Tensor ${op}.Scalar`, ([a, b]) => pointwise(op, [a, b], promoted_dtype([a, b])));
for (const op of ["logical_and", "logical_or", "logical_xor"])
  register_lowering(op, ([a, b]) => {
    const [x, y] = [a, b].map((t) => to_dtype(t as TensorBox, "bool"));
    return pointwise(op, [x, y], "bool");
  });
for (const op of ["lt", "le", "gt", "ge", "eq", "ne"])
  register_lowering(`${op}.Tensor ${op}.Scalar`, ([a, b]) => {
    const dtype = promoted_dtype([a, b]);
    return dtype === "bool" && op !== "eq" && op !== "ne" ? undefined : pointwise(op, [a, b], dtype, "bool");
  });

const whole = (n: number): boolean => Number.isInteger(n);
register_lowering("pow.Tensor_Scalar", ([x, given]) => {
  const exponent = Number(as_number(given)?.value);
  const dtype = promoted_dtype([x, given]);
  const power = (n: number): ((v: OpsValue) => OpsValue) => {
    if (n === 1) return (v) => v;
    const half = power(Math.floor(n / 2));
    return (v) => {
      const h = half(v);
      const square = call("mul", dtype, h, h);
      return n % 2 === 0 ? square : call("mul", dtype, square, v);
    };
  };
  if (!is_float(dtype))
    return dtype !== "bool" && whole(exponent) && exponent > 0 && exponent < 8
      ? make_pointwise(power(exponent), [x], dtype)
      : undefined;
  if (exponent === 0.5) return pointwise("sqrt", [x], dtype);
  if (exponent === 1 || exponent === 2 || exponent === 3) return make_pointwise(power(exponent), [x], dtype);
  return pointwise("pow", [x, given], dtype);
});
register_lowering("pow.Tensor_Tensor pow.Scalar", ([a, b]) => {
  const dtype = promoted_dtype([a, b]);
  return is_float(dtype) ? pointwise("pow", [a, b], dtype) : undefined;
});
register_lowering("square", ([x]) => pointwise("mul", [x, x], (x as TensorBox).dtype));

// ---- choices -----------------------------------------------------------------------------------------------------------

register_lowering("where.self where.ScalarSelf where.ScalarOther where.Scalar", ([condition, a, b]) => {
  const dtype = promoted_dtype([a, b]);
  if (computed_in(dtype) === undefined) return undefined;
  const [mask, yes, no] = [operand(condition, "bool"), operand(a, dtype), operand(b, dtype)];
  const size = broadcast_shapes(tensors_of([condition, a, b]).map((t) => t.size));
  return Pointwise.create(dtype, (i) => V.ops.where(mask(i), yes(i), no(i), dtype), size);
});
register_lowering("masked_fill.Scalar masked_fill.Tensor", ([x, condition, value]) => {
  const { dtype } = x as TensorBox;
  if (computed_in(dtype) === undefined) return undefined;
  const [mask, yes, no] = [operand(condition, "bool"), operand(value, dtype), operand(x, dtype)];
  const size = broadcast_shapes(tensors_of([condition, x]).map((t) => t.size));
  return Pointwise.create(dtype, (i) => V.ops.where(mask(i), yes(i), no(i), dtype), size);
});

/** The larger of x and a bound; a NaN in x stays. */
function clamp(x: unknown, min: unknown, max: unknown): TensorBox | undefined {
  const dtype = promoted_dtype([x, ...[min, max].filter((bound) => bound !== null && bound !== undefined)]);
  let result: TensorBox | undefined = to_dtype(x as TensorBox, dtype);
  if (min !== null && min !== undefined) result = pointwise("maximum", [result, min], dtype);
  if (result !== undefined && max !== null && max !== undefined) result = pointwise("minimum", [result, max], dtype);
  return result;
}
register_lowering("clamp clamp.Tensor", ([x, min, max]) => clamp(x, min, max));
register_lowering("clamp_min clamp_min.Tensor", ([x, min]) => clamp(x, min, null));
register_lowering("clamp_max clamp_max.Tensor", ([x, max]) => clamp(x, null, max));
register_lowering("hardtanh", ([x, min, max]) => clamp(x, min ?? -1, max ?? 1));
register_lowering("threshold_backward", ([grad, x, threshold]) => {
  const dtype = promoted_dtype([grad, x]);
  if (computed_in(dtype) === undefined) return undefined;
  return make_pointwise(
    (g, v) =>
      V.ops.where(call("le", dtype, v, V.ops.constant(Number(threshold), dtype)), V.ops.constant(0, dtype), g, dtype),
    [grad, x],
    dtype,
  );
});
register_lowering("leaky_relu", ([x, slope]) => {
  const { dtype } = x as TensorBox;
  if (!is_float(dtype)) return undefined;
  const by = Number(slope ?? 0.01);
  return make_pointwise(
    (v) =>
      V.ops.where(
        call("gt", dtype, v, V.ops.constant(0, dtype)),
        v,
        call("mul", dtype, v, V.ops.constant(by, dtype)),
        dtype,
      ),
    [x],
    dtype,
  );
});

register_lowering("elu", ([x, alpha, scale, input_scale]) => {
  const { dtype } = x as TensorBox;
  if (!is_float(dtype)) return undefined;
  const number = (given: unknown): OpsValue => V.ops.constant(Number(given ?? 1), dtype);
  return make_pointwise(
    (v) => {
      const below = call(
        "mul",
        dtype,
        call("expm1", dtype, call("mul", dtype, v, number(input_scale))),
        number(Number(alpha ?? 1) * Number(scale ?? 1)),
      );
      return V.ops.where(
        call("gt", dtype, v, V.ops.constant(0, dtype)),
        call("mul", dtype, v, number(scale)),
        below,
        dtype,
      );
    },
    [x],
    dtype,
  );
});

// ---- functions of networks, by the eager scalar functions --------------------------------------------------------------

register_lowering("gelu", ([x], { approximate }) =>
  pointwise(approximate === "tanh" ? "gelu_tanh" : "gelu", [x], (x as TensorBox).dtype),
);
register_lowering("gelu_backward", ([grad, x], { approximate }) =>
  pointwise(approximate === "tanh" ? "gelu_tanh_backward" : "gelu_backward", [grad, x], (x as TensorBox).dtype),
);
for (const op of [
  "sigmoid_backward",
  "tanh_backward",
  "silu_backward",
  "mish_backward",
  "hardswish_backward",
  "hardsigmoid_backward",
])
  register_lowering(op, ([grad, x]) => pointwise(op, [grad, x], promoted_dtype([grad, x])));

register_lowering("addcmul", ([x, a, b], { value }) => {
  const dtype = promoted_dtype([x, a, b]);
  if (computed_in(dtype) === undefined || dtype === "bool") return undefined;
  const by = as_number(value ?? 1)?.value ?? 1;
  return make_pointwise(
    (s, p, q) => call("add", dtype, s, call("mul", dtype, call("mul", dtype, V.ops.constant(by, dtype), p), q)),
    [x, a, b],
    dtype,
  );
});
register_lowering("addcdiv", ([x, a, b], { value }) => {
  const dtype = promoted_dtype([x, a, b]);
  if (!is_float(dtype)) return undefined;
  const by = as_number(value ?? 1)?.value ?? 1;
  return make_pointwise(
    (s, p, q) => call("add", dtype, s, call("mul", dtype, V.ops.constant(by, dtype), call("div", dtype, p, q))),
    [x, a, b],
    dtype,
  );
});
register_lowering("lerp.Scalar", ([a, b, weight]) => {
  const dtype = promoted_dtype([a, b]);
  const w = as_number(weight);
  if (!is_float(dtype) || w === null) return undefined;
  const by = Number(w.value);
  const near = Math.abs(by) < 0.5;
  return make_pointwise(
    (x, y) => {
      const difference = call("sub", dtype, y, x);
      const step = V.ops.constant(near ? by : 1 - by, dtype);
      return near
        ? call("add", dtype, x, call("mul", dtype, step, difference))
        : call("sub", dtype, y, call("mul", dtype, difference, step));
    },
    [a, b],
    dtype,
  );
});

// ---- conversions and copies --------------------------------------------------------------------------------------------

register_lowering("_to_copy", ([x], { dtype }) => {
  const to = dtype === null || dtype === undefined ? (x as TensorBox).dtype : dtype_name(dtype);
  if (computed_in(to) === undefined || computed_in((x as TensorBox).dtype) === undefined) return undefined;
  return to === (x as TensorBox).dtype ? make_pointwise((v) => v, [x], to) : to_dtype(x as TensorBox, to);
});
register_lowering("clone", ([x]) => {
  const { dtype } = x as TensorBox;
  return computed_in(dtype) === undefined ? undefined : make_pointwise((v) => v, [x], dtype);
});
register_lowering("copy", ([self, src]) => {
  const { dtype, size } = self as TensorBox;
  if (computed_in(dtype) === undefined || computed_in((src as TensorBox).dtype) === undefined) return undefined;
  return Pointwise.create(dtype, operand(src, dtype), size);
});
register_lowering("alias detach lift_fresh_copy lift_fresh", ([x]) => x as TensorBox);
