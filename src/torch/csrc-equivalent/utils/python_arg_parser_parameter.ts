/**
 * @file One parameter of a Python signature: its type, its default, and the test whether a value fits it.
 * @mirrors torch/csrc/utils/python_arg_parser.h#FunctionParameter
 */
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { MemoryFormat as MemoryFormats } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { is_symbolic } from "#c10/core/SymInt";
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { TensorBase, THPVariable_CheckExact } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPDevice } from "#torch/csrc-equivalent/Device";
import { python_types, THPDtype } from "#torch/csrc-equivalent/Dtype";
import { THPGenerator } from "#torch/csrc-equivalent/Generator";
import { THPLayout } from "#torch/csrc-equivalent/Layout";
import { THPMemoryFormat } from "#torch/csrc-equivalent/MemoryFormat";
import { isStorage } from "#torch/csrc-equivalent/Storage";
import { THPStream } from "#torch/csrc-equivalent/Stream";
import { check_has_torch_function } from "./disable_torch_function.ts";
import {
  python_type,
  THPUtils_checkDouble,
  THPUtils_checkIndex,
  THPUtils_checkLong,
  THPUtils_checkScalar,
} from "./python_numbers.ts";

export const ParameterType = {
  TENSOR: 0,
  SCALAR: 1,
  INT64: 2,
  SYM_INT: 3,
  DOUBLE: 4,
  TENSOR_LIST: 6,
  INT_LIST: 7,
  GENERATOR: 8,
  BOOL: 9,
  STORAGE: 10,
  PYOBJECT: 11,
  SCALARTYPE: 12,
  LAYOUT: 13,
  MEMORY_FORMAT: 14,
  DEVICE: 15,
  STREAM: 16,
  STRING: 17,
  FLOAT_LIST: 20,
  SCALAR_LIST: 22,
  SYM_INT_LIST: 23,
  DISPATCH_KEY_SET: 24,
} as const;
export type ParameterType = (typeof ParameterType)[keyof typeof ParameterType];

/** The type's spelling in signature strings, and its name in messages. */
const type_map: ReadonlyMap<string, readonly [ParameterType, string]> = new Map<
  string,
  readonly [ParameterType, string]
>([
  ["Tensor", [ParameterType.TENSOR, "Tensor"]],
  ["Scalar", [ParameterType.SCALAR, "Number"]],
  ["int64_t", [ParameterType.INT64, "int"]],
  ["SymInt", [ParameterType.SYM_INT, "int"]],
  ["double", [ParameterType.DOUBLE, "float"]],
  ["TensorList", [ParameterType.TENSOR_LIST, "tuple of Tensors"]],
  ["c10::List<::std::optional<Tensor>>", [ParameterType.TENSOR_LIST, "tuple of Tensors"]],
  ["IntArrayRef", [ParameterType.INT_LIST, "tuple of ints"]],
  ["SymIntArrayRef", [ParameterType.SYM_INT_LIST, "tuple of ints"]],
  ["ArrayRef<double>", [ParameterType.FLOAT_LIST, "tuple of floats"]],
  ["Generator", [ParameterType.GENERATOR, "torch.Generator"]],
  ["bool", [ParameterType.BOOL, "bool"]],
  ["Storage", [ParameterType.STORAGE, "torch.Storage"]],
  ["PyObject*", [ParameterType.PYOBJECT, "object"]],
  ["ScalarType", [ParameterType.SCALARTYPE, "torch.dtype"]],
  ["Layout", [ParameterType.LAYOUT, "torch.layout"]],
  ["MemoryFormat", [ParameterType.MEMORY_FORMAT, "torch.memory_format"]],
  ["Device", [ParameterType.DEVICE, "torch.device"]],
  ["Stream", [ParameterType.STREAM, "Stream"]],
  ["DeviceIndex", [ParameterType.INT64, "int"]],
  ["std::string", [ParameterType.STRING, "str"]],
  ["c10::string_view", [ParameterType.STRING, "str"]],
  ["std::string_view", [ParameterType.STRING, "str"]],
  ["DispatchKeySet", [ParameterType.DISPATCH_KEY_SET, "DispatchKeySet"]],
  ["ScalarList", [ParameterType.SCALAR_LIST, "tuple of Scalars"]],
]);

/** NumPy's names of some of our parameters; accepted as keywords if ours are not given. */
const numpy_compatibility_arg_names: ReadonlyMap<string, readonly string[]> = new Map([
  ["dim", ["axis"]],
  ["keepdim", ["keepdims"]],
  ["input", ["x", "a", "x1"]],
  ["other", ["x2"]],
]);

/** Functions whose Tensor parameters also accept a Python number, which becomes a "wrapped number" tensor. */
const allow_numbers_as_tensors: ReadonlySet<string> = new Set(
  ["add", "div", "divide", "mul", "multiply", "sub", "subtract", "true_divide", "floor_divide"]
    .flatMap((name) => [name, `${name}_`, `${name}_out`])
    .concat("to", "_to_copy", "copy_", "copy", "_conj"),
);

export function should_allow_numbers_as_tensors(name: string): boolean {
  return allow_numbers_as_tensors.has(name);
}

const NO_NAMES: readonly string[] = [];

export class FunctionParameter {
  readonly type_: ParameterType;
  readonly optional: boolean;
  readonly allow_none: boolean;
  readonly keyword_only: boolean;
  readonly allow_numbers_as_tensors: boolean;
  /** Length to which a single int is repeated (`IntArrayRef[2]`); 0 if a list is required. */
  readonly size: number;
  readonly name: string;
  readonly numpy_python_names: readonly string[];
  readonly default_scalar: Scalar;
  readonly default_intlist: readonly number[];
  readonly default_string: string;
  readonly default_bool: boolean;
  readonly default_int: number;
  readonly default_double: number;
  /** `Undefined` stands for the default dtype at the time of the call. */
  readonly default_scalartype: ScalarType;
  readonly default_memory_format: MemoryFormat;
  private readonly type_name_: string;
  private readonly default_text: string | null;

  /** @param fmt `Type[?] name[=default]`, for example `IntArrayRef[1]? dim=None`. */
  constructor(fmt: string, keyword_only: boolean, function_name: string) {
    const space = fmt.lastIndexOf(" ", fmt.includes("=") ? fmt.indexOf("=") : fmt.length);
    if (space === -1) throw new RuntimeError(`FunctionParameter(): missing type: ${fmt}`);
    let type_str = fmt.slice(0, space);
    const [name = "", default_str] = splitOnce(fmt.slice(space + 1), "=");
    this.allow_none = type_str.endsWith("?") || default_str === "None";
    if (type_str.endsWith("?")) type_str = type_str.slice(0, -1);
    const bracket = /\[(\d+)\]$/.exec(type_str);
    this.size = bracket === null ? 0 : Number(bracket[1]);
    if (bracket !== null) type_str = type_str.slice(0, bracket.index);
    const type = type_map.get(type_str);
    if (type === undefined) throw new RuntimeError(`FunctionParameter(): invalid type string: ${type_str}`);
    [this.type_, this.type_name_] = type;
    this.name = name;
    this.keyword_only = keyword_only;
    this.optional = default_str !== undefined;
    this.default_text = default_str ?? null;
    this.allow_numbers_as_tensors = should_allow_numbers_as_tensors(function_name);
    this.numpy_python_names = numpy_compatibility_arg_names.get(name) ?? NO_NAMES;

    const text = default_str === undefined || default_str === "None" ? null : default_str;
    this.default_scalar = text === null || this.type_ !== ParameterType.SCALAR ? Scalar.ZERO : parse_scalar(text);
    this.default_int = text === null ? 0 : parse_int(text);
    this.default_double = text === null ? 0 : Number(text);
    this.default_bool = text === "True" || text === "true";
    this.default_string = text === null ? "" : text.replace(/^["']|["']$/g, "");
    this.default_intlist = text === null ? [] : parse_intlist(text, this.size);
    this.default_scalartype = ScalarType.Undefined;
    this.default_memory_format = text === "preserve_format" ? MemoryFormats.Preserve : MemoryFormats.Contiguous;
  }

  type_name(): string {
    return this.type_name_;
  }

  /** The parameter's text in the tables of signatures. */
  toString(): string {
    return this.default_text === null
      ? `${this.type_name_} ${this.name}`
      : `${this.type_name_} ${this.name} = ${this.default_text}`;
  }

  /**
   * Whether `obj` fits. Objects that override functions are added to `overloaded_args`.
   * @param failed_idx its first element receives the index of a list element that does not fit
   */
  check(obj: unknown, overloaded_args: unknown[], argnum: number, failed_idx: number[]): boolean {
    switch (this.type_) {
      case ParameterType.TENSOR:
        if (THPVariable_CheckExact(obj)) return true;
        if (is_tensor_and_append_overloaded(obj, overloaded_args)) return true;
        return this.allow_numbers_as_tensors && (THPUtils_checkScalar(obj) || is_symbolic(obj));
      case ParameterType.SCALAR:
      case ParameterType.DOUBLE:
        if (THPUtils_checkScalar(obj)) return true;
        if (obj instanceof TensorBase) {
          const var_ = obj.cdata;
          return !var_.requires_grad() && var_.dim() === 0;
        }
        return is_symbolic(obj);
      case ParameterType.INT64:
        if (THPUtils_checkLong(obj)) return true;
        if (obj instanceof TensorBase) {
          const var_ = obj.cdata;
          return isIntegralType(var_.scalar_type(), false) && !var_.requires_grad() && var_.dim() === 0;
        }
        return is_symbolic(obj);
      case ParameterType.SYM_INT:
        return is_int_or_symint(obj);
      case ParameterType.BOOL:
        return typeof obj === "boolean";
      case ParameterType.INT_LIST:
      case ParameterType.SYM_INT_LIST:
        return is_int_list(obj, this.size, failed_idx);
      case ParameterType.TENSOR_LIST:
        return is_tensor_list_and_append_overloaded(obj, overloaded_args, argnum, true);
      case ParameterType.SCALARTYPE:
        return obj instanceof THPDtype || python_types.has(obj);
      case ParameterType.LAYOUT:
        return obj instanceof THPLayout;
      case ParameterType.MEMORY_FORMAT:
        return obj instanceof THPMemoryFormat;
      case ParameterType.DEVICE:
        return typeof obj === "string" || THPUtils_checkLong(obj) || obj instanceof THPDevice;
      case ParameterType.STREAM:
        return obj instanceof THPStream;
      case ParameterType.STRING:
        return typeof obj === "string";
      case ParameterType.DISPATCH_KEY_SET:
        return obj instanceof DispatchKeySet;
      case ParameterType.GENERATOR:
        return obj instanceof THPGenerator;
      case ParameterType.STORAGE:
        return isStorage(obj);
      case ParameterType.FLOAT_LIST:
      case ParameterType.SCALAR_LIST:
        return Array.isArray(obj) && (obj.length === 0 || THPUtils_checkDouble(obj[0]));
      case ParameterType.PYOBJECT:
        return true;
    }
  }
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function parse_scalar(text: string): Scalar {
  return /^-?\d+$/.test(text)
    ? text === "1"
      ? Scalar.ONE
      : Scalar.fromInt(Number(text))
    : Scalar.fromDouble(Number(text));
}

/**
 * Parses an int default. For the C++ constant of a reduction PyTorch's `atol` returns 0, so a loss called as `torch.`
 * is not reduced.
 */
function parse_int(text: string): number {
  return text.startsWith("at::Reduction::") ? 0 : Number(text);
}

function parse_intlist(text: string, size: number): number[] {
  if (text.startsWith("{") || text.startsWith("["))
    return text
      .slice(1, -1)
      .split(",")
      .filter((item) => item.trim() !== "")
      .map(Number);
  const value = Number(text);
  return Number.isNaN(value) ? [] : new Array<number>(size).fill(value);
}

/** Whether it is a tensor. An object with `__torch_function__` is added to the list of arguments that may handle the call. */
export function is_tensor_and_append_overloaded(obj: unknown, overloaded_args: unknown[]): boolean {
  if (THPVariable_CheckExact(obj)) return true;
  if (check_has_torch_function(obj, true)) {
    append_overloaded_arg(overloaded_args, obj);
    return true;
  }
  return obj instanceof TensorBase;
}

function is_tensor_list_and_append_overloaded(
  obj: unknown,
  overloaded_args: unknown[],
  argnum: number,
  throw_error: boolean,
): boolean {
  if (!Array.isArray(obj)) return false;
  for (let idx = 0; idx < obj.length; idx++) {
    if (is_tensor_and_append_overloaded(obj[idx], overloaded_args)) continue;
    if (throw_error) {
      throw new TypeError_(`expected Tensor as element ${idx} in argument ${argnum}, but got ${python_type(obj[idx])}`);
    }
    return false;
  }
  return true;
}

/** As in PyTorch only the first element is tested; the others are checked when they are unpacked. */
export function is_int_list(obj: unknown, broadcast_size: number, failed_idx: number[]): boolean {
  if (Array.isArray(obj)) {
    if (obj.length === 0 || is_int_or_symint(obj[0])) return true;
    failed_idx[0] = 0;
    return false;
  }
  return broadcast_size > 0 && is_int_or_symint(obj);
}

function is_int_or_symint(obj: unknown): boolean {
  if (typeof obj === "number") return THPUtils_checkLong(obj);
  if (obj instanceof TensorBase) return obj.cdata.numel() === 1 && isIntegralType(obj.cdata.scalar_type(), true);
  return is_symbolic(obj) || THPUtils_checkIndex(obj);
}

/** Keeps one argument per class: a subclass before its parents, otherwise in the order of the call. */
export function append_overloaded_arg(overloaded_args: unknown[], obj: unknown): void {
  const type = type_of_overloaded_arg(obj);
  let insert_index = overloaded_args.length;
  for (let i = 0; i < overloaded_args.length; i++) {
    const other = type_of_overloaded_arg(overloaded_args[i]);
    if (other === type) return;
    if (insert_index === overloaded_args.length && type.prototype instanceof other) insert_index = i;
  }
  overloaded_args.splice(insert_index, 0, obj);
}

type AnyClass = abstract new (...args: never[]) => object;

/** The class of an argument; for an argument that is a class, the class itself. */
export function type_of_overloaded_arg(obj: unknown): AnyClass {
  if (typeof obj === "function" && Object.hasOwn(obj, "prototype")) return obj as unknown as AnyClass;
  return (obj as { constructor?: AnyClass }).constructor ?? Object;
}
