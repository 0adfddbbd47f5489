/**
 * @file What a Python program must know about the library beyond what JavaScript says: where its modules stand, names of classes, results that are
 * floats.
 * @original
 */
import { results } from "#python/bridge/foreign_functions";
import { class_modules, names } from "#python/bridge/foreign_types";
import { register_namespace } from "#python/bridge/mappings";
import { as_float } from "#python/bridge/values";
import { PyDict } from "#python/Objects/dictobject";
import { FloatValue } from "#python/Objects/floatobject";
import { tuple } from "#python/Objects/tupleobject";
import { Ellipsis, PySlice } from "#python/Objects/sliceobject";
import { finders } from "#python/vm/import";
import torch from "./index.ts";

register_namespace(torch, "torch");
finders.push((name) => (name === "torch" ? { module: torch } : null));

for (const [javascript, python] of [
  ["THPDtype", "dtype"],
  ["THPDevice", "device"],
  ["THPLayout", "layout"],
  ["THPMemoryFormat", "memory_format"],
] as const)
  names.set(javascript, python);

class_modules.module_of = (cls) => {
  const at = cls.name;
  return at in torch ? "torch" : at in torch.nn ? "torch.nn.modules" : "torch";
};

interface HasDtype {
  readonly dtype?: { readonly is_floating_point: boolean };
}
const by_dtype = (value: unknown, self: unknown): unknown =>
  (self as HasDtype).dtype?.is_floating_point === true ? as_float(value) : value;

results.set("item", by_dtype);
results.set("tolist", by_dtype);
results.set("__float__", as_float);

void [PyDict, FloatValue, tuple, Ellipsis, PySlice];
