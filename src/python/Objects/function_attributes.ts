/**
 * @file Attributes of functions, methods, cells, code objects, frames and tracebacks.
 * @mirrors Objects/funcobject.c, Objects/classobject.c, Objects/codeobject.c, Objects/frameobject.c (CPython 3.11)
 */

import { Code } from "../compiler/code.ts";
import { Frame } from "../vm/frame.ts";
import { PyBytes } from "./bytesobject.ts";
import { FUNCTION, vectorcall } from "./call.ts";
import { define_attributes, GetSet } from "./descrobject.ts";
import { PyDict } from "./dictobject.ts";
import { AttributeError, TypeError_, ValueError } from "./exceptions.ts";
import {
  bind_method,
  Cell,
  function_type,
  METHOD,
  make_function,
  method_type,
  type PyFunction,
  type PyMethod,
} from "./funcobject.ts";
import { address } from "./hashing.ts";
import {
  BOUND,
  BUILTIN,
  type BuiltinFunction,
  builtin_function_type,
  builtin_method_type,
  classmethod_descriptor_type,
  define_methods,
  define_static_methods,
  method_descriptor_type,
} from "./methodobject.ts";
import { equal, find_attribute, is_callable, repr } from "./object.ts";
import { PyTuple, tuple } from "./tupleobject.ts";
import { builtin_type, type_of } from "./typeobject.ts";

/** Attributes that a program gave to functions. */
const dicts = new WeakMap<object, PyDict>();

function dict_of(fn: object): PyDict {
  let dict = dicts.get(fn);
  if (dict === undefined) {
    dict = new PyDict();
    dicts.set(fn, dict);
  }
  return dict;
}

function_type.tp_getattro = (fn: PyFunction, name) => {
  const found = function_type.lookup(name);
  if (found instanceof GetSet) return found.get(fn as never);
  const own = dicts.get(fn)?.get(name);
  if (own !== undefined) return own;
  // The library may mark a function that it was given.
  if (Object.prototype.propertyIsEnumerable.call(fn, name)) return (fn as unknown as Record<string, unknown>)[name];
  const get = found === undefined ? null : type_of(found).tp_descr_get;
  return get === null ? found : get(found as never, fn, function_type);
};
function_type.tp_setattro = (fn: PyFunction, name, value) => {
  const found = function_type.lookup(name);
  if (found instanceof GetSet) {
    if (found.set === null) throw new AttributeError("readonly attribute");
    found.set(fn as never, value);
  } else if (value === undefined) {
    if (!dict_of(fn).delete(name)) throw new AttributeError(`'function' object has no attribute '${name}'`);
  } else dict_of(fn).set(name, value);
};

const text = (name: string, value: unknown): string => {
  if (typeof value !== "string") throw new TypeError_(`${name} must be set to a string object`);
  return value;
};

define_attributes(function_type, {
  __code__: [
    (fn: PyFunction) => fn[FUNCTION].code,
    (fn: PyFunction, code: unknown) => {
      if (!(code instanceof Code)) throw new TypeError_("__code__ must be set to a code object");
      const record = fn[FUNCTION];
      const [given, needed] = [record.closure?.length ?? 0, code.co_freevars.length];
      if (given !== needed)
        throw new ValueError(`${record.name}() requires a code object with ${given} free vars, not ${needed}`);
      record.code = code;
    },
  ],
  __globals__: (fn: PyFunction) => fn[FUNCTION].globals,
  __closure__: (fn: PyFunction) => {
    const { closure } = fn[FUNCTION];
    return closure === null ? null : tuple(closure);
  },
  __defaults__: [
    (fn: PyFunction) => fn[FUNCTION].defaults,
    (fn: PyFunction, it: unknown = null) => {
      if (it !== null && !(it instanceof PyTuple)) throw new TypeError_("__defaults__ must be set to a tuple object");
      fn[FUNCTION].defaults = it;
    },
  ],
  __kwdefaults__: [
    (fn: PyFunction) => fn[FUNCTION].kwdefaults,
    (fn: PyFunction, it: unknown = null) => {
      if (it !== null && !(it instanceof PyDict)) throw new TypeError_("__kwdefaults__ must be set to a dict object");
      fn[FUNCTION].kwdefaults = it;
    },
  ],
  __annotations__: [
    (fn: PyFunction) => {
      fn[FUNCTION].annotations ??= new PyDict();
      return fn[FUNCTION].annotations;
    },
    (fn: PyFunction, it: unknown = null) => {
      if (it !== null && !(it instanceof PyDict)) throw new TypeError_("__annotations__ must be set to a dict object");
      fn[FUNCTION].annotations = it;
    },
  ],
  __name__: [
    (fn: PyFunction) => fn[FUNCTION].name,
    (fn: PyFunction, name: unknown) => void (fn[FUNCTION].name = text("__name__", name)),
  ],
  __qualname__: [
    (fn: PyFunction) => fn[FUNCTION].qualname,
    (fn: PyFunction, name: unknown) => void (fn[FUNCTION].qualname = text("__qualname__", name)),
  ],
  __doc__: [
    (fn: PyFunction) => fn[FUNCTION].doc,
    (fn: PyFunction, doc: unknown) => void (fn[FUNCTION].doc = doc ?? null),
  ],
  __module__: [
    (fn: PyFunction) => fn[FUNCTION].module,
    (fn: PyFunction, name: unknown) => void (fn[FUNCTION].module = name ?? null),
  ],
  __dict__: [
    (fn: PyFunction) => dict_of(fn),
    (fn: PyFunction, dict: unknown) => {
      if (!(dict instanceof PyDict))
        throw new TypeError_(`__dict__ must be set to a dictionary, not a '${type_of(dict).tp_name}'`);
      dicts.set(fn, dict);
    },
  ],
  __builtins__: (fn: PyFunction) => fn[FUNCTION].globals.get("__builtins__") ?? null,
});
define_methods(function_type, {
  "__repr__(self, /)": (fn: PyFunction) => `<function ${fn[FUNCTION].qualname} at ${address(fn)}>`,
  "__get__(self, instance, owner=None, /)": (fn: PyFunction, instance) =>
    instance === null ? fn : bind_method(fn, instance),
  "__call__(self, /, *args, **kwargs)": (fn: PyFunction, args: unknown[], kwargs: Map<string, unknown>) =>
    vectorcall(fn, [...args, ...kwargs.values()], kwargs.size === 0 ? null : [...kwargs.keys()]),
});

define_static_methods(function_type, {
  "__new__(cls, code, globals, name=None, argdefs=None, closure=None)": (
    _cls,
    code: Code,
    globals: PyDict,
    name: string | null,
    defaults: PyTuple | null,
    closure: readonly Cell[] | null,
  ) => {
    const fn = make_function(code, globals, closure);
    if (name !== null) fn[FUNCTION].name = name;
    fn[FUNCTION].defaults = defaults;
    return fn;
  },
});
define_static_methods(method_type, {
  "__new__(cls, function, instance, /)": (_cls, fn, instance) => {
    if (!is_callable(fn)) throw new TypeError_("first argument must be callable");
    if (instance === null) throw new TypeError_("instance must not be None");
    return bind_method(fn, instance);
  },
});

method_type.tp_getattro = (method: PyMethod, name) => {
  const found = method_type.lookup(name);
  if (found !== undefined) {
    const get = type_of(found).tp_descr_get;
    if (get !== null) return get(found as never, method, method_type);
  }
  return find_attribute(method[METHOD].func, name);
};
define_attributes(method_type, {
  __func__: (method: PyMethod) => method[METHOD].func,
  __self__: (method: PyMethod) => method[METHOD].self,
  __doc__: (method: PyMethod) => find_attribute(method[METHOD].func, "__doc__") ?? null,
});
define_static_methods(method_type, {
  "__new__(cls, func, instance, /)": (_cls, func, instance) => {
    if (type_of(func).tp_call === null && typeof func !== "function")
      throw new TypeError_("first argument must be callable");
    if (instance === null) throw new TypeError_("instance must not be None");
    return bind_method(func as PyFunction, instance);
  },
});
define_methods(method_type, {
  "__repr__(self, /)": (method: PyMethod) => {
    const { func, self } = method[METHOD];
    const name = find_attribute(func, "__qualname__") ?? find_attribute(func, "__name__") ?? "?";
    return `<bound method ${String(name)} of ${repr(self)}>`;
  },
  "__eq__(self, value, /)": (method: PyMethod, other: PyMethod) => {
    if (type_of(other) !== method_type) return false;
    const [a, b] = [method[METHOD], other[METHOD]];
    return a.self === b.self && equal(a.func, b.func);
  },
  "__hash__(self, /)": (method: PyMethod) => (method[METHOD].func === null ? 0 : 17),
  "__call__(self, /, *args, **kwargs)": (method: PyMethod, args: unknown[], kwargs: Map<string, unknown>) =>
    vectorcall(method, [...args, ...kwargs.values()], kwargs.size === 0 ? null : [...kwargs.keys()]),
});

for (const type of [builtin_function_type, method_descriptor_type, classmethod_descriptor_type]) {
  define_attributes(type, {
    __name__: (fn: BuiltinFunction) => fn[BUILTIN].name,
    __qualname__: (fn: BuiltinFunction) => fn[BUILTIN].full_name,
    __module__: (fn: BuiltinFunction) => fn[BUILTIN].module ?? (fn[BUILTIN].owner === null ? "builtins" : null),
    __doc__: () => null,
    __text_signature__: (fn: BuiltinFunction) => fn[BUILTIN].shown ?? fn[BUILTIN].text.slice(fn[BUILTIN].name.length),
  });
}
define_attributes(method_descriptor_type, { __objclass__: (fn: BuiltinFunction) => fn[BUILTIN].owner?.cls });
for (const type of [builtin_function_type, builtin_method_type, method_descriptor_type])
  define_methods(type, {
    "__call__(self, /, *args, **kwargs)": (fn: unknown, args: unknown[], kwargs: Map<string, unknown>) =>
      vectorcall(fn, [...args, ...kwargs.values()], kwargs.size === 0 ? null : [...kwargs.keys()]),
  });
define_methods(builtin_function_type, {
  "__repr__(self, /)": (fn: BuiltinFunction) => `<built-in function ${fn[BUILTIN].name}>`,
});
define_methods(method_descriptor_type, {
  "__repr__(self, /)": (fn: BuiltinFunction) =>
    `<method '${fn[BUILTIN].name}' of '${fn[BUILTIN].owner?.name}' objects>`,
  "__get__(self, instance, owner=None, /)": (fn: BuiltinFunction, instance) =>
    instance === null ? fn : method_descriptor_type.tp_descr_get?.(fn as never, instance, method_descriptor_type),
});
interface BoundBuiltin {
  readonly [BOUND]: { readonly fn: BuiltinFunction; readonly self: unknown };
}
define_attributes(builtin_method_type, {
  __name__: (method: BoundBuiltin) => method[BOUND].fn[BUILTIN].name,
  __qualname__: (method: BoundBuiltin) => method[BOUND].fn[BUILTIN].full_name,
  __self__: (method: BoundBuiltin) => method[BOUND].self,
  __module__: () => null,
  __doc__: () => null,
});
define_methods(builtin_method_type, {
  "__repr__(self, /)": (method: BoundBuiltin) =>
    `<built-in method ${method[BOUND].fn[BUILTIN].name} of ${type_of(method[BOUND].self).tp_name} object at ${address(method[BOUND].self)}>`,
  "__eq__(self, value, /)": (a: BoundBuiltin, b: BoundBuiltin) =>
    type_of(b) === builtin_method_type && a[BOUND].fn === b[BOUND].fn && a[BOUND].self === b[BOUND].self,
});

const cell_type = builtin_type("cell", { cls: Cell });
define_static_methods(cell_type, { "__new__(cls, contents=<unset>, /)": (_cls, contents) => new Cell(contents) });
cell_type.set("__hash__", null);
define_attributes(cell_type, {
  cell_contents: [(cell: Cell) => cell.cell_contents, (cell: Cell, value: unknown) => void (cell.value = value)],
});
define_methods(cell_type, {
  "__repr__(self, /)": (cell: Cell) =>
    cell.value === undefined
      ? `<cell at ${address(cell)}: empty>`
      : `<cell at ${address(cell)}: ${type_of(cell.value).tp_name} object at ${address(cell.value)}>`,
});

const code_type = builtin_type("code", { cls: Code });
const as_tuple = (name: "co_consts" | "co_names" | "co_varnames" | "co_cellvars" | "co_freevars") => (code: Code) =>
  tuple(code[name] as readonly unknown[]);
const field = (name: keyof Code) => (code: Code) => code[name];
define_attributes(code_type, {
  co_code: (code: Code) => new PyBytes(code.co_code),
  co_consts: as_tuple("co_consts"),
  co_names: as_tuple("co_names"),
  co_varnames: as_tuple("co_varnames"),
  co_cellvars: as_tuple("co_cellvars"),
  co_freevars: as_tuple("co_freevars"),
  ...Object.fromEntries(
    (
      [
        "co_argcount",
        "co_posonlyargcount",
        "co_kwonlyargcount",
        "co_nlocals",
        "co_stacksize",
        "co_flags",
        "co_filename",
        "co_name",
        "co_qualname",
        "co_firstlineno",
      ] as const
    ).map((name) => [name, field(name)]),
  ),
});
define_methods(code_type, {
  "__repr__(self, /)": (code: Code) =>
    `<code object ${code.co_name} at ${address(code)}, file "${code.co_filename}", line ${code.co_firstlineno}>`,
});

const frame_type = builtin_type("frame", { cls: Frame });
define_attributes(frame_type, {
  ...Object.fromEntries(
    (["f_code", "f_back", "f_globals", "f_builtins", "f_lasti", "f_lineno", "f_locals"] as const).map((name) => [
      name,
      (frame: Frame) => frame[name],
    ]),
  ),
  f_trace: () => null,
});
