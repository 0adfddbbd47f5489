/**
 * @file How positional and keyword arguments meet the signature of what is Python in PyTorch: every function, method and constructor
 * of the front end is declared here by the line that stands behind its `def`.
 * @original What CPython's interpreter does itself, and `inspect.signature`.
 * @see csrc-equivalent/utils/python_arg_parser.ts, which does this for what is C++ in PyTorch
 *
 * Note [Python's calling convention]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * Positional arguments come first, then at most one plain object that holds the keyword arguments. `null` is None; `undefined` is an
 * argument that is not given. A plain object is a dict, not keywords, where the next positional parameter is annotated `dict` (as in
 * `load_state_dict(self, state_dict: dict, strict=True)`) or `object`; where it is annotated `FileLike`, an object with a function `read` or
 * `write` is a file, `torch.save(x, { write(bytes) {...} })`, and any other plain object holds keywords. A Map, an array or an instance of a class is never keywords.
 *
 *     relu(x)   relu(x, true)   relu(x, {inplace: true})   relu({input: x})   // relu(input, inplace=False)
 *
 * The function behind a signature takes one parameter for each of the signature's, in its order, and finds every one bound: a default
 * stands in the signature alone. `*args` arrives as an array, `**kwargs` as an object, `self` as `this`; behind the last parameter
 * there may be more, undefined.
 */
// biome-ignore-all lint/complexity/noArguments: a rest parameter would be an array for every call
import { TypeError_ } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { isDict, python_type } from "./_C.ts";
import { explained } from "./_inner_errors.ts";

// The text

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
  /** As Python prints it; null if there is none. */
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
      return Object.freeze([]);
  }
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith("(")) return Object.freeze(split(text.slice(1, -1)).map(literal));
  if (/^[a-z]/.test(text)) return text; // a function, by its name
  return Number(text);
}

/** Splits at the commas that stand in no parentheses and in no string. */
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

// The types

/** Defaults are of no interest here; a tuple's commas would be in the way. */
type WithoutTuples<S> = S extends `${infer A}(${string})${infer B}` ? WithoutTuples<`${A}0${B}`> : S;
type Split<S extends string> = S extends `${infer Head}, ${infer Rest}`
  ? [Head, ...Split<Rest>]
  : S extends ""
    ? []
    : [S];
type WithoutSelf<P> = P extends ["self" | "cls" | "_cls", ...infer Rest] ? Rest : P;
type ParametersIn<Text> = Text extends `${string}(${infer Rest}`
  ? WithoutTuples<Rest> extends `${infer Inside})`
    ? WithoutSelf<Split<Inside>>
    : never
  : never;

/** `"name: dict=None"` -> `"name"`. */
type NameOf<S> = S extends `${infer N}: ${string}` ? N : S extends `${infer N}=${string}` ? N : S;
type HasDefault<S> = S extends `${string}=${string}` ? true : false;

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : [];
/** The first element as a tuple, which keeps its label. */
type Head<T extends unknown[]> = T extends [...infer H, ...Tail<T>] ? H : never;
type Optional<T extends unknown[]> = { [K in keyof T]?: T[K] | undefined };
type Flat<T> = { [K in keyof T]: T[K] };

/** The arguments by position. `P` the signature's parameters as text, `T` their types. */
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

/** Those of the arguments that may be given by name. */
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

/** What a call of the signature `Text`, whose parameters have the types `T`, may be given. */
export type Args<Text extends string, T extends unknown[]> =
  | Positional<ParametersIn<Text>, T>
  | Mixed<ParametersIn<Text>, T>;

/** The function that `def` makes of `F`. */
export interface Def<Text extends string, F extends (...args: never[]) => unknown> {
  (...args: Positional<ParametersIn<Text>, Parameters<F>>): ReturnType<F>;
  (...args: Mixed<ParametersIn<Text>, Parameters<F>>): ReturnType<F>;
  readonly __signature__: Signature;
}

// Binding

type Keyword = Readonly<Record<string, unknown>>;

/** `inspect.Signature`, and the rule by which a call's arguments become the values of its parameters. */
export class Signature {
  readonly parameters: readonly Parameter[];
  /** Whether `self` (or `cls`) goes before what is written in a call: Python counts it in its messages. */
  readonly is_method: boolean;
  /** How many parameters, from the first, may be given by position, and how many of them must be. */
  readonly positional: number;
  readonly required: number;
  /** What stands for each parameter that is not given. */
  readonly defaults: readonly unknown[];
  private readonly positional_only: number;
  private readonly var_positional: number;
  private readonly var_keyword: number;
  private readonly name: string;
  private readonly owner: { readonly name: string } | null;

  /**
   * @param text `name(parameters)`, as behind Python's `def`; of annotations only `dict`, `object`, `FileLike` and `Callable` matter
   * @param owner the class it is a method of, unless `name` says so itself
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
    this.is_method = /^(self|_?cls)$/.test(parameters[0]?.name ?? "");
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

  /** `Linear.__init__` */
  get __qualname__(): string {
    return this.owner === null ? this.name : `${this.owner.name}.${this.name}`;
  }

  /** Whether nothing but parameters that can be given by position stands in it. */
  get plain(): boolean {
    return this.positional === this.parameters.length;
  }

  /** Whether the last of `n` arguments holds keywords. */
  private ends_with_keywords(args: ArrayLike<unknown>, n: number): boolean {
    if (n === 0 || !isDict(args[n - 1])) return false;
    const place = n - 1 < this.positional ? n - 1 : this.var_positional;
    switch (this.parameters[place]?.annotation) {
      case "dict":
      case "object":
        return false;
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

  // The messages, which are CPython's

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

  /** `(input, inplace=False)`, without `self`. */
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

// Declaring

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Class = Function & { readonly prototype: object };

/** Whether a last argument is one more value: given, and no keywords. */
function is_value(arg: unknown): boolean {
  return arg !== undefined && !isDict(arg);
}

/**
 * `fn` behind the binding of `signature`. Where every argument is given by position, none is put into an array: a call costs the
 * look at their count and at the last one. One form for each even number of parameters: what a form has too much of is on the stack
 * in every call, and a backward inside a backward is as deep as the stack allows. An error of JavaScript comes out in Python's words: Note
 * [Errors that an argument caused].
 */
function bind_calls(signature: Signature, fn: AnyFunction, event: string | null, owner: Class | null): AnyFunction {
  const { required, positional } = signature;
  const [d0, d1, d2, d3, d4, d5, d6, d7] = signature.defaults;
  const on_record = event !== null;

  const bind_and_call: AnyFunction = function (...args) {
    if (owner !== null && !(this instanceof owner)) return call_unbound(signature, fn, owner, this, args);
    const bound = signature.bind(args);
    try {
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
        (required === 0 || a !== undefined) &&
        (owner === null || this instanceof owner)
      ) {
        if (a === undefined) a = d0;
        if (b === undefined) b = d1;
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
      for (let i = 0; given && i < required; i++) given = arguments[i] !== undefined;
      if (given && (owner === null || this instanceof owner)) {
        if (a === undefined) a = d0;
        if (b === undefined) b = d1;
        if (c === undefined) c = d2;
        if (d === undefined) d = d3;
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
      for (let i = 0; given && i < required; i++) given = arguments[i] !== undefined;
      if (given && (owner === null || this instanceof owner)) {
        if (a === undefined) a = d0;
        if (b === undefined) b = d1;
        if (c === undefined) c = d2;
        if (d === undefined) d = d3;
        if (e === undefined) e = d4;
        if (f === undefined) f = d5;
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
    for (let i = 0; given && i < required; i++) given = arguments[i] !== undefined;
    if (given && (owner === null || this instanceof owner)) {
      if (a === undefined) a = d0;
      if (b === undefined) b = d1;
      if (c === undefined) c = d2;
      if (d === undefined) d = d3;
      if (e === undefined) e = d4;
      if (f === undefined) f = d5;
      if (g === undefined) g = d6;
      if (h === undefined) h = d7;
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
 * `Tensor.split(x, 2)`: a method that is called as a function finds its `self` in front, which must be of the class. (Python runs a
 * method on any object, until that lacks an attribute.)
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

/** Gives a function its name and its signature, which `signature` finds there as `inspect.signature` does. */
export function dress<F extends (...args: never[]) => unknown>(wrapper: F, signature: Signature, name: string): F {
  return Object.defineProperties(wrapper, { name: { value: name }, __signature__: { value: signature } });
}

/**
 * The function `fn` behind Python's signature `text`.
 * @param event the name under which a recording shows its calls
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

/** The signature of a constructor, which binds its own arguments: nothing can be put in front of a class. */
export class Init<Text extends string, T extends unknown[]> extends Signature {
  /** @param _types `types<[...]>`: what the parameters are, in their order */
  constructor(text: Text, _types: () => T) {
    super(text);
  }

  override bind(args: ArrayLike<unknown>): T {
    const bound = super.bind(args);
    for (let i = 0; i < bound.length; i++) if (typeof bound[i] === "symbol") throw this.no_symbol(i);
    return bound as T;
  }

  /** Python has no symbols. The constructors' arithmetic would refuse one in JavaScript's words. */
  private no_symbol(i: number): TypeError_ {
    return new TypeError_(`${this.__qualname__}(): argument '${this.parameters[i].name}' must not be symbol`);
  }
}

/** Says types where a value must stand: `types<[input: Tensor]>`. */
export function types<T extends unknown[]>(): T {
  throw new Error("types<T> is never called");
}

/** What a constructor with this signature may be given. */
export type InitArgs<I> = I extends Init<infer Text, infer T> ? Args<Text, T> : never;

/** What may be given to it by name. */
export type InitKeywords<I> = I extends Init<infer Text, infer T> ? Flat<Keywords<ParametersIn<Text>, T>> : never;

/**
 * Declares the methods of a class: `{train: "(self, mode=True)"}` for `def train(self, mode=True)`. It stands in the class's static
 * block; the method below it is written with plain parameters.
 * @param methods by name; `__init__` is the constructor's signature
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

/** Gives `wrapper` the name and the signature of the function it stands for, as `functools.wraps` does. */
export function wraps<F extends (...args: never[]) => unknown>(wrapper: F, wrapped: (...args: never[]) => unknown): F {
  const { name, __signature__ } = wrapped as { name: string; __signature__?: Signature };
  return Object.defineProperties(wrapper, { name: { value: name }, __signature__: { value: __signature__ } });
}

/** A call's arguments for one who hands them on: those by position, and those by name. */
export function split_keywords(args: readonly unknown[]): [args: unknown[], kwargs: Record<string, unknown>] {
  const last = args.at(-1);
  return isDict(last) ? [args.slice(0, -1), last] : [[...args], {}];
}

/** `inspect.signature` of a function, a method or a class; null for what is C++ in PyTorch, or not declared. */
export function signature(callable: unknown): Signature | null {
  const found = (callable as { __signature__?: unknown } | null | undefined)?.__signature__;
  return found instanceof Signature ? found : null;
}
