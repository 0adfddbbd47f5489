/**
 * @file The types in a schema line. Each record prints as the text from which it was parsed.
 * @mirrors torchgen/model.py#Type
 */
import { SchemaError } from "./errors.ts";

export const BASE_TYPES = [
  "Generator",
  "ScalarType",
  "Tensor",
  "int",
  "DimVector",
  "float",
  "str",
  "bool",
  "Layout",
  "Device",
  "DeviceIndex",
  "Scalar",
  "MemoryFormat",
  "QScheme",
  "Storage",
  "Stream",
  "SymInt",
  "SymBool",
  "GraphModule",
] as const;
export type BaseTy = (typeof BASE_TYPES)[number];

export type Type = BaseType | OptionalType | ListType;

export class BaseType {
  readonly kind = "base";
  readonly name: BaseTy;

  constructor(name: BaseTy) {
    this.name = name;
    Object.freeze(this);
  }

  toString(): string {
    return this.name;
  }
}

export class OptionalType {
  readonly kind = "optional";
  readonly elem: Type;

  constructor(elem: Type) {
    this.elem = elem;
    Object.freeze(this);
  }

  toString(): string {
    return `${this.elem}?`;
  }
}

export class ListType {
  readonly kind = "list";
  readonly elem: Type;
  /** The 2 of `int[2]`: the Python binding accepts a single value for the whole list. */
  readonly size: number | null;

  constructor(elem: Type, size: number | null) {
    this.elem = elem;
    this.size = size;
    Object.freeze(this);
  }

  toString(): string {
    return `${this.elem}[${this.size ?? ""}]`;
  }
}

export function parse_type(text: string): Type {
  if (text.endsWith("?")) return new OptionalType(parse_type(text.slice(0, -1)));
  const list = /^(.+)\[(\d*)\]$/.exec(text);
  if (list !== null) return new ListType(parse_type(list[1]), list[2] === "" ? null : Number(list[2]));
  if ((BASE_TYPES as readonly string[]).includes(text)) return new BaseType(text as BaseTy);
  throw new SchemaError(
    `unknown type '${text}'`,
    `use one of ${BASE_TYPES.join(", ")}, with '?' for optional and '[]' or '[n]' for lists`,
  );
}

/** True for `Tensor`, and for optionals and lists of it. */
export function is_tensor_like(t: Type): boolean {
  return is_base_ty_like(t, "Tensor");
}

export function is_base_ty_like(t: Type, base: BaseTy): boolean {
  return t.kind === "base" ? t.name === base : is_base_ty_like(t.elem, base);
}

export function is_symint_like(t: Type): boolean {
  return is_base_ty_like(t, "SymInt");
}

/** The list inside `T[]` or `T[]?`, or null. */
export function is_list_like(t: Type): ListType | null {
  if (t.kind === "list") return t;
  return t.kind === "optional" ? is_list_like(t.elem) : null;
}

export function is_nullable(t: Type): boolean {
  return t.kind === "optional" || (t.kind === "list" && is_nullable(t.elem));
}
