/**
 * @file Schemas and operators for the front end: `parse_schema`, `FunctionSchema`, the calls behind `torch.ops`.
 * @mirrors torch/csrc/jit/python/init.cpp
 */

import type { AliasInfo } from "#aten/core/alias_info";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import type { Argument as C10Argument, FunctionSchema as C10FunctionSchema } from "#aten/core/function_schema";
import { parseSchema } from "#aten/core/function_schema_parser";
import type { Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import type { DispatchKey } from "#c10/core/DispatchKey";
import { RuntimeError } from "#c10/util/Exception";
import { type Tag, tags_of_names } from "#torch/csrc-equivalent/autograd/generated/python_enum_tag";
import { type CallableOperator, getAllOperatorsFor } from "#torch/csrc-equivalent/jit/runtime/register_c10_ops";
import { metadata_operators } from "#torch/csrc-equivalent/jit/runtime/register_metadata_ops";
import { incompatible_arguments, pybind_def } from "#torch/csrc-equivalent/utils/pybind";
import { invokeOperatorFromPython, toPyObject } from "./pybind_utils.ts";

/** `torch._C._AliasInfo`. */
export class PyAliasInfo {
  readonly is_write: boolean;
  readonly before_set: ReadonlySet<string>;
  readonly after_set: ReadonlySet<string>;

  constructor(info: AliasInfo) {
    this.is_write = info.isWrite();
    this.before_set = info.beforeSets();
    this.after_set = info.afterSets();
  }
}

/** `torch._C.Argument`. */
export class PyArgument {
  readonly name: string;
  readonly type: Type;
  readonly real_type: Type;
  readonly N: number | null;
  readonly default_value: unknown;
  readonly kwarg_only: boolean;
  readonly is_out: boolean;
  readonly is_write: boolean;
  readonly alias_info: PyAliasInfo | null;
  private readonly has_default: boolean;

  constructor(argument: C10Argument) {
    const default_value = argument.default_value();
    const alias_info = argument.alias_info();
    this.name = argument.name();
    this.type = argument.type();
    this.real_type = argument.real_type();
    this.N = argument.N();
    this.has_default = default_value !== null;
    this.default_value = default_value === null ? null : toPyObject(default_value);
    this.kwarg_only = argument.kwarg_only();
    this.is_out = argument.is_out();
    this.is_write = argument.is_write();
    this.alias_info = alias_info === null ? null : new PyAliasInfo(alias_info);
  }

  has_default_value(): boolean {
    return this.has_default;
  }
}

/** `torch._C.FunctionSchema`: the engine's schema with attributes in place of methods. */
export class PyFunctionSchema {
  readonly cdata: C10FunctionSchema;
  readonly name: string;
  readonly overload_name: string;
  readonly arguments: readonly PyArgument[];
  readonly returns: readonly PyArgument[];
  readonly is_mutable: boolean;

  constructor(schema: C10FunctionSchema) {
    this.cdata = schema;
    this.name = schema.name();
    this.overload_name = schema.overload_name();
    this.arguments = schema.arguments().map((arg) => new PyArgument(arg));
    this.returns = schema.returns().map((ret) => new PyArgument(ret));
    this.is_mutable = schema.is_mutable();
  }

  /** A schema's text tells everything that makes two schemas equal. */
  __eq__(other: unknown): boolean {
    if (other instanceof PyFunctionSchema) return String(this) === String(other);
    throw incompatible_arguments(
      "__eq__",
      ["(self: torch._C.FunctionSchema, arg0: torch._C.FunctionSchema) -> bool"],
      [this, other],
    );
  }
  toString(): string {
    return String(this.cdata);
  }
  __repr__(): string {
    return String(this.cdata);
  }
}

/** `torch._C.parse_schema`. */
export function parse_schema(schema: string, allow_typevars = true): PyFunctionSchema {
  return new PyFunctionSchema(parseSchema(schema, allow_typevars));
}

export function _jit_get_schemas_for_operator(qualified_name: string): PyFunctionSchema[] {
  return all_operators_for(qualified_name).map((op) => new PyFunctionSchema(op.schema()));
}

/** The dispatcher's operators of this name, then the others. */
function all_operators_for(qualified_name: string): readonly CallableOperator[] {
  return [...getAllOperatorsFor(qualified_name), ...metadata_operators(qualified_name)];
}

/**
 * A function that calls the first overload that accepts its arguments, and the overloads' names; null if there is no operator.
 */
export function _jit_get_operation(op_name: string): [((...args: unknown[]) => unknown) | null, string[] | null] {
  const operators = all_operators_for(op_name);
  if (operators.length === 0) return [null, null];
  const call = (...args: unknown[]): unknown => invokeOperatorFromPython(all_operators_for(op_name), args);
  return [call, operators.map((op) => op.operator_name().overload_name)];
}

export interface OperationOverload {
  /** Calls the operator. */
  op: (...args: unknown[]) => unknown;
  /** Calls its kernel for one dispatch key, whatever the arguments are. */
  op_dk: (dispatch_key: DispatchKey, ...args: unknown[]) => unknown;
  tags: readonly Tag[];
}

export function _get_operation_overload(op_name: string, overload_name: string): OperationOverload | null {
  const handle = Dispatcher.singleton().findSchema(new OperatorName(op_name, overload_name));
  if (handle === null) {
    const other = find_other_operator(op_name, overload_name);
    if (other === null) return null;
    const op = (...args: unknown[]): unknown => invokeOperatorFromPython([other], args);
    return { op, op_dk: (_key, ...args) => op(...args), tags: tags_of_names(other.tags()) };
  }
  return {
    op: (...args) => invokeOperatorFromPython([handle], args),
    op_dk: (key, ...args) =>
      invokeOperatorFromPython([handle], args, (op, stack) =>
        Dispatcher.singleton().callBoxedForDispatchKey(op, key, stack),
      ),
    tags: tags_of_names(handle.tags()),
  };
}

/** An operator that is not the dispatcher's. */
function find_other_operator(op_name: string, overload_name: string): CallableOperator | null {
  return metadata_operators(op_name).find((op) => op.schema().overload_name() === overload_name) ?? null;
}

export function _get_schema(op_name: string, overload_name: string): PyFunctionSchema {
  const handle =
    Dispatcher.singleton().findSchema(new OperatorName(op_name, overload_name)) ??
    find_other_operator(op_name, overload_name);
  if (handle === null) throw new RuntimeError(`Found no matching schema for ${op_name}.${overload_name}`);
  return new PyFunctionSchema(handle.schema());
}

/** The signatures in `__doc__`. */
const signatures = {
  parse_schema: "(schema: str, allow_typevars: bool = True) -> c10::FunctionSchema",
  _jit_get_schemas_for_operator: "(arg0: str) -> list[torch._C.FunctionSchema]",
  _jit_get_operation: "(qualified_name: str) -> tuple",
  _get_operation_overload: "(arg0: str, arg1: str) -> tuple | None",
  _get_schema: "(arg0: str, arg1: str) -> c10::FunctionSchema",
} as const;

export function initJITBindings(module: Record<string, unknown>): void {
  pybind_def(module, signatures, {
    parse_schema,
    _jit_get_schemas_for_operator,
    _jit_get_operation,
    _get_operation_overload,
    _get_schema,
  });
  Object.assign(module, {
    FunctionSchema: PyFunctionSchema,
    Argument: PyArgument,
    _AliasInfo: PyAliasInfo,
  });
}
