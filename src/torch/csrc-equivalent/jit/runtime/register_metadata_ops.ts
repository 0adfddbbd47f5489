/**
 * @file Operators that ask a tensor about itself. They are not in the dispatcher: a class with `__torch_dispatch__` sees them when the engine wants
 * to know its tensor's sizes, strides, device or layout.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops.cpp
 * @differs `aten::sym_size.int`, `sym_stride.int`, `sym_numel` and `sym_storage_offset` stand here; in PyTorch the dispatcher has them.
 * @see src/torch/csrc-equivalent/PyInterpreter.ts (who asks)
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import { parseSchema } from "#aten/core/function_schema_parser";
import { IValue } from "#aten/core/ivalue";
import { OperatorName } from "#aten/core/operator_name";
import { popn, type Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { symbols_of } from "#c10/core/SymInt";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import type { CallableOperator } from "./register_c10_ops.ts";

/** The answer for an ordinary tensor, by schema. */
const answers: Readonly<Record<string, (self: Tensor, argument: number) => unknown>> = {
  "prim::device(Tensor a) -> Device": (self) => self.device(),
  "prim::layout(Tensor a) -> Layout": (self) => self.layout(),
  "aten::size(Tensor self) -> int[]": (self) => self.sizes(),
  "aten::sym_size.int(Tensor self, int dim) -> SymInt": (self, dim) => self.sym_size(dim),
  "aten::sym_size(Tensor self) -> SymInt[]": (self) => self.sizes(),
  "aten::stride(Tensor self) -> int[]": (self) => self.strides(),
  "aten::sym_stride.int(Tensor self, int dim) -> SymInt": (self, dim) =>
    symbols_of(self.strides())[maybe_wrap_dim(dim, self.dim(), false)],
  "aten::sym_stride(Tensor self) -> SymInt[]": (self) => self.strides(),
  "aten::dim(Tensor self) -> int": (self) => self.dim(),
  "aten::get_device(Tensor self) -> int": (self) => self.get_device(),
  "aten::numel(Tensor self) -> int": (self) => self.numel(),
  "aten::sym_numel(Tensor self) -> SymInt": (self) => self.sym_numel(),
  "aten::sym_storage_offset(Tensor self) -> SymInt": (self) => self.impl_.sym_storage_offset(),
  "aten::storage_offset(Tensor self) -> int": (self) => self.storage_offset(),
  "aten::is_contiguous(Tensor self) -> bool": (self) => self.impl_.is_contiguous(),
  "aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool": (self, memory_format) =>
    self.impl_.is_contiguous(memory_format as MemoryFormat),
  "aten::is_strides_like_format(Tensor self, MemoryFormat memory_format) -> bool": (self, memory_format) =>
    self.impl_.is_strides_like(memory_format as MemoryFormat),
  "aten::is_non_overlapping_and_dense(Tensor self) -> bool": (self) => self.impl_.is_non_overlapping_and_dense(),
};

class MetadataOperator implements CallableOperator {
  private readonly schema_: FunctionSchema;
  private readonly answer: (self: Tensor, argument: number) => unknown;

  constructor(text: string, answer: (self: Tensor, argument: number) => unknown) {
    this.schema_ = parseSchema(text);
    this.answer = answer;
  }

  schema(): FunctionSchema {
    return this.schema_;
  }

  operator_name(): OperatorName {
    return new OperatorName(this.schema_.name(), this.schema_.overload_name());
  }

  tags(): readonly string[] {
    return [];
  }

  callBoxed(stack: Stack): void {
    const [self, argument] = popn(stack, this.schema_.arguments().length);
    const answer = this.answer(self.toTensor() as Tensor, argument === undefined ? 0 : argument.toInt());
    stack.push(IValue.from(answer, this.schema_.returns()[0].type()));
  }
}

const made = new Map<string, readonly MetadataOperator[]>();

/** The operators of this name. */
export function metadata_operators(qualified_name: string): readonly CallableOperator[] {
  let operators = made.get(qualified_name);
  if (operators === undefined) {
    operators = Object.entries(answers)
      .filter(([text]) => text.startsWith(`${qualified_name}(`) || text.startsWith(`${qualified_name}.`))
      .map(([text, answer]) => new MetadataOperator(text, answer));
    made.set(qualified_name, operators);
  }
  return operators;
}
