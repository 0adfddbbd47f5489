/**
 * @file Finds the overload that a call means, converts its arguments, and emits the node.
 * @mirrors torch/csrc/jit/frontend/schema_matching.h
 * @differs Operators of older archives are not upgraded here; PyTorch also tries schemas of the archive's version.
 */
import { Argument, type FunctionSchema } from "#aten/core/function_schema";
import { isInferredType } from "#aten/core/inferred_type";
import type { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { matchTypeVariables, type TypeEnv, tryEvalTypeVariables } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { createTupleUnpack, type Graph, type Value } from "../ir/ir.ts";
import { NamedValue } from "../ir/named_value.ts";
import { findSimilarOperators, getAllOperatorsFor } from "../runtime/operator.ts";
import { getAllBuiltinFunctionsFor } from "./builtin_registry.ts";
import { ErrorReport } from "./error_report.ts";
import type { SourceRange } from "./source_range.ts";

// An idea in miniature, for `torch.add(x, 2)`:
//
//   the overloads of aten::add stand in the order of their registration: Tensor, Scalar, out, ...
//   round 1, without conversions: Tensor refuses an int for `other`, Scalar takes it. Its default alpha becomes a constant;
//   round 2, with conversions (a tensor for an int, numbers for a list), is reached only if round 1 finds none.
//
// What a failed attempt has put into the graph, such as the constant of a default, stays there without use and keeps its
// number. Clean-up removes it later.

/** A schema that fits, with the values for its arguments. */
export interface MatchedSchema {
  readonly inputs: readonly Value[];
  readonly return_types: readonly Type[];
  /** Null unless every return has a name. */
  readonly return_field_names: readonly string[] | null;
}

/** Collects why schemas do not fit; null if nobody will read it. */
type Failures = string[] | null;

function unwrapOptional(type: Type): Type {
  return type.kind() === "OptionalType" ? type.containedType() : type;
}

/** Whether a number stands for a list of N equal ones: `3` for `int[2]`. */
function isIntOrFloatUsedAsList(value: Value, arg: Argument): boolean {
  const type = value.type();
  if (type !== types.FloatType && type !== types.IntType) return false;
  const arg_type = unwrapOptional(arg.type());
  return arg_type.kind() === "ListType" && arg_type.containedType() === type && arg.N() !== null;
}

/** Whether a value of `type` can become a list of this type: it is one, or a tuple whose elements all fit. */
export function convertibleToList(type: Type, list_type: Type): boolean {
  if (list_type.kind() !== "ListType") return false;
  if (type.isSubtypeOf(list_type)) return true;
  return type.kind() === "TupleType" && type.containedTypes().every((t) => t.isSubtypeOf(list_type.containedType()));
}

/** The range of nodes that nobody wrote. */
interface Place {
  readonly loc: SourceRange;
  readonly graph: Graph;
}

/**
 * Emits what turns `value` into `concrete_type` as far as that is allowed without a word in the program. The result may be of
 * another type still; the caller checks it.
 */
export function tryConvertToType(
  loc: SourceRange,
  graph: Graph,
  concrete_type: Type,
  input: Value,
  allow_conversions: boolean,
): Value {
  let value = input;
  if (
    concrete_type.kind() === "OptionalType" &&
    value.type().kind() !== "OptionalType" &&
    !value.type().isSubtypeOf(types.NoneType)
  ) {
    return tryConvertToType(loc, graph, concrete_type.containedType(), value, allow_conversions);
  }
  // A literal `[]` that nobody has named may become a list of any type.
  if (value.node().kind() === "prim::EmptyListLiteral" && concrete_type.kind() === "ListType") {
    value = graph.insertNode(graph.createList(concrete_type.containedType(), [])).output();
  }
  const value_type = value.type();
  if (value_type.kind() === "TupleType") {
    if (convertibleToList(value_type, unwrapOptional(concrete_type))) {
      const unpacked = createTupleUnpack(value);
      const element = unwrapOptional(concrete_type).containedType();
      value = graph.insertNode(graph.createList(element, unpacked)).output();
    }
    if (
      concrete_type.kind() === "TupleType" &&
      !value_type.isSubtypeOf(concrete_type) &&
      concrete_type.containedTypes().length === value_type.containedTypes().length
    ) {
      const converted = createTupleUnpack(value).map((element, i) =>
        tryConvertToType(loc, graph, concrete_type.containedType(i), element, allow_conversions),
      );
      value = graph.insertNode(graph.createTuple(converted)).output();
    }
  }
  return allow_conversions ? convertImplicitly({ loc, graph }, concrete_type, value) : value;
}

const conversionsOfTensors = new Map<Type, string>([
  [types.FloatType, "aten::FloatImplicit"],
  [types.ComplexType, "aten::ComplexImplicit"],
  [types.IntType, "aten::IntImplicit"],
  [types.NumberType, "aten::ScalarImplicit"],
]);
const conversionsOfNumbers = new Map<Type, string>([
  [types.FloatType, "aten::Float"],
  [types.ComplexType, "aten::Complex"],
  [types.IntType, "aten::Int"],
]);
const conversionsOfBools = new Map<Type, string>([
  [types.FloatType, "aten::Float"],
  [types.IntType, "aten::Int"],
  [types.NumberType, "aten::Int"],
]);

function convertImplicitly({ loc, graph }: Place, concrete_type: Type, value: Value): Value {
  const type = value.type();
  const conversions = type.isSubtypeOf(types.TensorType)
    ? conversionsOfTensors
    : type === types.NumberType
      ? conversionsOfNumbers
      : type === types.BoolType
        ? conversionsOfBools
        : null;
  const conversion = conversions?.get(concrete_type);
  const converted = conversion === undefined ? value : insert(graph, conversion, [value], [], loc);
  if (converted.type().isSubtypeOf(types.StringType) && concrete_type.isSubtypeOf(types.DeviceObjType)) {
    return insert(graph, "aten::device", [converted], [], loc);
  }
  return converted;
}

/** The mismatch of an argument's type, as one line. */
function formatTypeMismatchMsg(arg: Argument, actual: string): string {
  const expected = `Expected a value of type '${arg.type().repr_str()}' for argument '${arg.name()}'`;
  return `${expected} but instead found type '${actual}'.\n${
    isInferredType(arg.type())
      ? `Inferred '${arg.name()}' to be of type 'Tensor' because it was not annotated with an explicit type.\n`
      : ""
  }`;
}

const EMPTY_LISTS =
  "Empty lists default to List[Tensor]. Add a variable annotation to the assignment to create an empty list of another type (torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)";

function named(arg: NamedValue | Value | IValue): NamedValue {
  return arg instanceof NamedValue ? arg : new NamedValue(arg);
}

/** One attempt to fit arguments to a schema. */
class SchemaMatcher {
  private readonly schema: FunctionSchema;
  private readonly loc: SourceRange;
  private readonly graph: Graph;
  private readonly failures: Failures;
  private readonly allow_conversions: boolean;
  private readonly type_env: TypeEnv = new Map();

  constructor(schema: FunctionSchema, { loc, graph }: Place, failures: Failures, allow_conversions: boolean) {
    this.schema = schema;
    this.loc = loc;
    this.graph = graph;
    this.failures = failures;
    this.allow_conversions = allow_conversions;
  }

  match(
    args: readonly NamedValue[],
    kwargs: readonly NamedValue[],
    given_self: NamedValue | null,
  ): MatchedSchema | null {
    const { schema, graph } = this;
    const inputs: Value[] = [];
    const used_kwarg = kwargs.map(() => false);
    const is_aten = schema.getNamespace() === "aten";
    let self = given_self;
    let used_args = 0;
    for (const [i, arg] of schema.arguments().entries()) {
      let actual: NamedValue;
      if (arg.name() === "self" && self !== null) {
        actual = self;
        self = null;
      } else if (!arg.kwarg_only() && used_args < args.length) {
        if (this.allow_conversions && this.varargsCanBeUsedAsList(i, arg)) {
          const type = args[used_args].value(graph).type();
          const list_type = unwrapOptional(arg.type());
          if (type.kind() !== "ListType" && !convertibleToList(type, list_type)) {
            const list = this.tryCreateList(list_type.containedType(), args.slice(used_args));
            if (list === null) return null;
            used_args = args.length;
            inputs.push(list);
            continue;
          }
        }
        actual = args[used_args++];
      } else {
        const kwarg = findInputWithName(arg.name(), kwargs, is_aten);
        const default_value = arg.default_value();
        if (kwarg !== null) {
          const named = kwargs[kwarg];
          if (used_kwarg[kwarg]) {
            return this.fail(`Argument ${named.name()} specified twice in schema, submit a bug report!\n`);
          }
          used_kwarg[kwarg] = true;
          actual = named;
        } else if (default_value !== null) {
          actual = new NamedValue(default_value);
        } else {
          return this.fail(`Argument ${arg.name()} not provided.\n`);
        }
      }
      const input = this.tryMatchArgument(arg, actual);
      if (input === null) return null;
      inputs.push(input);
    }
    if (self !== null) this.fail("Provided self argument not used in schema.\n");
    if (schema.is_vararg()) {
      for (; used_args < args.length; used_args++) inputs.push(args[used_args].value(graph));
    }
    if (used_args < args.length) {
      return this.fail(`Expected at most ${used_args} arguments but found ${args.length} positional arguments.\n`);
    }
    const unused = used_kwarg.indexOf(false);
    if (unused >= 0) {
      const name = kwargs[unused].name();
      const known = schema.argumentIndexWithName(name) !== null;
      return this.fail(`Keyword argument ${name} ${known ? "specified twice" : "unknown"}.\n`);
    }
    return { inputs, ...this.returns() };
  }

  private returns(): Omit<MatchedSchema, "inputs"> {
    const returns = this.schema.returns();
    const return_types = returns.map((ret) => {
      const type = tryEvalTypeVariables(ret.type(), this.type_env);
      TORCH_INTERNAL_ASSERT(type !== null, ret.type().repr_str(), " has unbound type variables.");
      return type;
    });
    const named = returns.every((ret) => ret.name() !== "");
    return { return_types, return_field_names: named ? returns.map((ret) => ret.name()) : null };
  }

  private fail(reason: string): null {
    this.failures?.push(`\n${this.schema}:\n${reason}`);
    return null;
  }

  /** Emits the value for one argument, or says why `named_value` cannot be it. */
  private tryMatchArgument(arg: Argument, named_value: NamedValue): Value | null {
    const { graph, loc, type_env } = this;
    let value = named_value.value(graph);
    if (isIntOrFloatUsedAsList(value, arg)) {
      const repeated = new Array<Value>(arg.N() ?? 0).fill(value);
      value = graph.insertNode(graph.createList(value.type(), repeated)).output();
    }
    const reason = matchTypeVariables(arg.type(), value.type(), type_env);
    if (reason !== null) {
      const match = `Could not match type ${value.type().repr_str()} to ${arg.type().repr_str()}`;
      return this.fail(`${match} in argument '${arg.name()}': ${reason}.\n`);
    }
    const concrete_type = tryEvalTypeVariables(arg.type(), type_env);
    if (concrete_type === null) {
      return this.fail(
        `Type variables in type ${arg.type().repr_str()} could not be inferred from actual type ${value.type().repr_str()}`,
      );
    }
    value = tryConvertToType(loc, graph, concrete_type, value, this.allow_conversions);
    const why_not: string[] = [];
    if (value.type().isSubtypeOfExt(concrete_type, this.failures === null ? null : why_not)) return value;
    if (this.failures !== null) this.fail(explainMismatch(arg, value.type()) + why_not.join(""));
    return null;
  }

  /** `torch.zeros(1, 2)`: the rest of the arguments as one list. */
  private tryCreateList(element: Type, varargs: readonly NamedValue[]): Value | null {
    const arg = new Argument("<varargs>", element);
    const list: Value[] = [];
    for (const named_value of varargs) {
      const value = this.tryMatchArgument(arg, named_value);
      if (value === null) return null;
      list.push(value);
    }
    return this.graph.insertNode(this.graph.createList(element, list)).output();
  }

  /** Whether the remaining arguments may be the elements of `arg`, the last one that is not keyword-only. */
  private varargsCanBeUsedAsList(i: number, arg: Argument): boolean {
    const next = this.schema.arguments().at(i + 1);
    const is_last = next === undefined || next.kwarg_only();
    const type = arg.type();
    return is_last && type.kind() === "ListType" && arg.N() === null && type.containedType().kind() !== "VarType";
  }
}

function explainMismatch(arg: Argument, type: Type): string {
  let text = formatTypeMismatchMsg(arg, type.repr_str());
  if (type.kind() === "TensorType" && isInferredType(type)) {
    text += `Inferred the value for argument '${arg.name()}' to be of type 'Tensor' because it was not annotated with an explicit type.\n`;
  }
  if (type.kind() === "ListType" && type.containedType().isSubtypeOf(types.TensorType)) text += `${EMPTY_LISTS}\n`;
  return text;
}

/** In a call of the functional form, `self` is called `input`. */
function findInputWithName(name: string, kwargs: readonly NamedValue[], is_aten: boolean): number | null {
  const index = kwargs.findIndex(
    (kwarg) => kwarg.name() === name || (is_aten && name === "self" && kwarg.name() === "input"),
  );
  return index < 0 ? null : index;
}

/** `x.view(torch.int8)` could not be told from `x.view(1)`: a dtype is an int in scripts. */
function isBlockListedSchema(schema: FunctionSchema): boolean {
  return schema.name() === "aten::view" && schema.overload_name() === "dtype";
}

function tryMatchSchema(
  schema: FunctionSchema,
  call: Call,
  failures: Failures,
  allow_conversions: boolean,
): MatchedSchema | null {
  if (isBlockListedSchema(schema)) return null;
  return new SchemaMatcher(schema, call, failures, allow_conversions).match(call.args, call.kwargs, call.self);
}

/** A call as it is written. */
export interface Call extends Place {
  readonly args: readonly NamedValue[];
  readonly kwargs: readonly NamedValue[];
  readonly self: NamedValue | null;
}

/** @throws ErrorReport if the schema does not fit */
export function matchSchema(schema: FunctionSchema, call: Call): MatchedSchema {
  const failures: string[] = [];
  const matched = tryMatchSchema(schema, call, failures, true);
  if (matched !== null) return matched;
  throw new ErrorReport(call.loc, failures.join(""));
}

/** Something that can be called. Its schema is read when its turn comes, because a function may have to be compiled for it. */
interface Callable {
  schema(): FunctionSchema;
}

/** The first of `schemas` that fits, and its position. @throws ErrorReport, with a reason for each, if none does */
export function matchSchemas(schemas: readonly FunctionSchema[], call: Call): [number, MatchedSchema] {
  const callables = schemas.map((schema) => ({ schema: () => schema }));
  return matchCallables(callables, call);
}

function matchCallables(callables: readonly Callable[], call: Call): [number, MatchedSchema] {
  TORCH_INTERNAL_ASSERT(callables.length > 0);
  // A single schema is tried with conversions at once, which leaves less dead code in the graph.
  if (callables.length === 1) return [0, matchSchema(callables[0].schema(), call)];
  for (const render_errors of [false, true]) {
    let failures: Failures = null;
    for (const allow_conversions of [false, true]) {
      failures = render_errors ? [] : null;
      for (const [i, callable] of callables.entries()) {
        const matched = tryMatchSchema(callable.schema(), call, failures, allow_conversions);
        if (matched !== null) return [i, matched];
      }
    }
    if (failures !== null) {
      throw new ErrorReport(
        call.loc,
        `Arguments for call are not valid.\nThe following variants are available:\n${prefixLines(failures.join(""))}\nThe original call is`,
      );
    }
  }
  TORCH_INTERNAL_ASSERT(false);
}

/** Two blanks before each line, the empty ones too, but not behind the last line break. */
function prefixLines(text: string): string {
  return text.replace(/[^\n]*\n|[^\n]+$/g, (line) => `  ${line}`);
}

/** A single output is itself; several are a tuple, with names if the schema names them. */
function packOutputs(graph: Graph, values: readonly Value[], field_names: readonly string[] | null): Value {
  if (values.length === 1) return values[0];
  const named =
    field_names === null
      ? null
      : new NamedTupleType(
          null,
          field_names,
          values.map((value) => value.type()),
        );
  return graph.insertNode(graph.createTuple(values, named)).output();
}

function emitBuiltinNode(matched: MatchedSchema, { loc, graph }: Place, name: string): Value {
  const node = graph.insertNode(graph.create(name, matched.inputs, 0)).setSourceRange(loc);
  for (const type of matched.return_types) node.addOutput().setType(type);
  node.getOperation(); // fails here, not at a run, if schema and operator disagree
  return packOutputs(graph, node.outputs(), matched.return_field_names);
}

/** Emits a call of the operator or builtin function `name`. @throws ErrorReport if there is none, or none fits */
export function emitBuiltinCall(
  loc: SourceRange,
  graph: Graph,
  name: string,
  args: readonly (NamedValue | Value)[],
  kwargs: readonly NamedValue[] = [],
  self: NamedValue | null = null,
): Value {
  const variants = getAllOperatorsFor(name);
  const functions = getAllBuiltinFunctionsFor(name);
  const callables = [...variants, ...functions];
  if (callables.length === 0) throw unknownBuiltin(loc, name);
  const call: Call = { loc, graph, args: args.map((arg) => named(arg)), kwargs, self };
  const [index, matched] = matchCallables(callables, call);
  if (index < variants.length) return emitBuiltinNode(matched, call, name);
  return functions[index - variants.length].inlineInto(graph, matched.inputs);
}

function unknownBuiltin(loc: SourceRange, name: string): ErrorReport {
  const close = findSimilarOperators(name);
  const what = `Unknown builtin op: ${name}.\n`;
  if (close.length === 0) {
    const hint = `Could not find any similar ops to ${name}. This op may not exist or may not be currently supported in TorchScript.\n`;
    return new ErrorReport(loc, what, hint);
  }
  return new ErrorReport(
    loc,
    what,
    "Here are some suggestions: \n",
    ...close.map((symbol) => `\t${symbol}\n`),
    "\nThe original call is",
  );
}

/** Emits a call that the compiler itself needs. */
export function insert(
  graph: Graph,
  name: string,
  args: readonly (NamedValue | Value | IValue)[],
  kwargs: readonly NamedValue[],
  loc: SourceRange,
): Value {
  return emitBuiltinCall(
    loc,
    graph,
    name,
    args.map((arg) => named(arg)),
    kwargs,
  );
}
