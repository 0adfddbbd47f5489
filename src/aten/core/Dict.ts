/**
 * @file The dict that boxed code and TorchScript share by reference. It keeps the order of insertion.
 * @mirrors aten/src/ATen/core/Dict.h
 */
import type { ComplexDouble, IValue } from "./ivalue.ts";
import type { Type } from "./jit_type.ts";
import type { TensorBase } from "./TensorBase.ts";

/** A primitive or an object that is equal for equal keys. A tensor is a key by identity, not by its elements. */
function hash_key(key: IValue): unknown {
  switch (key.tag) {
    case "Tensor":
      return (key.payload as TensorBase).impl_;
    case "ComplexDouble": {
      const { real, imag } = key.payload as ComplexDouble;
      return `${real + 0}+${imag + 0}j`; // + 0: both zeros are one key
    }
    default:
      return key.payload;
  }
}

/** One key and its value. */
export interface DictEntry {
  readonly key: IValue;
  readonly value: IValue;
}

export class Dict {
  private keyType_: Type;
  private valueType_: Type;
  private readonly dict_: Map<unknown, DictEntry> = new Map();

  constructor(keyType: Type, valueType: Type) {
    this.keyType_ = keyType;
    this.valueType_ = valueType;
  }

  keyType(): Type {
    return this.keyType_;
  }
  valueType(): Type {
    return this.valueType_;
  }
  /** Changes the declared type alone; who calls it knows that the keys have this type. */
  unsafeSetKeyType(type: Type): void {
    this.keyType_ = type;
  }
  /** As `unsafeSetKeyType`, for the values. */
  unsafeSetValueType(type: Type): void {
    this.valueType_ = type;
  }
  size(): number {
    return this.dict_.size;
  }
  empty(): boolean {
    return this.dict_.size === 0;
  }
  contains(key: IValue): boolean {
    return this.dict_.has(hash_key(key));
  }
  /** The value under `key`, or null. */
  find(key: IValue): IValue | null {
    return this.dict_.get(hash_key(key))?.value ?? null;
  }
  /** Adds an entry unless the key is there; says whether it did. */
  insert(key: IValue, value: IValue): boolean {
    if (this.contains(key)) return false;
    this.dict_.set(hash_key(key), { key, value });
    return true;
  }
  /** An entry that is there keeps its place and its key. */
  insert_or_assign(key: IValue, value: IValue): void {
    const hash = hash_key(key);
    this.dict_.set(hash, { key: this.dict_.get(hash)?.key ?? key, value });
  }
  /** Says whether there was such an entry. */
  erase(key: IValue): boolean {
    return this.dict_.delete(hash_key(key));
  }
  clear(): void {
    this.dict_.clear();
  }
  /** The entries, oldest first. */
  entries(): IterableIterator<DictEntry> {
    return this.dict_.values();
  }
  /** A dict with the same keys and values; the values are not copied. */
  copy(): Dict {
    const copied = new Dict(this.keyType_, this.valueType_);
    for (const { key, value } of this.dict_.values()) copied.insert(key, value);
    return copied;
  }
}
