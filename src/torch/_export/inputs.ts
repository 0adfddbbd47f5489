/**
 * @file The arguments of a call by the names of the parameters of `forward`.
 * @mirrors torch/_export/utils.py#_bind_signature_to_inputs
 * @differs A `forward` of TypeScript has the parameters `arg0`, `arg1`, ...; PyTorch knows the names of all.
 */
import { TypeError_ } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { is_function } from "#python/Objects/funcobject";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { root_function } from "#torch/fx/_symbolic_trace/root_function";
import type { Module } from "#torch/nn/modules/module/index";
import { with_paths } from "#torch/utils/_pytree/index";

type Kwargs = ReadonlyMap<unknown, unknown>;

/** The positional parameters of `forward`, and the name of `*args` if it has them. */
function positional_parameters(mod: Module): { readonly names: string[]; readonly rest: string | null } {
  const method = type_of(mod).lookup("forward");
  const own = (mod as { readonly forward?: unknown }).forward;
  const fn = is_function(method) ? method : own;
  const { parameters, plain, code } = root_function(fn, is_function(method));
  const count = code === null ? plain : code.co_argcount - (is_function(method) ? 1 : 0);
  const names = parameters.slice(0, count).map(({ name }) => name);
  const rest = parameters.find(({ name }) => name.startsWith("*") && !name.startsWith("**"));
  return { names, rest: rest?.name.slice(1) ?? null };
}

/** `{**sig.bind_partial(*args).arguments, **kwargs}`. @throws {TypeError} "too many positional arguments" */
export function bind_signature_to_inputs(mod: Module, args: readonly unknown[], kwargs: Kwargs): PyDict {
  const { names, rest } = positional_parameters(mod);
  if (args.length > names.length && rest === null) throw new TypeError_("too many positional arguments");
  const bound = new PyDict();
  for (const [i, name] of names.entries()) if (i < args.length) bound.set(name, args[i]);
  if (rest !== null && args.length > names.length) bound.set(rest, tuple(args.slice(names.length)));
  for (const [name, value] of kwargs) bound.set(name, value);
  return bound;
}

/** Names of the arguments of a call: those of `*args` have numbers. */
export function forward_arg_names(mod: Module, args: readonly unknown[], kwargs: Kwargs): string[] {
  const { names, rest } = positional_parameters(mod);
  const positional = args.map((_, i) => names[i] ?? `${rest}_${i - names.length}`);
  return [...positional, ...(kwargs.keys() as Iterable<string>)];
}

/** The path of each leaf of the arguments, by these names. */
export function inputs_with_paths(names: readonly string[], example_inputs: PyTuple): PyTuple[] {
  const [args, kwargs] = example_inputs as unknown as [readonly unknown[], Kwargs];
  const bound = new PyDict();
  for (const [i, arg] of args.entries()) bound.set(names[i], arg);
  for (const [name, value] of kwargs) bound.set(name, value);
  return with_paths(bound).map(([path]) => path);
}
