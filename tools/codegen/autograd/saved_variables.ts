/**
 * @file The part of an input or output that a formula needs later. `self.scalar_type()` saves a dtype instead of the
 * tensor: less memory is kept alive, and changing the tensor in place before backward is no error.
 * @mirrors tools/autograd/load_derivatives.py#saved_variables
 */

import { type SavedAttribute, type SavedKind, uses_identifier } from "../api/autograd.ts";
import { ts_type } from "../api/cpp.ts";
import { CodegenError, type Place } from "../errors.ts";
import { is_base_ty_like, is_list_like, is_nullable, is_symint_like, is_tensor_like, type Type } from "../types.ts";

/** A part of an argument that is saved instead of the whole. */
interface Replacement {
  /** The part's text, with `{}` for the argument's name. */
  readonly pattern: string;
  readonly suffix: (groups: readonly string[]) => string;
  readonly type: string;
  /** The expression that the forward function stores; by default the text in the formula. */
  readonly expr?: (name: string, matched: string) => string;
  /** The text that replaces it in the formula; by default the field. */
  readonly result?: (field: string) => string;
  readonly exposed: boolean;
  /** Whether it applies only if the formula is this argument's own gradient. */
  readonly own_gradient_only?: boolean;
}

// A size may be a symbol, which is fixed when a formula reads it: `sizes()` gives such a list, `sym_size` and `sym_numel` such an int.
const REPLACEMENTS: readonly Replacement[] = [
  {
    pattern: "{}\\.(?:sym_)?sizes\\(\\)",
    suffix: () => "_sym_sizes",
    type: "number[]",
    expr: (name) => `${name}.sizes()`,
    exposed: true,
  },
  {
    pattern: "{}->sym_sizes\\(\\)",
    suffix: () => "_sym_sizes_opt",
    type: "number[] | null",
    expr: (name) => `${name} === null ? null : ${name}.sizes()`,
    exposed: true,
  },
  { pattern: "{}\\.options\\(\\)", suffix: () => "_options", type: "TensorOptions", exposed: false },
  {
    pattern: "(?:at::)?zeros_like\\({}\\)",
    suffix: () => "_info",
    type: "TypeAndSize",
    expr: (name) => `new TypeAndSize(${name})`,
    result: (field) => `${field}.zeros()`,
    exposed: false,
  },
  {
    pattern: "{}\\.(?:sym_)?size\\((-?\\w+)\\)",
    suffix: ([dim]) => `_sym_argsize_${(dim).replace("-", "minus_")}`,
    type: "number",
    expr: (name, matched) => `${name}.sym_size(${/\((.*)\)/.exec(matched)?.[1]})`,
    exposed: true,
  },
  {
    pattern: "{}\\.sym_numel\\(\\)",
    suffix: () => "_sym_numel",
    type: "number",
    expr: (name) => `${name}.sym_numel()`,
    exposed: true,
  },
  { pattern: "{}\\.numel\\(\\)", suffix: () => "_numel", type: "number", exposed: true },
  {
    pattern: "to_args_sizes(?:_symint)?\\({}\\)",
    suffix: () => "_args_sizes_symint",
    type: "number[][]",
    expr: (name) => `to_args_sizes_symint(${name})`,
    exposed: false,
  },
  { pattern: "to_args_scalartypes\\({}\\)", suffix: () => "_args_scalartypes", type: "ScalarType[]", exposed: false },
  {
    pattern: "(?:at::)?TensorGeometry\\({}\\)",
    suffix: () => "_geometry",
    type: "TensorGeometry",
    expr: (name) => `TensorGeometry.of(${name})`,
    exposed: false,
  },
  { pattern: "{}\\.scalar_type\\(\\)", suffix: () => "_scalar_type", type: "ScalarType", exposed: false },
  { pattern: "{}\\.dim\\(\\)", suffix: () => "_dim", type: "number", exposed: true },
  {
    pattern: "{}\\.(?:sym_)?strides\\(\\)",
    suffix: () => "_sym_strides",
    type: "number[]",
    expr: (name) => `strides_or_error(${name}, "${name}")`,
    exposed: true,
    own_gradient_only: true,
  },
  { pattern: "{}\\.layout\\(\\)", suffix: () => "_layout", type: "Layout", exposed: false },
  { pattern: "{}\\.is_conj\\(\\)", suffix: () => "_conjugate", type: "boolean", exposed: true },
];

/** An argument or return, as formulas use it. */
export interface NamedType {
  readonly name: string;
  readonly type: Type;
  readonly is_output: boolean;
}

/** The formula with parts replaced by saved attributes, and these attributes. */
export function saved_variables(
  formula: string,
  named: readonly NamedType[],
  var_names: readonly string[],
  where: { readonly place: Place; readonly field: string },
): { formula: string; saved: SavedAttribute[] } {
  const saved: SavedAttribute[] = [];
  for (const { name, type, is_output } of named) {
    if (!formula.includes(name)) continue;
    if (is_tensor_like(type))
      for (const r of REPLACEMENTS)
        formula = formula.replace(
          new RegExp(`(?<![\\w.$])${r.pattern.replace("{}", name)}`, "g"),
          (matched: string, ...rest: unknown[]) => {
            if (r.own_gradient_only === true && String(var_names) !== name)
              throw new CodegenError(
                where.place,
                where.field,
                `${matched} in a formula that is not only ${name}'s gradient`,
                `give ${name} a formula of its own`,
              );
            const field = name + r.suffix(rest.filter((x): x is string => typeof x === "string"));
            saved.push({
              name: field,
              kind: "value",
              type: r.type,
              expr: r.expr?.(name, matched) ?? matched,
              exposed: r.exposed,
              is_integer: r.type.startsWith("number"),
            });
            return r.result?.(field) ?? field;
          },
        );
    if (uses_identifier(formula, name)) saved.push(whole(name, type, is_output));
  }
  return { formula, saved };
}

/** All values that the formula names, saved whole. */
export function saved_whole(formula: string, named: readonly NamedType[]): SavedAttribute[] {
  return named
    .filter(({ name }) => uses_identifier(formula, name))
    .map(({ name, type, is_output }) => whole(name, type, is_output));
}

/** The value itself. In PyTorch a Scalar output is saved like a tensor; no operator here has one. */
function whole(name: string, type: Type, is_output: boolean): SavedAttribute {
  const kind = saved_kind(type);
  const ts = kind === "tensor" ? "Tensor" : kind === "optional_tensor" ? "Tensor | null" : ts_type(type);
  const expr = kind === "value" ? copied(name, type) : name;
  const exposed = kind !== "value" || !(UNEXPOSED.has(String(type)) || UNEXPOSED.has(String(type).replace("?", "")));
  return {
    name,
    kind: is_output && kind === "optional_tensor" ? "tensor" : kind,
    type: ts,
    expr,
    exposed,
    is_integer: is_symint_like(type) || is_base_ty_like(type, "int"),
  };
}

/** A copy for the node, because the caller may change its own list later. */
function copied(name: string, type: Type): string {
  if (is_list_like(type) === null) return name;
  return type.kind === "optional" ? `${name} === null ? null : ${name}.slice()` : `${name}.slice()`;
}

/** Fields of a node that have no Python form in PyTorch. */
const UNEXPOSED = new Set([
  "ScalarType",
  "Layout",
  "Device",
  "MemoryFormat",
  "Generator",
  "Storage",
  "bool[]",
  "bool?",
]);

function saved_kind(type: Type): SavedKind {
  if (!is_tensor_like(type)) return "value";
  if (is_list_like(type) !== null) return is_nullable(type) ? "optional_tensor_list" : "tensor_list";
  return is_nullable(type) ? "optional_tensor" : "tensor";
}

/** Keeps the first attribute of each name. */
export function dedup_vars(attributes: readonly SavedAttribute[]): SavedAttribute[] {
  const by_name = new Map<string, SavedAttribute>();
  for (const a of attributes) if (!by_name.has(a.name)) by_name.set(a.name, a);
  return [...by_name.values()];
}
