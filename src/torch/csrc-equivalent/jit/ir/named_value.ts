/**
 * @file An argument of a call before it is matched: a value of the graph or a constant, perhaps with a keyword and a place in the source.
 * @mirrors torch/csrc/jit/ir/named_value.h
 */
import type { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import type { Type } from "#aten/core/jit_type";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { SourceRange } from "../frontend/source_range.ts";
import type { Graph } from "./ir/graph.ts";
import { Value } from "./ir/value.ts";

export class NamedValue {
  private readonly loc_: SourceRange | null;
  private readonly name_: string | null;
  private readonly value_: Value | null;
  private readonly ivalue_: IValue | null;

  constructor(value: Value | IValue, name: string | null = null, loc: SourceRange | null = null) {
    this.loc_ = loc;
    this.name_ = name;
    this.value_ = value instanceof Value ? value : null;
    this.ivalue_ = value instanceof Value ? null : value;
  }

  name(): string {
    TORCH_INTERNAL_ASSERT(this.name_ !== null);
    return this.name_;
  }
  hasName(): boolean {
    return this.name_ !== null;
  }
  /** The value; a constant is inserted into the graph. */
  value(graph: Graph): Value {
    if (this.value_ !== null) return this.value_;
    TORCH_CHECK(this.ivalue_ !== null);
    return graph.insertConstant(this.ivalue_, this.loc_);
  }
  loc(): SourceRange | null {
    return this.loc_;
  }
  locOr(backup_location: SourceRange): SourceRange {
    return this.loc_ ?? backup_location;
  }
  type(): Type {
    if (this.value_ !== null) return this.value_.type();
    return type_of(this.ivalue_ as IValue);
  }
}
