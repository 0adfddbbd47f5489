/**
 * @file Distances between all rows of two matrices (`cdist`), or of one (`pdist`).
 * @mirrors aten/src/ATen/native/Distance.cpp
 * @see cpu/DistanceOpsKernel.ts (the arithmetic)
 */
import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export const pdist_forward_stub =
  DEFINE_DISPATCH<(result: Tensor, self: Tensor, p: number) => void>("pdist_forward_stub");
export const pdist_backward_stub =
  DEFINE_DISPATCH<(result: Tensor, grad: Tensor, self: Tensor, p: number, dist: Tensor) => void>("pdist_backward_stub");
/** x1 is (B, P, M), x2 is (B, R, M), result and dist are (B, P, R); all are contiguous. */
export const cdist_stub = DEFINE_DISPATCH<(result: Tensor, x1: Tensor, x2: Tensor, p: number) => void>("cdist_stub");
export const cdist_backward_stub =
  DEFINE_DISPATCH<(result: Tensor, grad: Tensor, x1: Tensor, x2: Tensor, p: number, dist: Tensor) => void>(
    "cdist_backward_stub",
  );

const TWO = Scalar.fromInt(2);

// cdist ---------------------------------------------------------------------------------------------------------------------

function check_cdist(x1: Tensor, x2: Tensor): void {
  TORCH_CHECK(x1.dim() >= 2, "cdist only supports at least 2D tensors, X1 got: ", x1.dim(), "D");
  TORCH_CHECK(x2.dim() >= 2, "cdist only supports at least 2D tensors, X2 got: ", x2.dim(), "D");
  TORCH_CHECK(
    x1.size(-1) === x2.size(-1),
    "X1 and X2 must have the same number of columns. X1: ",
    x1.size(-1),
    " X2: ",
    x2.size(-1),
  );
}

// Note [Distances through a product]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// a - b|^2 = |a|^2 - 2 a.b + |b|^2. With p = 2 and many rows, one matrix product gives all distances, although less exactly. This way is a composite of operators that have derivatives. So `cdist` must choose it before it calls `_cdist_forward`, which has a derivative of its own.
function uses_mm(x1: Tensor, x2: Tensor, p: number, mode: number): boolean {
  return p === 2 && (mode === 1 || (mode === 0 && (x1.size(-2) > 25 || x2.size(-2) > 25)));
}

/** Broadcasts the batch dims of both. */
function expand_batches(x1: Tensor, x2: Tensor): [batch: number[], x1: Tensor, x2: Tensor] {
  const batch = infer_size_dimvector(x1.sizes().slice(0, -2), x2.sizes().slice(0, -2));
  const batches = batch.reduce((n, size) => n * size, 1);
  const rows = (x: Tensor): Tensor => {
    const expanded = x.expand([...batch, x.size(-2), x.size(-1)]).contiguous();
    return expanded.view([batches, x.size(-2), x.size(-1)]);
  };
  return [batch, rows(x1), rows(x2)];
}

function cdist_impl(x1: Tensor, x2: Tensor, p: number, compute_mode: number | null): Tensor {
  for (const [name, x] of [
    ["X1", x1],
    ["X2", x2],
  ] as const)
    TORCH_CHECK(
      isFloatingType(x.scalar_type()),
      "cdist only supports floating-point dtypes, ",
      name,
      " got: ",
      toString(x.scalar_type()),
    );
  TORCH_CHECK(p >= 0, "cdist only supports non-negative p values");
  const mode = compute_mode ?? 0;
  TORCH_CHECK(mode >= 0 && mode <= 2, "possible modes: 0, 1, 2, but was: ", mode);
  const [r1, r2, columns] = [x1.size(-2), x2.size(-2), x1.size(-1)];
  const [batch, rows1, rows2] = expand_batches(x1, x2);
  const batches = batch.reduce((n, size) => n * size, 1);
  const output_shape = [...batch, r1, r2];
  if (r1 === 0 || r2 === 0 || batches === 0) return at.empty_memory_format(output_shape, x1.options());
  if (columns === 0) return at.zeros(output_shape, x1.options());
  if (uses_mm(x1, x2, p, mode)) {
    const distances = batches === 1 ? at._euclidean_dist(x1, x2) : at._euclidean_dist(rows1, rows2);
    return distances.view(output_shape);
  }
  const result = at.empty_memory_format(output_shape, x1.options());
  cdist_stub.call(x1.device_type(), result, rows1, rows2, p);
  return result;
}

// cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor         CompositeImplicitAutograd
export function cdist(x1: Tensor, x2: Tensor, p: number, compute_mode: number | null): Tensor {
  check_cdist(x1, x2);
  // The node must exist even if there are no elements.
  if (x1.numel() !== 0 && x2.numel() !== 0 && uses_mm(x1, x2, p, compute_mode ?? 0))
    return cdist_impl(x1, x2, p, compute_mode);
  return at._cdist_forward(x1, x2, p, compute_mode);
}

// _cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor        CPU
export function _cdist_forward(x1: Tensor, x2: Tensor, p: number, compute_mode: number | null): Tensor {
  check_cdist(x1, x2);
  return cdist_impl(x1, x2, p, compute_mode);
}

// _cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor   CPU
/** The gradient has x1's full batch; the engine sums over broadcast dims. */
export function _cdist_backward(grad: Tensor, x1_: Tensor, x2_: Tensor, p: number, dist: Tensor): Tensor {
  const [columns] = [x1_.size(-1), x2_.size(-1)];
  const [r1, r2] = [x1_.size(-2), x2_.size(-2)];
  const batch = infer_size_dimvector(x1_.sizes().slice(0, -2), x2_.sizes().slice(0, -2));
  const batches = batch.reduce((n, size) => n * size, 1);
  if (r1 === 0 || r2 === 0 || columns === 0 || batches === 0) return at.zeros_like(x1_);
  const expanded = (x: Tensor): Tensor => {
    const sizes = [...batch, x.size(-2), x.size(-1)];
    return sizes_equal(x.sizes(), sizes) ? x : x.expand(sizes).contiguous();
  };
  const [x1, x2] = [expanded(x1_).contiguous(), expanded(x2_).contiguous()];
  const grad_x1 = at.empty_memory_format([batches, r1, columns], x1.options());
  cdist_backward_stub.call(x1.device_type(), grad_x1, grad.contiguous(), x1, x2, p, dist.contiguous());
  return grad_x1.view(x1.sizes() as number[]);
}

// _euclidean_dist(Tensor x1, Tensor x2) -> Tensor                                   CompositeExplicitAutograd
/** See Note [Distances through a product]; the squares are two additional columns. */
export function _euclidean_dist(x1: Tensor, x2: Tensor): Tensor {
  const x1_norm = x1.pow_Tensor_Scalar(TWO).sum_dim_IntList([-1], true);
  const x2_norm = x2.pow_Tensor_Scalar(TWO).sum_dim_IntList([-1], true);
  const x1_ = at.cat([x1.mul_Scalar(Scalar.fromInt(-2)), x1_norm, at.ones_like(x1_norm)], -1);
  const x2_ = at.cat([x2, at.ones_like(x2_norm), x2_norm], -1);
  return x1_.matmul(x2_.mT()).clamp_min_(Scalar.ZERO).sqrt_();
}

// pdist ---------------------------------------------------------------------------------------------------------------------

// pdist(Tensor self, float p=2) -> Tensor                                           CompositeImplicitAutograd
/** Distances of n rows: n (n - 1) / 2 numbers, row 0 to each later row, row 1 to each later row, ... */
export function pdist(self: Tensor, p: number): Tensor {
  TORCH_CHECK(self.dim() === 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  TORCH_CHECK(isFloatingType(self.scalar_type()), "pdist only supports floating-point dtypes");
  TORCH_CHECK(p >= 0, "pdist only supports non-negative p values");
  return at._pdist_forward(self.contiguous(), p); // backward reads it, too
}

// _pdist_forward(Tensor self, float p=2) -> Tensor                                  CPU
export function _pdist_forward(self: Tensor, p: number): Tensor {
  TORCH_CHECK(self.is_contiguous(), "_pdist_forward requires contiguous input");
  const n = self.size(0);
  const result = at.empty_memory_format([0], self.options());
  result.resize_([n <= 1 ? 0 : (n * (n - 1)) / 2]);
  if (n <= 1) return result;
  if (self.size(1) === 0) result.fill__Scalar(Scalar.ZERO);
  else pdist_forward_stub.call(self.device_type(), result, self, p);
  return result;
}

// _pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor        CPU
export function _pdist_backward(grad: Tensor, self: Tensor, p: number, dist: Tensor): Tensor {
  TORCH_CHECK(self.is_contiguous(), "_pdist_backward requires self to be contiguous");
  TORCH_CHECK(dist.is_contiguous(), "_pdist_backward requires pdist to be contiguous");
  const result = at.empty_like(self, self.options(), MemoryFormat.Contiguous);
  pdist_backward_stub.call(self.device_type(), result, grad, self, p, dist);
  return result;
}
