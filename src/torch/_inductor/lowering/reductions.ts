/**
 * @file Lowerings of reductions, and of operators that are made of them: softmax, statistics, normalization.
 * @mirrors torch/_inductor/lowering.py#make_reduction
 * @differs Softmax and layer norm are taken apart here, so that the graph keeps the operator; PyTorch does it while it traces. The kernels are the
 * same. Variances are computed in two steps, also where PyTorch uses Welford's.
 */
import { computed_in } from "#aten/cpu/vec/ir";
import { Pointwise, Reduction, type ReductionType, StorageBox, TensorBox } from "../ir/index.ts";
import { type Expr, numel, ZERO } from "../sizevars.ts";
import { type OpsValue, V } from "../virtualized.ts";
import { dtype_name, is_float, make_pointwise, pointwise, register_lowering, to_dtype, wrap_dim } from "./index.ts";

/** Sums of float32 with more values than this are added up as doubles. */
const LONG_SUM = 4096;

const reduced_dims = (given: unknown, rank: number): number[] => {
  const dims =
    given === null || given === undefined
      ? []
      : typeof given === "number"
        ? [given]
        : [...(given as Iterable<unknown>)].map(Number);
  return dims.length === 0
    ? Array.from({ length: rank }, (_, d) => d)
    : [...new Set(dims.map((d) => wrap_dim(d, rank)))].sort((a, b) => a - b);
};

/** Reduces some dimensions; undefined if kernels do not have the dtype. */
export function reduce(
  x: TensorBox,
  type: ReductionType,
  dims: readonly number[],
  keepdim: boolean,
  dtype = x.dtype,
): TensorBox | undefined {
  const { size } = x;
  if (computed_in(dtype) === undefined || computed_in(x.dtype) === undefined) return undefined;
  const gone = new Set(dims);
  const kept = size.map((_, d) => d).filter((d) => !gone.has(d));
  const reduction_ranges = dims.map((d) => size[d]);
  if (numel(size) === 0 || size.length === 0) return undefined;
  const load = to_dtype(x, dtype).make_loader();
  const half = dtype === "float16" || dtype === "bfloat16";
  const accumulated =
    (dtype === "float32" || half) && type === "sum" && numel(reduction_ranges) > LONG_SUM ? "float64" : dtype;
  const inner_fn = (index: readonly Expr[], reduction_index: readonly Expr[]): OpsValue => {
    const value = load(size.map((_, d) => (gone.has(d) ? reduction_index[dims.indexOf(d)] : index[kept.indexOf(d)])));
    return accumulated === dtype ? value : V.ops.to_dtype(value, accumulated, dtype);
  };
  const ranges = kept.map((d) => size[d]);
  if (numel(reduction_ranges) === 1) {
    // One value is its own sum.
    const one = Pointwise.create(
      dtype,
      (index) => load(size.map((_, d) => (gone.has(d) ? ZERO : index[kept.indexOf(d)]))),
      ranges,
    );
    return keepdim ? with_ones(one, size, gone, kept) : one;
  }
  const storage = new StorageBox(new Reduction(dtype, accumulated, inner_fn, ranges, reduction_ranges, type));
  storage.realize();
  const result = new TensorBox(storage);
  return keepdim ? with_ones(result, size, gone, kept) : result;
}

/** Dimensions of size 1 in place of those that are reduced. */
function with_ones(
  x: TensorBox,
  size: readonly number[],
  gone: ReadonlySet<number>,
  kept: readonly number[],
): TensorBox {
  return x.view(
    size.map((s, d) => (gone.has(d) ? 1 : s)),
    (index) => kept.map((d) => index[d]),
  );
}

const summed = (dtype: string, given: unknown): string =>
  given !== null && given !== undefined ? dtype_name(given) : is_float(dtype) ? dtype : "int64";

register_lowering("sum", ([x], { dtype }) => {
  const box = x as TensorBox;
  return reduce(box, "sum", reduced_dims(null, box.size.length), false, summed(box.dtype, dtype));
});
register_lowering("sum.dim_IntList", ([x, dim, keepdim], { dtype }) => {
  const box = x as TensorBox;
  return reduce(box, "sum", reduced_dims(dim, box.size.length), keepdim === true, summed(box.dtype, dtype));
});
register_lowering("prod.dim_int", ([x, dim, keepdim], { dtype }) => {
  const box = x as TensorBox;
  return reduce(box, "prod", reduced_dims(dim, box.size.length), keepdim === true, summed(box.dtype, dtype));
});
register_lowering("prod", ([x], { dtype }) => {
  const box = x as TensorBox;
  return reduce(box, "prod", reduced_dims(null, box.size.length), false, summed(box.dtype, dtype));
});
for (const type of ["max", "min"] as const) {
  register_lowering(`a${type}`, ([x, dim, keepdim]) => {
    const box = x as TensorBox;
    return box.dtype === "bool" ? undefined : reduce(box, type, reduced_dims(dim, box.size.length), keepdim === true);
  });
  register_lowering(type, ([x]) => {
    const box = x as TensorBox;
    return box.dtype === "bool" ? undefined : reduce(box, type, reduced_dims(null, box.size.length), false);
  });
}
for (const names of ["any", "any.dim", "any.dims"])
  register_lowering(names, ([x, dim, keepdim]) => {
    const box = to_dtype(x as TensorBox, "bool");
    return reduce(box, "any", reduced_dims(dim ?? null, box.size.length), keepdim === true);
  });
for (const names of ["all", "all.dim", "all.dims"])
  register_lowering(names, ([x, dim, keepdim]) => {
    const box = to_dtype(x as TensorBox, "bool");
    const not = pointwise("logical_not", [box], "bool") as TensorBox;
    const some = reduce(not, "any", reduced_dims(dim ?? null, box.size.length), keepdim === true);
    return some === undefined ? undefined : pointwise("logical_not", [some], "bool");
  });

const binary = (op: string, a: unknown, b: unknown, dtype: string): TensorBox =>
  pointwise(op, [a, b], dtype) as TensorBox;

/** The mean, computed in float32 for halves. */
export function mean(x: TensorBox, dims: readonly number[], keepdim: boolean, dtype: string): TensorBox | undefined {
  const wide = dtype === "float16" || dtype === "bfloat16" ? "float32" : dtype;
  const total = reduce(to_dtype(x, wide), "sum", dims, keepdim, wide);
  if (total === undefined) return undefined;
  const count = numel(dims.map((d) => x.size[d]));
  return to_dtype(binary("div", total, count, wide), dtype);
}
register_lowering("mean", ([x], { dtype }) => {
  const box = x as TensorBox;
  return mean(
    box,
    reduced_dims(null, box.size.length),
    false,
    dtype === null || dtype === undefined ? box.dtype : dtype_name(dtype),
  );
});
register_lowering("mean.dim", ([x, dim, keepdim], { dtype }) => {
  const box = x as TensorBox;
  return mean(
    box,
    reduced_dims(dim, box.size.length),
    keepdim === true,
    dtype === null || dtype === undefined ? box.dtype : dtype_name(dtype),
  );
});

/** The mean, then the mean square distance from it. (`var_mean_sum_`) */
function var_mean(
  x: TensorBox,
  dims: readonly number[],
  correction: number,
  keepdim: boolean,
): [TensorBox, TensorBox] | undefined {
  const { dtype } = x;
  if (!is_float(dtype)) return undefined;
  const wide = dtype === "float16" || dtype === "bfloat16" ? "float32" : dtype;
  const box = to_dtype(x, wide);
  const middle = mean(box, dims, true, wide);
  if (middle === undefined) return undefined;
  const distance = binary("sub", box, middle, wide);
  const squares = reduce(binary("mul", distance, distance, wide), "sum", dims, keepdim, wide);
  if (squares === undefined) return undefined;
  const count = numel(dims.map((d) => x.size[d]));
  const variance = binary("div", squares, Math.max(0, count - correction), wide);
  const mean_out = keepdim ? middle : mean_without(middle, dims);
  return [to_dtype(variance, dtype), to_dtype(mean_out, dtype)];
}
const mean_without = (x: TensorBox, dims: readonly number[]): TensorBox => {
  const kept = x.size.map((_, d) => d).filter((d) => !dims.includes(d));
  return x.view(
    kept.map((d) => x.size[d]),
    (index) => x.size.map((_, d) => (dims.includes(d) ? ZERO : index[kept.indexOf(d)])),
  );
};
const correction_of = (given: unknown): number => (given === null || given === undefined ? 1 : Number(given));
register_lowering("var.correction", ([x, dim], { correction, keepdim }) => {
  const box = x as TensorBox;
  return var_mean(box, reduced_dims(dim, box.size.length), correction_of(correction), keepdim === true)?.[0];
});
register_lowering("var_mean.correction", ([x, dim], { correction, keepdim }) => {
  const box = x as TensorBox;
  return var_mean(box, reduced_dims(dim, box.size.length), correction_of(correction), keepdim === true);
});
register_lowering("std.correction", ([x, dim], { correction, keepdim }) => {
  const box = x as TensorBox;
  const both = var_mean(box, reduced_dims(dim, box.size.length), correction_of(correction), keepdim === true);
  return both === undefined ? undefined : pointwise("sqrt", [both[0]], box.dtype);
});

/** The parts that softmax and log_softmax share: x - max, its exponentials, and their sum. */
function exponentials(
  x: TensorBox,
  given: number,
  dtype: string,
): { shifted: TensorBox; powers: TensorBox; total: TensorBox } | undefined {
  if (!is_float(dtype) || x.size.length === 0 || numel(x.size) === 0) return undefined;
  const dim = wrap_dim(given, x.size.length);
  const box = to_dtype(x, dtype);
  const highest = reduce(box, "max", [dim], true);
  if (highest === undefined) return undefined;
  const shifted = binary("sub", box, highest, dtype);
  const powers = pointwise("exp", [shifted], dtype) as TensorBox;
  return { shifted, powers, total: reduce(powers, "sum", [dim], true) as TensorBox };
}
const wide = (dtype: string): string => (dtype === "float16" || dtype === "bfloat16" ? "float32" : dtype);
register_lowering("_softmax", ([x, dim, half_to_float]) => {
  const box = x as TensorBox;
  if (half_to_float === true) return undefined;
  const dtype = wide(box.dtype);
  const parts = exponentials(box, Number(dim), dtype);
  if (parts === undefined) return undefined;
  parts.powers.realize(); // two loops use it, and exp is expensive
  return to_dtype(binary("div", parts.powers, parts.total, dtype), box.dtype);
});
register_lowering("_log_softmax", ([x, dim, half_to_float]) => {
  const box = x as TensorBox;
  if (half_to_float === true) return undefined;
  const dtype = wide(box.dtype);
  const parts = exponentials(box, Number(dim), dtype);
  if (parts === undefined) return undefined;
  return to_dtype(binary("sub", parts.shifted, pointwise("log", [parts.total], dtype), dtype), box.dtype);
});
register_lowering("_softmax_backward_data", ([grad, output, dim]) => {
  const [g, y] = [grad as TensorBox, output as TensorBox];
  if (!is_float(g.dtype) || g.dtype !== y.dtype || y.size.length === 0) return undefined;
  const product = binary("mul", g, y, g.dtype);
  const total = reduce(product, "sum", [wrap_dim(Number(dim), y.size.length)], true);
  return total === undefined ? undefined : binary("sub", product, binary("mul", y, total, g.dtype), g.dtype);
});
register_lowering("_log_softmax_backward_data", ([grad, output, dim]) => {
  const [g, y] = [grad as TensorBox, output as TensorBox];
  if (!is_float(g.dtype) || g.dtype !== y.dtype || y.size.length === 0) return undefined;
  const total = reduce(g, "sum", [wrap_dim(Number(dim), y.size.length)], true);
  if (total === undefined) return undefined;
  return binary("sub", g, binary("mul", pointwise("exp", [y], y.dtype), total, g.dtype), g.dtype);
});

register_lowering("logsumexp", ([x, dim, keepdim]) => {
  const box = x as TensorBox;
  const { dtype } = box;
  if (!is_float(dtype) || computed_in(dtype) === undefined) return undefined;
  const dims = reduced_dims(dim, box.size.length);
  const highest = reduce(box, "max", dims, true);
  if (highest === undefined) return undefined;
  // An infinite maximum would make NaN of the differences.
  const infinite = make_pointwise(
    (v) =>
      V.ops.where(
        V.ops.pointwise("eq", dtype, [V.ops.pointwise("abs", dtype, [v]), V.ops.constant(Infinity, dtype)]),
        V.ops.constant(0, dtype),
        v,
        dtype,
      ),
    [highest],
    dtype,
  );
  const powers = pointwise("exp", [binary("sub", box, infinite, dtype)], dtype) as TensorBox;
  const total = reduce(powers, "sum", dims, keepdim === true) as TensorBox;
  const shift = keepdim === true ? infinite : mean_without(infinite, dims);
  return binary("add", pointwise("log", [total], dtype), shift, dtype);
});

/** Normalization by given statistics, channel by channel. */
register_lowering("_native_batch_norm_legit_no_training", ([x, weight, bias, middle, variance, _momentum, eps]) => {
  const box = x as TensorBox;
  const { dtype } = box;
  if (dtype !== "float32" && dtype !== "float64") return undefined;
  const along = (t: unknown): TensorBox => {
    const size = box.size.map((s, d) => (d === 1 ? s : 1));
    return (t as TensorBox).view(size, (index) => [index[1]]);
  };
  const rstd = binary("div", 1, pointwise("sqrt", [binary("add", along(variance), Number(eps), dtype)], dtype), dtype);
  let result = binary("mul", binary("sub", box, along(middle), dtype), rstd, dtype);
  if (weight instanceof TensorBox) result = binary("mul", result, along(weight), dtype);
  if (bias instanceof TensorBox) result = binary("add", result, along(bias), dtype);
  const none = Pointwise.create(dtype, () => V.ops.constant(0, dtype), [0]);
  return [result, none, none];
});

register_lowering("native_layer_norm", ([x, shape, weight, bias, eps]) => {
  const box = x as TensorBox;
  const { dtype } = box;
  if (dtype !== "float32" && dtype !== "float64") return undefined;
  const rank = box.size.length;
  const count = [...(shape as Iterable<unknown>)].length;
  const dims = Array.from({ length: count }, (_, k) => rank - count + k);
  const both = numel(box.size) === 0 ? undefined : var_mean(box, dims, 0, true);
  if (both === undefined) return undefined;
  const [variance, middle] = both;
  const rstd = pointwise("rsqrt", [binary("add", variance, Number(eps), dtype)], dtype) as TensorBox;
  let result = binary("mul", binary("sub", box, middle, dtype), rstd, dtype);
  if (weight instanceof TensorBox) result = binary("mul", result, weight, dtype);
  if (bias instanceof TensorBox) result = binary("add", result, bias, dtype);
  return [result, middle, rstd];
});
