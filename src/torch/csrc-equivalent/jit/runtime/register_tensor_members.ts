/**
 * @file Members of a tensor that answer with a number or a truth value and are no operators of native_functions.yaml.
 * @original PyTorch has them in the dispatcher too; here only TorchScript knows them.
 */
import { parseSchema } from "#aten/core/function_schema_parser";
import { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Operator, registerOperator } from "./operator.ts";

function pop(stack: Stack): IValue {
  return stack.pop() as IValue; // the caller has pushed the arguments
}

function register(schema: string, answer: (self: Tensor, stack: Stack) => IValue): void {
  const parsed = parseSchema(schema);
  const has_format = parsed.arguments().length > 1;
  const op = (stack: Stack): void => {
    const rest: Stack = has_format ? [pop(stack)] : [];
    stack.push(answer(pop(stack).toTensor(), rest));
  };
  parsed.setAliasAnalysis("FROM_SCHEMA");
  registerOperator(Operator.ofOperation(parsed, op));
}

register("aten::dim(Tensor self) -> int", (self) => IValue.fromInt(self.dim()));
register("aten::numel(Tensor self) -> int", (self) => IValue.fromInt(self.numel()));
register("aten::get_device(Tensor self) -> int", (self) => IValue.fromInt(self.get_device()));
register("aten::storage_offset(Tensor self) -> int", (self) => IValue.fromInt(self.storage_offset()));
register("aten::is_contiguous(Tensor self) -> bool", (self) => IValue.fromBool(self.is_contiguous()));
register("aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool", (self, stack) =>
  IValue.fromBool(self.is_contiguous(pop(stack).toInt() as MemoryFormat)),
);
