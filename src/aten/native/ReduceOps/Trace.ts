/**
 * @file `trace`: the sum of a matrix's diagonal.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import { check_all_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { accessor_with_stride } from "#aten/native/batch_norm";
import { fill__Scalar } from "#aten/native/Fill";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

// trace(Tensor self) -> Tensor                                                      CPU
export function trace_cpu(self: Tensor): Tensor {
  check_all_types_and2(self.scalar_type(), "trace");
  TORCH_CHECK(self.dim() === 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  const integral = isIntegralType(self.scalar_type(), true);
  const result = at.empty_memory_format([], integral ? self.options().dtype(ScalarType.Long) : self.options());
  return fill__Scalar(result, integral ? sum_of_integers(self) : sum_of_floats(self));
}

function length_of_diagonal(self: Tensor): number {
  return Math.min(self.size(0), self.size(1));
}

function sum_of_integers(self: Tensor): Scalar {
  const [view, offset, step] = [self.data_view(), self.data_offset(), self.strides()[0] + self.strides()[1]];
  let sum = 0n;
  for (let i = 0; i < length_of_diagonal(self); i++) sum += BigInt(view[offset + i * step]);
  return Scalar.fromInt(BigInt.asIntN(64, sum));
}

/** The sum of float32 is a double, that of halves a float32. */
function sum_of_floats(self: Tensor): Scalar {
  const numbers = accessor_with_stride(self, self.scalar_type(), self.strides()[0] + self.strides()[1]);
  const half = isReducedFloatingType(self.scalar_type());
  let sum = 0;
  for (let i = 0; i < length_of_diagonal(self); i++) {
    sum += numbers.get(i);
    if (half) sum = Math.fround(sum);
  }
  return Scalar.fromDouble(sum);
}

// trace_backward(Tensor grad, SymInt[] sizes) -> Tensor                             CompositeImplicitAutograd
/** In the contiguous elements of a matrix with `n` columns, the diagonal is every (n + 1)-th element. */
export function trace_backward_symint(grad: Tensor, sizes: number[]): Tensor {
  TORCH_CHECK(sizes.length === 2, "expected matrix input");
  const [rows, columns] = sizes as [number, number];
  const grad_input = at.zeros([rows * columns], grad.options());
  const indices = at.arange_start_step(
    Scalar.ZERO,
    Scalar.fromInt(Math.min(rows, columns) * (columns + 1)), // a tall matrix has more such elements, below its diagonal
    Scalar.fromInt(columns + 1),
    grad.options().dtype(ScalarType.Long),
  );
  // A subclass may refuse to be written into a plain tensor.
  const filled = areAnyTensorSubclassLike([grad])
    ? grad_input.index_fill_int_Tensor(0, indices, grad)
    : grad_input.index_fill__int_Tensor(0, indices, grad);
  return filled.view(sizes);
}
