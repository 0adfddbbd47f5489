/**
 * @file Meanings that an expression can have while a script is compiled: a value of the graph, or something that has a meaning only
 * for the compiler, such as a module, a class, a method or `range`.
 * @mirrors torch/csrc/jit/frontend/sugared_value.h
 */
import type { Type } from "#aten/core/jit_type";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Value } from "../../ir/ir.ts";
import type { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import type { SourceRange } from "../source_range.ts";

/** Arguments of a call. `n_binders` is the number of variables that the result is assigned to. */
export interface CallArguments {
  readonly args: readonly NamedValue[];
  readonly kwargs: readonly NamedValue[];
  readonly n_binders: number;
}

/** `m` is the function that is being compiled; new nodes go to its graph's insert point. */
export abstract class SugaredValue {
  /** Kind of thing, for errors. */
  abstract kind(): string;

  asValue(loc: SourceRange, _m: GraphFunction): Value {
    throw new ErrorReport(loc, this.kind(), " cannot be used as a value");
  }

  attr(loc: SourceRange, _m: GraphFunction, _field: string): SugaredValue {
    throw new ErrorReport(loc, "attribute lookup is not defined on ", this.kind());
  }

  hasAttr(loc: SourceRange, _m: GraphFunction, _field: string): boolean {
    throw new ErrorReport(loc, "attribute lookup is not defined on ", this.kind());
  }

  setAttr(loc: SourceRange, _m: GraphFunction, _field: string, _value: Value): void {
    throw new ErrorReport(loc, "attribute assignment is not defined on ", this.kind());
  }

  /** Its elements. A list is taken apart only if `size_hint` says into how many. */
  asTuple(loc: SourceRange, _m: GraphFunction, _size_hint: number | null = null): readonly SugaredValue[] {
    throw new ErrorReport(loc, this.kind(), " cannot be used as a tuple");
  }

  asTupleValue(loc: SourceRange, _m: GraphFunction): SugaredValue {
    throw new ErrorReport(loc, this.kind(), " cannot be used as a tuplevalue");
  }

  call(loc: SourceRange, _m: GraphFunction, _call: CallArguments): SugaredValue {
    throw new ErrorReport(loc, "cannot call a ", this.kind());
  }

  /** The things that a `for` runs over: the keys of a dict, for example. */
  iter(loc: SourceRange, _m: GraphFunction): SugaredValue {
    throw new ErrorReport(loc, this.kind(), " cannot be used as an iterable");
  }

  /** Number of elements that is known now; a loop over it is then unrolled. */
  staticLen(): number | null {
    return null;
  }

  shouldEmitUnrolled(): boolean {
    return this.staticLen() !== null;
  }

  len(loc: SourceRange, _m: GraphFunction): Value {
    throw new ErrorReport(loc, "'", this.kind(), "'", " object is not iterable");
  }

  getitem(loc: SourceRange, _m: GraphFunction, _idx: Value, _type_hint: Type | null = null): SugaredValue {
    throw new ErrorReport(loc, "'", this.kind(), "'", " object is not subscriptable");
  }
}

/** A call with these arguments by position and no others. */
export function positional(args: readonly NamedValue[], n_binders = 1): CallArguments {
  return { args, kwargs: [], n_binders };
}
