/**
 * @file Operators about sparse tensors, as dense tensors answer them.
 * @mirrors aten/src/ATen/native/sparse/SparseTensor.cpp
 * @differs Ours only has the refusals, because no sparse tensor can be made; PyTorch has the operators.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toString } from "#c10/core/Layout";
import { TORCH_CHECK } from "#c10/util/Exception";

function refuse(name: string, self: Tensor): never {
  TORCH_CHECK(false, name, " expected sparse coordinate tensor layout but got ", toString(self.layout()));
}

// coalesce(Tensor(a) self) -> Tensor(a)                                             CompositeImplicitAutograd
export function coalesce(self: Tensor): Tensor {
  return refuse("coalesce", self);
}

// is_coalesced(Tensor self) -> bool                                                 CompositeExplicitAutograd
export function is_coalesced_default(self: Tensor): boolean {
  return refuse("is_coalesced", self);
}
