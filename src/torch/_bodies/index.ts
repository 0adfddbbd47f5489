/**
 * @file Finds the Python text of a function or a module class of the library, for those who need text: scripts.
 * @original In PyTorch these functions and classes are Python; here eager programs run their TypeScript.
 *
 * Note [Two texts of one forward]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 *     nn.Linear (TypeScript)          eager: net(x)
 *     _bodies/nn/modules/linear.py    scripts: the class `Linear` there has `forward`, the annotations and `__constants__`
 * A body class is never instantiated. It is asked for the members that a Python class would have: methods, annotations, names of constants.
 * The functions and the classes know the names that PyTorch's have (`__module__` is `torch.nn.functional`), because the names of compiled
 * functions are made of them. test/torch/jit/bodies.test.ts compares what both texts compute.
 */
import { is_function } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { info_of, object_type, type TypeObject } from "#python/Objects/typeobject";
import { import_module, run_module } from "#python/vm/import";
import { sources } from "#python/vm/traceback";
import torch from "../index.ts";
import { SOURCES } from "./generated/sources.ts";

const PREFIX = "torch._bodies.";

/** `torch.nn.functional` for `torch._bodies.nn.functional`. */
const public_name = (name: string): string => `torch.${name.slice(PREFIX.length)}`;

const loaded = new Map<string, ReadonlyMap<unknown, unknown>>();

/** Texts call it to get the module of another text, by its public name. */
const body_of = (module: string): unknown => {
  namespace_of(module);
  return import_module(PREFIX + module.slice("torch.".length));
};

/** Functions that texts declare with `@_overload`, until the compiler takes them: a text may be read while `torch.jit` is being loaded. */
export const declared_overloads: unknown[] = [];

const _overload = (fn: unknown): unknown => {
  declared_overloads.push(fn);
  return fn;
};

/** The names of a text, by the public name of its module; null if there is no such text. */
function namespace_of(module: string): ReadonlyMap<unknown, unknown> | null {
  const known = loaded.get(module);
  if (known !== undefined) return known;
  const name = PREFIX + module.slice("torch.".length);
  const text = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (text === undefined) return null;
  const filename = `${module.replaceAll(".", "/")}.py`;
  sources.set(filename, text);
  const names = new Map<string, unknown>([
    ["__name__", module],
    ["body_of", body_of],
    ["_overload", _overload],
  ]);
  const { __dict__ } = run_module(name, { text, filename, is_package: false, names });
  loaded.set(module, __dict__);
  return __dict__;
}

/** Two functions of which a flag that is known at compile time chooses one. */
export interface BooleanDispatch {
  readonly arg_name: string;
  readonly arg_index: number;
  readonly default: boolean;
  readonly if_true: unknown;
  readonly if_false: unknown;
}

export function as_boolean_dispatch(value: unknown): BooleanDispatch | null {
  const parts = getattr_or_undefined(value, "__boolean_dispatch__") as Map<unknown, unknown> | undefined;
  return parts instanceof Map ? (Object.fromEntries(parts) as unknown as BooleanDispatch) : null;
}

let functions: Map<unknown, unknown> | null = null;

/** Adds the bodies that the text of a module has, each under the module's own function of its name. */
function add_functions(table: Map<unknown, unknown>, module: string, library: Readonly<Record<string, unknown>>): void {
  for (const [name, body] of namespace_of(module) ?? []) {
    const own = is_function(body)
      ? getattr_or_undefined(body, "__module__") === module
      : as_boolean_dispatch(body) !== null;
    const fn = own && typeof name === "string" && Object.hasOwn(library, name) ? library[name] : undefined;
    if (fn !== undefined && !table.has(fn)) table.set(fn, body);
  }
}

/** Bodies by the functions of the library. */
function function_table(): Map<unknown, unknown> {
  if (functions !== null) return functions;
  functions = new Map();
  add_functions(functions, "torch.nn.functional", { ...torch.nn.functional });
  add_functions(functions, "torch.backends.mha", { ...torch.backends.mha });
  add_functions(functions, "torch.compiler", { ...torch.compiler });
  return functions;
}

/** The Python function for a function of the library, or the two that a flag chooses from; undefined if there is none. */
export function body_of_function(fn: unknown): unknown {
  return typeof fn === "function" ? function_table().get(fn) : undefined;
}

/** The Python class for a context that scripts can enter; undefined if there is none. */
export function body_of_context(cls: unknown): unknown {
  const name = cls === torch.no_grad ? "no_grad" : cls === torch.enable_grad ? "enable_grad" : null;
  return name === null ? undefined : namespace_of("torch.autograd.grad_mode")?.get(name);
}

/** The record of the Python class for a class of the library; undefined if there is none. */
export function body_of_class(type: TypeObject): TypeObject | undefined {
  const module = type.dict.get("__module__");
  if (typeof module !== "string" || !module.startsWith("torch.nn.")) return undefined;
  return info_of(namespace_of(module)?.get(type.name));
}

/** Whether one of the library's classes from which a class descends, apart from Module, has a Python class. */
export function has_body(cls: unknown): boolean {
  const types = (info_of(cls)?.mro ?? []).filter((type) => type.name !== "Module");
  return types.some((type) => !type.heap && body_of_class(type) !== undefined);
}

/** The names and values that a class of Python has itself, or that its body has with its bases, nearest first. */
export function own_members(type: TypeObject): ReadonlyMap<string, unknown> {
  if (type.heap) return type.dict;
  const members = new Map<string, unknown>();
  for (const base of [...(body_of_class(type)?.mro ?? [])].reverse()) {
    if (base !== object_type) for (const [name, value] of base.dict) members.set(name, value);
  }
  return members;
}

/** The member of a class under a name: classes of a program are asked, and the bodies of those of the library. */
export function class_member(cls: unknown, name: string): unknown {
  for (const type of info_of(cls)?.mro ?? []) {
    const value = own_members(type).get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Names of all modules that have a text. */
export const body_modules: readonly string[] = Object.keys(SOURCES).map(public_name);
