/**
 * @file Conditions: `and`, `or`, `not`, `is None`, `isinstance`, `hasattr`, truth, and expressions that choose by one.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitCondExpr
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { unifyTypeList, unifyTypes } from "#aten/core/type";
import { canHoldType, standardizeUnion, subtractTypeSet } from "#aten/core/union_type";
import { toIValue } from "../../ir/constants.ts";
import type { Block, Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { emitBuiltinCall } from "../schema_matching.ts";
import type { SourceRange } from "../source_range.ts";
import { positional } from "../sugared_value/base.ts";
import { asSimple, SpecialFormValue } from "../sugared_value/simple_value.ts";
import { Apply, BinOp, Expr, StringLiteral, type TernaryIf, TupleLiteral, Var } from "../tree_views.ts";
import { EmitterBase, operands } from "./base.ts";
import { type CondValue, type Refinement, RefinementSet } from "./refinements.ts";

type NoneStatus = "ALWAYS" | "MAYBE" | "NEVER";

function canBeNone(value: Value): NoneStatus {
  if (value.node().mustBeNone()) return "ALWAYS";
  const type = value.type();
  const maybe = type.kind() === "OptionalType" || (type.kind() === "UnionType" && canHoldType(type, types.NoneType));
  return maybe ? "MAYBE" : "NEVER";
}

export function checkApplyNumInputs(apply: Apply, expected: number): void {
  checkApplyNumInputsRange(apply, expected, expected);
}

export function checkApplyNumInputsRange(apply: Apply, least: number, most: number): void {
  const found = apply.inputs().size();
  const name = (): string => new Var(apply.callee().get()).name().name();
  if (found < least || found > most) {
    const count =
      least === most
        ? `expected exactly ${least} arguments`
        : `expected to have number of arguments between ${least} and ${most}`;
    throw new ErrorReport(apply, `${name()} ${count} but found ${found}`);
  }
  if (apply.attributes().size() > 0) throw new ErrorReport(apply, name(), " takes no keyword arguments");
}

export abstract class ConditionEmitter extends EmitterBase {
  private static(loc: SourceRange, value: boolean, refinements = new RefinementSet()): CondValue {
    return { value: this.constant(IValue.fromBool(value), loc), refinements, staticIf: value };
  }

  protected override emitCondExpr(expr: Expr): CondValue {
    switch (expr.kind()) {
      case "and":
      case "or": {
        const { lhs, rhs } = operandsOf(expr);
        return this.emitShortCircuitLogical(expr.range(), lhs, rhs, expr.kind() === "or");
      }
      case "not": {
        const operand = this.emitCondExpr(new Expr(operands(expr.get())[0]));
        const value = emitBuiltinCall(expr.range(), this.graph, "aten::__not__", [operand.value]);
        const staticIf = operand.staticIf === null ? null : !operand.staticIf;
        return { value, refinements: operand.refinements.Not(), staticIf };
      }
      case "is":
      case "is not":
        return this.emitIs(expr);
      case "apply": {
        const special = this.emitSpecialCondition(new Apply(expr.get()));
        if (special !== null) return special;
        break;
      }
    }
    const value = this.emitToBool(expr.range(), this.emitExpr(expr));
    const constant = toIValue(value);
    const kind = value.node().kind();
    const known = kind === "aten::is_scripting" ? true : kind === "aten::has_torch_function" ? false : null;
    return { value, refinements: new RefinementSet(), staticIf: constant === null ? known : constant.toBool() };
  }

  /** `isinstance` and `hasattr`, also under another name. */
  private emitSpecialCondition(apply: Apply): CondValue | null {
    const callee = apply.callee();
    const name = callee.kind() === "variable" ? new Var(callee.get()).name().name() : "";
    if (name === "isinstance" || name === "hasattr") {
      checkApplyNumInputs(apply, 2);
      const [obj, what] = apply.inputs().all();
      return name === "isinstance" ? this.emitIsInstance(obj, what) : this.emitHasAttr(obj, what);
    }
    const value = this.emitSugaredExpr(callee, 1);
    if (!(value instanceof SpecialFormValue) || value.form() !== "prim::isinstance") return null;
    checkApplyNumInputs(apply, 2);
    return this.emitIsInstance(apply.inputs().at(0), apply.inputs().at(1));
  }

  private emitIs(expr: Expr): CondValue {
    const { lhs, rhs } = operandsOf(expr);
    const lhs_val = this.emitExpr(lhs);
    const rhs_val = this.emitExpr(rhs);
    const lhs_none = canBeNone(lhs_val);
    const rhs_none = canBeNone(rhs_val);
    const is = expr.kind() === "is";
    if (lhs_none === "ALWAYS" && rhs_none === "ALWAYS") return this.static(expr.range(), is);
    if ((lhs_none === "ALWAYS" && rhs_none === "NEVER") || (lhs_none === "NEVER" && rhs_none === "ALWAYS")) {
      return this.static(expr.range(), !is);
    }
    const operator = is ? "aten::__is__" : "aten::__isnot__";
    const value = emitBuiltinCall(expr.range(), this.graph, operator, [lhs_val, rhs_val]);
    return { value, refinements: findIsNoneRefinements([lhs, lhs_val], [rhs, rhs_val], is), staticIf: null };
  }

  protected emitToBool(loc: SourceRange, v: Value): Value {
    let out: Value | null;
    try {
      const bool_cast = this.environment_stack.getSugaredVar("bool", loc);
      out = asSimple(bool_cast.call(loc, this.method, positional([new NamedValue(v)], 0)));
    } catch {
      throw new ErrorReport(loc, `Could not cast value of type ${v.type().repr_str()} to bool`);
    }
    if (out?.type().isSubtypeOf(types.BoolType)) return out;
    throw new ErrorReport(loc, "expected a bool expression for condition but found ", out?.type().repr_str());
  }

  /** The second operand is compiled in the branch of an `if` in which the first one does not decide. */
  private emitShortCircuitLogical(loc: SourceRange, first: Expr, second: Expr, is_or: boolean): CondValue {
    const lhs = this.emitCondExpr(first);
    let rhs: CondValue = lhs;
    const known = () => this.constant(IValue.fromBool(is_or), loc);
    const next = () => {
      rhs = this.emitCondExpr(second);
      return rhs.value;
    };
    const value = is_or ? this.emitIfExpr(loc, lhs, known, next) : this.emitIfExpr(loc, lhs, next, known);
    const refinements = is_or ? lhs.refinements.Or(rhs.refinements) : lhs.refinements.And(rhs.refinements);
    const decided = lhs.staticIf === is_or || rhs.staticIf === is_or;
    const both = lhs.staticIf !== null && rhs.staticIf !== null;
    return { value, refinements, staticIf: decided ? is_or : both ? !is_or : null };
  }

  protected emitTernaryIf(expr: TernaryIf, type_hint: Type | null): Value {
    const cond = this.emitCondExpr(expr.cond());
    const true_expr = () => this.emitExpr(expr.true_expr(), type_hint);
    const false_expr = () => this.emitExpr(expr.false_expr(), type_hint);
    if (cond.staticIf !== null) return cond.staticIf ? true_expr() : false_expr();
    return this.emitIfExpr(expr.range(), cond, true_expr, false_expr);
  }

  private emitIfExpr(loc: SourceRange, cond: CondValue, true_expr: () => Value, false_expr: () => Value): Value {
    const node = this.graph.insertNode(this.create("prim::If", loc, 0));
    node.addInput(cond.value);
    const true_block = node.addBlock();
    const false_block = node.addBlock();
    const emitBranch = (block: Block, refinements: RefinementSet, emit: () => Value): Type => {
      this.pushFrame(block);
      const type = this.insertAt(block, () => {
        this.insertRefinements(loc, refinements);
        const value = emit();
        block.registerOutput(value);
        return value.type();
      });
      this.popFrame();
      return type;
    };
    const true_type = emitBranch(true_block, cond.refinements, true_expr);
    const false_type = emitBranch(false_block, cond.refinements.Not(), false_expr);
    const unified = unifyTypes(true_type, false_type);
    if (unified === null) {
      throw new ErrorReport(
        loc,
        `if-expression's true branch has type ${true_type.repr_str()} but false branch has type ${false_type.repr_str()}`,
      );
    }
    return node.addOutput().setType(unified);
  }

  protected emitHasAttr(obj_expr: Expr, attr_expr: Expr): CondValue {
    const obj = this.emitSugaredExpr(obj_expr, 1);
    if (attr_expr.kind() !== "string_literal") {
      throw new ErrorReport(attr_expr, "hasattr's second argument must be a string literal");
    }
    const name = new StringLiteral(attr_expr.get()).text();
    return this.static(obj_expr.range(), obj.hasAttr(obj_expr.range(), this.method, name));
  }

  protected emitIsInstance(obj: Expr, classinfo: Expr): CondValue {
    const lhs_val = this.emitExpr(obj);
    const gather = (expr: Expr): Type[] =>
      expr.kind() === "tuple-literal"
        ? new TupleLiteral(expr.get()).inputs().all().flatMap(gather)
        : [this.typeParser_.parseTypeFromExpr(expr)];
    const lhs_types = standardizeUnion([lhs_val.type()]);
    const rhs_types = standardizeUnion(gather(classinfo));
    const { is, is_not, always } = splitByInstance(lhs_types, rhs_types);
    const refine = (list: readonly Type[]): Refinement[] => {
      const type = list.length === 0 ? null : unifyTypeList(list, [], true);
      return obj.kind() === "variable" && type !== null ? [{ identifier: new Var(obj.get()).name().name(), type }] : [];
    };
    const refinements = new RefinementSet(refine(is), refine(is_not));
    if (always) return this.static(obj.range(), true, refinements);
    if (is.length === 0) return this.static(obj.range(), false, refinements);
    const node = this.graph.insertNode(this.graph.createIsInstance(lhs_val, rhs_types));
    return { value: node.output(), refinements, staticIf: null };
  }
}

function operandsOf(expr: Expr): { lhs: Expr; rhs: Expr } {
  const binop = new BinOp(expr.get());
  return { lhs: binop.lhs(), rhs: binop.rhs() };
}

/** `x is None` says nothing about x where it is true: the type None would spread too far. */
function findIsNoneRefinements(
  [lhs, lhs_value]: readonly [Expr, Value],
  [rhs, rhs_value]: readonly [Expr, Value],
  is: boolean,
): RefinementSet {
  if (rhs.kind() !== "None" && lhs.kind() === "None")
    return findIsNoneRefinements([rhs, rhs_value], [lhs, lhs_value], is);
  if (rhs.kind() !== "None" || lhs.kind() !== "variable") return new RefinementSet();
  const type = lhs_value.type();
  const remaining =
    type.kind() === "OptionalType"
      ? type.containedType()
      : type.kind() === "UnionType"
        ? subtractTypeSet(type, [types.NoneType])
        : null;
  if (remaining === null) return new RefinementSet();
  const present = [{ identifier: new Var(lhs.get()).name().name(), type: remaining }];
  return is ? new RefinementSet([], present) : new RefinementSet(present, []);
}

/** The types that the value may have where the check holds, and where it does not; `always`: it holds for each of them. */
function splitByInstance(
  lhs_types: readonly Type[],
  rhs_types: readonly Type[],
): { is: Type[]; is_not: Type[]; always: boolean } {
  const is: Type[] = [];
  const is_not: Type[] = [];
  let always = true;
  for (const lhs of lhs_types) {
    if (lhs === types.AnyType) {
      is.push(...rhs_types);
      is_not.push(types.AnyType);
      if (is.length !== 1 || is[0] !== types.AnyType) always = false;
      break;
    }
    const found = narrowest(lhs, rhs_types);
    if (found === null) {
      is_not.push(lhs);
      always = false;
    } else {
      is.push(found);
    }
  }
  return { is, is_not, always };
}

/** The part of `lhs` that is one of `rhs_types`, or null. */
function narrowest(lhs: Type, rhs_types: readonly Type[]): Type | null {
  let found: Type | null = null;
  for (const rhs of rhs_types) {
    if (lhs.isSubtypeOf(rhs)) found = lhs;
    else if (rhs.isSubtypeOf(lhs)) found = found === null ? rhs : unifyTypes(found, rhs);
  }
  return found;
}
