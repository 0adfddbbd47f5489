/**
 * @file Modules in a row: the output of each is the input of the next.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/sequential.h
 */
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import { Cloneable } from "../../cloneable.ts";
import type { Module } from "../../module.ts";
import { type Forward, type ModuleHolder, TORCH_MODULE } from "../../pimpl.ts";
import { AnyModule } from "./any.ts";

/** Modules, or pairs of a name and a module. */
export type SequentialEntry = Forward | AnyModule | readonly [name: string, module: Forward | AnyModule];

/** The module of an entry. */
export const module_of = (entry: Forward | AnyModule): Forward => (entry instanceof AnyModule ? entry.ptr() : entry);

export class SequentialImpl extends Cloneable {
  declare private modules_: Forward[];

  constructor(...entries: SequentialEntry[]) {
    super();
    this.modules_ = [];
    for (const entry of entries) {
      if (Array.isArray(entry)) this.push_back(...(entry as [string, Forward]));
      else this.push_back(entry as Forward);
    }
  }
  override clone(device: Device | null = null): this {
    const clone = new SequentialImpl() as this;
    for (const [name, module] of this.named_children()) clone.push_back(name, module.clone(device) as Forward);
    return clone;
  }
  override reset(): void {
    // The modules are given, not made.
  }
  override pretty_print(): string {
    return "torch::nn::Sequential";
  }

  // biome-ignore lint/suspicious/noExplicitAny: the types of the modules between input and output are not known
  forward(...inputs: any[]): any {
    TORCH_CHECK(!this.is_empty(), "Cannot call forward() on an empty Sequential");
    const [first, ...rest] = this.modules_ as unknown as { forward(...args: unknown[]): unknown }[];
    return rest.reduce((input, module) => module.forward(input), first.forward(...inputs));
  }

  push_back(module: Forward | AnyModule): void;
  push_back(name: string, module: Forward | AnyModule): void;
  push_back(...args: [Forward | AnyModule] | [string, Forward | AnyModule]): void {
    const [name, given] = args.length === 2 ? args : [String(this.size()), args[0]];
    const module = module_of(given);
    this.register_module(name, module);
    this.modules_.push(module);
  }
  extend(container: Iterable<Forward | AnyModule>): void {
    for (const module of container) this.push_back(module);
  }
  /** The module at a position. */
  ptr(index: number): Forward {
    TORCH_CHECK(index >= 0 && index < this.size(), "Index out of range");
    return this.modules_[index];
  }
  /** The module at a position, which must be of a class if one is given. */
  at<M extends Module>(index: number, type?: abstract new (...args: never[]) => M): M {
    return new AnyModule(this.ptr(index)).get(type);
  }
  size(): number {
    return this.modules_.length;
  }
  is_empty(): boolean {
    return this.size() === 0;
  }
  [Symbol.iterator](): IterableIterator<Forward> {
    return this.modules_[Symbol.iterator]();
  }
}
export const Sequential: ModuleHolder<typeof SequentialImpl> = TORCH_MODULE(SequentialImpl, "Sequential");
