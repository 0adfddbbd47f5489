/**
 * @file Backward nodes: one class per formula entry, with its saved values, `apply`, `release_variables` and `_saved_*` getters.
 * @mirrors tools/autograd/gen_autograd_functions.py
 */

import {
  by_name,
  cite_derivative,
  type Derivative,
  type DifferentiabilityInfo,
  type InfoByKey,
  is_foreach,
  type SavedAttribute,
  uses_retain_variables,
  uses_single_grad,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import type { ErrorList } from "../errors.ts";
import { import_line, import_lines } from "../imports.ts";
import { braced } from "../layout.ts";
import { by_operator, everything, NUM_SHARDS, shards } from "../shards.ts";
import { is_list_like } from "../types.ts";
import { generated_header } from "../utils.ts";
import { GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";
import { Formula, GRADIENTS, type_of_attribute } from "./formula.ts";
import type { FormulaImports } from "./formula_printing.ts";
import { FORMULA_VALUES, type FormulaScope, formula_scope } from "./formula_scope.ts";
import { BOOL, type FormulaType, INT, list_of, TENSOR, tuple_or_one, type_of_schema } from "./formula_types.ts";
import { formula_return_names } from "./load_derivatives.ts";

const OUTPUT = `${GENERATED_FOLDER}/Functions.ts`;
const TEMPLATE = `${TEMPLATES_FOLDER}/Functions.ts.tmpl`;

/** Nodes whose `apply` replaces a view's history and cannot be traced. */
const UNTRACEABLE_FUNCTIONS: readonly string[] = ["as_strided", "as_strided_"];

export function gen_autograd_functions(input: CodegenInput, infos: ReadonlyMap<string, InfoByKey>): Outputs {
  const scope = formula_scope(input);
  const nodes = [...infos.values()].flatMap((by_key) => [...by_key.values()]).filter((info) => info.op !== null);
  const count = NUM_SHARDS["autograd/Functions"];
  const outputs: Outputs = new Map();
  for (const { path, items } of shards(OUTPUT, count, nodes, (info) => by_operator(info.func))) {
    const imports: FormulaImports = { helpers: new Set(), values: new Set(), at: false };
    const definitions = items.map((info) => new NodeWriter(info, scope, imports, input.errors).write());
    const values = Object.fromEntries([...imports.values].map((name) => [name, FORMULA_VALUES[name]]));
    const text = input.templates(`${TEMPLATES_FOLDER}/Functions_shard.ts.tmpl`).substitute({
      generated_comment: generated_header("templates/Functions_shard.ts.tmpl and derivatives.yaml"),
      imports: [
        ...import_lines(path, definitions.join("\n"), {
          ...values,
          TensorGeometry: FORMULA_VALUES["TensorGeometry"],
        }),
        ...[...imports.helpers].sort().map((name) => import_line(path, scope.helper_files.get(name) as string, name)),
      ],
      autograd_function_definitions: definitions,
    });
    outputs.set(path, text);
  }
  const text = input.templates(TEMPLATE).substitute({
    generated_comment: generated_header("templates/Functions.ts.tmpl"),
    shards: everything(OUTPUT, count),
  });
  return outputs.set(OUTPUT, text);
}

class NodeWriter {
  private readonly info: DifferentiabilityInfo;
  private readonly scope: FormulaScope;
  private readonly imports: FormulaImports;
  private readonly errors: ErrorList;
  /** Inputs, then outputs, each sorted by name: the order in which they are unpacked. */
  private readonly saved: readonly { readonly attribute: SavedAttribute; readonly is_output: boolean }[];
  /** A list argument takes as many slots as it has tensors; without lists the slots are known when the code is generated. */
  private readonly has_lists: boolean;

  constructor(info: DifferentiabilityInfo, scope: FormulaScope, imports: FormulaImports, errors: ErrorList) {
    this.info = info;
    this.scope = scope;
    this.imports = imports;
    this.errors = errors;
    this.saved = [
      ...by_name(info.all_saved_inputs).map((attribute) => ({ attribute, is_output: false })),
      ...by_name(info.all_saved_outputs).map((attribute) => ({ attribute, is_output: true })),
    ];
    this.has_lists = info.args_with_derivatives.some((a) => is_list_like(a.type) !== null);
  }

  write(): string {
    const { info } = this;
    const superclass = UNTRACEABLE_FUNCTIONS.includes(info.name) ? "Node" : "TraceableFunction";
    return [
      "",
      `/** ${info.func.func}   ${cite_derivative(info)} */`,
      `export class ${info.op} extends ${superclass} {`,
      ...indent([
        ...this.fields(),
        ...(uses_retain_variables(info) ? ["retain_variables = true;"] : []),
        ...member("override name(): string", [`return "${info.op}";`]),
        "override apply(grads: variable_list): variable_list {",
        ...indent(this.apply_body()),
        "}",
        ...this.release_variables(),
        ...this.getters(),
      ]),
      "}",
    ].join("\n");
  }

  private fields(): string[] {
    return [
      ...this.saved.flatMap(({ attribute: a }) => {
        if (a.kind === "value") return [`${a.name}!: ${a.type};`];
        if (is_list(a)) return [`${a.name}_: SavedVariable[] = [];`, `${a.name}_released_ = false;`];
        return [`${a.name}_: SavedVariable = NOT_SAVED;`];
      }),
      ...this.list_arguments().map((a) => `${cpp.argument_name(a)}_size_ = 0;`),
    ];
  }

  private list_arguments(): Argument[] {
    return this.info.args_with_derivatives.filter((a) => is_list_like(a.type) !== null);
  }

  private apply_body(): string[] {
    const { info } = this;
    const formulas = info.derivatives.flatMap((d) => this.errors.attempt(() => this.emit_derivative(d)) ?? []);
    return [
      ...this.saved.flatMap(({ attribute }) =>
        is_list(attribute) ? [`TORCH_CHECK(!this.${attribute.name}_released_, ERR_BACKWARD_TWICE);`] : [],
      ),
      ...this.saved.map(({ attribute: a, is_output }) => `const ${a.name} = ${unpack_expr(a, is_output)};`),
      ...(uses_retain_variables(info) ? ["const retain_variables = this.retain_variables;"] : []),
      ...this.ranges(),
      ...info.args_with_derivatives.map((a, i) => `const ${needs(a)} = ${this.should_compute(a, i)};`),
      `const grad_inputs = undefined_variables(${this.has_lists ? "gen.size()" : info.args_with_derivatives.length});`,
      ...this.gradient_names(),
      ...(formulas.some((f) => f.checks_any_grad_defined)
        ? ["const any_grad_defined = any_variable_defined(grads);"]
        : []),
      ...formulas.flatMap((f) => f.lines),
      "return grad_inputs;",
    ];
  }

  private ranges(): string[] {
    if (!this.has_lists) return [];
    return [
      "const gen = new IndexRangeGenerator();",
      ...this.info.args_with_derivatives.map(
        (a) =>
          `const ${range(a)} = gen.range(${is_list_like(a.type) === null ? 1 : `this.${cpp.argument_name(a)}_size_`});`,
      ),
    ];
  }

  private should_compute(a: Argument, i: number): string {
    return this.has_lists
      ? `this.task_should_compute_output_any([${range(a)}])`
      : `this.task_should_compute_output(${i})`;
  }

  private gradient_names(): string[] {
    const { info } = this;
    if (uses_single_grad(info)) return ["const grad = grads[0];"];
    return [...info.used_named_gradients]
      .sort()
      .map((name) => `const ${name} = grads[${info.available_named_gradients.indexOf(name)}];`);
  }

  private emit_derivative(d: Derivative): { checks_any_grad_defined: boolean; lines: string[] } {
    const { info } = this;
    const position = (name: string): number =>
      info.args_with_derivatives.findIndex((a) => cpp.argument_name(a) === name);
    const args = d.var_names.map((name) => info.args_with_derivatives[position(name)]);
    const line = { text: d.formula, shown: d.original_formula, place: d.place, field: d.var_names.join(", ") };
    const foreach = is_foreach(info.func);
    const wanted = foreach ? TENSOR : tuple_or_one(args.map(gradient_type));
    const formula = new Formula(line, this.scope, this.variables(d), wanted);
    if (args.length > 1) return { checks_any_grad_defined: false, lines: this.multi(d, formula, args) };
    const a = args[0];
    const store = this.store(a, position(cpp.argument_name(a)));
    const lines = foreach ? this.of_each_tensor(formula, store) : formula.statements(store, this.imports);
    // If every incoming gradient is undefined, this one is too; the formula of a list must handle that itself.
    const checks = is_list_like(a.type) === null && !d.formula.includes("not_implemented");
    return {
      checks_any_grad_defined: checks,
      lines: [`if (${needs(a)}${checks ? " && any_grad_defined" : ""}) {`, ...indent(lines), "}"],
    };
  }

  /** Stores the formula's value for every i whose gradient is defined. */
  private of_each_tensor(formula: Formula, store: (value: string) => string): string[] {
    return [
      "const grad_result = undefined_variables(grads.length);",
      "for (let i = 0; i < grads.length; i++) {",
      "  if (!grads[i].defined()) continue;",
      ...indent(formula.statements((value) => `grad_result[i] = ${value};`, this.imports)),
      "}",
      store("grad_result"),
    ];
  }

  /** One formula for several inputs: it returns a tuple, and each input takes its element. */
  private multi(d: Derivative, formula: Formula, args: readonly Argument[]): string[] {
    const { info } = this;
    const type = `[${args.map((a) => (is_list_like(a.type) === null ? "Tensor" : "Tensor[]")).join(", ")}]`;
    const mask = d.formula.includes("grad_input_mask")
      ? [`const grad_input_mask = [${args.map(needs).join(", ")}];`]
      : [];
    return [
      `if (${args.map(needs).join(" || ")}) {`,
      ...indent([
        ...mask,
        `let grad_result: ${type};`,
        ...formula.statements((value) => `grad_result = ${value};`, this.imports),
        ...args.map(
          (a, i) => `if (${needs(a)}) ${this.store(a, info.args_with_derivatives.indexOf(a))(`grad_result[${i}]`)}`,
        ),
      ]),
      "}",
    ];
  }

  private store(a: Argument, position: number): (value: string) => string {
    return this.has_lists
      ? (value) => `copy_range(grad_inputs, ${range(a)}, ${value});`
      : (value) => `grad_inputs[${position}] = ${value};`;
  }

  private variables(d: Derivative): Map<string, FormulaType> {
    const found = new Map(GRADIENTS);
    const { func } = this.info.func;
    for (const a of func.arguments.flat_all) found.set(cpp.argument_name(a), type_of_schema(a.type));
    for (const [i, name] of formula_return_names(this.info.func).entries())
      found.set(name, type_of_schema(func.returns[i].type));
    if (uses_single_grad(this.info)) found.set("grad", TENSOR);
    for (const name of this.info.available_named_gradients) found.set(name, TENSOR);
    for (const { attribute } of this.saved) found.set(attribute.name, type_of_attribute(attribute));
    if (d.var_names.length > 1) found.set("grad_input_mask", list_of(BOOL));
    if (is_foreach(this.info.func)) found.set("i", INT);
    return found;
  }

  private release_variables(): string[] {
    const lines = this.saved.flatMap(({ attribute: a }) => {
      if (a.kind === "value") return [];
      return is_list(a)
        ? [`this.${a.name}_.length = 0;`, `this.${a.name}_released_ = true;`]
        : [`this.${a.name}_.reset_data();`];
    });
    const retain = uses_retain_variables(this.info)
      ? member("override will_release_variables(): void", ["this.retain_variables = false;"])
      : [];
    return lines.length === 0 ? retain : [...retain, ...member("override release_variables(): void", lines)];
  }

  /** The getters `_saved_self` and `_raw_saved_self` of `grad_fn` for the front end. */
  private getters(): string[] {
    return this.saved
      .filter(({ attribute }) => attribute.exposed)
      .flatMap(({ attribute: a }) => {
        const check = is_list(a) ? [`TORCH_CHECK(!this.${a.name}_released_, ERR_BACKWARD_TWICE);`] : [];
        const raw =
          a.kind === "value"
            ? []
            : member(`get _raw_saved_${a.name}(): SavedVariable${is_list(a) ? "[]" : ""}`, [
                ...check,
                `return this.${a.name}_;`,
              ]);
        const value =
          a.kind === "value"
            ? python_value(a)
            : a.kind === "optional_tensor"
              ? `unpack_opt(this.${a.name}_, this)`
              : unpack_expr(a, true);
        return [...member(`get _saved_${a.name}(): ${getter_type(a)}`, [...check, `return ${value};`]), ...raw];
      });
  }
}

function gradient_type(a: Argument): FormulaType {
  return is_list_like(a.type) === null ? TENSOR : list_of(TENSOR);
}

function is_list(a: SavedAttribute): boolean {
  return a.kind === "tensor_list" || a.kind === "optional_tensor_list";
}

function getter_type(a: SavedAttribute): string {
  if (a.kind === "tensor") return "Tensor";
  if (a.kind === "optional_tensor") return "Tensor | null";
  if (is_list(a)) return a.kind === "tensor_list" ? "Tensor[]" : "(Tensor | null)[]";
  if (a.is_integer !== true) return a.type;
  return a.type.replace("number[]", "(number | bigint)[]").replace(/^number(?= |$)/, "number | bigint");
}

/** PyTorch's getters make Python ints with PyLong_FromUnsignedLong. */
function python_value(a: SavedAttribute): string {
  const field = `this.${a.name}`;
  if (a.is_integer !== true) return field;
  const one = a.type.includes("[]") ? `${field}.map(as_unsigned)` : `as_unsigned(${field})`;
  return a.type.endsWith("| null") ? `${field} === null ? null : ${one}` : one;
}

/** Unpacks a saved value. @param saved_for for an output, the node that restores its history */
function unpack_expr(a: SavedAttribute, saved_for: boolean): string {
  const node = saved_for ? "this" : "";
  switch (a.kind) {
    case "value":
      return `this.${a.name}`;
    // A missing optional tensor becomes an undefined one: in the key set of the call it counts as AutogradOther.
    case "tensor":
    case "optional_tensor":
      return `this.${a.name}_.unpack(${node})`;
    case "tensor_list":
      return `unpack_list(this.${a.name}_${saved_for ? ", this" : ""})`;
    default:
      return `unpack_opt_list(this.${a.name}_${saved_for ? ", this" : ""})`;
  }
}

function needs(a: Argument): string {
  return `needs_${cpp.argument_name(a)}`;
}

function range(a: Argument): string {
  return `${cpp.argument_name(a)}_ix`;
}

/** A member; if it has one statement, it takes one line. */
function member(head: string, statements: readonly string[]): string[] {
  return statements.length === 1 ? braced(head, statements) : [`${head} {`, ...indent(statements), "}"];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
