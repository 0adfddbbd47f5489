/**
 * @file The rare calls of a generated operator: its first call, which finds its handle, and calls that are observed.
 * @mirrors aten/src/ATen/templates/Operators.cpp
 * @differs One function serves all operators; PyTorch generates `create_add_Tensor_typed_handle` and so on, and keeps
 * an operator's handle in a static variable that is initialized at the first call.
 */
import type { UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { observed } from "#c10/util/Trace";
import { Dispatcher, type TypedOperatorHandle } from "./Dispatcher.ts";

/** An object of `at::_ops`, as this file uses it. */
interface Operator<F extends UnboxedKernelFunction, A extends readonly unknown[], R> {
  readonly name: string;
  readonly overload_name: string;
  op: TypedOperatorHandle<F> | null;
  call(...args: A): R;
  redispatch(ks: DispatchKeySet, ...args: A): R;
}

/**
 * Calls `operator.call(...args)`, or, given a key set, `operator.redispatch(ks, ...args)`: it first gets the handle,
 * and reports the call to observers.
 */
export function callSlow<F extends UnboxedKernelFunction, A extends readonly unknown[], R>(
  operator: Operator<F, A, R>,
  ks: DispatchKeySet | null,
  args: A,
): R {
  const op = operator.op ?? create_typed_handle(operator);
  if (!observed) return ks === null ? operator.call(...args) : operator.redispatch(ks, ...args);
  if (ks !== null) return Dispatcher.callSlow(op, "redispatch", ks, args);
  return Dispatcher.callSlow(op, "call", op.extractor.getDispatchKeySetUnboxed(args), args);
}

function create_typed_handle<F extends UnboxedKernelFunction, A extends readonly unknown[], R>(
  operator: Operator<F, A, R>,
): TypedOperatorHandle<F> {
  operator.op = Dispatcher.singleton().findSchemaOrThrow(operator.name, operator.overload_name).typed<F>();
  return operator.op;
}
