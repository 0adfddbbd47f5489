/**
 * @file `nn.Dropout`.
 * @mirrors torch/nn/modules/dropout.py
 */
import { ValueError } from "#c10/util/Exception";
import { isDict } from "#torch/_C";
import type { Tensor } from "#torch/_tensor";
import * as F from "#torch/nn/functional";
import { Module } from "./module.ts";

export interface DropoutKwargs {
  p?: number;
  inplace?: boolean;
}

abstract class _DropoutNd extends Module<[input: Tensor], Tensor> {
  p: number;
  inplace: boolean;

  constructor(p: number | DropoutKwargs = 0.5, inplace: boolean | DropoutKwargs = false) {
    super();
    const named: DropoutKwargs = isDict(p)
      ? p
      : isDict(inplace)
        ? { p: p as number, ...inplace }
        : { p: p as number, inplace: inplace as boolean };
    const { p: probability = 0.5, inplace: in_place = false } = named;
    if (probability < 0 || probability > 1)
      throw new ValueError(`dropout probability has to be between 0 and 1, but got ${probability}`);
    this.p = probability;
    this.inplace = in_place;
  }

  override extra_repr(): string {
    return `p=${this.p}, inplace=${this.inplace ? "True" : "False"}`;
  }
}

/** In training, zeroes elements with probability `p` and scales the others by `1 / (1 - p)`; in evaluation, nothing. */
export class Dropout extends _DropoutNd {
  override forward(input: Tensor): Tensor {
    return F.dropout(input, this.p, this.training, this.inplace);
  }
}
