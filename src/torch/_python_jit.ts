/**
 * @file The part of `torch._C` that the entry `glasstorch/jit` adds, for Python: a program that reads `torch._C.parse_ir` loads the entry.
 * @original
 * @see _doors.ts, Note [Doors]
 */
import { results } from "#python/bridge/foreign_functions";
import { register_namespace } from "#python/bridge/mappings";
import { PyBytes } from "#python/Objects/bytesobject";
import { doors } from "./_doors.ts";
import torch from "./index.ts";

/** Names of `torch._C` that the entry `glasstorch/jit` adds: reading one loads it. */
const of_jit = (name: string | symbol): boolean =>
  typeof name === "string" &&
  /^(?:_jit_\w+|_freeze_module|_export_operator_list|parse_ir|unify_type_list|Graph|Node|Value|Block|AliasDb)$/.test(
    name,
  );
register_namespace(torch._C, "torch._C");
Object.setPrototypeOf(
  torch._C,
  new Proxy(Object.getPrototypeOf(torch._C) ?? Object.prototype, {
    get(target, name, receiver) {
      if (!of_jit(name)) return Reflect.get(target, name, receiver) as unknown;
      doors.require?.("jit");
      return Object.getOwnPropertyDescriptor(torch._C, name)?.value as unknown;
    },
    has(target, name) {
      if (!of_jit(name)) return Reflect.has(target, name);
      doors.require?.("jit");
      return Object.hasOwn(torch._C, name);
    },
  }),
);

// Archives that are returned are bytes.
for (const name of ["save_to_buffer", "_save_to_buffer_for_lite_interpreter"]) {
  results.set(name, (value) => (value instanceof Uint8Array ? new PyBytes(value) : value));
}
