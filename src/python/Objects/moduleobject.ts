/**
 * @file Modules: a name and a namespace.
 * @mirrors Objects/moduleobject.c (CPython 3.11)
 */
import { call } from "./call.ts";
import { GetSet } from "./descrobject.ts";
import { PyDict } from "./dictobject.ts";
import { AttributeError } from "./exceptions.ts";
import { define_methods } from "./methodobject.ts";
import { repr } from "./object.ts";
import { builtin_type, type TypeObject, type_of } from "./typeobject.ts";

export class PyModule {
  readonly __dict__: PyDict;

  constructor(name: string, doc: unknown = null) {
    this.__dict__ = new PyDict();
    this.__dict__.set("__name__", name);
    this.__dict__.set("__doc__", doc);
    this.__dict__.set("__package__", null);
    this.__dict__.set("__loader__", null);
    this.__dict__.set("__spec__", null);
  }
}

/** Why a module, or a name of one, is left out, for the note below the error; null if nothing is known of it. */
export const absences: { why: (full: string) => string | null } = { why: () => null };

/** The error of a module that lacks a name. */
export function no_attribute(module: string, name: string): AttributeError {
  const error = new AttributeError(`module '${module}' has no attribute '${name}'`);
  const why = absences.why(`${module}.${name}`);
  if (why !== null) error.__notes__ = [why];
  return error;
}

function bound(found: unknown, module: PyModule, type: TypeObject): unknown {
  if (found instanceof GetSet) return found.get(module as never);
  const get = type_of(found).tp_descr_get;
  return get === null ? found : get(found as never, module, type);
}

export const module_type: TypeObject = builtin_type("module", {
  cls: PyModule,
  tp_alloc: (cls) => Reflect.construct(PyModule, [""], cls) as object,
  tp_getattro: (module: PyModule, name) => {
    if (name === "__dict__") return module.__dict__;
    const type = type_of(module);
    const found = type === module_type ? undefined : type.lookup(name);
    // A property of a subclass comes before the names of the module.
    if (found !== undefined && type_of(found).tp_descr_set !== null) return bound(found, module, type);
    const value = module.__dict__.get(name);
    if (value !== undefined) return value;
    const inherited = found ?? module_type.lookup(name);
    if (inherited !== undefined) return bound(inherited, module, type);
    const getattr = module.__dict__.get("__getattr__");
    if (getattr !== undefined) return call(getattr, name);
    if (type.lookup("__getattr__") !== undefined) return undefined;
    throw no_attribute(String(module.__dict__.get("__name__")), name);
  },
  tp_setattro: (module: PyModule, name, value) => {
    const found = type_of(module) === module_type ? undefined : type_of(module).lookup(name);
    const set = found === undefined ? null : type_of(found).tp_descr_set;
    if (set !== null) set(found as never, module, value);
    else if (value !== undefined) module.__dict__.set(name, value);
    else if (!module.__dict__.delete(name)) throw new AttributeError(name);
  },
});
/** Modules that a program made by calling `ModuleType`. */
const made = new WeakSet<PyModule>();

define_methods(module_type, {
  "__init__(self, name, doc=None)": (self: PyModule, name: string, doc) => {
    made.add(self);
    self.__dict__.set("__name__", name);
    self.__dict__.set("__doc__", doc);
  },
  "__repr__(self, /)": (self: PyModule) => {
    const name = repr(self.__dict__.get("__name__") ?? "?");
    const file = self.__dict__.get("__file__");
    if (file === undefined && made.has(self)) return `<module ${name}>`;
    return file === undefined ? `<module ${name} (built-in)>` : `<module ${name} from ${repr(file)}>`;
  },
});
