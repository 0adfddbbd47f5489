/**
 * @file Where functions that stand for an operator are kept, by what they may be used for: `meta` for shapes alone, `post_autograd`
 * for the operator in terms of others.
 * @mirrors torch/_decomp/__init__.py
 * @differs No `pre_autograd` table, no `get_decompositions`: nothing here traces a program.
 */
import { RuntimeError } from "#c10/util/Exception";
import { type PythonFunction, toPyObject } from "../_C.ts";
import { type OpOverload, ops } from "../_ops.ts";
import { type Keywords, out_wrapper, type Reference } from "../_prims_common/wrappers.ts";
import { split_keywords } from "../_signature.ts";

/** By the operator's name, as in `add.Tensor`; in PyTorch by the operator itself, which here is made when somebody asks for it. */
export type DecompositionTable = Map<string, Reference>;

/** In the order in which `activate_meta` chooses. */
export const global_decomposition_table: Readonly<Record<"meta" | "post_autograd", DecompositionTable>> = {
  meta: new Map(),
  post_autograd: new Map(),
};

/** The overload `add.Tensor` of `aten`; the one without a name is `default`. */
export function overload_of(name: string): OpOverload {
  const [base, overload = "default"] = name.split(".");
  return (ops.aten as unknown as Record<string, Record<string, OpOverload>>)[base][overload];
}

/** `fn` as the dispatcher calls it: arguments that were left out get their defaults, and an overload's outputs become its `out`. */
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

/** With its type: the schema writes a dtype as an int. */
function default_of(argument: Argument): unknown {
  const value = argument.default_value();
  return value === null ? null : toPyObject(value, argument.real_type());
}

export function _add_op_to_registry(registry: DecompositionTable, name: string, fn: Reference): void {
  if (registry.has(name)) throw new RuntimeError(`duplicate registrations for aten.${name}`);
  registry.set(name, fn);
}

/** Registers a function for overloads of `aten`, separated by spaces: `register_decomposition("mul.Tensor mul.out", mul)`. */
export function register_decomposition<F extends Reference>(
  names: string,
  fn: F,
  type: "meta" | "post_autograd" = "post_autograd",
): F {
  for (const name of names.split(" ")) _add_op_to_registry(global_decomposition_table[type], name, fn);
  return fn;
}

/** Registers a function for an operator, and for its overload with an output, which takes what the function gives. */
export function register_with_out(
  name: string,
  fn: Reference,
  type: "meta" | "post_autograd" = "post_autograd",
  overload = "out",
): void {
  register_decomposition(name, fn, type);
  register_decomposition(`${name}.${overload}`, out_wrapper(fn), type);
}
