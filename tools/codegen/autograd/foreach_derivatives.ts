/**
 * @file Derivatives of operators on lists. `_foreach_mul.List` has no entry in derivatives.yaml: it applies
 * `mul.Tensor` to every pair of elements, and its gradient applies that of `mul.Tensor`.
 *
 *     mul.Tensor        self: mul_tensor_backward(grad, other, self.scalar_type())                  MulBackward0
 *     _foreach_mul.List self: mul_tensor_backward(grads[i], other[i], self[i].scalar_type())        ForeachMulBackward0List
 *
 * An in-place operator gets no node of its own: every tensor of the list gets the node of the corresponding operator on
 * one tensor.
 * @mirrors torchgen/api/autograd.py#gen_foreach_derivativeinfo
 * @differs Names are replaced as whole words; PyTorch replaces text, so its node of `_foreach_addcdiv` reads the dtype
 * of `tensor2[i]` from `tensor2[i][i]`, and fails if there is no i-th row.
 */
import {
  type Derivative,
  type DifferentiabilityInfo,
  type ForwardDerivative,
  type InfoByKey,
  identifier_regex,
  is_foreach,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import type { FunctionSchema } from "../function_schema.ts";
import type { NativeFunction } from "../model.ts";
import { is_tensor_like, type Type } from "../types.ts";
import { formula_return_names } from "./load_derivatives.ts";
import { dedup_vars, type NamedType, saved_whole } from "./saved_variables.ts";

const PREFIX = "_foreach_";
/** Operators whose counterpart on one tensor exists only in place. */
const WITH_INPLACE_REFERENCE: readonly string[] = ["_foreach_zero_"];
/** Operators without `alpha`, although their counterpart on one tensor has it. */
const WITHOUT_ALPHA = ["add", "sub"].flatMap((base) =>
  ["Scalar", "ScalarList"].flatMap((overload) => ["", "_"].map((place) => `${PREFIX}${base}${place}.${overload}`)),
);

export interface ForeachDerivatives {
  /** The generated info of each operator that returns lists, by its schema line. */
  readonly generated: ReadonlyMap<string, InfoByKey>;
  /** The info of each in-place operator's counterpart on one tensor, by its schema line. */
  readonly inplace: ReadonlyMap<string, InfoByKey>;
}

/** The infos of all operators on lists that have no entry of their own. */
export function gen_foreach_derivatives(
  functions: readonly NativeFunction[],
  infos: ReadonlyMap<string, InfoByKey>,
): ForeachDerivatives {
  const references = [...infos.values()].flatMap((by_key) => by_key.get("Default") ?? []);
  const generated = new Map<string, InfoByKey>();
  const inplace = new Map<string, InfoByKey>();
  for (const f of functions) {
    if (!is_foreach(f) || f.func.is_out_fn() || infos.has(String(f.func))) continue;
    const reference = references.find((info) => is_reference_for_foreach(f, info.func.func));
    if (reference === undefined) continue;
    const into = f.func.kind() === "inplace" ? inplace : generated;
    const info = into === inplace ? reference : info_of_lists(f, reference);
    into.set(String(f.func), new Map([["Default", info]]));
  }
  return { generated, inplace };
}

/** Whether `schema` is the operation that `f` applies to each tensor. */
function is_reference_for_foreach(f: NativeFunction, schema: FunctionSchema): boolean {
  const name = String(f.func.name);
  const args = f.func.arguments.flat_non_out;
  const reference_args = schema.arguments.flat_non_out;
  return (
    f.func.name.name.base === PREFIX + schema.name.name.base &&
    (schema.kind() === "functional" || (schema.kind() === "inplace" && WITH_INPLACE_REFERENCE.includes(name))) &&
    (args.length === reference_args.length || WITHOUT_ALPHA.includes(name)) &&
    args.every(
      ({ type }, i) => same_type(reference_args[i]?.type, type) || same_type(reference_args[i]?.type, element(type)),
    )
  );
}

/**
 * The formulas of `reference`, for the i-th tensor of each list. Arguments that they name are saved whole, even if only
 * a part is needed.
 */
function info_of_lists(f: NativeFunction, reference: DifferentiabilityInfo): DifferentiabilityInfo {
  const args = f.func.arguments.flat_non_out;
  const reference_names = reference.func.func.arguments.flat_non_out.map(cpp.argument_name);
  const here = new Map(args.map((a, i) => [reference_names[i], a]));
  const inputs: NamedType[] = args.map((a) => ({ name: cpp.argument_name(a), type: a.type, is_output: false }));
  const outputs: NamedType[] = formula_return_names(f).map((name, i) => ({
    name,
    type: f.func.returns[i].type,
    is_output: true,
  }));
  const derivatives = reference.derivatives.map((d): Derivative => {
    const formula = formula_of_lists(d.original_formula, here);
    const var_names = d.var_names.map((name) => cpp.argument_name(here.get(name) as Argument));
    return {
      formula,
      original_formula: d.original_formula, // for messages
      var_names,
      saved_inputs: saved_whole(formula, inputs).map((a) => ({ ...a, exposed: false })),
      saved_outputs: saved_whole(formula, outputs).map((a) => ({ ...a, exposed: false })),
      named_gradients: new Set(),
      place: d.place,
    };
  });
  const with_derivatives = new Set(derivatives.flatMap((d) => d.var_names));
  return {
    name: f.func.name.name.base,
    func: f,
    entry: reference.entry,
    op: `Foreach${reference.op}${f.func.name.overload_name}`,
    derivatives,
    forward_derivatives: reference.forward_derivatives.map((d) => forward_of_lists(d, here)),
    all_saved_inputs: dedup_vars(derivatives.flatMap((d) => d.saved_inputs)),
    all_saved_outputs: dedup_vars(derivatives.flatMap((d) => d.saved_outputs)),
    available_named_gradients: [],
    used_named_gradients: new Set(),
    args_with_derivatives: args.filter((a) => with_derivatives.has(cpp.argument_name(a))),
    non_differentiable_arg_names: [],
    output_differentiability: null,
    output_differentiability_condition: null,
    place: reference.place,
  };
}

/** The forward formula for the i-th tensors: their values and tangents are variables, other lists are indexed. */
function forward_of_lists(d: ForwardDerivative, here: ReadonlyMap<string, Argument>): ForwardDerivative {
  const renamed = (name: string): string => cpp.argument_name(here.get(name) as Argument);
  let formula = d.formula.replace(identifier_regex("result"), "$1result[i]");
  for (const [name, a] of here) {
    if (is_tensor_like(a.type))
      for (const postfix of ["_p", "_t"])
        formula = formula.replace(identifier_regex(name + postfix), `$1${cpp.argument_name(a)}${postfix}`);
    else formula = formula.replace(identifier_regex(name), `$1${item(cpp.argument_name(a), a.type)}`);
  }
  return {
    ...d,
    formula,
    required_inputs_fw_grad: d.required_inputs_fw_grad.map(renamed),
    required_inputs_primal: d.required_inputs_primal.map(renamed),
  };
}

function formula_of_lists(formula: string, here: ReadonlyMap<string, Argument>): string {
  return in_terms_of(formula, here)
    .replace(identifier_regex("grad"), "$1grads[i]")
    .replace(identifier_regex("result"), "$1result[i]");
}

/** The arguments of the list operator by their names in `reference`, the operator on one tensor. */
export function arguments_of_reference(f: NativeFunction, reference: NativeFunction): ReadonlyMap<string, Argument> {
  const names = reference.func.arguments.flat_non_out.map(cpp.argument_name);
  return new Map(f.func.arguments.flat_non_out.map((a, i) => [names[i], a]));
}

/** A text about one tensor, rewritten for the i-th element of the lists. */
export function in_terms_of(text: string, here: ReadonlyMap<string, Argument>): string {
  for (const [name, a] of here) text = text.replace(identifier_regex(name), `$1${item(cpp.argument_name(a), a.type)}`);
  return text;
}

/** The i-th element of a list, or the one value that all share. */
export function item(name: string, type: Type): string {
  return type.kind === "list" ? `${name}[i]` : name;
}

function element(type: Type): Type | undefined {
  return type.kind === "list" ? type.elem : undefined;
}

function same_type(a: Type | undefined, b: Type | undefined): boolean {
  return a !== undefined && b !== undefined && String(a) === String(b);
}
