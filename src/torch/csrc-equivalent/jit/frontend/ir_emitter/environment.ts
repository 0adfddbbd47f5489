/**
 * @file The variables of a function while it is compiled, one frame for each block.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#Environment
 */
import { ClassType } from "#aten/core/class_type";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { unshapedType } from "#aten/core/type";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Block, Value } from "../../ir/ir.ts";
import { ErrorReport } from "../error_report.ts";
import { meaningfulName } from "../meaningful_name.ts";
import type { Resolver } from "../resolver.ts";
import { tryConvertToType } from "../schema_matching.ts";
import type { SourceRange } from "../source_range.ts";
import type { SugaredValue } from "../sugared_value/base.ts";
import { ClassValue, NamedTupleConstructor } from "../sugared_value/classes.ts";
import { asSimple, BuiltinFunction, SimpleValue, SpecialFormValue } from "../sugared_value/simple_value.ts";
import { CastValue, ExceptionValue, MagicMethod, PrintValue } from "../sugared_value/special.ts";

// An idea in miniature. Values of the graph have a type in the type table only; the graph remembers the values:
//
//   a = 1          = prim::Store[name="a"](%1)
//   print(a)      %a : int = prim::Load[name="a"]()
//                  = prim::Print(%a)
//
// convert_to_ssa.ts replaces each Load by the value that was stored last. Anything else (a module, a method) stands in the
// value table and cannot be assigned again in a block inside.

function cast(type: Type, name: string, magic: string): SugaredValue {
  return new MagicMethod(magic, new CastValue(type, name));
}

function magic(name: string, symbol: string): SugaredValue {
  return new MagicMethod(name, new BuiltinFunction(symbol));
}

let table: ReadonlyMap<string, SugaredValue> | null = null;

/** Names that mean the same in every script; a variable may hide them. */
function globals(): ReadonlyMap<string, SugaredValue> {
  table ??= new Map<string, SugaredValue>([
    ["print", new PrintValue()],
    ["tuple", new SpecialFormValue("prim::TupleConstruct")],
    ["float", cast(types.FloatType, "aten::Float", "__float__")],
    ["complex", cast(types.ComplexType, "aten::Complex", "__complex__")],
    ["int", cast(types.IntType, "aten::Int", "__int__")],
    ["bool", cast(types.BoolType, "aten::Bool", "__bool__")],
    ["str", cast(types.StringType, "aten::str", "__str__")],
    ["getattr", new SpecialFormValue("prim::GetAttr")],
    ["hasattr", new SpecialFormValue("prim::HasAttr")],
    ["isinstance", new SpecialFormValue("prim::isinstance")],
    ["_to_tensor", new CastValue(types.TensorType, "prim::NumToTensor")],
    ["len", magic("__len__", "aten::len")],
    ["hex", magic("__hex__", "aten::hex")],
    ["oct", magic("__oct__", "aten::oct")],
    ["round", magic("__round__", "aten::round")],
    ...["hash", "all", "any", "divmod", "sum", "ord", "chr", "bin", "pow", "sorted"].map(
      (name): [string, SugaredValue] => [name, new BuiltinFunction(`aten::${name}`)],
    ),
    ...["id", "min", "max", "abs", "rangelist"].map((name): [string, SugaredValue] => [
      name,
      new BuiltinFunction(`prim::${name}`),
    ]),
    ...["list", "dict", "range", "zip", "enumerate"].map((name): [string, SugaredValue] => [
      name,
      new SpecialFormValue(`prim::${name}`),
    ]),
    ["AssertionError", new ExceptionValue("AssertionError")],
  ]);
  return table;
}

const EMPTY_LISTS =
  "\nEmpty lists default to List[Tensor]. Add a variable annotation to the assignment to create an empty list of another type (torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)";

export class Environment {
  private readonly method: GraphFunction;
  private readonly resolver: Resolver;
  private readonly b: Block;
  readonly next: Environment | null;
  private readonly type_table = new Map<string, Type>();
  private readonly value_table = new Map<string, SugaredValue>();
  /** Only the outermost frame's is used: why a variable that some branch sets is not defined behind the branches. */
  private readonly error_messages = new Map<string, string>();

  constructor(method: GraphFunction, resolver: Resolver, b: Block, next: Environment | null) {
    this.method = method;
    this.resolver = resolver;
    this.b = b;
    this.next = next;
  }

  block(): Block {
    return this.b;
  }

  private outermost(): Environment {
    let runner: Environment = this;
    while (runner.next !== null) runner = runner.next;
    return runner;
  }

  /** Remembers an error that is told if the variable is used later. */
  setVariableTypeError(name: string, message: string): void {
    this.outermost().error_messages.set(name, message);
  }

  private insertLoad(name: string, type: Type): SugaredValue {
    const graph = this.b.owningGraph();
    const load = graph.insertNode(graph.createLoad(name, type)).output();
    if (meaningfulName(name)) load.setDebugName(name);
    return new SimpleValue(load);
  }

  findInThisFrame(name: string): SugaredValue | null {
    const value = this.value_table.get(name);
    if (value !== undefined) return value;
    const type = this.type_table.get(name);
    return type === undefined ? null : this.insertLoad(name, type);
  }

  findInParentFrame(name: string): SugaredValue | null {
    return this.next?.findInAnyFrame(name) ?? null;
  }

  /** The variable, read by a new Load at the insert point. */
  findInAnyFrame(name: string): SugaredValue | null {
    for (let runner: Environment | null = this; runner !== null; runner = runner.next) {
      const found = runner.findInThisFrame(name);
      if (found !== null) return found;
    }
    return null;
  }

  setType(name: string, type: Type): void {
    this.type_table.set(name, type);
  }

  setVar(loc: SourceRange, name: string, value: Value): void {
    this.setSugaredVar(loc, name, new SimpleValue(value), null);
  }

  setSugaredVar(loc: SourceRange, name: string, value: SugaredValue, annotated_type: Type | null): void {
    let simple = asSimple(value);
    // A value of another block keeps its name: outside, the variable may have another value.
    if (simple !== null && !simple.hasDebugName() && meaningfulName(name) && simple.node().owningBlock() === this.b) {
      simple.setDebugName(name);
    }
    const parent = this.findInParentFrame(name);
    if (parent !== null) simple = this.convertToOuter(loc, name, { value, simple, parent }, annotated_type);
    if (simple === null) {
      this.value_table.set(name, value);
      return;
    }
    if (annotated_type !== null && !simple.type().isSubtypeOf(annotated_type)) {
      throw new ErrorReport(
        loc,
        `Variable '${name}' is annotated with type ${annotated_type.repr_str()}`,
        ` but is being assigned to a value of type ${simple.type().repr_str()}`,
      );
    }
    const graph = this.b.owningGraph();
    graph.insertNode(graph.createStore(name, simple)).setSourceRange(loc);
    this.type_table.set(name, annotated_type ?? simple.type());
  }

  /** A variable of an outer block keeps its type: the new value is converted to it. */
  private convertToOuter(
    loc: SourceRange,
    name: string,
    { value, simple, parent }: { value: SugaredValue; simple: Value | null; parent: SugaredValue },
    annotated_type: Type | null,
  ): Value {
    if (annotated_type !== null) {
      throw new ErrorReport(
        loc,
        `Attempting to declare and annotate the type of variable '${name}' but it is already defined in an outer block`,
      );
    }
    const only = "is not a first-class value.  Only reassignments to first-class values are allowed";
    if (simple === null) {
      throw new ErrorReport(
        loc,
        `Cannot re-assign '${name}' to a value of type ${value.kind()} because ${name} ${only}`,
      );
    }
    const simple_parent = asSimple(parent);
    if (simple_parent === null) {
      throw new ErrorReport(loc, `Cannot re-assign '${name}' because it has type ${value.kind()} and ${name} ${only}`);
    }
    const parent_type = unshapedType(simple_parent.type());
    const converted = tryConvertToType(loc, this.b.owningGraph(), parent_type, simple, true);
    const why_not: string[] = [];
    if (!converted.type().isSubtypeOfExt(parent_type, why_not)) {
      const lists = simple_parent.type().kind() === "ListType" && converted.type().kind() === "ListType";
      throw new ErrorReport(
        loc,
        `Variable '${name}' previously had type ${simple_parent.type().repr_str()}`,
        ` but is now being assigned to a value of type ${converted.type().repr_str()}`,
        lists ? EMPTY_LISTS : "",
        `\n${why_not.join("")}`,
      );
    }
    return converted;
  }

  /** The meaning of a name: a variable, a name of the language, or what the resolver knows. @throws ErrorReport if nothing */
  getSugaredVar(name: string, loc: SourceRange): SugaredValue {
    const known = this.findInAnyFrame(name) ?? globals().get(name);
    if (known !== undefined) return known;
    const type = this.resolver.resolveType(name, loc);
    if (type instanceof NamedTupleType) return new NamedTupleConstructor(type);
    const value = this.resolver.resolveValue(name, this.method, loc);
    if (value !== null) return value;
    if (type instanceof ClassType) return new ClassValue(type);
    return this.throwVarNotFoundError(name, loc);
  }

  private throwVarNotFoundError(name: string, loc: SourceRange): never {
    const message = this.outermost().error_messages.get(name);
    if (message !== undefined) throw new ErrorReport(loc, message, "and was used here");
    throw new ErrorReport(loc, "undefined value ", name);
  }

  getVar(name: string, loc: SourceRange): Value {
    return this.getSugaredVar(name, loc).asValue(loc, this.method);
  }

  /** `del name`. As in PyTorch, only the outermost frame decides whether there was such a variable. */
  removeVar(name: string, loc: SourceRange): void {
    let removed = false;
    for (let runner: Environment | null = this; runner !== null; runner = runner.next) {
      const value = runner.value_table.delete(name);
      const type = runner.type_table.delete(name);
      removed = value || type;
    }
    if (!removed) this.throwVarNotFoundError(name, loc);
  }

  definedVariables(): string[] {
    return [...this.type_table.keys()];
  }
}
