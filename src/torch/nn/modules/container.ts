/**
 * @file Modules that hold modules.
 * @mirrors torch/nn/modules/container.py
 */
import { IndexError, TypeError_ } from "#c10/util/Exception";
import { isDict } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { type_name } from "#torch/_utils";
import { Module } from "./module.ts";

/** The name of the `idx`-th child; a negative index counts from the end. */
function name_at(module: Module, idx: number): string {
  const names = [...module._modules.keys()];
  if (idx < -names.length || idx >= names.length) throw new IndexError(`index ${idx} is out of range`);
  return names[idx < 0 ? idx + names.length : idx];
}

/** Modules by name, in order. */
type NamedModules = ReadonlyMap<string, Module> | Readonly<Record<string, Module>>;

const Sequential_init = new Init("Sequential.__init__(self, *args: dict)", types<[args: (Module | NamedModules)[]]>);

/** Calls its modules one after the other. */
// biome-ignore lint/suspicious/noExplicitAny: input and output are those of the first and the last module
export class Sequential extends Module<[input: any], any> {
  static {
    def_methods(Sequential, {
      __init__: Sequential_init,
      append: "(self, module)",
      extend: "(self, sequential)",
      forward: "(self, input)",
    });
  }

  /** Modules in order, or one Map or object of named ones. */
  constructor(...given: InitArgs<typeof Sequential_init>) {
    const [args] = Sequential_init.bind(given);
    super();
    const [first] = args;
    if (args.length === 1 && (first instanceof Map || isDict(first))) {
      for (const [key, module] of first instanceof Map ? first : Object.entries(first)) this.add_module(key, module);
    } else {
      for (const [idx, module] of args.entries()) this.add_module(String(idx), module as Module);
    }
  }

  __len__(): number {
    return this._modules.size;
  }

  /** The module at an index, or the modules in a slice. */
  __getitem__(idx: number): Module;
  __getitem__(idx: { start?: number | null; stop?: number | null }): Sequential;
  __getitem__(idx: number | { start?: number | null; stop?: number | null }): Module | Sequential {
    if (typeof idx === "object") {
      const entries = [...this._modules].slice(idx.start ?? 0, idx.stop ?? undefined);
      return new (this.constructor as typeof Sequential)(new Map(entries as [string, Module][]));
    }
    return this._modules.get(name_at(this, idx)) as Module;
  }

  __setitem__(idx: number, module: Module): void {
    (this as unknown as Record<string, unknown>)[name_at(this, idx)] = module;
  }

  append(...args: Args<"(self, module)", [module: Module]>): this;
  append(module: Module): this {
    this.add_module(String(this.__len__()), module);
    return this;
  }

  extend(...args: Args<"(self, sequential)", [sequential: Iterable<Module>]>): this;
  extend(sequential: Iterable<Module>): this {
    for (const layer of sequential) this.append(layer);
    return this;
  }

  *[Symbol.iterator](): IterableIterator<Module> {
    for (const module of this._modules.values()) if (module !== null) yield module;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override forward(input: any): any {
    let output: unknown = input;
    for (const module of this) output = module(output);
    return output;
  }
}

const ModuleList_init = new Init("ModuleList.__init__(self, modules=None)", types<[modules: Iterable<Module> | null]>);

/** A list of modules; it has no forward of its own. */
export class ModuleList extends Module {
  static {
    def_methods(ModuleList, { __init__: ModuleList_init, append: "(self, module)", extend: "(self, modules)" });
  }

  constructor(...args: InitArgs<typeof ModuleList_init>) {
    const [modules] = ModuleList_init.bind(args);
    super();
    if (modules !== null) this.extend(modules);
  }

  __len__(): number {
    return this._modules.size;
  }

  __getitem__(idx: number): Module {
    return this._modules.get(name_at(this, idx)) as Module;
  }

  __setitem__(idx: number, module: Module): void {
    (this as unknown as Record<string, unknown>)[name_at(this, idx)] = module;
  }

  append(...args: Args<"(self, module)", [module: Module]>): this;
  append(module: Module): this {
    this.add_module(String(this.__len__()), module);
    return this;
  }

  extend(...args: Args<"(self, modules)", [modules: Iterable<Module>]>): this;
  extend(modules: Iterable<Module>): this {
    if (modules === null || typeof modules !== "object" || !(Symbol.iterator in modules)) {
      throw new TypeError_(`ModuleList.extend should be called with an iterable, but got ${type_name(modules)}`);
    }
    for (const module of modules) this.append(module);
    return this;
  }

  *[Symbol.iterator](): IterableIterator<Module> {
    for (const module of this._modules.values()) if (module !== null) yield module;
  }
}
