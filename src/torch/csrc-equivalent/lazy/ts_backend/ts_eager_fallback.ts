/**
 * @file Operators that have no node: the arguments are computed, the operator runs on the CPU, and the results come back as values.
 * @mirrors torch/csrc/lazy/ts_backend/ts_eager_fallback.h
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue, type Unboxed } from "#aten/core/ivalue";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import { cpu_fallback } from "#aten/native/CPUFallback";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { FLAGS } from "../core/config.ts";
import { TORCH_LAZY_COUNTER } from "../core/metrics.ts";

/** Whether an operator that has a node is computed nevertheless: the settings name it, or its size depends on values. */
export function force_eager_fallback(op: string): boolean {
  return op === FLAGS.ltc_force_fallback || op === "aten::nonzero";
}

/** Counts under the operator's full name, and falls back. */
export function ltc_eager_fallback(op: OperatorHandle, _ks: DispatchKeySet, stack: Stack): void {
  TORCH_LAZY_COUNTER(String(op.operator_name()));
  cpu_fallback(op, stack);
}

/** An operator of `at::_ops`. */
interface TypedOperator<Args extends readonly unknown[], R> {
  readonly name: string;
  readonly overload_name: string;
  call(...args: Args): R;
}

/** Falls back from a kernel, which has its arguments unboxed. */
export function call_fallback_fn<Args extends readonly unknown[], R>(op: TypedOperator<Args, R>, ...args: Args): R {
  const handle = Dispatcher.singleton().findSchemaOrThrow(op.name, op.overload_name);
  const schema = handle.schema();
  const stack = args.map((arg, i) => IValue.from(arg as Unboxed, schema.arguments()[i].real_type()));
  ltc_eager_fallback(handle, DispatchKeySet.of(DispatchKey.Lazy), stack);
  const results = stack.map((result, i) => result.toJS(schema.returns()[i].real_type()));
  return (results.length === 1 ? results[0] : results) as R;
}

export function register_ts_ltc_eager_fallback(): void {
  TORCH_LIBRARY_IMPL("_", "Lazy", (m) => {
    m.fallback(CppFunction.makeFromBoxedFunction(ltc_eager_fallback, "ltc_eager_fallback"));
  });
}
