/**
 * @file `tril` and `triu`: matrices with one side of a diagonal set to zero.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { MetaBase } from "#aten/TensorMeta";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

type TriangleFn = (result: Tensor, self: Tensor, k: number) => void;
/** No stubs in PyTorch, whose loops stand beside the operators. */
export const tril_stub = DEFINE_DISPATCH<TriangleFn>("tril_stub");
export const triu_stub = DEFINE_DISPATCH<TriangleFn>("triu_stub");

abstract class structured_triangle extends MetaBase {
  protected announce(name: string, self: Tensor): void {
    TORCH_CHECK(self.dim() >= 2, name, ": input tensor must have at least 2 dimensions");
    this.set_output_raw_strided(0, self.sizes(), [], self.options());
  }
  protected run(stub: typeof tril_stub, self: Tensor, k: number, result: Tensor): void {
    if (self.numel() === 0) return;
    assert_no_internal_overlap(result);
    if (!result.is_same(self)) assert_no_overlap(result, self);
    stub.call(self.device_type(), result, self, k);
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
    this.run(tril_stub, self, k, result);
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
    this.run(triu_stub, self, k, result);
  }
}
