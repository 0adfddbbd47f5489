/**
 * @file Forward-mode derivatives: the `result:` lines of derivatives.yaml as formulas over values and tangents.
 * @mirrors tools/autograd/load_derivatives.py#postprocess_forward_derivatives
 *
 *     result: self_t * other_p + other_t * self_p      as it is: x_t is the tangent of x, x_p its value
 *     result: auto_linear                              at::sum(self_t, dim, keepdim, dtype)
 *     result: auto_element_wise                        (self_t.conj() * self_p.cos().conj()).conj(), from `self: grad * self.cos().conj()`
 *
 * An in-place operator uses the formula of its functional form. It writes into the tangent that is there:
 *
 *     mul_:  self_t_raw.defined() ? self_t_raw.copy_(original_self_t * other_p + ...) : original_self_t * other_p + ...
 */
import {
  type Derivative,
  type ForwardDerivative,
  identifier_regex,
  is_foreach,
  uses_identifier,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import { CodegenError, type Place } from "../errors.ts";
import type { NativeFunction } from "../model.ts";
import { is_list_like, type Type } from "../types.ts";

/** A line of an entry whose names are outputs. */
export interface ForwardDefinition {
  readonly names: readonly string[];
  readonly formula: string;
  readonly place: Place;
  readonly field: string;
}

/** The definitions with `auto_linear` and `auto_element_wise` written out, and what each one asks of the inputs. */
export function forward_derivatives(
  f: NativeFunction,
  definitions: readonly ForwardDefinition[],
  derivatives: readonly Derivative[],
  args_with_derivatives: readonly Argument[],
): ForwardDerivative[] {
  const single = definitions.length === 1 && definitions[0].names.length === 1;
  return definitions.map((definition) => {
    const refuse = (problem: string, way_out: string): CodegenError =>
      new CodegenError(definition.place, definition.field, problem, way_out);
    const given = definition.formula.trim();
    let formula = given;
    let tangents = required_inputs(f, given, "_t", args_with_derivatives);
    if (given === "auto_element_wise") {
      if (!single || args_with_derivatives.length !== 1 || derivatives.length !== 1 || f.func.kind() === "inplace")
        throw refuse(
          "auto_element_wise with several differentiable inputs or outputs, or in place",
          "write the formula",
        );
      formula = element_wise(derivatives[0], cpp.argument_name(args_with_derivatives[0]));
      tangents = args_with_derivatives.map(cpp.argument_name);
    } else if (given === "auto_linear") {
      if (!single || args_with_derivatives.length === 0)
        throw refuse("auto_linear with several outputs, or without a differentiable input", "write the formula");
      tangents = args_with_derivatives.map(cpp.argument_name);
      formula = linear(f, tangents);
    } else {
      const ambiguous = args_with_derivatives
        .filter((a) => is_list_like(a.type) === null || is_foreach(f))
        .map(cpp.argument_name)
        .find((name) => uses_identifier(given, name));
      if (ambiguous !== undefined)
        throw refuse(`'${ambiguous}' may be the value or the tangent`, `write ${ambiguous}_p or ${ambiguous}_t`);
    }
    return {
      formula,
      original_formula: given,
      var_names: definition.names,
      var_types: definition.names.map((name) => output_type(f, name, refuse)),
      required_inputs_fw_grad: tangents,
      required_inputs_primal: required_inputs(f, formula, "_p", args_with_derivatives),
      required_original_self_value: false,
      is_reusing_outplace_formula: false,
      place: definition.place,
    };
  });
}

/** The names of the inputs that occur with `postfix`; formulas over lists handle their tangents themselves. */
function required_inputs(f: NativeFunction, formula: string, postfix: string, args: readonly Argument[]): string[] {
  return args
    .filter((a) => is_list_like(a.type) === null || is_foreach(f))
    .map(cpp.argument_name)
    .filter((name) => uses_identifier(formula, name + postfix));
}

/** Where the Jacobian is diagonal, J v is the transpose of v^T J, which the backward formula computes. */
function element_wise(derivative: Derivative, input: string): string {
  const backward = derivative.original_formula
    .replace(identifier_regex("grad"), `$1${input}_t.conj()`)
    .replace(identifier_regex(input), `$1${input}_p`);
  return `(${backward}).conj()`;
}

/** J v of a linear function is the function of v. */
function linear(f: NativeFunction, differentiable: readonly string[]): string {
  const name = String(f.func.name.name);
  const args = f.func.arguments.flat_all.map(cpp.argument_name).map((a) => (differentiable.includes(a) ? `${a}_t` : a));
  if (f.variants.has("function")) return `at::${name}(${args.join(", ")})`;
  return `${args[0]}.${name}(${args.slice(1).join(", ")})`;
}

function output_type(
  f: NativeFunction,
  name: string,
  refuse: (problem: string, way_out: string) => CodegenError,
): Type {
  const { returns } = f.func;
  const numbered = /^result(\d+)$/.exec(name);
  const found =
    returns.find((r) => r.name === name) ??
    (numbered === null
      ? name === "result" && returns.length === 1
        ? returns[0]
        : undefined
      : returns[Number(numbered[1])]);
  if (found === undefined) throw refuse(`'${f.func.name}' has no output '${name}'`, "name an output");
  return found.type;
}

/** The forward derivatives of `f`, which may be the in-place form of the operator that `derivatives` are written for. */
export function of_variant(
  f: NativeFunction,
  derivatives: readonly ForwardDerivative[],
  written_for: NativeFunction,
): readonly ForwardDerivative[] {
  if (f.func.kind() !== "inplace") return derivatives;
  return derivatives.map((d) => inplace_derivative(f, d, String(f.func) === String(written_for.func)));
}

/** @param exact whether the formula is written for the in-place operator */
function inplace_derivative(f: NativeFunction, d: ForwardDerivative, exact: boolean): ForwardDerivative {
  let { formula } = d;
  if (uses_identifier(formula, "self_p")) {
    if (exact)
      throw new CodegenError(
        d.place,
        "result",
        `'${f.func.name}' has overwritten self when this is computed`,
        "use result, or original_self_p",
      );
    for (const postfix of ["_p", "_t"])
      formula = formula.replace(identifier_regex(`self${postfix}`), `$1original_self${postfix}`);
  }
  // The result is `self` after the write.
  formula = formula.replace(identifier_regex("result"), "$1self_p");
  const writes_self = uses_identifier(formula, "self_p");
  if (!exact) formula = into_tangent(formula, written_name(f));
  return {
    ...d,
    formula,
    var_names: ["self"],
    required_inputs_primal: writes_self
      ? [...new Set([...d.required_inputs_primal, "self"])]
      : d.required_inputs_primal,
    required_original_self_value:
      uses_identifier(formula, "original_self_p") || uses_identifier(formula, "original_self_t"),
    is_reusing_outplace_formula: !exact,
  };
}

function written_name(f: NativeFunction): string {
  return f.func.name.name.base.replace(/^_foreach_/, "");
}

/** The formula of the functional form, so that it changes a tangent that is there: `self_t.mul(x)` can be `self_t.mul_(x)`. */
function into_tangent(formula: string, name: string): string {
  const call = /^self_t\.(\w*)\((.*)\)$/s.exec(formula);
  const direct = call !== null && call[1] === name && closes_last(call[2]);
  const changed = direct ? `self_t_raw.${call[1]}_(${call[2]})` : `self_t_raw.copy_(${formula})`;
  return `self_t_raw.defined() ? ${changed} : ${formula}`;
}

/** Whether the parenthesis before `text` is closed only after it: not in `a) + b(c`. */
function closes_last(text: string): boolean {
  let level = 1;
  for (const sign of text) {
    if (sign === "(") level++;
    if (sign === ")" && --level === 0) return false;
  }
  return true;
}
