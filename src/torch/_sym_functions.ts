/**
 * @file Functions on numbers that may be symbols: `torch.sym_max`, `torch.sym_int` and their like. They stand on `torch` once `torch.fx` is loaded.
 * @mirrors torch/__init__.py#sym_max
 */
import { TypeError_ } from "#c10/util/Exception";
import { FloatValue, float_value } from "#python/Objects/floatobject";
import { getattr, truth } from "#python/Objects/object";
import { import_module } from "#python/vm/import";
import { python_type } from "#torch/_C";
import { def } from "#torch/_signature";
import { call_function } from "#torch/fx/callables";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import { has_name } from "#torch/fx/qualified_names";
import type { OpaqueFunction } from "#torch/utils/_sympy/functions";

type SymNumber = SymInt | SymFloat;
const is_number = (value: unknown): value is number | FloatValue | boolean =>
  typeof value === "number" || typeof value === "boolean" || value instanceof FloatValue;
const is_sym = (value: unknown): value is SymNumber => value instanceof SymInt || value instanceof SymFloat;

/** The larger or the smaller of two numbers: a float if one of them is. */
function extreme(name: "sym_max" | "sym_min"): (a: unknown, b: unknown) => unknown {
  const method = `__${name}__` as const;
  return (a, b) => {
    if (is_sym(a)) return a[method](b);
    if (is_sym(b)) return b[method](a);
    if (!is_number(a) || !is_number(b))
      throw new TypeError_(`expected int or float, got ${python_type(is_number(a) ? b : a)}`);
    const value = (name === "sym_max" ? Math.max : Math.min)(Number(a), Number(b));
    return a instanceof FloatValue || b instanceof FloatValue ? float_value(value) : value;
  };
}

const named = <F extends object>(name: string, fn: F): F => has_name(`torch.${name}`, fn);

export const sym_max = named("sym_max", def("sym_max(a, b)", extreme("sym_max")));
export const sym_min = named("sym_min", def("sym_min(a, b)", extreme("sym_min")));

export const sym_not = named(
  "sym_not",
  def("sym_not(a)", (a: unknown): unknown => (a instanceof SymBool ? a.__sym_not__() : !truth(a))),
);

export const sym_float = named(
  "sym_float",
  def("sym_float(a)", (a: unknown): unknown => (is_sym(a) ? a.__sym_float__() : float_value(Number(a)))),
);

/** The whole part: a symbol stays one. */
export const sym_int = named(
  "sym_int",
  def("sym_int(a)", (a: unknown): unknown => {
    if (a instanceof SymInt) return a;
    return a instanceof SymFloat ? a.__trunc__() : Math.trunc(Number(a));
  }),
);

/** A function of `math`, which leaves a symbol one. */
const math_function = (name: OpaqueFunction): unknown =>
  named(
    `_sym_${name}`,
    def(`_sym_${name}(a)`, (a: unknown): unknown => {
      if (is_sym(a)) return (a.__sym_float__() as SymFloat).opaque(name);
      return call_function(getattr(import_module("math"), name), [a]);
    }),
  );

export const _sym_sqrt = math_function("sqrt");
export const _sym_cos = math_function("cos");
export const _sym_cosh = math_function("cosh");
export const _sym_sin = math_function("sin");
export const _sym_sinh = math_function("sinh");
export const _sym_tan = math_function("tan");
export const _sym_tanh = math_function("tanh");
export const _sym_asin = math_function("asin");
export const _sym_acos = math_function("acos");
export const _sym_atan = math_function("atan");
export const _sym_log2 = math_function("log2");
export const sym_sqrt = _sym_sqrt;

/** One of two numbers, by a condition. It is decided, unless it is itself a number that depends on data. */
export const sym_ite = named(
  "sym_ite",
  def("sym_ite(b, t, f)", (b: unknown, t: unknown, f: unknown): unknown => {
    const as_int = b instanceof SymBool && t === 1 && f === 0 ? b.as_int() : null;
    return as_int ?? (truth(b) ? t : f);
  }),
);

/** The sum of the arguments, or of one list. */
export const sym_sum = named(
  "sym_sum",
  def("sym_sum(*args)", (args: readonly unknown[]): unknown =>
    (args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args).reduce((sum: unknown, arg) => {
      if (is_sym(sum)) return sum.__add__(arg);
      return is_sym(arg) ? arg.__radd__(sum) : Number(sum) + Number(arg);
    }, 0),
  ),
);

export { SymBool, SymFloat, SymInt };
