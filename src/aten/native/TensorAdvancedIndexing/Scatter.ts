/**
 * @file `gather` and `scatter` along one dim: reading from, or writing to, the positions in an index tensor.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.h
 * @see index.ts (indexing by lists of tensors, from the same PyTorch file)
 */

import { check_all_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { assert_no_internal_overlap, assert_no_overlap, assert_no_partial_overlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { scalar_tensor_static } from "#aten/ScalarOps";
import { MetaBase } from "#aten/TensorMeta";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";

type GatherFn = (result: Tensor, self: Tensor, dim: number, index: Tensor) => void;
type ScatterFn = (self: Tensor, dim: number, index: Tensor, src: Tensor) => void;
export const gather_stub = DEFINE_DISPATCH<GatherFn>("gather_stub");
export const scatter_stub = DEFINE_DISPATCH<ScatterFn>("scatter_stub");
export const scatter_add_stub = DEFINE_DISPATCH<ScatterFn>("scatter_add_stub");
export const scatter_multiply_stub = DEFINE_DISPATCH<ScatterFn>("scatter_multiply_stub");

/** Number of dims; a 0-dim tensor counts as one with a single element along its only dim. */
function dims(t: Tensor): number {
  return Math.max(t.dim(), 1);
}
export function size_at(t: Tensor, dim: number): number {
  return t.dim() === 0 ? 1 : t.size(dim);
}

// Checks -----------------------------------------------------------------------------------------------------------------

function check_index_dtype(method: string, index: Tensor): void {
  const dtype = index.scalar_type();
  TORCH_CHECK(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    method,
    "(): Expected dtype int32/int64 for index",
  );
}

function scatter_gather_dtype_check(
  method: "gather" | "scatter",
  self: Tensor,
  index: Tensor,
  src: Tensor | null,
): void {
  if (index.numel() !== 0) check_index_dtype(method, index);
  if (src !== null)
    TORCH_CHECK(self.scalar_type() === src.scalar_type(), method, "(): Expected self.dtype to be equal to src.dtype");
}

function gather_shape_check(self: Tensor, dim: number, index: Tensor): void {
  TORCH_CHECK(dims(self) === dims(index), "Index tensor must have the same number of dimensions as input tensor");
  for (let d = 0; d < dims(self); d++) {
    if (d === dim || size_at(index, d) <= size_at(self, d)) continue;
    TORCH_CHECK(
      false,
      "Size does not match at dimension ",
      d,
      " expected index ",
      index.sizes(),
      " to be no larger than self ",
      self.sizes(),
      " apart from dimension ",
      dim,
    );
  }
}

function scatter_shape_check(self: Tensor, dim: number, index: Tensor, src: Tensor | null): void {
  if (index.numel() === 0) return;
  TORCH_CHECK(dims(self) === dims(index), "Index tensor must have the same number of dimensions as self tensor");
  let fits = true;
  for (let d = 0; d < dims(self); d++) if (d !== dim && size_at(index, d) > size_at(self, d)) fits = false;
  if (src === null) {
    TORCH_CHECK(
      fits,
      "Expected index ",
      index.sizes(),
      " to be no larger than self ",
      self.sizes(),
      " apart from dimension ",
      dim,
    );
    return;
  }
  for (let d = 0; d < dims(self); d++) if (size_at(index, d) > size_at(src, d)) fits = false;
  TORCH_CHECK(dims(src) === dims(index), "Index tensor must have the same number of dimensions as src tensor");
  TORCH_CHECK(
    fits,
    "Expected index ",
    index.sizes(),
    " to be no larger than self ",
    self.sizes(),
    " apart from dimension ",
    dim,
    " and to be no larger size than src ",
    src.sizes(),
  );
}

// gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!)     CPU
export abstract class structured_gather extends MetaBase {
  meta(self: Tensor, dim: number, index: Tensor, _sparse_grad: boolean): void {
    const wrapped = maybe_wrap_dim(dim, self.dim());
    const given = this.maybe_get_output(0);
    const check_result = given?.defined() === true;
    // The output is announced before any check: an `out` of a wrong dtype is reported first, and its memory is checked
    // after the resize.
    this.set_output_raw_strided(0, index.sizes(), [], self.options());
    if (check_result) {
      assert_no_internal_overlap(given);
      assert_no_overlap(given, self);
      assert_no_partial_overlap(given, index);
    }
    if (index.numel() === 0) return;
    check_index_dtype("gather", index);
    gather_shape_check(self, wrapped, index);
  }
}
export abstract class structured_gather_out extends structured_gather {
  impl(self: Tensor, dim: number, index: Tensor, _sparse_grad: boolean, result: Tensor): void {
    if (index.numel() === 0) return;
    gather_stub.call(
      result.device_type(),
      result,
      self,
      maybe_wrap_dim(dim, self.dim()),
      index.to_dtype(ScalarType.Long),
    );
  }
}

// scatter ----------------------------------------------------------------------------------------------------------------

/** A number as a tensor of the index's shape with all strides 0. */
function everywhere(value: Scalar, self: Tensor, index: Tensor): Tensor {
  check_all_types_and3(self.scalar_type(), "scatter_gather_scalar_cpu");
  value.to(self.scalar_type()); // refuses a number that does not fit, for halves too
  const one = scalar_tensor_static(value, self.scalar_type(), self.device());
  return as_strided_tensorimpl(one, [...index.sizes()], new Array<number>(index.dim()).fill(0), null);
}

export abstract class structured_scatter_base extends MetaBase {
  protected announce(self: Tensor, dim: number, index: Tensor, src: Tensor | null, reduce: string | null): void {
    const wrapped = maybe_wrap_dim(dim, self.dim());
    scatter_gather_dtype_check("scatter", self, index, src); // the name is the same for all scatter operators
    scatter_shape_check(self, wrapped, index, src);
    const given = this.maybe_get_output(0);
    if (given?.defined()) {
      assert_no_internal_overlap(given);
      assert_no_overlap(given, index);
      if (src !== null) assert_no_overlap(given, src);
    }
    this.set_output_raw_strided(0, self.sizes(), [], self.options());
    if (reduce !== null)
      TORCH_CHECK(reduce === "add" || reduce === "multiply", "reduce argument must be either add or multiply.");
  }

  protected run(
    self: Tensor,
    dim: number,
    index: Tensor,
    src_or_value: Tensor | Scalar,
    reduce: string | null,
    out: Tensor,
  ): void {
    if (!self.is_same(out)) out.copy_(self);
    if (index.numel() === 0) return; // then not even the value's dtype is checked
    const src = src_or_value instanceof Scalar ? everywhere(src_or_value, self, index) : src_or_value;
    const stub = reduce === null ? scatter_stub : reduce === "add" ? scatter_add_stub : scatter_multiply_stub;
    stub.call(self.device_type(), out, maybe_wrap_dim(dim, self.dim()), index.to_dtype(ScalarType.Long), src);
  }
}

// scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)            CPU
export abstract class structured_scatter_src extends structured_scatter_base {
  meta(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
    this.announce(self, dim, index, src, null);
  }
}
export abstract class structured_scatter_src_out extends structured_scatter_src {
  impl(self: Tensor, dim: number, index: Tensor, src: Tensor, out: Tensor): void {
    this.run(self, dim, index, src, null, out);
  }
}

// scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)        CPU
export abstract class structured_scatter_value extends structured_scatter_base {
  meta(self: Tensor, dim: number, index: Tensor, _value: Scalar): void {
    this.announce(self, dim, index, null, null);
  }
}
export abstract class structured_scatter_value_out extends structured_scatter_value {
  impl(self: Tensor, dim: number, index: Tensor, value: Scalar, out: Tensor): void {
    this.run(self, dim, index, value, null, out);
  }
}

// scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) -> Tensor(a!)     CPU
export abstract class structured_scatter_reduce extends structured_scatter_base {
  meta(self: Tensor, dim: number, index: Tensor, src: Tensor, reduce: string): void {
    TORCH_WARN_ONCE(
      "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed ",
      "in a future PyTorch release. Use torch.scatter_reduce instead for more reduction options.",
    );
    this.announce(self, dim, index, src, reduce);
  }
}
export abstract class structured_scatter_reduce_out extends structured_scatter_reduce {
  impl(self: Tensor, dim: number, index: Tensor, src: Tensor, reduce: string, out: Tensor): void {
    this.run(self, dim, index, src, reduce, out);
  }
}

// scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor(a!) out) -> Tensor(a!)   CPU
export abstract class structured_scatter_value_reduce extends structured_scatter_base {
  meta(self: Tensor, dim: number, index: Tensor, _value: Scalar, reduce: string): void {
    this.announce(self, dim, index, null, reduce);
  }
}
export abstract class structured_scatter_value_reduce_out extends structured_scatter_value_reduce {
  impl(self: Tensor, dim: number, index: Tensor, value: Scalar, reduce: string, out: Tensor): void {
    this.run(self, dim, index, value, reduce, out);
  }
}

// scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)            CPU
// The YAML gives the kernel the operator's name, so meta and impl are in one class.
export abstract class structured_scatter_add extends structured_scatter_base {
  meta(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
    this.announce(self, dim, index, src, null);
  }
  impl(self: Tensor, dim: number, index: Tensor, src: Tensor, out: Tensor): void {
    this.run(self, dim, index, src, "add", out);
  }
}

// gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor         CompositeImplicitAutograd
export function gather_backward(grad: Tensor, self: Tensor, dim: number, index: Tensor, sparse_grad: boolean): Tensor {
  TORCH_CHECK(!sparse_grad, "gather_backward: there are no sparse tensors here");
  const result = grad.new_zeros([...self.sizes()]);
  if (areAnyTensorSubclassLike([result, grad])) return result.scatter_add(dim, index, grad);
  return result.scatter_add_(dim, index, grad);
}
