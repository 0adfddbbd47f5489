/**
 * @file The errors of a `ShapeEnv`: a program decided by a number that depends on data, or a size is not what the program's author said.
 * @mirrors torch/fx/experimental/symbolic_shapes.py
 */
import { RuntimeError } from "#c10/util/Exception";

const MODULE = "torch.fx.experimental.symbolic_shapes";

/** A program decided by a number that depends on data. */
export class GuardOnDataDependentSymNode extends RuntimeError {
  static readonly __module__ = MODULE;
  readonly cond: unknown;

  constructor(cond: unknown, message: string) {
    super(message);
    this.cond = cond;
  }
}

/** A promise of the caller about sizes does not hold for the program. */
export class ConstraintViolationError extends RuntimeError {
  static readonly __module__ = MODULE;
}

for (const [name, cls] of Object.entries({ GuardOnDataDependentSymNode, ConstraintViolationError }))
  Object.defineProperty(cls.prototype, "name", { value: name, configurable: true, writable: true });
