/**
 * @file Maximum and minimum of a whole tensor.
 * @mirrors aten/src/ATen/native/ReduceAllOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { canCast } from "#c10/core/ScalarType";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";
import { DEFINE_DISPATCH, type DispatchStub } from "./DispatchStub.ts";
import { resize_output } from "./Resize.ts";

type ReduceAllFn = (result: Tensor, self: Tensor) => void;
/** Precondition of both: `self` is contiguous. */
export const min_all_stub = DEFINE_DISPATCH<ReduceAllFn>("min_all_stub");
export const max_all_stub = DEFINE_DISPATCH<ReduceAllFn>("max_all_stub");

function reduce_all(name: string, self: Tensor, stub: DispatchStub<ReduceAllFn>): Tensor {
  TORCH_CHECK(
    self.numel() > 0,
    name,
    "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
  );
  const result = at.empty_memory_format([], self.options());
  stub.call(self.device_type(), result, self.contiguous());
  return result;
}

function reduce_all_out(self: Tensor, out: Tensor, stub: DispatchStub<ReduceAllFn>): Tensor {
  TORCH_CHECK(self.device().eq(out.device()));
  if (!canCast(self.dtype(), out.dtype())) {
    TORCH_CHECK(false, unmet("canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype()))"));
  }
  resize_output(out, []);
  stub.call(self.device_type(), out, self.contiguous());
  return out;
}

// min(Tensor self) -> Tensor                                                        CPU
export function min(self: Tensor): Tensor {
  return reduce_all("min", self, min_all_stub);
}

export function min_unary_out(self: Tensor, out: Tensor): Tensor {
  return reduce_all_out(self, out, min_all_stub);
}

// max(Tensor self) -> Tensor                                                        CPU
export function max(self: Tensor): Tensor {
  return reduce_all("max", self, max_all_stub);
}

export function max_unary_out(self: Tensor, out: Tensor): Tensor {
  return reduce_all_out(self, out, max_all_stub);
}
