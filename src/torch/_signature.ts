/**
 * @file Python signatures: how positional and keyword arguments are bound to parameters. Every function, method and constructor of the
 * front end is declared with the text that follows `def` in Python.
 * @original CPython's interpreter and `inspect.signature` do this.
 * @see csrc-equivalent/utils/python_arg_parser.ts, which does this for what is C++ in PyTorch
 *
 * Note [Python's calling convention]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * Positional arguments come first, then at most one plain object with the keyword arguments. `null` is None; `undefined` is an argument
 * that is not given. A plain object is a dict, not keywords, if the next positional parameter is annotated as `dict` (as in
 * `load_state_dict(self, state_dict: dict, strict=True)`) or as `object`. If it is annotated
 * as `FileLike`, a plain object with a function `read` or `write` is a file; any other holds keyword arguments. A Map, an array or an instance of a class is never keywords.
 *
 *     relu(x)   relu(x, true)   relu(x, {inplace: true})   relu({input: x})   // relu(input, inplace=False)
 *
 * The function behind a signature has one parameter for each parameter of the signature, in the same order, and receives a value for every
 * one:
 * defaults are written only in the signature. `*args` arrives as an array, `**kwargs` as an object, `self` as `this`. After the last
 * parameter there may be more arguments, all undefined.
 */
// biome-ignore-all lint/complexity/noArguments: a rest parameter would create an array at every call
import { TypeError_ } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { positional_dicts, written_keywords } from "#python/bridge/positional_dicts";
import { tuple } from "#python/Objects/tupleobject";
import { has_torch_function_among, is_sparse_list, isDict, python_type, refuse_sparse } from "./_C.ts";
import { explained } from "./_inner_errors.ts";

// Parsing

/** `inspect._ParameterKind`. */
export type ParameterKind =
  | "POSITIONAL_ONLY"
  | "POSITIONAL_OR_KEYWORD"
  | "VAR_POSITIONAL"
  | "KEYWORD_ONLY"
  | "VAR_KEYWORD";

/** `inspect.Parameter`. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  /** The default as Python prints it; null if there is none. */
  readonly default: string | null;
  readonly annotation: string | null;
}

/** The value of a default: a number, a string, None, True, False, or a tuple of these. */
function literal(text: string): unknown {
  switch (text) {
    case "None":
      return null;
    case "True":
      return true;
    case "False":
      return false;
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "torch.Size([])":
      return Object.freeze(tuple([]));
  }
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith("(")) return Object.freeze(tuple(split(text.slice(1, -1)).map(literal)));
  if (/^[a-z]/.test(text)) return text; // a function, given by its name
  return Number(text);
}

/** Splits at commas outside parentheses and strings. */
function split(list: string): string[] {
  const parts = list.split(/,\s*(?![^(]*\))(?=(?:[^']*'[^']*')*[^']*$)/);
  return parts.filter((part) => part !== "");
}

function parse_parameter(part: string, keyword_only: boolean): Parameter {
  const found = /^(\*{0,2})(\w+)(?:: (\w+))?(?:=(.+))?$/.exec(part);
  if (found === null) throw new Error(`not a parameter: ${part}`);
  const [, stars, name, annotation = null, default_ = null] = found;
  const kind =
    stars === "**"
      ? "VAR_KEYWORD"
      : stars === "*"
        ? "VAR_POSITIONAL"
        : keyword_only
          ? "KEYWORD_ONLY"
          : "POSITIONAL_OR_KEYWORD";
  return { name: name, kind, default: default_, annotation };
}

// Types

/** The text without the contents of parentheses, whose commas would be in the way; the types do not need the defaults. */
type WithoutTuples<S> = S extends `${infer A}(${string})${infer B}` ? WithoutTuples<`${A}0${B}`> : S;
type Split<S extends string> = S extends `${infer Head}, ${infer Rest}`
  ? [Head, ...Split<Rest>]
  : S extends ""
    ? []
    : [S];
/** A function may have a parameter `cls`; a method's name has its class before it. */
type Self<Name> = Name extends "" | `${string}.${string}` ? "self" | "cls" | "_cls" : "self";
type WithoutSelf<P, Name> = P extends [Self<Name>, ...infer Rest] ? Rest : P;
type ParametersIn<Text> = Text extends `${infer Name}(${infer Rest}`
  ? WithoutTuples<Rest> extends `${infer Inside})`
    ? WithoutSelf<Split<Inside>, Name>
    : never
  : never;

/** `"name: dict=None"` -> `"name"`. */
type NameOf<S> = S extends `${infer N}: ${string}` ? N : S extends `${infer N}=${string}` ? N : S;
type HasDefault<S> = S extends `${string}=${string}` ? true : false;

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : [];
/** A tuple with only the first element, which keeps its label. */
type Head<T extends unknown[]> = T extends [...infer H, ...Tail<T>] ? H : never;
type Optional<T extends unknown[]> = { [K in keyof T]?: T[K] | undefined };
type Flat<T> = { [K in keyof T]: T[K] };

/** The positional arguments. `P`: the parameters of the signature as text, `T`: their types. */
type Positional<P, T extends unknown[]> = P extends [infer S, ...infer Rest]
  ? S extends "*" | `**${string}`
    ? []
    : S extends `*${string}`
      ? T[0] extends readonly (infer V)[]
        ? V[]
        : never
      : S extends "/"
        ? Positional<Rest, T>
        : HasDefault<S> extends true
          ? [...Optional<Head<T>>, ...Positional<Rest, Tail<T>>]
          : [...Head<T>, ...Positional<Rest, Tail<T>>]
  : [];

/** The arguments that may be given by name. */
type Keywords<P, T extends unknown[]> = P extends [infer S, ...infer Rest]
  ? S extends "*" | "/"
    ? Keywords<Rest, T>
    : S extends `**${string}`
      ? { [name: string]: unknown }
      : S extends `*${string}`
        ? Keywords<Rest, Tail<T>>
        : (HasDefault<S> extends true
            ? { [K in NameOf<S> & string]?: T[0] | undefined }
            : { [K in NameOf<S> & string]: T[0] }) &
            Keywords<Rest, Tail<T>>
  : unknown;

/** Some arguments by position, the others by name. */
type Mixed<P, T extends unknown[], Given extends unknown[] = []> = P extends [infer S, ...infer Rest]
  ?
      | [...Given, kwargs: Flat<Keywords<P, T>>]
      | (S extends "*" | `**${string}`
          ? never
          : S extends `*${string}`
            ? T[0] extends readonly (infer V)[]
              ? [...Given, ...V[], kwargs: Flat<Keywords<Rest, Tail<T>>>]
              : never
            : S extends "/"
              ? Mixed<Rest, T, Given>
              : Mixed<Rest, Tail<T>, [...Given, ...Head<T>]>)
  : never;

/** The arguments that a call of the signature `Text` accepts; its parameters have the types `T`. */
export type Args<Text extends string, T extends unknown[]> =
  | Positional<ParametersIn<Text>, T>
  | Mixed<ParametersIn<Text>, T>;

/** The type of the function that `def` returns for `F`. */
export interface Def<Text extends string, F extends (...args: never[]) => unknown> {
  (...args: Positional<ParametersIn<Text>, Parameters<F>>): ReturnType<F>;
  (...args: Mixed<ParametersIn<Text>, Parameters<F>>): ReturnType<F>;
  readonly __signature__: Signature;
}

/** The values of the parameters, by name. */
type Values<P, T extends unknown[]> = P extends [infer S, ...infer Rest]
  ? S extends "*" | "/"
    ? Values<Rest, T>
    : { readonly [K in NameOf<S> & string]: T[0] } & Values<Rest, Tail<T>>
  : unknown;

// Binding

type Keyword = Readonly<Record<string, unknown>>;

/** `inspect.Signature`, with the binding of a call's arguments to its parameters. */
export class Signature {
  readonly parameters: readonly Parameter[];
  /** Whether `self` (or `cls`) precedes the written arguments; Python counts it in its messages. */
  readonly is_method: boolean;
  /** The number of parameters that may be given by position, and below, the number of those that are required. */
  readonly positional: number;
  readonly required: number;
  /** The default value of each parameter. */
  readonly defaults: readonly unknown[];
  private readonly positional_only: number;
  private readonly var_positional: number;
  private readonly var_keyword: number;
  private readonly name: string;
  private readonly owner: { readonly name: string } | null;

  /**
   * @param text `name(parameters)`, as after Python's `def`; among annotations only `dict`, `object`, `FileLike` and `Callable` matter
   * @param owner the class of the method, unless `name` contains it
   */
  constructor(text: string, owner: { readonly name: string } | null = null) {
    const open = text.indexOf("(");
    this.name = text.slice(0, open);
    this.owner = owner;
    const parameters: Parameter[] = [];
    let positional_only = 0;
    let keyword_only = false;
    for (const part of split(text.slice(open + 1, -1))) {
      if (part === "/") positional_only = parameters.length;
      else if (part !== "*") parameters.push(parse_parameter(part, keyword_only));
      if (part.startsWith("*")) keyword_only = true;
    }
    // A function may have a parameter `cls`; a method's name has its class before it.
    const of_class = owner !== null || this.name === "" || this.name.includes(".");
    this.is_method = (of_class ? /^(self|_?cls)$/ : /^self$/).test(parameters[0]?.name ?? "");
    if (this.is_method) parameters.shift();
    this.positional_only = positional_only - (this.is_method && positional_only > 0 ? 1 : 0);
    this.parameters = parameters.map((p, i) => (i < this.positional_only ? { ...p, kind: "POSITIONAL_ONLY" } : p));
    const kinds = this.parameters.map((p) => p.kind);
    this.positional = kinds.filter((kind) => kind.startsWith("POSITIONAL")).length;
    this.required = parameters.slice(0, this.positional).filter((p) => p.default === null).length;
    this.var_positional = kinds.indexOf("VAR_POSITIONAL");
    this.var_keyword = kinds.indexOf("VAR_KEYWORD");
    this.defaults = parameters.map((p) => (p.default === null ? undefined : literal(p.default)));
  }

  /** The qualified name, for example `Linear.__init__`. */
  get __qualname__(): string {
    return this.owner === null ? this.name : `${this.owner.name}.${this.name}`;
  }

  /** Whether all parameters can be given by position. */
  get plain(): boolean {
    return this.positional === this.parameters.length;
  }

  /** Whether the last of `n` arguments is an object with keywords. */
  private ends_with_keywords(args: ArrayLike<unknown>, n: number): boolean {
    if (n === 0 || !isDict(args[n - 1]) || positional_dicts.has(args[n - 1] as object)) return false;
    const place = n - 1 < this.positional ? n - 1 : this.var_positional;
    switch (this.parameters[place]?.annotation) {
      case "dict":
      case "object":
        return written_keywords.has(args[n - 1] as object);
      case "FileLike":
        return !is_file_like(args[n - 1]);
    }
    return true;
  }

  /** One value for each parameter. */
  bind(args: ArrayLike<unknown>): unknown[] {
    let n = args.length;
    while (n > 0 && args[n - 1] === undefined) n--;
    const keywords = this.ends_with_keywords(args, n) ? (args[--n] as Keyword) : null;
    const bound: unknown[] = new Array(this.parameters.length).fill(undefined);
    for (let i = 0; i < n; i++) if (is_sparse_list(args[i])) refuse_sparse(args[i] as unknown[]);
    for (let i = 0; i < n && i < this.positional; i++) bound[i] = args[i];
    if (this.var_positional >= 0) bound[this.var_positional] = Array.prototype.slice.call(args, this.positional, n);
    if (this.var_keyword >= 0) bound[this.var_keyword] = {};
    if (keywords !== null) this.bind_keywords(keywords, bound);
    if (n > this.positional && this.var_positional < 0) throw this.too_many(n, bound);
    this.fill(bound);
    return bound;
  }

  private bind_keywords(keywords: Keyword, bound: unknown[]): void {
    for (const name of Object.keys(keywords)) {
      const value = keywords[name];
      if (value === undefined) continue;
      if (is_sparse_list(value)) refuse_sparse(value as unknown[]);
      const i = this.parameters.findIndex(
        (p, at) => p.name === name && at >= this.positional_only && !p.kind.startsWith("VAR"),
      );
      if (i >= 0) {
        if (bound[i] !== undefined)
          throw new TypeError_(`${this.__qualname__}() got multiple values for argument '${name}'`);
        bound[i] = value;
      } else if (this.var_keyword >= 0) {
        (bound[this.var_keyword] as Record<string, unknown>)[name] = value;
      } else {
        throw this.unexpected(name, keywords);
      }
    }
  }

  private fill(bound: unknown[]): void {
    let missing = false;
    for (let i = 0; i < bound.length; i++) {
      if (bound[i] === undefined && (bound[i] = this.defaults[i]) === undefined) missing = true;
    }
    if (!missing) return;
    for (const kind of ["positional", "keyword-only"]) {
      const names = this.parameters
        .filter((p, i) => bound[i] === undefined && (p.kind === "KEYWORD_ONLY") === (kind === "keyword-only"))
        .map((p) => `'${p.name}'`);
      if (names.length > 0) throw this.missing(kind, names);
    }
  }

  // Messages, which are CPython's

  private unexpected(name: string, keywords: Keyword): TypeError_ {
    const passed = this.parameters.slice(0, this.positional_only).filter((p) => Object.hasOwn(keywords, p.name));
    if (passed.length === 0)
      return new TypeError_(`${this.__qualname__}() got an unexpected keyword argument '${name}'`);
    const names = passed.map((p) => p.name).join(", ");
    return new TypeError_(
      `${this.__qualname__}() got some positional-only arguments passed as keyword arguments: '${names}'`,
    );
  }

  private too_many(n: number, bound: readonly unknown[]): TypeError_ {
    const self = this.is_method ? 1 : 0;
    const given = n + self;
    const [at_least, at_most] = [this.required + self, this.positional + self];
    const takes = at_least === at_most ? `${at_most}` : `from ${at_least} to ${at_most}`;
    const plural = at_least !== at_most || at_most !== 1 ? "s" : "";
    const keyword_only = this.parameters.filter((p, i) => p.kind === "KEYWORD_ONLY" && bound[i] !== undefined).length;
    const also =
      keyword_only === 0
        ? ""
        : ` positional argument${given === 1 ? "" : "s"} (and ${keyword_only} keyword-only argument${keyword_only === 1 ? "" : "s"})`;
    const were = given === 1 && keyword_only === 0 ? "was" : "were";
    return new TypeError_(
      `${this.__qualname__}() takes ${takes} positional argument${plural} but ${given}${also} ${were} given`,
    );
  }

  private missing(kind: string, names: readonly string[]): TypeError_ {
    const last = names.at(-1) as string;
    const list = names.length < 3 ? names.join(" and ") : `${names.slice(0, -1).join(", ")}, and ${last}`;
    return new TypeError_(
      `${this.__qualname__}() missing ${names.length} required ${kind} argument${names.length === 1 ? "" : "s"}: ${list}`,
    );
  }

  /** The signature as text, for example `(input, inplace=False)`, without `self`. */
  toString(): string {
    const parts: string[] = [];
    this.parameters.forEach((p, i) => {
      if (p.kind === "KEYWORD_ONLY" && this.var_positional < 0 && this.parameters[i - 1]?.kind !== "KEYWORD_ONLY")
        parts.push("*");
      const stars = p.kind === "VAR_KEYWORD" ? "**" : p.kind === "VAR_POSITIONAL" ? "*" : "";
      parts.push(`${stars}${p.name}${p.default === null ? "" : `=${p.default}`}`);
      if (i + 1 === this.positional_only) parts.push("/");
    });
    return `(${parts.join(", ")})`;
  }
}

/** Whether a plain object is used as a file: it has a function to read or to write with. */
function is_file_like(given: unknown): boolean {
  const { read, write } = given as { read?: unknown; write?: unknown };
  return typeof read === "function" || typeof write === "function";
}

// Declarations

/** How a function asks its arguments for `__torch_function__`. `_overridable.ts` makes one from a signature. */
export interface Overrides {
  /** Bit i is set if parameter i, one of the first eight, may override the function. */
  readonly which: number;
  /** Whether a mode, or one of these values, one for each parameter, overrides it. */
  asked_for(bound: readonly unknown[]): boolean;
  hand_over(bound: readonly unknown[]): unknown;
}

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Class = Function & { readonly prototype: object };

/** Whether a last argument is a value: not undefined, not an object with keywords, and no list that the binding refuses. */
function is_value(arg: unknown): boolean {
  return arg !== undefined && !isDict(arg) && !is_sparse_list(arg);
}

/**
 * Wraps `fn` in the binding of `signature`. If all arguments are given by position, no array is created: the wrapper only checks the number
 * of arguments and the last one. There is one form for each even number of parameters, because unused parameters need stack space in every
 * call, and nested backward calls are limited by the stack. An error of JavaScript is thrown again in Python's words: see Note
 * [Errors that an argument caused].
 */
export function bind_calls(
  signature: Signature,
  fn: AnyFunction,
  event: string | null,
  owner: Class | null,
  overrides: Overrides | null = null,
): AnyFunction {
  const { required, positional } = signature;
  const [d0, d1, d2, d3, d4, d5, d6, d7] = signature.defaults;
  const on_record = event !== null;
  const which = overrides === null ? 0 : overrides.which;

  const bind_and_call: AnyFunction = function (...args) {
    if (owner !== null && !(this instanceof owner)) return call_unbound(signature, fn, owner, this, args);
    const bound = signature.bind(args);
    try {
      if (overrides?.asked_for(bound)) return overrides.hand_over(bound);
      if (on_record && tracer !== null) return traceCall("python", event, fn, bound);
      return fn.apply(this, bound);
    } catch (error) {
      throw explained(error, bound, signature.defaults);
    }
  };
  if (!signature.plain || positional > 8) return bind_and_call;

  if (positional <= 2)
    return function (a, b) {
      const n = arguments.length;
      if (
        n >= required &&
        n <= positional &&
        (n === 0 || is_value(n === 1 ? a : b)) &&
        !is_sparse_list(a) &&
        (required === 0 || a !== undefined) &&
        (owner === null || this instanceof owner)
      ) {
        if (a === undefined) a = d0;
        if (b === undefined) b = d1;
        if (overrides !== null && has_torch_function_among(which, a, b))
          return overrides.hand_over([a, b].slice(0, positional));
        if (on_record && tracer !== null) return traceCall("python", event, fn, [a, b].slice(0, positional));
        try {
          return fn.call(this, a, b);
        } catch (error) {
          throw explained(error, [a, b], signature.defaults);
        }
      }
      return bind_and_call.apply(this, arguments as unknown as unknown[]);
    };

  if (positional <= 4)
    return function (a, b, c, d) {
      const n = arguments.length;
      let given = n >= required && n <= positional && (n === 0 || is_value(arguments[n - 1]));
      for (let i = 0; given && i < n; i++)
        given = (arguments[i] !== undefined || i >= required) && !is_sparse_list(arguments[i]);
      if (given && (owner === null || this instanceof owner)) {
        if (a === undefined) a = d0;
        if (b === undefined) b = d1;
        if (c === undefined) c = d2;
        if (d === undefined) d = d3;
        if (overrides !== null && has_torch_function_among(which, a, b, c, d))
          return overrides.hand_over([a, b, c, d].slice(0, positional));
        if (on_record && tracer !== null) return traceCall("python", event, fn, [a, b, c, d].slice(0, positional));
        try {
          return fn.call(this, a, b, c, d);
        } catch (error) {
          throw explained(error, [a, b, c, d], signature.defaults);
        }
      }
      return bind_and_call.apply(this, arguments as unknown as unknown[]);
    };

  if (positional <= 6)
    return function (a, b, c, d, e, f) {
      const n = arguments.length;
      let given = n >= required && n <= positional && (n === 0 || is_value(arguments[n - 1]));
      for (let i = 0; given && i < n; i++)
        given = (arguments[i] !== undefined || i >= required) && !is_sparse_list(arguments[i]);
      if (given && (owner === null || this instanceof owner)) {
        if (a === undefined) a = d0;
        if (b === undefined) b = d1;
        if (c === undefined) c = d2;
        if (d === undefined) d = d3;
        if (e === undefined) e = d4;
        if (f === undefined) f = d5;
        if (overrides !== null && has_torch_function_among(which, a, b, c, d, e, f))
          return overrides.hand_over([a, b, c, d, e, f].slice(0, positional));
        if (on_record && tracer !== null)
          return traceCall("python", event, fn, [a, b, c, d, e, f].slice(0, positional));
        try {
          return fn.call(this, a, b, c, d, e, f);
        } catch (error) {
          throw explained(error, [a, b, c, d, e, f], signature.defaults);
        }
      }
      return bind_and_call.apply(this, arguments as unknown as unknown[]);
    };

  return function (a, b, c, d, e, f, g, h) {
    const n = arguments.length;
    let given = n >= required && n <= positional && (n === 0 || is_value(arguments[n - 1]));
    for (let i = 0; given && i < n; i++)
      given = (arguments[i] !== undefined || i >= required) && !is_sparse_list(arguments[i]);
    if (given && (owner === null || this instanceof owner)) {
      if (a === undefined) a = d0;
      if (b === undefined) b = d1;
      if (c === undefined) c = d2;
      if (d === undefined) d = d3;
      if (e === undefined) e = d4;
      if (f === undefined) f = d5;
      if (g === undefined) g = d6;
      if (h === undefined) h = d7;
      if (overrides !== null && has_torch_function_among(which, a, b, c, d, e, f, g, h))
        return overrides.hand_over([a, b, c, d, e, f, g, h].slice(0, positional));
      if (on_record && tracer !== null)
        return traceCall("python", event, fn, [a, b, c, d, e, f, g, h].slice(0, positional));
      try {
        return fn.call(this, a, b, c, d, e, f, g, h);
      } catch (error) {
        throw explained(error, [a, b, c, d, e, f, g, h], signature.defaults);
      }
    }
    return bind_and_call.apply(this, arguments as unknown as unknown[]);
  };
}

/**
 * `Tensor.split(x, 2)`: a method called as a function receives its `self` as first argument, which must be an instance of the class.
 * (Python accepts any object, and fails only at a missing attribute.)
 */
function call_unbound(signature: Signature, fn: AnyFunction, owner: Class, this_: unknown, args: unknown[]): unknown {
  const [self, ...given] = this_ === undefined ? args : [this_, ...args];
  if (self === undefined) throw new TypeError_(`unbound method ${signature.__qualname__}() needs an argument`);
  const bound = signature.bind(given);
  if (self instanceof owner) {
    try {
      return fn.apply(self, bound);
    } catch (error) {
      throw explained(error, bound, signature.defaults);
    }
  }
  const method = signature.__qualname__.slice(owner.name.length + 1);
  throw new TypeError_(
    `descriptor '${method}' for '${owner.name}' objects doesn't apply to a '${python_type(self)}' object`,
  );
}

/** Gives a function its name and its signature, which `signature` later finds, like `inspect.signature`. */
export function dress<F extends (...args: never[]) => unknown>(wrapper: F, signature: Signature, name: string): F {
  return Object.defineProperties(wrapper, { name: { value: name }, __signature__: { value: signature } });
}

/**
 * Wraps `fn` as a function with Python's signature `text`.
 * @param event the name of its calls in a recording
 */
export function def<const Text extends string, F extends (...args: never[]) => unknown>(
  text: Text,
  fn: F,
  event: string | null = null,
): Def<Text, F> {
  const signature = new Signature(text);
  const wrapper = bind_calls(signature, fn as unknown as AnyFunction, event, null);
  return dress(wrapper, signature, signature.__qualname__) as unknown as Def<Text, F>;
}

/** The signature of a constructor. A class cannot be wrapped, so the constructor binds its arguments itself. */
export class Init<Text extends string, T extends unknown[]> extends Signature {
  /** @param _types `types<[...]>`: the types of the parameters, in order */
  constructor(text: Text, _types: () => T) {
    super(text);
  }

  override bind(args: ArrayLike<unknown>): T {
    const bound = super.bind(args);
    for (let i = 0; i < bound.length; i++) {
      if (typeof bound[i] === "symbol") throw this.no_symbol(i);
      // An int of Python. The constructors compute with plain numbers.
      if (typeof bound[i] === "bigint") bound[i] = Number(bound[i]);
    }
    return bound as T;
  }

  /** Python has no symbols. The constructors' arithmetic would refuse one in JavaScript's words. */
  private no_symbol(i: number): TypeError_ {
    return new TypeError_(`${this.__qualname__}(): argument '${this.parameters[i].name}' must not be symbol`);
  }
}

/** Passes types where a value is required: `types<[input: Tensor]>`. */
export function types<T extends unknown[]>(): T {
  throw new Error("types<T> is never called");
}

/** The arguments of a constructor with this signature. */
export type InitArgs<I> = I extends Init<infer Text, infer T> ? Args<Text, T> : never;

/** The keyword arguments of a constructor with this signature. */
export type InitKeywords<I> = I extends Init<infer Text, infer T> ? Flat<Keywords<ParametersIn<Text>, T>> : never;

/** Values to which its parameters are bound, by name. */
export type InitValues<I> = I extends Init<infer Text, infer T> ? Flat<Values<ParametersIn<Text>, T>> : never;

/**
 * Declares the methods of a class: `{train: "(self, mode=True)"}` for `def train(self, mode=True)`. It is called in the static block of the
 * class;
 * the methods below it are written with plain parameters.
 * @param methods signatures by name; `__init__` is the signature of the constructor
 */
export function def_methods(
  cls: Class,
  methods: { readonly __init__?: Signature } & { readonly [name: string]: string | Signature | undefined },
): void {
  for (const [name, parameters] of Object.entries(methods)) {
    if (name === "__init__") {
      Object.defineProperty(cls, "__signature__", { value: parameters });
      continue;
    }
    const home = Object.hasOwn(cls.prototype, name) ? cls.prototype : cls;
    const method = (home as Record<string, AnyFunction>)[name];
    const text = String(parameters);
    const signature = text.startsWith("(") ? new Signature(name + text, cls) : new Signature(text);
    const owner = home === cls ? null : cls;
    const value = dress(bind_calls(signature, method, null, owner), signature, name);
    Object.defineProperty(home, name, { value, writable: true, configurable: true });
  }
}

/** Gives `wrapper` the name and the signature of `wrapped`, as `functools.wraps` does. */
export function wraps<F extends (...args: never[]) => unknown>(wrapper: F, wrapped: (...args: never[]) => unknown): F {
  const { name, __signature__ } = wrapped as { name: string; __signature__?: Signature };
  return Object.defineProperties(wrapper, { name: { value: name }, __signature__: { value: __signature__ } });
}

/** Splits the arguments of a call into positional and keyword arguments, to pass them on. */
export function split_keywords(args: readonly unknown[]): [args: unknown[], kwargs: Record<string, unknown>] {
  const last = args.at(-1);
  return isDict(last) ? [args.slice(0, -1), last] : [[...args], {}];
}

/** `inspect.signature` of a function, a method or a class; null if PyTorch implements it in C++, or if it is not declared. */
export function signature(callable: unknown): Signature | null {
  const found = (callable as { __signature__?: unknown } | null | undefined)?.__signature__;
  return found instanceof Signature ? found : null;
}
