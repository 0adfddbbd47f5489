/**
 * @file The operators of loop bodies as graphs of values. They are those of the eager kernels: the text that codegen wrote for each scalar
 * function is put into the graph of the fused loop, so that fused and eager results have the same bits wherever both compute in one dtype.
 * @mirrors torch/_inductor/codegen/cpp.py#CppVecOverrides
 * @differs PyTorch's overrides write C++ expressions on `at::vec::Vectorized`.
 */
import { computed_in, type Graph, type Kernel, parse_kernels, type Value } from "#aten/cpu/vec/ir";
import * as Hard from "#aten/native/cpu/generated/Activation/Hard.SIMD128";
import * as Activation from "#aten/native/cpu/generated/Activation/index.SIMD128";
import * as Smooth from "#aten/native/cpu/generated/Activation/Smooth.SIMD128";
import * as BinaryOps from "#aten/native/cpu/generated/BinaryOpsKernel/index.SIMD128";
import * as Loss from "#aten/native/cpu/generated/BinaryOpsKernel/Loss.SIMD128";
import * as BinaryMath from "#aten/native/cpu/generated/BinaryOpsKernel/Math.SIMD128";
import * as Copy from "#aten/native/cpu/generated/CopyKernel.SIMD128";
import * as Lerp from "#aten/native/cpu/generated/LerpKernel.SIMD128";
import * as PointwiseOps from "#aten/native/cpu/generated/PointwiseOpsKernel.SIMD128";
import * as Pow from "#aten/native/cpu/generated/PowKernel.SIMD128";
import * as Compare from "#aten/native/cpu/generated/TensorCompareKernel/index.SIMD128";
import * as UnaryOps from "#aten/native/cpu/generated/UnaryOpsKernel/index.SIMD128";
import * as UnaryMath from "#aten/native/cpu/generated/UnaryOpsKernel/Math.SIMD128";
import * as Special from "#aten/native/cpu/generated/UnaryOpsKernel/Special.SIMD128";
import * as ufunc from "#aten/native/ufunc/generated/add.SIMD128";

const TEXTS: Readonly<Record<string, string>> = {
  ...Hard,
  ...Activation,
  ...Smooth,
  ...BinaryOps,
  ...Loss,
  ...BinaryMath,
  ...Copy,
  ...Lerp,
  ...PointwiseOps,
  ...Pow,
  ...Compare,
  ...UnaryOps,
  ...UnaryMath,
  ...Special,
  ...ufunc,
};

/** A line that gives the reason why a dtype has no graph. */
const REFUSED = /^\S+ [\w ]+: .*$/;
const parsed = new Map<string, ReadonlyMap<string, Kernel>>();

/** The graphs of a scalar function, by their dtypes. */
function kernels_of(name: string): ReadonlyMap<string, Kernel> {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const lines = (TEXTS[name] ?? "").trim().split("\n");
  const text = lines.filter((line) => line.startsWith("  ") || !REFUSED.test(line)).join("\n");
  const made = new Map<string, Kernel>();
  if (text !== "") for (const kernel of parse_kernels(text)) made.set(kernel.name.slice(name.length + 1), kernel);
  parsed.set(name, made);
  return made;
}

/** Names of scalar functions that are not the operator's. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  sub: "sub",
  div: "div_true",
  floordiv: "div_floor_elements",
  truncdiv: "div_trunc",
  pow: "pow_tensor",
};

/** Narrower integers wrap after each step; both halves are computed as float32 until they are stored. */
const WRAPS: Readonly<Record<string, "wrap_uint8" | "wrap_int8" | "wrap_int16">> = {
  uint8: "wrap_uint8",
  int8: "wrap_int8",
  int16: "wrap_int16",
};

/** The dtype in which elements are computed. */
export const computed_dtype = (dtype: string): string =>
  dtype === "float16" || dtype === "bfloat16" ? "float32" : dtype;

/** Operations that every dtype has as one value, or two. */
const DIRECT: Readonly<Record<string, (graph: Graph, args: readonly Value[]) => Value>> = {
  add: (g, [a, b]) => g.make("add", a.type, [a, b]),
  sub: (g, [a, b]) => g.make("sub", a.type, [a, b]),
  mul: (g, [a, b]) => g.make("mul", a.type, [a, b]),
  lt: (g, args) => g.make("lt", "mask", args),
  le: (g, args) => g.make("le", "mask", args),
  gt: (g, args) => g.make("gt", "mask", args),
  ge: (g, args) => g.make("ge", "mask", args),
  eq: (g, args) => g.make("eq", "mask", args),
  ne: (g, args) => g.make("ne", "mask", args),
};

/** Operations on bool. */
const LOGICAL: Readonly<Record<string, (graph: Graph, masks: readonly Value[]) => Value>> = {
  logical_and: (g, args) => g.make("and", "mask", args),
  logical_or: (g, args) => g.make("or", "mask", args),
  logical_xor: (g, args) => g.make("xor", "mask", args),
  logical_not: (g, args) => g.make("not", "mask", args),
};
const ON_BOOL: Readonly<Record<string, string>> = {
  bitwise_and: "logical_and",
  bitwise_or: "logical_or",
  bitwise_xor: "logical_xor",
  bitwise_not: "logical_not",
  mul: "logical_and",
  maximum: "logical_or",
  minimum: "logical_and",
  add: "logical_or",
};

function kernel_for(op: string, dtype: string): Kernel | undefined {
  const computed = computed_dtype(dtype);
  for (const name of [FUNCTIONS[op] ?? op, `${op}_of`]) {
    const found = kernels_of(name).get(computed);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether an operator can be part of a kernel. */
export function has_vector_form(op: string, dtype: string): boolean {
  if (computed_in(dtype) === undefined) return false;
  if (dtype === "bool") return op in LOGICAL || op in ON_BOOL || op === "eq" || op === "ne";
  return op in LOGICAL || op in DIRECT || kernel_for(op, dtype) !== undefined;
}

/** The value as a mask. */
export function as_mask(graph: Graph, v: Value): Value {
  if (v.type === "mask") return v;
  if (v.op === "bool") return v.args[0];
  return graph.make("ne", "mask", [v, graph.constant(v.type, v.type === "i64" ? 0n : 0)]);
}

/** The value as an element of its dtype: a bool is 1 or 0. */
export const as_element = (graph: Graph, v: Value): Value => (v.type === "mask" ? graph.make("bool", "i32", [v]) : v);

/** The value of an operator on values of this dtype. Precondition: `has_vector_form(op, dtype)`. */
export function vector_value(graph: Graph, op: string, dtype: string, given: readonly Value[]): Value {
  const logical = op in LOGICAL ? op : dtype === "bool" ? ON_BOOL[op] : undefined;
  if (logical !== undefined)
    return LOGICAL[logical](
      graph,
      given.map((v) => as_mask(graph, v)),
    );
  const args = given.map((v) => as_element(graph, v));
  const direct = DIRECT[op];
  const value = direct === undefined ? spliced(graph, kernel_for(op, dtype) as Kernel, args) : direct(graph, args);
  const wrap = WRAPS[dtype];
  return wrap !== undefined && value.type === "i32" ? graph.make(wrap, "i32", [value]) : value;
}

/** The values of a kernel on other inputs; captures come after the inputs. */
function spliced(graph: Graph, kernel: Kernel, args: readonly Value[]): Value {
  const made = new Map<string, Value>();
  for (const [k, { name }] of [...kernel.inputs, ...kernel.captures].entries()) made.set(name, args[k]);
  const of = (v: Value): Value => (v.op === "const" ? graph.constant(v.type, v.value) : (made.get(v.name) as Value));
  for (const v of kernel.values)
    if (v.op !== "input") made.set(v.name, graph.make(v.op as never, v.type, v.args.map(of)));
  return of(kernel.outputs[0].value);
}

/** The value as another dtype. */
export function converted(graph: Graph, x: Value, dtype: string, src_dtype: string): Value {
  const [to, from] = [computed_dtype(dtype), computed_dtype(src_dtype)];
  if (to !== dtype && dtype !== src_dtype) {
    // A conversion to a half rounds, although the value is computed on as float32.
    const wide = converted(graph, x, "float32", src_dtype);
    return graph.make(dtype === "float16" ? "round_float16" : "round_bfloat16", "f32", [wide]);
  }
  if (to === from) return x;
  if (to === "bool") return as_mask(graph, x);
  const v = as_element(graph, x);
  const kernel = kernels_of("convert").get(`${to} ${from}`);
  if (kernel !== undefined) return wrapped(graph, spliced(graph, kernel, [v]), to);
  const type = computed_in(to);
  if (type === undefined) throw new Error(`no conversion to ${to}`);
  return wrapped(graph, v.type === type ? v : graph.make("convert", type, [v]), to);
}

function wrapped(graph: Graph, v: Value, dtype: string): Value {
  const wrap = WRAPS[dtype];
  return wrap === undefined ? v : graph.make(wrap, "i32", [v]);
}
