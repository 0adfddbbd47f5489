/**
 * @file A value of the graph, and what its attributes and calls can be: operators, methods, functions, tuples.
 * @mirrors torch/csrc/jit/frontend/sugared_value.cpp
 */
import { ClassType } from "#aten/core/class_type";
import { EnumType } from "#aten/core/enum_type";
import type { Function } from "#aten/core/function";
import type { FunctionSchema } from "#aten/core/function_schema";
import { InterfaceType } from "#aten/core/interface_type";
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { matchTypeVariables, tryEvalTypeVariables } from "#aten/core/type";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { GraphFunction } from "../../api/function_impl.ts";
import { RecursiveMethodCallError } from "../../api/function_impl.ts";
import { toIValue } from "../../ir/constants.ts";
import { createTupleUnpack, type Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { getAllOperatorsFor } from "../../runtime/operator.ts";
import { ErrorReport } from "../error_report.ts";
import { emitBuiltinCall, insert, matchSchemas } from "../schema_matching.ts";
import { SourceRange } from "../source_range.ts";
import { type CallArguments, positional, SugaredValue } from "./base.ts";

/** `x.float()` and its kin. */
const castMethods = new Map<string, ScalarType>([
  ["byte", ScalarType.Byte],
  ["char", ScalarType.Char],
  ["double", ScalarType.Double],
  ["float", ScalarType.Float],
  ["cfloat", ScalarType.ComplexFloat],
  ["cdouble", ScalarType.ComplexDouble],
  ["int", ScalarType.Int],
  ["long", ScalarType.Long],
  ["short", ScalarType.Short],
  ["half", ScalarType.Half],
]);

const of = (namespace: string, names: string): [string, string][] =>
  names.split(" ").map((name) => [name, `${namespace}::${name}`]);

/** Attributes that an operator computes, by kind of type. */
const builtinProperties: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["OptionalType", new Map(of("prim", "unchecked_unwrap_optional"))],
  [
    "TensorType",
    new Map([
      ...of(
        "prim",
        "dtype device grad data shape is_cuda is_cpu is_xla is_xpu is_sparse is_sparse_csr is_mkldnn is_mps",
      ),
      ...of(
        "prim",
        "is_mtia is_quantized is_vulkan is_ipu is_meta is_nested requires_grad layout T H is_maia itemsize",
      ),
      ...of("prim", "nbytes ndim name"),
      ...of("aten", "is_leaf mT mH real imag retains_grad"),
    ]),
  ],
  ["DeviceObjType", new Map(of("prim", "type index"))],
]);

export class SimpleValue extends SugaredValue {
  private readonly value_: Value;

  constructor(value: Value) {
    super();
    this.value_ = value;
  }

  kind(): string {
    return `value of type '${this.value_.type().annotation_str()}'`;
  }

  getValue(): Value {
    return this.value_;
  }

  override asValue(_loc: SourceRange, _m: GraphFunction): Value {
    return this.value_;
  }

  override hasAttr(loc: SourceRange, _m: GraphFunction, field: string): boolean {
    const type = this.value_.type();
    if (type instanceof ClassType) {
      return type.findMethod(field) !== null || type.hasAttribute(field) || type.hasConstant(field);
    }
    if (type.kind() === "TupleType") {
      const names = type.fieldNames();
      if (names !== null) return names.includes(field);
      const what = `but got a normal Tuple ${type.repr_str()} instead`;
      throw new ErrorReport(loc, "hasattr's first argument must be a object or NamedTuple, ", what);
    }
    const got = `got ${type.repr_str()} instead`;
    throw new ErrorReport(loc, "hasattr's first argument must be an object or NamedTuple, ", got);
  }

  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    const value = this.value_;
    const type = value.type();
    const is_tensor = type.isSubtypeOf(types.TensorType);
    const cast = is_tensor ? castMethods.get(field) : undefined;
    const self = new NamedValue(value, "self", loc);
    if (cast !== undefined) return new TensorCastValue(cast, self);
    const property = builtinProperties.get(type.kind())?.get(field);
    if (property !== undefined) return new SimpleValue(insert(m.graph(), property, [value], [], SourceRange.empty()));
    const own = this.attrOfType(loc, m, field);
    if (own !== null) return own;
    const builtin =
      (field === "type" ? BuiltinFunction.tryCreate("aten::to", self) : null) ??
      BuiltinFunction.tryCreate(`aten::${field}`, self);
    if (builtin !== null) return builtin;
    if (is_tensor && field === "tolist") return new SpecialFormValue("prim::tolist");
    if (is_tensor && field === "__getitem__") return new SpecialFormValue("aten::index");
    throw new ErrorReport(loc, `'${type.repr_str()}' object has no attribute or method '${field}'.`, hint(type, field));
  }

  /** A field of a named tuple, a member of a class, an interface or an enum. */
  private attrOfType(loc: SourceRange, m: GraphFunction, field: string): SugaredValue | null {
    const value = this.value_;
    const type = value.type();
    const graph = m.graph();
    if (type.kind() === "TupleType") {
      const i = type.fieldNames()?.indexOf(field) ?? -1;
      if (i < 0) return null;
      const idx = graph.insertConstant(IValue.fromInt(i));
      return new SimpleValue(graph.insertNode(graph.createTupleIndex(value, idx, type.containedType(i))).output());
    }
    if (type.kind() === "AwaitType") {
      const awaited = insert(graph, "prim::awaitable_wait", [value], [], loc);
      return new SimpleValue(awaited).attr(loc, m, field);
    }
    if (type instanceof ClassType) {
      if (type.findMethod(field) !== null) return new MethodValue(value, [field]);
      if (type.hasAttribute(field))
        return new SimpleValue(graph.insertNode(graph.createGetAttr(value, field)).output());
      const property = type.getProperty(field);
      if (property !== null) return new MethodValue(value, [property.getter.name()]).call(loc, m, positional([]));
      return null;
    }
    if (type instanceof InterfaceType) return type.getMethod(field) === null ? null : new MethodValue(value, [field]);
    if (type instanceof EnumType) {
      if (field === "name") return new SimpleValue(graph.insertNode(graph.createEnumName(value)).output());
      if (field === "value") return new SimpleValue(graph.insertNode(graph.createEnumValue(value)).output());
    }
    return null;
  }

  override asTuple(loc: SourceRange, _m: GraphFunction, size_hint: number | null = null): readonly SugaredValue[] {
    const value = this.value_;
    switch (value.type().kind()) {
      case "TupleType":
        return createTupleUnpack(value).map((element) => new SimpleValue(element));
      case "ListType": {
        if (size_hint === null) {
          throw new ErrorReport(loc, "cannot statically infer the expected size of a list in this context");
        }
        const graph = value.owningGraph();
        const unpack = graph.insertNode(graph.createListUnpack(value, size_hint));
        return unpack.outputs().map((element) => new SimpleValue(element));
      }
      case "AnyTupleType":
        throw new ErrorReport(
          loc,
          "Provided tuple is not fully defined/refined including its element types, please provide a value of type like Tuple[int, int]",
        );
      default:
        throw new ErrorReport(loc, value.type().repr_str(), " cannot be used as a tuple");
    }
  }

  override setAttr(loc: SourceRange, m: GraphFunction, field: string, newValue: Value): void {
    const type = this.value_.type();
    if (!(type instanceof ClassType)) {
      throw new ErrorReport(loc, `Tried to set an attribute: ${field} on a non-class: ${type.repr_str()}`);
    }
    let expected = type.findAttribute(field);
    if (expected === null) {
      const inputs = m.graph().inputs();
      if (m.name() !== "__init__" || inputs.length === 0 || inputs[0].type() !== type) {
        this.setProperty(loc, m, field, newValue);
        return;
      }
      // In __init__, an assignment adds the attribute to the class.
      if (isRecursive(type, newValue.type())) {
        throw new ErrorReport(
          loc,
          `Assignment to attribute '${field}' cannot be of a type that contains class '${type.repr_str()}'.\n`,
          "Classes that recursively contain instances of themselves are not yet supported",
        );
      }
      type.addAttribute(field, newValue.type());
      expected = newValue.type();
      if (m.graph().insertPoint().owningBlock() !== m.graph().block()) {
        throw new ErrorReport(
          loc,
          "First assignment cannot be in a control-flow block. Initialize the field at the top level first",
        );
      }
    }
    if (!newValue.type().isSubtypeOf(expected)) {
      const but = `Expected ${expected.repr_str()} but got ${newValue.type().repr_str()}`;
      throw new ErrorReport(loc, "Wrong type for attribute assignment. ", but);
    }
    m.graph().insertNode(m.graph().createSetAttr(this.value_, field, newValue));
  }

  private setProperty(loc: SourceRange, m: GraphFunction, field: string, newValue: Value): void {
    const property = (this.value_.type() as ClassType).getProperty(field); // setAttr has checked the type
    if (property === null) {
      const hint = "Did you forget to initialize it in __init__()?";
      throw new ErrorReport(loc, `Tried to set nonexistent attribute: ${field}. `, hint);
    }
    if (property.setter === null) throw new ErrorReport(loc, "Tried to set read-only attribute: ", field);
    new MethodValue(this.value_, [property.setter.name()]).call(loc, m, positional([new NamedValue(newValue)]));
  }

  override call(loc: SourceRange, m: GraphFunction, call: CallArguments): SugaredValue {
    if (this.value_.type() instanceof ClassType) return this.attr(loc, m, "__call__").call(loc, m, call);
    return super.call(loc, m, call);
  }

  override len(loc: SourceRange, m: GraphFunction): Value {
    const type = this.value_.type();
    if (type.kind() === "ListType" || type.kind() === "StringType" || type.isSubtypeOf(types.TensorType)) {
      return insert(m.graph(), "aten::len", [this.value_], [], loc);
    }
    throw new ErrorReport(loc, `'${type.repr_str()}' object is not iterable`);
  }

  override getitem(loc: SourceRange, m: GraphFunction, idx: Value, type_hint: Type | null = null): SugaredValue {
    const value = this.value_;
    const type = value.type();
    const graph = m.graph();
    if (type.kind() === "ListType" || type.kind() === "StringType" || type.kind() === "DictType") {
      return new SimpleValue(insert(graph, "aten::__getitem__", [value, idx], [], loc));
    }
    if (type.isSubtypeOf(types.TensorType)) {
      return new SimpleValue(insert(graph, "aten::select", [value, IValue.fromInt(0), idx], [], loc));
    }
    if (type instanceof ClassType) {
      if (type.is_module() && type_hint !== null) {
        const indexed = insert(graph, "prim::ModuleContainerIndex", [value, idx], [], loc);
        indexed.setType(type_hint);
        return new SimpleValue(indexed);
      }
      return this.attr(loc, m, "__getitem__").call(loc, m, positional([new NamedValue(idx)]));
    }
    throw new ErrorReport(loc, `'${type.repr_str()}' object is not subscriptable`);
  }

  override iter(loc: SourceRange, m: GraphFunction): SugaredValue {
    const value = this.value_;
    switch (value.type().kind()) {
      case "ListType":
      case "StringType":
      case "TensorType":
        return new SimpleValue(value);
      case "DictType":
        return new SimpleValue(insert(m.graph(), "aten::keys", [value], [], loc));
      case "TupleType":
        return new SugaredTupleValue(createTupleUnpack(value).map((element) => new SimpleValue(element)));
      default:
        throw new ErrorReport(loc, `'${value.type().repr_str()}' object is not iterable`);
    }
  }
}

function hint(type: Type, field: string): string {
  if (!(type instanceof ClassType)) return "";
  if (!type.isUnresolvedClassAttribute(field)) return " Did you forget to initialize an attribute in __init__()?";
  return ` '${field}' is defined as a class attribute which currently is not supported. Consider converting this to an instance attribute.`;
}

function isRecursive(class_type: Type, type: Type): boolean {
  return type.isSubtypeOf(class_type) || type.containedTypes().some((inner) => isRecursive(class_type, inner));
}

/** The value of the graph, if it is one and nothing else. */
export function asSimple(value: SugaredValue): Value | null {
  return value instanceof SimpleValue ? value.getValue() : null;
}

/** An operator, or a method that is an operator: `self` is then its first argument. */
export class BuiltinFunction extends SugaredValue {
  readonly symbol: string;
  readonly self: NamedValue | null;

  constructor(symbol: string, self: NamedValue | null = null) {
    super();
    this.symbol = symbol;
    this.self = self;
  }

  kind(): string {
    return "builtin";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    return new SimpleValue(emitBuiltinCall(loc, m.graph(), this.symbol, args, kwargs, this.self));
  }

  /** Null if there is no such operator, or none whose argument `self` fits. */
  static tryCreate(symbol: string, self: NamedValue): BuiltinFunction | null {
    for (const op of getAllOperatorsFor(symbol)) {
      const index = op.schema().argumentIndexWithName("self");
      if (index === null) continue;
      const type_env = new Map<string, Type>();
      const formal = op.schema().arguments()[index].type();
      if (matchTypeVariables(formal, self.type(), type_env) !== null) continue;
      const concrete = tryEvalTypeVariables(formal, type_env);
      if (concrete !== null && self.type().isSubtypeOf(concrete)) return new BuiltinFunction(symbol, self);
    }
    return null;
  }
}

/** `x.float`: a call of `aten::to` with a dtype. */
class TensorCastValue extends SugaredValue {
  private readonly dtype: ScalarType;
  private readonly self: NamedValue;

  constructor(dtype: ScalarType, self: NamedValue) {
    super();
    this.dtype = dtype;
    this.self = self;
  }

  kind(): string {
    return "Cast";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    TORCH_INTERNAL_ASSERT(args.length === 0 && kwargs.length === 0);
    const dtype = m.graph().insertConstant(IValue.fromInt(this.dtype), loc);
    const cast = insert(m.graph(), "aten::to", [], [this.self, new NamedValue(dtype, "dtype", loc)], loc);
    return new SimpleValue(cast);
  }
}

/** A form that looks like a call but has rules of its own: `isinstance`, `annotate`, `range`. */
export class SpecialFormValue extends SugaredValue {
  private readonly form_: string;

  constructor(form: string) {
    super();
    this.form_ = form;
  }

  kind(): string {
    return this.form_.slice(this.form_.indexOf("::") + 2);
  }

  form(): string {
    return this.form_;
  }
}

/** `torch.FloatTensor(...)` */
export class LegacyTensorConstructor extends SpecialFormValue {
  private readonly dtype_: ScalarType;

  constructor(form: string, dtype: ScalarType) {
    super(form);
    this.dtype_ = dtype;
  }

  dtype(): ScalarType {
    return this.dtype_;
  }
}

const LITERAL_INDEX =
  "Expected integer literal for index but got a variable or non-integer. ModuleList/Sequential indexing is only supported with integer literals. For example, 'i = 4; self.layers[i](x)' will fail because i is not a literal. Enumeration is supported, e.g. 'for index, v in enumerate(self): out = v(inp)'";

/** Several values of any kind; a loop over them is unrolled. */
export class SugaredTupleValue extends SugaredValue {
  private readonly tup_: readonly SugaredValue[];

  constructor(tup: readonly SugaredValue[]) {
    super();
    this.tup_ = tup;
  }

  kind(): string {
    return "Tuple";
  }

  override asTuple(): readonly SugaredValue[] {
    return this.tup_;
  }

  override asValue(loc: SourceRange, m: GraphFunction): Value {
    const values = this.tup_.map((value) => value.asValue(loc, m));
    return m.graph().insertNode(m.graph().createTuple(values)).output();
  }

  override getitem(loc: SourceRange, _m: GraphFunction, idx: Value): SugaredValue {
    const constant = idx.type().kind() === "IntType" ? toIValue(idx) : null;
    if (constant === null) throw new ErrorReport(loc, LITERAL_INDEX);
    const index = Number(constant.toInt());
    const adjusted = index < 0 ? index + this.tup_.length : index;
    if (adjusted >= 0 && adjusted < this.tup_.length) return this.tup_[adjusted];
    throw new ErrorReport(loc, `Index ${index} out of range of length ${this.tup_.length}`);
  }

  override iter(): SugaredValue {
    return this;
  }

  override staticLen(): number {
    return this.tup_.length;
  }
}

/** The schema of a function, which is compiled now if it was not before. */
function definedSchema(loc: SourceRange, what: string, fn: Function): FunctionSchema {
  try {
    fn.ensure_defined();
  } catch (error) {
    if (!(error instanceof RecursiveMethodCallError)) throw error;
    const reason = `' is called recursively. Recursive calls are not supported`;
    throw new ErrorReport(loc, ` ${what} '`, fn.name(), reason);
  }
  return fn.getSchema();
}

/** A script function; several if it has overloads. */
export class FunctionValue extends SugaredValue {
  private readonly callees_: readonly Function[];

  constructor(callees: readonly Function[]) {
    super();
    this.callees_ = callees;
  }

  kind(): string {
    return "function";
  }

  callees(): readonly Function[] {
    return this.callees_;
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    const schemas = this.callees_.map((callee) => definedSchema(loc, "function", callee));
    const graph = m.graph();
    const [index, matched] = matchSchemas(schemas, { loc, graph, args, kwargs, self: null });
    const output = graph.insertFunctionCall(this.callees_[index], matched);
    output.node().setSourceRange(loc);
    return new SimpleValue(output);
  }
}

/** A method of an object, a module or an interface; several names if it has overloads. */
export class MethodValue extends SugaredValue {
  private readonly self_: Value;
  private readonly method_names_: readonly string[];

  constructor(self: Value, method_names: readonly string[]) {
    super();
    this.self_ = self;
    this.method_names_ = method_names;
  }

  kind(): string {
    return "method";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    const type = this.self_.type();
    const schemas = this.method_names_.map((name): FunctionSchema => {
      if (type instanceof ClassType) return definedSchema(loc, "method", type.getMethod(name));
      const schema = type instanceof InterfaceType ? type.getMethod(name) : null;
      TORCH_INTERNAL_ASSERT(schema !== null, "method constructed that is not a class or interface");
      return schema;
    });
    const graph = m.graph();
    const with_self = [new NamedValue(this.self_), ...args];
    const [index, matched] = matchSchemas(schemas, { loc, graph, args: with_self, kwargs, self: null });
    const output = graph.insertMethodCall(this.method_names_[index], matched);
    output.node().setSourceRange(loc);
    return new SimpleValue(output);
  }
}

/** A function that is defined inside another. It can be forked, not called. */
export class ClosureValue extends SugaredValue {
  private readonly value_: Value;

  constructor(value: Value) {
    super();
    TORCH_INTERNAL_ASSERT(value.node().kind() === "prim::Closure");
    this.value_ = value;
  }

  kind(): string {
    return "closure";
  }

  override asValue(): Value {
    return this.value_;
  }
}
