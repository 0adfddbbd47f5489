/**
 * @file Tests, sums and pointwise functions in operators of core ATen.
 * @mirrors torch/_refs/__init__.py
 */
import { NotImplemented } from "#python/Objects/object";
import { Float } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import {
  add,
  arange,
  at,
  aten,
  div,
  full,
  type Keywords,
  mul,
  reduced,
  register,
  register_float,
  type Size,
  scalar_like,
  sub,
  total,
  where,
} from "./core_aten_registry.ts";

const INF = Number.POSITIVE_INFINITY;
const not = (t: Tensor): Tensor => aten("logical_not", t);

// Tests and sums ---------------------------------------------------------------------------------------------------------------

/** All are true if none is false. */
const register_all = (name: string, any: string): void =>
  register(name, (self: Tensor, ...rest: unknown[]) =>
    self.dtype === torch.uint8 ? NotImplemented : not(aten(any, not(self), ...rest)),
  );
register_all("all", "any.dims");
register_all("all.dim", "any.dim");
register_all("all.dims", "any.dims");
register("aminmax", (self: Tensor, { dim = null, keepdim = false }: Keywords = {}) => {
  const rest = dim === null ? [] : [[dim], ...(keepdim ? [true] : [])];
  return [aten("amin", self, ...rest), aten("amax", self, ...rest)];
});
register("count_nonzero", (self: Tensor, dim: number | null = null) =>
  aten("sum.dim_IntList", aten("ne.Scalar", self, 0), dim === null ? null : [dim]),
);
register_float("nansum", (self: Tensor, dim: number[] | null = null, keepdim = false, keywords: Keywords = {}) => {
  const counted = where(aten("isnan", self), scalar_like(0, self), self);
  return aten("sum.dim_IntList", counted, dim, ...(keepdim ? [true] : []), keywords);
});
register_float("isneginf", (self: Tensor) => aten("eq.Scalar", self, -INF));
register_float("isposinf", (self: Tensor) => aten("eq.Scalar", self, INF));
const vector_norm = (self: Tensor, p: unknown, ...rest: unknown[]): Tensor => {
  const more = rest.length > 0 ? rest : [];
  return p === null || (Number(p) === 2 && more.length === 0)
    ? aten("linalg_vector_norm", self, ...(more.length > 0 ? [2, ...more] : []))
    : aten("linalg_vector_norm", self, p, ...more);
};
register_float("norm.Scalar", (self: Tensor, p: unknown = 2) => vector_norm(self, p));
register_float("norm.ScalarOpt_dim", (self: Tensor, p: unknown, dim: number[], keepdim = false) =>
  vector_norm(self, p, dim, ...(keepdim ? [true] : [])),
);

// Arithmetic -------------------------------------------------------------------------------------------------------------------

register_float("frac", (self: Tensor) => sub(self, aten("trunc", self)));
register_float("deg2rad", (self: Tensor) => mul(self, Float(Math.PI / 180)));
register_float("rad2deg", (self: Tensor) => mul(self, Float(180 / Math.PI)));
/** Near 1 the step is counted from the end: the result is exact at both ends. */
function interpolated(start: Tensor, end: Tensor, weight: Tensor): Tensor {
  const late = aten("ge.Scalar", aten("abs", weight), Float(0.5));
  const step = where(late, sub(weight, 1), weight);
  const base = where(late, end, start);
  return add(mul(step, sub(end, start)), base);
}
register_float("lerp.Scalar", (start: Tensor, end: Tensor, weight: unknown) =>
  interpolated(start, end, full([], weight, start)),
);
register_float("lerp.Tensor", interpolated);
register_float("logaddexp", (a: Tensor, b: Tensor) => {
  const first = aten("ge.Tensor", a, b);
  const [larger, smaller] = [where(first, a, b), where(first, b, a)];
  const finite = is_finite(a);
  const same = aten("logical_and", not(finite), aten("eq.Tensor", a, b));
  const sum = add(larger, aten("log1p", aten("exp", sub(smaller, larger))));
  return where(same, a, sum);
});
function is_finite(t: Tensor): Tensor {
  const bounded = aten("ne.Scalar", aten("abs", t), INF);
  return mul(aten("eq.Tensor", t, t), bounded);
}
register_float("logit", (self: Tensor, eps: unknown = null) => {
  const low = eps === null ? -1 : Number(eps);
  const [lower, upper] = [Float(low), Float(1 - low)];
  const below = aten("lt.Scalar", self, lower);
  const above = aten("gt.Scalar", self, upper);
  const capped = where(above, scalar_like(upper, self), self);
  const bounded = where(below, scalar_like(lower, self), capped);
  return aten("log", div(bounded, sub(1, bounded)));
});
register_float("nan_to_num", (self: Tensor, nan: unknown = null, posinf: unknown = null, neginf: unknown = null) => {
  const { min, max } = torch.finfo(self.dtype);
  const filled = (test: Tensor, value: unknown, t: Tensor): Tensor =>
    where(test, scalar_like(Float(Number(value)), t), t);
  const a = where(aten("isnan", self), scalar_like(Float(Number(nan ?? 0)), self), self);
  const b = filled(aten("eq.Scalar", self, -INF), neginf ?? min, a);
  return filled(aten("eq.Scalar", self, INF), posinf ?? max, b);
});
register("sgn", (self: Tensor) => (self.dtype.is_complex ? NotImplemented : aten("sign", self)));
register_float("sinc", (self: Tensor) => {
  const angle = mul(self, Float(Math.PI));
  const zero = aten("eq.Scalar", angle, 0);
  return where(zero, ...ordered(div(aten("sin", angle), angle), (t) => scalar_like(1, t)));
});
/** The second value is made first. */
const ordered = (b: Tensor, a: (b: Tensor) => Tensor): [Tensor, Tensor] => [a(b), b];
register_float("xlogy.Tensor", (self: Tensor, other: Tensor) => {
  const zero = aten("eq.Scalar", self, 0);
  const value = where(zero, ...ordered(mul(self, aten("log", other)), (t) => scalar_like(0, t)));
  const undefined_ = aten("isnan", other);
  return where(undefined_, scalar_like(Float(Number.NaN), other), value);
});
register("clamp_min", (self: Tensor, min: unknown) => aten("clamp", self, min));
register("clamp_max", (self: Tensor, max: unknown) => aten("clamp", self, null, max));
register("clamp_min.Tensor", (self: Tensor, min: Tensor) => aten("clamp.Tensor", self, min));
register("clamp_max.Tensor", (self: Tensor, max: Tensor) => aten("clamp.Tensor", self, null, max));
const floored = (self: Tensor, other: unknown): Tensor =>
  aten("div.Tensor_mode", self, other, { rounding_mode: "floor" });
register("floor_divide floor_divide.Scalar", floored);

// Products ---------------------------------------------------------------------------------------------------------------------

register_float("addr", (self: Tensor, a: Tensor, b: Tensor, { beta = 1, alpha = 1 }: Keywords = {}) => {
  const [n, m] = [a.shape[0], b.shape[0]] as [Size, Size];
  const outer = (): Tensor => mul(mul(aten("view", a, [n, 1]), b), alpha);
  return beta === 0 ? outer() : add(mul(aten("expand", self, [n, m]), beta), outer());
});
register_float("baddbmm", (self: Tensor, a: Tensor, b: Tensor, { beta = 1, alpha = 1 }: Keywords = {}) => {
  const product = aten("bmm", a, b);
  const scaled = alpha === 1 ? product : mul(product, alpha);
  return beta === 0 ? scaled : add(beta === 1 ? self : mul(self, beta), scaled);
});
register_float("dot vdot", (self: Tensor, other: Tensor) => total(mul(self, other)));
register("linalg_cross", (self: Tensor, other: Tensor, { dim: given = -1 }: { dim?: number } = {}) => {
  const dim = at(given, self.dim());
  const places = arange(0, 3, self.device);
  const turned = (t: Tensor, by: number): Tensor =>
    aten("index_select", t, dim, aten("remainder.Scalar", add(places, by), 3));
  const product = mul(turned(self, 1), turned(other, 2));
  return sub(product, mul(turned(self, 2), turned(other, 1)));
});

// Activations and losses -------------------------------------------------------------------------------------------------------

register_float("celu", (self: Tensor, alpha: unknown = 1) => {
  const plain = Number(alpha) === 1;
  const negative = aten("expm1", plain ? self : div(self, alpha));
  const scaled = plain ? negative : mul(negative, alpha);
  return where(aten("gt.Scalar", self, 0), self, scaled);
});
register_float("_prelu_kernel", (self: Tensor, weight: Tensor) =>
  where(aten("gt.Scalar", self, 0), self, mul(weight, self)),
);
register_float("glu", (self: Tensor, given = -1) => {
  const [a, b] = halves(self, at(given, self.dim()));
  return mul(a, aten("sigmoid", b));
});
/** Both halves of a dimension. */
export function halves(self: Tensor, dim: number): [Tensor, Tensor] {
  const half = (self.shape[dim] as number) / 2;
  return [aten("slice.Tensor", self, dim, 0, half), aten("slice.Tensor", self, dim, half, 2 * half)];
}
/** The result, and the exponential that its gradient uses again. */
function log_sigmoid_parts(self: Tensor): [Tensor, Tensor] {
  const negative = aten("minimum", full([], 0, self), self);
  const z = aten("exp", aten("neg", aten("abs", self)));
  return [sub(negative, aten("log1p", z)), z];
}
const log_sigmoid = (self: Tensor): Tensor => log_sigmoid_parts(self)[0];
register_float("log_sigmoid_forward", (self: Tensor) => log_sigmoid_parts(self));
register_float("_safe_softmax", (self: Tensor, dim: number, dtype: unknown = null) => {
  if (dtype !== null) return NotImplemented;
  const out = aten("_softmax", self, dim, false);
  const masked = aten("eq.Scalar", self, Float(-INF));
  const empty = not(aten("any.dim", not(masked), dim, true));
  const zeros = aten("full_like", out, 0, { pin_memory: false, memory_format: torch.preserve_format });
  return where(empty, zeros, out);
});
register_float("binary_cross_entropy", (self: Tensor, target: Tensor, weight: Tensor | null = null, reduction = 1) => {
  const bounded = (log: Tensor): Tensor => aten("maximum", log, full([], -100, self));
  const wrong = mul(sub(target, 1), bounded(aten("log1p", aten("neg", self))));
  const loss = sub(wrong, mul(target, bounded(aten("log", self))));
  return reduced(weight === null ? loss : mul(loss, weight), reduction);
});
register_float("soft_margin_loss", (self: Tensor, target: Tensor, reduction = 1) =>
  reduced(aten("log1p", aten("exp", mul(aten("neg", self), target))), reduction),
);
register_float(
  "binary_cross_entropy_with_logits",
  (self: Tensor, target: Tensor, weight: Tensor | null = null, pos_weight: Tensor | null = null, reduction = 1) => {
    const wrong = mul(sub(1, target), self);
    let log = log_sigmoid(self);
    if (pos_weight !== null) log = mul(add(mul(sub(pos_weight, 1), target), 1), log);
    const loss = sub(wrong, log);
    return reduced(weight === null ? loss : mul(loss, weight), reduction);
  },
);
