/**
 * @file Attributes that are floats although the library keeps them as plain numbers: `nn.ELU().alpha` is 1.0.
 * @original In JavaScript, 1 and 1.0 are one number.
 *
 * An attribute has the name of the constructor's parameter from which it comes. It is a float if the program gave a float, or if it gave nothing
 * and the default is written as a float. It is one only as long as it has the value that it had after the constructor.
 */
import { FloatValue, float_value } from "../Objects/floatobject.ts";

type Constructor = abstract new (...args: never[]) => object;

/** The signature that a class of the library carries. */
interface Signature {
  readonly parameters: readonly { readonly name: string; readonly default: string | null }[];
  readonly defaults: readonly unknown[];
}

/** Names of the floats among an object's attributes, with their values. */
const kept = new WeakMap<object, Map<string, number>>();

/** Attributes that have another name than their parameter. */
export const renamed = new Map<string, string>();
/** By the name of a class: floats that its constructor sets whatever the arguments are. */
export const fixed = new Map<string, readonly (readonly [string, number])[]>();
/** Told about every object that a program makes, and which of its arguments are whole floats, and which are ints. */
export const listeners: ((
  made: object,
  floats: ReadonlyMap<string, number>,
  ints: ReadonlyMap<string, number>,
) => void)[] = [];

const is_float_text = (text: string | null): boolean =>
  text !== null && /^-?\d+(?:\.\d*(?:e[+-]?\d+)?|e[+-]?\d+)$/.test(text);

const defaults = new WeakMap<object, Map<string, number>>();

/** Parameters of a class and its bases whose defaults are whole floats. */
function default_floats(native: Constructor): Map<string, number> {
  let known = defaults.get(native);
  if (known !== undefined) return known;
  const base = Object.getPrototypeOf(native) as Constructor;
  known = typeof base === "function" && base !== Function.prototype ? new Map(default_floats(base)) : new Map();
  const { __signature__: signature } = native as unknown as { readonly __signature__?: Signature };
  if (Object.hasOwn(native, "__signature__"))
    signature?.parameters.forEach((parameter, i) => {
      const value = signature.defaults[i];
      const name = renamed.get(`${native.name}.${parameter.name}`) ?? parameter.name;
      if (is_float_text(parameter.default) && Number.isInteger(value)) known?.set(name, value as number);
      else known?.delete(name);
    });
  for (const [name, value] of fixed.get(native.name) ?? []) known.set(name, value);
  defaults.set(native, known);
  return known;
}

/** Notes after a constructor which of its arguments were floats. */
export function remember_floats(
  native: Constructor,
  made: unknown,
  args: readonly unknown[],
  kwargs: ReadonlyMap<string, unknown>,
): void {
  if (made === null || (typeof made !== "object" && typeof made !== "function")) return;
  const { __signature__: signature } = native as unknown as { readonly __signature__?: Signature };
  if (signature === undefined) return;
  const floats = new Map(default_floats(native));
  const ints = new Map<string, number>();
  const note = (parameter: string, value: unknown): void => {
    const name = renamed.get(`${native.name}.${parameter}`) ?? parameter;
    if (value instanceof FloatValue) floats.set(name, value.value);
    else floats.delete(name);
    if (typeof value === "number" && Number.isInteger(value)) ints.set(name, value);
  };
  signature.parameters.forEach((parameter, i) => {
    if (i < args.length) note(parameter.name, args[i]);
  });
  for (const [name, value] of kwargs) note(name, value);
  kept.set(made, floats);
  for (const listener of listeners) listener(made, floats, ints);
}

/** The value of an attribute: a float if it is one. */
export function float_if_kept(instance: object, name: string, value: number): unknown {
  if (!Number.isInteger(value)) return value;
  const floats = kept.get(instance) ?? default_floats(instance.constructor as Constructor);
  return floats.get(name) === value ? float_value(value) : value;
}
