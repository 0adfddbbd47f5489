/**
 * @file Autograd data of an operator for the generators: its derivatives, the values they save, the outputs that take part.
 * @mirrors torchgen/api/autograd.py
 */

import type { Argument } from "../arguments.ts";
import { CodegenError, type Place } from "../errors.ts";
import type { FunctionSchema } from "../function_schema.ts";
import type { NativeFunction } from "../model.ts";
import { is_tensor_like, type Type } from "../types.ts";
import { yaml_entry } from "../utils.ts";

/** How a value is saved: tensors as SavedVariable (they may be in a graph), everything else directly. */
export type SavedKind = "tensor" | "optional_tensor" | "tensor_list" | "optional_tensor_list" | "value";

/** A field of a backward node. */
export interface SavedAttribute {
  /** `self`, `self_sym_sizes`; the field of a SavedVariable has an additional underscore. */
  readonly name: string;
  readonly kind: SavedKind;
  /** TypeScript type of the value. */
  readonly type: string;
  /** The expression that the forward function stores: `self.sizes()`. */
  readonly expr: string;
  /** Whether the front end can read it as `_saved_<name>`. */
  readonly exposed: boolean;
  /** Whether it is an int or a list of ints (a `number` may also be a float). */
  readonly is_integer?: boolean;
}

/** One formula. */
export interface Derivative {
  /** The formula, with inputs replaced by saved attributes where only a part of them is needed. */
  readonly formula: string;
  /** The formula in the YAML. */
  readonly original_formula: string;
  /** The arguments whose gradients it computes. */
  readonly var_names: readonly string[];
  readonly saved_inputs: readonly SavedAttribute[];
  readonly saved_outputs: readonly SavedAttribute[];
  readonly named_gradients: ReadonlySet<string>;
  readonly place: Place;
}

/** One formula of forward mode, which computes the tangents of some outputs. */
export interface ForwardDerivative {
  /** The formula over `x_p` (value of the input x), `x_t` (its tangent) and outputs, `auto_linear` and the like written out. */
  readonly formula: string;
  /** The formula in the YAML. */
  readonly original_formula: string;
  /** The outputs whose tangents it computes. */
  readonly var_names: readonly string[];
  readonly var_types: readonly Type[];
  /** The inputs whose tangents it uses. */
  readonly required_inputs_fw_grad: readonly string[];
  readonly required_inputs_primal: readonly string[];
  /** Whether it uses the value that an in-place operator overwrites. */
  readonly required_original_self_value: boolean;
  /** Whether an in-place operator uses the formula of its functional form. */
  readonly is_reusing_outplace_formula: boolean;
  readonly place: Place;
}

/** One entry of derivatives.yaml, for one autograd key. */
export interface DifferentiabilityInfo {
  readonly name: string;
  readonly func: NativeFunction;
  /** The entry of derivatives.yaml; for an operator on lists without one, the entry of the operator on one tensor. */
  readonly entry: string;
  /** Name of the node class, or null if no input has a derivative. */
  readonly op: string | null;
  readonly derivatives: readonly Derivative[];
  readonly forward_derivatives: readonly ForwardDerivative[];
  readonly all_saved_inputs: readonly SavedAttribute[];
  readonly all_saved_outputs: readonly SavedAttribute[];
  readonly available_named_gradients: readonly string[];
  readonly used_named_gradients: ReadonlySet<string>;
  readonly args_with_derivatives: readonly Argument[];
  readonly non_differentiable_arg_names: readonly string[];
  readonly output_differentiability: readonly boolean[] | null;
  /** A TypeScript condition on the arguments: the output is differentiable only where it holds. */
  readonly output_differentiability_condition: string | null;
  readonly place: Place;
}

/** Info by autograd key ("Default" is the alias Autograd). */
export type InfoByKey = ReadonlyMap<string, DifferentiabilityInfo>;

export interface NativeFunctionWithDifferentiabilityInfo {
  readonly func: NativeFunction;
  readonly info: InfoByKey | null;
}

export interface DifferentiableOutput {
  /** `result`, `result0`, `self` or the return's own name. */
  readonly name: string;
  readonly type: Type;
}

export function has_derivatives(info: DifferentiabilityInfo | null | undefined): info is DifferentiabilityInfo {
  return info !== null && info !== undefined && info.args_with_derivatives.length > 0;
}

/** A regular expression for `name` as a whole word that is not a property. */
export function identifier_regex(name: string): RegExp {
  return new RegExp(`(^|[^\\w.$])${name}(?![\\w$])`, "g");
}

export function uses_identifier(formula: string, name: string): boolean {
  return identifier_regex(name).test(formula);
}

export function uses_single_grad(info: DifferentiabilityInfo | null): boolean {
  return info?.derivatives.some((d) => uses_identifier(d.formula, "grad")) ?? false;
}

export function uses_retain_variables(info: DifferentiabilityInfo): boolean {
  return info.derivatives.some((d) => uses_identifier(d.formula, "retain_variables"));
}

/** `result`, `result0`, ... or the names in the schema; `self` for in-place operators, the argument's name for out operators. */
export function return_names(f: NativeFunction, fallback = "result"): string[] {
  return f.func.returns.map((r, i) => {
    if (f.func.kind() === "inplace") return "self";
    if (f.func.is_out_fn()) return f.func.arguments.out[i].name;
    if (r.name === null) return f.func.returns.length > 1 ? `${fallback}${i}` : fallback;
    // A return may have the name of an argument (as in `max.dim_max`); the local variable must not.
    return f.func.arguments.flat_all.some((a) => a.name === r.name) ? `${r.name}_return` : r.name;
  });
}

export function is_differentiable(name: string, type: Type, info: DifferentiabilityInfo | null): boolean {
  return is_tensor_like(type) && !(info?.non_differentiable_arg_names.includes(name) ?? false);
}

export function gen_differentiable_outputs(
  f: NativeFunction,
  info: DifferentiabilityInfo | null,
): DifferentiableOutput[] {
  const names = return_names(f);
  const outputs = f.func.returns.map((r, i) => ({ name: names[i], type: r.type }));
  const given = info?.output_differentiability ?? null;
  if (info !== null && given !== null) {
    if (given.length !== outputs.length)
      throw new CodegenError(
        info.place,
        "output_differentiability",
        `${given.length} values for ${outputs.length} outputs`,
        "give one True or False per output",
      );
    if (f.func.kind() === "inplace" && given.includes(false))
      throw new CodegenError(
        info.place,
        "output_differentiability",
        "False for an in-place operator: its version would not be counted",
        "give the formula zeros_like(self) instead",
      );
    return outputs.filter((_, i) => given[i]);
  }
  const candidates = outputs.filter((o) => is_differentiable(o.name, o.type, info));
  return uses_single_grad(info) ? candidates.slice(0, 1) : candidates;
}

/**
 * Whether an operator gets an autograd kernel: it has a derivative, or it has a kernel that is not composed of other
 * operators. A composite without a formula leaves the work to the operators it calls.
 */
export function use_derived(fn: NativeFunctionWithDifferentiabilityInfo): boolean {
  return fn.func.is_abstract || (fn.info !== null && [...fn.info.values()].some(has_derivatives));
}

/** The citation in comments of generated code: `derivatives.yaml#add.Tensor`. */
export function cite_derivative(info: DifferentiabilityInfo): string {
  return yaml_entry({ file: info.place.file, entry: info.entry });
}

/** Whether it is an operator on lists: the in-place form uses nodes of the operator on one tensor. */
export function is_foreach(f: NativeFunction): boolean {
  return f.func.name.name.base.startsWith("_foreach_");
}

/** Joins operators and entries. An in-place operator without an entry of its own uses its functional form's. */
export function match_differentiability_info(
  functions: readonly NativeFunction[],
  infos: ReadonlyMap<string, InfoByKey>,
): NativeFunctionWithDifferentiabilityInfo[] {
  const functional = new Map<string, InfoByKey>();
  const non_functional = new Map<string, InfoByKey>();
  for (const by_key of infos.values()) {
    const schema = (by_key.values().next().value as DifferentiabilityInfo).func.func;
    (schema.kind() === "functional" ? functional : non_functional).set(signature(schema), by_key);
  }
  const find = (f: NativeFunction): InfoByKey | null => {
    if (f.generated && f.func.kind() === "out") return null;
    const exact = infos.get(String(f.func));
    if (exact !== undefined) return exact;
    const out_of_place = is_foreach(f) ? undefined : functional.get(signature(f.func));
    if (out_of_place !== undefined) return out_of_place;
    return (f.generated ? non_functional.get(signature(f.func)) : undefined) ?? null;
  };
  return functions.map((func) => ({ func, info: find(func) }));
}

function signature(schema: FunctionSchema): string {
  return String(schema.signature({ strip_default: true }));
}

/** Sorted by name: the order in which members and statements are written. */
export function by_name(attributes: readonly SavedAttribute[]): SavedAttribute[] {
  return [...attributes].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
