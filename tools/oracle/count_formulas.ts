/**
 * @file Counts how many lines of PyTorch's own derivatives.yaml our parser of formulas understands: how many parse, and
 * how many are also typed.
 *
 *     npx tsx tools/oracle/count_formulas.ts [DIR] [--all]
 *
 * DIR holds `ATen/native/native_functions.yaml` and `autograd/derivatives.yaml`, like the folder `packaged` of an
 * installed torchgen; without it, Python is asked (`PYTHON`, else `python3`). `--all` shows every line that is refused.
 *
 * Typing uses the schemas of PyTorch's operators. PyTorch's helpers (FunctionsManual.cpp) are not here: a call of one
 * accepts and returns any type, and lines with such a call are counted separately.
 * @original
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { argument_name } from "../codegen/api/cpp.ts";
import { parse_expression } from "../codegen/autograd/cpp_expression.ts";
import { GRADIENTS, in_formula, type_of_attribute } from "../codegen/autograd/formula.ts";
import { type FormulaScope, formula_scope, scope_of_operators } from "../codegen/autograd/formula_scope.ts";
import {
  BOOL,
  type FormulaType,
  INT,
  list_of,
  TENSOR,
  tuple_or_one,
  type_of_schema,
  UNKNOWN,
} from "../codegen/autograd/formula_types.ts";
import { as_wanted, type_formula } from "../codegen/autograd/formula_typing.ts";
import { formula_return_names } from "../codegen/autograd/load_derivatives.ts";
import { saved_variables } from "../codegen/autograd/saved_variables.ts";
import { children, type Typed } from "../codegen/autograd/typed_formula.ts";
import { template_reader } from "../codegen/context.ts";
import { CodegenError, ErrorList, type Place, SchemaError } from "../codegen/errors.ts";
import { ROOT, read_tree } from "../codegen/file_system.ts";
import { FunctionSchema } from "../codegen/function_schema.ts";
import type { NativeFunction } from "../codegen/model.ts";
import { parse_native_yaml } from "../codegen/parse_native_yaml.ts";
import { SourceIndex } from "../codegen/source_index.ts";
import { is_list_like, is_tensor_like } from "../codegen/types.ts";
import { read_yaml_list, type YamlEntry } from "../codegen/yaml_reader.ts";

const NATIVE = "ATen/native/native_functions.yaml";
const DERIVATIVES = "autograd/derivatives.yaml";
/** Lines that are a keyword of the file, not an expression. */
const KEYWORDS: ReadonlySet<string> = new Set(["non_differentiable", "auto_linear", "auto_element_wise"]);
const FIELDS: ReadonlySet<string> = new Set(["name", "dispatch", "output_differentiability", "op_number"]);

export interface Count {
  readonly formulas: number;
  readonly keywords: number;
  readonly parsed: number;
  /** Among parsed lines, those in which every type is known. */
  readonly typed: number;
  /** Among parsed lines, those in which only the types of helpers are unknown. */
  readonly typed_but_for_helpers: number;
  readonly refused: readonly CodegenError[];
}

interface Line {
  readonly text: string;
  readonly names: readonly string[];
  readonly place: Place;
}

export function count_formulas(native_functions: string, derivatives: string, known: FormulaScope): Count {
  const scope = scope_of_operators(readable_operators(native_functions), known);
  const count = { formulas: 0, keywords: 0, parsed: 0, typed: 0, typed_but_for_helpers: 0 };
  const refused: CodegenError[] = [];
  for (const entry of read_yaml_list(DERIVATIVES, derivatives)) {
    const schema = FunctionSchema.parse(String(entry.fields.get("name")?.value));
    for (const line of lines_of(entry)) {
      count.formulas++;
      if (KEYWORDS.has(line.text)) {
        count.keywords++;
        count.parsed++;
        continue;
      }
      try {
        const shown = { text: line.text, place: line.place, field: line.names.join(", ") };
        in_formula(shown, () => parse_expression(line.text));
        count.parsed++;
        if (calls_helper(in_formula(shown, () => type_line(line, schema, scope)))) count.typed_but_for_helpers++;
        else count.typed++;
      } catch (error) {
        if (!(error instanceof CodegenError)) throw error;
        refused.push(error);
      }
    }
  }
  return { ...count, refused };
}

function lines_of(entry: YamlEntry): Line[] {
  const line = (name: string, value: unknown, place: Place): Line => ({
    text: String(value).trim(),
    names: name.split(",").map((n) => n.trim()),
    place,
  });
  const plain = [...entry.fields.values()].filter((f) => !FIELDS.has(f.name));
  const by_key = entry.fields.get("dispatch")?.pairs ?? [];
  return [
    ...plain.map((f) => line(f.name, f.value, f.place)),
    ...by_key.flatMap((key) => Object.entries(key.value as object).map(([n, v]) => line(n, v, key.place))),
  ];
}

/** The facts that typing needs about an operator; schemas with types that we lack are omitted. */
function readable_operators(native_functions: string): NativeFunction[] {
  const found: NativeFunction[] = [];
  for (const { fields } of read_yaml_list(NATIVE, native_functions)) {
    const variants = new Set(String(fields.get("variants")?.value ?? "function").split(", "));
    try {
      const func = FunctionSchema.parse(String(fields.get("func")?.value));
      const manual_cpp_binding = fields.get("manual_cpp_binding")?.value === true;
      const f = { func, variants, manual_cpp_binding, cpp_no_default_args: new Set() } as unknown as NativeFunction;
      scope_of_operators([f], { methods: new Map() } as unknown as FormulaScope);
      found.push(f);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
    }
  }
  return found;
}

function type_line(line: Line, schema: FunctionSchema, scope: FormulaScope): Typed {
  const named = (a: { type: NativeFunction["func"]["returns"][number]["type"] }, name: string, is_output: boolean) => ({
    name,
    type: a.type,
    is_output,
  });
  const args = schema.arguments.flat_all;
  const names = formula_return_names({ func: schema } as NativeFunction);
  const inputs = args.map((a) => named(a, argument_name(a), false));
  const outputs = schema.returns.map((r, i) => named(r, names[i], true));
  const where = { place: line.place, field: line.names.join(", ") };
  const variables = new Map<string, FormulaType>(GRADIENTS);
  for (const name of ["grad", ...names.map((n) => `grad_${n}`)]) variables.set(name, TENSOR);
  variables.set("grad_input_mask", list_of(BOOL));
  const forward = line.names.every((n) => names.includes(n) || /^result\d*$/.test(n));
  if (forward) {
    for (const { name, type } of [...inputs, ...outputs])
      variables.set(name, is_tensor_like(type) && is_list_like(type) === null ? TENSOR : type_of_schema(type));
    for (const { name } of inputs)
      for (const s of ["_p", "_t"]) variables.set(name + s, TENSOR).set(`original_${name}${s}`, TENSOR);
    variables.set("i", INT);
    return type_formula(parse_expression(line.text), scope, variables);
  }
  const first = saved_variables(line.text, inputs, line.names, where);
  const second = saved_variables(first.formula, outputs, line.names, where);
  for (const a of [...first.saved, ...second.saved]) variables.set(a.name, type_of_attribute(a));
  // A `_foreach` operator's formula is about the i-th tensor of its lists.
  const each = /\[i\]/.test(line.text);
  if (each) variables.set("i", INT);
  const gradient = (name: string): FormulaType => {
    const a = args.find((x) => argument_name(x) === name);
    return a === undefined ? UNKNOWN : is_list_like(a.type) === null || each ? TENSOR : list_of(TENSOR);
  };
  const typed = type_formula(parse_expression(second.formula), scope, variables);
  return as_wanted(typed, tuple_or_one(line.names.map(gradient)), "the gradient");
}

/** Formula lines of `ours` that differ from `theirs`, for operators in both; ours has only the `Default:` formulas. */
export function lines_not_of(theirs: string, ours: string): string[] {
  const of_entries = (text: string): Map<unknown, Map<string, Line>> =>
    new Map(
      read_yaml_list(DERIVATIVES, text).map((entry) => [
        entry.fields.get("name")?.value,
        // Lines of other keys come after those of Default, which is first.
        new Map([...lines_of(entry)].reverse().map((line) => [line.names.join(", "), line])),
      ]),
    );
  const known = of_entries(theirs);
  return [...of_entries(ours)].flatMap(([name, lines]) =>
    [...lines]
      .filter(([of, line]) => known.has(name) && known.get(name)?.get(of)?.text !== line.text)
      .map(([of, line]) => `${name}: ${of}: ${line.text}`),
  );
}

function calls_helper(node: Typed): boolean {
  return (node.kind === "call" && node.from === "unknown") || children(node).some(calls_helper);
}

/** Our own scope, with the methods that are hand-written in C++, read from our sources. */
export function own_scope(): FormulaScope {
  const files = read_tree(ROOT);
  const read = (path: string) => ({ path, text: files.get(path) as string });
  const errors = new ErrorList();
  const yaml = parse_native_yaml(
    {
      native_functions: read("src/aten/native/native_functions.yaml"),
      tags: read("src/aten/native/tags.yaml"),
    },
    errors,
  );
  const sources = new SourceIndex(files);
  return formula_scope({ yaml, files, sources, templates: template_reader(files), allow_missing: false, errors });
}

/** The folder of the torchgen that Python finds, or null. */
export function packaged_folder(python = process.env["PYTHON"] ?? "python3"): string | null {
  const asked = spawnSync(python, ["-c", "import torchgen; print(torchgen.__path__[0])"], { encoding: "utf8" });
  const folder = join((asked.stdout ?? "").trim(), "packaged");
  return asked.status === 0 && existsSync(join(folder, DERIVATIVES)) ? folder : null;
}

export function count_in(folder: string): Count {
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  return count_formulas(read(NATIVE), read(DERIVATIVES), own_scope());
}

/** The lines of our own file that are not PyTorch's. */
export function own_lines(folder: string): string[] {
  const ours = readFileSync(join(ROOT, "tools/codegen/autograd/derivatives.yaml"), "utf8");
  return lines_not_of(readFileSync(join(folder, DERIVATIVES), "utf8"), ours);
}

/** Operators that have a formula in PyTorch, are here, and need none here. */
const WITHOUT_FORMULA: ReadonlyMap<string, string> = new Map([
  ["matmul", "only nested tensors have a formula"],
  ["chunk", "only nested tensors have a formula"],
  ["max_pool2d", "only the device of macOS has a formula"],
  ["_fused_rms_norm", "here it is composed of operators that have formulas, as on PyTorch's CPU"],
]);

/** Operators of ours for which only PyTorch's file has an entry, and those of the list above of which that is no longer true. */
export function missing_entries(folder: string): string[] {
  const names = (file: string, key: string): Set<string> =>
    new Set(Array.from(readFileSync(file, "utf8").matchAll(new RegExp(`^- ${key}: ([\\w.]+)`, "gm")), (m) => m[1]));
  const own = names(join(ROOT, "tools/codegen/autograd/derivatives.yaml"), "name");
  const here = names(join(ROOT, "src/aten/native/native_functions.yaml"), "func");
  const missing = [...names(join(folder, DERIVATIVES), "name")].filter((name) => here.has(name) && !own.has(name));
  return [
    ...missing.filter((name) => !WITHOUT_FORMULA.has(name)),
    ...[...WITHOUT_FORMULA.keys()].filter((name) => !missing.includes(name)),
  ];
}

export function summary(count: Count): string {
  return [
    `${count.parsed} of ${count.formulas} formulas parse (${count.keywords} of them one of the words ${[...KEYWORDS].join(", ")})`,
    `${count.typed} of the ${count.parsed - count.keywords} expressions are typed; ${count.typed_but_for_helpers} more but for their helpers, which are not here`,
    `${count.refused.length} are refused`,
  ].join("\n");
}

function main(): number {
  const args = process.argv.slice(2);
  const folder = args.find((a) => !a.startsWith("--")) ?? packaged_folder();
  if (folder === null) {
    console.error("no torchgen found: give the folder, or PYTHON");
    return 1;
  }
  const count = count_in(folder);
  if (args.includes("--all")) for (const error of count.refused) console.log(error.message);
  console.log(summary(count));
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.exitCode = main();
