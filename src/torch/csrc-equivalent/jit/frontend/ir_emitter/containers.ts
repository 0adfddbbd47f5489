/**
 * @file Literals and comprehensions of lists and dicts, and `dict(...)`.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitListLiteral
 */

import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { DictType, ListType } from "#aten/core/jit_type";
import { unifyTypeList, unifyTypes } from "#aten/core/type";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import type { Block, Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { emitBuiltinCall } from "../schema_matching.ts";
import type { SourceRange } from "../source_range.ts";
import type { SugaredValue } from "../sugared_value/base.ts";
import { asSimple, SimpleValue } from "../sugared_value/simple_value.ts";
import {
  Apply,
  Attribute,
  DictComp,
  DictLiteral,
  Expr,
  Ident,
  List,
  ListComp,
  ListLiteral,
  StringLiteral,
  TupleLiteral,
  Var,
} from "../tree_views.ts";
import { ConditionEmitter, checkApplyNumInputs } from "./conditions.ts";
import { TypeHint } from "./type_hints.ts";

const isList = (type: Type): boolean => type.isSubtypeOf(types.AnyListType);
const isDict = (type: Type): boolean => type.kind() === "DictType";

const REFINE =
  "it will be necessary to add an `assert isinstance` statement before first use to trigger type refinement.";

function elementOf(type: Type | null): Type | null {
  return type?.kind() === "ListType" ? type.containedType() : null;
}

export abstract class ContainerEmitter extends ConditionEmitter {
  private castToUnion(value: Value, union: Type | null): Value {
    return union === null ? value : this.graph.insertUncheckedCast(value, union);
  }

  protected emitListLiteral(ll: ListLiteral, type_hint: Type | null): Value {
    const values = this.getNamedValues(ll.inputs().get().trees(), true).map((named) => named.value(this.graph));
    // A literal [] without annotation fits any list type until it is assigned. Clean-up makes it a list of tensors.
    if (values.length === 0 && type_hint === null) {
      return this.graph.insertNode(this.graph.create("prim::EmptyListLiteral")).output().setType(ListType.ofTensors());
    }
    const hint = new TypeHint(type_hint, ll);
    let element: Type = types.TensorType;
    if (type_hint !== null) {
      const found = hint.refine("List", isList);
      if (found !== "candidates") element = elementOf(hint.refined) ?? element;
      else if (values.length === 0) {
        throw new ErrorReport(
          ll,
          `Cannot assign an empty list to a variable annotated to be type ${hint.refined?.repr_str()}`,
          " because there are multiple possible List type candidates in the Union annotation",
        );
      }
    }
    if (values.length > 0) element = this.unifyElements(ll, values, hint, element);
    const list = this.graph.insertNode(this.graph.createList(element, values)).output();
    return this.castToUnion(list, hint.annotatedUnion());
  }

  /** The element type of a list literal. */
  private unifyElements(ll: ListLiteral, values: readonly Value[], hint: TypeHint, hinted: Type): Type {
    const found = values.map((value) => value.type());
    const unified = unifyTypeList(found, [], true, elementOf(hint.refined)) as Type; // at least a Union
    if (hint.refined === null && unified.kind() === "UnionType") {
      TORCH_WARN(
        "List consists of heterogeneous types, which means that it has been typed as containing ",
        `${unified.repr_str()}. To use any of the values in this List, ${REFINE}\n${ll.range().str()}`,
      );
    }
    if (hint.candidates.length > 0) {
      hint.chooseList(unified);
      return elementOf(hint.refined) ?? unified;
    }
    if (hint.refined === null) return unified;
    if (!unified.isSubtypeOf(hinted)) {
      throw new ErrorReport(
        ll,
        `List type annotation \`${hint.refined.repr_str()}\` did not match the types of the given list elements,`,
        ` which were unified to ${unified.repr_str()}`,
      );
    }
    return hinted;
  }

  protected emitDictLiteral(dl: DictLiteral, type_hint: Type | null): Value {
    const keys: Value[] = [];
    const values: Value[] = [];
    let value_type: Type = types.TensorType;
    dl.key_inputs()
      .all()
      .forEach((tree, i) => {
        const key = this.emitExpr(tree);
        const value = this.emitExpr(dl.value_inputs().at(i));
        if (i === 0) {
          value_type = value.type();
        } else {
          const before = keys[i - 1].type();
          if (before.kind() !== key.type().kind()) {
            const but = `Expected: ${before.repr_str()} but found ${key.type().repr_str()} instead`;
            throw new ErrorReport(tree, "Dict keys must contain only a single type. ", but);
          }
          value_type = unifyTypes(value_type, value.type(), true) as Type; // at least a Union
        }
        keys.push(key);
        values.push(value);
      });
    const hint = new TypeHint(type_hint, dl);
    const found = type_hint === null ? "any" : hint.refine("Dict", isDict);
    if (found === "any") hint.refined = this.dictTypeOf(dl, keys, value_type);
    if (found === "candidates" && values.length === 0) {
      throw new ErrorReport(
        dl,
        `Cannot assign an empty dict to a variable annotated to be type ${type_hint?.repr_str()}`,
        " because there are multiple possible Dict type candidates in the Union annotation",
      );
    }
    if (found === "candidates") hint.chooseDict(keys[0].type(), value_type);
    const refined = hint.refined as Type; // one of the three cases has set it
    const [key_type, own_value_type] = refined.containedTypes();
    if (values.length > 0) {
      if (!key_type.equals(keys[0].type())) {
        const given = `but the type of keys given by the dict literal is ${keys[0].type().repr_str()}`;
        throw new ErrorReport(dl, `Type annotation was inferred to be ${refined.repr_str()}`, given);
      }
      if (!value_type.isSubtypeOf(own_value_type)) {
        const given = `, but the type of values given by the dict literal is ${value_type.repr_str()}`;
        throw new ErrorReport(dl, `Type annotation was inferred to be \`${refined.repr_str()}\``, given);
      }
    }
    const dict = this.graph.insertNode(this.graph.createDict(key_type, own_value_type, keys, values)).output();
    return this.castToUnion(dict, hint.annotatedUnion());
  }

  /** The type of a dict literal without annotation. */
  private dictTypeOf(dl: DictLiteral, keys: readonly Value[], value_type: Type): Type {
    if (keys.length === 0) return DictType.create(types.StringType, types.TensorType);
    const type = DictType.create(keys[0].type(), value_type);
    if (value_type.kind() === "UnionType") {
      TORCH_WARN(
        "Dict values consist of heterogeneous types, which means that the dict has been typed as containing ",
        `${type.repr_str()}. To use any of the values in this Dict, ${REFINE}\n${dl.range().str()}`,
      );
    }
    return type;
  }

  /** Runs `emit` in a block of its own: variables of a comprehension are not seen outside. */
  private inComprehensionScope<T>(loc: SourceRange, emit: () => T): T {
    const node = this.graph.insertNode(this.create("prim::ComprehensionScope", loc, 0));
    const block: Block = node.addBlock();
    this.pushFrame(block);
    return this.insertAt(block, emit);
  }

  protected emitListComprehension(lc: ListComp, type_hint: Type | null): Value {
    const loc = lc.range();
    const list = this.graph.insertNode(this.graph.create("prim::ListConstruct")).output().setType(ListType.ofTensors());
    const hint = new TypeHint(type_hint, lc);
    if (type_hint !== null && hint.refine("List", isList) !== "candidates") list.setType(hint.refined as Type);
    let seen_first = false;
    const emit_body = (): void => {
      const out = this.emitExpr(lc.elt());
      if (!seen_first) list.setType(ListType.create(out.type()));
      seen_first = true;
      this.unifyComprehension(lc, list, out, hint);
      const self = new NamedValue(list, "self", loc);
      emitBuiltinCall(loc, this.graph, "aten::append", [new NamedValue(out, null, loc)], [], self);
    };
    this.inComprehensionScope(loc, () => {
      const targets = List.of(loc, Expr, [lc.target()]);
      this.emitForOver(targets, List.of(loc, Expr, [lc.iter()]), loc, emit_body);
      this.popFrame();
    });
    return list;
  }

  /** Sets the type of the list, and of the element that is about to be appended. */
  private unifyComprehension(lc: ListComp, list: Value, out: Value, hint: TypeHint): void {
    const before = list.type().containedType();
    const unified = unifyTypes(before, out.type(), true, elementOf(hint.refined)) as Type; // at least a Union
    if (hint.type_hint === null && (unified.kind() === "UnionType" || unified.kind() === "OptionalType")) {
      TORCH_WARN(
        "List consists of heterogeneous types, which means that it has been typed as containing ",
        `${unified.repr_str()}. To use any of the values in this List, ${REFINE} `,
        `The first non-matching element was typed as ${out.type().repr_str()}, while the elements  before it were `,
        `${before.repr_str()}\n${lc.range().str()}`,
      );
    }
    if (hint.candidates.length > 0) {
      hint.chooseList(unified);
    } else if (hint.refined === null) {
      hint.refined = ListType.create(unified);
    } else if (!unified.isSubtypeOf(hint.refined.containedType())) {
      throw new ErrorReport(
        lc,
        `List type annotation \`${hint.refined.repr_str()}\` did not match the types of the given list elements,`,
        ` which were unified to ${unified.repr_str()}`,
      );
    }
    const refined = hint.refined as Type; // each case has set it
    list.setType(refined);
    out.setType(refined.containedType());
  }

  protected emitDictComprehension(dc: DictComp, type_hint: Type | null): Value {
    const loc = dc.range();
    const dict = this.graph.insertNode(this.graph.create("prim::DictConstruct")).output();
    dict.setType(DictType.create(types.StringType, types.TensorType));
    const hint = new TypeHint(type_hint, dc);
    if (type_hint !== null && hint.refine("Dict", isDict) !== "candidates") dict.setType(hint.refined as Type);
    let first_key: Type | null = null;
    const emit_body = (): void => {
      const k = this.emitExpr(dc.key());
      const v = this.emitExpr(dc.value());
      this.checkKey(dc, k.type(), first_key);
      first_key = k.type();
      this.typeDictItem(dc, dict, [k, v], hint);
      const args = [new NamedValue(dict, "self", loc), new NamedValue(k, null, loc), new NamedValue(v, null, loc)];
      emitBuiltinCall(loc, this.graph, "aten::_set_item", args);
    };
    return this.inComprehensionScope(loc, () => {
      const targets = List.of(loc, Expr, [dc.target()]);
      this.emitForOver(targets, List.of(loc, Expr, [dc.iter()]), loc, emit_body);
      this.popFrame();
      return this.castToUnion(dict, hint.annotatedUnion());
    });
  }

  private checkKey(dc: DictComp, key: Type, first_key: Type | null): void {
    if (key.kind() === "UnionType") {
      const was = `but the type of the first generated key was ${key.repr_str()}`;
      throw new ErrorReport(dc, "Dicts may only contain homogeneous keys, ", was);
    }
    if (first_key !== null && !first_key.equals(key)) {
      const got = `Expected dict comprehension to generate type ${first_key.repr_str()}, but got ${key.repr_str()}`;
      throw new ErrorReport(dc, "Dicts may only contain homogeneous keys. ", got);
    }
  }

  /** Sets the types of a generated item and of the dict. */
  private typeDictItem(dc: DictComp, dict: Value, [k, v]: readonly [Value, Value], hint: TypeHint): void {
    if (hint.type_hint === null) {
      dict.setType(DictType.create(k.type(), v.type()));
      return;
    }
    if (hint.candidates.length > 0) {
      hint.chooseDict(k.type(), v.type());
    } else {
      const refined = hint.refined as Type; // refine() has set it
      const errors = [k, v].map((item, i) => {
        const why_not: string[] = [];
        if (item.type().isSubtypeOfExt(refined.containedType(i), why_not)) return "";
        const what = i === 0 ? "key" : "value";
        return `Dict type annotation \`${refined.repr_str()}\` did not match the type of an actual ${what} type \`${item.type().repr_str()}\`\n${why_not.join("")}`;
      });
      if (errors.join("") !== "") throw new ErrorReport(dc, ...errors);
    }
    const refined = hint.refined as Type;
    dict.setType(refined);
    k.setType(refined.containedType(0));
    v.setType(refined.containedType(1));
  }

  /** `list(x)`: a copy of a list or string, or `[e for e in x]`. */
  protected emitListConstructor(apply: Apply, type_hint: Type | null): SugaredValue {
    const loc = apply.range();
    if (apply.inputs().size() === 0) {
      const type = type_hint ?? ListType.ofTensors();
      if (type.kind() !== "ListType") {
        throw new ErrorReport(loc, "Expected list type annotation for list(), found ", type.repr_str());
      }
      return new SimpleValue(this.graph.insertNode(this.graph.createList(type.containedType(), [])).output());
    }
    checkApplyNumInputs(apply, 1);
    const input = this.emitSugaredExpr(apply.inputs().at(0), 1);
    const simple = asSimple(input);
    if (simple !== null && (simple.type().kind() === "ListType" || simple.type().kind() === "StringType")) {
      return new SimpleValue(emitBuiltinCall(loc, this.graph, "aten::list", [simple]));
    }
    const iter = this.createTempName("$_iter");
    this.environment_stack.setSugaredVar(loc, iter, input, null);
    const element = variable(loc, this.createTempName("$_elem"));
    const lc = ListComp.create(loc, element, element, variable(loc, iter));
    return new SimpleValue(this.emitListComprehension(lc, type_hint));
  }

  /** `dict(x, a=1)`: a copy of a dict, or a comprehension over pairs, with the keywords added. */
  protected emitDictConstructor(given: Apply, type_hint: Type | null): SugaredValue {
    const loc = given.range();
    const hint = new TypeHint(type_hint, given);
    if (type_hint !== null && type_hint.kind() !== "DictType") hint.refineUnion("Dict", isDict, true);
    if (hint.candidates.length > 0) {
      throw new ErrorReport(
        given,
        `There are multiple candidate Dict types in the Union type annotation \`${type_hint?.repr_str()}\``,
        ", and full type inference is not yet supported for the `dict()` constructor.",
      );
    }
    const copied = this.copyOfDict(given, type_hint, hint.annotatedUnion());
    if (copied !== null) return copied;
    const apply = this.withoutEmptyContainer(given);
    if (apply.inputs().size() === 0 && apply.attributes().size() === 0) {
      const type = hint.refined ?? DictType.create(types.StringType, types.TensorType);
      TORCH_CHECK(
        type.kind() === "DictType",
        `Expected a type annotation of Dict for dict constructor dict(), got ${type_hint?.str()}`,
      );
      const node = this.graph.createDict(type.containedType(0), type.containedType(1), [], []);
      return new SimpleValue(this.graph.insertNode(node).output());
    }
    const first = apply.inputs().size() > 0 ? apply.inputs().at(0) : null;
    if (first?.kind() === "dict comprehension") {
      const dict = this.emitDictComprehension(new DictComp(first.get()), hint.refined);
      this.addKeywords(apply, dict);
      return new SimpleValue(dict);
    }
    const pairs = this.asPairs(apply);
    checkApplyNumInputs(pairs, 1);
    const input = this.emitSugaredExpr(pairs.inputs().at(0), 1);
    const iter = this.createTempName("$_iter");
    const key = variable(loc, this.createTempName("$_key"));
    const value = variable(loc, this.createTempName("$_value"));
    const target = TupleLiteral.create(loc, List.of<Expr>(loc, Expr, [key, value]));
    this.environment_stack.setSugaredVar(loc, iter, input, null);
    const dc = DictComp.create(loc, { key, value, target, iter: variable(loc, iter) });
    const dict = this.emitDictComprehension(dc, hint.refined);
    this.addKeywords(pairs, dict);
    return new SimpleValue(this.castToUnion(dict, hint.annotatedUnion()));
  }

  /** `dict(x)` of a dict. Other arguments are emitted again later, as in PyTorch. */
  private copyOfDict(apply: Apply, type_hint: Type | null, union: Type | null): SugaredValue | null {
    if (apply.inputs().size() === 0) return null;
    const [first] = apply.inputs().all();
    let input: SugaredValue;
    try {
      input = this.emitSugaredExpr(first, 1, type_hint);
    } catch (error) {
      if (!(error instanceof ErrorReport)) throw error;
      input = this.emitSugaredExpr(first, 1);
    }
    const simple = asSimple(input);
    if (simple === null || simple.type().kind() !== "DictType") return null;
    const dict = emitBuiltinCall(apply.range(), this.graph, "aten::dict", [simple]);
    this.addKeywords(apply, dict);
    if (union !== null) this.castToUnion(dict, union);
    return new SimpleValue(dict);
  }

  private addKeywords(apply: Apply, dict: Value): void {
    for (const kwarg of apply.attributes()) {
      const loc = kwarg.range();
      const k = this.emitExpr(StringLiteral.create(loc, kwarg.name().name()));
      const v = this.emitExpr(kwarg.value());
      this.checkItemOfAnnotation(apply, k.type(), v.type(), dict.type());
      const args = [
        new NamedValue(dict, "self", apply.range()),
        new NamedValue(k, null, loc),
        new NamedValue(v, null, loc),
      ];
      emitBuiltinCall(loc, this.graph, "aten::_set_item", args);
    }
  }

  private checkItemOfAnnotation(apply: Apply, key: Type, value: Type, annotated: Type): void {
    const [key_type, value_type] = annotated.containedTypes();
    const why_not: string[] = [];
    let error = "";
    if (!key.equals(key_type)) {
      error += `Generated key type ${key.repr_str()} did not match the annotated key type, which was ${key_type.repr_str()}\n`;
    }
    if (!value.isSubtypeOfExt(value_type, why_not)) {
      error += `Generated value type ${value.repr_str()} did not match the annotated value type, which was ${value_type.repr_str()}\n${why_not.join("")}`;
    }
    if (error !== "") throw new ErrorReport(apply, error);
  }

  /** `dict({}, a=1)` and `dict([])` are `dict(a=1)` and `dict()`. */
  private withoutEmptyContainer(apply: Apply): Apply {
    const [first] = apply.inputs().all();
    const empty =
      first === undefined ||
      (first.kind() === "dict-literal" && new DictLiteral(first.get()).key_inputs().size() === 0) ||
      (first.kind() === "list-literal" && new ListLiteral(first.get()).inputs().size() === 0);
    if (!empty) return apply;
    return Apply.create(apply.range(), apply.callee(), List.of<Expr>(apply.range(), Expr, []), apply.attributes());
  }

  /** A dict literal and keywords as one list of pairs, over which a comprehension can run. */
  private asPairs(apply: Apply): Apply {
    const loc = apply.range();
    const pair = (key: Expr, value: Expr): Expr => TupleLiteral.create(loc, List.of(loc, Expr, [key, value]));
    let [first]: (Expr | undefined)[] = [...apply.inputs().all()];
    if (first?.kind() === "dict-literal") {
      const literal = new DictLiteral(first.get());
      const pairs = literal.key_inputs().map((key, i) => pair(key, literal.value_inputs().at(i)));
      first = ListLiteral.create(loc, List.of(loc, Expr, pairs));
    }
    let attributes: List<Attribute> = apply.attributes();
    if (attributes.size() > 0 && (first === undefined || first.kind() === "list-literal")) {
      const items = first === undefined ? [] : [...new ListLiteral(first.get()).inputs()];
      const keywords = attributes.map((attr) => pair(StringLiteral.create(loc, attr.name().name()), attr.value()));
      first = ListLiteral.create(loc, List.of(loc, Expr, [...items, ...keywords]));
      attributes = List.of<Attribute>(loc, Attribute, []);
    }
    const inputs = first === undefined ? [] : [first];
    return Apply.create(loc, apply.callee(), List.of(loc, Expr, inputs), attributes);
  }
}

function variable(loc: SourceRange, name: string): Var {
  return Var.create(loc, Ident.create(loc, name));
}
