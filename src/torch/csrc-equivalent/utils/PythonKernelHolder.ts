/**
 * @file A front-end function as a kernel: it takes its arguments off the stack, calls the function, and pushes the result.
 * @mirrors torch/csrc/utils/python_dispatch.cpp#PythonKernelHolder
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { IValue } from "#aten/core/ivalue";
import { popn, type Stack } from "#aten/core/stack";
import { NotImplementedError, TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { call_kernel } from "#torch/csrc-equivalent/autograd/handed_over";
import { toIValue, toPyObject } from "#torch/csrc-equivalent/jit/python/pybind_utils";
import { python_type } from "./python_numbers.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever the operator's schema says
export type PythonFunction = (...args: any[]) => unknown;

/**
 * Passed to `Library.impl` in place of a kernel: the key is skipped.
 * @mirrors torch/library.py#fallthrough_kernel
 */
export function fallthrough_kernel(): never {
  throw new NotImplementedError("fallthrough_kernel() should never be called.");
}

/** The object `torch.ops.ns.op.overload` of a name such as `aten::add.Tensor`; set by _ops.ts, which is in a higher layer. */
let lookup: (qualname: string) => unknown = (qualname) => qualname;

export function setGetTorchApiFunction(get: (qualname: string) => unknown): void {
  lookup = get;
}

export function getTorchApiFunctionNamed(qualname: string): unknown {
  return lookup(qualname);
}

/** The object passed to a handler as its function, for example `torch.ops.aten.add.Tensor`. */
export function getTorchApiFunctionOf(op: OperatorHandle): unknown {
  return lookup(String(op.operator_name()));
}

/**
 * A call's arguments in the front end's form: positional ones, then keyword arguments in one object. Arguments equal to
 * their default are omitted if possible: at the end of the positional ones, and among the keywords.
 */
export function parseIValuesToPyArgsKwargs(op: OperatorHandle, values: readonly IValue[]): unknown[] {
  const declared = op.schema().arguments();
  const isDefault = (i: number): boolean => {
    const default_value = declared[i].default_value();
    return default_value !== null && values[i].equals(default_value);
  };
  const toPy = (i: number): unknown => toPyObject(values[i], declared[i].real_type());

  let kwarg_only_start = declared.length;
  while (kwarg_only_start > 0 && declared[kwarg_only_start - 1]?.kwarg_only() === true) kwarg_only_start--;
  let positional_end = kwarg_only_start;
  while (positional_end > 0 && isDefault(positional_end - 1)) positional_end--;

  const args = Array.from({ length: positional_end }, (_, i) => toPy(i));
  const kwargs: Record<string, unknown> = {};
  for (let i = kwarg_only_start; i < declared.length; i++) if (!isDefault(i)) kwargs[declared[i].name()] = toPy(i);
  if (Object.keys(kwargs).length > 0) args.push(kwargs);
  return args;
}

/** @param msg the function that returned it, for the error */
export function pushPyOutToStack(op: OperatorHandle, stack: Stack, out: unknown, msg: string): void {
  const returns = op.schema().returns();
  if (returns.length === 0) {
    TORCH_CHECK(
      out === null || out === undefined,
      "Expected ",
      msg,
      " for ",
      op.operator_name(),
      " to return None but it returned something else instead.",
    );
    return;
  }
  if (returns.length === 1) {
    stack.push(toIValue(out, returns[0].real_type()));
    return;
  }
  if (!Array.isArray(out))
    throw new TypeError_(`Object of type '${python_type(out)}' is not an instance of 'sequence'`);
  for (const [i, ret] of returns.entries()) stack.push(toIValue(out[i], ret.real_type()));
}

/** Makes a kernel of one operator. @param with_keyset whether the function takes the call's key set first, to redispatch */
export function PythonKernelHolder(func: PythonFunction, with_keyset: boolean): BoxedKernelFunction {
  return (op, keyset, stack) => {
    const args = parseIValuesToPyArgsKwargs(op, popn(stack, op.schema().arguments().length));
    const out = call_kernel(() => (with_keyset ? func(keyset, ...args) : func(...args)));
    pushPyOutToStack(op, stack, out, "PythonKernelHolder");
  };
}

/** Makes a fallback for every operator: the function also receives the called operator. */
export function PythonFallbackHolder(func: PythonFunction, with_keyset: boolean): BoxedKernelFunction {
  return (op, keyset, stack) => {
    const args = parseIValuesToPyArgsKwargs(op, popn(stack, op.schema().arguments().length));
    const overload = getTorchApiFunctionOf(op);
    const out = call_kernel(() => (with_keyset ? func(keyset, overload, ...args) : func(overload, ...args)));
    pushPyOutToStack(op, stack, out, "PythonKernelHolder");
  };
}
