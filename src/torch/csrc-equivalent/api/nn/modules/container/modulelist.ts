/**
 * @file A list of modules, whose names are their positions.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/modulelist.h
 */
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import { Cloneable } from "../../cloneable.ts";
import type { Module } from "../../module.ts";
import { type ContainerHolder, container } from "../../pimpl.ts";

export class ModuleListImpl extends Cloneable {
  declare private modules_: Module[];

  constructor(...modules: Module[]) {
    super();
    this.modules_ = [];
    for (const module of modules) this.push_back(module);
  }
  override clone(device: Device | null = null): this {
    return new ModuleListImpl(...this.modules_.map((module) => module.clone(device))) as this;
  }
  override reset(): void {
    // The modules are given, not made.
  }
  override pretty_print(): string {
    return "torch::nn::ModuleList";
  }

  push_back(module: Module): void {
    this.register_module(String(this.size()), module);
    this.modules_.push(module);
  }
  extend(container: Iterable<Module>): void {
    for (const module of container) this.push_back(module);
  }
  /** Puts a module before the one at a position. */
  insert(index: number, module: Module): void {
    TORCH_CHECK(index >= 0 && index <= this.size(), "Index out of range");
    if (index === this.size()) {
      this.push_back(module);
      return;
    }
    this.modules_.splice(index, 0, module);
    for (let i = index; i < this.size() - 1; i++) this.replace_module(String(i), this.modules_[i]);
    this.register_module(String(this.size() - 1), this.modules_[this.size() - 1]);
  }
  ptr(index: number): Module {
    TORCH_CHECK(index >= 0 && index < this.size(), "Index out of range");
    return this.modules_[index];
  }
  /** The module at a position, which must be of a class if one is given. */
  at<M extends Module>(index: number, type?: abstract new (...args: never[]) => M): M {
    const module = this.ptr(index);
    TORCH_CHECK(type === undefined || module instanceof type, "Unable to cast module[", index, "] to ", type?.name);
    return module as M;
  }
  size(): number {
    return this.modules_.length;
  }
  is_empty(): boolean {
    return this.size() === 0;
  }
  [Symbol.iterator](): IterableIterator<Module> {
    return this.modules_[Symbol.iterator]();
  }
}

export const ModuleList: ContainerHolder<typeof ModuleListImpl> = container(ModuleListImpl, "ModuleList");
