/**
 * @file The names of the library's classes and functions in Python, and the modules in which PyTorch defines them.
 * @original
 *
 * An idea in miniature
 * ~~~~~~~~~~~~~~~~~~~~
 * `generated/python_names.ts` was recorded from PyTorch:   torch.nn | torch.nn.modules.linear | class | Linear ...
 * Here, that is read when a program first asks:             torch.nn["Linear"]  ->  module torch.nn.modules.linear, qualified name Linear
 * A class that no module gives out is known by a class that derives from it. The other way round, the table says what stands in the module
 * `torch.nn.modules.linear`, although no object of the library has this name: `from torch.nn.modules.linear import Linear` makes it.
 */

import { CLASS } from "#python/bridge/foreign_functions";
import { ForeignType } from "#python/bridge/foreign_types";
import { override, register_namespace, submodule, submodules } from "#python/bridge/mappings";
import { naming, type PythonName } from "#python/bridge/names";
import { no_attribute, PyModule } from "#python/Objects/moduleobject";

import { INFO, type PyClass } from "#python/Objects/typeobject";
import { finders, import_module } from "#python/vm/import";
import { doors } from "./_doors.ts";
import { BASES, NAMES, PACKAGES, PYTHON_METHODS } from "./generated/python_names.ts";
import torch from "./index.ts";

type Namespace = Readonly<Record<string, unknown>>;

/**
 * The library's object with this full name; undefined if it has none. Own properties are asked for, because `in` would load a part of the library
 * that waits behind a door.
 */
function namespace(full: string): Namespace | undefined {
  let found: unknown = torch;
  for (const part of full.split(".").slice(1)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Namespace)[part];
  }
  return found as Namespace;
}

const lines = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|"));

class Names {
  readonly of = new Map<object, PythonName>();
  /** By module: what PyTorch defines there. */
  readonly members = new Map<string, Map<string, object>>();
  /** How many parts of the library were loaded when the table was read last. */
  private parts = -1;
  private readonly bases = new Map<string, PythonName | null>();

  constructor() {
    for (const [module, kind, names] of lines(BASES) as [string, string, string][])
      for (const name of names.split(" ")) {
        const known = { module, qualname: name, in_c: kind === "c class", is_function: false };
        this.bases.set(name, this.bases.has(name) ? null : known); // null: two classes have this name
      }
    this.resolve();
  }

  /** Reads the table if a part of the library was loaded since: it has names of its own, and adds some to others. */
  resolve(): void {
    if (this.parts === doors.opened) return;
    this.parts = doors.opened;
    for (const line of lines(NAMES)) this.take(line);
    // Whatever else stands in the extension module is written in C, too.
    for (const [name, value] of Object.entries(torch._C))
      if (typeof value === "function" && !this.of.has(value) && !CLASS.test(Function.prototype.toString.call(value)))
        this.of.set(value, { module: "torch._C", qualname: name, in_c: true, is_function: true });
  }

  private take([owner, module, kind, prefix, names]: readonly string[]): void {
    const found = namespace(owner as string);
    if (found === undefined) return;
    for (const written of (names as string).split(" ")) {
      const [name, other] = written.split("=") as [string, string?];
      const value = Object.hasOwn(found, name) ? found[name] : undefined;
      if (typeof value !== "function") continue;
      this.add(value, name, {
        module: module as string,
        qualname: other ?? `${prefix}${name}`,
        in_c: kind === "c class" || kind === "builtin",
        is_function: !(kind as string).endsWith("class"),
      });
    }
  }

  /** Adds the names that `define_name` gave. */
  take_hidden(): void {
    this.resolve(); // the table comes first
    for (const [module, name, value, is_function] of hidden.splice(0)) {
      this.member(module, name, value);
      if (!this.of.has(value)) this.of.set(value, { module, qualname: name, in_c: false, is_function });
    }
  }

  private add(value: object, name: string, known: PythonName): void {
    // One function may have several names here where PyTorch has several functions; its own name counts.
    const before = this.of.get(value);
    if (
      before === undefined ||
      (before.qualname !== (value as { name: string }).name && known.qualname === (value as { name: string }).name)
    )
      this.of.set(value, known);
    if (!name.includes(".")) this.member(known.module, name, value);
    const type = Object.hasOwn(value, INFO) ? (value as unknown as PyClass)[INFO] : undefined;
    if (type instanceof ForeignType) type.rename(known); // it was met before its part of the library was loaded
    const { prototype } = value as { prototype?: object };
    if (prototype === undefined) return;
    const made_by = prototype.constructor; // a function may stand for the class, as `torch.Size` does
    if (made_by !== value && !this.of.has(made_by)) this.of.set(made_by, known);
    for (
      let above = Object.getPrototypeOf(prototype) as object | null;
      above !== null;
      above = Object.getPrototypeOf(above) as object | null
    ) {
      const base = above.constructor;
      const of_base = this.bases.get(base.name);
      if (of_base === undefined || of_base === null || this.of.has(base)) continue;
      this.of.set(base, of_base);
      this.member(of_base.module, of_base.qualname, base);
    }
  }

  private member(module: string, name: string, value: object): void {
    const members = this.members.get(module);
    if (members === undefined) this.members.set(module, new Map([[name, value]]));
    else if (!members.has(name)) members.set(name, value);
  }
}

/** Gives PyTorch's module a name that only programs ask for. */
export function define_name(module: string, name: string, value: object, is_function = true): void {
  hidden.push([module, name, value, is_function]);
  const names = defined.get(module);
  if (names === undefined) defined.set(module, new Map([[name, value]]));
  else names.set(name, value);
}
/** By module: the names that `define_name` gave, for a module that is a Python text. */
export const defined = new Map<string, Map<string, object>>();
const hidden: [module: string, name: string, value: object, is_function: boolean][] = [];

let packages: Map<string, Map<string, string>> | null = null;

naming.member = (module, name) => {
  packages ??= new Map(
    lines(PACKAGES).map(([it, members]) => [
      it as string,
      new Map((members as string).split(" ").map((pair) => pair.split("=") as [string, string])),
    ]),
  );
  const file = packages.get(module)?.get(name);
  return file === undefined ? undefined : all().members.get(`${module}.${file}`)?.get(name);
};

let names: Names | null = null;
function all(): Names {
  names ??= new Names();
  if (hidden.length > 0) names.take_hidden();
  return names;
}

let python_methods: Map<string, Set<string>> | null = null;

naming.of = (value) => {
  const known = all().of.get(value);
  if (known !== undefined) return known;
  all().resolve();
  return all().of.get(value);
};
naming.is_python_method = (cls, method) => {
  python_methods ??= new Map(lines(PYTHON_METHODS).map(([name, it]) => [name as string, new Set(it?.split(" "))]));
  return python_methods.get(cls)?.has(method) === true;
};

/** A module of PyTorch that no object of the library stands for: it holds what the table says. */
submodules.push((name) => name.startsWith("torch.") && all().members.has(name));
finders.push((name) => {
  if (!name.startsWith("torch.")) return null;
  const members = all().members.get(name);
  if (members === undefined) return null;
  const module = new PyModule(name);
  module.__dict__.set("__getattr__", (key: string) => {
    const below = submodule(`${name}.${key}`);
    if (below === undefined) throw no_attribute(name, key);
    return below;
  });
  for (const [key, value] of members) module.__dict__.set(key, value);
  const dot = name.lastIndexOf(".");
  const parent = import_module(name.slice(0, dot));
  // `torch.autograd.gradcheck` is the function, although the module has this name, too.
  const taken = parent instanceof PyModule || name.slice(dot + 1) in (parent as object);
  if (!taken) override(parent as object, name.slice(dot + 1), module);
  return { module };
});

register_namespace(torch, "torch");
// The class after which the functions of torch are named.
register_namespace(torch._C._VariableFunctions, "torch._C._VariableFunctions");
override(torch, "_VariableFunctionsClass", torch._C._VariableFunctions);
