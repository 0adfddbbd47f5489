/**
 * @file A boxed call of a plain kernel: take the arguments off the stack, unbox them by schema, call, push the results.
 * @mirrors aten/src/ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h
 * @differs The schema drives the conversion at run time; C++ instantiates one wrapper per C++ signature.
 */
import type { UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import type { Argument, FunctionSchema } from "#aten/core/function_schema";
import { IValue, type Unboxed } from "#aten/core/ivalue";
import { popn, type Stack } from "#aten/core/stack";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK } from "#c10/util/Exception";

export function call_functor_with_args_from_stack(
  functor: UnboxedKernelFunction,
  schema: FunctionSchema,
  ks: DispatchKeySet,
  stack: Stack,
): void {
  const declared = schema.arguments();
  const args = popn(stack, declared.length).map((value, i) => unboxed(value, declared[i]));
  push_outputs(functor(ks, ...(args as never[])), schema, stack);
}

/**
 * Unboxes one argument. `bool[3]` is a C++ array, whose length is part of its type; `int[3]` is a list whose length the
 * operator checks.
 */
function unboxed(value: IValue, argument: Argument): Unboxed {
  const type = argument.type();
  const size = argument.N();
  if (size !== null && type.kind() === "ListType" && type.containedType().kind() === "BoolType") {
    const given = value.toList().size();
    TORCH_CHECK(
      given === size,
      "Tried to convert a List with ",
      given,
      " elements to a fixed-size array of size ",
      size,
    );
  }
  return value.toJS(type);
}

export function push_outputs(output: unknown, schema: FunctionSchema, stack: Stack): void {
  const returns = schema.returns();
  if (returns.length === 1) {
    stack.push(IValue.from(output, returns[0].type()));
    return;
  }
  for (const [i, ret] of returns.entries()) stack.push(IValue.from((output as readonly unknown[])[i], ret.type()));
}
