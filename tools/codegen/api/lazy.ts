/**
 * @file An operator's arguments as its node sees them: operands, which are values of the graph, and attributes, which the node holds.
 * @mirrors torchgen/api/lazy.py
 */
import type { Argument } from "../arguments.ts";
import type { NativeFunction } from "../model.ts";
import type { Type } from "../types.ts";
import { argument_name } from "./cpp.ts";

/** How an operand is made of an argument. */
export type OperandKind = "tensor" | "tensor_list" | "scalar" | "symint";

export interface LazyArgument {
  readonly argument: Argument;
  /** The argument's name as a TypeScript identifier. */
  readonly name: string;
  /** Null for an attribute. */
  readonly operand: OperandKind | null;
  /** Whether the operand may be missing. */
  readonly is_optional: boolean;
  readonly is_keyword: boolean;
}

function operand_kind(type: Type, symint: boolean): OperandKind | null {
  switch (String(type).replace(/\?$/, "")) {
    case "Tensor":
      return "tensor";
    case "Tensor[]":
      return "tensor_list";
    case "Scalar":
      return "scalar";
    case "SymInt":
      return symint ? "symint" : null;
    default:
      return null;
  }
}

/** The arguments in the order of the schema. @param symint whether single sizes are operands */
export function lazy_arguments(f: NativeFunction, symint: boolean): LazyArgument[] {
  const { flat_positional, flat_all } = f.func.arguments;
  return flat_all.map((argument, i) => ({
    argument,
    name: argument_name(argument),
    operand: operand_kind(argument.type, symint),
    is_optional: argument.type.kind === "optional",
    is_keyword: i >= flat_positional.length,
  }));
}

/** `add.Tensor` -> `AddTensor`, `_log_softmax` -> `LogSoftmax`. */
export function node_name(f: NativeFunction): string {
  const { name, overload_name } = f.func.name;
  return `${name}_${overload_name}`
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
