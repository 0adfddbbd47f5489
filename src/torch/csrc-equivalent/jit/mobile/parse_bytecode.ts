/**
 * @file From the nested tuples of `bytecode.pkl` to code and schemas.
 * @mirrors torch/csrc/jit/mobile/parse_bytecode.cpp
 */
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import type { IValue } from "#aten/core/ivalue";
import { OperatorName } from "#aten/core/operator_name";
import { TORCH_CHECK } from "#c10/util/Exception";
import { Instruction, isOpSupportedInMobile, Op, type OpName } from "../runtime/instruction.ts";
import type { Code } from "./function.ts";
import { parseOperators } from "./parse_operators.ts";
import { type TypeNames, TypeParser } from "./type_parser.ts";

/** More registers than any program has. */
const kMaxRegisters = 2 ** 20;

function texts(value: IValue): string[] {
  return value.toTuple().map((item) => item.toStringRef());
}

/** The value behind the name in a table of pairs. */
export function field(table: IValue, name: string): IValue {
  const found = table
    .toTuple()
    .map((pair) => pair.toTuple())
    .find(([key]) => key.toStringRef() === name);
  TORCH_CHECK(found?.[1] !== undefined, `Expected ${name} in the bytecode`);
  return found[1];
}

function parseInstruction(item: IValue): Instruction {
  const [name, X, N] = item.toTuple();
  TORCH_CHECK(N !== undefined, "There should be three parts in an instruction.");
  const op = Op[name.toStringRef() as OpName] as number | undefined;
  TORCH_CHECK(op !== undefined && isOpSupportedInMobile(op), name.toStringRef(), " is not supported in mobile module.");
  return new Instruction(op, Number(X.toInt()), Number(N.toInt()));
}

export function parseCode(table: IValue, names: TypeNames): Code {
  const register_size = Number(field(table, "register_size").toInt());
  TORCH_CHECK(register_size >= 0 && register_size <= kMaxRegisters, "register_size is out of range");
  return {
    instructions: field(table, "instructions").toTuple().map(parseInstruction),
    operators: parseOperators(field(table, "operators").toTuple()),
    constants: field(table, "constants").toTuple(),
    types: texts(field(table, "types")).map((text) => new TypeParser(text, names).parse()),
    register_size,
  };
}

/** Every argument has a default value, if only None. */
export function parseSchema(name: string, table: IValue, type_names: TypeNames): FunctionSchema {
  const args = (list: IValue): Argument[] =>
    list.toTuple().map((arg) => {
      const type = new TypeParser(field(arg, "type").toStringRef(), type_names).parse();
      return new Argument(field(arg, "name").toStringRef(), type, { default_value: field(arg, "default_value") });
    });
  return new FunctionSchema(new OperatorName(name), args(field(table, "arguments")), args(field(table, "returns")));
}
