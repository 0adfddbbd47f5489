/**
 * @file Meanings of objects of a Python program while a script is compiled: modules, functions, classes, exceptions, constants.
 * @mirrors torch/csrc/jit/python/python_sugared_value.cpp
 * @differs Ours asks `python_frontend` for what is written in Python in PyTorch, because this layer cannot import it; PyTorch imports
 * `torch.jit._recursive` and others by name.
 */
import type { ClassType } from "#aten/core/class_type";
import { EnumType } from "#aten/core/enum_type";
import type { Function } from "#aten/core/function";
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import { EnumHolder } from "#aten/core/ivalue_inl";
import { NoneType, TensorType, TupleType, type Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import type { NamedTupleType } from "#aten/core/tuple_type";
import type { ScalarType } from "#c10/core/ScalarType";
import { AttributeError } from "#c10/util/Exception";
import { PyComplex } from "#python/Objects/complexobject";
import { exception_types } from "#python/Objects/exception_types";
import { is_function } from "#python/Objects/funcobject";
import { PyModule } from "#python/Objects/moduleobject";
import { getattr, getattr_or_undefined, str } from "#python/Objects/object";
import { slice_type } from "#python/Objects/sliceobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { info_of, type_of } from "#python/Objects/typeobject";
import { THPDevice_Check } from "../../Device.ts";
import { THPDtype_Check } from "../../Dtype.ts";
import { THPLayout_Check } from "../../Layout.ts";
import { THPMemoryFormat_Check } from "../../MemoryFormat.ts";
import {
  isPythonInt,
  THPUtils_checkDouble,
  THPUtils_packInt64,
  THPUtils_unpackDouble,
} from "../../utils/python_numbers.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import { getAllBuiltinFunctionsFor } from "../frontend/builtin_registry.ts";
import { ErrorReport } from "../frontend/error_report.ts";
import { insert, matchSchema } from "../frontend/schema_matching.ts";
import type { SourceRange } from "../frontend/source_range.ts";
import { type CallArguments, SugaredValue } from "../frontend/sugared_value/base.ts";
import { ClassValue, NamedTupleConstructor, SugaredEnumClass } from "../frontend/sugared_value/classes.ts";
import {
  BuiltinFunction,
  FunctionValue,
  LegacyTensorConstructor,
  SimpleValue,
  SpecialFormValue,
  SugaredTupleValue,
} from "../frontend/sugared_value/simple_value.ts";
import { ExceptionMessageValue, ExceptionValue, SliceValue } from "../frontend/sugared_value/special.ts";
import { toIValue } from "../ir/constants.ts";
import type { Graph, Value } from "../ir/ir.ts";
import { NamedValue } from "../ir/named_value.ts";
import { getAllOperatorsFor } from "../runtime/operator.ts";
import { ConcretePythonOp } from "./python_op.ts";

/** Two functions of which a flag that is known at compile time chooses one. */
export interface BooleanDispatch {
  readonly arg_name: string;
  readonly arg_index: number;
  readonly default: boolean;
  readonly if_true: unknown;
  readonly if_false: unknown;
}

/** Questions of the compiler to the part that PyTorch writes in Python. Null is "it is none". */
export interface PythonFrontend {
  /** The operator for which a function of the library stands: `aten::sin`. */
  find_builtin(obj: unknown): string | null;
  /** Whether a function of the library has no equivalent in scripts. */
  is_unsupported_builtin(obj: unknown): boolean;
  /** The Python text of a function of the library, or the two functions that a flag chooses from; undefined if there is none. */
  body_of_function(obj: unknown): unknown;
  boolean_dispatch(obj: unknown): BooleanDispatch | null;
  /** `prim::annotate` and the like. */
  special_form(obj: unknown): string | null;
  /** The element type of `torch.FloatTensor`. */
  legacy_tensor(obj: unknown): ScalarType | null;
  /** The compiled function behind an object of `torch.jit.script`. */
  as_function(obj: unknown): Function | null;
  /** Functions under `@torch.jit._overload`, compiled. */
  overloads(fn: unknown): readonly Function[] | null;
  try_compile_fn(fn: unknown, loc: SourceRange): Function | null;
  is_namespace(obj: unknown): boolean;
  /** The name of a namespace such as `torch.ops.aten`; the empty text for `torch.ops` itself. */
  operator_namespace(obj: unknown): string | null;
  as_enum_class(obj: unknown, loc: SourceRange): EnumType | null;
  as_named_tuple(obj: unknown, loc: SourceRange): NamedTupleType | null;
  /** The type of a class, which is compiled if it was not. */
  as_class(obj: unknown, loc: SourceRange): ClassType | null;
  /** Whether a class was compiled already. */
  is_script_class(cls: unknown): boolean;
  /** The Python class of a class, an enum or a named tuple; null if it has none. */
  python_class(type: Type): unknown;
  try_ann_to_type(annotation: unknown, loc: SourceRange): Type | null;
  /**
   * The schema with which a script calls a function that stays Python; null if the object is none.
   * @param self the type of the module, for a method
   */
  schema_of_ignored(
    fn: unknown,
    self: Type | null,
    n_args: number,
    n_binders: number,
    loc: SourceRange,
  ): FunctionSchema | null;
  /** Whether the object is a class of torch.autograd, of which scripts may call `apply`. */
  is_autograd_function(obj: unknown): boolean;
  /** Whether calls of the function are replaced by an error. */
  should_drop(fn: unknown): boolean;
  /** `module.name`, without the prefix `__torch__`. */
  qualified_name(obj: unknown): string;
}

/** `torch.jit` sets it. */
export const python_frontend: { current: PythonFrontend | null } = { current: null };

function frontend(): PythonFrontend {
  return python_frontend.current as PythonFrontend;
}

/** An object that scripts cannot use as a value. If it is a function, a call of it stays a call of Python. */
export class PythonValue extends SugaredValue {
  readonly self: unknown;
  /** The module whose method it is. */
  private readonly module_self_: Value | null;

  constructor(self: unknown, module_self: Value | null = null) {
    super();
    this.self = self;
    this.module_self_ = module_self;
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs, n_binders }: CallArguments): SugaredValue {
    const graph = m.graph();
    const with_self = this.module_self_ === null ? args : [new NamedValue(this.module_self_, "self", loc), ...args];
    const schema = this.getSchema(args.length, n_binders, loc);
    if (schema === null) return super.call(loc, m, { args, kwargs, n_binders });
    const { inputs, return_types } = matchSchema(schema, { loc, graph, args: with_self, kwargs, self: null });
    if (frontend().should_drop(this.self)) {
      const message = graph.insertConstant(
        IValue.fromString("This Python function is annotated to be ignored and cannot be run"),
        loc,
      );
      insert(graph, "prim::RaiseException", [message], [], loc);
      return new SimpleValue(graph.insertNode(graph.createUninitialized(return_types[0])).output());
    }
    const node = graph.insertNode(this.createPythonOp(graph)).setSourceRange(loc);
    for (const input of inputs) node.addInput(input);
    return new SimpleValue(node.addOutput().setType(return_types[0]));
  }

  /** The parameters of the object and its result, for so many variables; null if scripts do not call it. */
  protected getSchema(n_args: number, n_binders: number, loc: SourceRange): FunctionSchema | null {
    return frontend().schema_of_ignored(this.self, this.module_self_?.type() ?? null, n_args, n_binders, loc);
  }

  protected createPythonOp(graph: Graph): ConcretePythonOp {
    return new ConcretePythonOp(graph, this.self);
  }

  kind(): string {
    return `python value of type '${type_of(this.self).tp_name}'`;
  }

  override asValue(loc: SourceRange, _m: GraphFunction): Value {
    throw new ErrorReport(
      loc,
      this.kind(),
      " cannot be used as a value. Perhaps it is a closed over global variable? If so, please consider passing it in as an argument or use a local variable instead.",
    );
  }
}

/** `apply` of a class of torch.autograd: it takes any arguments, and its first is a tensor. */
class AutogradApplyValue extends PythonValue {
  private readonly cls_: unknown;

  constructor(cls: unknown) {
    super(getattr(cls, "apply"));
    this.cls_ = cls;
  }

  protected override getSchema(_n_args: number, n_binders: number): FunctionSchema {
    const tensors = n_binders > 1 ? TupleType.create(new Array<Type>(n_binders).fill(TensorType)) : TensorType;
    const returns = [new Argument("0", n_binders === 0 ? NoneType : tensors)];
    return new FunctionSchema(new OperatorName("Function.apply"), [new Argument("cls", TensorType)], returns, true);
  }

  protected override createPythonOp(graph: Graph): ConcretePythonOp {
    return new ConcretePythonOp(graph, this.self, this.cls_);
  }
}

/** A class of torch.autograd that has no Python text. */
class AutogradFunctionClassValue extends PythonValue {
  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    return field === "apply" ? new AutogradApplyValue(this.self) : super.attr(loc, m, field);
  }
}

/** A module: its attributes are constants. */
export class PythonModuleValue extends PythonValue {
  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    let member: unknown;
    try {
      member = getattr(this.self, field);
    } catch (error) {
      if (!(error instanceof AttributeError)) throw error;
      throw new ErrorReport(loc, "object has no attribute ", field);
    }
    return toSugaredValue(member, m, loc, true);
  }
}

/** `torch.ops`, or a namespace in it: `torch.ops.aten`. Its attributes are operators, those of scripts too. */
class OperatorNamespace extends PythonValue {
  private readonly name_: string;

  constructor(self: unknown, name: string) {
    super(self);
    this.name_ = name;
  }

  override attr(loc: SourceRange, _m: GraphFunction, field: string): SugaredValue {
    if (this.name_ === "") return new OperatorNamespace(this.self, field);
    const symbol = `${this.name_}::${field}`;
    const known = getAllOperatorsFor(symbol).length + getAllBuiltinFunctionsFor(symbol).length;
    if (known === 0) throw new ErrorReport(loc, "object has no attribute ", field);
    return new BuiltinFunction(symbol);
  }
}

/** A compiled class: its static methods are functions. */
export class PythonClassValue extends ClassValue {
  private readonly py_type: unknown;

  constructor(type: ClassType, py_type: unknown) {
    super(type);
    this.py_type = py_type;
  }

  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    const method = this.type_.findStaticMethod(field);
    if (method !== null) return new FunctionValue([method]);
    if (field === "apply" && frontend().is_autograd_function(this.py_type)) return new AutogradApplyValue(this.py_type);
    const value = getattr_or_undefined(this.py_type, field);
    if (value !== undefined && value !== null) return toSugaredValue(value, m, loc);
    return super.attr(loc, m, field);
  }

  override hasAttr(_loc: SourceRange, _m: GraphFunction, field: string): boolean {
    return getattr_or_undefined(this.py_type, field) !== undefined;
  }
}

/** `F.max_pool2d`: with `return_indices` it is another function. */
class BooleanDispatchValue extends SugaredValue {
  private readonly dispatch_: BooleanDispatch;

  constructor(dispatch: BooleanDispatch) {
    super();
    this.dispatch_ = dispatch;
  }

  kind(): string {
    return "boolean dispatch";
  }

  override call(loc: SourceRange, m: GraphFunction, call: CallArguments): SugaredValue {
    const { arg_name, arg_index, default: otherwise, if_true, if_false } = this.dispatch_;
    const by_name = call.kwargs.find((kwarg) => kwarg.name() === arg_name);
    const flag = call.args[arg_index] ?? by_name;
    let chosen = otherwise;
    if (flag !== undefined) {
      const constant = toIValue(flag.value(m.graph()));
      if (constant === null) {
        throw new ErrorReport(
          loc,
          call.args.length > arg_index
            ? `Argument for boolean dispatch at position ${arg_index} was not constant`
            : `Keyword argument '${arg_name}' for boolean dispatch at position was not constant`,
        );
      }
      chosen = constant.toBool();
    }
    return toSugaredValue(chosen ? if_true : if_false, m, loc).call(loc, m, call);
  }
}

export class PythonExceptionValue extends ExceptionValue {
  private readonly exception_class: unknown;

  constructor(exception_class: unknown) {
    super(str(exception_class));
    this.exception_class = exception_class;
  }

  override kind(): string {
    return "Python exception";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    const graph = m.graph();
    let message: Value;
    if (args.length === 0) message = graph.insertConstant(IValue.fromString(""), loc);
    else if (args.length === 1) message = args[0].value(graph);
    else {
      const values = args.map((arg) => arg.value(graph));
      message = graph.insertNode(graph.createTuple(values)).output();
    }
    const name = graph.insertConstant(IValue.fromString(frontend().qualified_name(this.exception_class)), loc);
    if (kwargs.length > 0) {
      throw new ErrorReport(loc, "Exception constructors do not take keyword arguments");
    }
    return new ExceptionMessageValue(message, name);
  }
}

/** The class `slice`. */
export class PythonSliceClass extends SugaredValue {
  kind(): string {
    return "Python slice class";
  }

  override call(loc: SourceRange, m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    if (kwargs.length > 0) throw new ErrorReport(loc, "Slice does not accept any keyword arguments");
    if (args.length < 1) throw new ErrorReport(loc, "slice expected at least 1 argument, got 0");
    if (args.length > 3) throw new ErrorReport(loc, `slice expected at most 3 arguments, got ${args.length}`);
    const values = args.map((arg) => arg.value(m.graph()));
    const none = (): Value => m.graph().insertConstant(IValue.None, loc);
    if (values.length === 1) return new SliceValue(none(), values[0], none());
    return new SliceValue(values[0], values[1], values[2] ?? none());
  }
}

/** The value of an object that is a constant wherever it stands; null for others. */
function constant_of(obj: unknown): IValue | null {
  if (obj === null) return IValue.None;
  if (typeof obj === "boolean") return IValue.fromBool(obj);
  if (typeof obj === "string") return IValue.fromString(obj);
  if (obj instanceof PyComplex) return IValue.fromComplexDouble({ real: obj.real, imag: obj.imag });
  if (isPythonInt(obj as number)) return IValue.fromInt(THPUtils_packInt64(obj as number));
  if (THPUtils_checkDouble(obj)) return IValue.fromDouble(THPUtils_unpackDouble(obj));
  if (THPDevice_Check(obj)) return IValue.opaque("Device", obj.device);
  if (THPLayout_Check(obj)) return IValue.fromInt(Number(obj.layout));
  if (THPMemoryFormat_Check(obj)) return IValue.fromInt(Number(obj.memory_format));
  if (THPDtype_Check(obj)) return IValue.fromInt(Number(obj.scalar_type));
  return null;
}

/** Objects that scripts know by identity. */
function special(obj: unknown): SugaredValue | null {
  const form = frontend().special_form(obj);
  if (form !== null) return new SpecialFormValue(form);
  const dtype = frontend().legacy_tensor(obj);
  if (dtype !== null) return new LegacyTensorConstructor("prim::LegacyTypedConstructor", dtype);
  const builtin = frontend().find_builtin(obj);
  return builtin === null ? null : new BuiltinFunction(builtin);
}

function class_value(obj: unknown, loc: SourceRange): SugaredValue | null {
  const enum_type = frontend().as_enum_class(obj, loc);
  if (enum_type !== null) return new SugaredEnumClass(enum_type);
  const tuple = frontend().as_named_tuple(obj, loc);
  if (tuple !== null) return new NamedTupleConstructor(tuple);
  const type = frontend().as_class(obj, loc);
  return type === null ? null : new PythonClassValue(type, obj);
}

/** A member of an enum is a constant. */
function enum_member(obj: unknown, m: GraphFunction, loc: SourceRange): SugaredValue | null {
  const cls = typeof obj === "object" && obj !== null ? type_of(obj).cls : undefined;
  const type = cls === undefined ? null : frontend().as_enum_class(cls, loc);
  if (!(type instanceof EnumType)) return null;
  const name = getattr(obj, "name") as string;
  const member = type.enumNamesValues().find(([known]) => known === name);
  if (member === undefined) return null;
  return toSimple(m.graph().insertConstant(IValue.fromEnum(new EnumHolder(type, name, member[1])), loc));
}

function toSimple(value: Value): SugaredValue {
  return new SimpleValue(value);
}

/**
 * The meaning of an object in a script.
 * @param is_constant whether numbers, strings and the like become constants: those of a module do, global variables do not
 */
export function toSugaredValue(obj: unknown, m: GraphFunction, loc: SourceRange, is_constant = false): SugaredValue {
  if (is_constant) {
    const constant = constant_of(obj);
    if (constant !== null) return toSimple(m.graph().insertConstant(constant, loc));
    if (obj instanceof PyTuple) {
      return new SugaredTupleValue([...obj].map((item) => toSugaredValue(item, m, loc, true)));
    }
  }
  const fn = frontend().as_function(obj);
  if (fn !== null) return new FunctionValue([fn]);
  if (obj instanceof PyModule || frontend().is_namespace(obj)) return new PythonModuleValue(obj);
  const namespace = frontend().operator_namespace(obj);
  if (namespace !== null) return new OperatorNamespace(obj, namespace);
  const known = special(obj);
  if (known !== null) return known;
  if (info_of(obj)?.is_subtype(exception_types.BaseException) === true) return new PythonExceptionValue(obj);
  if (frontend().is_unsupported_builtin(obj)) {
    throw new ErrorReport(loc, `Python builtin ${str(obj)} is currently not supported in Torchscript`);
  }
  if (obj === slice_type.cls) return new PythonSliceClass();
  const member = enum_member(obj, m, loc);
  if (member !== null) return member;
  const dispatch = frontend().boolean_dispatch(obj);
  if (dispatch !== null) return new BooleanDispatchValue(dispatch);
  if (is_function(obj)) {
    const overloads = frontend().overloads(obj);
    if (overloads !== null) return new FunctionValue(overloads);
    const compiled = frontend().try_compile_fn(obj, loc);
    if (compiled !== null) return new FunctionValue([compiled]);
  } else if (typeof obj === "function") {
    const body = frontend().body_of_function(obj);
    if (body !== undefined) return toSugaredValue(body, m, loc);
    const cls = class_value(obj, loc);
    if (cls !== null) return cls;
    if (frontend().is_autograd_function(obj)) return new AutogradFunctionClassValue(obj);
  }
  if (obj === Number.POSITIVE_INFINITY) return toSimple(m.graph().insertConstant(IValue.fromDouble(obj), loc));
  return new PythonValue(obj);
}
