/**
 * @file The user-facing convention (`at::f`, `Tensor::f`): names, TypeScript types, default values, gathered tensor options.
 * @mirrors torchgen/api/cpp.py
 * @differs `at.` names contain the overload, `at.add_Tensor`, because TypeScript has no overloads that differ by type;
 * C++ has them.
 */

import type { Argument, Return } from "../arguments.ts";
import { SchemaError } from "../errors.ts";
import type { FunctionSchema } from "../function_schema.ts";
import type { NativeFunction } from "../model.ts";
import type { BaseTy, Type } from "../types.ts";

/**
 * The C++ name: base, in-place underscore, and `_out` for out variants. Used for kernels and wrappers, not for `at.` functions.
 */
export function name(func: FunctionSchema): string {
  return String(func.name.name) + (func.is_out_fn() ? "_out" : "");
}

const TS_TYPES: Readonly<Record<BaseTy, string>> = {
  Generator: "Generator",
  ScalarType: "ScalarType",
  Tensor: "Tensor",
  int: "number",
  DimVector: "number[]",
  float: "number",
  str: "string",
  bool: "boolean",
  Layout: "Layout",
  Device: "Device",
  DeviceIndex: "number",
  Scalar: "Scalar",
  MemoryFormat: "MemoryFormat",
  QScheme: "number",
  Storage: "Storage",
  Stream: "Stream",
  SymInt: "number",
  SymBool: "boolean",
  GraphModule: "unknown",
};

/** The file that defines each named TypeScript type, for the imports of generated files. */
export const TYPE_SOURCES: Readonly<Record<string, string>> = {
  Tensor: "src/aten/generated/core/TensorBody.ts",
  Generator: "src/aten/core/Generator.ts",
  Scalar: "src/c10/core/Scalar.ts",
  ScalarType: "src/c10/core/ScalarType.ts",
  Layout: "src/c10/core/Layout.ts",
  Device: "src/c10/core/Device.ts",
  MemoryFormat: "src/c10/core/MemoryFormat.ts",
  Storage: "src/c10/core/Storage.ts",
  Stream: "src/c10/core/Stream.ts",
  TensorOptions: "src/c10/core/TensorOptions.ts",
  DispatchKeySet: "src/c10/core/DispatchKeySet.ts",
};

/** The TypeScript type of a schema type; the same at every layer below the binding. */
export function ts_type(t: Type): string {
  if (t.kind === "base") return TS_TYPES[t.name];
  if (t.kind === "optional") return `${ts_type(t.elem)} | null`;
  const elem = ts_type(t.elem);
  return elem.includes(" ") ? `(${elem})[]` : `${elem}[]`;
}

/** void, one type, or a tuple. */
export function returns_type(returns: readonly Return[]): string {
  if (returns.length === 0) return "void";
  if (returns.length === 1) return ts_type(returns[0].type);
  return `[${returns.map((r) => ts_type(r.type)).join(", ")}]`;
}

const RESERVED = new Set([
  "arguments",
  "await",
  "break",
  "case",
  "catch",
  "class",
  "const",
  "continue",
  "debugger",
  "default",
  "delete",
  "do",
  "else",
  "enum",
  "eval",
  "export",
  "extends",
  "false",
  "finally",
  "for",
  "function",
  "if",
  "implements",
  "import",
  "in",
  "instanceof",
  "interface",
  "let",
  "new",
  "null",
  "package",
  "private",
  "protected",
  "public",
  "return",
  "static",
  "super",
  "switch",
  "this",
  "throw",
  "true",
  "try",
  "typeof",
  "var",
  "void",
  "while",
  "with",
  "yield",
  "ks",
  "at",
  "op",
  "options",
]);

/** The argument's name as a TypeScript identifier; reserved words get an underscore. */
export function argument_name(a: Argument): string {
  return RESERVED.has(a.name) ? `${a.name}_` : a.name;
}

/** Named integer constants that schemas use as defaults. */
const REDUCTION: Readonly<Record<string, string>> = { Mean: "1", Sum: "2" };
const DTYPE_NAMES: Readonly<Record<string, string>> = {
  long: "Long",
  float: "Float",
  double: "Double",
  int: "Int",
  bool: "Bool",
};

/** The default as a TypeScript expression (`alpha=1` -> `Scalar.ONE`), or null if there is none. */
export function default_expr(a: Argument): string | null {
  return a.default === null ? null : default_of(a.default, a.type);
}

function default_of(text: string, t: Type): string {
  if (t.kind === "optional") return text === "None" ? "null" : default_of(text, t.elem);
  if (t.kind === "list") {
    if (text.startsWith("[")) {
      const inner = text.slice(1, -1).trim();
      return inner === ""
        ? "[]"
        : `[${inner
            .split(/,\s*/)
            .map((x) => default_of(x, t.elem))
            .join(", ")}]`;
    }
    // `int[2] stride=1` is the default of every element.
    return `[${Array.from({ length: t.size ?? 1 }, () => default_of(text, t.elem)).join(", ")}]`;
  }
  switch (t.name) {
    case "bool":
    case "SymBool":
      if (text === "True" || text === "False") return text.toLowerCase();
      break;
    case "Scalar":
      if (/^-?\d+$/.test(text))
        return text === "1" ? "Scalar.ONE" : text === "0" ? "Scalar.ZERO" : `Scalar.fromInt(${text})`;
      if (text === "True" || text === "False") return `Scalar.fromBool(${text.toLowerCase()})`;
      if (Number.isFinite(Number(text))) return `Scalar.fromDouble(${text})`;
      break;
    case "int":
    case "SymInt":
    case "DeviceIndex":
      if (text in REDUCTION) return REDUCTION[text];
      if (Number.isInteger(Number(text))) return text;
      break;
    case "float":
      if (text === "inf") return "Infinity";
      if (text === "-inf") return "-Infinity";
      if (Number.isFinite(Number(text))) return String(Number(text));
      break;
    case "str":
      if (/^(['"]).*\1$/.test(text)) return JSON.stringify(text.slice(1, -1));
      break;
    case "ScalarType":
      if (text in DTYPE_NAMES) return `ScalarType.${DTYPE_NAMES[text]}`;
      break;
    case "MemoryFormat":
      if (/^\w+_format$|^channels_last(_3d)?$/.test(text)) return `MemoryFormat.${memory_format_name(text)}`;
      break;
    case "Layout":
      if (text === "strided") return "Layout.Strided";
      break;
    default:
  }
  throw new SchemaError(
    `cannot read the default '${text}' of a ${t}`,
    "use a literal, None, [], Mean, Sum, long or contiguous_format",
  );
}

/** `contiguous_format` -> `Contiguous`, `channels_last_3d` -> `ChannelsLast3d`. */
function memory_format_name(text: string): string {
  return text
    .replace(/_format$/, "")
    .split("_")
    .map((w) => w.charAt(0).toUpperCase() + w.slice(1))
    .join("");
}

/** One parameter of a generated TypeScript function. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly default: string | null;
}

/** Schema order, scattered: dispatcher, kernels, native functions. No defaults, as in C++. */
export function scattered_parameters(func: FunctionSchema): Parameter[] {
  return func.arguments.flat_all.map((a) => ({ name: argument_name(a), type: ts_type(a.type), default: null }));
}

/**
 * Parameters of `at.f` and methods: schema order, tensor options gathered into `options`. A parameter has a default
 * only if all later ones have one too (TypeScript would allow more, but no caller could omit them), and the YAML does
 * not say `cpp_no_default_args`.
 */
export function api_parameters(f: NativeFunction, method: boolean): Parameter[] {
  const args = f.func.arguments;
  const gather = has_gathered_options(f);
  const plain = (a: Argument): Parameter => ({
    name: argument_name(a),
    type: ts_type(a.type),
    default: f.cpp_no_default_args.has(a.name) ? null : default_expr(a),
  });
  const parameters: Parameter[] = args.flat_positional.filter((a) => !(method && a === args.self_arg)).map(plain);
  parameters.push(...args.pre_tensor_options_kwarg_only.map(plain));
  if (gather) parameters.push({ name: "options", type: "TensorOptions", default: options_default(f) });
  else parameters.push(...(args.tensor_options?.all() ?? []).map(plain));
  parameters.push(...args.post_tensor_options_kwarg_only.map(plain), ...args.out.map(plain));
  let optional = true;
  for (let i = parameters.length - 1; i >= 0; i--) {
    const p = parameters[i];
    if (!optional) parameters[i] = { ...p, default: null };
    else if (p.default === null) optional = false;
  }
  return parameters;
}

export function has_gathered_options(f: NativeFunction): boolean {
  return f.func.arguments.tensor_options !== null;
}

/** If all defaults are None, the default is the empty options object; `dtype=long` is not empty. */
function options_default(f: NativeFunction): string | null {
  const options = f.func.arguments.tensor_options;
  if (options === null || options.all().some((a) => a.default === null)) return null;
  const dtype = default_expr(options.dtype);
  return dtype === "null" ? "TensorOptions.EMPTY" : `new TensorOptions(${dtype})`;
}

/** `name: Type = default` lists. */
export function declare(parameters: readonly Parameter[]): string {
  return parameters.map((p) => `${p.name}: ${p.type}${p.default === null ? "" : ` = ${p.default}`}`).join(", ");
}

/** The dispatcher's arguments, from the API's: `options` is scattered again. */
export function scatter_exprs(f: NativeFunction, self_expr: string | null): string[] {
  const args = f.func.arguments;
  const plain = (a: Argument): string => (a === args.self_arg && self_expr !== null ? self_expr : argument_name(a));
  // `check_tensor_options_and_extract_memory_format`: the options may contain the memory format too.
  const with_options = (a: Argument): string =>
    args.tensor_options !== null && a.name === "memory_format"
      ? `${plain(a)} ?? options.memory_format_opt()`
      : plain(a);
  return [
    ...args.flat_positional.map(plain),
    ...args.pre_tensor_options_kwarg_only.map(plain),
    ...(args.tensor_options === null ? [] : OPTIONS_EXPRS),
    ...args.post_tensor_options_kwarg_only.map(with_options),
    ...args.out.map(plain),
  ];
}

export const OPTIONS_EXPRS = [
  "options.dtype_opt()",
  "options.layout_opt()",
  "options.device_opt()",
  "options.pinned_memory_opt()",
];
