/**
 * @file The two halves of an operator's name: `aten::add` and `Tensor`.
 * @mirrors aten/src/ATen/core/operator_name.h
 */

export class OperatorName {
  readonly name: string;
  readonly overload_name: string;

  constructor(name: string, overload_name = "") {
    this.name = name;
    this.overload_name = overload_name;
  }

  /** `aten` of `aten::add`, or null for a name without a namespace. */
  getNamespace(): string | null {
    const at = this.name.indexOf("::");
    return at < 0 ? null : this.name.slice(0, at);
  }

  /** The name with namespace `ns`, or this one if it already has a namespace. */
  withNamespaceIfNotSet(ns: string): OperatorName {
    return this.getNamespace() === null ? new OperatorName(`${ns}::${this.name}`, this.overload_name) : this;
  }

  /** `aten::add.Tensor`: the key under which the dispatcher finds it. */
  toString(): string {
    return this.overload_name === "" ? this.name : `${this.name}.${this.overload_name}`;
  }
}
