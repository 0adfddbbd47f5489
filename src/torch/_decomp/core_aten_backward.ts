/**
 * @file Gradients of activations, losses and views in operators of core ATen.
 * @mirrors torch/_decomp/decompositions.py
 */
import { NotImplemented } from "#python/Objects/object";
import { Float } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { halves } from "./core_aten_pointwise.ts";
import {
  add,
  arange,
  at,
  aten,
  div,
  full,
  keeps_dtype,
  mean_factor,
  mul,
  register,
  register_float,
  type Size,
  scalar,
  scalar_like,
  sub,
  where,
} from "./core_aten_registry.ts";

// Activations ------------------------------------------------------------------------------------------------------------------

/** The derivative for values above 0 and for values below it. */
register_float(
  "elu_backward",
  (grad: Tensor, alpha: number, scale: unknown, input_scale: unknown, is_result: boolean, x: Tensor) => {
    const slope = Number(alpha) * Number(scale);
    const below = aten("le.Scalar", x, 0);
    const scaled = mul(grad, input_scale);
    const negative = is_result
      ? mul(scaled, add(x, Float(slope)))
      : mul(mul(scaled, Float(slope)), aten("exp", mul(x, input_scale)));
    return where(below, negative, mul(grad, scale));
  },
);
register_float(
  "gelu_backward",
  (grad: Tensor, self: Tensor, { approximate = "none" }: { approximate?: string } = {}) => {
    if (approximate !== "none") return NotImplemented;
    const cdf = mul(add(aten("erf", mul(self, Float(Math.SQRT1_2))), 1), Float(0.5));
    const density = mul(
      aten("exp", mul(mul(self, self), Float(-0.5))),
      Float(0.5 * (2 / Math.sqrt(Math.PI)) * Math.SQRT1_2),
    );
    return mul(grad, add(cdf, mul(self, density)));
  },
);
register_float("hardsigmoid_backward", (grad: Tensor, self: Tensor) => {
  const inside = aten("bitwise_and.Tensor", aten("gt.Scalar", self, Float(-3)), aten("lt.Scalar", self, Float(3)));
  const slope = mul(grad, Float(1 / 6));
  return where(inside, slope, scalar_like(Float(0), grad));
});
register_float("hardswish_backward", (grad: Tensor, self: Tensor) => {
  const below = aten("le.Scalar", self, -3);
  const inside = aten("lt.Scalar", self, 3);
  const rest = where(inside, mul(grad, add(div(self, 3), Float(0.5))), grad);
  return where(below, scalar_like(Float(0), grad), rest);
});
register_float("hardtanh_backward", (grad: Tensor, self: Tensor, min: unknown, max: unknown) => {
  const outside = aten("bitwise_or.Tensor", aten("le.Scalar", self, min), aten("ge.Scalar", self, max));
  return where(outside, scalar_like(Float(0), grad), grad);
});
register_float("leaky_relu_backward", (grad: Tensor, self: Tensor, slope: unknown) => {
  const positive = aten("gt.Scalar", self, 0);
  return where(positive, grad, mul(grad, slope));
});
register_float("logit_backward", (grad: Tensor, self: Tensor, eps: unknown = null) => {
  const low = eps === null ? 0 : Number(eps);
  const [lower, upper] = [Float(low), Float(1 - low)];
  const inside = aten("logical_and", aten("ge.Scalar", self, lower), aten("le.Scalar", self, upper));
  const slope = div(grad, mul(self, sub(Float(1), self)));
  return where(inside, slope, full([], Float(eps === null ? Number.NaN : 0), self));
});
register_float("log_sigmoid_backward", (grad: Tensor, self: Tensor) => {
  const negative = aten("lt.Scalar", self, 0);
  const choice = (if_negative: number, otherwise: number): Tensor => {
    const b = scalar(otherwise, torch.int64, self.device);
    return where(negative, scalar(if_negative, torch.int64, self.device), b);
  };
  const most = choice(1, 0);
  const sign = choice(1, -1);
  const z = aten("exp", aten("neg", aten("abs", self)));
  return mul(grad, sub(most, mul(sign, div(z, add(z, 1)))));
});
register_float("mish_backward", (grad: Tensor, self: Tensor) => {
  const log = aten("log1p", aten("exp", self));
  const tanh = aten("tanh", where(aten("gt.Scalar", self, 20), self, log));
  const gate = mul(self, aten("sigmoid", self));
  return mul(grad, add(tanh, mul(gate, sub(1, mul(tanh, tanh)))));
});
register_float("softplus_backward", (grad: Tensor, self: Tensor, beta: unknown, threshold: unknown) => {
  const z = aten("exp", mul(self, beta));
  const large = aten("gt.Scalar", mul(self, beta), threshold);
  return where(large, grad, div(mul(grad, z), add(z, Float(1))));
});
register_float("glu_backward", (grad: Tensor, self: Tensor, given: number) => {
  const dim = at(given, self.dim());
  const [a, b] = halves(self, dim);
  const gate = aten("sigmoid", b);
  const of_gate = mul(mul(mul(sub(Float(1), gate), gate), a), grad);
  return aten("cat", [mul(gate, grad), of_gate], dim);
});

// Softmax and losses -----------------------------------------------------------------------------------------------------------

register_float("_softmax_backward_data", (grad: Tensor, out: Tensor, dim: number) => {
  const weighted = mul(grad, out);
  return sub(weighted, mul(out, aten("sum.dim_IntList", weighted, [dim], true)));
});
register_float("_log_softmax_backward_data", (grad: Tensor, out: Tensor, dim: number) => {
  const probability = aten("exp", out);
  return sub(grad, mul(probability, aten("sum.dim_IntList", grad, [dim], true)));
});
register_float(
  "huber_loss_backward",
  (grad: Tensor, self: Tensor, target: Tensor, reduction: number, delta: unknown) => {
    const factor = mean_factor(self, reduction);
    const bound = Float(Number(delta));
    const x = sub(self, target);
    const below = aten("lt.Scalar", x, Float(-Number(delta)));
    const low = mul(mul(grad, Float(-factor)), bound);
    const above = aten("gt.Scalar", x, bound);
    const high = mul(mul(grad, Float(factor)), bound);
    return where(below, low, where(above, high, mul(mul(x, Float(factor)), grad)));
  },
);
register_float(
  "smooth_l1_loss_backward",
  (grad: Tensor, self: Tensor, target: Tensor, reduction: number, beta: unknown) => {
    const x = sub(self, target);
    const size = aten("abs", x);
    const bound = Float(Number(beta));
    const scaled = mul(grad, Float(mean_factor(self, reduction)));
    const inside = aten("lt.Scalar", size, bound);
    const quadratic = div(mul(scaled, x), bound);
    return where(inside, quadratic, mul(scaled, aten("sign", x)));
  },
);
register_float(
  "binary_cross_entropy_backward",
  (grad: Tensor, self: Tensor, target: Tensor, weight: Tensor | null = null, reduction = 1) => {
    const given = weight === null ? grad : mul(grad, weight);
    const top = mul(given, sub(self, target));
    const bottom = aten("clamp", mul(self, sub(1, self)), Float(1e-12));
    const out = div(top, bottom);
    return reduction === 1 ? div(out, self.numel()) : out;
  },
);
register(
  "nll_loss_backward",
  (
    grad: Tensor,
    self: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    ignore_index: number,
    total_weight: Tensor,
  ) => {
    if (!keeps_dtype(grad) || self.dim() !== 2 || weight !== null || reduction === 0) return NotImplemented;
    const given = reduction === 1 ? div(grad, total_weight) : grad;
    const place = aten("unsqueeze", target, 1);
    const counts = (): Tensor => aten("ne.Scalar", place, ignore_index);
    const safe = where(counts(), place, scalar_like(0, target));
    const zeros = aten("full_like", self, 0, { pin_memory: false, memory_format: torch.preserve_format });
    const chosen = aten("scatter.value", zeros, 1, safe, Float(-1));
    return mul(chosen, where(counts(), given, scalar_like(0, given)));
  },
);

// Views ------------------------------------------------------------------------------------------------------------------------

register("select_backward", (grad: Tensor, sizes: Size[], dim: number, index: number) =>
  aten("select_scatter", full(sizes, 0, grad), grad, dim, index),
);
register("slice_backward", (grad: Tensor, sizes: Size[], dim: number, start: Size, end: Size, step: Size) =>
  aten("slice_scatter", full(sizes, 0, grad), grad, dim, start, end, step),
);
register("diagonal_backward", (grad: Tensor, sizes: Size[], offset: number, dim1: number, dim2: number) =>
  aten("diagonal_scatter", full(sizes, 0, grad), grad, offset, dim1, dim2),
);
register(
  "embedding_dense_backward",
  (grad: Tensor, index: Tensor, rows: number, padding: number, scale_by_freq: boolean) => {
    if (scale_by_freq || !keeps_dtype(grad)) return NotImplemented;
    const inside = aten("bitwise_and.Tensor", aten("ge.Scalar", index, 0), aten("lt.Scalar", index, rows));
    const counts = aten("bitwise_and.Tensor", inside, aten("ne.Scalar", index, padding));
    const mask = aten("unsqueeze", counts, -1);
    const out = full([rows, grad.shape.at(-1) as Size], 0, grad);
    const places = aten("clamp", index, -rows, rows - 1);
    const ignored = aten("bitwise_not", mask);
    const kept = where(ignored, scalar_like(Float(0), grad), grad);
    return aten("index_put", out, [places], kept, true);
  },
);

// Padding: the elements that are read ------------------------------------------------------------------------------------------

type Places = (range: Tensor, last: number) => Tensor;
function padded(self: Tensor, padding: readonly number[], places: Places): Tensor {
  const [before, after] = padding as [number, number];
  const last = self.dim() - 1;
  const length = self.shape[last] as number;
  const index = places(arange(-before, length + after, self.device), length - 1);
  return aten("index.Tensor", self, [...new Array<null>(last).fill(null), index]);
}
const reflected: Places = (range, last) => {
  const from_end = aten("abs", sub(last, aten("abs", range)));
  return sub(last, from_end);
};
const nearest: Places = (range, last) => aten("clamp", range, 0, last);
register("reflection_pad1d", (self: Tensor, padding: number[]) => padded(self, padding, reflected));
register("replication_pad1d", (self: Tensor, padding: number[]) => padded(self, padding, nearest));
