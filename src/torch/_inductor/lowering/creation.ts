/**
 * @file Lowerings of operators that make tensors of numbers.
 * @mirrors torch/_inductor/lowering.py
 */
import { computed_in } from "#aten/cpu/vec/ir";
import { integer, scale } from "#torch/utils/_sympy/expr";
import { Pointwise, type TensorBox } from "../ir/index.ts";
import { add } from "../sizevars.ts";
import { V } from "../virtualized.ts";
import { as_number, dtype_name, type Keywords, register_lowering } from "./index.ts";

const numbers = (given: unknown): number[] => [...(given as Iterable<unknown>)].map(Number);

/** A tensor with one number everywhere. */
function full(size: readonly number[], value: unknown, dtype: string): TensorBox | undefined {
  const number = as_number(value);
  if (number === null || computed_in(dtype) === undefined) return undefined;
  return Pointwise.create(dtype, () => V.ops.constant(number.value, dtype), size);
}
const given_dtype = ({ dtype }: Keywords, otherwise: string): string =>
  dtype === null || dtype === undefined ? otherwise : dtype_name(dtype);
const kind = (value: unknown): string => {
  const number = as_number(value);
  return number === null || number.dtype === "float" ? "float32" : number.dtype;
};

register_lowering("full", ([size, value], kw) => full(numbers(size), value, given_dtype(kw, kind(value))));
register_lowering("full_like", ([x, value], kw) =>
  full((x as TensorBox).size, value, given_dtype(kw, (x as TensorBox).dtype)),
);
register_lowering("new_full", ([x, size, value], kw) =>
  full(numbers(size), value, given_dtype(kw, (x as TensorBox).dtype)),
);
register_lowering("scalar_tensor", ([value], kw) => full([], value, given_dtype(kw, "float32")));
for (const [name, value] of [
  ["zeros", 0],
  ["ones", 1],
] as const) {
  register_lowering(name, ([size], kw) => full(numbers(size), value, given_dtype(kw, "float32")));
  register_lowering(`${name}_like`, ([x], kw) =>
    full((x as TensorBox).size, value, given_dtype(kw, (x as TensorBox).dtype)),
  );
  register_lowering(`new_${name}`, ([x, size], kw) =>
    full(numbers(size), value, given_dtype(kw, (x as TensorBox).dtype)),
  );
}
register_lowering("fill.Scalar", ([x, value]) => full((x as TensorBox).size, value, (x as TensorBox).dtype));

/** Whole numbers from `start` on. */
function arange(start: unknown, end: unknown, step: unknown, kw: Keywords): TensorBox | undefined {
  const parts = [start, end, step].map(as_number);
  if (parts.some((part) => part === null || part.dtype !== "int64")) return undefined;
  const [from, to, by] = parts.map((part) => Number(part?.value));
  const dtype = given_dtype(kw, "int64");
  if (computed_in(dtype) === undefined || dtype === "bool") return undefined;
  const length = Math.max(0, Math.ceil((to - from) / by));
  return Pointwise.create(dtype, ([i]) => V.ops.index_expr(add(scale(i, by), integer(from)), dtype), [length]);
}
register_lowering("arange", ([end], kw) => arange(0, end, 1, kw));
register_lowering("arange.start", ([start, end], kw) => arange(start, end, 1, kw));
register_lowering("arange.start_step", ([start, end, step], kw) => arange(start, end, step ?? 1, kw));
