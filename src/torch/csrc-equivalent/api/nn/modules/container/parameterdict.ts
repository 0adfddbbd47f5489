/**
 * @file Parameters by name.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/parameterdict.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Cloneable } from "../../cloneable.ts";
import { type ContainerHolder, container } from "../../pimpl.ts";
import { printed_parameter } from "./parameterlist.ts";

export class ParameterDictImpl extends Cloneable {
  constructor(parameters: Iterable<readonly [string, Tensor]> = []) {
    super();
    for (const [key, parameter] of parameters) this.insert(key, parameter);
  }
  override reset(): void {
    // The parameters are given, not made.
  }
  override pretty_print(): string {
    const lines = this.items().map(([key, parameter]) => printed_parameter(key, parameter));
    return `torch::nn::ParameterDict(\n${lines.join("")})`;
  }
  insert(key: string, parameter: Tensor): Tensor {
    return this.register_parameter(key, parameter, parameter.requires_grad());
  }
  items(): (readonly [string, Tensor])[] {
    return this.named_parameters(false).pairs();
  }
  keys(): string[] {
    return this.named_parameters(false).keys();
  }
  values(): Tensor[] {
    return this.parameters(false);
  }
  [Symbol.iterator](): IterableIterator<readonly [string, Tensor]> {
    return this.items()[Symbol.iterator]();
  }
  size(): number {
    return this.values().length;
  }
  empty(): boolean {
    return this.size() === 0;
  }
  contains(key: string): boolean {
    return this.named_parameters(false).contains(key);
  }
  /** C++'s `operator[]`. */
  get(key: string): Tensor {
    return this.named_parameters(false).at(key);
  }
}
export const ParameterDict: ContainerHolder<typeof ParameterDictImpl> = container(ParameterDictImpl, "ParameterDict");
