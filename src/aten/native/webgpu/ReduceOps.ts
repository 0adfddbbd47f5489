/**
 * @file Definitions of reduction operations in WGSL: the accumulator, how two accumulators combine, and the result.
 * @mirrors aten/src/ATen/native/SharedReduceOps.h
 * @see Reduce.ts (the kernel text), ReduceOpsKernel.ts (registration)
 */
import type { ReduceOp } from "./Reduce.ts";

export type Op = ReduceOp;

type Acc = ReturnType<ReduceOp["acc"]>;

const IS_WIDE = "vec2<u32>";

/** Accumulator that is one element. */
function one(element: string): Acc {
  const declaration = `alias acc_t = ${element};`;
  if (element === IS_WIDE) return { declaration, words: ["acc.x", "acc.y"], from_words: "vec2<u32>(w0, w1)" };
  return { declaration, words: ["bitcast<u32>(acc)"], from_words: `bitcast<${element}>(w0)` };
}

/** Accumulator that is an element and its index. */
function with_index(element: string): Acc {
  const { words, from_words } = one(element);
  const of_value = words.map((word) => word.replace("acc", "acc.value"));
  const index = `w${words.length}`;
  return {
    declaration: `struct acc_t { value: ${element}, index: u32 }`,
    words: [...of_value, "acc.index"],
    from_words: `acc_t(${from_words}, ${index})`,
  };
}

const zero_of = (element: string): string =>
  element === "f32" ? "0.0f" : element === "i32" ? "0i" : "vec2<u32>(0u, 0u)";
const one_of = (element: string): string =>
  element === "f32" ? "1.0f" : element === "i32" ? "1i" : "vec2<u32>(1u, 0u)";
const lowest_of = (element: string): string =>
  element === "f32" ? "-inf()" : element === "i32" ? "i32(-2147483648)" : "vec2<u32>(0u, 0x80000000u)";
const highest_of = (element: string): string =>
  element === "f32" ? "inf()" : element === "i32" ? "2147483647i" : "vec2<u32>(0xffffffffu, 0x7fffffffu)";
const sum_of = (element: string, a: string, b: string): string =>
  element === IS_WIDE ? `i64_add(${a}, ${b})` : `${a} + ${b}`;
const product_of = (element: string, a: string, b: string): string =>
  element === IS_WIDE ? `i64_mul(${a}, ${b})` : `${a} * ${b}`;
const less = (element: string, a: string, b: string): string =>
  element === IS_WIDE ? `i64_lt(${a}, ${b})` : `(${a} < ${b})`;
const is_zero = (element: string, x: string): string =>
  element === "f32" ? `(${x} == 0.0f)` : element === "i32" ? `(${x} == 0i)` : `all(${x} == vec2<u32>(0u, 0u))`;

const itself = [(): string => "acc"];

/** WGSL for `identity` and for functions of one expression each, in terms of `acc`, `x`, `a` and `b`. */
function functions(element: string, identity: string, reduce: string, combine: string): string {
  return `fn identity() -> acc_t {
  return ${identity};
}
fn reduce(acc: acc_t, x: ${element}, index: u32) -> acc_t {
  return ${reduce};
}
fn combine(a: acc_t, b: acc_t) -> acc_t {
  return ${combine};
}`;
}

export const sum: ReduceOp = {
  name: "sum",
  acc: one,
  text: (e) => functions(e, zero_of(e), sum_of(e, "acc", "x"), sum_of(e, "a", "b")),
  project: itself,
};

/** `c0` is the number of elements. */
export const mean: ReduceOp = { ...sum, name: "mean", project: [() => "acc / p.c0"] };

export const nansum: ReduceOp = {
  ...sum,
  name: "nansum",
  text: (e) => functions(e, "0.0f", "acc + select(x, 0.0f, isnan_f32(x))", "a + b"),
};

export const prod: ReduceOp = {
  name: "prod",
  acc: one,
  text: (e) => functions(e, one_of(e), product_of(e, "acc", "x"), product_of(e, "a", "b")),
  project: itself,
};

// ---- truth

const truth = (): Acc => one("i32");

export const and: ReduceOp = {
  name: "and",
  acc: truth,
  text: (e) => functions(e, "1i", `select(acc, 0i, ${is_zero(e, "x")})`, "a & b"),
  project: itself,
};
export const or: ReduceOp = {
  name: "or",
  acc: truth,
  text: (e) => functions(e, "0i", `select(1i, acc, ${is_zero(e, "x")})`, "a | b"),
  project: itself,
};

// ---- extremes: NaN counts as the most extreme value

/** WGSL `chosen(a, b)`: the more extreme value; NaN if one of them is NaN. */
function chooser(element: string, is_max: boolean): string {
  const better = is_max ? less(element, "a", "b") : less(element, "b", "a");
  const is_nan = (x: string): string => (element === "f32" ? `isnan_f32(${x})` : "false");
  return `fn chosen(a: ${element}, b: ${element}) -> ${element} {
  return select(a, b, !${is_nan("a")} && (${better} || ${is_nan("b")}));
}`;
}

function values(is_max: boolean): ReduceOp {
  return {
    name: is_max ? "max_values" : "min_values",
    acc: one,
    text: (e) =>
      `${chooser(e, is_max)}\n${functions(e, is_max ? lowest_of(e) : highest_of(e), "chosen(acc, x)", "chosen(a, b)")}`,
    project: itself,
  };
}
export const max_values = values(true);
export const min_values = values(false);

/** Minimum and maximum together. */
export const aminmax: ReduceOp = {
  name: "aminmax",
  acc: (e) => {
    const { words } = one(e);
    const of = (which: string): string[] => words.map((word) => word.replace("acc", `acc.${which}`));
    const restored = (from: number): string =>
      e === IS_WIDE ? `vec2<u32>(w${from}, w${from + 1})` : `bitcast<${e}>(w${from})`;
    return {
      declaration: `struct acc_t { low: ${e}, high: ${e} }`,
      words: [...of("low"), ...of("high")],
      from_words: `acc_t(${restored(0)}, ${restored(words.length)})`,
    };
  },
  text: (e) => {
    const high = chooser(e, true).replace("fn chosen", "fn higher");
    const low = chooser(e, false).replace("fn chosen", "fn lower");
    const both = (a: string, b: string, c: string, d: string): string => `acc_t(lower(${a}, ${b}), higher(${c}, ${d}))`;
    const folded = both("acc.low", "x", "acc.high", "x");
    const combined = both("a.low", "b.low", "a.high", "b.high");
    return `${high}\n${low}\n${functions(e, `acc_t(${highest_of(e)}, ${lowest_of(e)})`, folded, combined)}`;
  },
  project: [() => "acc.low", () => "acc.high"],
};

/** Index of the extreme. Of equal values, the first counts; NaN is the most extreme value, and the first NaN counts. */
function arg(is_max: boolean, project: ReduceOp["project"], name: string): ReduceOp {
  return {
    name,
    acc: with_index,
    text: (e) => {
      const better = is_max ? less(e, "b.value", "a.value") : less(e, "a.value", "b.value");
      const equal = e === IS_WIDE ? "all(a.value == b.value)" : "(a.value == b.value)";
      const of_nan =
        e === "f32"
          ? `  if (isnan_f32(a.value) || isnan_f32(b.value)) {
    let first = isnan_f32(a.value) && (!isnan_f32(b.value) || (a.index < b.index));
    return acc_t(select(b.value, a.value, first), select(b.index, a.index, first));
  }
`
          : "";
      return `fn identity() -> acc_t {
  return acc_t(${is_max ? lowest_of(e) : highest_of(e)}, 0xffffffffu);
}
fn combine(a: acc_t, b: acc_t) -> acc_t {
${of_nan}  let first = ${better} || (${equal} && (a.index < b.index));
  return acc_t(select(b.value, a.value, first), select(b.index, a.index, first));
}
fn reduce(acc: acc_t, x: ${e}, index: u32) -> acc_t {
  return combine(acc, acc_t(x, index));
}`;
    },
    project,
  };
}
const index = (): string => "vec2<u32>(acc.index, 0u)";
const value = (): string => "acc.value";
export const argmax = arg(true, [index], "argmax");
export const argmin = arg(false, [index], "argmin");
export const max_with_index = arg(true, [value, index], "max");
export const min_with_index = arg(false, [value, index], "min");

// ---- norms, in float32

function norm(name: string, identity: string, reduce: string, combine: string, project: string): ReduceOp {
  return {
    name: `norm_${name}`,
    acc: () => one("f32"),
    text: () => functions("f32", identity, reduce, combine),
    project: [() => project],
  };
}
export const norm_zero = norm("zero", "0.0f", "acc + select(1.0f, 0.0f, x == 0.0f)", "a + b", "acc");
export const norm_one = norm("one", "0.0f", "acc + abs(x)", "a + b", "acc");
export const norm_two = norm("two", "0.0f", "fma(x, x, acc)", "a + b", "sqrt(acc)");
/** `c0` is the exponent, `c1` is 1 / exponent. */
export const norm_p = norm("p", "0.0f", "acc + pow_f32(abs(x), p.c0)", "a + b", "pow_f32(acc, p.c1)");
function norm_of_extreme(name: string, identity: string, is_max: boolean): ReduceOp {
  const op = norm(name, identity, "chosen(acc, abs(x))", "chosen(a, b)", "acc");
  return { ...op, text: (e) => `${chooser("f32", is_max)}\n${op.text(e)}` };
}
export const norm_inf = norm_of_extreme("inf", "0.0f", true);
export const norm_minus_inf = norm_of_extreme("minus_inf", "inf()", false);

// ---- moments, by Welford's algorithm: the mean so far, the sum of squared distances from it, the count

const WELFORD: Acc = {
  declaration: "",
  words: ["bitcast<u32>(acc.mean)", "bitcast<u32>(acc.m2)", "bitcast<u32>(acc.n)"],
  from_words: "acc_t(bitcast<f32>(w0), bitcast<f32>(w1), bitcast<f32>(w2))",
};

export const WELFORD_TEXT = `struct acc_t { mean: f32, m2: f32, n: f32 }
fn identity() -> acc_t {
  return acc_t(0.0f, 0.0f, 0.0f);
}
fn reduce(acc: acc_t, x: f32, index: u32) -> acc_t {
  let n = acc.n + 1.0f;
  let delta = x - acc.mean;
  let mean = acc.mean + delta / n;
  return acc_t(mean, fma(delta, x - mean, acc.m2), n);
}
fn combine(a: acc_t, b: acc_t) -> acc_t {
  if (a.n == 0.0f) {
    return b;
  }
  if (b.n == 0.0f) {
    return a;
  }
  let n = a.n + b.n;
  let delta = b.mean - a.mean;
  let share = b.n / n;
  return acc_t(a.mean + delta * share, a.m2 + b.m2 + delta * delta * a.n * share, n);
}`;

/** `c0` is the correction, which is subtracted from the count. */
function moments(name: string, project: readonly string[]): ReduceOp {
  return { name, acc: () => WELFORD, text: () => WELFORD_TEXT, project: project.map((text) => () => text) };
}
const VARIANCE = "acc.m2 / max(acc.n - p.c0, 0.0f)";
export const variance = moments("var", [VARIANCE]);
export const standard_deviation = moments("std", [`sqrt(${VARIANCE})`]);
export const variance_and_mean = moments("var_mean", [VARIANCE, "acc.mean"]);
export const deviation_and_mean = moments("std_mean", [`sqrt(${VARIANCE})`, "acc.mean"]);
