/**
 * @file Decompositions whose operators PyTorch's graphs show one by one. The tables of index.ts serve shapes, where fewer operators do.
 * @mirrors torch/_decomp/decompositions.py
 */

import { NotImplemented } from "#python/Objects/object";
import { Float } from "#torch/_C";
import { type OpOverload, ops } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

type Keywords = Readonly<Record<string, unknown>>;
type Decomposition = (...args: unknown[]) => unknown;

/** By the name of the operator, without `.default`. */
export const for_graphs = new Map<string, Decomposition>();

/** `aten("mul.Tensor", x, y)`. */
function aten(name: string, ...args: unknown[]): Tensor {
  const [base = "", overload = "default"] = name.split(".");
  return (ops.aten[base][overload] as OpOverload)(...args) as unknown as Tensor;
}

const is_float = (value: unknown): boolean =>
  !(value instanceof Tensor) || value.dtype === torch.float32 || value.dtype === torch.float64;

/** Registers a decomposition; for other dtypes than float32 and float64 the operator stays. */
function register(names: string, fn: (...args: never[]) => unknown): void {
  const run: Decomposition = (...args) => (args.every(is_float) ? (fn as Decomposition)(...args) : NotImplemented);
  for (const name of names.split(" ")) for_graphs.set(name, run);
}

/** Registers a decomposition that holds for every dtype. */
const register_any = (name: string, fn: (...args: never[]) => unknown): void => {
  for_graphs.set(name, fn as Decomposition);
};

/** Splits off the keywords, which come last. */
function keywords_of(args: readonly unknown[]): [positional: unknown[], keywords: Keywords] {
  const last = args.at(-1);
  const has_keywords = typeof last === "object" && last !== null && Object.getPrototypeOf(last) === Object.prototype;
  return has_keywords ? [args.slice(0, -1), last as Keywords] : [[...args], {}];
}

const NONE = 0;
const MEAN = 1;

function reduced(loss: Tensor, reduction: number): Tensor {
  if (reduction === NONE) return loss;
  return reduction === MEAN ? aten("mean", loss) : aten("sum", loss);
}

/** A tensor of one element, for `where`. */
const scalar = (value: unknown, like: Tensor): Tensor =>
  aten("scalar_tensor", value, { dtype: like.dtype, layout: like.layout, device: like.device });

const mul = (a: unknown, b: unknown): Tensor => aten("mul.Tensor", a, b);
const add = (a: unknown, b: unknown): Tensor => aten("add.Tensor", a, b);
const sub = (a: unknown, b: unknown): Tensor => aten("sub.Tensor", a, b);
const div = (a: unknown, b: unknown): Tensor => aten("div.Tensor", a, b);
const where = (c: Tensor, a: Tensor, b: Tensor): Tensor => aten("where.self", c, a, b);

// Activations

register("silu", (self: Tensor) => mul(self, aten("sigmoid", self)));
register("silu_backward", (grad: Tensor, self: Tensor) => {
  const s = aten("sigmoid", self);
  return mul(mul(grad, s), add(mul(self, sub(1, s)), 1));
});
register("tanh_backward", (grad: Tensor, y: Tensor) => mul(grad, sub(1, mul(y, y))));
register("sigmoid_backward", (grad: Tensor, y: Tensor) => {
  const rest = sub(1, y);
  return mul(grad, mul(y, rest));
});
register("threshold_backward", (grad: Tensor, self: Tensor, threshold: unknown) => {
  const below = aten("le.Scalar", self, threshold);
  return where(below, scalar(0, grad), grad);
});
const clamped = (self: Tensor): Tensor => aten("clamp", aten("clamp", add(self, 3), 0), null, 6);
register("hardswish", (self: Tensor) => div(mul(self, clamped(self)), 6));
register("hardsigmoid", (self: Tensor) => div(clamped(self), 6));
register("softshrink", (self: Tensor, lambd: unknown = 0.5) => {
  const outside = aten("gt.Scalar", aten("abs", self), lambd);
  const shrunk = sub(self, mul(aten("sign", self), lambd));
  return where(outside, shrunk, mul(self, 0));
});
register("hardshrink", (self: Tensor, lambd: unknown = 0.5) => {
  const inside = aten("le.Scalar", aten("abs", self), lambd);
  return where(inside, scalar(0, self), self);
});
register("threshold", (self: Tensor, threshold: unknown, value: unknown) => {
  const below = aten("le.Scalar", self, threshold);
  return where(below, scalar(value, self), self);
});
const softplus = (self: Tensor): Tensor => {
  const log = aten("log1p", aten("exp", self));
  return where(aten("gt.Scalar", self, 20), self, log);
};
register("softplus", (self: Tensor, ...rest: unknown[]) => (rest.length === 0 ? softplus(self) : NotImplemented));
register("mish", (self: Tensor) => {
  const plus = softplus(self);
  return mul(self, aten("tanh", plus));
});

// Losses

register("mse_loss", (self: Tensor, target: Tensor, reduction = MEAN) =>
  reduced(aten("pow.Tensor_Scalar", sub(self, target), 2), reduction),
);
register("mse_loss_backward", (grad: Tensor, self: Tensor, target: Tensor, reduction: number) =>
  mul(mul(sub(self, target), Float(reduction === MEAN ? 2 / self.numel() : 2)), grad),
);
register("smooth_l1_loss", (self: Tensor, target: Tensor, reduction = MEAN, beta: unknown = Float(1)) => {
  const loss = aten("abs", sub(self, target));
  const b = Number(beta);
  const inside = aten("lt.Scalar", loss, beta);
  const quadratic = div(mul(aten("pow.Tensor_Scalar", loss, 2), 0.5), beta);
  return reduced(where(inside, quadratic, sub(loss, 0.5 * b)), reduction);
});
register("huber_loss", (self: Tensor, target: Tensor, reduction = MEAN, delta: unknown = Float(1)) => {
  const loss = aten("abs", sub(self, target));
  const d = Number(delta);
  const inside = aten("lt.Scalar", loss, delta);
  const quadratic = mul(mul(loss, 0.5), loss);
  return reduced(where(inside, quadratic, mul(sub(loss, 0.5 * d), delta)), reduction);
});

register_any("native_dropout_backward", (grad: Tensor, mask: Tensor, scale: number) => {
  const kept = aten("_to_copy", mask, { dtype: grad.dtype, layout: torch.strided, device: grad.device });
  return aten("clone", mul(grad, mul(kept, Float(scale))), { memory_format: torch.contiguous_format });
});

// Sums and statistics

register_any("sum", (self: Tensor, keywords: Keywords = {}) => aten("sum.dim_IntList", self, [], keywords));
const correction_of = ({ correction }: Keywords): unknown =>
  Float(correction === null || correction === undefined ? 1 : Number(correction));
register("std.correction", (...args: unknown[]) => {
  const [positional, keywords] = keywords_of(args);
  return aten("sqrt", aten("var.correction", ...positional, { ...keywords, correction: correction_of(keywords) }));
});
register("std_mean.correction", (...args: unknown[]) => {
  const [positional, keywords] = keywords_of(args);
  const both = aten("var_mean.correction", ...positional, { ...keywords, correction: correction_of(keywords) });
  const [variance, mean] = both as unknown as [Tensor, Tensor];
  return [aten("sqrt", variance), mean];
});
register("mv", (self: Tensor, vec: Tensor) => aten("sum.dim_IntList", mul(self, vec), [1]));

// Pointwise arithmetic

register("addcmul", (self: Tensor, a: Tensor, b: Tensor, { value = 1 }: Keywords = {}) =>
  add(self, mul(mul(a, value), b)),
);
register("addcdiv", (self: Tensor, a: Tensor, b: Tensor, { value = 1 }: Keywords = {}) =>
  add(self, div(mul(a, value), b)),
);
register_any("rsub.Scalar", (self: Tensor, other: unknown, ...rest: unknown[]) =>
  rest.length === 0 ? sub(other, self) : NotImplemented,
);
register_any("rsub.Tensor", (self: Tensor, other: Tensor, ...rest: unknown[]) =>
  rest.length === 0 ? sub(other, self) : NotImplemented,
);

// New tensors

function filled(size: unknown, value: unknown, keywords: Keywords): Tensor {
  const { dtype = torch.get_default_dtype(), device = torch.device("cpu") } = keywords;
  return aten("full", size, value, {
    dtype: dtype ?? torch.get_default_dtype(),
    layout: torch.strided,
    device: device ?? torch.device("cpu"),
    pin_memory: false,
  });
}
/** The value in the words of the dtype: booleans are `False` and `True`. */
const in_words = (value: 0 | 1, dtype: unknown): unknown => (dtype === torch.bool ? value === 1 : value);
for (const [name, value] of [
  ["zeros", 0],
  ["ones", 1],
] as const)
  register_any(name, (size: unknown, keywords: Keywords = {}) =>
    filled(size, in_words(value, keywords["dtype"]), keywords),
  );
const like = (self: Tensor, keywords: Keywords): Keywords => ({
  dtype: keywords["dtype"] ?? self.dtype,
  device: keywords["device"] ?? self.device,
});
for (const [name, value] of [
  ["new_zeros", 0],
  ["new_ones", 1],
] as const)
  register_any(name, (self: Tensor, size: unknown, kw: Keywords = {}) =>
    filled(size, in_words(value, kw["dtype"] ?? self.dtype), like(self, kw)),
  );
register_any("new_full", (self: Tensor, size: unknown, value: unknown, kw: Keywords = {}) =>
  filled(size, value, like(self, kw)),
);
const full_like = (self: Tensor, value: unknown, keywords: Keywords): Tensor =>
  aten("full_like", self, value, { pin_memory: false, memory_format: torch.preserve_format, ...keywords });
for (const [name, value] of [
  ["zeros_like", 0],
  ["ones_like", 1],
] as const)
  register_any(name, (self: Tensor, keywords: Keywords = {}) =>
    full_like(self, in_words(value, keywords["dtype"] ?? self.dtype), keywords),
  );
register_any("empty_like", (self: Tensor, { dtype, device }: Keywords = {}) => {
  const strides = self.stride() as number[];
  const order = strides.map((_, i) => i).sort((a, b) => (strides[b] as number) - (strides[a] as number) || a - b);
  return aten("empty_permuted", [...self.shape], order, {
    dtype: dtype ?? self.dtype,
    layout: torch.strided,
    device: device ?? self.device,
    pin_memory: false,
  });
});

// Views

const permuted = (self: Tensor, a: number, b: number): Tensor => {
  const dims = Array.from({ length: self.dim() }, (_, i) => i);
  const [i, j] = [a, b].map((d) => (d < 0 ? d + dims.length : d)) as [number, number];
  [dims[i], dims[j]] = [dims[j] as number, dims[i] as number];
  return aten("permute", self, dims);
};
register_any("t", (self: Tensor) => (self.dim() < 2 ? NotImplemented : permuted(self, 0, 1)));
register_any("transpose.int", (self: Tensor, a: number, b: number) => permuted(self, a, b));
register_any("detach", (self: Tensor) => aten("alias", self));
register_any("_unsafe_view", (self: Tensor, size: number[]) => aten("view", self, size));
register_any("squeeze", (self: Tensor) =>
  aten(
    "squeeze.dims",
    self,
    Array.from({ length: self.dim() }, (_, i) => i),
  ),
);
register_any("split.Tensor", (self: Tensor, size: number, dim = 0) => {
  const length = self.shape[dim < 0 ? dim + self.dim() : dim] as number;
  const whole = Math.floor(length / size);
  const sizes = new Array<number>(whole).fill(size);
  if (length % size !== 0) sizes.push(length % size);
  return aten("split_with_sizes", self, sizes, ...(dim === 0 ? [] : [dim]));
});
register_any("select_scatter", (self: Tensor, src: Tensor, given: number, index: number) => {
  const dim = given < 0 ? given + self.dim() : given;
  const length = self.shape[dim] as number;
  const places = aten("arange.start_step", 0, length, {
    layout: torch.strided,
    device: self.device,
    pin_memory: false,
  });
  const along = self.shape.map((_, i) => (i === dim ? -1 : 1));
  const selected = aten("eq.Scalar", aten("view", places, along), index < 0 ? index + length : index);
  const spread = aten("expand", aten("unsqueeze", src, dim), [...self.shape]);
  return where(selected, spread, self);
});

// Losses of classes ---------------------------------------------------------------------------------------------------------

const total = (x: Tensor): Tensor => aten("sum.dim_IntList", x, []);

/** The loss of each sample is the negative entry of its class; samples of the ignored class count nothing. */
function nll_loss_forward(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): Tensor[] {
  const dims = self.dim();
  const classes = dims < 2 ? 0 : 1;
  const counts = (): Tensor => aten("ne.Scalar", target, ignore_index);
  const or_zero = (x: Tensor): Tensor => aten("where.self", counts(), x, scalar(0, x));
  let per_class = weight;
  let scores = self;
  if (weight !== null) {
    const shape = self.shape.map((_, dim) => (dim === classes ? weight.shape[0] : 1));
    per_class = dims > 1 ? aten("view", weight, shape) : weight;
    scores = mul(self, per_class);
  }
  const index = aten("unsqueeze", or_zero(target), classes);
  const chosen = (x: Tensor): Tensor => aten("squeeze.dims", aten("gather", x, classes, index), [classes]);
  const losses = or_zero(aten("neg", chosen(scores)));
  if (reduction === NONE && dims > 1) {
    const { dtype, layout, device } = self;
    return [losses, aten("full", [], Float(0), { dtype, layout, device, pin_memory: false })];
  }
  const total_weight =
    per_class === null
      ? aten("_to_copy", total(counts()), { dtype: self.dtype, device: self.device })
      : total(or_zero(chosen(aten("expand", per_class, [...self.shape]))));
  if (reduction === NONE) return [losses, total_weight];
  return [reduction === MEAN ? div(total(losses), total_weight) : total(losses), total_weight];
}
for_graphs.set("nll_loss_forward", nll_loss_forward as Decomposition);
