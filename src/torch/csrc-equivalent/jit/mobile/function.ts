/**
 * @file A method of a loaded file: its instructions, its schema, and what a call of it checks.
 * @mirrors torch/csrc/jit/mobile/function.cpp
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import { checkAndNormalizeInputs } from "#aten/core/function_schema_inl";
import type { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import type { Instruction } from "../runtime/instruction.ts";
import { JITException } from "../runtime/jit_exception.ts";
import type { Operation } from "../runtime/operator.ts";
import { InterpreterState } from "./interpreter.ts";

export interface Code {
  readonly instructions: readonly Instruction[];
  readonly operators: readonly Operation[];
  readonly constants: readonly IValue[];
  readonly types: readonly Type[];
  readonly register_size: number;
}

/** Files with debug handles say more; see the README of this folder. */
const debug_info = "\n  Debug info for handle(s): debug_handles:{-1}, was not found.\n  ";

export class MobileFunction {
  readonly code: Code;
  readonly schema: FunctionSchema;
  private readonly qualname_: string;
  private readonly find_method_: (object: IValue, name: string) => MobileFunction;

  constructor(
    qualname: string,
    { code, schema }: { readonly code: Code; readonly schema: FunctionSchema },
    find_method: (object: IValue, name: string) => MobileFunction,
  ) {
    this.qualname_ = qualname;
    this.code = code;
    this.schema = schema;
    this.find_method_ = find_method;
  }

  qualname(): string {
    return this.qualname_;
  }
  name(): string {
    return this.qualname_.slice(this.qualname_.lastIndexOf(".") + 1);
  }

  /** Runs with the arguments and returns the result. */
  call(args: readonly IValue[]): IValue {
    const stack: Stack = [...args];
    try {
      // The reader gives every argument a default value, if only None, as PyTorch does.
      checkAndNormalizeInputs(this.schema, stack);
    } catch (error) {
      throw new RuntimeError(`${(error as Error).message}${debug_info}`);
    }
    try {
      new InterpreterState(this.code, this.find_method_).run(stack);
    } catch (error) {
      if (error instanceof JITException) throw error;
      // An error of JavaScript comes from instructions that no compiler writes: a stack that is too short, a value of another type.
      const ours = error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
      const message = ours ? error.message : "the instructions do not fit the values on the stack";
      throw new RuntimeError(`${message}\n  ${debug_info}`);
    }
    TORCH_CHECK(stack.length === 1, "a method of a mobile module has one result");
    return stack[0];
  }
}
