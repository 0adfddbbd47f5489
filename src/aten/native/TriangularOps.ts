/**
 * @file `tril` and `triu`: matrices in which one side of a diagonal is set to zero.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

type TriangleFn = (result: Tensor, self: Tensor, inplace: boolean, k: number) => void;
/** PyTorch has no stubs: its loops are next to the operators. */
export const tril_stub = DEFINE_DISPATCH<TriangleFn>("tril_stub");
export const triu_stub = DEFINE_DISPATCH<TriangleFn>("triu_stub");

/** Strides of contiguous matrices, one after the other. */
function batched_matrix_contiguous_strides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length);
  let stride = 1;
  for (let d = sizes.length - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= Math.max(sizes[d], 1);
  }
  return strides;
}

/**
 * Whether one stride leads from matrix to matrix, so that they can be changed in place. If not, returns a copy for
 * which this is true.
 */
function checkTrilTriuBatchContiguous(tensor: Tensor, allow_zero_stride: boolean): [in_place: boolean, Tensor] {
  const [sizes, strides] = [tensor.sizes(), tensor.strides()];
  if (tensor.is_contiguous()) {
    const default_strides = batched_matrix_contiguous_strides(sizes);
    if (default_strides.every((stride, d) => stride === strides[d])) return [true, tensor];
    return [false, tensor.as_strided(sizes as number[], default_strides)];
  }
  const dims = tensor.dim();
  if (allow_zero_stride && dims <= 3) return [true, tensor];
  let expected_stride = tensor.size(-1) * tensor.size(-2);
  for (let d = dims - 3; d >= 0; d--) {
    if (allow_zero_stride && d === 0 && (strides[d] === 0 || sizes[d] === 1)) continue;
    if (expected_stride !== strides[d]) return [false, tensor.contiguous()];
    expected_stride *= sizes[d];
  }
  return [true, tensor];
}

abstract class structured_triangle extends MetaBase {
  protected announce(name: string, self: Tensor): void {
    TORCH_CHECK(self.dim() >= 2, name, ": input tensor must have at least 2 dimensions");
    this.set_output_raw_strided(0, self.sizes(), [], self.options());
  }
  protected compute_triu_tril(stub: typeof tril_stub, self: Tensor, k: number, result: Tensor): void {
    if (self.numel() === 0) return;
    const inplace_op = self.is_same(result);
    const [inplace_update, self_c] = checkTrilTriuBatchContiguous(self, inplace_op);
    const copies = inplace_op && !inplace_update;
    const result_c = copies ? at.empty_like(result, undefined, MemoryFormat.Contiguous) : result;
    stub.call(self.device_type(), result_c, self_c, inplace_op && inplace_update, Number(k)); // if k is a bigint, only its size matters
    if (copies) result.copy_(result_c);
  }
}

// tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)      CPU
export abstract class structured_tril extends structured_triangle {
  meta(self: Tensor, _k: number): void {
    this.announce("tril", self);
  }
}
export abstract class structured_tril_cpu extends structured_tril {
  impl(self: Tensor, k: number, result: Tensor): void {
    this.compute_triu_tril(tril_stub, self, k, result);
  }
}

// triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)      CPU
export abstract class structured_triu extends structured_triangle {
  meta(self: Tensor, _k: number): void {
    this.announce("triu", self);
  }
}
export abstract class structured_triu_cpu extends structured_triu {
  impl(self: Tensor, k: number, result: Tensor): void {
    this.compute_triu_tril(triu_stub, self, k, result);
  }
}
