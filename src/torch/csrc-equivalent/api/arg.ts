/**
 * @file Options of modules, functions and optimizers: objects with one method an option, which reads it without an argument and sets it
 * with one. A setter returns the options, so setters chain:
 *
 *   LinearOptions(4, 8).bias(false)      // in_features and out_features are positional
 *   options.bias()                       // false
 *
 * C++ writes `TORCH_ARG(bool, bias) = true` in a struct. Here `TORCH_OPTIONS` makes the class from a table of such lines.
 * @mirrors torch/csrc/api/include/torch/arg.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import type { EnumValue } from "./enum.ts";
import {
  type Expanding,
  ExpandingArray,
  ExpandingArrayWithOptionalElem,
  type ExpandingWithOptionalElem,
} from "./expanding_array.ts";

/** How one option is checked and stored. `Given` is the type that a setter takes, `Held` the type that is stored. */
export interface Arg<Held, Given = Held, Required extends boolean = boolean> {
  readonly convert: (given: Given) => Held;
  /** The value without a setter; a string names the option whose value it is. Missing if the constructor must be given one. */
  readonly initial?: (() => Held) | { readonly like: string };
  readonly required?: Required;
}

type Kind<Held, Given = Held> = {
  (): Arg<Held, Given, true>;
  (initial: Given): Arg<Held, Given, false>;
};

function kind<Held, Given = Held>(convert: (given: Given) => Held): Kind<Held, Given> {
  return ((...initial: [] | [Given]) =>
    initial.length === 0 ? { convert } : { convert, initial: () => convert(initial[0]) }) as Kind<Held, Given>;
}

function checked<T>(what: string, test: (given: unknown) => boolean): (given: T) => T {
  return (given) => {
    if (!test(given)) throw new TypeError_(`expected ${what}, but got ${given === null ? "null" : typeof given}`);
    return given;
  };
}

export const bool: Kind<boolean> = kind(checked("true or false", (v) => typeof v === "boolean"));
export const int64: Kind<number> = kind(checked("an integer", Number.isInteger));
export const double: Kind<number> = kind(checked("a number", (v) => typeof v === "number"));
export const string: Kind<string> = kind(checked("a string", (v) => typeof v === "string"));
/** A list of numbers. */
export const list: Kind<readonly number[]> = kind((v) => [...checked<readonly number[]>("an array", Array.isArray)(v)]);
/** A value that may be absent, which null says. */
export const optional_int: Arg<number | null, number | null, false> = optional(checked("an integer", Number.isInteger));
export const optional_double: Arg<number | null, number | null, false> = optional(
  checked("a number", (v) => typeof v === "number"),
);
/** A tensor; without a setter the undefined one. */
export const tensor: Arg<Tensor, Tensor, false> = {
  convert: checked("a tensor", (v) => v instanceof Tensor),
  initial: () => new Tensor(),
};

/** An option that is absent until it is set. */
export function optional<T>(convert: (given: T) => T = (given) => given): Arg<T | null, T | null, false> {
  return { convert: (given) => (given === null ? null : convert(given)), initial: () => null };
}

/** Any value, for options whose type only the compiler checks. */
export function any<T>(initial: T): Arg<T, T, false> {
  return { convert: (given) => given, initial: () => initial };
}

/** Sizes of `D` dimensions. */
export function expanding(D: number): Arg<number[], Expanding, true>;
export function expanding(D: number, initial: Expanding): Arg<number[], Expanding, false>;
export function expanding(D: number, initial?: Expanding): Arg<number[], Expanding> {
  const convert = (value: Expanding) => ExpandingArray(D, value);
  return initial === undefined ? { convert } : { convert, initial: () => convert(initial) };
}

/** Sizes of `D` dimensions that are another option's until they are set. */
export function expanding_like(D: number, like: string): Arg<number[], Expanding, false> {
  return { convert: (value) => ExpandingArray(D, value), initial: { like } };
}

/** Sizes of `D` dimensions, some of which may be the input's. */
export function expanding_optional(D: number): Arg<(number | null)[], ExpandingWithOptionalElem, true> {
  return { convert: (value) => ExpandingArrayWithOptionalElem(D, value) };
}

/** One of some words, the first of which holds without a setter. */
export function one_of<const V extends readonly EnumValue[]>(...values: V): Arg<V[number], V[number], false> {
  const convert = (value: V[number]): V[number] => {
    if (!values.includes(value))
      throw new TypeError_(`expected one of ${values.map(({ name }) => `torch.${name}`).join(", ")}`);
    return value;
  };
  return { convert, initial: () => values[0] };
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds options of every type
export type Fields = Record<string, Arg<any, any>>;
type Held<A> = A extends Arg<infer T, infer _> ? T : never;
type Given<A> = A extends Arg<infer _, infer G> ? G : never;

/** Options with a getter and setter for each field. */
export type Options<F extends Fields> = OptionsBase & {
  [K in keyof F]: { (): Held<F[K]>; (value: Given<F[K]>): Options<F> };
};

type Tuple<F extends Fields, P extends readonly (keyof F)[]> = { -readonly [I in keyof P]: Given<F[P[I]]> };
/** Positional arguments may be left out if the first has a default. */
type Positional<F extends Fields, P extends readonly (keyof F)[]> = P extends readonly [
  infer First extends keyof F,
  ...infer _,
]
  ? F[First] extends Arg<infer _A, infer _B, true>
    ? Tuple<F, P>
    : Partial<Tuple<F, P>>
  : [];

/** A class of options, which is called with or without `new`. */
// biome-ignore lint/suspicious/noExplicitAny: a class may take any arguments
export interface OptionsClass<A extends unknown[] = any[], O = OptionsBase> {
  new (...args: A): O;
  (...args: A): O;
}
/** The options that a class makes. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Made<C> = C extends OptionsClass<any[], infer O> ? O : never;
/** Options, or the arguments from which they are made. */
export type OptionsArgs<C> = C extends OptionsClass<infer A, infer O> ? [options: O] | A : never;

const VALUES: unique symbol = Symbol("values");
const FIELDS: unique symbol = Symbol("fields");

/** Base class of all options. */
export class OptionsBase {
  /** @internal The values by name. */
  declare [VALUES]: Record<string, unknown>;
  /** @internal The table of the class. */
  declare readonly [FIELDS]: Fields;

  /** Options with the same values: setters of one do not change the other. */
  copy(): this {
    const copy = Object.create(Object.getPrototypeOf(this)) as this;
    copy[VALUES] = { ...this[VALUES] };
    return copy;
  }

  /** These options, but those that have the value of the class are taken from `others`, even if a setter gave that value. */
  merged_over(others: OptionsBase): this {
    const merged = this.copy();
    for (const [key, { initial }] of Object.entries(this[FIELDS])) {
      if (typeof initial === "function" && String(initial()) === String(this[VALUES][key]))
        merged[VALUES][key] = others[VALUES][key];
    }
    return merged;
  }
}

/**
 * Makes a class of options.
 * @param positional names of the options that the constructor takes, in order
 * @param fields all options
 */
export function TORCH_OPTIONS<F extends Fields, const P extends readonly (keyof F & string)[]>(
  name: string,
  positional: P,
  fields: F,
): OptionsClass<Positional<F, P>, Options<F>> {
  function Made(this: unknown, ...args: unknown[]): OptionsBase {
    const self = Object.create(Made.prototype) as OptionsBase;
    if (args.length > positional.length)
      throw new TypeError_(`${name} takes ${positional.length} arguments, but ${args.length} were given`);
    const values: Record<string, unknown> = {};
    self[VALUES] = values;
    for (const [i, key] of positional.entries())
      if (args[i] !== undefined) values[key] = converted(name, key, fields[key], args[i]);
    for (const [key, { initial }] of Object.entries(fields)) {
      if (key in values) continue;
      if (initial === undefined) throw new TypeError_(`${name}: the argument ${key} is missing`);
      values[key] = typeof initial === "function" ? initial() : values[initial.like];
    }
    return self;
  }
  Made.prototype = Object.create(OptionsBase.prototype, { constructor: { value: Made }, [FIELDS]: { value: fields } });
  Object.defineProperty(Made, "name", { value: name });
  for (const [key, field] of Object.entries(fields)) {
    Object.defineProperty(Made.prototype, key, {
      value(this: OptionsBase, ...value: unknown[]): unknown {
        if (value.length === 0) return this[VALUES][key];
        this[VALUES][key] = converted(name, key, field, value[0]);
        return this;
      },
    });
  }
  return Made as unknown as OptionsClass<Positional<F, P>, Options<F>>;
}

function converted(name: string, key: string, field: Arg<unknown>, value: unknown): unknown {
  try {
    return field.convert(value);
  } catch (error) {
    if (error instanceof TypeError_) throw new TypeError_(`${name}.${key}: ${error.message}`);
    throw error;
  }
}

/** The values of all options by name, in the order of their declaration. */
export function values_of(options: OptionsBase): Readonly<Record<string, unknown>> {
  return options[VALUES];
}

/** Options of their own for a module: a copy of given ones, or made from the arguments. */
export function as_options<C extends OptionsClass>(cls: C, args: readonly unknown[]): Made<C> {
  const make = cls as unknown as (...args: readonly unknown[]) => Made<C>;
  const [first] = args;
  if (!(first instanceof OptionsBase)) return make(...args);
  if (args.length > 1 || !(first instanceof (cls as unknown as new () => OptionsBase)))
    throw new RuntimeError(`expected ${(cls as { name: string }).name}, but got ${first.constructor.name}`);
  return first.copy() as Made<C>;
}
