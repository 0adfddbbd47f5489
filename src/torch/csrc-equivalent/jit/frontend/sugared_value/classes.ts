/**
 * @file Classes as values: the constructor of a class or a named tuple, an enum, and the `self` of a method.
 * @mirrors torch/csrc/jit/frontend/sugared_value.cpp
 */
import type { ClassType } from "#aten/core/class_type";
import type { EnumType } from "#aten/core/enum_type";
import { IValue } from "#aten/core/ivalue";
import { EnumHolder } from "#aten/core/ivalue_inl";
import { List } from "#aten/core/List";
import type { NamedTupleType } from "#aten/core/tuple_type";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Value } from "../../ir/ir.ts";
import { ErrorReport } from "../error_report.ts";
import { matchSchema } from "../schema_matching.ts";
import type { SourceRange } from "../source_range.ts";
import { type CallArguments, SugaredValue } from "./base.ts";
import { FunctionValue, MethodValue, SimpleValue, SpecialFormValue } from "./simple_value.ts";

/** Says what the first argument of a method is. */
export interface Self {
  makeSugared(value: Value): SugaredValue;
  getClassType(): ClassType;
}

export class SimpleSelf implements Self {
  private readonly classType_: ClassType;

  constructor(classType: ClassType) {
    this.classType_ = classType;
  }

  makeSugared(value: Value): SugaredValue {
    value.setType(this.classType_);
    return new SimpleValue(value);
  }

  getClassType(): ClassType {
    return this.classType_;
  }
}

export class ClassValue extends SugaredValue {
  readonly type_: ClassType;

  constructor(type: ClassType) {
    super();
    this.type_ = type;
  }

  kind(): string {
    return this.type_.str();
  }

  /** Makes the object, then calls `__init__`. */
  override call(loc: SourceRange, m: GraphFunction, call: CallArguments): SugaredValue {
    const graph = m.graph();
    const self = graph.insertNode(graph.createObject(this.type_)).setSourceRange(loc).output();
    if (this.type_.findMethod("__init__") === null) {
      const name = this.type_.name();
      const atom = name.slice(name.lastIndexOf(".") + 1);
      throw new ErrorReport(loc, `Class ${atom} does not have an __init__ function defined`);
    }
    new MethodValue(self, ["__init__"]).call(loc, m, call);
    return new SimpleValue(self);
  }

  override attr(loc: SourceRange, _m: GraphFunction, field: string): SugaredValue {
    const hook = this.type_.findHook(field);
    if (hook !== null) return new FunctionValue([hook]);
    if (field === "__new__") return new SpecialFormValue("prim::CreateObject");
    throw new ErrorReport(loc, "Tried to lookup unknown attribute on class ", this.type_.annotation_str());
  }
}

export class NamedTupleConstructor extends SugaredValue {
  private readonly type_: NamedTupleType;

  constructor(type: NamedTupleType) {
    super();
    this.type_ = type;
  }

  kind(): string {
    return this.type_.str();
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    const graph = m.graph();
    const { inputs } = matchSchema(this.type_.schema(), { loc, graph, args, kwargs, self: null });
    const tuple = graph.insertNode(graph.createTuple(inputs, this.type_).setSourceRange(loc)).output();
    tuple.setType(this.type_);
    return new SimpleValue(tuple);
  }
}

export class SugaredEnumClass extends SugaredValue {
  private readonly enum_type_: EnumType;

  constructor(enum_type: EnumType) {
    super();
    this.enum_type_ = enum_type;
  }

  kind(): string {
    return "EnumClass";
  }

  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    const member = this.enum_type_.enumNamesValues().find(([name]) => name === field);
    if (member === undefined) {
      throw new ErrorReport(loc, `${this.enum_type_.repr_str()}' has no attribute '${field}'`);
    }
    return new SimpleValue(m.graph().insertConstant(this.holder(member), loc));
  }

  override iter(loc: SourceRange, m: GraphFunction): SugaredValue {
    const members = this.enum_type_.enumNamesValues().map((member) => this.holder(member));
    return new SimpleValue(m.graph().insertConstant(IValue.fromList(new List(this.enum_type_, members)), loc));
  }

  private holder([name, value]: readonly [string, IValue]): IValue {
    return IValue.fromEnum(new EnumHolder(this.enum_type_, name, value));
  }
}
