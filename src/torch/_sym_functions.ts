/**
 * @file Functions on numbers that may be symbols: `torch.sym_max`, `torch.sym_int` and their like. They stand on `torch` once `torch.fx` is loaded.
 * @mirrors torch/__init__.py#sym_max
 */
import { TypeError_ } from "#c10/util/Exception";
import { FloatValue, float_value } from "#python/Objects/floatobject";
import { truth } from "#python/Objects/object";
import { python_type } from "#torch/_C";
import { def } from "#torch/_signature";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import { has_name } from "#torch/fx/qualified_names";

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

/** One of two numbers, by a condition, which is decided. */
export const sym_ite = named(
  "sym_ite",
  def("sym_ite(b, t, f)", (b: unknown, t: unknown, f: unknown): unknown => (truth(b) ? t : f)),
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
