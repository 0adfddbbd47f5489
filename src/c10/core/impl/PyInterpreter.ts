/**
 * @file The calls that the lower layers make into Python: run a handler, detach a tensor through one, ask a class about its tensor.
 * @mirrors c10/core/impl/PyInterpreter.h
 * @differs There is one interpreter, and its objects are not reference-counted; PyTorch's table has entries for both.
 */
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { TensorImpl } from "#c10/core/TensorImpl/index";

/** As in C++, only the names of these types are known here. */
type OperatorHandle = object;
type Stack = unknown[];

export interface PyInterpreterVTable {
  /** Calls `aten.detach` as the innermost mode, or the tensor's class, sees it. */
  detach(self: TensorImpl): TensorImpl;
  /** Calls the handlers with the arguments on the stack, and leaves the result there. */
  dispatch(op: OperatorHandle, stack: Stack): void;
  // Answers of a class that has a say in its tensors' metadata
  device(self: TensorImpl): Device;
  layout(self: TensorImpl): Layout;
  dim(self: TensorImpl): number;
  numel(self: TensorImpl): number;
  sizes(self: TensorImpl): number[];
  strides(self: TensorImpl): number[];
  storage_offset(self: TensorImpl): number;
  is_contiguous(self: TensorImpl, memory_format: MemoryFormat): boolean;
  is_strides_like(self: TensorImpl, memory_format: MemoryFormat): boolean;
  is_non_overlapping_and_dense(self: TensorImpl): boolean;
}
