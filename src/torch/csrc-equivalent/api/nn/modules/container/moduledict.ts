/**
 * @file Modules by name.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/moduledict.h
 */
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import { OrderedDict } from "../../../ordered_dict.ts";
import { Cloneable } from "../../cloneable.ts";
import type { Module } from "../../module.ts";
import { type ContainerHolder, container } from "../../pimpl.ts";

export class ModuleDictImpl extends Cloneable {
  declare private modules_: OrderedDict<Module>;

  constructor(modules: Iterable<readonly [string, Module]> = []) {
    super();
    this.modules_ = new OrderedDict("Module");
    this.update(modules);
  }
  override clone(device: Device | null = null): this {
    return new ModuleDictImpl(this.items().map(([name, module]) => [name, module.clone(device)])) as this;
  }
  override reset(): void {
    // The modules are given, not made.
  }
  override pretty_print(): string {
    return "torch::nn::ModuleDict";
  }

  items(): (readonly [string, Module])[] {
    return this.modules_.pairs();
  }
  keys(): string[] {
    return this.modules_.keys();
  }
  values(): Module[] {
    return this.modules_.values();
  }
  [Symbol.iterator](): IterableIterator<readonly [string, Module]> {
    return this.modules_[Symbol.iterator]();
  }
  size(): number {
    return this.modules_.size();
  }
  empty(): boolean {
    return this.modules_.is_empty();
  }
  contains(key: string): boolean {
    return this.modules_.contains(key);
  }
  /** C++'s `operator[]`. */
  at(key: string): Module {
    return this.modules_.at(key);
  }
  clear(): void {
    for (const key of this.keys()) this.pop(key);
  }
  /** Takes a module out and returns it. */
  pop(key: string): Module {
    const module = this.modules_.at(key);
    this.modules_.erase(key);
    this.unregister_module(key);
    return module;
  }
  /** Adds modules; one with a name that exists takes the place of the old one. */
  update(modules: Iterable<readonly [string, Module]>): void {
    for (const [name, module] of modules) {
      TORCH_CHECK(module !== null, "Module must not be null");
      if (this.contains(name)) {
        this.modules_.assign(name, module);
        this.replace_module(name, module);
      } else {
        this.modules_.insert(name, this.register_module(name, module));
      }
    }
  }
}
export const ModuleDict: ContainerHolder<typeof ModuleDictImpl> = container(ModuleDictImpl, "ModuleDict");
