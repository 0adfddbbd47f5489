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

import { override, register_namespace, submodule, submodules } from "#python/bridge/mappings";
import { naming, type PythonName } from "#python/bridge/names";
import { AttributeError } from "#python/Objects/exceptions";
import { PyModule } from "#python/Objects/moduleobject";
import { finders, import_module } from "#python/vm/import";
import { doors, is_closed_door } from "./_doors.ts";
import { BASES, NAMES, PACKAGES, PYTHON_METHODS } from "./generated/python_names.ts";
import torch from "./index.ts";

type Namespace = Readonly<Record<string, unknown>>;

/** The library's object with this full name; undefined if it has none. */
function namespace(full: string): Namespace | undefined {
  let found: unknown = torch;
  for (const part of full.split(".").slice(1)) {
    if (typeof found !== "object" || found === null || is_closed_door(found) || !(part in found)) return undefined;
    found = (found as Namespace)[part];
  }
  return is_closed_door(found) ? undefined : (found as Namespace);
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
  /** How many of `hidden` are in. */
  private taken = 0;
  private readonly bases = new Map<string, PythonName | null>();

  constructor() {
    for (const [module, kind, names] of lines(BASES) as [string, string, string][])
      for (const name of names.split(" ")) {
        const known = { module, qualname: name, in_c: kind === "c class", is_function: false };
        this.bases.set(name, this.bases.has(name) ? null : known); // null: two classes have this name
      }
    for (const [owner, module, kind, prefix, names] of lines(NAMES) as [string, string, string, string, string][]) {
      const found = namespace(owner);
      if (found === undefined) continue;
      for (const written of names.split(" ")) {
        const [name, other] = written.split("=") as [string, string?];
        const value = name in found ? found[name] : undefined;
        if (typeof value !== "function") continue;
        this.add(value, name, {
          module,
          qualname: other ?? prefix + name,
          in_c: kind === "c class" || kind === "builtin",
          is_function: !kind.endsWith("class"),
        });
      }
    }
  }

  /** What `define_name` gave. */
  take_hidden(): void {
    for (const [module, name, value] of hidden.slice(this.taken)) {
      this.taken++;
      this.member(module, name, value);
      if (!this.of.has(value)) this.of.set(value, { module, qualname: name, in_c: false, is_function: true });
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
export function define_name(module: string, name: string, value: object): void {
  hidden.push([module, name, value]);
}
const hidden: [module: string, name: string, value: object][] = [];

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
/** How many entries were loaded when `names` was made: another one brings more classes. */
let made_with = 0;
function all(): Names {
  if (names === null || made_with !== doors.opened) {
    made_with = doors.opened;
    names = new Names();
  }
  names.take_hidden();
  return names;
}

let python_methods: Map<string, Set<string>> | null = null;

/** Functions of the extension module are written in C++. */
let extension: ReadonlyMap<unknown, PythonName> | null = null;
function of_extension(value: object): PythonName | undefined {
  extension ??= new Map(
    Object.entries(torch._C)
      .filter(([, it]) => typeof it === "function")
      .map(([qualname, it]) => [it, { module: "torch._C", qualname, in_c: true, is_function: true }]),
  );
  return extension.get(value);
}

naming.of = (value) => all().of.get(value) ?? of_extension(value);
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
    if (below === undefined) throw new AttributeError(`module '${name}' has no attribute '${key}'`);
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
