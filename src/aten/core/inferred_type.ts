/**
 * @file The type of an argument that has no annotation: a tensor, and errors say that nobody wrote it.
 * @mirrors aten/src/ATen/core/jit_type.h#TensorType::getInferred
 */
import { Type } from "./jit_type.ts";

class InferredTensorType extends Type {
  constructor() {
    super("TensorType", "Tensor");
  }

  override repr_str(): string {
    return "Tensor (inferred)";
  }
}

/** Equal to `TensorType`; only its text in errors differs. */
export const inferredTensorType: Type = new InferredTensorType();

export function isInferredType(type: Type): boolean {
  return type === inferredTensorType;
}
