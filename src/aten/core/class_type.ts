/**
 * @file The type of a class of TorchScript, module or not: attributes in slots, methods, constants, properties, hooks.
 * @mirrors aten/src/ATen/core/class_type.cpp
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Function } from "./function.ts";
import type { IValue } from "./ivalue.ts";
import { Type, type WhyNot } from "./jit_type.ts";

export type AttributeKind = "BUFFER" | "PARAMETER" | "REGULAR_ATTRIBUTE";

export interface ClassAttribute {
  readonly name: string;
  readonly type: Type;
  readonly kind: AttributeKind;
}

export interface Property {
  readonly name: string;
  readonly getter: Function;
  readonly setter: Function | null;
}

/** Distinguishes classes of one name that belong to different compilation units. */
let units = 0;
const unit_numbers = new WeakMap<object, number>();

function number_of(compilation_unit: object | null): number {
  if (compilation_unit === null) return 0;
  let n = unit_numbers.get(compilation_unit);
  if (n === undefined) {
    n = ++units;
    unit_numbers.set(compilation_unit, n);
  }
  return n;
}

export class ClassType extends Type {
  private readonly name_: string;
  private readonly compilation_unit_: object | null;
  private readonly isModule_: boolean;
  private readonly doc_string_: string;
  private readonly unresolved_class_attributes_: readonly string[];
  private attributes_: ClassAttribute[] = [];
  private readonly constants_ = new Map<string, IValue>();
  private methods_: Function[] = [];
  private readonly staticmethods_: Function[] = [];
  private readonly forward_hooks_: Function[] = [];
  private readonly forward_pre_hooks_: Function[] = [];
  private readonly properties_: Property[] = [];

  /**
   * @param name Qualified name: `__torch__.module.Net`.
   * @param compilation_unit Owner of the methods. Classes of one name in two units are different types.
   */
  constructor(
    name: string,
    compilation_unit: object | null = null,
    is_module = false,
    doc_string = "",
    unresolved_class_attributes: readonly string[] = [],
  ) {
    super("ClassType", name);
    this.name_ = name;
    this.compilation_unit_ = compilation_unit;
    this.isModule_ = is_module;
    this.doc_string_ = doc_string;
    this.unresolved_class_attributes_ = unresolved_class_attributes;
  }

  static create(
    name: string,
    compilation_unit: object | null = null,
    is_module = false,
    doc_string = "",
    unresolved_class_attributes: readonly string[] = [],
  ): ClassType {
    return new ClassType(name, compilation_unit, is_module, doc_string, unresolved_class_attributes);
  }

  override key(): string {
    return `${this.name_}#${number_of(this.compilation_unit_)}`;
  }
  override repr_str(): string {
    const address = number_of(this.compilation_unit_).toString(16);
    return `${this.name_} (of Python compilation unit at: 0x${address})`;
  }
  override containedTypes(): readonly Type[] {
    return this.attributes_.map((attribute) => attribute.type);
  }
  name(): string {
    return this.name_;
  }
  compilation_unit(): object | null {
    return this.compilation_unit_;
  }
  is_module(): boolean {
    return this.isModule_;
  }
  doc_string(): string {
    return this.doc_string_;
  }
  isUnresolvedClassAttribute(name: string): boolean {
    return this.unresolved_class_attributes_.includes(name);
  }

  // Attributes

  getAttributes(): readonly ClassAttribute[] {
    return this.attributes_;
  }
  numAttributes(): number {
    return this.attributes_.length;
  }
  hasAttribute(name: string): boolean {
    return this.findAttributeSlot(name) !== null;
  }
  findAttributeSlot(name: string): number | null {
    const slot = this.attributes_.findIndex((attribute) => attribute.name === name);
    return slot < 0 ? null : slot;
  }
  getAttributeSlot(name: string): number {
    const slot = this.findAttributeSlot(name);
    TORCH_CHECK(slot !== null, this.repr_str(), " does not have an attribute with name '", name, "'");
    return slot;
  }
  findAttribute(name: string): Type | null {
    const slot = this.findAttributeSlot(name);
    return slot === null ? null : this.attributes_[slot].type;
  }
  getAttribute(name: string | number): Type {
    return this.attributes_[typeof name === "number" ? name : this.getAttributeSlot(name)].type;
  }
  getAttributeName(slot: number): string {
    return this.attributes_[slot].name;
  }
  is_parameter(slot: number): boolean {
    TORCH_INTERNAL_ASSERT(this.isModule_, "asking for parameterSlots of non-Module");
    return this.attributes_[slot].kind === "PARAMETER";
  }
  is_buffer(slot: number): boolean {
    TORCH_INTERNAL_ASSERT(this.isModule_, "asking for bufferWrittenSlots of non-Module");
    return this.attributes_[slot].kind === "BUFFER";
  }
  /** Adds a slot and returns its number. */
  addAttribute(name: string, type: Type, is_parameter = false, is_buffer = false): number {
    TORCH_INTERNAL_ASSERT(!(is_parameter && is_buffer), "Attribute cannot be both a parameter and a buffer!");
    const what = is_parameter ? "parameter" : is_buffer ? "buffer" : "attribute";
    this.checkNotExist(name, what);
    const kind: AttributeKind = is_parameter ? "PARAMETER" : is_buffer ? "BUFFER" : "REGULAR_ATTRIBUTE";
    if (is_parameter || is_buffer) {
      TORCH_INTERNAL_ASSERT(this.isModule_, "adding a parameter or buffer to a non module");
      TORCH_CHECK(
        type.kind() === "TensorType" ||
          (type.kind() === "OptionalType" && type.containedType().kind() === "TensorType") ||
          (type.kind() === "UnionType" && type.containedTypes().some((member) => member.kind() === "TensorType")) ||
          type.kind() === "NoneType",
        "Expecting parameter or buffer to have either None, Tensor or Optional[Tensor] type, but got: ",
        type.repr_str(),
      );
    }
    this.attributes_.push({ name, type, kind });
    return this.attributes_.length - 1;
  }
  addOrCheckAttribute(name: string, type: Type, is_parameter = false, is_buffer = false): number {
    const slot = this.findAttributeSlot(name);
    if (slot === null) return this.addAttribute(name, type, is_parameter, is_buffer);
    TORCH_CHECK(is_parameter === this.is_parameter(slot), "Parameter field mismatch for the field '", name, "'");
    const present = this.getAttribute(slot);
    TORCH_CHECK(
      type.isSubtypeOf(present),
      type.repr_str(),
      " is not compatible with the type ",
      present.repr_str(),
      " for the field '",
      name,
      "'",
    );
    return slot;
  }
  unsafeRemoveAttribute(name: string): void {
    const slot = this.getAttributeSlot(name);
    this.attributes_ = this.attributes_.filter((_, i) => i !== slot);
  }
  unsafeChangeAttributeType(name: string, type: Type): void {
    const slot = this.getAttributeSlot(name);
    this.attributes_ = this.attributes_.map((attribute, i) => (i === slot ? { ...attribute, type } : attribute));
  }
  /** The class with some attribute types narrowed. Precondition: each is a subtype of the present one. */
  refine(refined_slots: readonly Type[]): ClassType {
    const refined = new ClassType(this.name_, this.compilation_unit_, this.isModule_);
    for (const [i, { name, type, kind }] of this.attributes_.entries()) {
      TORCH_INTERNAL_ASSERT(refined_slots[i].isSubtypeOf(type));
      refined.addAttribute(name, refined_slots[i], kind === "PARAMETER", kind === "BUFFER");
    }
    for (const method of this.methods_) refined.addMethod(method);
    return refined;
  }

  // Constants

  hasConstant(name: string): boolean {
    return this.constants_.has(name);
  }
  addConstant(name: string, value: IValue): number {
    this.checkNotExist(name, "constant");
    this.constants_.set(name, value);
    return this.constants_.size - 1;
  }
  findConstant(name: string): IValue | null {
    return this.constants_.get(name) ?? null;
  }
  getConstant(name: string): IValue {
    const value = this.findConstant(name);
    TORCH_CHECK(value !== null, this.repr_str(), " does not have constant field with the name '", name, "'");
    return value;
  }
  constantNames(): readonly string[] {
    return [...this.constants_.keys()];
  }
  constantValues(): readonly IValue[] {
    return [...this.constants_.values()];
  }
  unsafeRemoveConstant(name: string): void {
    this.getConstant(name);
    this.constants_.delete(name);
  }

  // Methods, properties, hooks

  methods(): readonly Function[] {
    return this.methods_;
  }
  addMethod(method: Function): void {
    this.check_new(method, this.findMethod(method.name()));
    this.methods_.push(method);
  }
  private check_new(method: Function, known: Function | null): void {
    TORCH_CHECK(known === null, "Can't redefine method: ", method.name(), " on class: ", this.repr_str());
  }
  findMethod(name: string): Function | null {
    return this.methods_.find((method) => method.name() === name) ?? null;
  }
  getMethod(name: string): Function {
    const method = this.findMethod(name);
    TORCH_CHECK(method !== null, "Couldn't find method: '", name, "' on class: '", this.repr_str(), "'");
    return method;
  }
  hasMethod(name: string): boolean {
    return this.findMethod(name) !== null;
  }
  unsafeRemoveMethod(name: string): void {
    TORCH_CHECK(this.hasMethod(name), "Can't delete undefined method ", name, " on class: ", this.repr_str());
    this.methods_ = this.methods_.filter((method) => method.name() !== name);
  }
  addStaticMethod(method: Function): void {
    this.check_new(method, this.findStaticMethod(method.name()) ?? this.findMethod(method.name()));
    this.staticmethods_.push(method);
  }
  findStaticMethod(name: string): Function | null {
    return this.staticmethods_.find((method) => method.name() === name) ?? null;
  }
  properties(): readonly Property[] {
    return this.properties_;
  }
  getProperty(name: string): Property | null {
    return this.properties_.find((property) => property.name === name) ?? null;
  }
  addProperty(name: string, getter: Function, setter: Function | null): void {
    TORCH_INTERNAL_ASSERT(this.getProperty(name) === null, `Property named ${name} already exists!`);
    this.properties_.push({ name, getter, setter });
  }
  addForwardPreHook(hook: Function): void {
    this.forward_pre_hooks_.push(hook);
  }
  addForwardHook(hook: Function): void {
    this.forward_hooks_.push(hook);
  }
  findForwardPreHook(name: string): Function | null {
    return this.forward_pre_hooks_.find((hook) => hook.name() === name) ?? null;
  }
  findForwardHook(name: string): Function | null {
    return this.forward_hooks_.find((hook) => hook.name() === name) ?? null;
  }
  findHook(name: string): Function | null {
    return this.findForwardHook(name) ?? this.findForwardPreHook(name);
  }
  getForwardHooks(): readonly Function[] {
    return this.forward_hooks_;
  }
  getForwardPreHooks(): readonly Function[] {
    return this.forward_pre_hooks_;
  }

  checkNotExist(name: string, what: string): void {
    TORCH_CHECK(
      !this.constants_.has(name),
      "attempting to add ",
      what,
      " '",
      name,
      "' to ",
      this.repr_str(),
      " but a constant field of the same name already exists",
    );
    TORCH_CHECK(
      !this.hasAttribute(name),
      "attempting to add ",
      what,
      " '",
      name,
      "' to ",
      this.repr_str(),
      " but an attribute field of the same name already exists",
    );
  }

  override isSubtypeOfExt(rhs: Type, why_not: WhyNot): boolean {
    if (rhs.kind() === "AnyClassType") return true;
    if (rhs.kind() === "InterfaceType")
      return (rhs as Type & { implementedBy(cls: ClassType, why: WhyNot): boolean }).implementedBy(this, why_not);
    return this.isSubtypeOfAnyKind(rhs, why_not);
  }
}
