/**
 * @file Between the front end's values and boxed ones: what `torch.ops` calls and Python kernels pass through.
 * @mirrors torch/csrc/jit/python/pybind_utils.h
 */

import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { FunctionSchema } from "#aten/core/function_schema";
import type { Generator } from "#aten/core/Generator";
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import type { Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import { scalar_to_tensor } from "#aten/ScalarOps";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { THPVariable_Check, THPVariable_Unpack } from "#torch/csrc-equivalent/autograd/python_variable_type";
import { THPVariable_Wrap } from "#torch/csrc-equivalent/autograd/python_variable_wrap";
import { THPDevice_Check, THPDevice_New, toDevice } from "#torch/csrc-equivalent/Device";
import { THPDtype_Check } from "#torch/csrc-equivalent/Dtype";
import { getTHPDtype, getTHPLayout, getTHPMemoryFormat } from "#torch/csrc-equivalent/DynamicTypes";
import { THPGenerator, THPGenerator_Check } from "#torch/csrc-equivalent/Generator";
import { THPLayout_Check } from "#torch/csrc-equivalent/Layout";
import { THPMemoryFormat_Check } from "#torch/csrc-equivalent/MemoryFormat";
import { isStorage, storage_of, THPStorage_Wrap } from "#torch/csrc-equivalent/Storage";
import { scalar_of_number } from "#torch/csrc-equivalent/utils/python_arg_parser_args";
import { should_allow_numbers_as_tensors } from "#torch/csrc-equivalent/utils/python_arg_parser_parameter";
import {
  Float,
  isDict,
  isFloat,
  isPythonInt,
  python_type,
  THPUtils_checkDouble,
  THPUtils_checkLong,
  THPUtils_checkScalar,
  THPUtils_packInt64,
  THPUtils_unpackDouble,
} from "#torch/csrc-equivalent/utils/python_numbers";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";

/** Why a value cannot be what the schema asks for; the text after `Cast error details:`. */
class cast_error extends RuntimeError {}

/** Raised where an argument list does not fit a schema; with several overloads the next one is tried. */
export class schema_match_error extends RuntimeError {}

function cannotCast(obj: unknown): never {
  const type = THPVariable_Check(obj) ? "torch.Tensor" : python_type(obj);
  throw new cast_error(
    `Unable to cast Python instance of type <class '${type}'> to C++ type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)`,
  );
}

/** Python's `str`: a string is itself, without quotes. */
function str(obj: unknown): string {
  return typeof obj === "string" ? obj : repr(obj);
}

/** The number in a tensor of one element, for where a number is asked for. */
function elementOf(obj: unknown): unknown {
  return THPVariable_Check(obj) ? (obj as unknown as { item(): unknown }).item() : obj;
}

function toInt(obj: unknown): IValue {
  if (THPDtype_Check(obj)) return IValue.fromInt(obj.scalar_type);
  if (THPLayout_Check(obj)) return IValue.fromInt(obj.layout);
  if (THPMemoryFormat_Check(obj)) return IValue.fromInt(obj.memory_format);
  if (THPVariable_Check(obj)) return IValue.fromInt(Math.trunc(Number(elementOf(obj))));
  if (typeof obj === "boolean") return IValue.fromInt(obj ? 1 : 0);
  return THPUtils_checkLong(obj) ? IValue.fromInt(THPUtils_packInt64(obj)) : cannotCast(obj);
}

function toDouble(obj: unknown): IValue {
  const value = elementOf(obj);
  return THPUtils_checkDouble(value) ? IValue.fromDouble(THPUtils_unpackDouble(value)) : cannotCast(obj);
}

function toBool(obj: unknown): IValue {
  const value = elementOf(obj);
  return THPUtils_checkDouble(value) ? IValue.fromBool(Boolean(THPUtils_unpackDouble(value))) : cannotCast(obj);
}

function toTensor(obj: unknown, numbersAsTensors: boolean): IValue {
  if (THPVariable_Check(obj)) return IValue.fromTensor(THPVariable_Unpack(obj));
  if (obj === null || obj === undefined) return IValue.fromTensor(new Tensor());
  if (numbersAsTensors && THPUtils_checkScalar(obj)) {
    const tensor = scalar_to_tensor(scalar_of_number(obj));
    tensor.impl_.set_wrapped_number(true);
    return IValue.fromTensor(tensor);
  }
  throw new cast_error(`Unable to cast ${str(obj)} to Tensor`);
}

function toList(obj: unknown, element: Type, N: number | null, numbersAsTensors: boolean): IValue {
  if (N !== null && !Array.isArray(obj) && THPUtils_checkScalar(obj)) {
    const value = toIValue(obj, element); // int[2] takes one int for both
    return IValue.fromList(new List(element, new Array<IValue>(N).fill(value)));
  }
  const items = Array.isArray(obj)
    ? obj
    : ArrayBuffer.isView(obj)
      ? [...(obj as unknown as Iterable<unknown>)]
      : cannotCast(obj);
  try {
    return IValue.fromList(
      new List(
        element,
        items.map((item) => toIValue(item, element, null, numbersAsTensors)),
      ),
    );
  } catch (error) {
    // A list is cast as a whole: the message names it, not the element.
    if (error instanceof cast_error) cannotCast(obj);
    throw error;
  }
}

/**
 * Boxes a front-end value as schema type `type` wants it.
 * @param N length of a sized list, for which one number may stand
 */
export function toIValue(obj: unknown, type: Type, N: number | null = null, numbersAsTensors = false): IValue {
  switch (type.kind()) {
    case "TensorType":
      return toTensor(obj, numbersAsTensors);
    case "OptionalType":
      return obj === null || obj === undefined ? IValue.None : toIValue(obj, type.containedType(), N, numbersAsTensors);
    case "IntType":
    case "SymIntType":
    case "ScalarTypeType":
    case "LayoutType":
    case "MemoryFormatType":
    case "QSchemeType":
      return toInt(obj);
    case "FloatType":
      return toDouble(obj);
    case "BoolType":
    case "SymBoolType":
      return toBool(obj);
    case "NumberType":
      if (THPUtils_checkScalar(obj)) return IValue.fromScalar(scalar_of_number(obj));
      throw new cast_error(`Cannot cast ${str(obj)} to number`);
    case "ComplexType":
      if (THPUtils_checkDouble(obj)) return IValue.fromComplexDouble({ real: THPUtils_unpackDouble(obj), imag: 0 });
      return IValue.fromComplexDouble(obj as ComplexDouble);
    case "StringType":
      return typeof obj === "string" ? IValue.fromString(obj) : cannotCast(obj);
    case "DeviceObjType":
      return THPDevice_Check(obj) || typeof obj === "string" ? IValue.opaque("Device", toDevice(obj)) : cannotCast(obj);
    case "GeneratorType":
      return THPGenerator_Check(obj) ? IValue.opaque("Generator", obj.cdata) : cannotCast(obj);
    case "StorageType":
      return isStorage(obj) ? IValue.opaque("Storage", storage_of(obj)) : cannotCast(obj);
    case "NoneType":
      return obj === null || obj === undefined ? IValue.None : cannotCast(obj);
    case "ListType":
      return toList(obj, type.containedType(), N, numbersAsTensors);
    case "TupleType": {
      if (!Array.isArray(obj)) throw new TypeError_(`'${python_type(obj)}' object is not iterable`);
      return IValue.fromTuple(obj.map((item, i) => toIValue(item, type.containedType(i))));
    }
    case "DictType":
      return isDict(obj) || obj instanceof Map ? IValue.opaque("GenericDict", obj) : cannotCast(obj);
    default:
      return obj === null || obj === undefined ? IValue.None : IValue.opaque("PyObject", obj);
  }
}

/** The front end's value. `type`, the schema's own (real) type, tells a dtype from an int. */
export function toPyObject(value: IValue, type: Type | null = null): unknown {
  if (value.isNone()) return null;
  if (type?.kind() === "OptionalType") return toPyObject(value, type.containedType());
  switch (value.tag) {
    case "Tensor":
      return THPVariable_Wrap(value.payload as Tensor);
    case "GenericList":
      return value
        .toList()
        .vec()
        .map((item) => toPyObject(item, type?.kind() === "ListType" ? type.containedType() : null));
    case "Tuple":
      return value
        .toTuple()
        .map((item, i) => toPyObject(item, type?.kind() === "TupleType" ? type.containedType(i) : null));
    case "Double": {
      // As a Scalar, 2.0 must stay a float where a plain 2 would be an int.
      const number = value.payload as number;
      return type?.kind() === "NumberType" && isPythonInt(number) ? Float(number) : number;
    }
    case "Device":
      return THPDevice_New(value.payload as Device);
    case "Generator":
      return new THPGenerator(value.payload as Generator);
    case "Storage":
      return THPStorage_Wrap(value.payload as Storage);
    case "Int":
      if (type?.kind() === "ScalarTypeType") return getTHPDtype(value.payload as ScalarType);
      if (type?.kind() === "LayoutType") return getTHPLayout(value.payload as Layout);
      if (type?.kind() === "MemoryFormatType") return getTHPMemoryFormat(value.payload as MemoryFormat);
      return value.payload;
    default:
      return value.payload;
  }
}

/** An argument's value and its place, or the error PyTorch words for it. */
function argumentToIValue(schema: FunctionSchema, position: number, obj: unknown): IValue {
  const argument = schema.arguments()[position];
  const name = schema.name();
  const numbersAsTensors = name.startsWith("aten::") && should_allow_numbers_as_tensors(name.slice("aten::".length));
  try {
    return toIValue(obj, argument.type(), argument.N(), numbersAsTensors);
  } catch (error) {
    if (!(error instanceof cast_error) && !(error instanceof TypeError_)) throw error;
    const found = THPVariable_Check(obj) ? "Tensor" : python_type(obj);
    const details =
      error instanceof cast_error
        ? `Cast error details: ${error.message}`
        : ` Python error details: TypeError: ${error.message}`;
    throw new schema_match_error(
      `${name}() Expected a value of type '${argument.type().annotation_str()}' for argument '${argument.name()}' but instead found type '${found}'.\n` +
        `Position: ${position}\nValue: ${repr(obj)}\nDeclaration: ${schema}\n${details}`,
    );
  }
}

/** Splits a JavaScript argument list: a plain object at the end holds the keyword arguments. */
export function splitKwargs(args: readonly unknown[]): {
  positional: readonly unknown[];
  kwargs: Record<string, unknown>;
} {
  const last = args.at(-1);
  return isDict(last) && !isFloat(last)
    ? { positional: args.slice(0, -1), kwargs: last }
    : { positional: args, kwargs: {} };
}

/** The stack of a call, in schema order, defaults filled in. */
export function createStackForSchema(
  schema: FunctionSchema,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): Stack {
  const declared = schema.arguments();
  const positional_limit = declared.filter((arg) => !arg.kwarg_only()).length;
  if (args.length > positional_limit && !schema.is_vararg()) {
    throw new schema_match_error(
      `${schema.name()}() takes ${positional_limit} positional argument(s) but ${args.length} was/were given.  Declaration: ${schema}`,
    );
  }
  const stack = args.slice(0, positional_limit).map((obj, i) => argumentToIValue(schema, i, obj));
  const consumed = new Set<string>();
  for (let i = stack.length; i < declared.length; i++) {
    const arg = declared[i];
    if (Object.hasOwn(kwargs, arg.name()) && kwargs[arg.name()] !== undefined) {
      stack.push(argumentToIValue(schema, i, kwargs[arg.name()]));
      consumed.add(arg.name());
    } else {
      const default_value = arg.default_value();
      if (default_value === null)
        throw new schema_match_error(
          `${schema.name()}() is missing value for argument '${arg.name()}'. Declaration: ${schema}`,
        );
      stack.push(default_value);
    }
  }
  for (const key of Object.keys(kwargs)) {
    if (consumed.has(key) || kwargs[key] === undefined) continue;
    if (schema.argumentIndexWithName(key) !== null) {
      throw new schema_match_error(
        `Argument '${key}' specified both as positional and keyword argument. Schema: ${schema}`,
      );
    }
    throw new schema_match_error(
      `Unknown keyword argument '${key}' for operator '${schema.name()}'. Schema: ${schema}`,
    );
  }
  return stack;
}

/** What a call returns from its stack: nothing, a value, or a tuple. */
export function createPyObjectForStack(stack: Stack, schema: FunctionSchema): unknown {
  const results = stack.slice(stack.length - schema.returns().length).map((value) => toPyObject(value));
  return results.length === 0 ? null : results.length === 1 ? results[0] : results;
}

/** Calls the first of `operators` whose schema takes the arguments. `run` is the boxed call to make. */
export function invokeOperatorFromPython(
  operators: readonly OperatorHandle[],
  args: readonly unknown[],
  run: (op: OperatorHandle, stack: Stack) => void = callBoxed,
): unknown {
  const { positional, kwargs } = splitKwargs(args);
  const errors: string[] = [];
  for (const op of operators) {
    let stack: Stack;
    try {
      stack = createStackForSchema(op.schema(), positional, kwargs);
    } catch (error) {
      if (operators.length === 1 || !(error instanceof schema_match_error)) throw error;
      errors.push(error.message);
      continue;
    }
    run(op, stack);
    return createPyObjectForStack(stack, op.schema());
  }
  throw new RuntimeError(
    `Overloaded torch operator invoked from Python failed to match any schema:\n${errors.map((message) => `${message}\n\n`).join("")}`,
  );
}

function callBoxed(op: OperatorHandle, stack: Stack): void {
  op.callBoxed(stack);
}
