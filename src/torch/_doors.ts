/**
 * @file Doors: the parts of `torch` that are entries of their own (`torch.fx`), which the core does not load until a program asks for them.
 * @original PyTorch imports these packages at the first `import torch.fx`, or with `import torch` itself.
 * @differs Where modules cannot be loaded synchronously (a page, a bundle), the first use raises ImportError, which names the import to write;
 * PyTorch always finds its packages.
 *
 * Note [Doors]
 * ~~~~~~~~~~~~
 *     core                        door                               entry
 *     torch.fx ----------------> an object without names
 *     torch.fx.symbolic_trace -> asks `doors.require("fx")` -------> src/fx.ts runs: doors.open("fx", everything in src/torch/fx)
 *                                answers from the namespace <------
 *
 * Whoever loads the library says how an entry is loaded, because only the loader can give the entry the modules of the library that already run:
 * tools/module_loader/library.ts for programs of this repository, tools/build/node.js for the package. A program that imports the entry
 * itself (`import "glasstorch/fx"`) needs no loader.
 */
import { ImportError } from "#c10/util/Exception";

type Namespace = Readonly<Record<string, unknown>>;

const opened = new Map<string, Namespace>();

export const doors: {
  /** Runs an entry synchronously with this copy of the library; null if nobody can. */
  require: ((entry: string) => unknown) | null;
  /** How many entries have run. */
  readonly opened: number;
  /** Called by an entry: from now on its door answers with these names. */
  open(entry: string, namespace: object): void;
} = {
  require: null,
  get opened() {
    return opened.size;
  },
  open(entry, namespace) {
    if (!opened.has(entry)) opened.set(entry, namespace as Namespace);
  },
};

/** The names behind the door; the entry is loaded if it has not been. */
function behind(module: string, entry: string): Namespace {
  let found = opened.get(entry);
  if (found === undefined) {
    doors.require?.(entry);
    found = opened.get(entry);
  }
  if (found === undefined)
    throw new ImportError(
      `${module} is a part of its own, which cannot be loaded from here: write import "glasstorch/${entry}" before its first use`,
    );
  return found;
}

/** JavaScript asks any object for these names, for instance when it is awaited or printed. */
const ASKED_BY_JAVASCRIPT: ReadonlySet<string> = new Set([
  "then",
  "toJSON",
  "$$typeof",
  "asymmetricMatch",
  "constructor",
]);

/**
 * A module of `torch` whose names are loaded at the first use.
 * @param module its full name, `torch.fx`
 * @param core names that are here without the entry
 * @param entry the entry of the package; the module's last name if it is not given
 * @throws {ImportError} at the first use, where the entry cannot be loaded
 */
export function door<Module extends object>(
  module: string,
  core: Partial<Module> = {},
  entry: string = module.slice(module.lastIndexOf(".") + 1),
): Module {
  const needs_entry = (target: object, name: string | symbol): name is string =>
    typeof name === "string" && !Object.hasOwn(target, name) && !ASKED_BY_JAVASCRIPT.has(name);
  return new Proxy({ ...core } as Module, {
    get(target, name, receiver: unknown) {
      if (needs_entry(target, name)) {
        const names = behind(module, entry);
        if (name in names) return names[name];
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
    set(target, name, value) {
      return Reflect.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    },
    has: (target, name) => Reflect.has(target, name) || (needs_entry(target, name) && name in behind(module, entry)),
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...Object.keys(opened.get(entry) ?? {})])],
    getOwnPropertyDescriptor(target, name) {
      const names = opened.get(entry);
      if (Object.hasOwn(target, name) || names === undefined || typeof name !== "string" || !(name in names))
        return Reflect.getOwnPropertyDescriptor(target, name);
      return { value: names[name], enumerable: true, writable: true, configurable: true };
    },
  });
}

/** Gives a module of the core one more name, which an entry sets when it is loaded. Reading the name loads the entry. */
export function name_behind_a_door<Module extends object>(module: Module, name: string, entry: string): Module {
  // It stands on a prototype: a table of the names that are here does not see it.
  const asked = Object.create(Object.getPrototypeOf(module), {
    [name]: {
      get: (): unknown => {
        behind(name, entry);
        return Object.getOwnPropertyDescriptor(module, name)?.value;
      },
      set: (value: unknown) => {
        Object.defineProperty(module, name, { value, writable: true, enumerable: true, configurable: true });
      },
    },
  }) as object;
  return Object.setPrototypeOf(module, asked) as Module;
}
