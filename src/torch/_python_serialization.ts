/**
 * @file `torch.save` and `torch.load` as a Python program calls them: its objects are written and read by a pickle module of Python.
 * @mirrors torch/serialization.py#_save
 *
 * Note [Two picklers]
 * ~~~~~~~~~~~~~~~~~~~
 * The library's own pickler (`_pickle/`) writes numbers, texts, lists, tuples, dicts, tensors and state dicts, and each byte is PyTorch's. Objects
 * of a program's classes, its functions, modules and sets need what Python's `pickle` asks of them (`__reduce_ex__`, `copyreg`, the names in
 * `sys.modules`). So the library's pickler begins; at the first value that is only Python's it stops, and `pickle` writes the whole value. With
 * another protocol than 2, or with the argument `pickle_module`, Python's pickler writes from the beginning. Reading with `weights_only=False` always
 * runs Python's unpickler.
 */
import { around, takes_values } from "#python/bridge/foreign_functions";
import { ForeignType } from "#python/bridge/foreign_types";
import { plain_object_type } from "#python/bridge/mappings";
import { PyBytes } from "#python/Objects/bytesobject";
import { vectorcall } from "#python/Objects/call";
import { dict_of, dict_type, PyDict } from "#python/Objects/dictobject";
import { float_value } from "#python/Objects/floatobject";
import { getattr } from "#python/Objects/object";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { float_type, INFO, list_type, type PyClass, type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { FreshString, is_global, Pickler, type PicklerHooks } from "./_pickle/index.ts";
import { type FindModule, type PickleModule, type PickleReader, pickle_modules } from "./_pickle/module.ts";
import { kinds } from "./_pickle/values.ts";
import { _get_allowed_globals } from "./_weights_only_unpickler/globals.ts";
import torch from "./index.ts";

/** Stops the library's pickler at a value that is only Python's. */
class OnlyPython extends Error {}

const tuple_type = (PyTuple as unknown as PyClass)[INFO];
const PLAIN_TYPES = new Set([list_type, tuple_type, dict_type, plain_object_type, float_type]);

/** Whether the library's pickler writes the object as Python's would. */
function is_of_library(obj: object): boolean {
  if (obj instanceof FreshString || is_global(obj)) return true;
  const type = type_of(obj);
  return PLAIN_TYPES.has(type) || (type instanceof ForeignType && typeof obj === "object" && "__reduce_ex__" in obj);
}

function dumps_by_library(obj: unknown, hooks: PicklerHooks): Uint8Array | null {
  const pickler = new Pickler({
    ...hooks,
    persistent_id(value) {
      const pid = hooks.persistent_id(value);
      if (pid === null && !is_of_library(value as object)) throw new OnlyPython();
      return pid;
    },
  });
  try {
    return pickler.dump(obj);
  } catch (error) {
    if (error instanceof OnlyPython) return null;
    throw error;
  }
}

/** A function that the helpers in Python call: it gets the program's values, not copies for the library. */
const as_they_are = (fn: (value: unknown) => unknown): object => takes_values("torch.serialization", fn);

const helper = (name: string): unknown => getattr(import_module("torch.serialization._pickles"), name);

/** A part of a persistent id as a value of Python: classes are themselves, not names. */
function value_of(part: unknown): unknown {
  if (part instanceof FreshString) return part.text;
  if (!is_global(part)) return part;
  return getattr(import_module(part.module), part.name);
}

function dumps_by_python(obj: unknown, hooks: PicklerHooks, module: unknown, protocol: number): Uint8Array {
  const persistent_id = as_they_are((value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return null;
    const pid = hooks.persistent_id(value);
    return pid === null ? null : tuple(pid.map(value_of));
  });
  return (vectorcall(helper("dumps"), [obj, persistent_id, module, protocol], null) as PyBytes).data;
}

const storage_type = as_they_are((name: unknown) => _get_allowed_globals().get(`torch.${String(name)}`) ?? null);

function reader_of(module: unknown, load_args: Readonly<Record<string, unknown>>): PickleModule["Unpickler"] {
  return class implements PickleReader {
    persistent_load: (pid: unknown) => unknown = () => null;
    pos: number;
    private readonly data: Uint8Array;

    constructor(data: Uint8Array, pos = 0) {
      this.data = data;
      this.pos = pos;
    }

    load(): unknown {
      const bytes = new PyBytes(this.data.subarray(this.pos));
      const arguments_ = dict_of(Object.entries(load_args));
      const load = as_they_are((pid: unknown): unknown => this.persistent_load(pid));
      const args = [bytes, load, storage_type, module, arguments_];
      const [value, read] = vectorcall(helper("loads"), args, null) as PyTuple<number>;
      this.pos += read as number;
      return value;
    }
  };
}

const find: FindModule = (given, load_args) => {
  const pickle = import_module("pickle");
  const module = given ?? pickle;
  return {
    dumps(obj, hooks, protocol) {
      const by_library = module === pickle && protocol === 2 ? dumps_by_library(obj, hooks) : null;
      return by_library ?? dumps_by_python(obj, hooks, module, protocol);
    },
    Unpickler: reader_of(module, load_args),
  };
};

/** While the call runs, the program's pickle modules count, and loaded values are of Python's kinds: dicts with int keys, floats that are whole. */
function as_python<R>(run: () => R): R {
  const before = { find: pickle_modules.find, ...kinds };
  pickle_modules.find = find;
  kinds.dict = () => new PyDict();
  kinds.float = float_value;
  try {
    return run();
  } finally {
    pickle_modules.find = before.find;
    kinds.dict = before.dict;
    kinds.float = before.float;
  }
}
for (const fn of [torch.save, torch.load]) around.set(fn, as_python);
takes_values("torch.serialization", torch.save);
