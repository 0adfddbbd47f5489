/**
 * @file The import system: finds a module among those that are loaded, built in, written in Python here, or beside the program.
 * @mirrors Python/import.c, Lib/importlib/_bootstrap.py (CPython 3.11)
 */
import { compile } from "../compiler/index.ts";
import { builtins, builtins_of } from "../Objects/builtins_of.ts";
import { vectorcall } from "../Objects/call.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { ImportError, ModuleNotFoundError, missing, ValueError } from "../Objects/exceptions.ts";
import { each } from "../Objects/iterobject.ts";
import { absences, PyModule } from "../Objects/moduleobject.ts";
import { getattr, getattr_or_undefined } from "../Objects/object.ts";
import { evaluation, type Frame, make_frame } from "./frame.ts";

/** `sys.modules`. */
export const modules = new PyDict();

/** The text of a module, and where it stands. */
export interface ModuleSource {
  readonly text: string;
  readonly filename: string;
  readonly is_package: boolean;
  /** Names that the module has before its text runs. */
  readonly names?: ReadonlyMap<string, unknown> | undefined;
}

/** Finds a module that is not loaded yet; each finder is asked in order. A namespace becomes a module that is built in. */
export type Finder = (
  name: string,
) => ModuleSource | ReadonlyMap<string, unknown> | { readonly module: unknown } | null;
export const finders: Finder[] = [];

/** Why a module that CPython has is left out, for the note below the error. */
export const left_out: Map<string, string> = new Map([
  ["numpy", "use torch.tensor; arrays are not in this Python"],
  ["asyncio", "'async def' is not in this Python"],
  ["decimal", "decimal is not in this Python; fractions is"],
  ...["multiprocessing", "subprocess", "concurrent", "signal"].map(
    (name) => [name, `${name} is not in this Python: there is one process`] as const,
  ),
  ...["socket", "ssl", "select", "selectors", "http", "urllib", "socketserver"].map(
    (name) => [name, `${name} is not in this Python: there is no network`] as const,
  ),
  ...["ctypes", "sqlite3", "pdb", "cProfile", "profile", "tracemalloc", "locale", "zoneinfo", "configparser"].map(
    (name) => [name, `${name} is not in this Python`] as const,
  ),
]);

function not_found(name: string, parent: string | null): ModuleNotFoundError {
  const error = new ModuleNotFoundError(
    parent === null ? `No module named '${name}'` : `No module named '${name}'; '${parent}' is not a package`,
  );
  missing.set(error, { name, obj: null });
  const note = left_out.get(name.split(".")[0] as string) ?? absences.why(name);
  if (note !== null) error.__notes__ = [note];
  return error;
}

/** Runs a text as a module of this name, which is in `sys.modules` from the beginning. */
export function run_module(name: string, { text, filename, is_package, names }: ModuleSource): PyModule {
  const module = new PyModule(name);
  const namespace = module.__dict__;
  namespace.set("__file__", filename);
  namespace.set("__package__", is_package ? name : name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : "");
  if (is_package) namespace.set("__path__", [filename.slice(0, filename.lastIndexOf("/"))]);
  namespace.set("__builtins__", builtins);
  for (const [key, value] of names ?? []) namespace.set(key, value);
  modules.set(name, module);
  try {
    evaluation.run(make_frame(compile(text, filename, "exec"), namespace, builtins_of(namespace), namespace), null);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return module;
}

function load(name: string): unknown {
  for (const find of finders) {
    const found = find(name);
    if (found === null) continue;
    if ("text" in found) {
      run_module(name, found);
      return modules.get(name);
    }
    if ("module" in found) {
      modules.set(name, found.module);
      return found.module;
    }
    const module = new PyModule(name);
    for (const [key, value] of found) module.__dict__.set(key, value);
    modules.set(name, module);
    return module;
  }
  return undefined;
}

/** Loads `a`, `a.b` and `a.b.c` in order; gives the last. */
export function import_module(name: string): unknown {
  const known = modules.get(name);
  if (known !== undefined) {
    if (known === null) throw new ModuleNotFoundError(`import of ${name} halted; None in sys.modules`);
    return known;
  }
  const dot = name.lastIndexOf(".");
  let parent: unknown;
  if (dot >= 0) {
    parent = import_module(name.slice(0, dot));
    const now = modules.get(name);
    if (now !== undefined) return now;
    const attribute = getattr_or_undefined(parent, name.slice(dot + 1));
    if (attribute !== undefined && is_module(attribute)) {
      modules.set(name, attribute);
      return attribute;
    }
  }
  const module = load(name);
  if (module === undefined) {
    const is_package = dot < 0 || getattr_or_undefined(parent, "__path__") !== undefined;
    throw not_found(name, is_package ? null : name.slice(0, dot));
  }
  if (parent instanceof PyModule) parent.__dict__.set(name.slice(dot + 1), module);
  return module;
}

/** Whether a value is a module: one of Python's, or a namespace of the library. */
export const module_kinds: { is_foreign_module: (value: unknown) => boolean } = { is_foreign_module: () => false };
const is_module = (value: unknown): boolean => value instanceof PyModule || module_kinds.is_foreign_module(value);

/** The full name of a relative import. */
function resolve(globals: PyDict, name: string, level: number): string {
  let package_ = globals.get("__package__");
  if (typeof package_ !== "string" || package_ === "") {
    const own = globals.get("__name__");
    package_ = globals.has("__path__")
      ? own
      : typeof own === "string" && own.includes(".")
        ? own.slice(0, own.lastIndexOf("."))
        : "";
  }
  if (package_ === "") throw new ImportError("attempted relative import with no known parent package");
  const parts = (package_ as string).split(".");
  if (level > parts.length) throw new ImportError("attempted relative import beyond top-level package");
  const base = parts.slice(0, parts.length - level + 1).join(".");
  return name === "" ? base : `${base}.${name}`;
}

/** `__import__(name, globals, locals, fromlist, level)`. */
export function import_(globals: PyDict, name: string, from_list: unknown, level: number): unknown {
  if (name === "" && level === 0) throw new ValueError("Empty module name");
  const full = level > 0 ? resolve(globals, name, level) : name;
  const module = import_module(full);
  const wanted = from_list === null ? [] : [...each(from_list)];
  if (wanted.length === 0) return level === 0 ? import_module(full.split(".")[0] as string) : module;
  if (getattr_or_undefined(module, "__path__") !== undefined) {
    for (const attribute of wanted) {
      if (attribute === "*" || getattr_or_undefined(module, attribute as string) !== undefined) continue;
      try {
        import_module(`${full}.${attribute as string}`);
      } catch (error) {
        if (!(error instanceof ModuleNotFoundError) || !error.message.includes(`'${full}.${attribute as string}'`))
          throw error;
      }
    }
  }
  return module;
}

export function import_name(frame: Frame, name: string, from_list: unknown, level: unknown): unknown {
  const own = frame.builtins.get("__import__");
  if (own !== undefined && own !== import_function.fn)
    return vectorcall(own, [name, frame.globals, frame.f_locals, from_list, level], null);
  return import_(frame.globals, name, from_list, level as number);
}

/** The built-in `__import__`, which a program may replace. */
export const import_function: { fn: unknown } = { fn: undefined };

/** `from module import name`: an attribute, or a module of the package. */
export function import_from(module: unknown, name: string): unknown {
  const value = getattr_or_undefined(module, name);
  if (value !== undefined) return value;
  const package_ = getattr_or_undefined(module, "__name__");
  const loaded = typeof package_ === "string" ? modules.get(`${package_}.${name}`) : undefined;
  if (loaded !== undefined) return loaded;
  const from = typeof package_ === "string" ? package_ : "<unknown module name>";
  const file = getattr_or_undefined(module, "__file__");
  const error = new ImportError(
    `cannot import name '${name}' from '${from}' (${typeof file === "string" ? file : "unknown location"})`,
  );
  if (typeof package_ === "string") missing.set(error, { name: package_, obj: null });
  const why = absences.why(`${from}.${name}`);
  if (why !== null) error.__notes__ = [why];
  throw error;
}

/** `from module import *`. */
export function import_star(module: unknown, locals: Map<unknown, unknown>): void {
  const all = getattr_or_undefined(module, "__all__");
  const names =
    all === undefined ? names_of(module).filter((name) => !name.startsWith("_")) : ([...each(all)] as string[]);
  for (const name of names) locals.set(name, getattr(module, name));
}

function names_of(module: unknown): string[] {
  if (module instanceof PyModule) return [...module.__dict__.keys()] as string[];
  return Object.keys(module as object);
}
