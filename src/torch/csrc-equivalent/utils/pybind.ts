/**
 * @file `m.def(name, f)` of pybind11: a C++ function whose arguments are checked before it is called.
 * @original pybind11 is a library used by PyTorch; it derives the check and its message from the function's C++ types.
 * Here the types are in the signature that `__doc__` shows.
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TypeError_ } from "#c10/util/Exception";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { type KwArgs, take_kwargs } from "./python_arg_parser.ts";
import { THPUtils_checkLong } from "./python_numbers.ts";
import { repr } from "./python_repr.ts";

const keys: ReadonlySet<unknown> = new Set(Object.values(DispatchKey));
// A key may be given by name, which the function parses.
const is_key = (value: unknown): boolean => typeof value === "string" || keys.has(value);

/** Test of each type whether a value converts to it; a type that is not listed accepts every object. */
const casters: Record<string, (value: unknown) => boolean> = {
  str: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  "typing.SupportsInt | typing.SupportsIndex": THPUtils_checkLong,
  "torch.Tensor": (value) => value instanceof TensorBase,
  "torch._C.DispatchKey": is_key,
  "c10::DispatchKey": is_key,
  "torch._C.DispatchKeySet": (value) => value instanceof DispatchKeySet,
  "c10::DispatchKeySet": (value) => value instanceof DispatchKeySet,
  "torch._C._DispatchOperatorHandle": (value) =>
    (value as { cdata?: { callBoxed?: unknown } } | null | undefined)?.cdata?.callBoxed !== undefined,
};

/** `py::class_<T>(m, name)`: from now on, parameters of this type take its objects only. */
export function pybind_class(name: string, accepts: (value: unknown) => boolean): void {
  casters[name] = accepts;
}

/** Refuses the call of a class whose objects only the library makes: it gives their owner, which has a method of this name. */
export function needs_owner(name: string, owner: object, method: string): void {
  if (typeof (owner as Record<string, unknown> | null | undefined)?.[method] !== "function")
    throw new TypeError_(`torch._C.${name}: No constructor defined!`);
}

/** The error of a call whose arguments fit no signature. `what`: which kind of arguments, in pybind11's words. */
function incompatible(
  name: string,
  what: "function" | "constructor",
  signature: string,
  given: readonly unknown[],
  kwargs: KwArgs | null,
): TypeError_ {
  const named = Object.entries(kwargs ?? {}).map(([key, value]) => `${key}=${repr(value)}`);
  return new TypeError_(
    `${name}(): incompatible ${what} arguments. The following argument types are supported:\n    1. ${signature}\n\n` +
      `Invoked with: ${given.map(repr).join(", ")}${named.length === 0 ? "" : `; kwargs: ${named.join(", ")}`}`,
  );
}

/** The error of a method with several signatures, none of which the arguments fit. */
export function incompatible_arguments(
  name: string,
  signatures: readonly string[],
  given: readonly unknown[],
): TypeError_ {
  const numbered = signatures.map((signature, i) => (i === 0 ? signature : `    ${i + 1}. ${signature}`));
  return incompatible(name, "function", numbered.join("\n"), given, null);
}

/** The error of a constructor whose arguments do not fit its signature. */
export function incompatible_constructor(signature: string, given: readonly unknown[]): TypeError_ {
  return incompatible("__init__", "constructor", signature, given, null);
}

interface Parameter {
  readonly name: string;
  readonly optional: boolean;
  readonly takes: (value: unknown) => boolean;
}

function parse_parameter(text: string): Parameter {
  const [, name, type, default_] = /^(\w+): (.+?)( = .+)?$/.exec(text) as RegExpExecArray;
  return { name, optional: default_ !== undefined, takes: casters[type] ?? (() => true) };
}

// biome-ignore lint/suspicious/noExplicitAny: functions of every type
type AnyFunction = (...args: any[]) => unknown;

/** @param signature `(arg0: str, arg1: bool = True) -> None`; everything after `*args` is accepted */
function pybind_function(name: string, signature: string, fn: AnyFunction): AnyFunction {
  const parts = signature.slice(1, signature.lastIndexOf(") ->")).split(/, (?![^[]*\])/); // not inside brackets
  const variadic = parts.includes("*args");
  const parameters = parts.filter((part) => part !== "" && !part.startsWith("*")).map(parse_parameter);

  const bound = (given: readonly unknown[], kwargs: KwArgs | null): readonly unknown[] | null => {
    if (variadic) return parameters.every((parameter, i) => parameter.takes(given[i])) ? given : null;
    const names = Object.keys(kwargs ?? {}).filter((key) => kwargs?.[key] !== undefined);
    if (
      given.length > parameters.length ||
      names.some((key) => !parameters.slice(given.length).some((p) => p.name === key))
    )
      return null;
    const args = parameters.map((parameter, i) => (i < given.length ? given[i] : kwargs?.[parameter.name]));
    const fit = parameters.every((p, i) => (args[i] === undefined ? p.optional : p.takes(args[i])));
    return fit ? args : null;
  };

  const call = (...given: unknown[]): unknown => {
    const kwargs = variadic ? null : take_kwargs(given);
    const args = bound(given, kwargs);
    if (args !== null) return fn(...args);
    throw incompatible(name, "function", signature, given, kwargs);
  };
  return Object.defineProperty(call, "name", { value: name });
}

/** Adds the functions to the module, each with the check of its signature. */
export function pybind_def<Name extends string>(
  module: Record<string, unknown>,
  signatures: Readonly<Record<Name, string>>,
  functions: Readonly<Record<Name, AnyFunction>>,
): void {
  for (const name of Object.keys(signatures) as Name[])
    module[name] = pybind_function(name, signatures[name], functions[name]);
}
