/**
 * @file A list of parameters, whose names are their positions.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/parameterlist.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toString as dtype_name } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { Cloneable } from "../../cloneable.ts";
import { type ContainerHolder, container } from "../../pimpl.ts";

/** A line of a container of parameters. */
export function printed_parameter(key: string, parameter: Tensor): string {
  return `(${key}): Parameter containing: [${dtype_name(parameter.scalar_type())} of size [${parameter.sizes().join(", ")}]]\n`;
}

export class ParameterListImpl extends Cloneable {
  constructor(...parameters: Tensor[]) {
    super();
    for (const parameter of parameters) this.append(parameter);
  }
  override reset(): void {
    // The parameters are given, not made.
  }
  override pretty_print(): string {
    const lines = this.named_parameters(false)
      .pairs()
      .map(([key, parameter]) => printed_parameter(key, parameter));
    return `torch::nn::ParameterList(\n${lines.join("")})`;
  }
  append(parameter: Tensor): void {
    this.register_parameter(String(this.size()), parameter, parameter.requires_grad());
  }
  extend(container: Iterable<Tensor>): void {
    for (const parameter of container) this.append(parameter);
  }
  at(index: number): Tensor {
    TORCH_CHECK(index >= 0 && index < this.size(), "Index out of range");
    return this.parameters(false)[index];
  }
  size(): number {
    return this.parameters(false).length;
  }
  is_empty(): boolean {
    return this.size() === 0;
  }
  [Symbol.iterator](): IterableIterator<Tensor> {
    return this.parameters(false)[Symbol.iterator]();
  }
}
export const ParameterList: ContainerHolder<typeof ParameterListImpl> = container(ParameterListImpl, "ParameterList");
