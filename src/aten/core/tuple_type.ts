/**
 * @file The type of a NamedTuple: a tuple whose elements have names, and perhaps defaults.
 * @mirrors aten/src/ATen/core/jit_type.h#TupleType
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Argument, FunctionSchema } from "./function_schema.ts";
import type { IValue } from "./ivalue.ts";
import { Type } from "./jit_type.ts";
import { OperatorName } from "./operator_name.ts";

export class NamedTupleType extends Type {
  private readonly name_: string | null;
  private readonly schema_: FunctionSchema;

  /**
   * @param name Qualified name of the class: `__torch__.Point`. Null for what an operator with named results returns.
   * @param field_defaults Values of the last fields.
   */
  constructor(
    name: string | null,
    field_names: readonly string[],
    field_types: readonly Type[],
    field_defaults: readonly IValue[] = [],
  ) {
    super(
      "TupleType",
      name ?? `(${field_types.map((type) => type.str()).join(", ")})`,
      name ?? `Tuple[${field_types.map((type) => type.annotation_str()).join(", ")}]`,
      field_types,
    );
    TORCH_INTERNAL_ASSERT(field_names.length === field_types.length);
    const first_default = field_names.length - field_defaults.length;
    this.name_ = name;
    this.schema_ = new FunctionSchema(
      new OperatorName((name ?? "").split(".").at(-1) as string),
      field_names.map(
        (field, i) =>
          new Argument(field, field_types[i], {
            default_value: i < first_default ? null : field_defaults[i - first_default],
          }),
      ),
      [],
    );
  }

  /** Qualified name of the class, or null. */
  name(): string | null {
    return this.name_;
  }
  /** The constructor's arguments. */
  schema(): FunctionSchema {
    return this.schema_;
  }
  override fieldNames(): readonly string[] {
    return this.schema_.arguments().map((arg) => arg.name());
  }
  override fieldDefault(i: number): string | null {
    const value = this.schema_.arguments()[i].default_value();
    return value === null ? null : String(value);
  }
  override key(): string {
    return `${this.name_ ?? "NamedTuple"}<${this.schema_
      .arguments()
      .map((arg) => `${arg.name()}: ${arg.type().key()}`)
      .join(", ")}>`;
  }

  withElements(elements: readonly Type[]): NamedTupleType {
    const defaults = this.schema_.arguments().flatMap((arg) => arg.default_value() ?? []);
    return new NamedTupleType(this.name_, this.fieldNames(), elements, defaults);
  }

  protected override namesMatch(rhs: Type): boolean {
    const theirs = rhs.fieldNames();
    return theirs === null || this.fieldNames().join() === theirs.join();
  }
}
