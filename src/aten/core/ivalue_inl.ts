/**
 * @file The values that only TorchScript makes: objects of scripted classes, members of enums, futures.
 * @mirrors aten/src/ATen/core/ivalue_inl.h
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { IValue } from "./ivalue.ts";
import type { Type } from "./jit_type.ts";

/** The part of a class type that an object needs. */
export interface ObjectType extends Type {
  numAttributes(): number;
  findAttributeSlot(name: string): number | null;
  getAttributeSlot(name: string): number;
  getAttributeName(slot: number): string;
}

/** `c10::ivalue::Object`: an instance of a scripted class or module. Its attributes are slots; the class says which slot has which name. */
export class Object_ {
  private readonly type_: ObjectType;
  private readonly slots_: IValue[];

  constructor(type: ObjectType, numSlots: number) {
    this.type_ = type;
    this.slots_ = new Array<IValue>(numSlots).fill(IValue.None);
  }

  type(): ObjectType {
    return this.type_;
  }
  /** The qualified name of the class. */
  name(): string {
    return this.type_.annotation_str();
  }
  slots(): readonly IValue[] {
    return this.slots_;
  }
  /** An attribute that the class got after this object was made is None. */
  getSlot(slot: number): IValue {
    return this.slots_[slot] ?? IValue.None;
  }
  setSlot(slot: number, value: IValue): void {
    while (this.slots_.length < slot) this.slots_.push(IValue.None);
    this.slots_[slot] = value;
  }
  /** Removes a slot; the class must have removed the attribute. */
  unsafeRemoveSlot(slot: number): void {
    TORCH_CHECK(slot < this.slots_.length);
    this.slots_.splice(slot, 1);
  }
  getAttr(name: string): IValue {
    return this.getSlot(this.type_.getAttributeSlot(name));
  }
  setAttr(name: string, value: IValue): void {
    this.setSlot(this.type_.getAttributeSlot(name), value);
  }
  /** An object with the same attributes; their values are not copied. */
  copy(): Object_ {
    const copied = new Object_(this.type_, this.slots_.length);
    for (const [slot, value] of this.slots_.entries()) copied.setSlot(slot, value);
    return copied;
  }
}

/** A member of an enum class. */
export class EnumHolder {
  private readonly type_: Type;
  private readonly name_: string;
  private readonly value_: IValue;

  constructor(type: Type, name: string, value: IValue) {
    this.type_ = type;
    this.name_ = name;
    this.value_ = value;
  }

  type(): Type {
    return this.type_;
  }
  /** The member's name: `RED`. */
  name(): string {
    return this.name_;
  }
  value(): IValue {
    return this.value_;
  }
  qualifiedClassName(): string {
    return this.type_.annotation_str();
  }
  unqualifiedClassName(): string {
    return this.qualifiedClassName().replace(/^.*\./, "");
  }
  /** Whether both are the same member of the same enum. */
  is(other: EnumHolder): boolean {
    return this.type_.equals(other.type_) && this.name_ === other.name_ && this.value_.equals(other.value_);
  }
}

/** The result of a task that may not have finished. */
export class Future {
  private readonly type_: Type;
  private completed_ = false;
  private value_: IValue = IValue.None;
  private error_: unknown = null;
  private callbacks_: (() => void)[] = [];
  /** Continues the task, if it is one that runs only when somebody waits for it; see `wait`. */
  private run_: (() => void) | null = null;

  constructor(type: Type) {
    this.type_ = type;
  }

  elementType(): Type {
    return this.type_;
  }
  completed(): boolean {
    return this.completed_;
  }
  hasError(): boolean {
    return this.completed_ && this.error_ !== null;
  }
  hasValue(): boolean {
    return this.completed_ && this.error_ === null;
  }
  /** The task's own error, as it was thrown. */
  error(): unknown {
    return this.error_;
  }

  /** `run` continues the task that completes this future. */
  set_run(run: () => void): void {
    this.run_ = run;
  }

  /**
   * Runs the task to its end.
   * @differs There is one thread, so a task that nobody waited for runs here; in PyTorch a pool of threads runs it.
   */
  wait(): void {
    if (this.completed_) return;
    const run = this.run_;
    this.run_ = null;
    run?.();
    TORCH_INTERNAL_ASSERT(this.completed_, "nothing completes this future");
  }

  markCompleted(value: IValue): void {
    TORCH_CHECK(!this.completed_, "Attempting to mark a completed Future as complete again. ");
    this.value_ = value;
    this.finish();
  }

  setError(error: unknown): void {
    TORCH_CHECK(!this.completed_, "Attempting to set an error on a completed Future. ");
    this.error_ = error;
    this.finish();
  }

  /** @throws the task's error */
  value(): IValue {
    if (this.error_ !== null) throw this.error_;
    return this.value_;
  }

  /** Calls `callback` when the task has finished, at once if it has. */
  addCallback(callback: () => void): void {
    if (this.completed_) callback();
    else this.callbacks_.push(callback);
  }

  private finish(): void {
    this.completed_ = true;
    const callbacks = this.callbacks_;
    this.callbacks_ = [];
    for (const callback of callbacks) callback();
  }
}
