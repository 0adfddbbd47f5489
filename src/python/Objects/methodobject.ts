/**
 * @file Built-in functions and methods: JavaScript functions that carry their Python signature, and the binding of arguments to it.
 * @mirrors Objects/methodobject.c, Python/getargs.c (CPython 3.11)
 */
import { TypeError_ } from "./exceptions.ts";
import { type Parameter, read_signature, type Signature } from "./methodobject/signature.ts";
import { builtin_type, info_of, plain_value, TYPE, type TypeObject, type_of } from "./typeobject.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
//   define_methods(list_type, {
//     "insert(self, index, object, /)": (self: unknown[], index, object) => void self.splice(index, 0, object),
//   });
// The text is the signature that Python's `help` shows. A call from a program binds its arguments to it; the function then gets one JavaScript
// argument for each parameter, in order: `*args` as an array, `**kwargs` as a Map, defaults filled in (`<unset>` gives undefined). TypeScript calls
// the function directly. A function that returns nothing returns None to the program.

/** A built-in function carries its record here. */
export const BUILTIN: unique symbol = Symbol("python.builtin");

export type Implementation = (...args: never[]) => unknown;

type Unwraps = "all" | "self" | "none";

/** Methods of primitive types that must see the class of their arguments. */
const KEEPS_ARGUMENTS: ReadonlyMap<string, Unwraps> = new Map([
  ["__new__", "none"],
  ["__init__", "none"],
  ["__format__", "none"],
  ["__mod__", "self"],
  ["__rmod__", "self"],
  ["format", "self"],
  ["format_map", "self"],
]);

/** Modules whose functions compute with numbers and texts, and keep none of them. */
const TAKES_PLAIN_VALUES = new Set<unknown>(["math", "posix", "re", "_sre", "_struct", "time"]);

function unwrapped(args: unknown[], which: Unwraps): unknown[] {
  const n = which === "self" ? Math.min(1, args.length) : args.length;
  let result = args;
  for (let i = 0; i < n; i++) {
    const value = plain_value(args[i]);
    if (value === args[i]) continue;
    if (result === args) result = [...args];
    result[i] = value;
  }
  return result;
}

export class Builtin {
  readonly name: string;
  /** Type whose method it is; null for a function of a module. */
  readonly owner: TypeObject | null;
  readonly text: string;
  /** The parameters as `inspect` shows them, if they are not those of the text. */
  shown: string | null = null;
  /** Whether it is called without an instance or class in front: a function, or a method that `__new__`-like functions resemble. */
  readonly is_static: boolean;
  module: string | null = null;
  /** Whether it gets the class in front. */
  of_class = false;
  private unwraps_: Unwraps | null = null;
  private signature_: Signature | null = null;

  constructor(text: string, owner: TypeObject | null, is_static: boolean) {
    this.text = text;
    this.name = text.slice(0, text.indexOf("("));
    this.owner = owner;
    this.is_static = is_static;
  }

  /** Which arguments of a subclass of a primitive type it gets as plain values. */
  get unwraps(): Unwraps {
    this.unwraps_ ??= this.find_unwraps();
    return this.unwraps_;
  }

  private find_unwraps(): Unwraps {
    if (this.owner?.is_primitive === true) return KEEPS_ARGUMENTS.get(this.name) ?? "all";
    return TAKES_PLAIN_VALUES.has(this.module ?? this.owner?.dict.get("__module__")) ? "all" : "none";
  }

  /** The signature, which is read when it is first needed. */
  get signature(): Signature {
    this.signature_ ??= read_signature(this.text);
    return this.signature_;
  }

  /** Whether it makes instances: messages then name the class, and what it gets first does not count as an argument. */
  get is_constructor(): boolean {
    return this.owner !== null && (this.name === "__new__" || this.name === "__init__");
  }

  /** How many parameters stand in front of those that a caller gives: the instance or the class. */
  get leading(): number {
    return this.owner !== null && (!this.is_static || this.name === "__new__") ? 1 : 0;
  }

  /** How CPython's messages name it. */
  get shown_name(): string {
    return this.is_constructor ? (this.owner as TypeObject).name : this.name;
  }

  /** How CPython's messages name it: `list.append()`. */
  get full_name(): string {
    if (this.is_constructor) return this.shown_name;
    return this.owner === null ? this.name : `${this.owner.name}.${this.name}`;
  }
}

export type BuiltinFunction = Implementation & { readonly [BUILTIN]: Builtin };

const plural = (n: number, word = "argument"): string => `${n} ${word}${n === 1 ? "" : "s"}`;

/** Special methods that are ordinary functions in C, or in these types; all others are slots of the type. */
const NO_SLOTS = new Set([
  "__class_getitem__",
  "__dir__",
  "__enter__",
  "__exit__",
  "__format__",
  "__init_subclass__",
  "__length_hint__",
  "__missing__",
  "__reduce__",
  "__reduce_ex__",
  "__reversed__",
  "__round__",
  "__sizeof__",
  "__subclasshook__",
  "dict.__contains__",
  "dict.__getitem__",
  "frozenset.__contains__",
  "list.__getitem__",
  "set.__contains__",
]);
/** Slots whose arguments C unpacks by a function that would name the method, but gets no name. */
const UNNAMED = new Set(["__mul__", "__rmul__", "__imul__", "__setitem__", "__setattr__", "__pow__", "__rpow__"]);

/** CPython words the wrong count of arguments of a slot without its name. */
function wrong_count_of_slot({ name, owner }: Builtin, least: number, most: number, given: number): TypeError_ | null {
  if (owner === null || !/^__\w+__$/.test(name) || NO_SLOTS.has(name) || NO_SLOTS.has(`${owner.name}.${name}`))
    return null;
  const how = least === most ? "" : given < least ? "at least " : "at most ";
  const bound = given < least ? least : most;
  return new TypeError_(`${UNNAMED.has(name) ? " " : ""}expected ${how}${plural(bound)}, got ${given}`);
}

/** Methods whose single argument C reads from the tuple of all arguments. */
const READ_AS_TUPLE = new Set(["BaseExceptionGroup.subgroup", "BaseExceptionGroup.split"]);

/** Methods of texts and bytes whose arguments C reads by a format text, which words a wrong count in its own way. */
const SEARCHES = new Set(["find", "rfind", "index", "rindex", "count", "startswith", "endswith"]);
const SEARCHED = new Set(["str", "bytes", "bytearray"]);

/** CPython words the wrong count of arguments in four ways, by how a function in C declares them. */
function wrong_count(builtin: Builtin, given: number, self: number): TypeError_ {
  const { signature } = builtin;
  const most = signature.positional - self;
  const least = signature.required - self;
  const keywords = signature.parameters.some((it) => it.kind !== "positional only");
  const name = builtin.shown_name;
  const slot = builtin.is_constructor ? null : wrong_count_of_slot(builtin, least, most, given);
  if (slot !== null) return slot;
  if (signature.var_positional === null && !keywords) {
    if (most === 0 && !builtin.is_constructor)
      return new TypeError_(`${builtin.full_name}() takes no arguments (${given} given)`);
    if (most === 1 && least === 1 && !builtin.is_constructor && !READ_AS_TUPLE.has(builtin.full_name))
      return new TypeError_(`${builtin.full_name}() takes exactly one argument (${given} given)`);
    const bound = given < least ? least : most;
    const how = least === most ? "" : given < least ? "at least " : "at most ";
    if (SEARCHES.has(name) && SEARCHED.has(builtin.owner?.name ?? ""))
      return new TypeError_(`${name}() takes ${how}${plural(bound)} (${given} given)`);
    return new TypeError_(`${name} expected ${how}${plural(bound)}, got ${given}`);
  }
  if (given < least) {
    if (!keywords || (signature.parameters[self] as Parameter).kind === "positional only") {
      const fixed = least === most && signature.var_positional === null;
      if (signature.var_positional === null && name !== "sorted") {
        const how = fixed ? "exactly" : "at least";
        return new TypeError_(`${name}() takes ${how} ${plural(least, "positional argument")} (${given} given)`);
      }
      return new TypeError_(`${name} expected ${fixed ? "" : "at least "}${plural(least)}, got ${given}`);
    }
    const missing = signature.parameters[self + given] as Parameter;
    return new TypeError_(`${name}() missing required argument '${missing.name}' (pos ${given + 1})`);
  }
  if (name === "sorted") return new TypeError_(`sorted expected 1 argument, got ${given}`); // C reads these twice
  if (most === 0) return new TypeError_(`${name}() takes no positional arguments`);
  const kind = signature.parameters.some((it) => it.kind === "keyword only") ? "positional " : "";
  const how = least === most ? "exactly" : "at most";
  return new TypeError_(`${name}() takes ${how} ${plural(most, `${kind}argument`)} (${given} given)`);
}

/** Calls a built-in function with arguments as the machine passes them; a method's first is its instance. */
export function call_builtin(fn: BuiltinFunction, args: unknown[], kwnames: readonly string[] | null): unknown {
  const builtin = fn[BUILTIN];
  const { signature } = builtin;
  if (builtin.unwraps !== "none") args = unwrapped(args, builtin.unwraps);
  if (kwnames === null && signature.simple) {
    const given = args.length;
    if (given === signature.positional) return given_back(run(fn)(...args));
    if (given > signature.positional || given < signature.required) {
      throw wrong_count(builtin, given - builtin.leading, builtin.leading);
    }
  }
  return given_back(run(fn)(...bind(builtin, args, kwnames)));
}

/** The function without its types: a signature that is a text decides what it gets. */
const run = (fn: BuiltinFunction): ((...args: unknown[]) => unknown) =>
  fn as unknown as (...args: unknown[]) => unknown;
const given_back = (value: unknown): unknown => (value === undefined ? null : value);

/** How messages name a method that gets a class: by that class. */
function called_name(builtin: Builtin, cls: unknown): string {
  return builtin.of_class ? `${info_of(cls)?.name}.${builtin.name}` : builtin.full_name;
}

/** How messages name the function that reads the keywords: `sorted` leaves them to `list.sort`. */
const reader_of_keywords = (builtin: Builtin): string => (builtin.name === "sorted" ? "sort" : builtin.shown_name);

/** One JavaScript argument for each parameter. */
function bind(builtin: Builtin, args: unknown[], kwnames: readonly string[] | null): unknown[] {
  const { parameters, positional, var_positional, var_keyword } = builtin.signature;
  const self = builtin.leading;
  const given = args.length - (kwnames?.length ?? 0);
  if (var_positional === null) {
    const most = parameters.length - self;
    if (var_keyword === null && args.length - self > most && parameters.some((it) => it.kind !== "positional only")) {
      const how = parameters.every((it) => it.default === null) ? "exactly" : "at most";
      const kind = given === self ? "keyword argument" : "argument";
      throw new TypeError_(`${builtin.shown_name}() takes ${how} ${plural(most, kind)} (${args.length - self} given)`);
    }
    if (given > positional) throw wrong_count(builtin, given - self, self);
  }
  const values: unknown[] = new Array(parameters.length).fill(undefined);
  const filled = new Array<boolean>(parameters.length).fill(false);
  for (let i = 0; i < Math.min(given, positional); i++) {
    values[i] = args[i];
    filled[i] = true;
  }
  const rest = new Map<string, unknown>();
  kwnames?.forEach((name, k) => {
    const i = parameters.findIndex((it) => it.name === name && it.kind !== "positional only");
    if (i < 0) {
      if (var_keyword !== null) rest.set(name, args[given + k]);
      else if (parameters.every((it) => it.kind === "positional only"))
        throw new TypeError_(`${called_name(builtin, args[0])}() takes no keyword arguments`);
      else throw new TypeError_(`'${name}' is an invalid keyword argument for ${reader_of_keywords(builtin)}()`);
      return;
    }
    if (filled[i])
      throw new TypeError_(
        `argument for ${builtin.shown_name}() given by name ('${name}') and position (${i + 1 - self})`,
      );
    values[i] = args[given + k];
    filled[i] = true;
  });
  parameters.forEach((parameter, i) => {
    if (filled[i]) return;
    if (parameter.default === null) {
      if (parameter.kind !== "keyword only") throw wrong_count(builtin, Math.min(given, i) - self, self);
      throw new TypeError_(`${builtin.name}() missing required keyword-only argument '${parameter.name}'`);
    }
    values[i] = parameter.default.value;
  });
  if (var_positional !== null) values.splice(positional, 0, args.slice(Math.min(positional, given), given));
  if (var_keyword !== null) values.push(rest);
  return values;
}

/** Type of `len`, `math.sin` and other functions of modules. */
export const builtin_function_type = builtin_type("builtin_function_or_method", { tp_call: call_builtin });

/** Calls a method as the class holds it, `list.append(values, 1)`: the first argument must be an instance. */
function call_descriptor(fn: BuiltinFunction, args: unknown[], kwnames: readonly string[] | null): unknown {
  const { name, owner, full_name } = fn[BUILTIN];
  if (owner === null) return call_builtin(fn, args, kwnames);
  const special = name.startsWith("__");
  if (args.length === (kwnames?.length ?? 0)) {
    throw new TypeError_(
      special
        ? `descriptor '${name}' of '${owner.tp_name}' object needs an argument`
        : `unbound method ${full_name}() needs an argument`,
    );
  }
  const type = type_of(args[0]);
  if (type !== owner && !type.is_subtype(owner)) {
    throw new TypeError_(
      special
        ? `descriptor '${name}' requires a '${owner.tp_name}' object but received a '${type.tp_name}'`
        : `descriptor '${name}' for '${owner.tp_name}' objects doesn't apply to a '${type.tp_name}' object`,
    );
  }
  return call_builtin(fn, args, kwnames);
}

/** Type of `list.append` and other methods as the class holds them. */
export const method_descriptor_type = builtin_type("method_descriptor", {
  tp_call: call_descriptor,
  is_method_descriptor: true,
  tp_descr_get: (fn: BuiltinFunction, instance) => (instance === undefined ? fn : bound_builtin(fn, instance)),
});

/** A built-in method with its instance, `[].append`. */
export const BOUND: unique symbol = Symbol("python.bound");
interface BoundBuiltin {
  (...args: unknown[]): unknown;
  readonly [BOUND]: { readonly fn: BuiltinFunction; readonly self: unknown };
}

function call_bound(callable: BoundBuiltin, args: unknown[], kwnames: readonly string[] | null): unknown {
  const { fn, self } = callable[BOUND];
  return call_builtin(fn, [self, ...args], kwnames);
}

export const builtin_method_type = builtin_type("builtin_function_or_method", {
  bases: [builtin_function_type],
  shown_as: builtin_function_type,
  tp_call: call_bound,
});

function bound_builtin(fn: BuiltinFunction, self: unknown): BoundBuiltin {
  const bound = ((...args: unknown[]) =>
    given_back(run(fn)(...unwrapped([self, ...args], fn[BUILTIN].unwraps)))) as unknown as BoundBuiltin;
  Object.defineProperties(bound, { [BOUND]: { value: { fn, self } }, [TYPE]: { value: builtin_method_type } });
  return bound;
}

/** Type of `dict.fromkeys` and other methods that get the class. */
export const classmethod_descriptor_type = builtin_type("classmethod_descriptor", {
  tp_call: call_builtin,
  tp_descr_get: (fn: BuiltinFunction, _instance, type) => bound_builtin(fn, type.cls),
});

/** The function with its record. One that serves several names or types is wrapped: it can carry one record only. */
function carrier(implementation: Implementation, builtin: Builtin, type: TypeObject): BuiltinFunction {
  const fn = Object.hasOwn(implementation, BUILTIN)
    ? (...args: never[]): unknown => implementation(...args)
    : implementation;
  Object.defineProperties(fn, { [BUILTIN]: { value: builtin }, [TYPE]: { value: type } });
  return fn as BuiltinFunction;
}

function built(
  text: string,
  implementation: Implementation,
  owner: TypeObject | null,
  is_static: boolean,
): BuiltinFunction {
  const type = owner === null || is_static ? builtin_function_type : method_descriptor_type;
  return carrier(implementation, new Builtin(text, owner, is_static), type);
}

/** A function of a module, from its signature and its implementation. */
export function builtin_function(text: string, implementation: Implementation): BuiltinFunction {
  return built(text, implementation, null, true);
}

/** Gives a type its methods. The first parameter of each is the instance. */
export function define_methods(type: TypeObject, methods: Readonly<Record<string, Implementation>>): void {
  for (const [text, implementation] of Object.entries(methods)) {
    const fn = built(text, implementation, type, false);
    type.dict.set(fn[BUILTIN].name, fn);
  }
  type.modified();
}

/** Gives a type methods whose first argument is the class. */
export function define_class_methods(type: TypeObject, methods: Readonly<Record<string, Implementation>>): void {
  for (const [text, implementation] of Object.entries(methods)) {
    const builtin = new Builtin(text, type, false);
    builtin.of_class = true;
    type.dict.set(builtin.name, carrier(implementation, builtin, classmethod_descriptor_type));
  }
  type.modified();
}

/** Gives a type its `__new__` and other functions that get no instance. */
export function define_static_methods(type: TypeObject, methods: Readonly<Record<string, Implementation>>): void {
  for (const [text, implementation] of Object.entries(methods)) {
    const fn = built(text, implementation, type, true);
    type.dict.set(fn[BUILTIN].name, fn);
  }
  type.modified();
}

/** Whether a value is a function or method that is written in TypeScript. */
export function is_builtin(value: unknown): value is BuiltinFunction {
  return typeof value === "function" && Object.hasOwn(value, BUILTIN);
}

/** Adds functions to a module's namespace. */
export function functions(module: string, table: Readonly<Record<string, Implementation>>): Map<string, unknown> {
  const namespace = new Map<string, unknown>();
  for (const [text, implementation] of Object.entries(table)) {
    const fn = builtin_function(text, implementation);
    fn[BUILTIN].module = module;
    namespace.set(fn[BUILTIN].name, fn);
  }
  return namespace;
}
