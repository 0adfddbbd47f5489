/**
 * @file Outer products: a column times a row.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp#outer
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

function check_1d(t: Tensor, arg: string, fn: string): void {
  TORCH_CHECK(t.dim() === 1, fn, ": Expected 1-D argument ", arg, ", but got ", t.dim(), "-D");
}

/** `(N), (M)` -> the column `(N, 1)`; broadcasting against the row does the rest. */
function as_column(self: Tensor, vec2: Tensor): Tensor {
  check_1d(self, "self", "outer");
  check_1d(vec2, "vec2", "outer");
  return self.reshape([self.size(0), 1]);
}

export function outer(self: Tensor, vec2: Tensor): Tensor {
  return as_column(self, vec2).mul_Tensor(vec2);
}

export function outer_out(self: Tensor, vec2: Tensor, out: Tensor): Tensor {
  return at.mul_out(as_column(self, vec2), vec2, out);
}

/** The BLAS name of the same. */
export function ger(self: Tensor, vec2: Tensor): Tensor {
  return self.outer(vec2);
}

export function ger_out(self: Tensor, vec2: Tensor, out: Tensor): Tensor {
  TORCH_WARN("torch.ger is deprecated and will be removed in a future PyTorch release. Use torch.outer instead.");
  return at.outer_out(self, vec2, out);
}
