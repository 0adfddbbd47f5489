/**
 * @file Objects of the library in Python's `pickle` and `copy`, and what `torch.load` gives a program.
 * @original The library's own pickler (`_pickle/`) writes the files of `torch.save`; Python's module writes what a program gives it.
 */
import { conversions, native_function_type, results } from "#python/bridge/foreign_functions";
import { foreign_type, has_own_new, python_bases } from "#python/bridge/foreign_types";
import { override, variables } from "#python/bridge/mappings";
import { naming } from "#python/bridge/names";
import { arguments_to_library, from_library, to_library } from "#python/bridge/values";
import { PyBytes } from "#python/Objects/bytesobject";
import { define_attributes } from "#python/Objects/descrobject";
import { dict_of } from "#python/Objects/dictobject";
import { define_methods } from "#python/Objects/methodobject";
import { getattr } from "#python/Objects/object";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { builtin_type, INFO, type PyClass, type TypeObject } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { Counter, OrderedDict } from "./_collections.ts";
import { FreshString, type GlobalName, is_global, type Reduced } from "./_pickle/index.ts";
import { define_name } from "./_python_names.ts";
import * as rebuild from "./_utils/rebuild.ts";
import torch from "./index.ts";
import { StateDict } from "./nn/modules/module/state_dict.ts";
import { States } from "./optim/optimizer/states.ts";
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

// `torch.add` is a method of a class, as PyTorch pickles it.
variables.set("torch._C._VariableFunctionsClass", { get: () => functions_class().cls, set: () => undefined });
let functions_type: TypeObject | null = null;
function functions_class(): TypeObject {
  if (functions_type === null) {
    functions_type = builtin_type("_VariableFunctionsClass", { module: "torch._C" });
    for (const [name, fn] of Object.entries(torch._C._VariableFunctions)) functions_type.set(name, fn);
  }
  return functions_type;
}
const OF_CLASS = "_VariableFunctionsClass.";
define_attributes(native_function_type, {
  __self__: (fn: object) => (naming.of(fn)?.qualname.startsWith(OF_CLASS) === true ? functions_class().cls : null),
});

// A named tuple of the library with a constructor of its own.
const { PackedSequence } = torch.nn.utils.rnn;
has_own_new(foreign_type(PackedSequence as never));
define_methods(foreign_type(PackedSequence as never), {
  "__getnewargs__(self, /)": (self: PyTuple<unknown>) => tuple([...self]),
});
foreign_type(PackedSequence as never).set(
  "_fields",
  tuple(["data", "batch_sizes", "sorted_indices", "unsorted_indices"]),
);

/** The state of an optimizer is a dict of its own kind here. */
python_bases.set(States, python_class("defaultdict"));
conversions.set("__setstate__", (args, kwnames) => {
  const [state] = arguments_to_library(args, kwnames) as [Record<string, unknown>];
  // The options and states that an optimizer reads are plain objects.
  const states = state["param_groups"] === undefined ? undefined : state["state"];
  if (!(states instanceof Map)) return [state];
  const made = new States();
  for (const [param, values] of states) made.set(param as never, to_library(values) as never);
  return [{ ...state, state: made }];
});

define_methods(foreign_type(torch.Generator as never), {
  "__reduce__(self, /)": (self: InstanceType<typeof torch.Generator>) => {
    const state = tuple([self.initial_seed(), null, self.get_state()]);
    return tuple([torch.Generator, tuple([self.device]), state]);
  },
  "__setstate__(self, state, /)": (self: InstanceType<typeof torch.Generator>, state: readonly unknown[]) => {
    self.manual_seed(state[0] as number);
    self.set_state(state[2] as never);
  },
});
define_methods(foreign_type(torch.memory_format as never), { "__reduce__(self, /)": (self: object) => String(self) });
override(torch.serialization, "_get_layout", rebuild._get_layout);
define_name("torch.serialization", "_get_layout", rebuild._get_layout);

/** A dictionary of the library becomes the one of `collections`. */
function reduce_dict(self: OrderedDict | Counter): unknown {
  const type = self instanceof Counter ? "Counter" : "OrderedDict";
  const cls = getattr(import_module("collections"), type);
  if (self instanceof Counter) return tuple([cls, tuple([dict_of(self)])]);
  const own = Object.entries(self);
  const items = [...self].map(([key, value]) => tuple([key, value]));
  return tuple([cls, tuple([]), own.length === 0 ? null : dict_of(own), null, items[Symbol.iterator]()]);
}

const PYTHON_2: Readonly<Record<string, string>> = { __builtin__: "builtins", copy_reg: "copyreg" };

const named = ({ module, name }: GlobalName): unknown => getattr(import_module(PYTHON_2[module] ?? module), name);
const text_of = (key: unknown): unknown => (key instanceof FreshString ? key.text : key);

/** Python's tuple for what `__reduce_ex__` of the library says. */
results.set("__reduce_ex__", (value, self) => {
  if (self instanceof OrderedDict || self instanceof Counter) return reduce_dict(self);
  if (typeof value !== "object" || value === null) return value;
  if (!("func" in value)) return (value as { name?: string }).name ?? value; // a name in its module, as of a dtype
  const { func, args, state, dictitems } = value as Reduced;
  const callable = typeof func === "function" ? func : named(func);
  const items = dictitems === undefined ? null : [...dictitems].map(([key, it]) => tuple([text_of(key), it]));
  const parts = [
    callable,
    tuple(args.map((arg) => (is_global(arg) ? named(arg) : from_library(arg)))),
    state ?? null,
    null,
    items === null ? null : items[Symbol.iterator](),
  ];
  while (parts.length > 2 && parts.at(-1) === null) parts.pop();
  return tuple(parts);
});
