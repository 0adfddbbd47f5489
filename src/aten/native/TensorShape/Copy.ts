/**
 * @file View operators as copies (`view_copy`, `select_copy`) that codegen does not generate from the view. The others
 * are in generated/CompositeViewCopyKernels.ts: the view, then `clone`.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { resize_, resize_output_check } from "#aten/native/Resize";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_CHECK_INDEX, unmet } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

// narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!)     CPU
export function narrow_copy_dense_cpu_out(
  self: Tensor,
  dim_: number,
  start_: number,
  length: number,
  out: Tensor,
): Tensor {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  TORCH_CHECK(self.scalar_type() === out.scalar_type(), unmet("self.dtype() == output.dtype()"));
  TORCH_CHECK(dim_ < self.dim(), unmet("dim < static_cast<int64_t>(self_sizes.size())"));
  const dim = maybe_wrap_dim(dim_, self.dim());
  const self_contig = self.contiguous();
  const size = self.sizes()[dim];
  TORCH_CHECK_INDEX(
    -size <= start_ && start_ <= size,
    "start out of range (expected to be in range of [",
    -size,
    ", ",
    size,
    "], but got ",
    start_,
    ")",
  );
  const start = start_ < 0 ? start_ + size : start_;
  TORCH_CHECK(
    length >= 0 && start <= size - length,
    "start (",
    start,
    ") + length (",
    length,
    ") exceeds dimension size (",
    size,
    ").",
  );
  resize_(out, self.sizes().with(dim, length), null);
  const sizes = self_contig.sizes(); // the new sizes, if `out` is `self`
  const unit = numel_of(sizes.slice(dim + 1));
  copy_blocks(out, self_contig, start * unit, [numel_of(sizes.slice(0, dim)), sizes[dim] * unit, length * unit]);
  return out;
}

function numel_of(sizes: readonly number[]): number {
  return sizes.reduce((n, size) => n * size, 1);
}

/**
 * Copies `n` blocks that are contiguous in both tensors. The strides of `out` are ignored; blocks that do not fit are
 * not written.
 */
function copy_blocks(
  out: Tensor,
  self: Tensor,
  first: number,
  [n, src_block, dst_block]: readonly [number, number, number],
): void {
  const [to, from] = [out.impl_.data_view(), self.impl_.data_view()];
  for (let i = 0; i < n; i++) {
    const at = out.impl_.data_offset() + i * dst_block;
    const src = self.impl_.data_offset() + first + i * src_block;
    to.set(from.subarray(src, src + Math.min(dst_block, to.length - at)) as never, at); // both have one dtype
  }
}

// narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor     CPU
export function narrow_copy_dense_cpu(self: Tensor, dim: number, start: number, length: number): Tensor {
  return narrow_copy_dense_cpu_out(self, dim, start, length, at.empty_memory_format([0], self.options()));
}

// CompositeExplicitAutogradNonFunctional
export function narrow_copy_dense_symint(self: Tensor, dim: number, start: number, length: number): Tensor {
  return self.narrow(dim, start, length).clone(MemoryFormat.Contiguous);
}

function check_count(name: string, out: readonly Tensor[], parts: readonly Tensor[]): void {
  TORCH_CHECK(
    out.length === parts.length,
    name,
    " expected an out= argument of size ",
    parts.length,
    ", got size ",
    out.length,
  );
}

function copy_parts(out: readonly Tensor[], parts: readonly Tensor[]): void {
  for (const [i, part] of parts.entries()) {
    if (resize_output_check(out[i], part.sizes())) out[i].resize_(part.sizes().slice()); // counts as a resize by the user
    TORCH_CHECK(
      out[i].scalar_type() === part.scalar_type(),
      "Expected out tensor to have dtype ",
      typeMetaName(part.scalar_type()),
      ", but got ",
      typeMetaName(out[i].scalar_type()),
      " instead",
    );
    TORCH_CHECK(
      out[i].device().eq(part.device()),
      "Expected out tensor to have device ",
      part.device(),
      ", but got ",
      out[i].device(),
      " instead",
    );
    out[i].copy_(part);
  }
}

// unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()     CompositeExplicitAutograd
export function unbind_copy_int_out(self: Tensor, dim: number, out: Tensor[]): void {
  const parts = self.unbind_int(dim);
  check_count("unbind_copy_int_out", out, parts);
  copy_parts(out, parts);
}

// split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()     CompositeExplicitAutograd
export function split_with_sizes_copy_out(self: Tensor, split_sizes: number[], dim: number, out: Tensor[]): void {
  const parts = self.split_with_sizes(split_sizes, dim);
  check_count("split_with_sizes_copy_out", out, parts);
  copy_parts(out, parts);
}

// split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()     CompositeExplicitAutograd
export function split_copy_Tensor_out(self: Tensor, split_size: number, dim: number, out: Tensor[]): void {
  const parts = self.split_Tensor(split_size, dim);
  check_count("split_copy_Tensor_out()", out, parts);
  for (const [i, part] of parts.entries()) out[i].copy_(part);
}
