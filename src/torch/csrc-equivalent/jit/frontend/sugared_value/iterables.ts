/**
 * @file Iterables besides values: `range`, and the tree of `zip` and `enumerate`.
 * @mirrors torch/csrc/jit/frontend/sugared_value.cpp
 */
import { IValue } from "#aten/core/ivalue";
import * as types from "#aten/core/jit_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Value } from "../../ir/ir.ts";
import { ErrorReport } from "../error_report.ts";
import { insert } from "../schema_matching.ts";
import type { SourceRange } from "../source_range.ts";
import { SugaredValue } from "./base.ts";
import { SimpleValue, SugaredTupleValue } from "./simple_value.ts";

export class RangeValue extends SugaredValue {
  private readonly start_: Value;
  private readonly end_: Value;
  private readonly step_: Value;
  /** `range(n)`: the trip count is `n`, and the index is the counter itself. */
  private readonly has_only_end_: boolean;
  private readonly static_len_: number | null;

  constructor(loc: SourceRange, m: GraphFunction, inputs: readonly Value[], static_len: number | null = null) {
    super();
    inputs.forEach((input, i) => {
      if (input.type().kind() === "IntType") return;
      throw new ErrorReport(loc, `all inputs of range must be ints, found ${input.type().repr_str()} in argument ${i}`);
    });
    const constant = (value: number) => m.graph().insertConstant(IValue.fromInt(value), loc);
    if (inputs.length === 0) throw new ErrorReport(loc, "range expected at least 1 arguments, got 0");
    if (inputs.length > 3) throw new ErrorReport(loc, `range expected at most 3 arguments, got ${inputs.length}`);
    this.has_only_end_ = inputs.length === 1;
    this.start_ = this.has_only_end_ ? constant(0) : inputs[0];
    this.end_ = this.has_only_end_ ? inputs[0] : inputs[1];
    this.step_ = inputs.length === 3 ? inputs[2] : constant(1);
    this.static_len_ = static_len;
  }

  kind(): string {
    return "range";
  }

  override iter(): SugaredValue {
    return this;
  }

  override staticLen(): number | null {
    return this.static_len_;
  }

  override len(loc: SourceRange, m: GraphFunction): Value {
    if (this.static_len_ !== null) return m.graph().insertConstant(IValue.fromInt(this.static_len_), loc);
    if (this.has_only_end_) return this.end_;
    return insert(m.graph(), "aten::__range_length", [this.start_, this.end_, this.step_], [], loc);
  }

  override getitem(loc: SourceRange, m: GraphFunction, idx: Value): SugaredValue {
    if (this.has_only_end_) return new SimpleValue(idx);
    return new SimpleValue(insert(m.graph(), "aten::__derive_index", [idx, this.start_, this.step_], [], loc));
  }
}

/** Iterables that advance together: `zip(a, b)`; `enumerate(a)` is a `range` and `a`. The shortest leaf ends the loop. */
export class IterableTree extends SugaredValue {
  private readonly children_: SugaredValue[] = [];
  private unroll_length_: number | null = null;

  constructor(loc: SourceRange, children: readonly SugaredValue[]) {
    super();
    for (const child of children) this.addChild(loc, child);
  }

  kind(): string {
    return "iterabletree";
  }

  override iter(): SugaredValue {
    return this;
  }

  override staticLen(): number | null {
    return this.unroll_length_;
  }

  addChild(loc: SourceRange, child: SugaredValue): void {
    const length = child.staticLen();
    if (this.children_.length === 0) {
      this.unroll_length_ = length;
    } else if ((this.unroll_length_ === null) !== (length === null)) {
      throw new ErrorReport(
        loc,
        "Can not iterate over a module list or tuple with a value that does not have a statically determinable length\n",
      );
    } else if (length !== null && this.unroll_length_ !== null) {
      this.unroll_length_ = Math.min(length, this.unroll_length_);
    }
    this.children_.push(child);
  }

  private get_base_iterables(): SugaredValue[] {
    return this.children_.flatMap((child) => (child instanceof IterableTree ? child.get_base_iterables() : [child]));
  }

  override len(loc: SourceRange, m: GraphFunction): Value {
    TORCH_INTERNAL_ASSERT(this.unroll_length_ === null);
    const lengths = this.get_base_iterables().map((leaf) => leaf.len(loc, m));
    const list = m.graph().insertNode(m.graph().createList(types.IntType, lengths)).output();
    return insert(m.graph(), "prim::min", [list], [], loc);
  }

  override getitem(loc: SourceRange, m: GraphFunction, idx: Value): SugaredValue {
    return new SugaredTupleValue(this.children_.map((child) => child.getitem(loc, m, idx)));
  }
}
