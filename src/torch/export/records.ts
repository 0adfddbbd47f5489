/**
 * @file Objects that are their fields, as Python's dataclasses and enumerations print and compare them.
 * @original PyTorch uses `dataclasses` and `enum`.
 */
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { equal, repr } from "#python/Objects/object";

/** A class whose objects are their fields: `Name(field=value, ...)`. */
export abstract class Record_ extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.export.graph_signature";
  /** The fields in order. */
  static readonly fields: readonly string[] = [];

  private get field_names(): readonly string[] {
    return (this.constructor as typeof Record_).fields;
  }

  __repr__(): string {
    const values = this as unknown as Readonly<Record<string, unknown>>;
    return `${this.constructor.name}(${this.field_names.map((name) => `${name}=${repr(values[name])}`).join(", ")})`;
  }

  __eq__(other: unknown): boolean {
    if (!(other instanceof Record_) || other.constructor !== this.constructor) return false;
    const [a, b] = [this, other] as unknown as readonly Readonly<Record<string, unknown>>[];
    return this.field_names.every((name) => equal(a[name], b[name]));
  }

  override toString(): string {
    return this.__repr__();
  }
}

/** A member of an enumeration. */
export abstract class Member extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.export.graph_signature";
  readonly name: string;
  readonly value: number;

  constructor(name: string, value: number) {
    super();
    this.name = name;
    this.value = value;
  }

  __repr__(): string {
    return `<${this.constructor.name}.${this.name}: ${this.value}>`;
  }

  __str__(): string {
    return `${this.constructor.name}.${this.name}`;
  }

  override toString(): string {
    return this.__str__();
  }
}
