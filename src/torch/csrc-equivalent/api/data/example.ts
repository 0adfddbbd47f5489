/**
 * @file An example: data and its target.
 * @mirrors torch/csrc/api/include/torch/data/example.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

export class Example<Data = Tensor, Target = Tensor> {
  data: Data;
  target: Target;

  constructor(data: Data, target: Target) {
    this.data = data;
    this.target = target;
  }
}

/** An example without a target. */
export class TensorExample {
  data: Tensor;

  constructor(data: Tensor) {
    this.data = data;
  }
}
