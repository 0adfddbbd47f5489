/**
 * @file `addr`: an outer product added to a matrix.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 * @differs The kernel is a composition of operators, which a profile shows; PyTorch's is one loop.
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { resize_output } from "#aten/native/Resize";
import type { Scalar } from "#c10/core/Scalar";
import { canCast, isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

function check_addr_scalar(dtype: ScalarType, scalar: Scalar, scalar_name: string): void {
  TORCH_CHECK(
    !scalar.isBoolean() || dtype === ScalarType.Bool,
    "Boolean ",
    scalar_name,
    " only supported for Boolean results.",
  );
  TORCH_CHECK(
    isIntegralType(dtype, true) ? scalar.isIntegral(true) : true,
    "For integral input tensors, argument ",
    scalar_name,
    " must not be a floating point number.",
  );
}

function check_1d(t: Tensor, arg: string): void {
  TORCH_CHECK(t.dim() === 1, "addr: Expected 1-D argument ", arg, ", but got ", t.dim(), "-D");
}

/** `self` expanded to the product's shape, and the common dtype of all three. */
function prepare(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Scalar, alpha: Scalar): [Tensor, ScalarType] {
  check_1d(vec1, "vec1");
  check_1d(vec2, "vec2");
  const shape = [vec1.size(0), vec2.size(0)];
  const expanded = sizes_equal(self.sizes(), shape) ? self : self.expand(shape);
  const dtype = at.result_type_Tensor(at.empty_memory_format([1, 1], expanded.options()), at.outer(vec1, vec2));
  check_addr_scalar(dtype, beta, "beta");
  check_addr_scalar(dtype, alpha, "alpha");
  return [expanded, dtype];
}

/** beta * self + alpha * vec1 * vec2. If beta is 0, the values of `self` are ignored, even NaN. */
function compute(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  const [matrix, dtype] = prepare(self, vec1, vec2, beta, alpha);
  const [column, row] = [vec1.to_dtype(dtype).unsqueeze(1), vec2.to_dtype(dtype)];
  if (dtype === ScalarType.Bool) {
    const product = alpha.toBool() ? column.logical_and(row) : at.zeros_like(matrix);
    return beta.toBool() ? matrix.logical_or(product) : product;
  }
  const factor = (scalar: Scalar): Tensor => at.scalar_tensor(scalar, row.options()); // rounded like the elements
  const product = column.mul_Tensor(factor(alpha)).mul_Tensor(row);
  return beta.equal(0) ? product : matrix.to_dtype(dtype).mul_Tensor(factor(beta)).add_Tensor(product);
}

// addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor   CPU
export function addr(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  return compute(self, vec1, vec2, beta, alpha);
}

// addr.out                                                                          CPU
export function addr_out(
  self: Tensor,
  vec1: Tensor,
  vec2: Tensor,
  beta: Scalar,
  alpha: Scalar,
  result: Tensor,
): Tensor {
  return copy_checked(compute(self, vec1, vec2, beta, alpha), result);
}

function copy_checked(value: Tensor, result: Tensor): Tensor {
  TORCH_CHECK(
    canCast(value.scalar_type(), result.scalar_type()),
    "result type ",
    toString(value.scalar_type()),
    " can't be cast to the desired output type ",
    toString(result.scalar_type()),
  );
  resize_output(result, value.sizes());
  return result.copy_(value);
}

// addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)
//                                                                                    CompositeExplicitAutograd
export function addr_(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  check_1d(vec1, "vec1");
  check_1d(vec2, "vec2");
  TORCH_CHECK(self.dim() === 2, "2D tensor expected, got ", self.dim(), "D tensor for input");
  TORCH_CHECK(
    self.size(0) === vec1.size(0) && self.size(1) === vec2.size(0),
    "size mismatch, input: ",
    self.sizes(),
    ", v1: ",
    vec1.sizes(),
    ", v2: ",
    vec2.sizes(),
  );
  return at.addr_out(self, vec1, vec2, beta, alpha, self);
}

// addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor   CompositeExplicitAutograd
/** Composite `addr` for backends without a kernel. */
export function math_addr(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  const product = vec1.outer(vec2);
  const scaled = alpha.equal(1) ? product : product.mul_Scalar(alpha);
  if (beta.equal(0)) return scaled;
  return (beta.equal(1) ? self : self.mul_Scalar(beta)).add_Tensor(scaled);
}

// addr.out                                                                          CompositeExplicitAutograd
export function math_addr_out(
  self: Tensor,
  vec1: Tensor,
  vec2: Tensor,
  beta: Scalar,
  alpha: Scalar,
  result: Tensor,
): Tensor {
  return copy_checked(at.addr(self, vec1, vec2, beta, alpha), result);
}
