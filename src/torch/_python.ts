/**
 * @file Facts about the library that a Python program needs and JavaScript does not tell: modules, names of classes, results that are floats.
 * @original
 */
import { results, written_in_c } from "#python/bridge/foreign_functions";
import { class_modules, foreign_type, names } from "#python/bridge/foreign_types";
import { register_namespace } from "#python/bridge/mappings";
import { as_float, to_library } from "#python/bridge/values";
import { getitem } from "#python/Objects/abstract/sequences";
import { define_methods } from "#python/Objects/methodobject";
import { Ellipsis, PySlice } from "#python/Objects/sliceobject";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { finders } from "#python/vm/import";
import torch from "./index.ts";

register_namespace(torch, "torch");
finders.push((name) => (name === "torch" ? { module: torch } : null));

// Programs see the public functions, not the classes behind them.
names.set("THPDevice", "device");
for (const name of ["device", "dtype", "layout", "memory_format", "Size"] as const) foreign_type(torch[name] as never);

class_modules.module_of = (cls) => {
  const at = cls.name;
  return at in torch ? "torch" : at in torch.nn ? "torch.nn.modules" : "torch";
};

written_in_c.test = (fn) => (torch as unknown as Record<string, unknown>)[fn.name] === fn;

interface HasDtype {
  readonly dtype?: { readonly is_floating_point: boolean };
}
const by_dtype = (value: unknown, self: unknown): unknown =>
  (self as HasDtype).dtype?.is_floating_point === true ? as_float(value) : value;

results.set("item", by_dtype);
results.set("tolist", by_dtype);
results.set("__float__", as_float);

/** One index of a program as the library takes it. */
function index_to_library(key: unknown): unknown {
  if (key instanceof PySlice) {
    const bound = (value: unknown): unknown => (value === null ? null : to_library(value));
    return { start: bound(key.start), stop: bound(key.stop), step: bound(key.step) };
  }
  if (key === Ellipsis) return "...";
  if (Array.isArray(key)) return [...key.map(index_to_library)];
  return to_library(key);
}

/** The outermost tuple holds an index for each dim. */
const indices = (key: unknown): unknown[] =>
  key instanceof PyTuple ? key.map(index_to_library) : [index_to_library(key)];

interface Indexed {
  __getitem__(indices: unknown[]): unknown;
  __setitem__(indices: unknown[], value: unknown): void;
}
define_methods(foreign_type(torch.Tensor as never), {
  "__getitem__(self, key, /)": (self: Indexed, key) => self.__getitem__(indices(key)),
  "__setitem__(self, key, value, /)": (self: Indexed, key, value) => self.__setitem__(indices(key), to_library(value)),
});

/** A part of a size is a size. */
const size_type = foreign_type(torch.Size as never);
define_methods(size_type, {
  "__getitem__(self, key, /)": (self: PyTuple<number>, key) => {
    const found = getitem(tuple(self), key);
    return found instanceof PyTuple ? torch.Size(found as never) : found;
  },
});
