/**
 * @file Facts about the library that a Python program needs and JavaScript does not tell: modules, names of classes, results that are floats.
 * @original
 */

import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { is_symbolic } from "#c10/core/SymInt";
import { TORCH_WARN } from "#c10/util/Exception";
import { results } from "#python/bridge/foreign_functions";
import { foreign_type } from "#python/bridge/foreign_types";
import { as_float, to_library } from "#python/bridge/values";
import { format } from "#python/Objects/abstract/format";
import { getitem } from "#python/Objects/abstract/sequences";
import { has_special } from "#python/Objects/call";
import { allow_brackets } from "#python/Objects/genericaliasobject";
import { hash_of } from "#python/Objects/hashing";
import { iter, list_from } from "#python/Objects/iterobject";
import { TypeError_ } from "#python/Objects/library_exceptions";
import { repeated } from "#python/Objects/listobject";
import { define_methods, define_static_methods } from "#python/Objects/methodobject";
import { str } from "#python/Objects/object";
import { Ellipsis, PySlice } from "#python/Objects/sliceobject";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { bool_type, float_type, int_type, type PyClass, type_of } from "#python/Objects/typeobject";
import { finders } from "#python/vm/import";
import { PyFunctionSchema, python_types, TensorBase, WRITTEN_LIST } from "./_C.ts";
import { doors } from "./_doors.ts";
import { _OpNamespace, _Ops, OpOverload, OpOverloadPacket } from "./_ops.ts";
import "./_python_absent.ts";
import "./_python_attributes.ts";
import "./_python_contexts.ts";
import "./_python_texts.ts";
import "./_python_names.ts";
import "./_python_jit.ts";
import "./_python_module_hooks.ts";
import "./_python_pickle.ts";
import "./_python_serialization.ts";
import "./_python_trace.ts";
import "./_python_warnings.ts";
import torch from "./index.ts";
import { TypedStorage } from "./storage/typed.ts";

finders.push((name) => {
  if (name === "torch") return { module: torch };
  // The entry adds a finder for these.
  if (/^(?:torch\.(?:_decomp|_functorch|_subclasses|utils\._pytree)|functorch)$/.test(name)) doors.require?.("fx");
  if (/^torch\.(?:_dynamo|_inductor|_logging)(?:\.|$)/.test(name)) doors.require?.("compile");
  if (/^torch\.(?:_C\.)?_lazy(?:_ts_backend)?(?:\.|$)/.test(name)) doors.require?.("lazy");
  if (name === "torch._C._functorch") doors.require?.("func");
  return null;
});

// Programs see the public functions, not the classes behind them.
for (const name of ["device", "dtype", "layout", "memory_format", "Size", "Generator"] as const)
  foreign_type(torch[name] as never);

// `dtype=float` names a dtype by a type of Python.
for (const [type, scalar_type] of [
  [bool_type, ScalarType.Bool],
  [int_type, ScalarType.Long],
  [float_type, ScalarType.Double],
] as const)
  python_types.set(type.cls, scalar_type);

/** Asks the tensor itself: `x.dtype` would be seen by a class with `__torch_function__`. */
const by_dtype = (value: unknown, self: unknown): unknown =>
  self instanceof TensorBase && !is_symbolic(value) && isFloatingType(self.cdata.scalar_type())
    ? as_float(value)
    : value;

results.set("item", by_dtype);
results.set("tolist", by_dtype);
results.set("__float__", as_float);

/** One index of a program as the library takes it. */
function index_to_library(key: unknown): unknown {
  if (key instanceof PySlice) {
    const bounds = [key.start, key.stop, key.step] as const;
    const [start, stop, step] = bounds.map(to_library);
    return start === bounds[0] && stop === bounds[1] && step === bounds[2] ? key : new PySlice(start, stop, step);
  }
  if (Array.isArray(key)) return same_or(key, key.map(index_to_library));
  return to_library(key);
}

/** The array itself if it has these values, or an array of its kind. */
function same_or(values: readonly unknown[], others: unknown[]): readonly unknown[] {
  if (others.every((other, i) => Object.is(other, values[i]))) return values;
  return values instanceof PyTuple ? tuple(others) : others;
}

/** `treatSequenceAsTuple` for a list: whether it stands for a tuple, because something in it is more than a number. */
function is_treated_as_tuple(key: readonly unknown[]): boolean {
  if (key.length >= 32) return false;
  const is_sequence = (it: unknown): boolean => has_special(it, "__getitem__") && !(it instanceof Map);
  const is_more = (it: unknown): boolean =>
    it === null || it === Ellipsis || it instanceof TensorBase || it instanceof PySlice || is_sequence(it);
  if (!key.some(is_more)) return false;
  TORCH_WARN(
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use x[tuple(seq)] instead of " +
      "x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error or a " +
      "different result",
  );
  return true;
}

/**
 * A tuple holds an index for each dim. A list is one index, so it is put into a tuple: the library takes an array for the tuple. Some lists
 * stand for tuples.
 */
function indices(key: unknown): unknown {
  const index = index_to_library(key);
  if (!Array.isArray(index) || key instanceof PyTuple) return index;
  if (is_treated_as_tuple(key as readonly unknown[])) return tuple(index);
  return Object.assign([index], { [WRITTEN_LIST]: key });
}

interface Indexed {
  __getitem__(indices: unknown): unknown;
  __setitem__(indices: unknown, value: unknown): void;
}
const tensor_type = foreign_type(torch.Tensor as never);
define_methods(tensor_type, {
  // As torch/_tensor.py: a number is written as a number, anything else as `object` writes it.
  "__format__(self, format_spec, /)": (self: InstanceType<typeof torch.Tensor>, spec: string) => {
    if (self.dim() === 0 && !self.is_meta && type_of(self) === tensor_type)
      return format(by_dtype(self.item(), self), spec);
    if (spec !== "") throw new TypeError_(`unsupported format string passed to ${type_of(self).name}.__format__`);
    return str(self);
  },
  "__getitem__(self, key, /)": (self: Indexed, key) => self.__getitem__(indices(key)),
  "__setitem__(self, key, value, /)": (self: Indexed, key, value) => self.__setitem__(indices(key), to_library(value)),
});

// Namespaces, operators and overloads are looked up when they are asked for.
for (const cls of [_Ops, _OpNamespace, OpOverloadPacket])
  define_methods(foreign_type(cls as never), {
    "__getattr__(self, name, /)": (self: Record<string, unknown>, name: string) => self[name],
  });
const storage_value = (storage: TypedStorage, value: unknown): unknown =>
  storage.dtype.is_floating_point ? as_float(value) : value;
define_methods(foreign_type(TypedStorage as never), {
  "__getitem__(self, key, /)": (self: TypedStorage, key) =>
    storage_value(self, self.__getitem__(index_to_library(key))),
  "__setitem__(self, key, value, /)": (self: TypedStorage, key, value) =>
    self.__setitem__(index_to_library(key), to_library(value)),
  "__iter__(self, /)": (self: TypedStorage) => iter(self.tolist().map((value) => storage_value(self, value))),
  "tolist(self, /)": (self: TypedStorage) => self.tolist().map((value) => storage_value(self, value)),
});
define_methods(foreign_type(PyFunctionSchema as never), {
  "__hash__(self, /)": (self: object) => hash_of(String(self)),
});
// Every property of an overload exists, so the machine must know its class before it looks at one.
foreign_type(OpOverload as never);

// These classes derive from `typing.Generic` in PyTorch: a program writes `class Words(Dataset[str])`.
const { data } = torch.utils;
for (const cls of [
  ...[data.Dataset, data.IterableDataset, data.ConcatDataset, data.ChainDataset, data.Subset],
  ...[data.Sampler, data.SequentialSampler, data.RandomSampler, data.SubsetRandomSampler, data.BatchSampler],
  ...[data.DataLoader],
])
  allow_brackets(foreign_type(cls as never));

const size_of = (sizes: unknown): unknown => torch.Size(sizes as never);

/** Two tuples, of which one is a size: a size. */
function joined(left: unknown, right: unknown): unknown {
  if (left instanceof PyTuple && right instanceof PyTuple) return size_of([...left, ...right]);
  const [other, side] = left instanceof PyTuple ? [right, "torch.Size"] : [left, "tuple"];
  throw new TypeError_(`can only concatenate tuple (not ${type_of(other).tp_name}) to ${side}`);
}

/** A part of a size, two sizes joined and a size repeated are sizes. */
const size_type = foreign_type(torch.Size as never);
define_static_methods(size_type, {
  "__new__(cls, iterable=<unset>, /)": (_cls: PyClass, values) =>
    size_of(values === undefined ? [] : list_from(values).map((n) => (typeof n === "boolean" ? Number(n) : n))),
});
define_methods(size_type, {
  "__getitem__(self, key, /)": (self: PyTuple<number>, key) => {
    const found = getitem(tuple(self), key);
    return found instanceof PyTuple ? torch.Size(found as never) : found;
  },
  "__add__(self, value, /)": (self: PyTuple<number>, value) => joined(self, value),
  "__radd__(self, value, /)": (self: PyTuple<number>, value) => joined(value, self),
  "__mul__(self, value, /)": (self: PyTuple<number>, value) => size_of(repeated(self, value)),
  "__rmul__(self, value, /)": (self: PyTuple<number>, value) => size_of(repeated(self, value)),
});
