/**
 * @file TorchScript's list of operators by name, updated with the dispatcher.
 * @mirrors torch/csrc/jit/runtime/register_c10_ops.cpp
 * @differs Only the dispatcher's operators are in it; operator.ts adds those of TorchScript alone (`aten::add.int`), which load with `glasstorch/jit`.
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { FunctionSchema } from "#aten/core/function_schema";
import type { OperatorName } from "#aten/core/operator_name";
import type { Stack } from "#aten/core/stack";

/** An operator that can be called with a stack: the dispatcher's, or one of TorchScript alone. */
export interface CallableOperator {
  schema(): FunctionSchema;
  operator_name(): OperatorName;
  tags(): readonly string[];
  callBoxed(stack: Stack): void;
}

/** Overloads by qualified name, in the order of their definitions. */
const operators = new Map<string, OperatorHandle[]>();

Dispatcher.singleton().addRegistrationListener({
  onOperatorRegistered(op) {
    const { name } = op.operator_name();
    const overloads = operators.get(name);
    if (overloads === undefined) operators.set(name, [op]);
    else overloads.push(op);
  },
  onOperatorDeregistered(op) {
    const { name } = op.operator_name();
    const left = (operators.get(name) ?? []).filter((other) => other !== op);
    if (left.length === 0) operators.delete(name);
    else operators.set(name, left);
  },
});

export function getAllOperatorsFor(qualified_name: string): readonly OperatorHandle[] {
  Dispatcher.singleton().wake(qualified_name);
  return operators.get(qualified_name) ?? [];
}
