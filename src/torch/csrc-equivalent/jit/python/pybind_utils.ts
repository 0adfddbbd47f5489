/**
 * @file Conversion between front-end values and boxed ones, for calls by `torch.ops` and for Python kernels.
 * @mirrors torch/csrc/jit/python/pybind_utils.h
 */

import type { Argument, FunctionSchema } from "#aten/core/function_schema";
import type { Generator } from "#aten/core/Generator";
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import type { Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { isIntegralType, type ScalarType } from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import { is_symbolic } from "#c10/core/SymInt";
import { length_error, RuntimeError, TORCH_INTERNAL_ASSERT, TypeError_, ValueError } from "#c10/util/Exception";
import { positional_dicts } from "#python/bridge/positional_dicts";
import { tuple, tuple_map } from "#python/Objects/tupleobject";
import { THPVariable_Check, THPVariable_Unpack } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPVariable_Wrap } from "#torch/csrc-equivalent/autograd/python_variable/wrap";
import { THPDevice_Check, THPDevice_New, toDevice } from "#torch/csrc-equivalent/Device";
import { THPDtype_Check } from "#torch/csrc-equivalent/Dtype";
import { getTHPDtype, getTHPLayout, getTHPMemoryFormat } from "#torch/csrc-equivalent/DynamicTypes";
import { THPGenerator, THPGenerator_Check } from "#torch/csrc-equivalent/Generator";
import type { CallableOperator } from "#torch/csrc-equivalent/jit/runtime/register_c10_ops";
import { THPLayout_Check } from "#torch/csrc-equivalent/Layout";
import { THPMemoryFormat_Check } from "#torch/csrc-equivalent/MemoryFormat";
import { isStorage, storage_of, THPStorage_Wrap } from "#torch/csrc-equivalent/Storage";
import { refuse_sparse } from "#torch/csrc-equivalent/utils/python_abstract";
import {
  scalar_of_number,
  symbol_in,
  symbols_are_taken,
  tensor_of_number,
} from "#torch/csrc-equivalent/utils/python_arg_parser_args";
import { should_allow_numbers_as_tensors } from "#torch/csrc-equivalent/utils/python_arg_parser_parameter";
import { class_name } from "#torch/csrc-equivalent/utils/python_class";
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
import { load_scalar } from "#torch/csrc-equivalent/utils/python_scalars";

/** Says why a value cannot be converted to the schema's type; its text follows `Cast error details:`. */
export class cast_error extends RuntimeError {}

/** Conversions of the types that only scripts have; scripts set it. */
export const script_conversions: { box: ((obj: unknown, type: Type) => IValue | null) | null } = { box: null };

/** Thrown if an argument list does not fit a schema; with several overloads the next one is tried. */
export class schema_match_error extends RuntimeError {}

/** `type(obj).__module__ + type(obj).__name__`, as in the `repr` of a class. */
function typeName(obj: unknown): string {
  return THPVariable_Check(obj) ? class_name((obj as object).constructor) : python_type(obj);
}

/** `type(obj).__name__`. */
function friendlyTypeName(obj: unknown): string {
  return typeName(obj).replace(/^.*\./, "");
}

function cannotCast(obj: unknown): never {
  throw new cast_error(
    `Unable to cast Python instance of type <class '${typeName(obj)}'> to C++ type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)`,
  );
}

/** A value for a parameter that is a number: a tensor is replaced by the number in it. */
function number_of(obj: unknown, kind: "int" | "float" | "bool"): unknown {
  if (THPVariable_Check(obj) && THPVariable_Unpack(obj).is_meta())
    throw new cast_error(`cannot extract ${kind} from tensor with meta storage`);
  return obj;
}

/** Python's `str`: a string is itself, without quotes. */
function str(obj: unknown): string {
  return typeof obj === "string" ? obj : repr(obj);
}

/** The number in a tensor of one element, for a parameter that is a number. */
function elementOf(obj: unknown): unknown {
  if (!THPVariable_Check(obj)) return obj;
  return THPVariable_Unpack(obj).numel() === 1 ? (obj as unknown as { item(): unknown }).item() : cannotCast(obj);
}

/** The number of a member of one of the front end's enums. */
function enumValue(obj: unknown): unknown {
  if (THPDtype_Check(obj)) return obj.scalar_type;
  return THPLayout_Check(obj) ? obj.layout : obj;
}

/** An int; a tensor of one element stands for its number, truncated. */
function toInt(obj: unknown): IValue {
  if (THPVariable_Check(obj)) {
    const value = Number(elementOf(obj));
    return Number.isFinite(value) ? IValue.fromInt(Math.trunc(value)) : cannotCast(obj);
  }
  if (typeof obj === "boolean") return IValue.fromInt(obj ? 1 : 0);
  if (is_symbolic(obj)) return IValue.fromInt(obj.guard());
  if (!THPUtils_checkLong(obj)) cannotCast(obj);
  if (typeof obj === "bigint" && BigInt.asIntN(64, obj) !== obj) cannotCast(obj);
  return IValue.fromInt(THPUtils_packInt64(obj));
}

/** A dtype, layout or memory format, or an int for one: they are numbers of eight bits. */
function toEnum(obj: unknown): IValue {
  return IValue.fromInt(Number(BigInt.asIntN(8, BigInt(toInt(obj).toInt()))));
}

/**
 * One of a list of sizes. Here a tensor must hold an integer: pybind's caster accepts any tensor first and throws for it later.
 */
function toSize(obj: unknown): IValue {
  if (THPVariable_Check(obj)) {
    const tensor = THPVariable_Unpack(obj);
    const dtype = tensor.scalar_type();
    if (tensor.numel() !== 1 || !isIntegralType(dtype, true)) cannotCast(obj);
    TORCH_INTERNAL_ASSERT(isIntegralType(dtype, false), "scalar.isIntegral( false)");
  }
  return is_symbolic(obj) && symbols_are_taken() ? IValue.fromInt(obj as never) : toInt(obj);
}

/** A float from a tensor. pybind11 asks for the number twice before it gives up, so a warning about this also appears twice. */
function floatOf(tensor: { __float__(): number }): number {
  try {
    return tensor.__float__();
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
  }
  try {
    return tensor.__float__();
  } catch {
    return cannotCast(tensor);
  }
}

function toDouble(obj: unknown): IValue {
  const value = THPVariable_Check(obj) ? floatOf(obj as typeof obj & { __float__(): number }) : obj;
  return THPUtils_checkDouble(value) ? IValue.fromDouble(THPUtils_unpackDouble(value)) : cannotCast(obj);
}

/** A bool from everything for which Python's `bool` uses a slot of its own: numbers, None, and tensors of one element. */
function toBool(obj: unknown): IValue {
  const value = elementOf(obj ?? false);
  return THPUtils_checkDouble(value) ? IValue.fromBool(THPUtils_unpackDouble(value) !== 0) : cannotCast(obj);
}

function toScalar(obj: unknown): IValue {
  const value = enumValue(obj);
  if (THPUtils_checkScalar(value)) return IValue.fromScalar(scalar_of_number(value));
  if (is_symbolic(value)) return IValue.fromScalar(scalar_of_number(value));
  throw new cast_error(`Cannot cast ${str(obj)} to number`);
}

function toTensor(obj: unknown, numbersAsTensors: boolean): IValue {
  if (THPVariable_Check(obj)) return IValue.fromTensor(THPVariable_Unpack(obj));
  if (obj === null || obj === undefined) return IValue.fromTensor(new Tensor());
  if (numbersAsTensors && (THPUtils_checkScalar(obj) || is_symbolic(obj)))
    return IValue.fromTensor(tensor_of_number(obj));
  throw new cast_error(`Unable to cast ${str(obj)} to Tensor`);
}

/** Lists that C++ casts as a whole: a message names the list, not the element. Others are iterated like in Python's `for`. */
const castAsAWhole: ReadonlySet<string> = new Set(["IntType", "FloatType", "BoolType", "TensorType"]);

/** Sized lists that accept one number for all elements; SymInt[2] does not. */
const takesOneForAll: ReadonlySet<string> = new Set(["IntType", "FloatType"]);

function toList(obj: unknown, element: Type, N: number | null, numbersAsTensors: boolean): IValue {
  if (N !== null && takesOneForAll.has(element.kind()) && (THPUtils_checkLong(obj) || typeof obj === "boolean"))
    return IValue.fromList(new List(element, new Array<IValue>(N).fill(toIValue(obj, element)))); // int[2] takes one int for both
  const whole = castAsAWhole.has(element.kind());
  const items = whole && !Array.isArray(obj) && !ArrayBuffer.isView(obj) ? cannotCast(obj) : iterate(obj);
  try {
    return IValue.fromList(
      new List(
        element,
        items.map((item) => {
          if (whole && item === null) cannotCast(obj);
          if (element.kind() === "SymIntType") return toSize(item);
          return element.kind() === "IntType" ? toInt(item) : toIValue(item, element, null, numbersAsTensors);
        }),
      ),
    );
  } catch (error) {
    if (whole && error instanceof cast_error) cannotCast(obj);
    throw error;
  }
}

/** The values of Python's `iter`. */
function iterate(obj: unknown): unknown[] {
  if (Array.isArray(obj)) refuse_sparse(obj);
  if (typeof obj === "string" || (typeof obj === "object" && obj !== null && Symbol.iterator in obj))
    return [...(obj as Iterable<unknown>)];
  throw new TypeError_(`'${typeName(obj)}' object is not iterable`);
}

/**
 * Boxes a front-end value as schema type `type`.
 * @param N length of a sized list, which accepts one number for all elements
 */
export function toIValue(obj: unknown, type: Type, N: number | null = null, numbersAsTensors = false): IValue {
  const boxed = script_conversions.box?.(obj, type) ?? null;
  if (boxed !== null) return boxed;
  switch (type.kind()) {
    case "TensorType":
      return toTensor(obj, numbersAsTensors);
    case "OptionalType":
      return obj === null || obj === undefined ? IValue.None : toIValue(obj, type.containedType(), N, numbersAsTensors);
    case "IntType":
    case "QSchemeType":
      return toInt(enumValue(number_of(obj, "int")));
    case "ScalarTypeType":
      return toEnum(THPDtype_Check(obj) ? obj.scalar_type : obj);
    case "LayoutType":
      return toEnum(THPLayout_Check(obj) ? obj.layout : obj);
    case "MemoryFormatType":
      return toEnum(THPMemoryFormat_Check(obj) ? obj.memory_format : obj);
    case "SymIntType":
      return is_symbolic(obj) && symbols_are_taken() ? IValue.fromInt(obj as never) : toInt(obj);
    case "FloatType":
      return toDouble(number_of(obj, "float"));
    case "BoolType":
      return toBool(number_of(obj, "bool"));
    case "SymBoolType":
      return toBool(obj);
    case "NumberType":
      return toScalar(obj);
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
      refuse_sparse(obj);
      return IValue.fromTuple(obj.map((item, i) => toIValue(item, type.containedType(i))));
    }
    case "DictType":
      return isDict(obj) || obj instanceof Map ? IValue.opaque("GenericDict", obj) : cannotCast(obj);
    default:
      return obj === null || obj === undefined ? IValue.None : IValue.opaque("PyObject", obj);
  }
}

/** A tensor that replaced a number is converted back: to its first element, even if it has been resized since. */
function tensor_or_number(tensor: Tensor): unknown {
  if (!tensor.defined() || !tensor.impl_.is_wrapped_number()) return THPVariable_Wrap(tensor);
  const symbol = symbol_in(tensor);
  if (symbol !== undefined) return symbol;
  const impl = tensor.impl_;
  const number = load_scalar(impl.data_view(), impl.data_offset(), tensor.scalar_type());
  return tensor.is_floating_point() && isPythonInt(number as number) ? Float(number as number) : number;
}

/** Unboxes to a front-end value. The schema's own (real) type, `type`, distinguishes a dtype from an int. */
export function toPyObject(value: IValue, type: Type | null = null): unknown {
  if (value.isNone()) return null;
  if (type?.kind() === "OptionalType") return toPyObject(value, type.containedType());
  switch (value.tag) {
    case "Tensor":
      return tensor_or_number(value.payload as Tensor);
    case "GenericList":
      return value
        .toList()
        .vec()
        .map((item) => toPyObject(item, type?.kind() === "ListType" ? type.containedType() : null));
    case "Tuple":
      return tuple_map(value.toTuple(), (item, i) =>
        toPyObject(item, type?.kind() === "TupleType" ? type.containedType(i) : null),
      );
    case "Double": {
      // As a Scalar, 2.0 must stay a float, because a plain 2 would be an int.
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
      // An integer has no negative zero, which Python would take for a float: formulas make one when they negate 0.
      return value.payload === 0 ? 0 : value.payload;
    default:
      return value.payload;
  }
}

/** An argument's value and its position, or PyTorch's error for it. */
function argumentToIValue(schema: FunctionSchema, position: number, obj: unknown): IValue {
  const argument = schema.arguments()[position];
  const name = schema.name();
  const numbersAsTensors = name.startsWith("aten::") && should_allow_numbers_as_tensors(name.slice("aten::".length));
  try {
    return toIValue(obj, argument.real_type(), argument.N(), numbersAsTensors);
  } catch (error) {
    if (!(error instanceof cast_error) && !(error instanceof TypeError_)) throw error;
    const details =
      error instanceof cast_error
        ? `Cast error details: ${error.message}`
        : ` Python error details: TypeError: ${error.message}`;
    throw new schema_match_error(
      `${name}() Expected a value of type '${argument.type().annotation_str()}' for argument '${argument.name()}' but instead found type '${friendlyTypeName(obj)}'.\n` +
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
  return isDict(last) && !isFloat(last) && !positional_dicts.has(last)
    ? { positional: args.slice(0, -1), kwargs: last }
    : { positional: args, kwargs: {} };
}

/** One number that is the default of a list of N numbers. */
function repeated(value: IValue, arg: Argument): IValue {
  const N = arg.N();
  if (N === null || arg.type().kind() !== "ListType") return value;
  return IValue.fromList(new List(arg.type().containedType(), new Array<IValue>(N).fill(value)));
}

/** The stack of a call, in schema order, defaults filled in. */
export function createStackForSchema(
  schema: FunctionSchema,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): Stack {
  const declared = schema.arguments();
  const names = Object.keys(kwargs).filter((name) => kwargs[name] !== undefined);
  const given = args.length + names.length;
  if (given > declared.length) {
    throw new schema_match_error(
      `${schema.name()}() expected at most ${declared.length} argument(s) but received ${given} argument(s). Declaration: ${schema}`,
    );
  }
  const stack: Stack = [];
  for (const [i, obj] of args.entries()) {
    if (declared[i].kwarg_only()) {
      throw new schema_match_error(
        `${schema.name()}() takes ${i} positional argument(s) but ${args.length} was/were given.  Declaration: ${schema}`,
      );
    }
    stack.push(argumentToIValue(schema, i, obj));
  }
  let consumed = 0;
  for (let i = stack.length; i < declared.length; i++) {
    const arg = declared[i];
    if (names.includes(arg.name())) {
      stack.push(argumentToIValue(schema, i, kwargs[arg.name()]));
      consumed++;
    } else {
      const default_value = arg.default_value();
      if (default_value === null)
        throw new schema_match_error(
          `${schema.name()}() is missing value for argument '${arg.name()}'. Declaration: ${schema}`,
        );
      stack.push(default_value.isInt() ? repeated(default_value, arg) : default_value);
    }
  }
  if (consumed !== names.length) throw new schema_match_error(findErrorInKwargs(schema, names));
  return stack;
}

/** The message for keyword arguments that do not fit: a name is unknown, or its argument was also given by position. */
function findErrorInKwargs(schema: FunctionSchema, names: readonly string[]): string {
  const unknown = names.find((name) => schema.argumentIndexWithName(name) === null);
  if (unknown !== undefined)
    return `Unknown keyword argument '${unknown}' for operator '${schema.name()}'. Schema: ${schema}`;
  const twice = schema.arguments().find((arg) => names.includes(arg.name())); // the first one with a name
  TORCH_INTERNAL_ASSERT(twice?.default_value() === null, "!argument.default_value()");
  return `Argument '${twice?.name()}' specified both as positional and keyword argument. Schema: ${schema}`;
}

/** The result of a call, from its stack: nothing, a value, or a tuple. */
export function createPyObjectForStack(stack: Stack, schema: FunctionSchema): unknown {
  const results = stack.slice(stack.length - schema.returns().length).map((value) => toPyObject(value));
  return results.length === 0 ? null : results.length === 1 ? results[0] : tuple(results);
}

/** Calls the first of `operators` whose schema accepts the arguments. `run` makes the boxed call. */
export function invokeOperatorFromPython<Operator extends CallableOperator>(
  operators: readonly Operator[],
  args: readonly unknown[],
  run: (op: Operator, stack: Stack) => void = callBoxed,
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
    try {
      run(op, stack);
    } catch (error) {
      throw error instanceof length_error ? new ValueError(error.message) : error;
    }
    return createPyObjectForStack(stack, op.schema());
  }
  throw new RuntimeError(
    `Overloaded torch operator invoked from Python failed to match any schema:\n${errors.map((message) => `${message}\n\n`).join("")}`,
  );
}

function callBoxed(op: CallableOperator, stack: Stack): void {
  op.callBoxed(stack);
}
