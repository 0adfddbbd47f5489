/**
 * @file The cold twin of a call: it uses the same key set and the same cell, and reports the call to the tracer and to
 * RecordFunction callbacks.
 * @mirrors aten/src/ATen/core/dispatch/Dispatcher.h#callWithDispatchKeySlowPath
 */
import { boxArgs } from "#aten/core/boxing/impl/boxing";
import type { FunctionSchema } from "#aten/core/function_schema";
import { last, type Stack } from "#aten/core/stack";
import { getStepCallbacksUnlessEmpty, hasStepCallbacks, RecordFunction, RecordScope } from "#aten/record_function";
import { peek } from "#aten/SequenceNumber";
import { BackendComponent, DispatchKey, toString as keyToString } from "#c10/core/DispatchKey";
import { type DispatchKeySet, isIncludedInAlias } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { tls_excluded, tls_included } from "#c10/core/impl/LocalDispatchKeySet";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import type { OperatorHandle } from "./Dispatcher.ts";
import type { HasKeySet } from "./DispatchKeyExtractor.ts";

export type How = "call" | "redispatch" | "callBoxed" | "redispatchBoxed";

/**
 * Calls `op.lookup(ks)(ks, ...args)`, or, given a stack, the kernel's boxed call on it. It reports to the
 * RecordFunction callbacks, and runs the call in an `op` event with its `kernel` child (Note [One road]).
 */
export function callSlow<R>(
  op: OperatorHandle,
  how: How,
  ks: DispatchKeySet,
  args: readonly unknown[],
  stack: Stack | null = null,
): R {
  const guard = recordFunctionOf(op, how, ks, args);
  try {
    const call = (stack === null ? op.lookup(ks) : boxedCall(op, ks)) as (...given: readonly unknown[]) => R;
    const given = stack === null ? [ks, ...args] : [op, ks, stack];
    let result: R;
    if (tracer === null) result = call(...given);
    else {
      const name = nameOfCall(op, how);
      const data = describeCall(op, how, ks, args);
      const told = (value: R) => ({ outputs: stack === null ? value : resultsOf(op, stack) });
      const { kernel } = op.entry.lookupEntry(ks);
      if (kernel.isValid()) {
        const inner = { key: keyToString(ks.highestPriorityTypeId()) };
        const inKernel = traceCall<readonly unknown[], R>;
        result = traceCall("op", name, inKernel, ["kernel", kernel.name(), call, given, inner, nothing], data, told);
      } else result = traceCall("op", name, call, given, data); // throws the error of a missing kernel
    }
    if (guard?.needsOutputs()) guard.setOutputs(result);
    return result;
  } finally {
    guard?.end();
  }
}

/** The function that a boxed call with `ks` enters; if there is none, the function that throws the error. */
function boxedCall(op: OperatorHandle, ks: DispatchKeySet): unknown {
  const { kernel } = op.entry.lookupEntry(ks);
  return kernel.isValid() ? kernel.callBoxed.bind(kernel) : op.entry.lookup.bind(op.entry, ks);
}

/** The arguments of a boxed call, as plain values. */
export function argumentsOf(op: OperatorHandle, stack: Stack): unknown[] {
  const declared = op.schema().arguments();
  const values = last(stack, declared.length);
  return declared.map((arg, i) => values[i].toJS(arg.type()));
}

function resultsOf(op: OperatorHandle, stack: Stack): unknown[] {
  return last(stack, op.schema().returns().length).map((value) => value.payload);
}

/** Reports a call to the RecordFunction callbacks; null if nobody listens. A redispatch is part of its call. */
function recordFunctionOf(
  op: OperatorHandle,
  how: How,
  ks: DispatchKeySet,
  args: readonly unknown[],
): RecordFunction | null {
  if (how.startsWith("redispatch") || !hasStepCallbacks || !op.entry.isObserved()) return null;
  const callbacks = getStepCallbacksUnlessEmpty(RecordScope.FUNCTION);
  if (callbacks === null) return null;
  const guard = new RecordFunction(callbacks);
  const schema = op.schema();
  const inputs = guard.needsInputs() ? boxArgs(schema, args) : [];
  guard.before(schema, sequenceNumberFor(ks.highestPriorityTypeId()), inputs);
  return guard;
}

/** The number of the node that the call may create, so that a profiler can match backward to forward. */
function sequenceNumberFor(key: DispatchKey): number {
  const autograd = key === DispatchKey.AutogradNestedTensor || isIncludedInAlias(key, DispatchKey.Autograd);
  return autograd && GradMode.is_enabled() ? peek() : -1;
}

// Fields of an `op` event ------------------------------------------------------------------------------------------------

/** The last part of `at::_ops::add_Tensor`. */
function operatorOf(op: OperatorHandle): string {
  const { name, overload_name } = op.operator_name();
  const base = name.slice(name.indexOf("::") + 2);
  return overload_name === "" ? base : `${base}_${overload_name}`;
}

function nameOfCall(op: OperatorHandle, how: How): string {
  return how.endsWith("Boxed") ? `c10::Dispatcher::${how}` : `at::_ops::${operatorOf(op)}::${how}`;
}

function describeCall(
  op: OperatorHandle,
  how: How,
  ks: DispatchKeySet,
  args: readonly unknown[],
): Record<string, unknown> {
  const { kernel, origin } = op.entry.lookupEntry(ks);
  return {
    op: String(op.operator_name()),
    operator: operatorOf(op),
    how,
    args: keysOfArguments(op.schema(), args),
    tls: { included: namesOfMode(tls_included), excluded: namesOfMode(tls_excluded) },
    keyset: ks.names(),
    key: keyToString(ks.highestPriorityTypeId()),
    kernel: kernel.name(),
    origin,
    inputs: args,
  };
}

const perBackend = [
  DispatchKey.Dense,
  DispatchKey.Quantized,
  DispatchKey.Sparse,
  DispatchKey.SparseCsr,
  DispatchKey.NestedTensor,
  DispatchKey.AutogradFunctionality,
] as const;

/**
 * Key names of a mode's set. The set may hold a functionality without a backend (autograd, whatever the backend), which
 * iterating a set skips.
 */
function namesOfMode(ks: DispatchKeySet): string[] {
  const names = ks.names();
  if (ks.highestBackendKey() === BackendComponent.InvalidBit)
    for (const key of perBackend) if (ks.has(key)) names.push(keyToString(key));
  return names;
}

/** The keys of each tensor argument; a list has one entry per element. */
function keysOfArguments(schema: FunctionSchema, args: readonly unknown[]): { name: string; keys: string[] }[] {
  const rows: { name: string; keys: string[] }[] = [];
  schema.arguments().forEach((declared, i) => {
    const value = args[i];
    if (Array.isArray(value)) {
      for (const [j, item] of value.entries()) {
        if (hasKeySet(item)) rows.push({ name: `${declared.name()}[${j}]`, keys: item.key_set().names() });
      }
    } else if (hasKeySet(value)) {
      rows.push({ name: declared.name(), keys: value.key_set().names() });
    }
  });
  return rows;
}

function hasKeySet(value: unknown): value is HasKeySet {
  return typeof value === "object" && value !== null && typeof (value as Partial<HasKeySet>).key_set === "function";
}
