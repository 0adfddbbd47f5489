/**
 * @file Transforms of examples and of batches.
 * @mirrors torch/csrc/api/include/torch/data/transforms.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { tensor_from_numpy } from "../../utils/tensor_numpy.ts";
import { Example, TensorExample } from "./example.ts";

/** Makes something of a batch. */
export abstract class BatchTransform<Input, Output> {
  abstract apply_batch(input: Input): Output;
}
/** Makes something of each example. */
export abstract class Transform<Input, Output> extends BatchTransform<readonly Input[], Output[]> {
  abstract apply(input: Input): Output;
  override apply_batch(inputs: readonly Input[]): Output[] {
    return inputs.map((input) => this.apply(input));
  }
}

/** A function of a batch. */
export class BatchLambda<Input, Output> extends BatchTransform<Input, Output> {
  private readonly function_: (input: Input) => Output;

  constructor(fn: (input: Input) => Output) {
    super();
    this.function_ = fn;
  }
  override apply_batch(input: Input): Output {
    return this.function_(input);
  }
}
/** A function of an example. */
export class Lambda<Input, Output = Input> extends Transform<Input, Output> {
  private readonly function_: (input: Input) => Output;

  constructor(fn: (input: Input) => Output) {
    super();
    this.function_ = fn;
  }
  override apply(input: Input): Output {
    return this.function_(input);
  }
}

/** A function of the data of an example; the target stays. */
export class TensorLambda<Target = Tensor> extends Transform<Example<Tensor, Target>, Example<Tensor, Target>> {
  private readonly function_: (data: Tensor) => Tensor;

  constructor(fn: (data: Tensor) => Tensor) {
    super();
    this.function_ = fn;
  }
  override apply(input: Example<Tensor, Target>): Example<Tensor, Target> {
    return new Example(this.function_(input.data), input.target);
  }
}
/** `(data - mean) / stddev`, one of each for a channel of `(C, H, W)`, or one for all. */
export class Normalize<Target = Tensor> extends TensorLambda<Target> {
  constructor(mean: number | readonly number[], stddev: number | readonly number[]) {
    const [m, s] = [mean, stddev].map((v) => tensor_from_numpy(Float32Array.from([v].flat())).view([-1, 1, 1]));
    super((data) => data.sub_Tensor(m).div_Tensor(s));
  }
}

/** Joins the examples of a batch along a new first dimension. */
export class Stack<E extends Example | TensorExample = Example> extends BatchTransform<readonly E[], E> {
  override apply_batch(examples: readonly E[]): E {
    const data = at.stack(examples.map((example) => example.data));
    if (!(examples[0] instanceof Example)) return new TensorExample(data) as E;
    return new Example(data, at.stack((examples as readonly Example[]).map(({ target }) => target))) as E;
  }
}
