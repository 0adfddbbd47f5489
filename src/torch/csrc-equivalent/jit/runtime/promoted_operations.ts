/**
 * @file Operators that are instructions: the interpreter calls them without a lookup by schema.
 * @mirrors torch/csrc/jit/mobile/promoted_prim_ops.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { pop } from "#aten/core/stack";
import { scalar_to_tensor } from "#aten/ScalarOps";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Op, type OpCode, op_name } from "./instruction.ts";
import { JITException } from "./jit_exception.ts";
import type { Operation } from "./operator.ts";
import { push_bool, push_int } from "./register_ops_utils.ts";
import { pop_tensor, push_tensor, toList } from "./register_prim_ops/tensors.ts";
import { tupleIndex } from "./vararg_functions.ts";

/** A `raise` statement: the message, and the qualified name of the exception's class. */
export const raiseException: Operation = (stack) => {
  const qualified_class_name = pop(stack);
  const message = pop(stack).toStringRef();
  throw new JITException(message, qualified_class_name.isNone() ? null : qualified_class_name.toStringRef());
};

const operations = new Map<OpCode, Operation>([
  [Op.RAISE_EXCEPTION, raiseException],
  [Op.TUPLE_INDEX, tupleIndex],
  [Op.UNCHECKED_CAST, () => {}],
  [Op.DEVICE, (stack) => void stack.push(IValue.opaque("Device", pop_tensor(stack).device()))],
  [Op.DTYPE, (stack) => push_int(stack, pop_tensor(stack).scalar_type())],
  [Op.DIM, (stack) => push_int(stack, pop_tensor(stack).dim())],
  [
    Op.IS_CUDA,
    (stack) => {
      pop_tensor(stack);
      push_bool(stack, false);
    },
  ],
  [Op.TO_LIST, toList],
  [Op.NUM_TO_TENSOR, (stack) => push_tensor(stack, scalar_to_tensor(pop(stack).toScalar()))],
]);

export function getOperation(op: OpCode): Operation {
  const operation = operations.get(op);
  TORCH_INTERNAL_ASSERT(operation !== undefined, "no operation for ", op_name(op));
  return operation;
}
