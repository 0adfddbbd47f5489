/**
 * @file The writer of the forward-mode part of an autograd kernel: it computes the tangents of the results.
 * @mirrors tools/autograd/gen_variable_type.py#emit_fw_derivatives
 *
 *     const _any_has_forward_grad_result = any_forward_level && (isFwGradDefined(self) || isFwGradDefined(other));
 *     ...                                                         // node, call, history
 *     if (_any_has_forward_grad_result && result.defined()) {
 *       const other_p = toNonOptPrimal(other); const other_t = tangent_or_zeros(other); ...
 *       set_forward_grad(result, self_t.mul_Tensor(other_p).add_Tensor(...), false);
 *     }
 *
 * An operator without formula throws, unless it has a decomposition into operators that have formulas.
 */
import {
  type DifferentiabilityInfo,
  type ForwardDerivative,
  identifier_regex,
  is_differentiable,
  is_foreach,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import type { ErrorList } from "../errors.ts";
import { fill } from "../layout.ts";
import type { NativeFunction } from "../model.ts";
import { is_list_like, is_tensor_like } from "../types.ts";
import { arguments_of_reference, item } from "./foreach_derivatives.ts";
import { Formula } from "./formula.ts";
import type { FormulaImports } from "./formula_printing.ts";
import type { FormulaScope } from "./formula_scope.ts";
import { type FormulaType, INT, list_of, TENSOR, tuple_or_one, type_of_schema } from "./formula_types.ts";
import { of_variant } from "./forward_derivatives.ts";
import { formula_return_names } from "./load_derivatives.ts";
import { modifies_arguments } from "./view_info.ts";

/** What the formulas of one generated file share. */
export interface FormulaContext {
  readonly scope: FormulaScope;
  readonly imports: FormulaImports;
  readonly errors: ErrorList;
}

/** A differentiable input: its name in formulas, and the value in the kernel. */
interface Input {
  readonly name: string;
  readonly value: string;
  readonly is_list: boolean;
}

export class ForwardWriter {
  private readonly f: NativeFunction;
  private readonly info: DifferentiabilityInfo | null;
  private readonly formulas: FormulaContext;
  private readonly requires_derivative: boolean;
  private readonly forward_derivatives: readonly ForwardDerivative[];
  /** The inputs by the names that formulas use: those of the operator on one tensor for an in-place operator on lists. */
  private readonly inputs: readonly Input[];
  private readonly inplace: boolean;
  private readonly foreach: boolean;

  constructor(
    f: NativeFunction,
    info: DifferentiabilityInfo | null,
    formulas: FormulaContext,
    requires_derivative: boolean,
  ) {
    this.f = f;
    this.info = info;
    this.formulas = formulas;
    this.requires_derivative = requires_derivative;
    this.inplace = f.func.kind() === "inplace";
    this.foreach = is_foreach(f);
    this.forward_derivatives =
      info === null || !requires_derivative || f.func.is_out_fn()
        ? []
        : of_variant(f, info.forward_derivatives, info.func);
    this.inputs = this.find_inputs();
  }

  private find_inputs(): Input[] {
    const { f, info } = this;
    const named: [string, Argument][] =
      this.inplace && this.foreach && info !== null
        ? [...arguments_of_reference(f, info.func)]
        : f.func.arguments.flat_non_out.map((a) => [cpp.argument_name(a), a]);
    return named
      .filter(([name, a]) => is_differentiable(name, a.type, info))
      .map(([name, a]) => {
        const is_list = is_list_like(a.type) !== null;
        const own = cpp.argument_name(a);
        return { name, value: this.foreach && is_list ? item(own, a.type) : own, is_list };
      });
  }

  any_has_forward_grad(): string[] {
    return this.forward_derivatives.map((d) => {
      const inputs = this.inputs.filter((x) => d.required_inputs_fw_grad.includes(x.name));
      // A formula over a list of tensors, like that of `cat`, looks for tangents itself.
      const any = inputs.length === 0 ? "" : ` && ${grouped(inputs.map((x) => this.is_defined(x)))}`;
      const condition = this.info?.output_differentiability_condition ?? null;
      if (this.foreach)
        return `const ${flag(d)} = any_forward_level ? self.map((_, i) => ${inputs.map((x) => `isFwGradDefined(${x.value})`).join(" || ")}) : null;`;
      return `const ${flag(d)} = any_forward_level${any}${condition === null ? "" : ` && (${condition})`};`;
    });
  }

  private is_defined(input: Input): string {
    return `${input.is_list && !this.foreach ? "isFwGradDefinedTensorList" : "isFwGradDefined"}(${input.value})`;
  }

  clones_original_self(): boolean {
    return this.forward_derivatives.some((d) => d.required_original_self_value);
  }

  /** Copies `self` if an in-place operator overwrites what a formula needs. */
  original_self(): string[] {
    const needing = this.forward_derivatives.filter((d) => d.required_original_self_value).map(flag);
    if (needing.length === 0) return [];
    if (!this.foreach) return [`if (${needing.join(" || ")}) original_self = self.clone();`];
    return [
      `for (const [i, any] of (${needing[0]} ?? []).entries()) {`,
      "  if (any) original_selfs[i] = self[i].clone();",
      "}",
    ];
  }

  /** The condition for a decomposition instead of the operator, and its call; null if the operator has a formula. */
  decomposition(): { condition: string; call: string } | null {
    const { f } = this;
    if (!this.requires_derivative || this.forward_derivatives.length > 0 || modifies_arguments(f)) return null;
    const args = f.func.arguments.flat_all.map(cpp.argument_name).join(", ");
    return {
      condition: `any_forward_level && ${grouped(this.all_inputs())}`,
      call: `run_jit_decomposition_with_args_for_jvp("${cpp.name(f.func)}", "aten::${f.func.name}", [${args}]) as ${cpp.returns_type(f.func.returns)}`,
    };
  }

  private all_inputs(): string[] {
    return this.f.func.arguments.flat_all
      .filter((a) => is_differentiable(cpp.argument_name(a), a.type, this.info))
      .map(
        (a) =>
          `${is_list_like(a.type) === null ? "isFwGradDefined" : "isFwGradDefinedTensorList"}(${cpp.argument_name(a)})`,
      );
  }

  /** The error for a tangent among the arguments of an `out=` operator. */
  forbid_out(): string[] {
    return this.forbid("throw_error_forward_ad_out");
  }

  private forbid(thrower: string): string[] {
    const inputs = this.all_inputs();
    if (inputs.length === 0) return [];
    return [`if (any_forward_level && ${grouped(inputs)}) ${thrower}("${cpp.name(this.f.func)}");`];
  }

  /** The blocks that compute and set tangents, or the error for an operator without formula. */
  derivatives(): string[] {
    const all = this.forward_derivatives;
    if (all.length === 0)
      return this.requires_derivative && modifies_arguments(this.f)
        ? this.forbid("throw_error_forward_ad_not_implemented")
        : [];
    if (this.foreach) return this.foreach_derivative(all[0]);
    if (all.length === 1) return this.block(all[0], (value) => this.set(all[0], value));
    // All are computed before the first is set: a result could be an input of the next formula.
    return [
      `if (${all.map(flag).join(" || ")}) {`,
      ...indent([
        ...all.map((d) => `let ${new_grad(d)}: Tensor | null = null;`),
        ...all.flatMap((d) => this.block(d, (value) => `${new_grad(d)} = ${value};`)),
        ...all.map((d) => `if (${new_grad(d)} !== null) ${this.set(d, new_grad(d))}`),
      ]),
      "}",
    ];
  }

  private block(d: ForwardDerivative, assign: (value: string) => string): string[] {
    const name = this.result(d);
    const defined = d.var_names.length === 1 && is_list_like(d.var_types[0]) === null ? ` && ${name}.defined()` : "";
    return [`if (${flag(d)}${defined}) {`, ...indent([...this.unpacked(d), ...this.formula(d, assign)]), "}"];
  }

  private set(d: ForwardDerivative, value: string): string {
    if (d.var_names.length > 1) return `set_forward_grads([${d.var_names.join(", ")}], ${value});`;
    const fn = is_list_like(d.var_types[0]) === null ? "set_forward_grad" : "set_forward_grad_list";
    return `${fn}(${this.result(d)}, ${value}, ${this.inplace});`;
  }

  private result(d: ForwardDerivative): string {
    return this.inplace ? "self" : d.var_names[0];
  }

  private foreach_derivative(d: ForwardDerivative): string[] {
    const grads = `${d.var_names[0]}_new_fw_grads`;
    return [
      `if (${flag(d)} !== null) {`,
      ...indent([
        `const ${grads}: (Tensor | null)[] = self.map(() => null);`,
        `for (const [i, any] of ${flag(d)}.entries()) {`,
        "  if (!any) continue;",
        ...indent([...this.unpacked(d), ...this.formula(d, (value) => `${grads}[i] = ${value};`)]),
        "}",
        `for (const [i, grad] of ${grads}.entries()) {`,
        `  if (grad !== null) set_forward_grad(${this.inplace ? "self" : d.var_names[0]}[i], grad, ${this.inplace});`,
        "}",
      ]),
      "}",
    ];
  }

  private formula(d: ForwardDerivative, assign: (value: string) => string): string[] {
    const { scope, imports, errors } = this.formulas;
    const line = {
      text: this.foreach && this.inplace ? this.in_terms_of_lists(d.formula) : d.formula,
      shown: d.original_formula,
      place: d.place,
      field: d.var_names.join(", "),
    };
    const wanted = this.foreach ? TENSOR : tuple_or_one(d.var_types.map(type_of_schema));
    return errors.attempt(() => new Formula(line, scope, this.variables(d), wanted).statements(assign, imports)) ?? [];
  }

  /** A formula of the operator on one tensor, with the numbers of the operator on lists. */
  private in_terms_of_lists(formula: string): string {
    for (const [name, a] of arguments_of_reference(this.f, (this.info as DifferentiabilityInfo).func))
      if (!is_tensor_like(a.type))
        formula = formula.replace(identifier_regex(name), `$1${item(cpp.argument_name(a), a.type)}`);
    return formula;
  }

  private variables(d: ForwardDerivative): Map<string, FormulaType> {
    const { func } = this.f;
    const found = new Map<string, FormulaType>();
    for (const a of func.arguments.flat_all) found.set(cpp.argument_name(a), type_of_schema(a.type));
    for (const [i, name] of formula_return_names(this.f).entries())
      found.set(name, type_of_schema(func.returns[i].type));
    if (this.foreach) found.set("i", INT).set("result", list_of(TENSOR));
    for (const name of d.required_inputs_fw_grad) found.set(`${name}_t`, TENSOR);
    for (const name of d.required_inputs_primal) found.set(`${name}_p`, TENSOR);
    if (this.inplace) for (const name of INPLACE_VARIABLES) found.set(name, TENSOR);
    return found;
  }

  /** Values and tangents of the inputs, as variables. */
  private unpacked(d: ForwardDerivative): string[] {
    const lines: string[] = [];
    for (const { name, value } of this.inputs) {
      if (d.required_inputs_fw_grad.includes(name)) {
        if (this.inplace && name === "self") lines.push(...this.tangent_of_self(d, value));
        else lines.push(`const ${name}_t = tangent_or_zeros(${value});`);
      }
      if (d.required_inputs_primal.includes(name)) lines.push(`const ${name}_p = toNonOptPrimal(${value});`);
    }
    if (d.required_original_self_value) {
      const original = this.foreach ? "original_selfs[i]" : "original_self";
      if (uses(d, "original_self_t"))
        lines.push(
          this.inputs.at(-1)?.name === "self"
            ? `const original_self_t = tangent_or_writable_zeros(${original}, toNonOptFwGrad(${original}));`
            : `const original_self_t = tangent_or_zeros(${original});`,
        );
      if (uses(d, "original_self_p")) lines.push(`const original_self_p = toNonOptPrimal(${original});`);
    }
    return fill(lines);
  }

  /** The tangent of an in-place operator's `self` is changed in place too, so a formula that reads it gets a copy in grad mode. */
  private tangent_of_self(d: ForwardDerivative, self: string): string[] {
    const raw = `const self_t_raw = toNonOptFwGrad(${self});`;
    const tangent = `tangent_or_writable_zeros(${self}, self_t_raw)`;
    if (!uses(d, "self_t")) return [raw];
    if (d.required_original_self_value || !d.is_reusing_outplace_formula) return [raw, `const self_t = ${tangent};`];
    return [raw, `const self_t = copied_in_grad_mode(${tangent});`];
  }
}

const INPLACE_VARIABLES = ["self_t_raw", "original_self_t", "original_self_p"];

function uses(d: ForwardDerivative, name: string): boolean {
  return identifier_regex(name).test(d.formula);
}

function flag(d: ForwardDerivative): string {
  return `_any_has_forward_grad_${d.var_names.join("_")}`;
}

function new_grad(d: ForwardDerivative): string {
  return `${d.var_names.join("_")}_new_fw_grad`;
}

function grouped(conditions: readonly string[]): string {
  return conditions.length === 1 ? conditions[0] : `(${conditions.join(" || ")})`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
