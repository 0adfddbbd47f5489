/**
 * @file A stack call of a plain function: take the arguments off, unbox them by schema, call, push the results.
 * @mirrors aten/src/ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h
 * @differs The schema drives the conversion at run time; C++ instantiates one wrapper per C++ signature.
 */
import type { DispatchKeySet } from "../../../../c10/core/DispatchKeySet.ts";
import type { FunctionSchema } from "../../function_schema.ts";
import { IValue } from "../../ivalue.ts";
import { popn, type Stack } from "../../stack.ts";
import type { UnboxedKernelFunction } from "../KernelFunction.ts";

export function call_functor_with_args_from_stack(
  functor: UnboxedKernelFunction,
  schema: FunctionSchema,
  ks: DispatchKeySet,
  stack: Stack,
): void {
  const declared = schema.arguments();
  const args = popn(stack, declared.length).map((value, i) =>
    value.toJS((declared[i] as (typeof declared)[number]).type()),
  );
  push_outputs(functor(ks, ...(args as never[])), schema, stack);
}

export function push_outputs(output: unknown, schema: FunctionSchema, stack: Stack): void {
  const returns = schema.returns();
  if (returns.length === 1) {
    stack.push(IValue.from(output, (returns[0] as (typeof returns)[number]).type()));
    return;
  }
  for (const [i, ret] of returns.entries()) stack.push(IValue.from((output as readonly unknown[])[i], ret.type()));
}
