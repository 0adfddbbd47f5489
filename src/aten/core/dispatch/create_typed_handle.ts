/**
 * @file What a generated operator does at its first call: finds its handle, and keeps it.
 * @mirrors aten/src/ATen/templates/Operators.cpp
 * @differs One function for all operators; PyTorch writes `create_add_Tensor_typed_handle` and so on.
 */
import type { UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import { Dispatcher, type TypedOperatorHandle } from "./Dispatcher.ts";

/** An object of `at::_ops`, as this function sees it. */
interface Operator<F extends UnboxedKernelFunction> {
  readonly name: string;
  readonly overload_name: string;
  op: TypedOperatorHandle<F> | null;
}

export function create_typed_handle<F extends UnboxedKernelFunction>(operator: Operator<F>): TypedOperatorHandle<F> {
  operator.op = Dispatcher.singleton().findSchemaOrThrow(operator.name, operator.overload_name).typed<F>();
  return operator.op;
}
