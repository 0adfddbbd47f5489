/**
 * @file Assignments to variables, attributes, items and tuples, plain and augmented.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitAssignment
 */
import { ClassType } from "#aten/core/class_type";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { OptionalType } from "#aten/core/jit_type";
import type { Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { type Kind, kindToString } from "../lexer.ts";
import { emitBuiltinCall, insert } from "../schema_matching.ts";
import { SourceRange } from "../source_range.ts";
import { positional, type SugaredValue } from "../sugared_value/base.ts";
import { BuiltinFunction, MethodValue } from "../sugared_value/simple_value.ts";
import { MagicMethod } from "../sugared_value/special.ts";
import {
  Assign,
  type AugAssign,
  Expr,
  Ident,
  List,
  Maybe,
  Select,
  Starred,
  Subscript,
  TupleLiteral,
  Var,
} from "../tree_views.ts";
import { ExpressionEmitter } from "./expressions.ts";

/** Augmented operators: of tensors and lists, of other values, and the methods of a class, the one in place first. */
interface AugmentedOperator {
  readonly inplace: string;
  readonly outplace: string;
  readonly methods: readonly [string, string] | null;
}

// biome-ignore format: table
const augmented = new Map<Kind, AugmentedOperator>([
  ["+", { inplace: "aten::add_", outplace: "aten::add", methods: ["__iadd__", "__add__"] }],
  ["-", { inplace: "aten::sub_", outplace: "aten::sub", methods: ["__isub__", "__sub__"] }],
  ["/", { inplace: "aten::div_", outplace: "aten::div", methods: ["__itruediv__", "__truediv__"] }],
  ["*", { inplace: "aten::mul_", outplace: "aten::mul", methods: ["__imul__", "__mul__"] }],
  ["%", { inplace: "aten::fmod_", outplace: "aten::fmod", methods: ["__imod__", "__mod__"] }],
  ["|", { inplace: "aten::bitwise_or", outplace: "aten::__or__", methods: null }],
  ["&", { inplace: "aten::bitwise_and", outplace: "aten::__and__", methods: null }],
  ["^", { inplace: "aten::bitwise_xor", outplace: "aten::__xor__", methods: null }],
  ["<<", { inplace: "aten::__lshift__", outplace: "aten::__lshift__", methods: null }],
  [">>", { inplace: "aten::__irshift__", outplace: "aten::__rshift__", methods: null }],
  ["pow operator", { inplace: "aten::pow", outplace: "aten::pow", methods: null }],
]);

/** Number of targets without a star, and whether there is a star. */
interface Binders {
  readonly count: number;
  readonly starred: boolean;
}

const numbers = new Set(["NumberType", "IntType", "BoolType", "FloatType", "ComplexType"]);

export abstract class AssignmentEmitter extends ExpressionEmitter {
  // Plain

  protected emitAssignment(stmt: Assign): void {
    if (stmt.lhs_list().size() === 1) {
      this.emitSingleAssignment(stmt);
      return;
    }
    // a = b = x: the value is computed once.
    const rhs_loc = stmt.rhs().range();
    const name = this.createTempName("$tmp_assign_");
    this.environment_stack.setSugaredVar(rhs_loc, name, this.emitSugaredExpr(stmt.rhs().value(), 1), null);
    const ident = Var.create(rhs_loc, Ident.create(rhs_loc, name));
    for (const target of stmt.lhs_list()) {
      const targets = List.of(target.range(), Expr, [target]);
      const rhs = Maybe.of<Expr>(rhs_loc, Expr, ident);
      this.emitSingleAssignment(Assign.create(stmt.range(), targets, rhs, Maybe.of<Expr>(stmt.range(), Expr)));
    }
  }

  private emitSingleAssignment(stmt: Assign): void {
    if (!stmt.rhs().present()) {
      throw new ErrorReport(stmt, "For an assignment, expected an expression on the right-hand side");
    }
    const lhs = stmt.lhs();
    const rhs = stmt.rhs().value();
    switch (lhs.kind()) {
      case "variable": {
        const type = this.annotatedType(stmt);
        const value = this.emitSugaredExpr(rhs, 1, type);
        this.environment_stack.setSugaredVar(lhs.range(), new Var(lhs.get()).name().name(), value, type);
        break;
      }
      case "tuple-literal":
        this.emitTupleAssign(new TupleLiteral(lhs.get()), rhs);
        break;
      case ".": {
        const select = new Select(lhs.get());
        const type = this.annotatedType(stmt);
        const object = this.emitSugaredExpr(select.value(), 1);
        const value = this.emitSugaredExpr(rhs, 1, type).asValue(stmt.rhs().range(), this.method);
        object.setAttr(stmt.range(), this.method, select.selector().name(), value);
        break;
      }
      case "subscript": {
        const value = new NamedValue(this.emitExpr(rhs), null, rhs.range());
        this.emitSubscriptAssign(stmt.range(), new Subscript(lhs.get()), value);
        break;
      }
      default:
        throw new ErrorReport(lhs, "unexpected expression on left-hand side of assignment");
    }
  }

  private annotatedType(stmt: Assign): Type | null {
    const annotation = stmt.type().valueOrNull();
    return annotation === null ? null : this.typeParser_.parseTypeFromExpr(annotation);
  }

  /** `x[i] = rhs` */
  private emitSubscriptAssign(loc: SourceRange, lhs: Subscript, rhs: NamedValue): void {
    const sliceable = this.emitExpr(lhs.value());
    if (sliceable.type().isSubtypeOf(types.TensorType)) {
      this.emitTensorAssign(loc, lhs, sliceable, rhs);
      return;
    }
    const subscripts = lhs.subscript_exprs();
    if (subscripts.size() !== 1 || subscripts.at(0).kind() === "slice expr") {
      throw new ErrorReport(
        subscripts,
        "Sliced expression not yet supported for subscripted assignment. File a bug if you want this",
      );
    }
    if (sliceable.type().isSubtypeOf(types.AnyTupleType)) {
      throw new ErrorReport(lhs, sliceable.type().repr_str(), " does not support subscripted assignment");
    }
    const self = new NamedValue(sliceable, "self", lhs.value().range());
    const idx = new NamedValue(this.emitExpr(subscripts.at(0)), "idx", subscripts.range());
    const setitem = new MagicMethod("__setitem__", new BuiltinFunction("aten::_set_item"));
    setitem.call(loc, this.method, positional([self, idx, rhs], 0));
  }

  private emitTensorAssign(loc: SourceRange, lhs: Subscript, sliceable: Value, rhs: NamedValue): void {
    const [sliced, tensors] = this.emitIntAndSliceIndexing(lhs.range(), sliceable, lhs.subscript_exprs());
    const target = new NamedValue(sliced, null, lhs.range());
    const value = this.emitValueToTensor(rhs, target);
    if (tensors.length === 0) {
      insert(this.graph, "aten::copy_", [target, value], [], loc);
    } else {
      insert(this.graph, "aten::index_put_", [target, this.listOfIndices(tensors), value], [], loc);
    }
  }

  private listOfIndices(tensors: readonly Value[]): Value {
    return this.graph.insertNode(this.graph.createList(OptionalType.ofTensor(), tensors)).output();
  }

  /** A number that is written into a tensor becomes a tensor of its dtype and device. */
  private emitValueToTensor(value: NamedValue, like: NamedValue): NamedValue {
    if (!numbers.has(value.type().kind())) return value;
    const nowhere = SourceRange.empty();
    const dtype = insert(this.graph, "prim::dtype", [like], [], nowhere);
    const device = insert(this.graph, "prim::device", [like], [], nowhere);
    const options = [new NamedValue(dtype, "dtype"), new NamedValue(device, "device")];
    return new NamedValue(insert(this.graph, "aten::tensor", [value], options, nowhere), null, value.loc());
  }

  // Tuples

  /** Checks the targets of an assignment. A star is allowed once, and not alone. */
  protected validateAssignLhsExpr(lhs: List<Expr>, loc: SourceRange): Binders {
    let normal = 0;
    let stars = 0;
    for (const target of lhs) {
      if (["variable", "subscript", "tuple-literal", "."].includes(target.kind())) normal++;
      else if (target.kind() === "starred") stars++;
      else throw new ErrorReport(target, "lhs of assignment must be a variable, subscript, or starred expression");
    }
    if (stars > 1) throw new ErrorReport(loc, "Only one starred expression is allowed on the lhs");
    if (stars > 0 && normal === 0) {
      throw new ErrorReport(
        loc,
        "A Starred expression may only appear on the lhs within the presence of another non-starred expression",
      );
    }
    return { count: normal, starred: stars > 0 };
  }

  protected override emitTupleAssign(tl: TupleLiteral, rhs: Expr): void {
    const binders = this.validateAssignLhsExpr(tl.inputs(), tl.range());
    this.assignTuple(tl, this.emitSugaredExpr(rhs, binders.count), rhs.range(), binders);
  }

  private assignTuple(tl: TupleLiteral, value: SugaredValue, loc: SourceRange, { count, starred }: Binders): void {
    const outputs = value.asTuple(loc, this.method, starred ? null : count);
    if (outputs.length < count) {
      const least = starred ? "at least " : "";
      throw new ErrorReport(tl, `need ${least}${count} values to unpack but found only ${outputs.length}`);
    }
    if (outputs.length > count && !starred) {
      throw new ErrorReport(tl, `too many values to unpack: need ${count} but found ${outputs.length}`);
    }
    this.emitExprsAssign(tl.inputs(), outputs, loc, count);
  }

  /** Assigns one value to each target; a star takes what is left over. */
  protected emitExprsAssign(
    targets: List<Expr>,
    values: readonly SugaredValue[],
    loc: SourceRange,
    count: number,
  ): void {
    let i = 0;
    for (const target of targets) {
      if (target.kind() === "starred") {
        const variable = new Starred(target.get()).expr();
        if (variable.kind() !== "variable") throw new ErrorReport(variable, "Cannot pack a tuple into a non-variable");
        const matched = values.length - count;
        const packed = values.slice(i, i + matched).map((value) => value.asValue(target.range(), this.method));
        const tuple = this.graph.insertNode(this.graph.createTuple(packed)).output();
        this.environment_stack.setVar(variable.range(), new Var(variable.get()).name().name(), tuple);
        i += matched;
      } else {
        this.assignOne(target, values[i], loc);
        i++;
      }
    }
  }

  private assignOne(target: Expr, value: SugaredValue, loc: SourceRange): void {
    switch (target.kind()) {
      case "subscript": {
        const rhs = new NamedValue(value.asValue(loc, this.method), null, loc);
        this.emitSubscriptAssign(loc, new Subscript(target.get()), rhs);
        break;
      }
      case "variable":
        this.environment_stack.setSugaredVar(target.range(), new Var(target.get()).name().name(), value, null);
        break;
      case "tuple-literal": {
        const tl = new TupleLiteral(target.get());
        this.assignTuple(tl, value, loc, this.validateAssignLhsExpr(tl.inputs(), tl.range()));
        break;
      }
      case ".": {
        const select = new Select(target.get());
        const object = this.emitSugaredExpr(select.value(), 1);
        object.setAttr(loc, this.method, select.selector().name(), value.asValue(loc, this.method));
        break;
      }
      default:
        throw new ErrorReport(target, "unexpected expression on the left-hand side");
    }
  }

  // Augmented

  protected emitAugAssignment(stmt: AugAssign): void {
    const lhs = stmt.lhs();
    switch (lhs.kind()) {
      case "variable": {
        const value = this.emitAugmented(stmt, this.emitExpr(lhs));
        this.environment_stack.setVar(lhs.range(), new Var(lhs.get()).name().name(), value);
        break;
      }
      case ".": {
        const select = new Select(lhs.get());
        const object = this.emitSugaredExpr(select.value(), 1);
        const name = select.selector().name();
        const old = object.attr(lhs.range(), this.method, name).asValue(lhs.range(), this.method);
        object.setAttr(stmt.range(), this.method, name, this.emitAugmented(stmt, old));
        break;
      }
      case "subscript":
        this.emitAugAssignmentToSubscript(stmt);
        break;
      default:
        throw new ErrorReport(lhs, "unexpected expression on left-hand side of augmented assignment");
    }
  }

  private operatorOf(stmt: AugAssign): AugmentedOperator {
    const operator = augmented.get(stmt.aug_op());
    if (operator !== undefined) return operator;
    throw new ErrorReport(stmt, "Unknown augmented assignment: ", kindToString(stmt.aug_op()));
  }

  private getAugOp(stmt: AugAssign, type: Type): string {
    const { inplace, outplace } = this.operatorOf(stmt);
    return type.isSubtypeOf(types.TensorType) || type.kind() === "ListType" ? inplace : outplace;
  }

  /** The new value of `lhs`, whose value is `old`. */
  private emitAugmented(stmt: AugAssign, old: Value): Value {
    const type = old.type();
    if (!(type instanceof ClassType)) {
      const rhs = this.emitExpr(stmt.rhs());
      return emitBuiltinCall(stmt.range(), this.graph, this.getAugOp(stmt, type), [old, rhs]);
    }
    const { methods } = this.operatorOf(stmt);
    if (methods === null) throw new ErrorReport(stmt, "Unknown augmented assignment: ", kindToString(stmt.aug_op()));
    const rhs = this.emitExpr(stmt.rhs());
    const name = methods.find((method) => type.findMethod(method) !== null);
    if (name === undefined) {
      const missing = `since it does not define an ${methods[0]} or ${methods[1]} method`;
      throw new ErrorReport(stmt, `Cannot emit inplace op on ${type.repr_str()} ${missing}`);
    }
    const result = new MethodValue(old, [name]).call(stmt.range(), this.method, positional([new NamedValue(rhs)], 0));
    return result.asValue(stmt.range(), this.method);
  }

  private emitAugAssignmentToSubscript(stmt: AugAssign): void {
    const lhs = new Subscript(stmt.lhs().get());
    const sliceable = this.emitExpr(lhs.value());
    if (!sliceable.type().isSubtypeOf(types.TensorType)) {
      this.emitAugAssignmentToItem(stmt, lhs, sliceable);
      return;
    }
    const [sliced, tensors] = this.emitIntAndSliceIndexing(lhs.range(), sliceable, lhs.subscript_exprs());
    const target = new NamedValue(sliced, "self", stmt.lhs().range());
    const rhs = new NamedValue(this.emitExpr(stmt.rhs()), null, stmt.rhs().range());
    const operator = this.getAugOp(stmt, sliceable.type());
    if (tensors.length === 0) {
      emitBuiltinCall(stmt.range(), this.graph, operator, [rhs], [], target);
      return;
    }
    const indices = this.listOfIndices(tensors);
    const indexed = insert(this.graph, "aten::index", [target, indices], [], stmt.range());
    const value = emitBuiltinCall(stmt.range(), this.graph, operator, [rhs], [], new NamedValue(indexed));
    insert(this.graph, "aten::index_put_", [target, indices, value], [], stmt.range());
  }

  /** `xs[i] += v` of a list or dict: the item is read, changed and written. */
  private emitAugAssignmentToItem(stmt: AugAssign, lhs: Subscript, sliceable: Value): void {
    const subscripts = lhs.subscript_exprs();
    const type = sliceable.type();
    if (subscripts.size() !== 1) {
      throw new ErrorReport(
        subscripts,
        `Sliced expression not yet supported for ${type.repr_str()} augmented assignment. File a bug if you want this`,
      );
    }
    if (type.kind() !== "ListType" && type.kind() !== "DictType") {
      throw new ErrorReport(lhs, type.repr_str(), " does not support augmented assignment.");
    }
    const container = new NamedValue(sliceable, type.str(), lhs.value().range());
    const idx = new NamedValue(this.emitExpr(subscripts.at(0)), "idx", subscripts.range());
    const value = new NamedValue(this.emitExpr(stmt.rhs()), "value", stmt.rhs().range());
    const loc = stmt.range();
    const item = insert(this.graph, "aten::__getitem__", [container, idx], [], loc);
    const changed = insert(this.graph, this.getAugOp(stmt, type.containedType()), [item, value], [], loc);
    insert(this.graph, "aten::_set_item", [container, idx, changed], [], loc);
  }
}
