/**
 * @file The operators for which functions of the library, of `math` and of others stand.
 * @mirrors torch/jit/_builtins.py
 * @differs Functions that PyTorch writes in Python over operators (`torch.nn.functional.relu`) are TypeScript here and have no Python text to
 * compile: such a function stands for the operator of its name.
 */
import { builtins } from "#python/Objects/builtins_of";
import { is_function } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { import_module } from "#python/vm/import";
import { body_of_function } from "../_bodies/index.ts";
import { is_scripting } from "../_jit_internal.ts";
import torch from "../index.ts";
import { has_torch_function, has_torch_function_unary, has_torch_function_variadic } from "../overrides.ts";
import { getAllOperatorsFor } from "./_C.ts";

/** Operators whose names are not those of the functions of `math`. */
const MATH_NAMES: ReadonlyMap<string, string> = new Map([["remainder", "mathremainder"]]);

const MATH = (
  "ceil copysign erf erfc exp expm1 fabs floor gamma lgamma log log10 log1p pow sqrt isnan asinh atanh cosh sinh tanh acos asin " +
  "atan atan2 cos sin tan acosh fmod modf factorial frexp isinf degrees radians ldexp gcd isfinite remainder"
).split(" ");

/** Functions of torch.functional that PyTorch compiles from their Python text. */
const IN_PYTHON: ReadonlySet<string> = new Set([
  "stft",
  "istft",
  "lu",
  "cdist",
  "norm",
  "unique",
  "unique_consecutive",
  "tensordot",
]);

let builtin_table: Map<unknown, string> | null = null;

function add_all(table: Map<unknown, string>, module: object): void {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== "function" || IN_PYTHON.has(name)) continue;
    if (!table.has(value)) table.set(value, `aten::${name === "_segment_reduce" ? "segment_reduce" : name}`);
  }
}

function make_table(): Map<unknown, string> {
  const table = new Map<unknown, string>();
  const { no_grad, autograd } = torch;
  add_all(table, torch);
  table.delete(no_grad);
  table.set(is_scripting, "aten::is_scripting");
  for (const fn of [has_torch_function, has_torch_function_unary, has_torch_function_variadic]) {
    table.set(fn, "aten::has_torch_function");
  }
  table.set(autograd.grad, "aten::grad");
  table.set(autograd.backward, "aten::backward");
  table.set(builtins.get("dict"), "aten::dict");
  const math = import_module("math");
  for (const name of MATH) {
    const fn = getattr_or_undefined(math, name);
    if (fn !== undefined) table.set(fn, `aten::${MATH_NAMES.get(name) ?? name}`);
  }
  table.set(getattr_or_undefined(import_module("collections"), "OrderedDict"), "aten::dict");
  table.set(getattr_or_undefined(import_module("warnings"), "warn"), "aten::warn");
  for (const module of [torch.nn.functional, torch.linalg, torch.fft, torch.special]) {
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== "function" || table.has(value) || body_of_function(value) !== undefined) continue;
      const qualified = [name, value.name, `linalg_${name}`, `fft_${name}`, `special_${name}`].find(
        (op) => getAllOperatorsFor(`aten::${op}`).length > 0,
      );
      if (qualified !== undefined) table.set(value, `aten::${qualified}`);
    }
  }
  return table;
}

/** The operator's name, or null. */
export function _find_builtin(fn: unknown): string | null {
  if (is_function(fn) && builtin_table?.has(fn) !== true && builtin_table !== null) return null;
  builtin_table ??= make_table();
  return builtin_table.get(fn) ?? null;
}

export function _register_builtin(fn: unknown, op: string): void {
  builtin_table ??= make_table();
  builtin_table.set(fn, op);
}
