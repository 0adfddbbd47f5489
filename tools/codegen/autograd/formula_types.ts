/**
 * @file The types of values in a formula, and their sources: schemas, our own declarations, C++ type names.
 * @original In PyTorch the C++ compiler handles types.
 */
import type { Type } from "../types.ts";
import type { TemplateArgument } from "./cpp_expression.ts";

export type FormulaType =
  /**
   * `int` and `double` are both JavaScript numbers, but make different Scalars; `number` is used if a declaration does
   * not say which.
   */
  | { readonly kind: "base"; readonly name: string }
  | { readonly kind: "optional"; readonly elem: FormulaType }
  | { readonly kind: "list"; readonly elem: FormulaType }
  | { readonly kind: "tuple"; readonly elems: readonly FormulaType[] }
  /** A parameter that accepts one of several types: C++ has an overload for each. */
  | { readonly kind: "union"; readonly members: readonly FormulaType[] }
  /** The result of a function that only PyTorch has; it fits every type. */
  | { readonly kind: "unknown" };

export const UNKNOWN: FormulaType = { kind: "unknown" };
export const TENSOR = base("Tensor");
export const SCALAR = base("Scalar");
export const INT = base("int");
export const DOUBLE = base("double");
export const BOOL = base("bool");
export const STRING = base("string");
/** `std::nullopt`, which every optional accepts. */
export const NOTHING = base("nullopt");

export function base(name: string): FormulaType {
  return { kind: "base", name };
}

export function list_of(elem: FormulaType): FormulaType {
  return { kind: "list", elem };
}

export function optional_of(elem: FormulaType): FormulaType {
  return elem.kind === "optional" ? elem : { kind: "optional", elem };
}

export function is_base(t: FormulaType, ...names: readonly string[]): boolean {
  return t.kind === "base" && names.includes(t.name);
}

export function is_number(t: FormulaType): boolean {
  return is_base(t, "int", "double", "number");
}

export function same_type(a: FormulaType, b: FormulaType): boolean {
  return show_type(a) === show_type(b);
}

/** The type in schema spelling. */
export function show_type(t: FormulaType): string {
  switch (t.kind) {
    case "base":
      return t.name;
    case "optional":
      return `${show_type(t.elem)}?`;
    case "list":
      return `${show_type(t.elem)}[]`;
    case "tuple":
      return `(${t.elems.map(show_type).join(", ")})`;
    case "union":
      return t.members.map(show_type).join(" or ");
    default:
      return "?";
  }
}

const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  SymInt: "int",
  DeviceIndex: "int",
  QScheme: "int",
  float: "double",
  str: "string",
  SymBool: "bool",
};

export function type_of_schema(t: Type): FormulaType {
  if (t.kind === "optional") return optional_of(type_of_schema(t.elem));
  if (t.kind === "list") return list_of(type_of_schema(t.elem));
  return t.name === "DimVector" ? list_of(INT) : base(SCHEMA_NAMES[t.name] ?? t.name);
}

/** The return type: a tuple for several outputs. */
export function tuple_or_one(types: readonly FormulaType[]): FormulaType {
  return types.length === 1 ? types[0] : { kind: "tuple", elems: types };
}

const CPP_NAMES: Readonly<Record<string, FormulaType>> = {
  SymInt: INT,
  int64_t: INT,
  int: INT,
  float: DOUBLE,
  string: STRING,
  TensorList: list_of(TENSOR),
  IntArrayRef: list_of(INT),
  SymIntArrayRef: list_of(INT),
};

/** The type of a C++ name: `std::vector<c10::SymInt>`. Namespaces are ignored. */
export function type_of_cpp(name: string, template: readonly TemplateArgument[] | null): FormulaType {
  const own = name.slice(name.lastIndexOf(":") + 1);
  const inner = (template ?? []).map((a) => (typeof a === "number" ? UNKNOWN : type_of_cpp(a.name, a.template)));
  const first = inner[0] ?? UNKNOWN;
  if (["vector", "ArrayRef", "array", "initializer_list", "List"].includes(own)) return list_of(first);
  if (own === "OptionalArrayRef") return optional_of(list_of(first));
  if (own === "optional") return optional_of(first);
  if (own === "tuple" || own === "pair") return { kind: "tuple", elems: inner };
  return CPP_NAMES[own] ?? base(own);
}

const TYPESCRIPT_NAMES: Readonly<Record<string, FormulaType>> = {
  boolean: BOOL,
  string: STRING,
  variable_list: list_of(TENSOR),
};

/** The type of a TypeScript text: `readonly (Tensor | null)[]`. @param number the type that a plain `number` is known to have */
export function type_of_typescript(text: string, number: FormulaType = base("number")): FormulaType {
  if (text.includes("=>")) return base("function");
  const tokens = text.match(/\w+|\S/g) ?? [];
  let at = 0;
  const take = (token: string): boolean => tokens[at] === token && ++at > 0;
  const several = (close: string): FormulaType[] => {
    const found: FormulaType[] = [];
    while (at < tokens.length && !take(close)) {
      found.push(union());
      take(",");
    }
    return found;
  };
  const atom = (): FormulaType => {
    if (take("(")) {
      const inner = union();
      take(")");
      return inner;
    }
    if (take("[")) return { kind: "tuple", elems: several("]") };
    const name = tokens[at++] ?? "";
    if (take("<")) {
      const inner = several(">");
      return ["Array", "ReadonlyArray"].includes(name) ? list_of(inner[0] ?? UNKNOWN) : base(name);
    }
    return name === "number" ? number : (TYPESCRIPT_NAMES[name] ?? base(name));
  };
  const listed = (): FormulaType => {
    take("readonly");
    let found = atom();
    while (tokens[at] === "[" && tokens[at + 1] === "]") {
      at += 2;
      found = list_of(found);
    }
    return found;
  };
  const union = (): FormulaType => {
    const members = [listed()];
    while (take("|")) members.push(listed());
    const plain = members.filter((m) => !is_base(m, "null", "undefined"));
    const one: FormulaType = plain.length === 1 ? plain[0] : { kind: "union", members: plain };
    return plain.length < members.length ? optional_of(one) : one;
  };
  return union();
}
