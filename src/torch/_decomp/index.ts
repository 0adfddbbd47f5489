/**
 * @file The tables of functions that implement an operator, by purpose: `meta` for shapes only, `post_autograd` for decompositions into
 * other operators.
 * @mirrors torch/_decomp/__init__.py
 * @differs Ours has no `pre_autograd` table and no `get_decompositions`, because no program is traced here; PyTorch has both.
 */
import { RuntimeError } from "#c10/util/Exception";
import { type PythonFunction, toPyObject } from "../_C.ts";
import { type OpOverload, ops } from "../_ops.ts";
import { type Keywords, out_wrapper, type Reference } from "../_prims_common/wrappers.ts";
import { split_keywords } from "../_signature.ts";

/**
 * Functions by the name of the operator, for example `add.Tensor`. PyTorch uses the operator itself as key; here operators are created on
 * first use.
 */
export type DecompositionTable = Map<string, Reference>;

/** The tables, in the order in which `activate_meta` searches them. */
export const global_decomposition_table: Readonly<Record<"meta" | "post_autograd", DecompositionTable>> = {
  meta: new Map(),
  post_autograd: new Map(),
};

/** The overload `add.Tensor` of `aten`; an overload without a name is `default`. */
export function overload_of(name: string): OpOverload {
  const [base, overload = "default"] = name.split(".");
  return (ops.aten as unknown as Record<string, Record<string, OpOverload>>)[base][overload];
}

/** `fn` in the form that the dispatcher calls: missing arguments get their defaults, and the outputs of an overload are passed as `out`. */
export function bind(op: OpOverload, fn: Reference): PythonFunction {
  const declared = op._schema.arguments;
  const positional = declared.filter((p) => !p.kwarg_only);
  const keywords = declared.filter((p) => p.kwarg_only && !p.is_out);
  const outputs = declared.filter((p) => p.is_out);
  const defaults = new Map(op._schema.cdata.arguments().map((p) => [p.name(), default_of(p)]));
  return (...given: unknown[]) => {
    const [args, kwargs] = split_keywords(given);
    const out = outputs.map((p) => kwargs[p.name]) as Keywords["out"] & unknown[];
    const bound: Record<string, unknown> = { out: out.length < 2 ? (out[0] ?? null) : out };
    for (const p of keywords) bound[p.name] = p.name in kwargs ? kwargs[p.name] : defaults.get(p.name);
    return fn(...positional.map((p, i) => (i < args.length ? args[i] : defaults.get(p.name))), bound);
  };
}

type Argument = ReturnType<OpOverload["_schema"]["cdata"]["arguments"]>[number];

/** A default value, converted by its type, since the schema stores a dtype as an int. */
function default_of(argument: Argument): unknown {
  const value = argument.default_value();
  return value === null ? null : toPyObject(value, argument.real_type());
}

export function _add_op_to_registry(registry: DecompositionTable, name: string, fn: Reference): void {
  if (registry.has(name)) throw new RuntimeError(`duplicate registrations for aten.${name}`);
  registry.set(name, fn);
}

/** Registers a function for overloads of `aten`; the names are separated by spaces: `register_decomposition("mul.Tensor mul.out", mul)`. */
export function register_decomposition<F extends Reference>(
  names: string,
  fn: F,
  type: "meta" | "post_autograd" = "post_autograd",
): F {
  for (const name of names.split(" ")) _add_op_to_registry(global_decomposition_table[type], name, fn);
  return fn;
}

/** Registers a function for an operator and for its overload with an output, which receives the result of the function. */
export function register_with_out(
  name: string,
  fn: Reference,
  type: "meta" | "post_autograd" = "post_autograd",
  overload = "out",
): void {
  register_decomposition(name, fn, type);
  register_decomposition(`${name}.${overload}`, out_wrapper(fn), type);
}
