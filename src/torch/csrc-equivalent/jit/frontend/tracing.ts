/**
 * @file The recorder of `torch.jit.trace`, as the bindings below it see it: null unless a program is being traced.
 * @mirrors torch/csrc/jit/frontend/tracer.h
 * @differs The recorder itself is loaded with `glasstorch/jit`. PyTorch's bindings call it directly.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { MemoryFormat } from "#c10/core/MemoryFormat";

/** The type of number that an argument expects: the recorder converts the tensor that stands for it. */
export type StashedType = "int" | "float" | "number";

export interface Recorder {
  /** Warns that the trace may be incorrect: what was done, and what follows from it. */
  warn(reason: string, kind?: string): void;
  /** Remembers that element `index` of a list argument is a tensor, until the operator is recorded. */
  stashIntArrayRefElem(name: string, size: number, index: number, tensor: Tensor): void;
  /** Remembers that a number argument is a tensor, until the operator is recorded. */
  stashValue(name: string, tensor: Tensor, type: StashedType): void;
  /** Records a call of `contiguous` that has nothing to do. */
  record_contiguous(tensor: Tensor, memory_format: MemoryFormat): void;
  /** Records an operator that has no kernel of its own for the Tracer key, and calls it. */
  general_trace_function(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void;
  /** Calls a module's `forward` in the scope of the module. */
  slow_forward(module: object, forward: (...args: unknown[]) => unknown, args: readonly unknown[]): unknown;
}

/** The recorder; null unless a program is being traced. */
export let recorder: Recorder | null = null;

/** The recorder, for files that are linked apart from this one: an entry of the package cannot import a variable that changes. */
export const current_recorder = (): Recorder | null => recorder;

export function setRecorder(next: Recorder | null): void {
  recorder = next;
}

export const WARN_PYTHON_DATAFLOW =
  " might cause the trace to be incorrect. We can't record the data flow of Python values, so this value will be treated as a constant in the future. This means that the trace might not generalize to other inputs!";
export const WARN_CONSTRUCTOR =
  " results are registered as constants in the trace. You can safely ignore this warning if you use this function to create tensors out of constant variables that would be the same every time you call this function. In any other case, this might cause the trace to be incorrect.";
