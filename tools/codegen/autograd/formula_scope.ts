/**
 * @file The functions that a formula may call: helpers in FunctionsManual/index.ts, operators under PyTorch's
 * overloaded names, and methods of Tensor and a few classes, each with the parameters from its source or schema.
 * @original In PyTorch these are the declarations that the C++ compiler sees in Functions.cpp's includes.
 */

import { mirrors_of } from "#trace/symbol_index";
import { api_parameters, has_gathered_options } from "../api/cpp.ts";
import type { CodegenInput } from "../context.ts";
import type { NativeFunction } from "../model.ts";
import type { Declaration, SourceIndex } from "../source_index.ts";
import { AUTOGRAD_FOLDER } from "./folders.ts";
import {
  base,
  DOUBLE,
  type FormulaType,
  INT,
  tuple_or_one,
  type_of_schema,
  type_of_typescript,
} from "./formula_types.ts";

export interface Parameter {
  readonly name: string;
  readonly type: FormulaType;
  readonly optional: boolean;
}

/** One of the functions that share a C++ name. */
export interface Overload {
  /** The name in generated text: `mul_Tensor`. */
  readonly name: string;
  readonly from: "helper" | "at" | "method" | "static";
  readonly parameters: readonly Parameter[];
  readonly returns: FormulaType;
  /** Whether it calls no operator, so that the time of its call is not visible in a path. */
  readonly reads: boolean;
}

/** Overloads by C++ name. */
export type Overloads = ReadonlyMap<string, readonly Overload[]>;

export interface FormulaScope {
  /** Helpers and operators that a formula calls without a namespace. */
  readonly functions: Overloads;
  /** Functions in `at::`. */
  readonly at_functions: Overloads;
  /** Methods by class, static ones under `Class::`. */
  readonly methods: ReadonlyMap<string, Overloads>;
  /** The file that exports each helper, by its printed name. */
  readonly helper_files: ReadonlyMap<string, string>;
  /** Whether the function or method is missing for a reason reported elsewhere: a call of it then has any type. */
  readonly is_unknown: (name: string) => boolean;
}

/** Classes and constants available in every formula, and their files. */
export const FORMULA_VALUES: Readonly<Record<string, string>> = {
  Tensor: "src/aten/generated/core/TensorBody.ts",
  TensorGeometry: "src/aten/TensorGeometry.ts",
  TensorOptions: "src/c10/core/TensorOptions.ts",
  Scalar: "src/c10/core/Scalar.ts",
  ScalarType: "src/c10/core/ScalarType.ts",
  MemoryFormat: "src/c10/core/MemoryFormat.ts",
  Layout: "src/c10/core/Layout.ts",
  GradMode: "src/c10/core/GradMode.ts",
};

/** Files whose exported functions are helpers. */
export const MANUAL = [
  "index",
  "Activation",
  "ForwardLinalg",
  "ForwardNorms",
  "ForwardPointwise",
  "GridSampler",
  "Householder",
  "IndexReduce",
  "Linalg",
  "Loss",
  "MatrixFunctions",
].map((part) => `${AUTOGRAD_FOLDER}/FunctionsManual/${part}.ts`);
const AT_HELPERS = "src/aten/ExpandUtils.ts";
/** Methods that are hand-written in C++: those of TensorBase only read; those of Tensor may call an operator. */
const TENSOR_BASE = "src/aten/core/TensorBase.ts";
const TENSOR_BODY = "src/aten/templates/TensorBody.ts.tmpl";
const READING = new Set(["conj"]);
/** Classes whose methods a formula may call. If a method returns `number`, it is an int count, with the exceptions listed. */
const CLASSES: Readonly<Record<string, string>> = {
  Scalar: FORMULA_VALUES["Scalar"],
  TensorGeometry: FORMULA_VALUES["TensorGeometry"],
  TensorOptions: FORMULA_VALUES["TensorOptions"],
  GradMode: FORMULA_VALUES["GradMode"],
  Device: "src/c10/core/Device.ts",
  TypeAndSize: `${AUTOGRAD_FOLDER}/function.ts`,
};
const RETURN_DOUBLE = new Set(["toDouble", "toFloat"]);

export function formula_scope(input: CodegenInput): FormulaScope {
  const { sources, files } = input;
  const declared = (file: string): readonly Declaration[] => (files.has(file) ? sources.file(file).declarations : []);
  const at_functions = new Table();
  const functions = new Table();
  const helper_files = new Map<string, string>();
  for (const file of [...MANUAL, AT_HELPERS])
    for (const d of declared(file)) {
      if (!d.exported || d.kind !== "function" || helper_files.has(d.name)) continue;
      helper_files.set(d.name, file);
      const helper = helper_overload(d, sources);
      functions.add(cpp_name(d), helper);
      if (file === AT_HELPERS) at_functions.add(d.name, helper);
    }
  for (const f of input.yaml.native_functions) {
    if (!f.variants.has("function") || f.manual_cpp_binding) continue;
    const overload = operator_overload(f, false);
    for (const table of [functions, at_functions]) table.add(String(f.func.name.name), overload);
  }
  return {
    functions: functions.overloads,
    at_functions: at_functions.overloads,
    methods: methods_by_class(input.yaml.native_functions, sources, declared),
    helper_files,
    is_unknown: (name) => input.errors.is_broken(name),
  };
}

/** Methods are looked up under `Class`, static ones under `Class::`. */
function methods_by_class(
  functions: readonly NativeFunction[],
  sources: SourceIndex,
  declared: (file: string) => readonly Declaration[],
): ReadonlyMap<string, Overloads> {
  const tables = new Map<string, Table>();
  const table = (name: string): Table => {
    const found = tables.get(name) ?? new Table();
    tables.set(name, found);
    return found;
  };
  const tensor = table("Tensor");
  for (const file of [TENSOR_BASE, TENSOR_BODY])
    for (const d of declared(file))
      if (d.kind === "method") tensor.add(own_name(d), method_overload(d, sources, file === TENSOR_BASE));
  for (const f of functions) {
    if (!f.variants.has("method") || f.manual_cpp_binding) continue;
    tensor.add(String(f.func.name.name), operator_overload(f, true));
  }
  for (const [name, file] of Object.entries(CLASSES))
    for (const d of declared(file)) {
      if (d.kind !== "method" || !d.name.startsWith(`${name}.`)) continue;
      const statics = sources.line(d).trimStart().startsWith("static ");
      table(statics ? `${name}::` : name).add(own_name(d), method_overload(d, sources, true));
    }
  return new Map([...tables].map(([name, t]) => [name, t.overloads]));
}

/** A scope with only the operators: all that can be known of a PyTorch whose sources are not here. */
export function scope_of_operators(functions: readonly NativeFunction[], known: FormulaScope): FormulaScope {
  const at_functions = new Table();
  const methods = new Table();
  for (const [name, overloads] of known.methods.get("Tensor") ?? [])
    for (const o of overloads) if (o.reads) methods.add(name, o);
  for (const f of functions) {
    if (f.manual_cpp_binding) continue;
    at_functions.add(String(f.func.name.name), operator_overload(f, false));
    if (f.variants.has("method")) methods.add(String(f.func.name.name), operator_overload(f, true));
  }
  return {
    functions: at_functions.overloads,
    at_functions: at_functions.overloads,
    methods: new Map([...known.methods, ["Tensor", methods.overloads]]),
    helper_files: new Map(),
    is_unknown: () => true,
  };
}

class Table {
  readonly overloads = new Map<string, Overload[]>();

  add(name: string, overload: Overload): void {
    const found = this.overloads.get(name);
    if (found === undefined) this.overloads.set(name, [overload]);
    else found.push(overload);
  }
}

function own_name(d: Declaration): string {
  return d.name.slice(d.name.indexOf(".") + 1);
}

/**
 * The C++ name of a declaration: the `#unsqueeze_to` after the mirrored path says that `unsqueeze_to_dim` is an overload of it.
 */
function cpp_name(d: Declaration): string {
  return /#(\w+)$/.exec(mirrors_of(d.comment) ?? "")?.[1] ?? d.name;
}

function helper_overload(d: Declaration, sources: SourceIndex): Overload {
  const { parameters, returns } = sources.signature(d);
  return {
    name: d.name,
    from: "helper",
    parameters: parameters.map((p) => ({ ...p, type: type_of_typescript(p.type) })),
    returns: type_of_typescript(returns),
    reads: false,
  };
}

function method_overload(d: Declaration, sources: SourceIndex, reads: boolean): Overload {
  const { parameters, returns } = sources.signature(d);
  const name = own_name(d);
  const number = RETURN_DOUBLE.has(name) ? DOUBLE : INT;
  return {
    name,
    from: "method",
    parameters: parameters.map((p) => ({ ...p, type: type_of_typescript(p.type) })),
    returns: type_of_typescript(returns, number),
    reads: reads || READING.has(name),
  };
}

function operator_overload(f: NativeFunction, method: boolean): Overload {
  const args = f.func.arguments.flat_all;
  const types = new Map(args.map((a) => [a.name, type_of_schema(a.type)]));
  return {
    name: f.func.name.unambiguous_name(),
    from: method ? "method" : "at",
    parameters: api_parameters(f, method).map((p) => ({
      name: p.name,
      type:
        types.get(p.name) ??
        types.get(p.name.replace(/_$/, "")) ??
        (p.name === "options" && has_gathered_options(f) ? base("TensorOptions") : type_of_typescript(p.type)),
      optional: p.default !== null,
    })),
    returns: tuple_or_one(f.func.returns.map((r) => type_of_schema(r.type))),
    reads: false,
  };
}
