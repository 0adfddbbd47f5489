/**
 * @file The type of an enum class: its qualified name, the type of its values, and its members.
 * @mirrors aten/src/ATen/core/enum_type.h
 */
import type { IValue } from "./ivalue.ts";
import { Type, type WhyNot } from "./jit_type.ts";

/** Name and value of a member. */
export type EnumNameValue = readonly [name: string, value: IValue];

export class EnumType extends Type {
  private readonly name_: string;
  private readonly value_type_: Type;
  private readonly enum_names_values_: readonly EnumNameValue[];
  /** The Python class, by which a member is found again. */
  readonly cu: object | null;

  constructor(
    qualified_class_name: string,
    value: Type,
    enum_names_values: readonly EnumNameValue[],
    cu: object | null = null,
  ) {
    super("EnumType", `Enum<${qualified_class_name}>`, qualified_class_name);
    this.name_ = qualified_class_name;
    this.value_type_ = value;
    this.enum_names_values_ = enum_names_values;
    this.cu = cu;
  }
  static create(name: string, value: Type, members: readonly EnumNameValue[], cu: object | null = null): EnumType {
    return new EnumType(name, value, members, cu);
  }

  override repr_str(): string {
    return this.str();
  }
  override key(): string {
    return `${this.name_}: ${this.value_type_.key()}`;
  }
  name(): string {
    return this.name_;
  }
  getValueType(): Type {
    return this.value_type_;
  }
  enumNamesValues(): readonly EnumNameValue[] {
    return this.enum_names_values_;
  }
  override containedTypes(): readonly Type[] {
    return [this.value_type_];
  }
  override isSubtypeOfExt(rhs: Type, why_not: WhyNot): boolean {
    return rhs.kind() === "AnyType" || rhs.kind() === "AnyEnumType" || this.isSubtypeOfAnyKind(rhs, why_not);
  }
}
