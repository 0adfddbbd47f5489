/**
 * @file A set of attribute values in which two values are one if a write to one changes the other.
 * @mirrors aten/src/ATen/core/ivalue.h#HashAliasedIValues
 */
import type { IValue } from "#aten/core/ivalue";

/** The object in memory that a value is; the value itself if it has none. */
function memory_of(value: IValue): unknown {
  return value.isTensor() ? value.toTensor().storage().unsafeGetStorageImpl() : value.payload;
}

/** The values inside a value that can be written to, with itself. */
export function* getSubValues(value: IValue): IterableIterator<IValue> {
  if (value.isTensor()) {
    if (value.toTensor().defined()) yield value;
  } else if (value.isTuple()) {
    for (const element of value.toTuple()) yield* getSubValues(element);
  } else if (value.isList()) {
    yield value;
    for (const element of value.toList().vec()) yield* getSubValues(element);
  } else if (value.tag === "GenericDict") {
    yield value;
    for (const { value: element } of value.toGenericDict().entries()) yield* getSubValues(element);
  } else if (value.isObject()) {
    yield value;
    for (const slot of value.toObject().slots()) yield* getSubValues(slot);
  }
}

export class AliasedValues {
  private readonly values = new Map<unknown, IValue>();

  add(value: IValue): void {
    this.values.set(memory_of(value), value);
  }
  has(value: IValue): boolean {
    return this.values.has(memory_of(value));
  }
  [Symbol.iterator](): IterableIterator<IValue> {
    return this.values.values();
  }
}

/** Whether something inside one value is inside the other, too. */
export function overlaps(a: IValue, b: IValue): boolean {
  const inside = new AliasedValues();
  for (const value of getSubValues(a)) inside.add(value);
  return [...getSubValues(b)].some((value) => inside.has(value));
}
