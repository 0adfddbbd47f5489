/**
 * @file The operators that a TorchScript program can call: those of the dispatcher, and behind them TorchScript's own.
 * @mirrors torch/csrc/jit/runtime/operator.cpp
 * @differs `findSimilarOperators` sorts equally similar names; in PyTorch they have the order of a hash table.
 *
 * The mechanism in miniature: a name has a list of overloads. The list begins with the dispatcher's operators, in the order of
 * overload_order.yaml. Then come TorchScript's own, in the order of prim_ops.yaml. A call takes the first overload that its arguments fit, so
 * this order is part of the language. A schema is parsed when its name is looked up first.
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { type AliasAnalysisKind, FunctionSchema } from "#aten/core/function_schema";
import { parseSchema } from "#aten/core/function_schema_parser";
import type { Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import type { Stack } from "#aten/core/stack";
import { NotImplementedError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ComputeEditDistance } from "../frontend/edit_distance.ts";
import { overload_order } from "./generated/overload_order.ts";
import { type PrimOp, prim_ops } from "./generated/prim_ops.ts";
import { getAllOperatorsFor as getDispatcherOperatorsFor } from "./register_c10_ops.ts";

/** Takes the arguments off the end of the stack and pushes the results. A vararg operator finds the number of its arguments on top. */
export type Operation = (stack: Stack) => void;

/** The part of a node that an operation without a schema reads: attributes, and which outputs are used. */
export interface OperatorNode {
  kind(): string;
  i(name: string): number;
  is(name: string): readonly number[];
  tys(name: string): readonly Type[];
  g(name: string): unknown;
  outputs(): readonly { hasUses(): boolean }[];
}

/** Makes an operation for one node. */
export type OperationCreator = (node: OperatorNode) => Operation;

export class Operator {
  private readonly schema_: FunctionSchema;
  private readonly handle_: OperatorHandle | null;
  private readonly op_: Operation | null;
  private readonly creator_: OperationCreator | null;

  private constructor(
    schema: FunctionSchema,
    handle: OperatorHandle | null,
    op: Operation | null,
    creator: OperationCreator | null,
  ) {
    this.schema_ = schema;
    this.handle_ = handle;
    this.op_ = op;
    this.creator_ = creator;
  }

  static ofDispatcher(handle: OperatorHandle): Operator {
    return new Operator(handle.schema(), handle, (stack) => handle.callBoxed(stack), null);
  }
  static ofOperation(schema: FunctionSchema, op: Operation): Operator {
    return new Operator(schema, null, op, null);
  }
  static ofCreator(schema: FunctionSchema, creator: OperationCreator): Operator {
    return new Operator(schema, null, null, creator);
  }

  schema(): FunctionSchema {
    return this.schema_;
  }
  isC10Op(): boolean {
    return this.handle_ !== null;
  }
  /** The dispatcher's operator. Precondition: `isC10Op()`. */
  handle(): OperatorHandle {
    TORCH_INTERNAL_ASSERT(this.handle_ !== null);
    return this.handle_;
  }
  /** Whether it is the same function for every node. */
  hasOperation(): boolean {
    return this.handle_ === null && this.op_ !== null;
  }
  /** @param node the calling node; an operation without a schema reads its attributes */
  getOperation(node: OperatorNode | null = null): Operation {
    if (this.op_ !== null) return this.op_;
    TORCH_INTERNAL_ASSERT(this.creator_ !== null && node !== null, "getOperation() needs the calling node");
    return this.creator_(node);
  }
  aliasAnalysisKind(): AliasAnalysisKind {
    const kind = this.schema_.aliasAnalysis();
    TORCH_CHECK(
      kind === "FROM_SCHEMA" || !this.schema_.hasAnyAliasInfo(),
      "In operator registration: Tried to register operator ",
      this.schema_,
      " with aliasing information in the schema but without AliasAnalysisKind::FROM_SCHEMA.",
    );
    return kind;
  }
}

/** Implementations by the text of the operator name: `aten::add.int`. */
const operations = new Map<string, Operation>();
const creators = new Map<string, OperationCreator>();

/** Registers implementations by operator name; their schemas stand in prim_ops.yaml. */
export function register_operations(implementations: Readonly<Record<string, Operation>>): void {
  for (const [name, op] of Object.entries(implementations)) operations.set(name, op);
}

/** Registers operations that depend on the calling node. */
export function register_operation_creators(implementations: Readonly<Record<string, OperationCreator>>): void {
  for (const [name, creator] of Object.entries(implementations)) creators.set(name, creator);
}

/** Operators that were registered one by one, behind those of prim_ops.yaml. */
const registered = new Map<string, Operator[]>();

function makeOperator([text, alias_analysis]: PrimOp): Operator {
  const schema = parseSchema(text);
  schema.setAliasAnalysis(alias_analysis ?? "FROM_SCHEMA");
  const name = String(schema.operator_name());
  const op = operations.get(name);
  if (op !== undefined) return Operator.ofOperation(schema, op);
  const creator = creators.get(name);
  if (creator !== undefined) return Operator.ofCreator(schema, creator);
  return Operator.ofOperation(schema, () => {
    throw new NotImplementedError(
      `TorchScript's operator '${name}' is not built: glasstorch has nothing that it works on`,
    );
  });
}

/** Whether prim_ops.yaml's operator `name` (`aten::add.int`) does something else than refuse. */
export function isImplemented(name: string): boolean {
  return operations.has(name) || creators.has(name);
}

/** Overloads in the order in which PyTorch tries them; those that it does not know come last. */
function inOrder(name: string, operators: Operator[]): Operator[] {
  const order = overload_order[name]?.split(" ");
  if (order === undefined) return operators;
  const position = (op: Operator): number => {
    const i = order.indexOf(op.schema().overload_name() || "default");
    return i < 0 ? order.length : i;
  };
  return operators.sort((a, b) => position(a) - position(b));
}

class OperatorRegistry {
  /** Operators of a name that were made, with the dispatcher's list that they were made from. */
  private readonly operators = new Map<string, { handles: readonly OperatorHandle[]; all: readonly Operator[] }>();
  private readonly own = new Map<string, readonly Operator[]>();
  private readonly operators_by_literal = new Map<string, Operator>();

  getOperators(name: string): readonly Operator[] {
    const handles = getDispatcherOperatorsFor(name);
    const made = this.operators.get(name);
    if (made !== undefined && made.handles.length === handles.length && made.handles.every((h, i) => h === handles[i]))
      return made.all;
    const all = [
      ...inOrder(
        name,
        handles.map((handle) => Operator.ofDispatcher(handle)),
      ),
      ...this.ownOperators(name),
    ];
    this.operators.set(name, { handles: [...handles], all });
    return all;
  }

  /** TorchScript's own operators of this name. */
  private ownOperators(name: string): readonly Operator[] {
    let own = this.own.get(name);
    if (own === undefined) {
      const listed = Object.hasOwn(prim_ops, name) ? prim_ops[name] : [];
      own = [...listed.map(makeOperator), ...(registered.get(name) ?? [])];
      this.own.set(name, own);
    }
    return own;
  }

  registerOperator(op: Operator): void {
    const name = op.schema().name();
    registered.set(name, [...(registered.get(name) ?? []), op]);
    this.forget(name);
  }

  deregisterOperator(schema: FunctionSchema): void {
    const name = schema.name();
    const text = String(schema);
    registered.set(
      name,
      (registered.get(name) ?? []).filter((op) => String(op.schema()) !== text),
    );
    this.forget(name);
  }

  private forget(name: string): void {
    this.operators.delete(name);
    this.own.delete(name);
    this.operators_by_literal.clear();
  }

  lookupByLiteral(signature: string): Operator {
    let op = this.operators_by_literal.get(signature);
    if (op === undefined) {
      const schema = parseSchema(signature);
      const canonical = canonicalSchemaString(schema);
      op = this.getOperators(schema.name()).find((other) => canonicalSchemaString(other.schema()) === canonical);
      TORCH_CHECK(
        op !== undefined,
        "Couldn't find an operator for ",
        signature,
        ". Do you have to update a set of hardcoded JIT ops?",
      );
      this.operators_by_literal.set(signature, op);
    }
    return op;
  }

  names(): Set<string> {
    const of_dispatcher = Dispatcher.singleton().getAllOpNames();
    return new Set([...of_dispatcher.map(({ name }) => name), ...Object.keys(prim_ops), ...registered.keys()]);
  }

  /** Names at most two edits away, nearest first. */
  findSimilarOperators(input_op: string): string[] {
    const MAX_EDIT_DIST = 2;
    const rankings: { name: string; distance: number }[] = [];
    for (const name of this.names()) {
      const distance = ComputeEditDistance(input_op, name, MAX_EDIT_DIST);
      if (distance <= MAX_EDIT_DIST) rankings.push({ name, distance });
    }
    rankings.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
    return rankings.map(({ name }) => name);
  }

  getAllOperators(): Operator[] {
    return [...this.names()].flatMap((name) => this.getOperators(name));
  }
}

const registry = new OperatorRegistry();

/** Adds an operator behind the others of its name. */
export function registerOperator(op: Operator): void {
  registry.registerOperator(op);
}

export function deregisterOperator(schema: FunctionSchema): void {
  registry.deregisterOperator(schema);
}

export function getAllOperators(): Operator[] {
  return registry.getAllOperators();
}

/** Overloads by qualified name (`aten::add`), in the order in which a call tries them. */
export function getAllOperatorsFor(name: string): readonly Operator[] {
  return registry.getOperators(name);
}

export function findOperatorFor(full_name: OperatorName): Operator | null {
  return (
    getAllOperatorsFor(full_name.name).find((op) => op.schema().overload_name() === full_name.overload_name) ?? null
  );
}

/** Qualified names that look like `input_op`, nearest first. */
export function findSimilarOperators(input_op: string): string[] {
  return registry.findSimilarOperators(input_op);
}

/** The operator of a schema that stands in the source: `aten::relu(Tensor self) -> Tensor`. Overload name, defaults and annotations do not count. */
export function getOperatorForLiteral(signature: string): Operator {
  return registry.lookupByLiteral(signature);
}

/** The schema without what a call does not see: overload name, defaults, alias annotations. */
export function canonicalSchemaString(schema: FunctionSchema): string {
  const args: string[] = [];
  let seen_kwarg_only = false;
  for (const argument of schema.arguments()) {
    const star = argument.kwarg_only() && !seen_kwarg_only;
    seen_kwarg_only ||= argument.kwarg_only();
    args.push(`${star ? "*, " : ""}${argument.type().str()} ${argument.name()}`);
  }
  const returns = schema.returns().map((ret) => ret.type().str());
  return `${schema.name()}(${args.join(", ")}) -> ${returns.length > 1 ? `(${returns.join(", ")})` : returns.join("")}`;
}

/** The schema of an operator that tells its arguments and results only through the node that calls it. */
export function varArgSchemaWithName(name: string): FunctionSchema {
  return new FunctionSchema(new OperatorName(name), [], [], true, true);
}

const alias_analysis_special_cases: ReadonlySet<string> = new Set(
  [
    ...[
      "If",
      "Loop",
      "FusionGroup",
      "DifferentiableGraph",
      "TensorExprGroup",
      "TensorExprDynamicGroup",
      "StaticSubgraph",
    ],
    ...[
      "FunctionalGraph",
      "Constant",
      "Uninitialized",
      "DictConstruct",
      "ListConstruct",
      "TupleConstruct",
      "AutogradZero",
    ],
    ...[
      "FusedConcat",
      "GradOf",
      "MMTreeReduce",
      "MMBatchSide",
      "BroadcastSizes",
      "ChunkSizes",
      "Closure",
      "TupleUnpack",
    ],
    ...[
      "TupleIndex",
      "TupleSlice",
      "ListUnpack",
      "PythonOp",
      "ConstantChunk",
      "BroadcastingChunk",
      "fork",
      "CreateObject",
    ],
    ...["AutogradAdd", "GetAttr", "SetAttr", "profile", "profile_ivalue", "TypeCheck", "RequiresGradCheck", "Print"],
    ...["CallFunction", "CallMethod", "isinstance", "unchecked_cast", "tolist", "rpc_async", "rpc_sync", "rpc_remote"],
    ...["Enter", "Exit", "FallbackGraph", "awaitable", "awaitable_nowait", "awaitable_wait"],
    ...["Load", "Store", "Drop"], // no alias analysis meets them
  ].map((name) => `prim::${name}`),
);

/** Whether AliasDb has code of its own for nodes of this kind. */
export function aliasAnalysisHasSpecialCaseFor(kind: string): boolean {
  return alias_analysis_special_cases.has(kind) || kind === "aten::wait";
}
