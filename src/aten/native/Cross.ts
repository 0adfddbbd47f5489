/**
 * @file Cross product of vectors with three elements.
 * @mirrors aten/src/ATen/native/Cross.cpp
 * @differs Ours computes the three components as products of whole slices, without the dispatcher; PyTorch loops over
 * the vectors, in a stub.
 */
import { empty_cpu_options } from "#aten/EmptyTensor";
import { infer_size_dimvector } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_overlap } from "#aten/MemoryOverlap";
import { add_stub, mul_stub } from "#aten/native/BinaryOps/index";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { TensorIterator } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_WARN_ONCE } from "#c10/util/Exception";

export abstract class structured_linalg_cross extends MetaBase {
  meta(self: Tensor, other: Tensor, dim: number): void {
    TORCH_CHECK(self.dim() === other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
    TORCH_CHECK(
      self.size(dim) === 3 && other.size(dim) === 3,
      "linalg.cross: inputs dimension ",
      dim,
      " must have length 3. Got ",
      self.size(dim),
      " and ",
      other.size(dim),
    );
    const shape = infer_size_dimvector(self.sizes(), other.sizes());
    this.set_output_raw_strided(0, shape, [], self.options());
  }
}

// linalg_cross.out                                                                  CPU
export abstract class structured_linalg_cross_out extends structured_linalg_cross {
  impl(self: Tensor, other: Tensor, dim_: number, result: Tensor): void {
    const dim = maybe_wrap_dim(dim_, self.dim());
    assert_no_overlap(result, self);
    assert_no_overlap(result, other);
    TORCH_CHECK_NOT_IMPLEMENTED(result.scalar_type() !== ScalarType.Bool, `"cross" not implemented for 'Bool'`);
    for (const t of [self, other]) check_type(t, result.scalar_type());
    const shape = result.sizes() as number[];
    const [a, b] = [self.expand(shape), other.expand(shape)];
    for (const i of [0, 1, 2]) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      const ahead = product(component(a, dim, j), component(b, dim, k));
      const behind = product(component(a, dim, k), component(b, dim, j));
      const iter = TensorIterator.binary_op(component(result, dim, i), ahead, behind);
      add_stub.call(iter.device_type(), iter, Scalar.fromInt(-1));
    }
  }
}

/** The elements at place `i` along `dim`. */
function component(t: Tensor, dim: number, i: number): Tensor {
  const [sizes, strides] = [t.sizes().toSpliced(dim, 1), t.strides().toSpliced(dim, 1)];
  return as_strided_tensorimpl(t, sizes, strides, t.storage_offset() + i * t.strides()[dim]);
}

function product(a: Tensor, b: Tensor): Tensor {
  const out = empty_cpu_options(a.sizes(), a.options());
  const iter = TensorIterator.binary_op(out, a, b);
  mul_stub.call(iter.device_type(), iter);
  return out;
}

// linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor                  ZeroTensor
export function linalg_cross_zerotensor(self: Tensor, other: Tensor, _dim: number): Tensor {
  const shape = infer_size_dimvector(self.sizes(), other.sizes());
  return at._efficientzerotensor(shape, self.options());
}

function default_cross_dim(dim: number | null, sizes: readonly number[]): number {
  if (dim !== null) return dim;
  const first = sizes.indexOf(3);
  TORCH_CHECK(first >= 0, "no dimension of size 3 in input");
  return first;
}

// cross(Tensor self, Tensor other, int? dim=None) -> Tensor                         CompositeImplicitAutograd
export function cross(self: Tensor, other: Tensor, dimension: number | null): Tensor {
  if (dimension === null)
    TORCH_WARN_ONCE(
      "Using torch.cross without specifying the dim arg is deprecated.\n",
      "Please either pass the dim explicitly or simply use torch.linalg.cross.\n",
      "The default value of dim will change to agree with that of linalg.cross in a future release.",
    );
  return at.linalg_cross(self, other, default_cross_dim(dimension, self.sizes()));
}

export function cross_out(self: Tensor, other: Tensor, dimension: number | null, out: Tensor): Tensor {
  return at.linalg_cross_out(self, other, default_cross_dim(dimension, self.sizes()), out);
}
