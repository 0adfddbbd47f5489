/**
 * @file Attributes that belong both to a class and to its instances: constants and lazy properties.
 * @original In Python, an attribute of a class is also an attribute of its instances.
 */
import { torch } from "#torch/_torch";

type Class = Function & { readonly prototype: object };

/** Defines attributes of `cls` and of each instance: `Normal.support` and `normal.support`. */
export function class_attributes(cls: Class, attributes: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(attributes))
    for (const home of [cls, cls.prototype])
      Object.defineProperty(home, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Defines an attribute of the instance only, even if its class has one with this name. */
export function set_own(instance: object, name: string, value: unknown): void {
  Object.defineProperty(instance, name, { value, writable: true, configurable: true, enumerable: true });
}

const lazy_getters = new WeakSet<Function>();

/**
 * Defines a property that `wrapped` computes when it is first read, and that is then stored; an assigned value is returned as it is.
 * Gradients are recorded.
 * @differs Ours is a function; PyTorch's is a decorator, `@lazy_property`.
 */
export function lazy_property<T extends object>(
  cls: Class & { readonly prototype: T },
  name: keyof T & string,
  wrapped: (self: T) => unknown,
): void {
  const get = function (this: T): unknown {
    const value = torch.enable_grad(() => wrapped(this));
    set_own(this, name, value);
    return value;
  };
  const set = function (this: T, value: unknown): void {
    set_own(this, name, value);
  };
  lazy_getters.add(get);
  Object.defineProperty(cls.prototype, name, { get, set, configurable: true });
}

/** Whether the class of `instance` computes `name` on first read. */
export function is_lazy(instance: object, name: string): boolean {
  for (let at = Object.getPrototypeOf(instance) as object | null; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found.get !== undefined && lazy_getters.has(found.get);
  }
  return false;
}

const constructors = new WeakMap<Function, boolean>();

/**
 * Whether `type`, or a class between it and `cls`, has its own constructor. It is read from the source text, since JavaScript does not
 * tell.
 */
export function defines_constructor(type: Function, cls: Function): boolean {
  if (type === cls || type === Function.prototype) return false;
  let own = constructors.get(type);
  if (own === undefined) {
    own = /(^|[\s;{}])constructor\s*\(/.test(Function.prototype.toString.call(type));
    constructors.set(type, own);
  }
  return own || defines_constructor(Object.getPrototypeOf(type) as Function, cls);
}
