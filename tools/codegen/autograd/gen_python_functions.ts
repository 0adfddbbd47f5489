/**
 * @file The generator of bindings: for every operator visible in Python, a function `THPVariable_<name>` that parses
 * the arguments, passes overridden calls to `__torch_function__`, and calls `at::`; and the method tables that contain
 * these functions.
 * @mirrors tools/autograd/gen_python_functions.py
 * @differs Its entry is `generate`, from texts to texts; PyTorch's `gen` calls `create_python_bindings` once for each
 * file to write.
 *
 * Note [Order of overloads matters]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * The parser takes the first signature that fits. A number fits a tensor parameter (add, mul, ...), and a 0-dim tensor
 * fits a number parameter, so `f(Tensor, Tensor)` must be tried before `f(Tensor, Scalar)`. `sort_overloads` makes that
 * order.
 */

import * as cpp from "../api/cpp.ts";
import {
  arg_parser_output_exprs,
  has_tensor_options,
  is_inplace_foreach,
  output_idx,
  type PythonSignature,
  type PythonSignatureGroup,
  type PythonSignatureNativeFunctionPair,
  type SignatureTable,
  signature,
  signature_arguments,
  signature_from_schema,
  signature_str,
  structseq_fieldnames,
} from "../api/python.ts";
import type { CodegenInput } from "../context.ts";
import { at, CodegenError } from "../errors.ts";
import { FunctionSchema } from "../function_schema.ts";
import { MAX_WIDTH } from "../layout.ts";
import type { NativeFunction } from "../model.ts";
import { gen_pyi } from "../pyi/gen_pyi.ts";
import { everything, NUM_SHARDS, root_of, shards } from "../shards.ts";
import type { Type } from "../types.ts";
import { cite, generated_header } from "../utils.ts";
import { FieldReader, read_yaml_list } from "../yaml_reader.ts";
import { gen_variable_factories } from "./gen_variable_factories.ts";

/** Operators with hand-written bindings, or not visible in Python. */
export const SKIP_PYTHON_BINDINGS: readonly RegExp[] = [
  "alias",
  "contiguous",
  "dim",
  "get_device",
  "is_contiguous",
  "is_cuda",
  "is_sparse",
  "is_sparse_csr",
  "numel",
  "size",
  "storage_offset",
  "stride",
  "sym_.*",
  ".*_backward",
  ".*_backward_(out|input|weight|bias)",
  ".*_forward",
  ".*_forward_out",
  ".*_jvp",
  "_unsafe_view",
  "tensor",
  "_?sparse_.*_tensor.*",
  "_range.*",
  "_sparse_.*",
  "index",
  "index_out",
  "unique_dim_consecutive",
  "_cumsum.*",
  "_cumprod.*",
  "_sum.*",
  "_prod.*",
  "_th_.*",
  "_thnn_.*",
  "range.*",
  "slice",
  "item",
  "_local_scalar_dense",
  "to",
  "_to_copy",
  "_to_copy_out",
  "_reshape_copy",
  "_reshape_copy_out",
  "copy_",
  "_foreach_copy",
  "numpy_T",
  "matrix_H",
  "mT",
  "mH",
  "mH",
  "nonzero(_(out|numpy))?",
  "set_data",
  ".*_overrideable",
  "data",
  "is_leaf",
  "output_nr",
  "_version",
  "requires_grad_",
  "retains_grad",
  "set_",
  "_fw_primal",
  "_new_zeros_with_same_feature_meta",
  "_has_same_storage_numel",
  "_reshape_alias",
  "replace_",
  "copy",
  "lift.*",
  "normal_functional",
  "nbytes",
  "itemsize",
].map((pattern) => new RegExp(`^(?:${pattern})$`));

/** A number passed as `other` becomes a tensor before these are called, so their Scalar forms stay invisible. */
const SKIP_PYTHON_BINDINGS_SIGNATURES: ReadonlySet<string> = new Set(
  ["add", "sub", "mul", "div"].flatMap((base) => [`${base}.Scalar`, `${base}_.Scalar`]),
);

export function should_generate_py_binding(f: NativeFunction): boolean {
  if (f.generated && !f.tags.has("view_copy")) return false;
  const name = cpp.name(f.func);
  return (
    !SKIP_PYTHON_BINDINGS.some((skip) => skip.test(name)) && !SKIP_PYTHON_BINDINGS_SIGNATURES.has(String(f.func.name))
  );
}

/** A module of Python functions: its operators, and the names of its bindings. */
interface PyModule {
  /** Module name, null for the methods of Tensor. */
  readonly name: "torch" | "torch.nn" | "torch.fft" | "torch.linalg" | "torch.special" | null;
  readonly holds: (f: NativeFunction) => boolean;
  /** Name of the template and of the output. */
  readonly file: string;
}

const TEMPLATES = "tools/codegen/autograd/templates";
const GENERATED = "src/torch/csrc-equivalent/autograd/generated";

const MODULES: readonly PyModule[] = [
  {
    name: null,
    holds: (f) => f.python_module === null && f.variants.has("method"),
    file: "python_variable_methods",
  },
  {
    name: "torch",
    holds: (f) => f.python_module === null && f.variants.has("function"),
    file: "python_torch_functions",
  },
  {
    name: "torch.nn",
    holds: (f) => f.python_module === "nn",
    file: "python_nn_functions",
  },
  {
    name: "torch.fft",
    holds: (f) => f.python_module === "fft",
    file: "python_fft_functions",
  },
  {
    name: "torch.linalg",
    holds: (f) => f.python_module === "linalg",
    file: "python_linalg_functions",
  },
  {
    name: "torch.special",
    holds: (f) => f.python_module === "special",
    file: "python_special_functions",
  },
];

const DEPRECATED_YAML = "tools/codegen/autograd/deprecated.yaml";

export function generate(input: CodegenInput): Map<string, string> {
  const functions = input.yaml.native_functions.filter(should_generate_py_binding);
  const out = new Map<string, string>();
  const tables: SignatureTable[] = [];
  for (const module of MODULES) {
    const table = signature_table(functions, module, input);
    tables.push(table);
    const output = `${GENERATED}/${module.file}.ts`;
    const template = `${TEMPLATES}/${module.file}.ts.tmpl`;
    const count = NUM_SHARDS[module.file as keyof typeof NUM_SHARDS] as number | undefined;
    if (count === undefined) {
      out.set(output, write_bindings(input, module, template, table));
      continue;
    }
    const shard_template = template.replace(".ts.tmpl", "_shard.ts.tmpl");
    for (const { path, items } of shards(output, count, [...table], ([name]) => root_of(name)))
      out.set(path, write_bindings(input, module, shard_template, new Map(items)));
    const each = Array.from({ length: count }, (_, i) => i);
    const method_table = module.file.slice("python_".length);
    out.set(
      output,
      input.templates(template).substitute({
        generated_comment: generated_header(template),
        shard_imports: each.map((i) => `import { ${method_table} as shard_${i} } from "./${module.file}_${i}.ts";`),
        shard_exports: everything(output, count),
        shards: each.map((i) => `shard_${i}`),
      }),
    );
  }
  out.set(`${GENERATED}/python_return_types.ts`, python_return_types(functions, input));
  out.set(`${GENERATED}/python_enum_tag.ts`, python_enum_tag(input));
  for (const [path, text] of gen_variable_factories(input)) out.set(path, text);
  const [methods, torch, nn, fft, linalg, special] = tables as [
    SignatureTable,
    SignatureTable,
    SignatureTable,
    SignatureTable,
    SignatureTable,
    SignatureTable,
  ];
  for (const [path, text] of gen_pyi(input, { methods, torch, nn, fft, linalg, special })) out.set(path, text);
  return out;
}

/** The bindings for `table` and their method definitions. */
function write_bindings(input: CodegenInput, module: PyModule, template: string, table: SignatureTable): string {
  const bindings = [...table].map(([name, groups]) => method_impl(name, module, groups));
  const defs = [...table].map(([name, groups]) => method_def(name, module, groups));
  return input.templates(template).substitute({
    generated_comment: generated_header(`${template}, native_functions.yaml and deprecated.yaml`),
    py_methods: bindings.join("\n").split("\n"),
    py_method_defs: defs.join("\n").split("\n"),
    return_type_imports: return_type_imports(table),
  });
}

function signature_table(functions: readonly NativeFunction[], module: PyModule, input: CodegenInput): SignatureTable {
  const method = module.name === null;
  const pairs = functions.map((f) => {
    const python = signature(f, method);
    // A type that the parser does not support is reported here, where the operator is known.
    at(f.loc, "func", () => [signature_str(python), arg_parser_output_exprs(python)]);
    return { signature: python, function: f };
  });
  const grouped = new Map<string, PythonSignatureNativeFunctionPair[]>();
  for (const pair of [...pairs, ...load_deprecated_signatures(pairs, input, method)]) {
    if (!module.holds(pair.function)) continue;
    const name = String(pair.function.func.name.name);
    const overloads = grouped.get(name);
    if (overloads === undefined) grouped.set(name, [pair]);
    else overloads.push(pair);
  }
  return new Map(
    [...grouped].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, overloads]) => [name, group_overloads(overloads)]),
  );
}

/** Loads deprecated signatures: deprecated.yaml gives names and types; the operator that is called gives the rest. */
function load_deprecated_signatures(
  pairs: readonly PythonSignatureNativeFunctionPair[],
  input: CodegenInput,
  method: boolean,
): PythonSignatureNativeFunctionPair[] {
  const results: PythonSignatureNativeFunctionPair[] = [];
  for (const entry of read_yaml_list(DEPRECATED_YAML, input.files.get(DEPRECATED_YAML) ?? "")) {
    const reader = new FieldReader(entry);
    const place = entry.place;
    const schema = at(place, "name", () => FunctionSchema.parse(reader.string("name") ?? ""));
    const call = /^(\w+)\((.*)\)$/.exec(reader.string("aten") ?? "");
    reader.done();
    if (call === null) throw new CodegenError(place, "aten", "is no call", "write name(argument, ...)");
    const args_exprs = call[2].split(", ");
    const aten_name = call[1].replace(/_out$/, "");
    if (input.errors.is_broken(aten_name)) continue;
    const by_name = new Map(schema.arguments.flat_all.map((a) => [a.name, a]));
    const is_out = aten_name !== call[1];
    const fits = (f: NativeFunction): boolean => {
      const expected = is_out ? [...f.func.arguments.out, ...f.func.arguments.flat_non_out] : f.func.arguments.flat_all;
      const types_agree = expected.every((a, i) => {
        const expr = args_exprs[i];
        if (expr === undefined) return a.default !== null;
        const given = by_name.get(expr);
        return given === undefined
          ? expr === "1" && String(a.type) === "Scalar"
          : String(given.type) === String(a.type) && String(given.annotation) === String(a.annotation);
      });
      return types_agree && schema.returns.map(String).join() === f.func.returns.map(String).join();
    };
    const matching = pairs.filter((pair) => pair.signature.name === aten_name && fits(pair.function));
    if (matching.length === 0) {
      throw new CodegenError(
        place,
        "name",
        `no operator '${aten_name}' takes these arguments: ${schema}`,
        "correct the entry or remove it",
      );
    }
    for (const pair of matching) {
      const python = signature_from_schema(schema, pair.function.category_override, method);
      results.push({ signature: { ...python, deprecated: { schema, args_exprs } }, function: pair.function });
    }
  }
  return results;
}

/** Joins each operator with its out variant, and orders the overloads. */
export function group_overloads(overloads: readonly PythonSignatureNativeFunctionPair[]): PythonSignatureGroup[] {
  const bases = new Map<string, PythonSignatureNativeFunctionPair>();
  const outplaces = new Map<string, PythonSignatureNativeFunctionPair>();
  for (const overload of overloads) {
    const sig = signature_str(overload.signature, true);
    const into = overload.function.func.is_out_fn() ? outplaces : bases;
    if (into.has(sig)) {
      throw new CodegenError(
        overload.function.loc,
        "func",
        `two operators have the Python signature '${sig}'`,
        "give them different arguments",
      );
    }
    into.set(sig, overload);
  }
  for (const [sig, out] of outplaces) {
    if (!bases.has(sig)) {
      throw new CodegenError(
        out.function.loc,
        "func",
        `an out variant without an operator of signature '${sig}'`,
        "add the functional variant",
      );
    }
  }
  return sort_overloads([...bases].map(([sig, base]) => signature_group(base, outplaces.get(sig))));
}

/** The signature with `out` is used, since it also parses calls without it; tensor options come from the functional one. */
function signature_group(
  base: PythonSignatureNativeFunctionPair,
  out: PythonSignatureNativeFunctionPair | undefined,
): PythonSignatureGroup {
  if (out === undefined) return { signature: base.signature, base: base.function, outplace: null };
  return {
    signature: { ...out.signature, tensor_options_args: base.signature.tensor_options_args },
    base: base.function,
    outplace: out.function,
  };
}

/** Whether a signature with type `t1` must be tried after one with type `t2`. */
function is_arg_smaller(t1: string, t2: string): boolean {
  return (
    (t1 === "Scalar" && t2 === "Tensor") ||
    (t1 === "Scalar?" && t2 === "Tensor?") ||
    (t1 === "int[]" && (t2 === "int" || t2 === "int?")) ||
    (t1 === "Tensor[]" && t2.includes("[]")) || // a list of tensors reports a mismatch by throwing, so it comes last
    (t1 === "SymInt[]" && t2 === "int[]") ||
    ((t1 === "SymInt" || t1 === "int") && t2 === "Tensor")
  );
}

function is_smaller(s1: PythonSignature, s2: PythonSignature): boolean {
  const args1 = signature_arguments(s1, true).map((a) => String(a.type));
  const args2 = signature_arguments(s2, true).map((a) => String(a.type));
  if (args1.length !== args2.length) return false;
  const equal = args1.every((t, i) => t === args2[i]);
  return !equal && args1.every((t, i) => t === args2[i] || is_arg_smaller(t, args2[i]));
}

/** Sorts alphabetically, then topologically by `is_smaller`, largest first. */
export function sort_overloads(groups: readonly PythonSignatureGroup[]): PythonSignatureGroup[] {
  const text = new Map(groups.map((g) => [g, signature_str(g.signature)]));
  const sorted = [...groups].sort((a, b) => ((text.get(a) as string) < (text.get(b) as string) ? -1 : 1));
  const larger_than = new Map<number, Set<number>>();
  sorted.forEach((a, i) => {
    const larger = new Set(sorted.flatMap((b, j) => (is_smaller(a.signature, b.signature) ? [j] : [])));
    if (larger.size > 0) larger_than.set(i, larger);
  });
  const order = sorted.flatMap((_, i) => (larger_than.has(i) ? [] : [i]));
  for (let at = 0; at < order.length; at++) {
    for (const [j, larger] of [...larger_than].sort(([a], [b]) => a - b)) {
      larger.delete(order[at]);
      if (larger.size === 0) {
        larger_than.delete(j);
        order.push(j);
      }
    }
  }
  return order.map((i) => sorted[i]);
}

function is_noarg(groups: readonly PythonSignatureGroup[]): boolean {
  const [only] = groups;
  return groups.length === 1 && only !== undefined && signature_arguments(only.signature).length === 0;
}

/** The module against which functions of a separate module check overrides. */
const TORCH_API: Readonly<Record<string, string>> = {
  torch: 'THPVariableFunctionsModule, "torch"',
  "torch.nn": 'THPNNVariableFunctionsModule, "torch.nn"',
  "torch.fft": 'THPFFTVariableFunctionsModule, "torch.fft"',
  "torch.linalg": 'THPLinalgVariableFunctionsModule, "torch.linalg"',
  "torch.special": 'THPSpecialVariableFunctionsModule, "torch.special"',
  "": 'THPVariableClass, "torch.Tensor"',
};

/** The binding of all overloads of one operator. */
function method_impl(name: string, module: PyModule, groups: readonly PythonSignatureGroup[]): string {
  const method = module.name === null;
  const lines: string[] = [];
  if (method && is_noarg(groups)) {
    lines.push(
      `export function THPVariable_${name}(self_: TensorBase): unknown {`,
      `  if (has_torch_function(self_)) return handle_torch_function_noargs(self_, "${name}");`,
      "  const self = THPVariable_Unpack(self_);",
      ...indent(emit_dispatch_case(groups[0]), 2),
      "}",
      "",
    );
    return lines.join("\n");
  }
  lines.push(...parser_definition(name, groups));
  const self_ = method ? "self_" : "null";
  lines.push(
    `export function THPVariable_${name}(${method ? "self_: TensorBase" : "_self: null"}, args: unknown[], kwargs: KwArgs | null): unknown {`,
    ...(method ? ["  const self = THPVariable_Unpack(self_);"] : []),
    `  const _r = ${name}_parser.parse(${self_}, args, kwargs);`,
    `  if (_r.has_torch_function()) return handle_torch_function(_r, ${self_}, args, kwargs, ${TORCH_API[module.name ?? ""]});`,
  );
  if (groups.length === 1) {
    lines.push(...indent(emit_dispatch_case(groups[0]), 2));
  } else {
    lines.push("  switch (_r.idx) {");
    groups.forEach((group, i) => {
      lines.push(`    case ${i}: {`, ...indent(emit_dispatch_case(group), 6), "    }");
    });
    lines.push("  }", "  return null;");
  }
  lines.push("}", "");
  return lines.join("\n");
}

/** A single signature is on the line of its parser. */
function parser_definition(name: string, groups: readonly PythonSignatureGroup[]): string[] {
  const signatures = groups.map((group) => JSON.stringify(signature_str(group.signature)));
  const head = `const ${name}_parser = new PythonArgParser([`;
  const line = `${head}${signatures[0]}]);`;
  if (signatures.length === 1 && line.length <= MAX_WIDTH) return [line];
  return [head, ...signatures.map((signature) => `  ${signature},`), "]);"];
}

function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => " ".repeat(by) + line);
}

/** One signature: a single operator, or a pair distinguished by `out`. */
function emit_dispatch_case(group: PythonSignatureGroup): string[] {
  if (group.outplace === null) return emit_single_dispatch(group.signature, group.base);
  return [
    `if (_r.isNone(${output_idx(group.signature)})) {`,
    ...indent(emit_single_dispatch(group.signature, group.base), 2),
    "}",
    ...emit_single_dispatch(group.signature, group.outplace),
  ];
}

/** The call of one operator: unpack the slots, call, wrap. */
function emit_single_dispatch(ps: PythonSignature, f: NativeFunction): string[] {
  const outputs = arg_parser_output_exprs(ps);
  const lines = [
    ps.deprecated === null
      ? `// aten::${f.func}   ${cite(f)}`
      : `// [deprecated] aten::${ps.deprecated.schema}   deprecated.yaml#${ps.deprecated.schema.name}`,
  ];
  const exprs = new Map(outputs);
  exprs.set("options", "options");
  if (ps.method) exprs.set("self", "self");
  if (ps.output_args !== null && ps.output_args.outputs.length > 1 && f.func.is_out_fn()) {
    lines.push(`const out = ${outputs.get("out")} as Tensor[];`);
    for (const [i, a] of ps.output_args.outputs.entries()) exprs.set(a.name, `out[${i}]`);
  }
  if (ps.deprecated !== null) bind_deprecated(ps.deprecated.args_exprs, f, exprs);

  if (has_tensor_options(f)) {
    lines.push(
      `const options = new TensorOptions(${["dtype", "layout", "device", "pin_memory", "requires_grad"].map((o) => outputs.get(o)).join(", ")});`,
      "maybe_initialize_device(options);",
    );
  } else if (ps.tensor_options_args.length > 0) {
    const at = (name: string) => signature_arguments(ps).findIndex((a) => a.name === name);
    lines.push(
      `check_out_type_matches(${outputs.get("out")}, ${outputs.get("dtype")}, _r.isNone(${at("dtype")}), ${outputs.get("layout")}, ${outputs.get("device")}, _r.isNone(${at("device")}));`,
    );
  }
  const set_requires_grad =
    ps.tensor_options_args.length > 0 && (!has_tensor_options(f) || ps.method)
      ? `.set_requires_grad(${outputs.get("requires_grad")})`
      : "";

  const call = dispatch_call(f, exprs);
  if (f.func.returns.length === 0)
    return [...lines, `${call};`, is_inplace_foreach(f) ? "return _r.args[0];" : "return null;"];
  return [...lines, `return ${wrap_call(f, call + set_requires_grad)};`];
}

/** The operator's arguments, expressed by those of the deprecated signature. */
function bind_deprecated(args_exprs: readonly string[], f: NativeFunction, exprs: Map<string, string>): void {
  const given = new Map(exprs);
  const aten = f.func.is_out_fn()
    ? [...f.func.arguments.out, ...f.func.arguments.flat_non_out]
    : f.func.arguments.flat_non_out;
  const used = f.func.is_out_fn() ? args_exprs : args_exprs.filter((expr) => expr !== "out");
  aten.forEach((a, i) => {
    const expr = used[i];
    if (expr !== undefined) exprs.set(a.name, expr === "1" ? "Scalar.ONE" : (given.get(expr) as string));
  });
}

/** `self.add_Tensor(...)`, `at.cat(...)`, or `factories.zeros(...)` for functions that make new tensors. */
function dispatch_call(f: NativeFunction, exprs: ReadonlyMap<string, string>): string {
  const method = f.variants.has("method");
  const unambiguous = f.func.name.unambiguous_name();
  const names = new Map(f.func.arguments.flat_all.map((a) => [cpp.argument_name(a), a.name]));
  const args = cpp.api_parameters(f, method).map((p) => exprs.get(names.get(p.name) ?? p.name) as string);
  if (method) return `${exprs.get("self")}.${unambiguous}(${args.join(", ")})`;
  const namespace = has_tensor_options(f) || f.func.name.name.base.endsWith("_like") ? "factories" : "at";
  return `${namespace}.${unambiguous}(${args.join(", ")})`;
}

function wrap_call(f: NativeFunction, call: string): string {
  const returns = f.func.returns;
  const fields = structseq_fieldnames(returns);
  if (fields.length > 0) return `wrap_structseq(${structseq_name(f)}, ${call})`;
  if (returns.length > 1) return `wrap_tuple(${call})`;
  const type: Type = returns[0].type;
  switch (String(type)) {
    case "Tensor":
      return `wrap(${call})`;
    case "Tensor[]":
      return `wrap_TensorList(${call})`;
    case "Scalar":
      return `wrap_Scalar(${call})`;
    case "ScalarType":
      return `wrap_ScalarType(${call})`;
    default:
      return call;
  }
}

function structseq_name(f: NativeFunction): string {
  return `${cpp.name(f.func)}_structseq`;
}

function return_type_imports(table: SignatureTable): string[] {
  const names = new Set<string>();
  for (const groups of table.values()) {
    for (const { base, outplace } of groups) {
      for (const f of [base, outplace])
        if (f !== null && structseq_fieldnames(f.func.returns).length > 0) names.add(structseq_name(f));
    }
  }
  return [...names].sort().map((name) => `import { ${name} } from "./python_return_types.ts";`);
}

/** The tuple types with named fields, for operators with several results. */
function python_return_types(functions: readonly NativeFunction[], input: CodegenInput): string {
  const template = `${TEMPLATES}/python_return_types.ts.tmpl`;
  const types = new Map<string, { fields: string; cited: string[] }>();
  for (const f of functions) {
    const fields = structseq_fieldnames(f.func.returns);
    if (fields.length === 0) continue;
    const known = types.get(cpp.name(f.func));
    if (known === undefined) types.set(cpp.name(f.func), { fields: JSON.stringify(fields), cited: [cite(f)] });
    else known.cited.push(cite(f));
  }
  const sorted = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return input.templates(template).substitute({
    generated_comment: generated_header(`${template} and native_functions.yaml`),
    py_return_types: sorted.map(
      ([name, { fields, cited }]) =>
        `export const ${name}_structseq = new_structseq_type("torch.return_types.${name}", ${fields}); // ${cited.join(", ")}`,
    ),
    py_return_types_registrations: sorted.map(([name]) => `return_types["${name}"] = ${name}_structseq;`),
  });
}

function python_enum_tag(input: CodegenInput): string {
  const template = `${TEMPLATES}/python_enum_tag.ts.tmpl`;
  return input.templates(template).substitute({
    generated_comment: generated_header(`${template} and tags.yaml`),
    enum_of_valid_tags: [...input.yaml.valid_tags].sort().map((tag, i) => `static readonly ${tag} = new Tag(${i});`),
  });
}

/** The entry in the method table: CPython's steps between the call and the binding. */
function method_def(name: string, module: PyModule, groups: readonly PythonSignatureGroup[]): string {
  const pycname = `THPVariable_${name}`;
  const symbol = `"torch::autograd::${pycname}"`;
  if (module.name !== null) {
    return `${name}(...args: unknown[]): unknown {
  if (tracer !== null) return callSlow(${symbol}, ${pycname}, null, args);
  return ${pycname}(null, args, take_kwargs(args));
},`;
  }
  if (groups[0]?.base.func.name.name.dunder_method) {
    return `${name}(this: TensorBase | undefined, ...args: unknown[]): unknown {
  const self = this instanceof TensorBase ? this : unbound_self(this, args, "${name}");
  return TypeError_to_NotImplemented_(${pycname}, self, args);
},`;
  }
  if (is_noarg(groups)) {
    return `${name}(this: TensorBase | undefined, ...args: unknown[]): unknown {
  if (tracer !== null || args.length > 0 || !(this instanceof TensorBase)) return callSlow_noargs("${name}", ${pycname}, this, args);
  return ${pycname}(this);
},`;
  }
  return `${name}(this: TensorBase | undefined, ...args: unknown[]): unknown {
  const self = this instanceof TensorBase ? this : unbound_self(this, args, "${name}");
  if (tracer !== null) return callSlow(${symbol}, ${pycname}, self, args);
  return ${pycname}(self, args, take_kwargs(args));
},`;
}
