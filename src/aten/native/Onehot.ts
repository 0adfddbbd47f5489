/**
 * @file `one_hot`: each class number becomes a row of zeros with a one at the class's position.
 * @mirrors aten/src/ATen/native/Onehot.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

// one_hot(Tensor self, int num_classes=-1) -> Tensor                             CompositeImplicitAutograd
export function one_hot(self: Tensor, num_classes: number): Tensor {
  TORCH_CHECK(self.scalar_type() === ScalarType.Long, "one_hot is only applicable to index tensor of type LongTensor.");
  if (self.is_meta()) {
    // No value may be read, unless the number of classes must be found.
    const n = num_classes === -1 ? self.max().item().toLong() + 1 : num_classes;
    const index = at.arange(Scalar.fromInt(n), self.options());
    return at.eq_Tensor(self.unsqueeze(-1), index).to_dtype(ScalarType.Long);
  }
  if (self.numel() === 0) {
    TORCH_CHECK(num_classes > 0, "Can not infer total number of classes from empty tensor.");
    return at.empty_memory_format([...self.sizes(), num_classes], self.options());
  }
  const [least, greatest] = at.aminmax(self);
  TORCH_CHECK(least.item().toLong() >= 0, "Class values must be non-negative.");
  const largest = greatest.item().toLong();
  const classes = num_classes === -1 ? largest + 1 : num_classes;
  TORCH_CHECK(classes > largest, "Class values must be smaller than num_classes.");
  const result = at.zeros([...self.sizes(), classes], self.options());
  return result.scatter__value(-1, self.unsqueeze(-1), Scalar.ONE);
}
