/**
 * @file derivatives.yaml into DifferentiabilityInfo records, every name checked: an error tells file, line, field and the way out.
 * @mirrors tools/autograd/load_derivatives.py
 */

import {
  type Derivative,
  type DifferentiabilityInfo,
  type InfoByKey,
  identifier_regex,
  return_names,
  uses_identifier,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import { CodegenError, type Place } from "../errors.ts";
import type { NativeFunction } from "../model.ts";
import { is_tensor_like } from "../types.ts";
import { read_yaml_list, type YamlEntry, type YamlField } from "../yaml_reader.ts";
import { dedup_vars, type NamedType, saved_variables } from "./saved_variables.ts";

/** Keys that `dispatch:` may name. */
export const AUTOGRAD_KEYS: readonly string[] = [
  "AutogradNestedTensor",
  "AutogradCPU",
  "AutogradMeta",
  "AutogradPrivateUse1",
];

const ENTRY_FIELDS = new Set(["name", "dispatch", "output_differentiability", "op_number"]);
const NOT_BUILT = "no formula for a key is generated unless its backend is built";

export interface LoadedDerivatives {
  /** Schema line -> infos, in the order of the file. */
  readonly infos: ReadonlyMap<string, InfoByKey>;
  readonly used_dispatch_keys: ReadonlySet<string>;
}

export function load_derivatives(file: string, text: string, functions: readonly NativeFunction[]): LoadedDerivatives {
  const by_schema = new Map(functions.map((f) => [String(f.func), f]));
  const infos = new Map<string, InfoByKey>();
  const used_dispatch_keys = new Set<string>(["Default"]);
  const numbers = new Map<string, number>();
  for (const entry of read_yaml_list(file, text)) {
    const f = find_function(entry, by_schema, functions);
    if (infos.has(String(f.func)))
      throw new CodegenError(entry.place, "name", `second entry for '${f.func.name}'`, "join the two entries");
    infos.set(String(f.func), infos_of_entry(entry, f, numbers, used_dispatch_keys));
  }
  check_missing(functions, infos);
  return { infos, used_dispatch_keys };
}

function find_function(
  entry: YamlEntry,
  by_schema: ReadonlyMap<string, NativeFunction>,
  functions: readonly NativeFunction[],
): NativeFunction {
  const field = entry.fields.get("name");
  if (field === undefined || typeof field.value !== "string")
    throw new CodegenError(entry.place, "name", "missing", "every entry needs 'name:' with the operator's func: line");
  const f = by_schema.get(field.value);
  if (f !== undefined) return f;
  const base = field.value.split(/[.(]/)[0];
  const close = functions.filter((g) => String(g.func.name.name) === base).map((g) => String(g.func));
  throw new CodegenError(
    field.place,
    "name",
    `no operator with the schema '${field.value}'`,
    close.length > 0
      ? `copy the func: line of native_functions.yaml; there is ${close.join(" | ")}`
      : "add the operator to native_functions.yaml first",
  );
}

function infos_of_entry(
  entry: YamlEntry,
  f: NativeFunction,
  numbers: Map<string, number>,
  used_keys: Set<string>,
): InfoByKey {
  const differentiability = output_differentiability(entry.fields.get("output_differentiability"));
  const by_key = new Map<string, DifferentiabilityInfo>();
  const groups = formula_groups(entry);
  for (const [key, formulas] of groups) {
    if (key !== "Default" && !AUTOGRAD_KEYS.includes(key))
      throw new CodegenError(
        formulas[0]?.place ?? entry.place,
        "dispatch",
        `'${key}' is not an autograd key`,
        `use Default, ${AUTOGRAD_KEYS.join(", ")}`,
      );
    used_keys.add(key);
    by_key.set(key, differentiability_info(entry, f, key, formulas, differentiability, numbers));
  }
  return by_key;
}

interface FormulaField {
  readonly name: string;
  readonly value: unknown;
  readonly place: Place;
}

/** Autograd key -> its formula lines. */
function formula_groups(entry: YamlEntry): [string, FormulaField[]][] {
  const dispatch = entry.fields.get("dispatch");
  const plain: FormulaField[] = [...entry.fields.values()].filter((x) => !ENTRY_FIELDS.has(x.name));
  if (dispatch === undefined) return [["Default", plain]];
  const stray = plain[0];
  if (stray !== undefined)
    throw new CodegenError(
      stray.place,
      stray.name,
      "formula beside 'dispatch:'",
      `move it under 'Default:' (${NOT_BUILT})`,
    );
  return dispatch.pairs.map(({ key, value, place }) => {
    if (typeof value !== "object" || value === null)
      throw new CodegenError(place, "dispatch", `'${key}' has no formulas`, "write input: formula lines under it");
    return [key, Object.entries(value).map(([name, formula]) => ({ name, value: formula, place }))];
  });
}

interface OutputDifferentiability {
  readonly values: boolean[] | null;
  readonly condition: string | null;
}

function output_differentiability(field: YamlField | undefined): OutputDifferentiability {
  if (field === undefined) return { values: null, condition: null };
  const value = field.value;
  if (Array.isArray(value) && value.length > 0) {
    if (value.every((v) => typeof v === "boolean")) return { values: value, condition: null };
    if (value.length === 1 && typeof value[0] === "string") return { values: [true], condition: value[0] };
  }
  throw new CodegenError(
    field.place,
    "output_differentiability",
    `not understood: ${JSON.stringify(value)}`,
    'write [True, False], or one condition in TypeScript: ["dtype === null"]',
  );
}

function differentiability_info(
  entry: YamlEntry,
  f: NativeFunction,
  key: string,
  formulas: readonly FormulaField[],
  differentiability: OutputDifferentiability,
  numbers: Map<string, number>,
): DifferentiabilityInfo {
  const args = new Map(f.func.arguments.flat_all.map((a) => [cpp.argument_name(a), a]));
  const available_named_gradients = f.func.returns
    .filter((r, i) => r.name !== null && is_tensor_like(r.type) && (differentiability.values?.[i] ?? true))
    .map((r) => `grad_${r.name}`);
  const derivatives: Derivative[] = [];
  const non_differentiable: string[] = [];
  for (const field of [...formulas].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const names = field.name.split(",").map((n) => n.trim());
    if (typeof field.value !== "string")
      throw new CodegenError(
        field.place,
        field.name,
        `not a formula: ${JSON.stringify(field.value)}`,
        "write a TypeScript expression, quoted if YAML would read it otherwise",
      );
    const unknown = names.find((n) => !args.has(n));
    if (unknown !== undefined) {
      // Forward-mode formulas stand under the names of outputs. Nothing is generated from them.
      if (names.every((n) => !args.has(n)) && names.every((n) => is_output_name(n, f))) continue;
      throw new CodegenError(
        field.place,
        field.name,
        `'${f.func.name}' has no argument '${unknown}'`,
        `its arguments: ${[...args.keys()].join(", ")}`,
      );
    }
    for (const n of names)
      if (!is_tensor_like((args.get(n) as Argument).type))
        throw new CodegenError(
          field.place,
          field.name,
          `'${n}' is not a tensor`,
          "only Tensor, Tensor? and Tensor[] arguments have gradients",
        );
    if (field.value.trim().toLowerCase() === "non_differentiable") non_differentiable.push(...names);
    else derivatives.push(create_derivative(f, field.value.trim(), names, available_named_gradients, field));
  }
  const with_derivatives = new Set(derivatives.flatMap((d) => d.var_names));
  const both = non_differentiable.find((n) => with_derivatives.has(n));
  if (both !== undefined)
    throw new CodegenError(entry.place, both, "both differentiable and non_differentiable", "keep one of the lines");
  const base = String(f.func.name.name);
  check_grad_usage(entry, base, derivatives);
  check_shadowing(entry, f);
  return {
    name: base,
    func: f,
    op: with_derivatives.size > 0 ? op_name(entry, base, key, numbers) : null,
    derivatives,
    all_saved_inputs: dedup_vars(derivatives.flatMap((d) => d.saved_inputs)),
    all_saved_outputs: dedup_vars(derivatives.flatMap((d) => d.saved_outputs)),
    available_named_gradients,
    used_named_gradients: new Set(derivatives.flatMap((d) => [...d.named_gradients])),
    args_with_derivatives: f.func.arguments.flat_all.filter((a) => with_derivatives.has(cpp.argument_name(a))),
    non_differentiable_arg_names: non_differentiable,
    output_differentiability: differentiability.values,
    output_differentiability_condition: differentiability.condition,
    place: entry.place,
  };
}

function is_output_name(name: string, f: NativeFunction): boolean {
  return name === "result" || /^result\d+$/.test(name) || f.func.returns.some((r) => r.name === name);
}

/** Outputs as formulas name them: an in-place result is `result` too. */
function formula_return_names(f: NativeFunction): string[] {
  return return_names(f).map((n) => (n === "self" ? "result" : n));
}

function create_derivative(
  f: NativeFunction,
  original: string,
  var_names: readonly string[],
  available_named_gradients: readonly string[],
  where: FormulaField,
): Derivative {
  const place_and_field = { place: where.place, field: where.name };
  const inputs: NamedType[] = f.func.arguments.flat_all.map((a) => ({
    name: cpp.argument_name(a),
    type: a.type,
    is_output: false,
  }));
  const names = formula_return_names(f);
  const outputs: NamedType[] = f.func.returns.map((r, i) => ({
    name: names[i],
    type: r.type,
    is_output: true,
  }));
  const first = saved_variables(original, inputs, var_names, place_and_field);
  const second = saved_variables(first.formula, outputs, var_names, place_and_field);
  for (const i of used_gradient_indices(second.formula))
    if (i >= f.func.returns.length)
      throw new CodegenError(
        where.place,
        where.name,
        `grads[${i}], but '${f.func.name}' has ${f.func.returns.length} outputs`,
        "count from 0",
      );
  return {
    formula: second.formula,
    var_names,
    saved_inputs: first.saved,
    saved_outputs: second.saved,
    named_gradients: new Set(available_named_gradients.filter((n) => uses_identifier(second.formula, n))),
    place: where.place,
  };
}

/** The i of every `grads[i]`. */
export function used_gradient_indices(formula: string): number[] {
  return [...formula.matchAll(/(?:^|\W)grads\[(\d+)\]/g)].map((m) => Number(m[1]));
}

/** `grad`, `grads` and `grad_<name>` mean different things for the outputs that take part; one entry uses one of them. */
function check_grad_usage(entry: YamlEntry, name: string, derivatives: readonly Derivative[]): void {
  const uses_grad = derivatives.some((d) => uses_identifier(d.formula, "grad"));
  const grads = derivatives.reduce((n, d) => n + [...d.formula.matchAll(identifier_regex("grads"))].length, 0);
  const named = derivatives.some((d) => d.named_gradients.size > 0);
  const indices = derivatives.flatMap((d) => used_gradient_indices(d.formula));
  if (uses_grad && grads > 0)
    throw new CodegenError(entry.place, name, "mixes 'grad' and 'grads'", "write grads[0] for grad");
  if (named && (uses_grad || grads > 0))
    throw new CodegenError(entry.place, name, "mixes grad_<output> with 'grad' or 'grads'", "use one of them");
  if (grads > 0 && grads === indices.length && indices.every((i) => i === 0))
    throw new CodegenError(
      entry.place,
      name,
      "refers to grads[0] only",
      "write 'grad' if only the first output is differentiable",
    );
}

function check_shadowing(entry: YamlEntry, f: NativeFunction): void {
  for (const reserved of ["grad_input_mask", "result", "grads"])
    if (f.func.arguments.flat_all.some((a) => a.name === reserved))
      throw new CodegenError(
        entry.place,
        "name",
        `'${f.func.name}' has an argument '${reserved}', which formulas use for something else`,
        "rename the argument in native_functions.yaml",
      );
}

// Note [Numbers in node names]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A node is called after its operator without the overload, and the entries that share that name are numbered in the order of the
// file: add.Tensor -> AddBackward0, add.Scalar -> AddBackward1. PyTorch counts over its whole file; where it has entries before
// ours that are missing here, `op_number` says what it counts to. Counting goes on from there.
function op_name(entry: YamlEntry, base: string, key: string, numbers: Map<string, number>): string {
  const prefix = create_op_prefix(base) + (key === "Default" ? "" : key);
  const given = entry.fields.get("op_number");
  const counted = numbers.get(prefix) ?? 0;
  if (given !== undefined && !(Number.isInteger(given.value) && (given.value as number) >= counted))
    throw new CodegenError(
      given.place,
      "op_number",
      `${JSON.stringify(given.value)} where ${counted} comes next`,
      "give a later number, or drop the line",
    );
  const number = given === undefined ? counted : (given.value as number);
  numbers.set(prefix, number + 1);
  return `${prefix}${number}`;
}

/** `_prelu_kernel` -> `PreluKernelBackward`; a forward half gives its name to the whole: `nll_loss_forward` -> `NllLossBackward`. */
export function create_op_prefix(name: string): string {
  const camel = name.split("_").map(title).join("");
  return `${camel}Backward`.replace("ForwardBackward", "Backward");
}

/** Upper case after anything but a letter, lower case after a letter: `pad2d` -> `Pad2D`. */
function title(word: string): string {
  return word
    .toLowerCase()
    .replace(/(^|[^a-z])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}

/** An operator that autograd must handle and that nobody gave a formula gets a kernel that fails in backward; an entry must fit the operator. */
function check_missing(functions: readonly NativeFunction[], infos: ReadonlyMap<string, InfoByKey>): void {
  for (const by_key of infos.values())
    for (const info of by_key.values())
      if (info.op !== null && !info.func.is_abstract && functions.includes(info.func))
        throw new CodegenError(
          info.place,
          "name",
          `'${info.func.func.name}' has a formula but no kernel of its own: it is composed of operators that have formulas`,
          "remove the entry, or give the operator a dispatch section with CPU or CompositeExplicitAutograd",
        );
}
