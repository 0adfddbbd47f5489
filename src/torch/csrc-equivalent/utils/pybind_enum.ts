/**
 * @file `py::enum_<E>(m, name)` of pybind11: a class whose members are its only objects, each with a name and a number.
 * @original pybind11 is a library used by PyTorch.
 * @differs A copy of a member is the member itself; in pybind11 `copy.deepcopy` makes an equal object.
 */
import { incompatible_constructor } from "./pybind.ts";
import { THPUtils_checkLong, THPUtils_unpackLong } from "./python_numbers.ts";

const objects = new WeakMap<object, Map<number, PybindEnum>>();

/** The members of an enum by name, in their order. */
export function members_of(cls: object): Map<string, PybindEnum> {
  return new Map(Object.entries(cls).filter(([, member]) => member instanceof PybindEnum));
}

export abstract class PybindEnum {
  readonly value!: number;

  /** The member of this number. A number without a member makes an object whose name is `???`. */
  constructor(value: number) {
    const cls = new.target as unknown as { readonly name: string; readonly __module__: string };
    if (!THPUtils_checkLong(value)) {
      const signature = `torch._C.${cls.name}(value: typing.SupportsInt | typing.SupportsIndex)`;
      throw incompatible_constructor(signature, value === undefined ? [] : [value]);
    }
    let known = objects.get(cls);
    if (known === undefined) {
      known = new Map();
      objects.set(cls, known);
    }
    const number = THPUtils_unpackLong(value);
    const found = known.get(number);
    // biome-ignore lint/correctness/noConstructorReturn: a number has one object
    if (found !== undefined) return found;
    Object.defineProperty(this, "value", { value: number, enumerable: true });
    known.set(number, this);
  }

  get name(): string {
    for (const [name, member] of members_of(this.constructor)) if (member === this) return name;
    return "???";
  }

  __repr__(): string {
    return `<${this.constructor.name}.${this.name}: ${this.value}>`;
  }

  __str__(): string {
    return `${this.constructor.name}.${this.name}`;
  }

  __int__(): number {
    return this.value;
  }

  __index__(): number {
    return this.value;
  }

  __hash__(): number {
    return this.value;
  }

  __deepcopy__(): this {
    return this;
  }

  /** A pickle holds the class and the number. */
  __reduce_ex__(_protocol: number): { func: { module: string; name: string }; args: unknown[] } {
    const { name, __module__ } = this.constructor as unknown as { readonly name: string; readonly __module__: string };
    return { func: { module: __module__, name }, args: [this.value] };
  }

  toString(): string {
    return this.__str__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}
