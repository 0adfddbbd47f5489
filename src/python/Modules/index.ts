/**
 * @file The table of modules that are written in TypeScript, and the finder of all modules of the standard library.
 * @mirrors Modules/config.c.in, Python/frozen.c (CPython 3.11)
 */
import { SOURCES } from "../Lib/generated/sources.ts";
import { call } from "../Objects/call.ts";
import type { PyModule } from "../Objects/moduleobject.ts";
import { getattr } from "../Objects/object.ts";
import { copyreg } from "../Objects/object_methods.ts";
import { type Finder, import_module } from "../vm/import.ts";
import { sources } from "../vm/traceback.ts";
import { _ast } from "./_ast.ts";
import { _collections } from "./_collectionsmodule.ts";
import { _dis } from "./_dis.ts";
import { _functools } from "./_functoolsmodule.ts";
import { _json } from "./_json.ts";
import { _machine } from "./_machine.ts";
import { _operator } from "./_operator.ts";
import { _random } from "./_randommodule.ts";
import { _sre } from "./_sre/module.ts";
import { _struct } from "./_struct.ts";
import { _weakref } from "./_weakref.ts";
import { _binascii } from "./binascii.ts";
import { _hash } from "./hashmodule.ts";
import { itertools } from "./itertoolsmodule.ts";
import { math } from "./mathmodule.ts";
import { posix } from "./posixmodule.ts";
import { sys } from "./sysmodule.ts";
import { time } from "./timemodule.ts";

/** The functions that make each module when it is first imported. */
const MODULES: Readonly<Record<string, () => Map<string, unknown> | PyModule>> = {
  _ast,
  _binascii,
  _collections,
  _dis,
  _functools,
  _hash,
  _json,
  _machine,
  _operator,
  _random,
  _sre,
  _struct,
  _weakref,
  itertools,
  math,
  posix,
  sys,
  time,
};

/** A module is made once, although a program may take it out of `sys.modules`. */
const made = new Map<string, Map<string, unknown> | PyModule>();

copyreg.call = (name, ...args) => call(getattr(import_module("copyreg"), name), ...args);

/** Finds a module of the standard library: in TypeScript, or as a text of Lib. */
export const find_library: Finder = (name) => {
  const make = MODULES[name];
  if (make !== undefined && Object.hasOwn(MODULES, name)) {
    let module = made.get(name);
    if (module === undefined) {
      module = make();
      made.set(name, module);
    }
    return module instanceof Map ? module : { module };
  }
  const text = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (text === undefined) return null;
  const is_package = Object.keys(SOURCES).some((other) => other.startsWith(`${name}.`));
  const filename = `Lib/${name.replaceAll(".", "/")}${is_package ? "/__init__" : ""}.py`;
  sources.set(filename, text);
  return { text, filename, is_package };
};
