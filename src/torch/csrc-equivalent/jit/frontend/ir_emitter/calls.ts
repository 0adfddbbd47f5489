/**
 * @file Calls: arguments, and the forms that look like calls but have rules of their own.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitApplyExpr
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { FutureType } from "#aten/core/jit_type";
import { canHoldType } from "#aten/core/union_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { createTupleUnpack, type Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { insert, tryConvertToType } from "../schema_matching.ts";
import { SourceRange } from "../source_range.ts";
import type { CallArguments, SugaredValue } from "../sugared_value/base.ts";
import { ClassValue } from "../sugared_value/classes.ts";
import { IterableTree, RangeValue } from "../sugared_value/iterables.ts";
import { ClosureValue, LegacyTensorConstructor, SimpleValue, SpecialFormValue } from "../sugared_value/simple_value.ts";
import type { TreeRef } from "../tree.ts";
import { type Apply, type Attribute, Expr, type List, Select, Starred, StringLiteral } from "../tree_views.ts";
import { MAX_INT64, type operands } from "./base.ts";
import { checkApplyNumInputs, checkApplyNumInputsRange } from "./conditions.ts";
import { SubscriptEmitter } from "./subscripts.ts";

export abstract class CallEmitter extends SubscriptEmitter {
  protected override getNamedValues(trees: readonly TreeRef[], maybe_unpack: boolean): NamedValue[] {
    return (trees as Parameters<typeof operands>[0][]).flatMap((tree) => {
      if (!maybe_unpack || tree.kind() !== "starred")
        return [new NamedValue(this.emitExpr(new Expr(tree)), null, tree.range())];
      const starred = new Starred(tree);
      const entries = this.emitSugaredExpr(starred.expr(), 1).asTuple(starred.range(), this.method);
      return entries.map((entry) => new NamedValue(entry.asValue(starred.range(), this.method), null, tree.range()));
    });
  }

  private emitInputs(inputs: readonly Expr[]): NamedValue[] {
    return this.getNamedValues(
      inputs.map((input) => input.get()),
      true,
    );
  }

  private emitAttributes(attributes: List<Attribute>): NamedValue[] {
    return attributes.map((attr) => new NamedValue(this.emitExpr(attr.value()), attr.name().name(), attr.range()));
  }

  protected emitApplyExpr(apply: Apply, n_binders: number, type_hint: Type | null): SugaredValue {
    const callee = this.emitSugaredExpr(apply.callee(), 1);
    if (callee instanceof SpecialFormValue) return this.emitApplySpecialForm(callee, apply, type_hint);
    const args = this.emitInputs(apply.inputs().all());
    const kwargs = this.emitAttributes(apply.attributes());
    return callee.call(apply.callee().range(), this.method, { args, kwargs, n_binders });
  }

  private emitApplySpecialForm(callee: SpecialFormValue, apply: Apply, type_hint: Type | null): SugaredValue {
    const loc = apply.range();
    const inputs = apply.inputs().all();
    switch (callee.form()) {
      case "prim::fork":
        return this.emitFork(apply);
      case "prim::awaitable":
        return this.emitAwaitable(apply);
      case "prim::annotate":
        checkApplyNumInputs(apply, 2);
        return this.emitAnnotate(apply);
      case "prim::unchecked_cast": {
        checkApplyNumInputs(apply, 2);
        const type = this.typeParser_.parseTypeFromExpr(inputs[0]);
        const value = this.emitExpr(inputs[1]);
        // Printed code has the casts already.
        const present = value.node().kind() === "prim::unchecked_cast" && value.type().equals(type);
        return new SimpleValue(present ? value : this.graph.insertUncheckedCast(value, type));
      }
      case "prim::GetAttr":
        return this.emitGetAttr(apply);
      case "prim::Uninitialized": {
        checkApplyNumInputs(apply, 1);
        const type = this.typeParser_.parseTypeFromExpr(inputs[0]);
        const node = this.graph.insertNode(this.graph.createUninitialized(type)).setSourceRange(loc);
        return new SimpleValue(node.output());
      }
      case "prim::TupleConstruct": {
        checkApplyNumInputs(apply, 1);
        const elements = this.emitSugaredExpr(inputs[0], 1).asTuple(loc, this.method);
        const values = elements.map((element) => element.asValue(loc, this.method));
        return new SimpleValue(this.graph.insertNode(this.graph.createTuple(values)).output());
      }
      case "prim::LegacyTypedConstructor":
        TORCH_INTERNAL_ASSERT(callee instanceof LegacyTensorConstructor);
        return this.emitLegacyConstructor(apply, callee);
      case "prim::isinstance":
        checkApplyNumInputs(apply, 2);
        return new SimpleValue(this.emitIsInstance(inputs[0], inputs[1]).value);
      case "prim::HasAttr":
        checkApplyNumInputs(apply, 2);
        return new SimpleValue(this.emitHasAttr(inputs[0], inputs[1]).value);
      case "prim::tolist": {
        const operand = new Select(apply.callee().get()).value();
        const value = this.emitSugaredExpr(operand, 1);
        if (type_hint === null) throw new ErrorReport(apply, "Expected type hint for result of tolist()");
        return new SimpleValue(this.graph.insertToList(value.asValue(operand.range(), this.method), type_hint));
      }
      case "prim::CreateObject":
        return this.emitNew(apply);
      case "prim::range": {
        const values = this.emitInputs(inputs).map((input) => input.value(this.graph));
        return new RangeValue(loc, this.method, values);
      }
      case "prim::enumerate":
        return this.emitEnumerate(apply);
      case "prim::zip": {
        if (inputs.length === 0) throw new ErrorReport(apply, "zip expected at least 1 arguments, got 0");
        const tree = new IterableTree(loc, []);
        for (const input of inputs) tree.addChild(loc, this.emitSugaredExpr(input, 1).iter(loc, this.method));
        return tree;
      }
      case "prim::list":
        return this.emitListConstructor(apply, type_hint);
      case "prim::dict":
        return this.emitDictConstructor(apply, type_hint);
      case "aten::index":
        return this.emitGetItemCall(apply);
      default:
        TORCH_INTERNAL_ASSERT(false, "unknown special form: ", callee.form());
    }
  }

  /** `torch.jit.annotate(T, x)` */
  private emitAnnotate(apply: Apply): SugaredValue {
    const [type_expr, value_expr] = apply.inputs().all();
    const type = this.typeParser_.parseTypeFromExpr(type_expr);
    const value = tryConvertToType(apply.range(), this.graph, type, this.emitExpr(value_expr, type), true);
    const why_not: string[] = [];
    if (!value.type().isSubtypeOfExt(type, why_not)) {
      const found = `expected an expression of type ${type.repr_str()} but found ${value.type().repr_str()}\n`;
      throw new ErrorReport(apply.inputs(), found, why_not.join(""));
    }
    const optional =
      type.kind() === "OptionalType" || (type.kind() === "UnionType" && canHoldType(type, types.NoneType));
    if (!optional || !value.type().isSubtypeOf(types.NoneType)) return new SimpleValue(value);
    // A None that remembers what else it could be.
    const none = this.graph.createNone();
    none.output().setType(type);
    return new SimpleValue(this.graph.insertNode(none).output());
  }

  private emitGetAttr(apply: Apply): SugaredValue {
    checkApplyNumInputsRange(apply, 2, 3);
    const [object, selector, alternative] = apply.inputs().all();
    const value = this.emitSugaredExpr(object, 1);
    if (selector.kind() !== "string_literal") {
      throw new ErrorReport(apply, "getattr's second argument must be a string literal");
    }
    const name = new StringLiteral(selector.get()).text();
    if (alternative !== undefined && !value.hasAttr(apply.range(), this.method, name)) {
      return this.emitSugaredExpr(alternative, 1);
    }
    return value.attr(apply.range(), this.method, name);
  }

  /** `torch.FloatTensor(2, 3)` makes an empty tensor, `torch.FloatTensor([...])` one of data. */
  private emitLegacyConstructor(apply: Apply, callee: LegacyTensorConstructor): SugaredValue {
    const args = this.emitInputs(apply.inputs().all()).map((input) => input.value(this.graph));
    const kwargs = this.emitAttributes(apply.attributes());
    const schemas =
      "Legacy Tensor Constructor only supports two schemas in TorchScript: \n'new(IntArrayRef size, *, Device? device=None)',\n'new(PyObject* data, *, Device? device=None)\n'";
    if (kwargs.length === 1 && kwargs[0].name() !== "device") {
      throw new ErrorReport(apply, schemas, "Got kwarg ", kwargs[0].name());
    }
    if (kwargs.length > 1) throw new ErrorReport(apply, schemas, "Got multiple kwargs\n");
    const dtype = new NamedValue(this.graph.insertConstant(IValue.fromInt(callee.dtype())), "dtype", apply.range());
    const make = (operator: string, input: Value) =>
      new SimpleValue(insert(this.graph, operator, [input], [dtype], SourceRange.empty()));
    const sizes = () => this.graph.insertNode(this.graph.createList(types.IntType, args)).output();
    if (args.length === 0) return make("aten::tensor", sizes());
    if (args.every((arg) => arg.type() === types.IntType)) return make("aten::empty", sizes());
    if (args.length === 1) return make("aten::tensor", args[0]);
    throw new ErrorReport(apply, schemas, "Got multiple positional arguments that were not all integers");
  }

  /** `C.__new__(C)`, as printed code makes objects. */
  private emitNew(apply: Apply): SugaredValue {
    if (apply.inputs().size() !== 1) throw new ErrorReport(apply, "Only one argument to __new__ allowed");
    const value = this.emitSugaredExpr(apply.inputs().at(0), 1);
    if (!(value instanceof ClassValue)) {
      throw new ErrorReport(apply, `Expected class value as argument to __new__, got ${value.kind()} instead`);
    }
    const node = this.graph.insertNode(this.graph.createObject(value.type_)).setSourceRange(apply.range());
    return new SimpleValue(node.output());
  }

  private emitEnumerate(apply: Apply): SugaredValue {
    const loc = apply.range();
    const inputs = apply.inputs();
    const attributes = apply.attributes();
    if (inputs.size() === 0) throw new ErrorReport(loc, "enumerate expected at least 1 arguments, got 0");
    let start = inputs.size() === 2 ? this.emitSugaredExpr(inputs.at(1), 1).asValue(loc, this.method) : null;
    const count = inputs.size() + attributes.size();
    if (count > 2) throw new ErrorReport(loc, `enumerate expected at most 2 arguments, got ${count}`);
    if (attributes.size() === 1) {
      const name = attributes.at(0).name().name();
      if (name !== "start") throw new ErrorReport(loc, `enumerate expected kwarg name 'start', got '${name}'`);
      start = this.emitSugaredExpr(attributes.at(0).value(), 1).asValue(loc, this.method);
    }
    const end = this.materializeInt(MAX_INT64, loc);
    const iterable = this.emitSugaredExpr(inputs.at(0), 1).iter(loc, this.method);
    const bounds = start === null ? [end] : [start, end];
    const range = new RangeValue(loc, this.method, bounds, iterable.staticLen());
    return new IterableTree(loc, [range, iterable]);
  }

  /** `x.__getitem__(i)` of a tensor. */
  private emitGetItemCall(apply: Apply): SugaredValue {
    const loc = apply.range();
    const self = this.emitSugaredExpr(new Select(apply.callee().get()).value(), 1).asValue(loc, this.method);
    const count = apply.inputs().size();
    if (count !== 1) throw new ErrorReport(apply, `__getitem__ expected exactly 1 arguments, got ${count}`);
    const input = this.emitSugaredExpr(apply.inputs().at(0), 1).asValue(loc, this.method);
    const indices = input.type().kind() === "TupleType" ? createTupleUnpack(input) : [input];
    return new SimpleValue(this.emitIndex(loc, self, indices));
  }

  /** `torch.jit.fork(f, x)`: the call stands in a closure, which becomes a graph of its own. */
  private emitFork(apply: Apply): SugaredValue {
    const [first, ...rest] = apply.inputs().all();
    if (first === undefined) throw new ErrorReport(apply, "Expected at least one argument to fork()");
    const forked = this.emitSugaredExpr(first, 1);
    const args = this.emitInputs(rest);
    const kwargs = this.emitAttributes(apply.attributes());
    const { node, type } = this.emitInClosure("prim::forkClosure", apply.range(), forked, {
      args,
      kwargs,
      n_binders: 1,
    });
    return new SimpleValue(node.setType(FutureType.create(type)));
  }

  private emitAwaitable(apply: Apply): SugaredValue {
    const [first, ...rest] = apply.inputs().all();
    if (first === undefined) throw new ErrorReport(apply, "Expected at least one argument to awaitable()");
    const awaited = this.emitSugaredExpr(first, 1);
    const args = this.emitInputs(rest);
    const kwargs = this.emitAttributes(apply.attributes());
    const call = { args, kwargs, n_binders: 1 };
    const { node, type } = this.emitInClosure("prim::awaitableClosure", apply.range(), awaited, call);
    return new SimpleValue(node.setType(types.AwaitType.create(type)));
  }

  private emitInClosure(
    kind: string,
    loc: SourceRange,
    callee: SugaredValue,
    call: CallArguments,
  ): { node: Value; type: Type } {
    const node = this.graph.insertNode(this.graph.create(kind)).setSourceRange(loc);
    const type = this.insertAt(node, () => {
      if (callee instanceof ClosureValue) {
        const output = callee.asValue();
        node.addInput(output);
        return output.node().blocks()[0].outputs()[0].type();
      }
      let out_type: Type = types.NoneType;
      const closure = this.emitClosure((block) => {
        const result = callee.call(loc, this.method, call).asValue(loc, this.method);
        block.registerOutput(result);
        out_type = result.type();
      });
      node.addInput(closure.asValue());
      return out_type;
    });
    return { node: node.output(), type };
  }
}
