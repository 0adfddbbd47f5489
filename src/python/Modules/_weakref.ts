/**
 * @file References that hold an object without keeping it alive; the classes of `weakref` are written in Python.
 * @mirrors Objects/weakrefobject.c, Modules/_weakref.c (CPython 3.11)
 * @differs An object is gone when JavaScript's collector has found it, and callbacks of references are not called; CPython frees an object with its last
 * reference.
 */
import { TypeError_ } from "../Objects/exceptions.ts";
import { FloatValue } from "../Objects/floatobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import { builtin_type, type_of } from "../Objects/typeobject.ts";

class Holder {
  readonly target: WeakRef<object>;

  constructor(target: object) {
    this.target = new WeakRef(target);
  }
}
builtin_type("weakref", {
  cls: Holder,
  module: "_weakref",
  tp_call: (holder: Holder) => holder.target.deref() ?? null,
});

/** Built-in values without room for references to them. */
function refused(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return true;
  const type = type_of(value);
  if (type.slots !== null) return !type.slots.has("__weakref__");
  return (
    !type.heap &&
    (value instanceof FloatValue ||
      value instanceof PyTuple ||
      ["list", "dict", "bytes", "bytearray"].includes(type.name))
  );
}

export function _weakref(): Map<string, unknown> {
  return functions("_weakref", {
    "hold(object, /)": (object: unknown) => {
      if (refused(object)) throw new TypeError_(`cannot create weak reference to '${type_of(object).tp_name}' object`);
      return new Holder(object as object);
    },
  });
}
