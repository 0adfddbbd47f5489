/**
 * @file The cold twin of a call: the same key set, the same cell, told to the tracer and to RecordFunction callbacks.
 * @mirrors aten/src/ATen/core/dispatch/Dispatcher.h#callWithDispatchKeySlowPath
 */
import { boxArgs } from "#aten/core/boxing/impl/boxing";
import type { FunctionSchema } from "#aten/core/function_schema";
import type { IValue } from "#aten/core/ivalue";
import { last, type Stack } from "#aten/core/stack";
import { getStepCallbacksUnlessEmpty, hasStepCallbacks, RecordFunction, RecordScope } from "#aten/record_function";
import { peek } from "#aten/SequenceNumber";
import { BackendComponent, DispatchKey, toString as keyToString } from "#c10/core/DispatchKey";
import { type DispatchKeySet, isIncludedInAlias } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { tls_excluded, tls_included } from "#c10/core/impl/LocalDispatchKeySet";
import { type Tracer, tracer } from "#c10/util/Trace";
import type { OperatorHandle } from "./Dispatcher.ts";
import type { HasKeySet } from "./DispatchKeyExtractor.ts";

export type How = "call" | "redispatch" | "callBoxed" | "redispatchBoxed";

/** `op.lookup(ks)(ks, ...args)` with an `op` event, its `kernel` child, and the RecordFunction callbacks of a call. */
export function callSlow<R>(op: OperatorHandle, how: How, ks: DispatchKeySet, args: readonly unknown[]): R {
  const active = tracer;
  if (active === null) return callRecorded(op, how, ks, args) as R;
  const id = active.begin("op", nameOfCall(op, how), describeCall(op, how, ks, args));
  try {
    const result = callRecorded(op, how, ks, args);
    active.end(id, { outputs: result });
    return result as R;
  } catch (error) {
    active.end(id, { error });
    throw error;
  }
}

/** The same for a boxed call; what the kernel leaves on the stack is the event's output. */
export function callBoxedSlow(op: OperatorHandle, ks: DispatchKeySet, stack: Stack, how: How): void {
  const schema = op.schema();
  const args = unboxed(last(stack, schema.arguments().length), schema);
  const run = (): void => {
    const active = tracer;
    const kernel = op.entry.lookup(ks);
    if (active === null) {
      kernel.callBoxed(op, ks, stack);
      return;
    }
    inKernelEvent(active, op, ks, () => kernel.callBoxed(op, ks, stack));
  };
  const active = tracer;
  if (active === null) {
    record(op, how, ks, args, run);
    return;
  }
  const id = active.begin("op", nameOfCall(op, how), describeCall(op, how, ks, args));
  try {
    record(op, how, ks, args, run);
    active.end(id, { outputs: last(stack, schema.returns().length).map((value) => value.payload) });
  } catch (error) {
    active.end(id, { error });
    throw error;
  }
}

function unboxed(values: readonly IValue[], schema: FunctionSchema): unknown[] {
  return schema.arguments().map((arg, i) => values[i].toJS(arg.type()));
}

function callRecorded(op: OperatorHandle, how: How, ks: DispatchKeySet, args: readonly unknown[]): unknown {
  return record(op, how, ks, args, () => {
    const kernel = op.lookup(ks);
    const active = tracer;
    if (active === null) return kernel(ks, ...(args as never[]));
    return inKernelEvent(active, op, ks, () => kernel(ks, ...(args as never[])));
  });
}

function inKernelEvent<R>(active: Tracer, op: OperatorHandle, ks: DispatchKeySet, run: () => R): R {
  const { kernel } = op.entry.lookupEntry(ks);
  if (!kernel.isValid()) return run(); // raises the error of a missing kernel
  const id = active.begin("kernel", kernel.name(), { key: keyToString(ks.highestPriorityTypeId()) });
  try {
    const result = run();
    active.end(id);
    return result;
  } catch (error) {
    active.end(id, { error });
    throw error;
  }
}

/** Runs a call between the `before` and `end` of the RecordFunction callbacks. A redispatch is part of its call. */
function record<R>(op: OperatorHandle, how: How, ks: DispatchKeySet, args: readonly unknown[], run: () => R): R {
  const callbacks =
    !how.startsWith("redispatch") && hasStepCallbacks && op.entry.isObserved()
      ? getStepCallbacksUnlessEmpty(RecordScope.FUNCTION)
      : null;
  if (callbacks === null) return run();
  const guard = new RecordFunction(callbacks);
  const schema = op.schema();
  const inputs = guard.needsInputs() ? boxArgs(schema, args) : [];
  guard.before(schema, sequenceNumberFor(ks.highestPriorityTypeId()), inputs);
  try {
    const result = run();
    if (guard.needsOutputs()) guard.setOutputs(result);
    return result;
  } finally {
    guard.end();
  }
}

/** A call that may make a node carries the number that node would get, so that backward can be matched to forward. */
function sequenceNumberFor(key: DispatchKey): number {
  const autograd = key === DispatchKey.AutogradNestedTensor || isIncludedInAlias(key, DispatchKey.Autograd);
  return autograd && GradMode.is_enabled() ? peek() : -1;
}

// What an `op` event says ------------------------------------------------------------------------------------------------

/** `at::_ops::add_Tensor`'s last part. */
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

/** A mode's set may hold a functionality without a backend (autograd, whatever the backend); iterating a set passes over those. */
function namesOfMode(ks: DispatchKeySet): string[] {
  const names = ks.names();
  if (ks.highestBackendKey() === BackendComponent.InvalidBit)
    for (const key of perBackend) if (ks.has(key)) names.push(keyToString(key));
  return names;
}

/** The keys each tensor brings; a list is one entry per element. */
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
