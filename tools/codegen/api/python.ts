/**
 * @file The Python calling convention: the signature strings for the argument parser, and the conversion of a parsed
 * slot to an argument of `at::`.
 * @mirrors torchgen/api/python.py
 */

import type { Argument, Return } from "../arguments.ts";
import { SchemaError } from "../errors.ts";
import type { FunctionSchema } from "../function_schema.ts";
import type { NativeFunction } from "../model.ts";
import { BaseType, is_tensor_like, ListType, OptionalType, type Type } from "../types.ts";
import * as cpp from "./cpp.ts";
import { takes_int64 } from "./int64_arguments.ts";

export interface PythonArgument {
  readonly name: string;
  readonly type: Type;
  /** The default in the signature string; null if the argument is required. */
  readonly default: string | null;
  /** Expression that is used for a missing dtype, layout or device of a factory. */
  readonly default_init: string | null;
}

/** All out arguments as the one keyword `out`. */
export interface PythonOutArgument extends PythonArgument {
  readonly outputs: readonly PythonArgument[];
}

/** A signature kept for old code: arguments in another order than the operator's. */
export interface Deprecation {
  readonly schema: FunctionSchema;
  /** The operator's arguments: names of the signature's arguments, or constants. */
  readonly args_exprs: readonly string[];
}

export interface PythonSignature {
  readonly name: string;
  readonly input_args: readonly PythonArgument[];
  readonly input_kwargs: readonly PythonArgument[];
  readonly output_args: PythonOutArgument | null;
  /** dtype, layout, device, pin_memory, requires_grad of a factory function, scattered. */
  readonly tensor_options_args: readonly PythonArgument[];
  readonly method: boolean;
  readonly deprecated: Deprecation | null;
}

export interface PythonSignatureNativeFunctionPair {
  readonly signature: PythonSignature;
  readonly function: NativeFunction;
}

/** One signature for an operator and its out variant: if `out` is missing, the operator is called. */
export interface PythonSignatureGroup {
  readonly signature: PythonSignature;
  readonly base: NativeFunction;
  readonly outplace: NativeFunction | null;
}

export function signature_arguments(s: PythonSignature, skip_outputs = false): PythonArgument[] {
  return [
    ...s.input_args,
    ...s.input_kwargs,
    ...(s.output_args === null || skip_outputs ? [] : [s.output_args]),
    ...s.tensor_options_args,
  ];
}

/** Index of `out` among the parsed slots. */
export function output_idx(s: PythonSignature): number {
  return s.input_args.length + s.input_kwargs.length;
}

/** `add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)`. */
export function signature_str(s: PythonSignature, skip_outputs = false): string {
  const formals = signature_arguments(s, skip_outputs).map((a) => argument_str(a, s.method));
  if (formals.length > s.input_args.length) formals.splice(s.input_args.length, 0, "*");
  return `${s.name}(${formals.join(", ")})${s.deprecated === null ? "" : "|deprecated"}`;
}

function argument_str(a: PythonArgument, method: boolean): string {
  const type = argument_type_str(a.type);
  const name = a.name === "self" && type === "Tensor" && !method ? "input" : a.name;
  return a.default === null ? `${type} ${name}` : `${type} ${name}=${a.default}`;
}

const BASE_TYPE_STR: Readonly<Record<string, string>> = { int: "int64_t", float: "double", str: "c10::string_view" };
const LIST_TYPE_STR: Readonly<Record<string, string>> = {
  int: "IntArrayRef",
  SymInt: "SymIntArrayRef",
  Tensor: "TensorList",
  Scalar: "ScalarList",
  "Tensor?": "c10::List<::std::optional<Tensor>>",
  float: "ArrayRef<double>",
};

function argument_type_str(t: Type): string {
  if (t.kind === "base") return BASE_TYPE_STR[t.name] ?? t.name;
  if (t.kind === "optional") return `${argument_type_str(t.elem)}?`;
  const list = LIST_TYPE_STR[String(t.elem)];
  if (list === undefined)
    throw new SchemaError(`no Python parameter type for '${t}'`, "add it to LIST_TYPE_STR and to python_arg_parser");
  return t.size === null ? list : `${list}[${t.size}]`;
}

/** A YAML default in the spelling of the signature string. */
function python_default(text: string): string {
  if (text === "[]") return "None";
  if (text === "Mean" || text === "Sum") return `at::Reduction::${text}`;
  if (text.startsWith("'")) return `"${text.slice(1, -1)}"`;
  if (text.startsWith("[")) return `{${text.slice(1, -1).replaceAll(" ", "")}}`;
  return text;
}

function argument(a: Argument): PythonArgument {
  return {
    name: a.name,
    type: a.type,
    default: a.default === null ? null : python_default(a.default),
    default_init: null,
  };
}

export function has_tensor_options(f: NativeFunction): boolean {
  return f.func.arguments.tensor_options !== null;
}

export function signature(f: NativeFunction, method: boolean): PythonSignature {
  return signature_from_schema(f.func, f.category_override, method);
}

export function signature_from_schema(
  func: FunctionSchema,
  category_override: string | null,
  method: boolean,
): PythonSignature {
  const args = func.arguments;
  const self_arg = method ? [] : args.self_arg === null ? [] : [args.self_arg];
  const outputs = args.out.map(argument);
  return {
    name: String(func.name.name),
    input_args: [...args.pre_self_positional, ...self_arg, ...args.post_self_positional].map(argument),
    input_kwargs: [...args.pre_tensor_options_kwarg_only, ...args.post_tensor_options_kwarg_only].map(argument),
    output_args: out_argument(outputs),
    tensor_options_args: tensor_options_args(func, category_override),
    method,
    deprecated: null,
  };
}

function out_argument(outputs: readonly PythonArgument[]): PythonOutArgument | null {
  const [first] = outputs;
  if (first === undefined) return null;
  if (outputs.length === 1) return { name: first.name, type: first.type, default: "None", default_init: null, outputs };
  return {
    name: "out",
    type: new ListType(new BaseType("Tensor"), outputs.length),
    default: "None",
    default_init: null,
    outputs,
  };
}

/** Python's tensor options: they include `requires_grad`, and every function that makes a tensor from none has them. */
function tensor_options_args(func: FunctionSchema, category_override: string | null): PythonArgument[] {
  const name = cpp.name(func);
  const makes_tensor = func.returns.some((r) => is_tensor_like(r.type)) && !func.arguments.has_tensor_arg;
  const is_factory = category_override === "factory" || makes_tensor;
  const is_like_or_new =
    category_override === "new" || category_override === "like" || name.startsWith("new_") || name.endsWith("_like");
  if (!(is_factory || is_like_or_new) || category_override === "dummy") return [];

  const options = func.arguments.tensor_options;
  const default_init = (a: Argument | undefined): string | null => {
    if (is_like_or_new || a === undefined || a.default === null || a.default === "None") return null;
    return cpp.default_expr(a);
  };
  const option = (option_name: string, type: BaseType, default_: string, init: string | null): PythonArgument => ({
    name: option_name,
    type: new OptionalType(type),
    default: default_,
    default_init: init,
  });
  return [
    option("dtype", new BaseType("ScalarType"), "None", default_init(options?.dtype)),
    option("layout", new BaseType("Layout"), "None", default_init(options?.layout)),
    option(
      "device",
      new BaseType("Device"),
      "None",
      is_like_or_new ? null : (default_init(options?.device) ?? "get_default_device()"),
    ),
    option("pin_memory", new BaseType("bool"), "False", null),
    option("requires_grad", new BaseType("bool"), "False", null),
  ];
}

/** Names of a struct sequence's fields; empty unless every return has a name. */
export function structseq_fieldnames(returns: readonly Return[]): string[] {
  if (returns.length <= 1 || returns.every((r) => r.name === null)) return [];
  return returns.map((r) => r.name ?? "");
}

/** The method of `PythonArgs` that unpacks a slot of this type. */
function arg_parser_unpack_method(t: Type, default_: string | null, has_default_init: boolean): string {
  if (t.kind === "base") {
    switch (t.name) {
      case "Tensor":
      case "Storage":
      case "Scalar":
      case "Generator":
      case "Stream":
        return t.name.toLowerCase();
      case "ScalarType":
        return has_default_init ? "scalartypeWithDefault" : "scalartype";
      case "Device":
        return has_default_init ? "deviceWithDefault" : "device";
      case "Layout":
        return "layout";
      case "MemoryFormat":
        return "memoryformat";
      case "int":
      case "DeviceIndex":
        return "toInt64";
      case "SymInt":
        return "toSymInt";
      case "bool":
        return "toBool";
      case "float":
        return "toDouble";
      case "str":
        return "stringView";
      default:
    }
  } else if (t.kind === "optional") {
    if (String(t.elem) === "Tensor") return "optionalTensor";
    if (String(t.elem) === "Generator") return "generator";
    const load_optional = !has_default_init && (default_ === null || default_ === "None");
    return arg_parser_unpack_method(t.elem, default_, has_default_init) + (load_optional ? "Optional" : "");
  } else {
    switch (String(t.elem)) {
      case "Tensor":
        return t.size === null ? "tensorlist" : "tensorlist_n";
      case "Tensor?":
        return "list_of_optional_tensors";
      case "int":
        return "intlist";
      case "SymInt":
        return "symintlist";
      case "Scalar":
        return "scalarlist";
      case "float":
        return "doublelist";
      default:
    }
  }
  throw new SchemaError(
    `type '${t}' is not supported by PythonArgParser`,
    "give PythonArgs an unpacking method and name it here",
  );
}

/** The unpacking method for an argument of a function: an int that is not passed as full int64 becomes a double. */
function unpack_method(s: PythonSignature, a: PythonArgument): string {
  const method = arg_parser_unpack_method(a.type, a.default, a.default_init !== null);
  return takes_int64(s.name, a.name) ? method : method.replace(/^to(?:Int64|SymInt)/, "guard_int");
}

/** The expression that reads each argument's slot, for example `_r.toBool(2)`. */
export function arg_parser_output_exprs(s: PythonSignature): Map<string, string> {
  const exprs = new Map<string, string>();
  signature_arguments(s).forEach((a, i) => {
    const method = unpack_method(s, a);
    const extra = a.default_init ?? (method === "tensorlist_n" ? String((a.type as ListType).size) : null);
    exprs.set(a.name, extra === null ? `_r.${method}(${i})` : `_r.${method}(${i}, ${extra})`);
  });
  return exprs;
}

/** Signatures by operator name, sorted by name. */
export type SignatureTable = ReadonlyMap<string, readonly PythonSignatureGroup[]>;

/** Whether the operator is an in-place one on lists: it returns nothing, and its binding returns the list that it received. */
export function is_inplace_foreach(f: NativeFunction): boolean {
  return f.func.kind() === "inplace" && f.func.name.name.base.startsWith("_foreach_");
}
