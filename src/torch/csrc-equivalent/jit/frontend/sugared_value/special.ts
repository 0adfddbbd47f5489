/**
 * @file Names that the compiler gives a meaning: `torch`, `print`, casts, operators that call a magic method, exceptions, slices.
 * @mirrors torch/csrc/jit/frontend/sugared_value.cpp
 */
import { ClassType } from "#aten/core/class_type";
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { emitBuiltinCall } from "../schema_matching.ts";
import type { SourceRange } from "../source_range.ts";
import { type CallArguments, positional, SugaredValue } from "./base.ts";
import { BuiltinFunction, SimpleValue } from "./simple_value.ts";

/** `torch`, or another namespace of operators. */
export class BuiltinModule extends SugaredValue {
  private readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  kind(): string {
    return "builtin module";
  }

  override attr(_loc: SourceRange, _m: GraphFunction, field: string): SugaredValue {
    if (field === "autograd") return new BuiltinModule("aten");
    return new BuiltinFunction(`${this.name}::${field}`);
  }
}

/** The result of a call that has none. */
class NoneValue extends SugaredValue {
  kind(): string {
    return "None";
  }
}

export class PrintValue extends SugaredValue {
  kind(): string {
    return "print";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    if (kwargs.length > 0) throw new ErrorReport(loc, "print doesn't accept any keyword arguments");
    const graph = m.graph();
    const inputs = args.map((arg) => arg.value(graph));
    graph.insertNode(graph.create("prim::Print", inputs, 0).setSourceRange(loc));
    return new NoneValue();
  }
}

/** `int(x)`: the operator, unless the value has the type already. A container is true if it is not empty. */
export class CastValue extends BuiltinFunction {
  private readonly type_: Type;

  constructor(type: Type, method: string) {
    super(method);
    this.type_ = type;
  }

  override call(loc: SourceRange, m: GraphFunction, call: CallArguments): SugaredValue {
    if (call.args.length === 1 && call.kwargs.length === 0) {
      const zero = m.graph().insertConstant(IValue.fromInt(0));
      const value = call.args[0].value(m.graph());
      const type = value.type();
      if (type.isSubtypeOf(this.type_)) return new SimpleValue(value);
      if (this.type_ === types.BoolType && isContainer(type)) {
        const len = new BuiltinFunction("aten::len").call(loc, m, positional([new NamedValue(value)])).asValue(loc, m);
        const args = [new NamedValue(len), new NamedValue(zero)];
        return new BuiltinFunction("aten::gt").call(loc, m, positional(args));
      }
    }
    return super.call(loc, m, call);
  }
}

function isContainer(type: Type): boolean {
  return type.isSubtypeOf(types.AnyListType) || type.isSubtypeOf(types.StringType) || type.kind() === "DictType";
}

/** An operator or builtin that an object overrides by a method, such as `__len__`. */
export class MagicMethod extends SugaredValue {
  private readonly base_value_: SugaredValue;
  private readonly desugared_name_: string;

  constructor(desugared_name: string, base: SugaredValue) {
    super();
    this.base_value_ = base;
    this.desugared_name_ = desugared_name;
  }

  kind(): string {
    return this.desugared_name_;
  }

  override call(loc: SourceRange, m: GraphFunction, call: CallArguments): SugaredValue {
    if (call.args.length > 0) {
      const self = call.args[0].value(m.graph());
      if (self.type() instanceof ClassType) {
        const method = new SimpleValue(self).attr(loc, m, this.desugared_name_);
        return method.call(loc, m, { ...call, args: call.args.slice(1) });
      }
    }
    return this.base_value_.call(loc, m, call);
  }
}

/** An exception with its message, as `raise` takes it. It is no value: it cannot be assigned. */
export class ExceptionMessageValue extends SugaredValue {
  private readonly value_: Value;
  private readonly qualified_class_name_: Value | null;

  constructor(value: Value, qualified_class_name: Value | null = null) {
    super();
    this.value_ = value;
    this.qualified_class_name_ = qualified_class_name;
  }

  kind(): string {
    return "exception message";
  }

  getValue(): Value {
    return this.value_;
  }

  getQualifiedClassName(): Value | null {
    return this.qualified_class_name_;
  }
}

export class ExceptionValue extends SugaredValue {
  protected readonly message_: string;

  constructor(message: string) {
    super();
    this.message_ = message;
  }

  kind(): string {
    return "exception";
  }

  override call(loc: SourceRange, m: GraphFunction, { args }: CallArguments): SugaredValue {
    const graph = m.graph();
    let message = graph.insertConstant(IValue.fromString(`${this.message_}: `), loc);
    for (const arg of args) {
      let text = arg.value(graph);
      if (!text.type().isSubtypeOf(types.StringType)) text = emitBuiltinCall(loc, graph, "aten::str", [text]);
      message = emitBuiltinCall(loc, graph, "aten::add", [message, text]);
    }
    return new ExceptionMessageValue(message);
  }
}

/** `slice(a, b)` */
export class SliceValue extends SugaredValue {
  readonly start: Value | null;
  readonly stop: Value | null;
  readonly step: Value | null;

  constructor(start: Value | null, stop: Value | null, step: Value | null) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  kind(): string {
    return "Python slice value";
  }
}

/** `torch._check(cond, message)` */
export class TorchCheckValue extends SugaredValue {
  kind(): string {
    return "torch._check sugared value";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    const count = args.length + kwargs.length;
    if (count < 1 || count > 2) throw new ErrorReport(loc, `torch._check() expects 1 or 2 arguments, got ${count}`);
    const given = new Map<string, NamedValue>();
    const set = (name: string, value: NamedValue): void => {
      if (given.has(name)) throw new ErrorReport(loc, `torch._check() got multiple values for argument '${name}'`);
      given.set(name, value);
    };
    for (const kwarg of kwargs) {
      if (kwarg.name() !== "cond" && kwarg.name() !== "message") {
        throw new ErrorReport(loc, `torch._check() got unexpected keyword argument '${kwarg.name()}'`);
      }
      set(kwarg.name(), kwarg);
    }
    for (const [i, arg] of args.entries()) set(i === 0 ? "cond" : "message", arg);
    const cond = given.get("cond");
    if (cond === undefined) throw new ErrorReport(loc, "torch._check() missing required argument 'cond'");
    const graph = m.graph();
    const message =
      given.get("message") ?? new NamedValue(graph.insertConstant(IValue.fromString(""), loc), "message", loc);
    emitBuiltinCall(loc, graph, "aten::_assert", [cond, message]);
    return new NoneValue();
  }
}
