/**
 * @file Modules of the pointwise nonlinearities.
 * @mirrors torch/nn/modules/activation.py
 */

import { isDict, repr } from "#torch/_C";
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional";
import * as init from "#torch/nn/init";
import { Parameter } from "#torch/nn/parameter";
import type { FactoryKwargs } from "./linear.ts";
import { Module } from "./module.ts";

/** `max(0, x)`. */
export class ReLU extends Module<[input: Tensor], Tensor> {
  inplace: boolean;

  constructor(inplace: boolean | { inplace?: boolean } = false) {
    super();
    this.inplace = isDict(inplace) ? (inplace.inplace ?? false) : inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.relu(input, this.inplace);
  }

  override extra_repr(): string {
    return this.inplace ? "inplace=True" : "";
  }
}

/** `max(0, x) + weight * min(0, x)`, with a learned weight, one or one per channel. */
export class PReLU extends Module<[input: Tensor], Tensor> {
  num_parameters: number;
  init: number;
  weight: Parameter;

  constructor(
    num_parameters: number | (FactoryKwargs & { num_parameters?: number; init?: number }) = 1,
    init_value: number | (FactoryKwargs & { init?: number }) = 0.25,
    kwargs: FactoryKwargs = {},
  ) {
    super();
    const named = isDict(num_parameters)
      ? num_parameters
      : isDict(init_value)
        ? { num_parameters, ...init_value }
        : { num_parameters, init: init_value as number, ...kwargs };
    const {
      num_parameters: count = 1,
      init: value = 0.25,
      ...factory_kwargs
    } = named as FactoryKwargs & { num_parameters?: number; init?: number };
    this.num_parameters = count;
    this.init = value;
    this.weight = new Parameter(torch.empty(count, factory_kwargs));
    this.reset_parameters();
  }

  reset_parameters(): void {
    init.constant_(this.weight, this.init);
  }

  override forward(input: Tensor): Tensor {
    return F.prelu(input, this.weight);
  }

  override extra_repr(): string {
    return `num_parameters=${this.num_parameters}`;
  }
}

/** `1 / (1 + exp(-x))`, element by element. */
export class Sigmoid extends Module<[input: Tensor], Tensor> {
  override forward(input: Tensor): Tensor {
    return torch.sigmoid(input);
  }
}

/** The hyperbolic tangent, element by element. */
export class Tanh extends Module<[input: Tensor], Tensor> {
  override forward(input: Tensor): Tensor {
    return torch.tanh(input);
  }
}

/** `value` where `x <= threshold`, else `x`. */
export class Threshold extends Module<[input: Tensor], Tensor> {
  threshold: number;
  value: number;
  inplace: boolean;

  constructor(threshold: number, value: number, inplace = false) {
    super();
    this.threshold = threshold;
    this.value = value;
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.threshold(input, this.threshold, this.value, this.inplace);
  }

  override extra_repr(): string {
    return `threshold=${repr(this.threshold)}, value=${repr(this.value)}${this.inplace ? ", inplace=True" : ""}`;
  }
}

/** Exponentials along `dim`, divided by their sum. */
export class Softmax extends Module<[input: Tensor], Tensor> {
  dim: number | null;

  constructor(dim: number | null | { dim?: number | null } = null) {
    super();
    this.dim = isDict(dim) ? (dim.dim ?? null) : dim;
  }

  override forward(input: Tensor): Tensor {
    return F.softmax(input, this.dim);
  }

  override extra_repr(): string {
    return `dim=${repr(this.dim)}`;
  }
}

/** The logarithm of `Softmax`, computed in one. */
export class LogSoftmax extends Module<[input: Tensor], Tensor> {
  dim: number | null;

  constructor(dim: number | null | { dim?: number | null } = null) {
    super();
    this.dim = isDict(dim) ? (dim.dim ?? null) : dim;
  }

  override forward(input: Tensor): Tensor {
    return F.log_softmax(input, this.dim);
  }

  override extra_repr(): string {
    return `dim=${repr(this.dim)}`;
  }
}
