/**
 * @file Instances of built-in types that are called: each is a JavaScript function, so that the library can call it, with the prototype of its class.
 * @original
 */
import { vectorcall } from "../Objects/call.ts";
import { generic_getattr, generic_setattr, with_dict } from "../Objects/object.ts";
import { builtin_type, type PyClass, type Slots, type TypeObject, type VectorCall } from "../Objects/typeobject.ts";

/** A type whose instances are called with `tp_call`. */
export function callable_type(name: string, module: string, tp_call: VectorCall, slots: Slots = {}): TypeObject {
  const type = builtin_type(name, {
    module,
    tp_call,
    tp_getattro: generic_getattr,
    tp_setattro: generic_setattr,
    ...slots,
  });
  with_dict.add(type);
  return type;
}

/** An instance of a callable type with these properties. */
export function callable_object<T extends object>(cls: PyClass, state: T): T {
  const object = (...args: unknown[]): unknown => vectorcall(object, args, null);
  Object.setPrototypeOf(object, cls.prototype);
  for (const [name, value] of Object.entries(state))
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  return object as unknown as T;
}
