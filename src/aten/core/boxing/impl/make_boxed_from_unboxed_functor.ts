/**
 * @file A boxed call of a plain kernel: take the arguments off the stack, unbox them by schema, call, push the results.
 * @mirrors aten/src/ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h
 * @differs The conversions are chosen by the schema, once for each operator; C++ instantiates one wrapper per C++ signature.
 */
import type { UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import type { Argument, FunctionSchema } from "#aten/core/function_schema";
import { IValue, type Unboxed } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import type { TensorBase } from "#aten/core/TensorBase";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK } from "#c10/util/Exception";

type Unboxer = (value: IValue) => Unboxed;
type Boxer = (value: Unboxed) => IValue;

/** The conversions of an operator's arguments and results. */
export interface Boxing {
  readonly unboxers: readonly Unboxer[];
  readonly boxers: readonly Boxer[];
}

export function boxing_of(schema: FunctionSchema): Boxing {
  return {
    unboxers: schema.arguments().map(unboxer_of_argument),
    boxers: schema.returns().map((ret) => boxer_of(ret.type())),
  };
}

const payload_of: Unboxer = (value) => value.payload;
const tensor_of: Unboxer = (value) => value.toTensor();
const scalar_of: Unboxer = (value) => value.toScalar();
const of_tensor: Boxer = (value) => IValue.fromTensor(value as TensorBase);

function unboxer_of(type: Type): Unboxer {
  switch (type.kind()) {
    case "OptionalType": {
      const inner = unboxer_of(type.containedType());
      return (value) => (value.isNone() ? null : inner(value));
    }
    case "TensorType":
      return tensor_of;
    case "NumberType":
      return scalar_of;
    case "ListType":
    case "TupleType":
    case "FloatType":
      return (value) => value.toJS(type);
    default:
      return payload_of;
  }
}

function boxer_of(type: Type): Boxer {
  return type.kind() === "TensorType" ? of_tensor : (value) => IValue.from(value, type);
}

/** `bool[3]` is a C++ array, whose length is part of its type; `int[3]` is a list whose length the operator checks. */
function unboxer_of_argument(argument: Argument): Unboxer {
  const type = argument.type();
  const size = argument.N();
  const unbox = unboxer_of(type);
  if (size === null || type.kind() !== "ListType" || type.containedType().kind() !== "BoolType") return unbox;
  return (value) => {
    const given = value.toList().size();
    TORCH_CHECK(given === size, `Tried to convert a List with ${given} elements to a fixed-size array of size ${size}`);
    return unbox(value);
  };
}

/** A kernel that takes any arguments. */
type Functor = (ks: DispatchKeySet, ...args: readonly Unboxed[]) => unknown;

export function call_functor_with_args_from_stack(
  kernel: UnboxedKernelFunction,
  boxing: Boxing,
  ks: DispatchKeySet,
  stack: Stack,
): void {
  push_outputs(call_with(kernel as Functor, boxing.unboxers, ks, stack), boxing.boxers, stack);
}

/** Most operators have few arguments: each number of them has its own line, so that no array is made. */
function call_with(functor: Functor, unboxers: readonly Unboxer[], ks: DispatchKeySet, stack: Stack): unknown {
  const n = unboxers.length;
  const start = stack.length - n;
  if (n === 0 || n > 3) {
    const args: Unboxed[] = [];
    for (let i = 0; i < n; i++) args.push(unboxers[i](stack[start + i]));
    stack.length = start;
    return functor(ks, ...args);
  }
  const a = unboxers[0](stack[start]);
  const b = n > 1 ? unboxers[1](stack[start + 1]) : null;
  const c = n > 2 ? unboxers[2](stack[start + 2]) : null;
  stack.length = start;
  return n === 1 ? functor(ks, a) : n === 2 ? functor(ks, a, b) : functor(ks, a, b, c);
}

function push_outputs(output: unknown, boxers: readonly Boxer[], stack: Stack): void {
  if (boxers.length === 1) {
    stack.push(boxers[0](output));
    return;
  }
  for (let i = 0; i < boxers.length; i++) stack.push(boxers[i]((output as readonly unknown[])[i]));
}
