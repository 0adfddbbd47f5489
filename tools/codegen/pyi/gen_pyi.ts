/**
 * @file The generator of typed declarations for `torch` and for Tensor's methods, with the docstrings of
 * `_torch_docs.ts` and `_tensor_docs.ts`.
 * @mirrors tools/pyi/gen_pyi.py
 * @differs A keyword argument is a member of one trailing object, so a signature becomes several overloads: all arguments in place, then the
 * last one by name, the last two by name, and so on, until only the leading tensors are in place; PyTorch's stubs have one.
 */
import {
  is_inplace_foreach,
  type PythonArgument,
  type PythonSignature,
  type PythonSignatureGroup,
  type SignatureTable,
  structseq_fieldnames,
} from "../api/python.ts";
import type { Return } from "../arguments.ts";
import type { CodegenInput } from "../context.ts";
import { CodegenError, type ErrorList } from "../errors.ts";
import type { Type } from "../types.ts";
import { cite, generated_header } from "../utils.ts";

const TEMPLATES = "tools/codegen/pyi/templates";
const TORCH_DOCS = "src/torch/_torch_docs.ts";
const TENSOR_DOCS = "src/torch/_tensor_docs.ts";

export function gen_pyi(
  input: CodegenInput,
  tables: Readonly<Record<"methods" | "torch" | "nn" | "fft" | "linalg" | "special", SignatureTable>>,
): Map<string, string> {
  const torch_docs = docstrings(input, TORCH_DOCS);
  const tensor_docs = docstrings(input, TENSOR_DOCS);
  const write = (template: string, doc_names: string, hints: string): string =>
    input.templates(`${TEMPLATES}/${template}.tmpl`).substitute({
      generated_comment: generated_header(`${TEMPLATES}/${template}.tmpl, native_functions.yaml${doc_names}`),
      hints: hints.split("\n"),
    });
  const function_doc = (name: string): string | null => torch_docs.get(name) ?? inplace_doc(name, torch_docs);
  // A method without a docstring of its own gets its function's.
  const method_doc = (name: string): string | null =>
    tensor_docs.get(name) ?? torch_docs.get(name) ?? inplace_doc(name, torch_docs) ?? inplace_doc(name, tensor_docs);
  return new Map([
    [
      "src/torch/_C/generated/_VariableFunctions.ts",
      write(
        "_VariableFunctions.ts",
        ` and ${TORCH_DOCS}`,
        table_hints(tables.torch, function_doc, TORCH_DOCS, input.errors),
      ),
    ],
    ["src/torch/_C/generated/_nn.ts", write("_nn.ts", "", table_hints(tables.nn, null, TORCH_DOCS, input.errors))],
    ["src/torch/_C/generated/_fft.ts", write("_fft.ts", "", table_hints(tables.fft, null, TORCH_DOCS, input.errors))],
    [
      "src/torch/_C/generated/_linalg.ts",
      write("_linalg.ts", "", table_hints(tables.linalg, null, TORCH_DOCS, input.errors)),
    ],
    [
      "src/torch/_C/generated/_special.ts",
      write("_special.ts", "", table_hints(tables.special, null, TORCH_DOCS, input.errors)),
    ],
    [
      "src/torch/_C/generated/TensorBase.ts",
      write("TensorBase.ts", ` and ${TENSOR_DOCS}`, table_hints(tables.methods, method_doc, TENSOR_DOCS, input.errors)),
    ],
  ]);
}

/** The comment before each name in the file's interface. */
function docstrings(input: CodegenInput, path: string): Map<string, string> {
  const docs = new Map<string, string>();
  for (const m of (input.files.get(path) ?? "").matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(\w+): /g))
    docs.set(m[2], m[1].trim());
  return docs;
}

function inplace_doc(name: string, docs: ReadonlyMap<string, string>): string | null {
  const base = name.endsWith("_") ? docs.get(name.slice(0, -1)) : undefined;
  if (base === undefined) return null;
  return `* In-place form of \`${name.slice(0, -1)}\`: writes the result to the tensor it is called on, and returns this tensor.`;
}

/** The members of one interface. */
function table_hints(
  table: SignatureTable,
  doc_of: ((name: string) => string | null) | null,
  docs_path: string,
  errors: ErrorList,
): string {
  const members: string[] = [];
  for (const [name, groups] of table) {
    let doc: string | null = null;
    if (doc_of !== null && !name.startsWith("_")) {
      doc = doc_of(name);
      const plain = name.replace(/_$/, "");
      // An in-place operator has its functional form's docstring: a missing one is reported once.
      if (doc === null && (plain === name || !table.has(plain) || doc_of(plain) !== null)) {
        const first = groups[0].base;
        errors.add(
          new CodegenError(
            first.loc,
            "func",
            `the public operator '${name}' has no docstring`,
            `add an entry '${name}' to ${docs_path}`,
          ),
        );
      }
    }
    /** Operators by declaration: two operators may have the same declaration. */
    const overloads = new Map<string, string[]>();
    for (const g of groups.filter((g) => g.signature.deprecated === null))
      for (const overload of overloads_of(name, g))
        overloads.set(overload, [...(overloads.get(overload) ?? []), ...cite_group(g)]);
    if (doc !== null) members.push(format_doc(doc));
    for (const [overload, cited] of overloads) members.push(`${overload} // ${[...new Set(cited)].join(", ")}`);
  }
  return members.join("\n");
}

/** A signature with `out` serves two operators. */
function cite_group({ base, outplace }: PythonSignatureGroup): string[] {
  return outplace === null ? [cite(base)] : [cite(base), cite(outplace)];
}

/** The comment as it is in the docs file, with its lines aligned again. */
function format_doc(doc: string): string {
  const lines = doc.split("\n").map((line) => line.trim().replace(/^\* ?/, ""));
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

function overloads_of(name: string, group: PythonSignatureGroup): string[] {
  const s = group.signature;
  const returns =
    s.method && name.endsWith("_") && !name.endsWith("__")
      ? "this"
      : is_inplace_foreach(group.base)
        ? "Tensor[]"
        : returns_type(group.base.func.returns);
  const keywords = [...s.input_kwargs, ...(s.output_args === null ? [] : [s.output_args]), ...s.tensor_options_args];
  const required = s.input_args.filter((a) => a.default === null);
  const leading = s.input_args.slice(
    0,
    s.input_args.findIndex((a) => a.default !== null || String(a.type) !== "Tensor") >>> 0,
  );
  const form = (positional: readonly PythonArgument[], by_name: readonly PythonArgument[]): string => {
    const parameters = positional.map((a) => parameter(a, s));
    if (by_name.length > 0) parameters.push(kwargs_parameter(by_name, s));
    return `${name}(${parameters.join(", ")}): ${returns};`;
  };
  const forms = [form(s.input_args, keywords)];
  // From here on, the positional arguments are there, whether they have a default or not.
  const given = s.input_args.map((a): PythonArgument => ({ ...a, default: null }));
  for (let n = s.input_args.length - 1; n >= leading.length; n--)
    forms.push(form(n === required.length ? required : given.slice(0, n), [...s.input_args.slice(n), ...keywords]));
  const [only] = s.input_args;
  if (s.input_args.length === 1 && only !== undefined && is_int_list(only.type)) {
    forms.push(`${name}(...${only.name}: _int[]): ${returns};`);
    if (keywords.length > 0)
      forms.push(
        `${name}(...args: [...${only.name}: _int[], ${kwargs_parameter(keywords, s).replace("kwargs?:", "kwargs:")}]): ${returns};`,
      );
  }
  return forms;
}

function is_int_list(t: Type): boolean {
  return t.kind === "list" && (String(t.elem) === "int" || String(t.elem) === "SymInt");
}

const RESERVED_PARAMETERS: ReadonlySet<string> = new Set(["default", "in", "this"]);

function parameter(a: PythonArgument, s: PythonSignature): string {
  const name = a.name === "self" ? "input" : a.name;
  return `${RESERVED_PARAMETERS.has(name) ? `${name}_` : name}${a.default === null ? "" : "?"}: ${argument_type(a, s)}`;
}

function kwargs_parameter(args: readonly PythonArgument[], s: PythonSignature): string {
  const members = args.map(
    (a) => `${a.name === "self" ? "input" : a.name}${a.default === null ? "" : "?"}: ${argument_type(a, s)}`,
  );
  return `kwargs${args.every((a) => a.default !== null) ? "?" : ""}: { ${members.join("; ")} }`;
}

/** Operators that accept a Python number for a tensor; python_arg_parser.ts has the same list. */
const NUMBERS_AS_TENSORS: ReadonlySet<string> = new Set([
  "add",
  "div",
  "divide",
  "mul",
  "multiply",
  "sub",
  "subtract",
  "true_divide",
  "floor_divide",
]);

const TYPES: Readonly<Record<string, string>> = {
  Tensor: "Tensor",
  Scalar: "Number",
  int: "_int",
  SymInt: "_int",
  float: "_float",
  bool: "_bool",
  str: "string",
  ScalarType: "dtype",
  Layout: "layout",
  Device: "DeviceLike",
  DeviceIndex: "_int",
  MemoryFormat: "memory_format",
  Generator: "Generator",
  Storage: "UntypedStorage",
  Stream: "Stream",
};

function argument_type(a: PythonArgument, s: PythonSignature): string {
  if (String(a.type) === "Tensor" && NUMBERS_AS_TENSORS.has(s.name.replace(/_$/, "")) && a !== s.output_args)
    return "Tensor | Number";
  const type = type_str(a.type);
  return a.default === "None" && !type.endsWith("| null") ? `${type} | null` : type;
}

function type_str(t: Type): string {
  if (t.kind === "base") return TYPES[t.name] ?? "unknown";
  if (t.kind === "optional") return `${type_str(t.elem)} | null`;
  const elem = type_str(t.elem);
  const list = `readonly ${elem.includes(" ") ? `(${elem})` : elem}[]`;
  return t.size === null || String(t.elem) === "Tensor" ? list : `${elem} | ${list}`;
}

function returns_type(returns: readonly Return[]): string {
  if (returns.length === 0) return "null";
  if (returns.length === 1) return return_type(returns[0].type);
  const tuple = `[${returns.map((r) => return_type(r.type)).join(", ")}]`;
  const fields = structseq_fieldnames(returns);
  if (fields.length === 0) return tuple;
  return `${tuple} & { ${fields.map((f, i) => `readonly ${f}: ${return_type(returns[i].type)}`).join("; ")} }`;
}

function return_type(t: Type): string {
  switch (String(t)) {
    case "Tensor[]":
      return "Tensor[]";
    case "Scalar":
      return "number | bigint | boolean";
    case "int":
    case "float":
      return "number";
    case "bool":
      return "boolean";
    default:
      return type_str(t);
  }
}
