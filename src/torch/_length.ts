/**
 * @file `x.length`, JavaScript's spelling of Python's `len(x)`, for every class of the library that has or may have a `__len__`.
 * @original Python's `len` is a function; no object has an attribute `length`.
 *
 * Note [Length]
 * ~~~~~~~~~~~~~
 * A module is a function, so TypeScript knows a `length` on it: `for (let i = 0; i < list.length; i++)` compiles. Without a value it would
 * make no pass and say nothing. Therefore `length` asks `__len__`, also for classes of users. The name stays free: assigning to it gives the
 * object a property of its own, as for any other name, and for `hasattr` it is no attribute.
 */
import { TypeError_ } from "#c10/util/Exception";
import { python_type } from "#torch/_C";

interface Lengthy {
  __len__?(): number;
  __setattr__?(name: string, value: unknown): void;
}

function get_length(this: Lengthy): number | undefined {
  if (this.__len__ !== undefined) return Number(this.__len__());
  if (typeof this === "function") return undefined; // a module that holds no list: its name `length` is unused
  throw new TypeError_(`object of type '${python_type(this)}' has no len()`);
}

function set_length(this: Lengthy, value: unknown): void {
  if (this.__setattr__ !== undefined) this.__setattr__("length", value);
  else Object.defineProperty(this, "length", { value, writable: true, enumerable: true, configurable: true });
}

/** Gives the objects of a class, and of its subclasses, the property `length`. */
export function def_length(cls: { readonly prototype: object }): void {
  Object.defineProperty(cls.prototype, "length", { configurable: true, get: get_length, set: set_length });
}

/** Whether a property is the `length` of this file, and not one that a user gave. */
export function is_length(property: PropertyDescriptor | undefined): boolean {
  return property?.set === set_length;
}
