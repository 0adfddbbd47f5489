/**
 * @file The loader of derivatives.yaml into DifferentiabilityInfo records. It checks every name: an error states file,
 * line, field and a hint.
 * @mirrors tools/autograd/load_derivatives.py
 * @differs Among formulas per key only those for all keys occur (there are no nested tensors); PyTorch has others.
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
import { CodegenError, type ErrorList, type Place, with_errors } from "../errors.ts";
import { MadeBefore } from "../made_before.ts";
import type { NativeFunction } from "../model.ts";
import { is_tensor_like } from "../types.ts";
import { view_copies } from "../view_copies.ts";
import { read_yaml_list, type YamlEntry, type YamlField } from "../yaml_reader.ts";
import { parse_expression } from "./cpp_expression.ts";
import { condition_in_typescript, in_formula } from "./formula.ts";
import type { FormulaScope } from "./formula_scope.ts";
import { BOOL, base, type_of_schema } from "./formula_types.ts";
import type { Variables } from "./formula_typing.ts";
import { type ForwardDefinition, forward_derivatives } from "./forward_derivatives.ts";
import { NodeNames } from "./node_names.ts";
import { dedup_vars, type NamedType, saved_variables } from "./saved_variables.ts";

/** Keys that may occur in `dispatch:`. */
export const AUTOGRAD_KEYS: readonly string[] = [
  "AutogradNestedTensor",
  "AutogradCPU",
  "AutogradMeta",
  "AutogradPrivateUse1",
];

const ENTRY_FIELDS = new Set(["name", "dispatch", "output_differentiability", "op_number"]);
const NOT_BUILT = "no formula for a key is generated unless its backend is built";

export interface LoadedDerivatives {
  /** Infos by schema line, in the order of the file. */
  readonly infos: ReadonlyMap<string, InfoByKey>;
  readonly used_dispatch_keys: ReadonlySet<string>;
}

const read_before = new MadeBefore<readonly YamlEntry[]>();

/** An error in an entry is added to `errors`, and the entry is skipped; without a list the error is thrown. */
export function load_derivatives(
  file: string,
  text: string,
  functions: readonly NativeFunction[],
  errors?: ErrorList,
): LoadedDerivatives {
  return with_errors(errors, (errors) => {
    const by_schema = new Map(functions.map((f) => [String(f.func), f]));
    const infos = new Map<string, InfoByKey>();
    const used_dispatch_keys = new Set<string>(["Default"]);
    const names = new NodeNames();
    const load = (entry: YamlEntry): void => {
      const f = find_function(entry, by_schema, functions);
      if (infos.has(String(f.func)))
        throw new CodegenError(entry.place, "name", `second entry for '${f.func.name}'`, "combine the two entries");
      infos.set(String(f.func), infos_of_entry(entry, f, names, used_dispatch_keys));
    };
    for (const entry of read_before.of(file, [text], () => read_yaml_list(file, text))) {
      const name = /^\w+/.exec(String(entry.fields.get("name")?.value ?? ""))?.[0] ?? "";
      if (!errors.is_broken(name)) errors.attempt(() => load(entry));
    }
    add_view_copy_derivatives(infos, functions);
    for (const by_key of infos.values())
      for (const info of by_key.values()) errors.attempt(() => check_abstract(info, functions));
    return { infos, used_dispatch_keys };
  });
}

/** A copy of a view has the view's derivative, with a node of its own: SelectBackward0_copy. */
function add_view_copy_derivatives(infos: Map<string, InfoByKey>, functions: readonly NativeFunction[]): void {
  for (const { view, copy } of view_copies(functions)) {
    const of_view = infos.get(String(view.func));
    if (of_view === undefined || infos.has(String(copy.func))) continue;
    const name = String(copy.func.name.name);
    const copied = [...of_view].map(([key, info]): [string, DifferentiabilityInfo] => [
      key,
      { ...info, name, func: copy, op: info.op === null ? null : `${info.op}_copy` },
    ]);
    infos.set(String(copy.func), new Map(copied));
  }
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

function infos_of_entry(entry: YamlEntry, f: NativeFunction, names: NodeNames, used_keys: Set<string>): InfoByKey {
  const differentiability = output_differentiability(entry.fields.get("output_differentiability"), f);
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
    by_key.set(key, differentiability_info(entry, f, key, formulas, differentiability, names));
  }
  return by_key;
}

interface FormulaField {
  readonly name: string;
  readonly value: unknown;
  readonly place: Place;
}

/** Formula lines by autograd key. */
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

function output_differentiability(field: YamlField | undefined, f: NativeFunction): OutputDifferentiability {
  if (field === undefined) return { values: null, condition: null };
  const value = field.value;
  if (Array.isArray(value) && value.length > 0) {
    if (value.every((v) => typeof v === "boolean")) return { values: value, condition: null };
    if (value.length === 1 && typeof value[0] === "string") {
      const line = { text: value[0], place: field.place, field: field.name };
      return { values: [true], condition: condition_in_typescript(line, CONDITION_SCOPE, types_of_arguments(f)) };
    }
  }
  throw new CodegenError(
    field.place,
    "output_differentiability",
    `not understood: ${JSON.stringify(value)}`,
    'write [True, False], or one condition: ["!dtype || isDifferentiableType(*dtype)"]',
  );
}

/** Functions that a condition may call; the generated file imports them from variable.ts. */
const CONDITION_SCOPE: FormulaScope = {
  functions: new Map([
    [
      "isDifferentiableType",
      [
        {
          name: "isDifferentiableType",
          from: "helper",
          parameters: [{ name: "t", type: base("ScalarType"), optional: false }],
          returns: BOOL,
          reads: true,
        },
      ],
    ],
  ]),
  at_functions: new Map(),
  methods: new Map(),
  helper_files: new Map(),
  is_unknown: () => false,
};

function types_of_arguments(f: NativeFunction): Variables {
  return new Map(f.func.arguments.flat_all.map((a) => [cpp.argument_name(a), type_of_schema(a.type)]));
}

function differentiability_info(
  entry: YamlEntry,
  f: NativeFunction,
  key: string,
  formulas: readonly FormulaField[],
  differentiability: OutputDifferentiability,
  node_names: NodeNames,
): DifferentiabilityInfo {
  const args = new Map(f.func.arguments.flat_all.map((a) => [cpp.argument_name(a), a]));
  const available_named_gradients = f.func.returns
    .filter((r, i) => r.name !== null && is_tensor_like(r.type) && (differentiability.values?.[i] ?? true))
    .map((r) => `grad_${r.name}`);
  const derivatives: Derivative[] = [];
  const forward: ForwardDefinition[] = [];
  const non_differentiable: string[] = [];
  for (const field of [...formulas].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const names = field.name.split(",").map((n) => n.trim());
    if (typeof field.value !== "string")
      throw new CodegenError(
        field.place,
        field.name,
        `not a formula: ${JSON.stringify(field.value)}`,
        "write a C++ expression; quote it if YAML would read it differently",
      );
    const unknown = names.find((n) => !args.has(n));
    if (unknown !== undefined) {
      // Forward-mode formulas are listed under the names of outputs.
      if (names.every((n) => !args.has(n)) && names.every((n) => is_output_name(n, f))) {
        check_syntax(field.value, field);
        forward.push({ names, formula: field.value, place: field.place, field: field.name });
        continue;
      }
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
  const name = String(f.func.name.name);
  check_grad_usage(entry, name, derivatives);
  check_shadowing(entry, f);
  const args_with_derivatives = f.func.arguments.flat_all.filter((a) => with_derivatives.has(cpp.argument_name(a)));
  return {
    name,
    func: f,
    entry: String(f.func.name),
    op: with_derivatives.size > 0 ? node_names.next(entry, name, key) : null,
    derivatives,
    forward_derivatives: forward_derivatives(f, forward, derivatives, args_with_derivatives),
    all_saved_inputs: dedup_vars(derivatives.flatMap((d) => d.saved_inputs)),
    all_saved_outputs: dedup_vars(derivatives.flatMap((d) => d.saved_outputs)),
    available_named_gradients,
    used_named_gradients: new Set(derivatives.flatMap((d) => [...d.named_gradients])),
    args_with_derivatives,
    non_differentiable_arg_names: non_differentiable,
    output_differentiability: differentiability.values,
    output_differentiability_condition: differentiability.condition,
    place: entry.place,
  };
}

function check_syntax(text: string, field: FormulaField): void {
  in_formula({ text, place: field.place, field: field.name }, () => parse_expression(text));
}

function is_output_name(name: string, f: NativeFunction): boolean {
  return name === "result" || /^result\d+$/.test(name) || f.func.returns.some((r) => r.name === name);
}

/** Outputs as formulas name them: an in-place result is also called `result`. */
export function formula_return_names(f: NativeFunction): string[] {
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
    original_formula: original,
    var_names,
    saved_inputs: first.saved,
    saved_outputs: second.saved,
    named_gradients: new Set(available_named_gradients.filter((n) => uses_identifier(second.formula, n))),
    place: where.place,
  };
}

/** Indices i of all `grads[i]`. */
export function used_gradient_indices(formula: string): number[] {
  return [...formula.matchAll(/(?:^|\W)grads\[(\d+)\]/g)].map((m) => Number(m[1]));
}

/** `grad`, `grads` and `grad_<name>` differ in meaning, so one entry may use only one of them. */
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
        `'${f.func.name}' has an argument '${reserved}', a name that has another meaning in formulas`,
        "rename the argument in native_functions.yaml",
      );
}

/** An entry must fit its operator: one that is composed of others has no kernel that could make a node. */
function check_abstract(info: DifferentiabilityInfo, functions: readonly NativeFunction[]): void {
  if (info.op !== null && !info.func.is_abstract && functions.includes(info.func))
    throw new CodegenError(
      info.place,
      "name",
      `'${info.func.func.name}' has a formula but no kernel of its own: it is composed of operators that have formulas`,
      "remove the entry, or give the operator a dispatch section with CPU or CompositeExplicitAutograd",
    );
}
