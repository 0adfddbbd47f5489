/**
 * @file Objects of the library in Python's `pickle` and `copy`, and what `torch.load` gives a program.
 * @differs A module's hooks are not pickled.
 * @original The library's own pickler (`_pickle/`) writes the files of `torch.save`; Python's module writes what a program gives it.
 */
import { around, results } from "#python/bridge/foreign_functions";
import { foreign_type, python_bases } from "#python/bridge/foreign_types";
import { from_library } from "#python/bridge/values";
import { construct_on } from "#python/Objects/allocated";
import { PyBytes } from "#python/Objects/bytesobject";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { float_value } from "#python/Objects/floatobject";
import { define_methods } from "#python/Objects/methodobject";
import { getattr, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { INFO, type PyClass } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { Counter, OrderedDict } from "./_collections.ts";
import { kinds } from "./_pickle/values.ts";
import { define_name } from "./_python_names.ts";
import * as rebuild from "./_utils/rebuild.ts";
import torch from "./index.ts";
import type { Module } from "./nn/modules/module/index.ts";
import { StateDict } from "./nn/modules/module/state_dict.ts";
import { TypedStorage } from "./storage/typed.ts";
import { UntypedStorage } from "./storage/untyped.ts";

/** The dictionaries of the library are those of `collections`. */
const python_class = (name: string) => () => (getattr(import_module("collections"), name) as PyClass)[INFO];
python_bases.set(OrderedDict, python_class("OrderedDict"));
python_bases.set(Counter, python_class("Counter"));
for (const cls of [OrderedDict, StateDict, Counter])
  define_name("collections", cls === Counter ? "Counter" : "OrderedDict", cls);

for (const [name, fn] of Object.entries(rebuild))
  if (name.startsWith("_rebuild")) define_name("torch._utils", name, fn as object);

/** `torch.storage._load_from_bytes`: a storage in a pickle is a file of `torch.save`. */
function _load_from_bytes({ data }: PyBytes): unknown {
  return torch.load(data as never, { weights_only: false } as never);
}
define_name("torch.storage", "_load_from_bytes", _load_from_bytes);
define_name("torch.storage", "TypedStorage", TypedStorage, false); // PyTorch's `torch` itself does not show it
for (const cls of [TypedStorage, UntypedStorage])
  define_methods(foreign_type(cls as never), {
    "__reduce__(self, /)": (self: object) => {
      const parts: Uint8Array[] = [];
      const file = { write: (part: Uint8Array) => parts.push(part.slice()) };
      torch.save(self as never, file as never, { _use_new_zipfile_serialization: false } as never);
      const load = getattr(import_module("torch.storage"), "_load_from_bytes");
      const bytes = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
      let at = 0;
      for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
      return tuple([load, tuple([new PyBytes(bytes)])]);
    },
  });

/** A dictionary of the library becomes the one of `collections`. */
function reduce_dict(self: OrderedDict | Counter): unknown {
  const type = self instanceof Counter ? "Counter" : "OrderedDict";
  const cls = getattr(import_module("collections"), type);
  if (self instanceof Counter) return tuple([cls, tuple([dict_of(self)])]);
  const own = Object.entries(self);
  const items = [...self].map(([key, value]) => tuple([key, value]));
  return tuple([cls, tuple([]), own.length === 0 ? null : dict_of(own), null, items[Symbol.iterator]()]);
}

interface Reduced {
  readonly func: { readonly module: string; readonly name: string } | ((...args: never[]) => unknown);
  readonly args: readonly unknown[];
  readonly dictitems?: Iterable<readonly [unknown, unknown]>;
  readonly state?: unknown;
}

const PYTHON_2: Readonly<Record<string, string>> = { __builtin__: "builtins", copy_reg: "copyreg" };

/** Python's tuple for what `__reduce_ex__` of the library says. */
results.set("__reduce_ex__", (value, self) => {
  if (self instanceof OrderedDict || self instanceof Counter) return reduce_dict(self);
  if (typeof value !== "object" || value === null) return value;
  if (!("func" in value)) return (value as { name?: string }).name ?? value; // a name in its module, as of a dtype
  const { func, args, state, dictitems } = value as Reduced;
  const callable =
    typeof func === "function" ? func : getattr(import_module(PYTHON_2[func.module] ?? func.module), func.name);
  const items = dictitems === undefined ? null : [...dictitems].map(([key, it]) => tuple([String(key), it]));
  const parts = [
    callable,
    tuple(args.map(from_library)),
    state ?? null,
    null,
    items === null ? null : items[Symbol.iterator](),
  ];
  while (parts.length > 2 && parts.at(-1) === null) parts.pop();
  return tuple(parts);
});

/** Maps of a module that its state names as PyTorch does. */
const MAPS = ["_parameters", "_buffers", "_modules"] as const;
type Maps = Readonly<Record<(typeof MAPS)[number], Map<string, unknown> | Readonly<Record<string, unknown>>>>;

const entries_of = (map: Maps[keyof Maps]): [string, unknown][] =>
  map instanceof Map ? [...map] : Object.entries(map as Readonly<Record<string, unknown>>);

define_methods(foreign_type(torch.nn.Module as never), {
  // A module holds its parameters, buffers and modules apart from its attributes. Hooks are functions of a program and stay behind.
  "__getstate__(self, /)": (self: Maps & { readonly _non_persistent_buffers_set?: Iterable<string> }) => {
    const state = new PyDict();
    const kept = new Set<string>();
    for (const name of MAPS) {
      const entries = entries_of(self[name]);
      state.set(name, dict_of(entries));
      for (const [key] of entries) kept.add(key);
    }
    state.set("_non_persistent_buffers_set", [...(self._non_persistent_buffers_set ?? [])]);
    for (const [name, value] of Object.entries(self)) if (!kept.has(name)) state.set(name, from_library(value));
    return state;
  },
  "__setstate__(self, state, /)": (self: Module, state: Map<string, unknown>) => {
    construct_on(self, torch.nn.Module as never, []);
    const local = new Set(state.get("_non_persistent_buffers_set") as Iterable<string>);
    for (const [name, value] of state)
      if (!(MAPS as readonly string[]).includes(name) && name !== "_non_persistent_buffers_set")
        setattr(self, name, value);
    for (const [name, value] of state.get("_parameters") as Map<string, never>) self.register_parameter(name, value);
    for (const [name, value] of state.get("_buffers") as Map<string, never>)
      self.register_buffer(name, value, !local.has(name));
    for (const [name, value] of state.get("_modules") as Map<string, never>) self.register_module(name, value);
  },
});
