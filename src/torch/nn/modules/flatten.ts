/**
 * @file `nn.Flatten`.
 * @mirrors torch/nn/modules/flatten.py
 */
import type { Tensor } from "#torch/_tensor";
import { Module } from "./module.ts";

/** Dimensions `start_dim` to `end_dim` as one. */
export class Flatten extends Module<[input: Tensor], Tensor> {
  start_dim: number;
  end_dim: number;

  constructor(start_dim = 1, end_dim = -1) {
    super();
    this.start_dim = start_dim;
    this.end_dim = end_dim;
  }

  override forward(input: Tensor): Tensor {
    return input.flatten(this.start_dim, this.end_dim);
  }

  override extra_repr(): string {
    return `start_dim=${this.start_dim}, end_dim=${this.end_dim}`;
  }
}
