/**
 * @file Metadata of a tensor that a custom Function keeps to make zeros like it.
 * @mirrors torch/csrc/autograd/variable_info.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { TensorOptions } from "#c10/core/TensorOptions";

export class VariableInfo {
  readonly size: readonly number[];
  readonly options: TensorOptions | null;
  readonly requires_grad: boolean;

  constructor(variable: Tensor | null = null) {
    this.size = variable === null ? [] : variable.sizes();
    this.options = variable === null ? null : variable.options();
    this.requires_grad = variable?.requires_grad() ?? false;
  }

  /** Whether it describes no tensor. */
  is_empty(): boolean {
    return this.options === null;
  }

  zeros(): Tensor {
    return at.zeros([...this.size], this.options as TensorOptions);
  }
}
