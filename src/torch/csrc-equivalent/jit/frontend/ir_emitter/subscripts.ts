/**
 * @file Subscripts: `select`, `slice`, `unsqueeze` and `index` of tensors, elements and slices of tuples, items of containers.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitSubscript
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { ListType, OptionalType } from "#aten/core/jit_type";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { toIValue } from "../../ir/constants.ts";
import type { Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { convertibleToList, emitBuiltinCall, insert } from "../schema_matching.ts";
import { SourceRange } from "../source_range.ts";
import type { SugaredValue } from "../sugared_value/base.ts";
import { SimpleValue } from "../sugared_value/simple_value.ts";
import { SliceValue } from "../sugared_value/special.ts";
import { type Expr, type List, SliceExpr, type Subscript } from "../tree_views.ts";
import { ContainerEmitter } from "./containers.ts";

// An idea in miniature: `x[0, 1:, None, idx]`. Each index applies to a dimension of what the indices before it have left:
//
//   0     dim 0   select removes the dimension, so the next index is for dim 0 again
//   1:    dim 0   slice keeps it: the next one is for dim 1
//   None  dim 1   unsqueeze adds one: dim 2
//   idx   dim 2   a tensor; all tensors are applied together at the end: index(x', [None, None, idx])
//
// Behind `...` dimensions are counted from the end, from right to left.

interface SliceParts {
  readonly start: Value | null;
  readonly stop: Value | null;
  readonly step: Value | null;
}

export abstract class SubscriptEmitter extends ContainerEmitter {
  private emitSliceParts(slice: SliceExpr): SliceParts {
    const part = (expr: Expr | null) => (expr === null ? null : this.emitExpr(expr));
    const start = part(slice.start().valueOrNull());
    const stop = part(slice.end().valueOrNull());
    return { start, stop, step: part(slice.step().valueOrNull()) };
  }

  private emitSliceOp(loc: SourceRange, sliceable: Value, dim: Value | null, parts: SliceParts): Value {
    if (sliceable.type().kind() === "TupleType") {
      return this.emitTupleSlice(loc, sliceable, [parts.start, parts.stop, parts.step]);
    }
    const none = () => new NamedValue(IValue.None);
    const step = parts.step ?? this.constant(IValue.fromInt(1), loc);
    const args: NamedValue[] = [new NamedValue(sliceable, "self", loc)];
    if (dim !== null) args.push(new NamedValue(dim));
    args.push(parts.start === null ? none() : new NamedValue(parts.start, "start", loc));
    args.push(parts.stop === null ? none() : new NamedValue(parts.stop, "end", loc));
    args.push(new NamedValue(step, "step", loc));
    return emitBuiltinCall(loc, this.graph, "aten::slice", args);
  }

  protected emitIndex(loc: SourceRange, input: Value, indices: readonly Value[]): Value {
    const list = this.graph.insertNode(this.graph.createList(OptionalType.ofTensor(), indices)).output();
    return emitBuiltinCall(loc, this.graph, "aten::index", [input, list]);
  }

  /** A list as index is a tensor of its elements, always of whole numbers. */
  private emitIndexValue(subscript: Expr): Value {
    const index = this.emitExpr(subscript, subscript.kind() === "None" ? types.NoneType : null);
    if (index.type().kind() !== "ListType") return index;
    const dtype = new NamedValue(IValue.fromInt(ScalarType.Long), "dtype");
    return insert(this.graph, "aten::tensor", [index], [dtype], SourceRange.empty());
  }

  /**
   * Applies ints, slices and None. The tensors among the indices come back, by the dimension that they index in what is left; other
   * places hold None.
   */
  protected emitIntAndSliceIndexing(loc: SourceRange, input: Value, subscripts: List<Expr>): [Value, Value[]] {
    const count = subscripts.size();
    const dims = new Array<number>(count).fill(0);
    const exprs = new Array<Value | null>(count).fill(null);
    const handle = (i: number, dim: number, reverse: boolean): number => {
      dims[i] = dim;
      const next = reverse ? dim - 1 : dim + 1;
      const subscript = subscripts.at(i);
      if (subscript.kind() === "slice expr") return next;
      if (this.emitSugaredExpr(subscript, 1) instanceof SliceValue) return next;
      const index = this.emitIndexValue(subscript);
      const type = index.type();
      exprs[i] = index;
      if (type.isSubtypeOf(types.NoneType)) return reverse ? dim : next;
      if (type === types.IntType) return reverse ? next : dim;
      if (!type.isSubtypeOf(OptionalType.ofTensor())) {
        throw new ErrorReport(
          loc,
          `Unsupported operation: indexing tensor with unsupported index type '${type.repr_str()}'`,
          ". Only ints, slices, lists and tensors are supported",
        );
      }
      if (reverse) throw new ErrorReport(loc, "Ellipses followed by tensor indexing is currently not supported");
      return next;
    };
    let i = 0;
    for (let dim = 0; i < count && subscripts.at(i).kind() !== "dots"; i++) dim = handle(i, dim, false);
    for (let rev = count - 1, dim = -1; rev > i; rev--) {
      if (subscripts.at(rev).kind() === "dots") {
        throw new ErrorReport(loc, "An index can only have a single ellipsis ('...')");
      }
      dim = handle(rev, dim, true);
    }
    return this.applyIndices(loc, input, { subscripts, dims, exprs });
  }

  private applyIndices(
    loc: SourceRange,
    input: Value,
    { subscripts, dims, exprs }: { subscripts: List<Expr>; dims: readonly number[]; exprs: readonly (Value | null)[] },
  ): [Value, Value[]] {
    let sliceable = input;
    const tensors: (Value | undefined)[] = [];
    const dim = (i: number) => this.constant(IValue.fromInt(dims[i]), loc);
    for (const [i, index] of exprs.entries()) {
      const subscript = subscripts.at(i);
      if (index === null) {
        if (subscript.kind() === "dots") continue;
        if (subscript.kind() === "slice expr") {
          const at = dim(i);
          sliceable = this.emitSliceOp(loc, sliceable, at, this.emitSliceParts(new SliceExpr(subscript.get())));
          continue;
        }
        const slice = this.emitSugaredExpr(subscript, 1);
        if (slice instanceof SliceValue) sliceable = this.emitSliceOp(loc, sliceable, dim(i), slice);
      } else if (index.type().isSubtypeOf(types.NoneType)) {
        sliceable = emitBuiltinCall(loc, this.graph, "aten::unsqueeze", [sliceable, dim(i)]);
      } else if (index.type() === types.IntType) {
        sliceable = emitBuiltinCall(loc, this.graph, "aten::select", [sliceable, dim(i), index]);
      } else {
        tensors[dims[i]] = index;
      }
    }
    const filled = Array.from(tensors, (t) => t ?? this.graph.insertNode(this.graph.createNone()).output());
    return [sliceable, filled];
  }

  private emitMultidimSlicing(loc: SourceRange, sliceable: Value, subscripts: List<Expr>): Value {
    if (!sliceable.type().isSubtypeOf(types.TensorType)) {
      throw new ErrorReport(
        loc,
        "Unsupported operation: attempted to use multidimensional indexing on a non-tensor type",
      );
    }
    const [sliced, tensors] = this.emitIntAndSliceIndexing(loc, sliceable, subscripts);
    return tensors.length === 0 ? sliced : this.emitIndex(loc, sliced, tensors);
  }

  private emitBasicSlice(loc: SourceRange, sliceable: Value, slice: SliceExpr): Value {
    const is_tensor = sliceable.type().isSubtypeOf(types.TensorType);
    const dim = is_tensor ? this.constant(IValue.fromInt(0), loc) : null;
    return this.emitSliceOp(loc, sliceable, dim, this.emitSliceParts(slice));
  }

  private emitTupleIndex(loc: SourceRange, tuple: Value, idx: Value): Value {
    const elements = tuple.type().containedTypes();
    if (idx.type() !== types.IntType) throw new ErrorReport(loc, "tuple index must be an integer");
    const constant = toIValue(idx);
    let type: Type;
    if (constant !== null) {
      type = elements[adjustTupleIndex(loc, elements.length, Number(constant.toInt()), false)];
    } else {
      [type] = elements;
      if (elements.length === 0 || !convertibleToList(tuple.type(), ListType.create(type))) {
        const reason = "with a non-integer literal because we cannot resolve the output type";
        throw new ErrorReport(loc, `Cannot index into a ${tuple.type().repr_str()} ${reason}`);
      }
    }
    return this.graph.insertNode(this.graph.createTupleIndex(tuple, idx, type)).output();
  }

  protected override emitTupleSlice(loc: SourceRange, tuple: Value, args: readonly (Value | null)[]): Value {
    const length = tuple.type().containedTypes().length;
    const [begin_val, end_val, step_val] = args;
    let step = 1;
    if (step_val !== null) {
      const constant = toIValue(step_val);
      const known = constant?.isInt() ? constant : null;
      TORCH_CHECK(known !== null, "Step size should always be an integer");
      step = Number(known.toInt());
    }
    const bound = (value: Value | null): number | null => {
      if (value === null) return null;
      const constant = toIValue(value);
      if (!constant?.isInt()) throw new ErrorReport(loc, "tuple slice indices must be integer constants");
      return adjustTupleIndex(loc, length, Number(constant.toInt()), true);
    };
    const { begin, count } = adjustSlice(length, bound(begin_val), bound(end_val), step);
    return this.graph.insertNode(this.graph.createTupleSlice(tuple, begin, step, count)).output();
  }

  protected emitSubscript(subscript: Subscript, type_hint: Type | null): SugaredValue {
    const value = this.emitSugaredExpr(subscript.value(), 1);
    const subscripts = subscript.subscript_exprs();
    const loc = subscript.range();
    const value_loc = subscript.value().range();
    if (subscripts.size() !== 1) {
      return new SimpleValue(this.emitMultidimSlicing(loc, value.asValue(value_loc, this.method), subscripts));
    }
    const [only] = subscripts.all();
    if (only.kind() === "slice expr") {
      const slice = new SliceExpr(only.get());
      if (value.kind() === "module") return new SimpleValue(this.emitModuleSlice(value_loc, value, slice));
      return new SimpleValue(this.emitBasicSlice(loc, value.asValue(value_loc, this.method), slice));
    }
    const sliceable = value.asValue(value_loc, this.method);
    const index = this.emitSugaredExpr(only, 1);
    const is_tensor = sliceable.type().isSubtypeOf(types.TensorType);
    if (index instanceof SliceValue) {
      const dim = is_tensor ? this.constant(IValue.fromInt(0), value_loc) : null;
      return new SimpleValue(this.emitSliceOp(value_loc, sliceable, dim, index));
    }
    const idx = index.asValue(value_loc, this.method);
    if (sliceable.type().kind() === "TupleType") {
      return new SimpleValue(this.emitTupleIndex(loc, value.asValue(value_loc, this.method), idx));
    }
    if (is_tensor) return new SimpleValue(this.emitMultidimSlicing(loc, sliceable, subscripts));
    return value.getitem(loc, this.method, idx, type_hint);
  }

  /** A slice of a ModuleList or Sequential: the modules as a tuple, sliced. */
  private emitModuleSlice(loc: SourceRange, module: SugaredValue, slice: SliceExpr): Value {
    const tuple = module.asTupleValue(loc, this.method).asValue(loc, this.method);
    const { start, stop, step } = this.emitSliceParts(slice);
    return this.emitTupleSlice(loc, tuple, [start, stop, step]);
  }
}

function adjustTupleIndex(loc: SourceRange, length: number, index: number, allow_out_of_bounds: boolean): number {
  const adjusted = index < 0 ? length + index : index;
  if (allow_out_of_bounds || (adjusted >= 0 && adjusted < length)) return adjusted;
  throw new ErrorReport(loc, `Tuple index out of range. Tuple is length ${length} and index is ${index}`);
}

/** Python's rule for the bounds of a slice. The bounds given count from the front already. */
function adjustSlice(
  length: number,
  start: number | null,
  stop: number | null,
  step: number,
): { begin: number; count: number } {
  TORCH_CHECK(step !== 0, "List slice should have non-zero step");
  const clamp = (bound: number) =>
    bound < 0
      ? bound + length < 0
        ? step < 0
          ? -1
          : 0
        : bound + length
      : bound >= length
        ? step < 0
          ? length - 1
          : length
        : bound;
  const begin = start === null ? (step < 0 ? length - 1 : 0) : clamp(start);
  const end = stop === null ? (step < 0 ? -1 : length) : clamp(stop);
  const count = step < 0 ? Math.floor((begin - end - 1) / -step) + 1 : Math.floor((end - begin - 1) / step) + 1;
  return { begin, count: Math.max(0, count) };
}
