/**
 * @file Writes into lazy tensors: they get another node.
 * @mirrors torch/csrc/lazy/ts_backend/tensor_aten_ops.h
 */
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { getIrBuilder } from "../backend/backend_interface.ts";
import { Value } from "../core/ir.ts";
import { LazyGraphExecutor } from "../core/lazy_graph_executor.ts";
import type { LazyTensor } from "../core/tensor.ts";
import { MaybeExpand } from "../core/tensor_util.ts";

/** Takes the values of `src` in place, expanded to the sizes of `input`. */
export function copy_(input: LazyTensor, src: LazyTensor): void {
  TORCH_CHECK(input.GetDevice().equals(src.GetDevice()), "Expected both tensors on ", input.GetDevice());
  const value = src.GetIrValue();
  const has_dtype = input.dtype() === src.dtype();
  const cast = has_dtype ? value : new Value(getIrBuilder().MakeCast(value, input.dtype(), src.dtype()));
  input.SetIrValue(MaybeExpand(cast, input.shape()));
}

/** Fills in place with a number. */
export function fill_(input: LazyTensor, value: Scalar): void {
  const shape = input.shape();
  input.SetInPlaceIrValue(LazyGraphExecutor.Get().GetIrValueForExpandedScalar(value, shape, input.GetDevice()));
}
