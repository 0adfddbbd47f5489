/**
 * @file Modules that hold modules.
 * @mirrors torch/nn/modules/container.py
 */
import { IndexError, TypeError_ } from "#c10/util/Exception";
import { isDict } from "#torch/_C";
import { type_name } from "#torch/_utils";
import { Module } from "./module.ts";

/** The name of the `idx`-th child; a negative index counts from the end. */
function name_at(module: Module, idx: number): string {
  const names = [...module._modules.keys()];
  if (idx < -names.length || idx >= names.length) throw new IndexError(`index ${idx} is out of range`);
  return names[idx < 0 ? idx + names.length : idx];
}

/** Calls its modules one after the other. */
// biome-ignore lint/suspicious/noExplicitAny: input and output are those of the first and the last module
export class Sequential extends Module<[input: any], any> {
  /** @param args modules in order, or a Map or object of named ones. */
  constructor(...args: (Module | Map<string, Module> | Record<string, Module>)[]) {
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

  append(module: Module): this {
    this.add_module(String(this.__len__()), module);
    return this;
  }

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

/** A list of modules; it has no forward of its own. */
export class ModuleList extends Module {
  constructor(modules: Iterable<Module> = []) {
    super();
    this.extend(modules);
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

  append(module: Module): this {
    this.add_module(String(this.__len__()), module);
    return this;
  }

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
