/**
 * @file `__dict__` of an instance: a dict whose entries are the properties of a JavaScript object.
 * @mirrors Objects/object.c#PyObject_GenericGetDict (CPython 3.11)
 */
import { define_attributes } from "./descrobject.ts";
import { PyDict } from "./dictobject.ts";
import { AttributeError, TypeError_ } from "./exceptions.ts";
import { key_in, object_type, type TypeObject, type_of } from "./typeobject.ts";

const name_of = (key: string): string => (key.startsWith("\0") ? key.slice(1) : key);

/** Names of attributes that have their own place in an instance. */
const is_slot = (type: TypeObject, name: string): boolean => type.mro.some((base) => base.slots?.has(name) === true);

/** How the objects of a class keep attributes otherwise than as properties of JavaScript. The library registers its classes. */
export interface Attributes<T extends object = object> {
  /** Called before the properties are listed. */
  settle(self: T): void;
  /** Whether a property is no attribute: a field of the library, or an accessor. */
  is_hidden(self: T, name: string): boolean;
  /** Attributes that are no properties: they come behind `training`, or first. */
  readonly others: readonly string[];
  get(self: T, name: string): unknown;
  set(self: T, name: string, value: unknown): void;
  /** The value of a property as the program sees it. */
  shown(self: T, name: string, value: unknown): unknown;
}
export const attributes_of_class = new Map<TypeObject, Attributes>();

function attributes_of(type: TypeObject): Attributes | null {
  if (attributes_of_class.size === 0) return null;
  for (const base of type.mro) {
    const found = attributes_of_class.get(base);
    if (found !== undefined) return found;
  }
  return null;
}

/** Keys of the attributes of an instance; a list has its elements under its indices. */
function own_keys(of: object): string[] {
  const type = type_of(of);
  const attributes = attributes_of(type);
  attributes?.settle(of);
  const visible = Object.keys(of).filter((key) => attributes?.is_hidden(of, key) !== true);
  const keys = attributes === null ? visible : [...visible.slice(0, 1), ...attributes.others, ...visible.slice(1)];
  if (type.mro.some((base) => base.slots !== null)) return keys.filter((key) => !is_slot(type, name_of(key)));
  return Array.isArray(of) ? keys.filter((key) => !/^\d+$/.test(key)) : keys;
}

/** Its Map is empty: all methods read and write the object. */
class InstanceDict extends PyDict {
  private readonly of_: Record<string, unknown>;
  private readonly attributes: Attributes | null;

  constructor(of_: object) {
    super();
    this.of_ = of_ as Record<string, unknown>;
    this.attributes = attributes_of(type_of(of_));
  }

  /** The value under a key of the object. */
  private at(key: string): unknown {
    if (this.attributes === null) return this.of_[key];
    const { attributes } = this;
    return attributes.others.includes(key)
      ? attributes.get(this.of_, key)
      : attributes.shown(this.of_, key, this.of_[key]);
  }

  private key(name: string): string {
    return key_in(type_of(this.of_), name);
  }

  override get size(): number {
    return own_keys(this.of_).length;
  }

  override get(key: unknown): unknown {
    return this.has(key) ? this.at(this.key(key as string)) : undefined;
  }

  override has(key: unknown): boolean {
    if (typeof key !== "string") return false;
    if (this.attributes?.others.includes(key) === true) return true;
    return Object.hasOwn(this.of_, this.key(key)) && this.attributes?.is_hidden(this.of_, key) !== true;
  }

  override set(key: unknown, value: unknown): this {
    if (typeof key !== "string") throw new TypeError_("attribute names must be strings here");
    if (this.attributes?.others.includes(key) === true) {
      this.attributes.set(this.of_, key, value);
      return this;
    }
    const name = this.key(key);
    // Beside a property of the class an entry of the same name is data: assigning would call the property.
    if (this.attributes !== null || (name in this.of_ && !Object.hasOwn(this.of_, name)))
      Object.defineProperty(this.of_, name, { value, writable: true, enumerable: true, configurable: true });
    else this.of_[name] = value;
    return this;
  }

  override delete(key: unknown): boolean {
    if (!this.has(key)) return false;
    return delete this.of_[this.key(key as string)];
  }

  override clear(): void {
    for (const key of own_keys(this.of_)) delete this.of_[key];
  }

  override *entries(): MapIterator<[unknown, unknown]> {
    for (const key of own_keys(this.of_)) yield [name_of(key), this.at(key)];
  }

  override *keys(): MapIterator<unknown> {
    for (const key of own_keys(this.of_)) yield name_of(key);
  }

  override *values(): MapIterator<unknown> {
    for (const key of own_keys(this.of_)) yield this.at(key);
  }

  override [Symbol.iterator](): MapIterator<[unknown, unknown]> {
    return this.entries();
  }

  override forEach(callback: (value: unknown, key: unknown, map: Map<unknown, unknown>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }
}

const dicts = new WeakMap<object, InstanceDict>();

/** The `__dict__` of an instance, the same object each time. */
export function instance_dict(instance: object): PyDict {
  let dict = dicts.get(instance);
  if (dict === undefined) {
    dict = new InstanceDict(instance);
    dicts.set(instance, dict);
  }
  return dict;
}

define_attributes(object_type, {
  __dict__: [
    (self: unknown) => {
      const type = type_of(self);
      if (!type.has_dict || self === null)
        throw new AttributeError(`'${type.tp_name}' object has no attribute '__dict__'`);
      return instance_dict(self as object);
    },
    (self: object, value: Map<unknown, unknown>) => {
      if (value === undefined) throw new TypeError_("cannot delete __dict__");
      if (!(value instanceof Map))
        throw new TypeError_(`__dict__ must be set to a dictionary, not a '${type_of(value).tp_name}'`);
      const dict = instance_dict(self);
      const entries = [...value];
      dict.clear();
      for (const [name, it] of entries) dict.set(name, it);
    },
  ],
});
