/**
 * @file The list that boxed code and TorchScript share by reference: every holder sees an appended element.
 * @mirrors aten/src/ATen/core/List.h
 */
import type { IValue } from "./ivalue.ts";
import type { Type } from "./jit_type.ts";

export class List {
  private elementType_: Type;
  private readonly list_: IValue[];

  constructor(elementType: Type, list: IValue[] = []) {
    this.elementType_ = elementType;
    this.list_ = list;
  }

  elementType(): Type {
    return this.elementType_;
  }
  /** Changes the declared type alone; who calls it knows that the elements have this type. */
  unsafeSetElementType(type: Type): void {
    this.elementType_ = type;
  }
  size(): number {
    return this.list_.length;
  }
  get(i: number): IValue {
    return this.list_[i];
  }
  set(i: number, value: IValue): void {
    this.list_[i] = value;
  }
  push_back(value: IValue): void {
    this.list_.push(value);
  }
  /** The elements themselves, not a copy. */
  vec(): IValue[] {
    return this.list_;
  }
}
