/**
 * @file A graph: one function in static single assignment form, and the point at which new nodes are inserted.
 * @mirrors torch/csrc/jit/ir/ir.cpp#Graph
 *
 * The mechanism in miniature:
 *
 *     graph(%x : Tensor, %n : int):              an input is an output of the graph's prim::Param
 *       %2 : Tensor = aten::mul(%x, %n)          a node: kind, inputs, outputs
 *       %3 : bool = aten::gt(%n, %n)
 *       %4 : Tensor = prim::If(%3)               a node with two blocks: what they give is what it gives
 *         block0():
 *           -> (%2)
 *         block1():
 *           -> (%x)
 *       return (%4)                              an output is an input of the graph's prim::Return
 *
 * A value is defined once and stands before its uses; a block sees the values of the blocks around it. So every question about data is
 * answered by two links: `value.node()` leads to what computes it, `value.uses()` to those who read it.
 */
import type { ClassType } from "#aten/core/class_type";
import type { EnumType } from "#aten/core/enum_type";
import { type Function, FunctionType } from "#aten/core/function";
import { IValue } from "#aten/core/ivalue";
import {
  BoolType,
  ComplexType,
  DictType,
  FloatType,
  IntType,
  ListType,
  NoneType,
  StringType,
  TupleType,
  type Type,
} from "#aten/core/jit_type";
import { fromNumberType } from "#aten/core/tensor_type";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { SourceRange } from "../../frontend/source_range.ts";
import { insertConstant } from "../constants.ts";
import { Scope } from "../scope.ts";
import { Block } from "./block.ts";
import { lintGraph } from "./lint.ts";
import { Node } from "./node.ts";
import { printGraph, printNode } from "./print.ts";
import type { Value } from "./value.ts";

/** Names of values, and the last suffix that each base name got. */
export interface Naming {
  readonly names: Map<string, Value>;
  readonly suffixes: Map<string, number>;
}

export class Graph {
  private next_unique_ = 0;
  private readonly naming_: Naming = { names: new Map(), suffixes: new Map() };
  private readonly all_nodes_ = new Set<Node>();
  private current_scope_: Scope;
  private readonly block_: Block;
  private insert_before_: Node;
  private op_version_: number | null = null;

  constructor(scope_root: Scope = new Scope()) {
    this.current_scope_ = scope_root;
    this.block_ = new Block(this, null);
    this.insert_before_ = this.block_.return_node();
  }

  inputs(): readonly Value[] {
    return this.block_.inputs();
  }
  outputs(): readonly Value[] {
    return this.block_.outputs();
  }
  nodes(): Node[] {
    return this.block_.nodes();
  }
  param_node(): Node {
    return this.block_.param_node();
  }
  return_node(): Node {
    return this.block_.return_node();
  }
  block(): Block {
    return this.block_;
  }
  /** Values by name. */
  debugNames(): ReadonlyMap<string, Value> {
    return this.naming_.names;
  }
  naming(): Naming {
    return this.naming_;
  }
  nextUnique(): number {
    return this.next_unique_++;
  }
  /** All nodes that were made and not destroyed, also those in no list. */
  all_nodes(): ReadonlySet<Node> {
    return this.all_nodes_;
  }
  addToAll(node: Node): void {
    this.all_nodes_.add(node);
  }
  freeNode(node: Node): void {
    TORCH_INTERNAL_ASSERT(this.all_nodes_.delete(node));
  }

  // Scopes

  current_scope(): Scope {
    return this.current_scope_;
  }
  set_current_scope(scope: Scope): void {
    this.current_scope_ = scope;
  }
  /** Enters a module of a trace: a block of its own. */
  push_scope(scope_name: string): void {
    this.current_scope_ = this.current_scope_.push(scope_name);
    const node = this.insertNode(this.create("prim::TracedModuleForward", 0)).s_("scope", scope_name);
    this.setInsertPoint(node.addBlock());
  }
  pop_scope(): void {
    this.current_scope_ = this.current_scope_.parent();
    const owner = this.insert_before_.owningBlock().owningNode();
    if (owner?.kind() === "prim::TracedModuleForward") this.setInsertPoint(owner.next());
  }
  set_op_version(version: number | null): void {
    this.op_version_ = version;
  }
  get_op_version(): number | null {
    return this.op_version_;
  }

  // Inputs, outputs, places

  addInput(name = ""): Value {
    return this.block_.addInput(name);
  }
  insertInput(i: number, name = ""): Value {
    return this.block_.insertInput(i, name);
  }
  eraseInput(i: number): void {
    this.block_.eraseInput(i);
  }
  registerOutput(value: Value): number {
    return this.block_.registerOutput(value);
  }
  eraseOutput(i: number): void {
    this.block_.eraseOutput(i);
  }
  appendNode(node: Node): Node {
    return this.block_.appendNode(node);
  }
  prependNode(node: Node): Node {
    return this.block_.prependNode(node);
  }
  /** Inserts at the insert point. */
  insertNode(node: Node): Node {
    TORCH_INTERNAL_ASSERT(this.insert_before_.inBlockList(), "insert point node is no longer in a block list");
    return node.insertBefore(this.insert_before_);
  }
  /** New nodes go before a node, or to the end of a block. */
  setInsertPoint(where: Node | Block): void {
    const node = where instanceof Block ? where.return_node() : where;
    TORCH_INTERNAL_ASSERT(node.owningGraph() === this && node.inBlockList());
    this.insert_before_ = node;
  }
  insertPoint(): Node {
    return this.insert_before_;
  }

  // Making nodes

  create(kind: string, num_outputs?: number): Node;
  create(kind: string, inputs: readonly Value[], num_outputs?: number): Node;
  create(kind: string, inputs: readonly Value[] | number = [], num_outputs = 1): Node {
    const node = new Node(this, kind);
    const count = typeof inputs === "number" ? inputs : num_outputs;
    for (let i = 0; i < count; i++) node.addOutput();
    if (typeof inputs !== "number") for (const input of inputs) node.addInput(input);
    return node;
  }
  createNone(): Node {
    const node = this.create("prim::Constant");
    node.output().setType(NoneType);
    return node;
  }
  createAutogradZero(): Node {
    return this.create("prim::AutogradZero");
  }
  createUninitialized(type: Type): Node {
    const node = this.create("prim::Uninitialized");
    node.output().setType(type);
    return node;
  }
  createWithSubgraph(kind: string): Node {
    return this.create(kind, 0).g_("Subgraph", new Graph(this.current_scope_));
  }
  createDifferentiableSubgraph(): Node {
    return this.createWithSubgraph("prim::DifferentiableGraph");
  }
  /** @param named_tuple the type of a NamedTuple; without it the elements' types make the type */
  createTuple(values: readonly Value[], named_tuple: Type | null = null): Node {
    const node = this.create("prim::TupleConstruct", values);
    node.output().setType(named_tuple ?? TupleType.create(values.map((value) => value.type())));
    return node;
  }
  createTupleUnpack(value: Value): Node {
    const node = this.create("prim::TupleUnpack", [value], 0);
    for (const element of expect(value.type(), "TupleType").containedTypes()) node.addOutput().setType(element);
    return node;
  }
  createTupleIndex(tuple: Value, index: Value, output_type: Type): Node {
    const node = this.create("prim::TupleIndex", [tuple, index]);
    node.output().setType(output_type);
    return node;
  }
  createTupleSlice(tuple: Value, begin: number, step_size: number, num_values: number): Node {
    const elements = expect(tuple.type(), "TupleType").containedTypes();
    const values: Value[] = [];
    for (let j = 0, i = begin; j < num_values; j++, i += step_size) {
      const index = this.insertConstant(IValue.fromInt(i));
      values.push(this.insertNode(this.createTupleIndex(tuple, index, elements[i])).output());
    }
    return this.createTuple(values);
  }
  createEnumName(value: Value): Node {
    expect(value.type(), "EnumType");
    const node = this.create("prim::EnumName", [value]);
    node.output().setType(StringType);
    return node;
  }
  createEnumValue(value: Value): Node {
    const node = this.create("prim::EnumValue", [value]);
    node.output().setType((expect(value.type(), "EnumType") as EnumType).getValueType());
    return node;
  }
  createList(contained_type: Type, values: readonly Value[]): Node {
    const node = this.create("prim::ListConstruct", values);
    for (const value of values) {
      TORCH_CHECK(
        value.type().isSubtypeOf(contained_type),
        `Expected a list element that subtypes '${contained_type.repr_str()}' but got an element of type '${value.type().repr_str()}'`,
      );
    }
    node.output().setType(ListType.create(contained_type));
    return node;
  }
  createListUnpack(value: Value, size: number): Node {
    const element = expect(value.type(), "ListType").containedType();
    const node = this.create("prim::ListUnpack", [value], 0);
    for (let i = 0; i < size; i++) node.addOutput().setType(element);
    return node;
  }
  createDict(key_type: Type, value_type: Type, keys: readonly Value[], values: readonly Value[]): Node {
    TORCH_INTERNAL_ASSERT(keys.length === values.length);
    const node = this.create("prim::DictConstruct", 1);
    for (const [i, key] of keys.entries()) {
      TORCH_INTERNAL_ASSERT(key.type().isSubtypeOf(key_type) && values[i].type().isSubtypeOf(value_type));
      node.addInput(key);
      node.addInput(values[i]);
    }
    node.output().setType(DictType.create(key_type, value_type));
    return node;
  }
  createNumToTensor(value: Value): Node {
    const node = this.create("prim::NumToTensor", [value]);
    node.output().setType(fromNumberType(value.type()));
    return node;
  }
  createObject(type: ClassType): Node {
    const node = this.create("prim::CreateObject");
    node.output().setType(type);
    return node;
  }
  createSetAttr(object: Value, field: string, value: Value): Node {
    return this.create("prim::SetAttr", [object, value], 0).s_("name", field);
  }
  createGetAttr(object: Value, field: string): Node {
    const type = expect(object.type(), "ClassType") as ClassType;
    const node = this.create("prim::GetAttr", [object], 1).s_("name", field);
    node.output().setType(type.getAttribute(field));
    // A field of a Sequential is a number, which is no name.
    node.output().setDebugName(/^[0-9]*$/.test(field) ? `_${field}` : field);
    return node;
  }
  insertGetAttr(object: Value, field: string): Value {
    return this.insertNode(this.createGetAttr(object, field)).output();
  }
  createStore(name: string, value: Value): Node {
    return this.create("prim::Store", [value], 0).s_("name", name);
  }
  createLoad(name: string, type: Type): Node {
    const node = this.create("prim::Load", [], 1).s_("name", name);
    node.output().setType(type);
    return node;
  }
  createIsInstance(value: Value, types: readonly Type[]): Node {
    const node = this.create("prim::isinstance", [value], 1).tys_("types", types);
    node.output().setType(BoolType);
    return node;
  }
  insertUncheckedCast(value: Value, type: Type): Value {
    return this.insertNode(this.create("prim::unchecked_cast", [value]))
      .output()
      .setType(type);
  }
  /** `x.tolist()` with the type that the program annotates: nested lists of one kind of number. */
  insertToList(value: Value, type: Type): Value {
    let dim = 0;
    let element = type;
    for (; element.kind() === "ListType"; element = element.containedType()) dim++;
    const elem_ty = [IntType, FloatType, BoolType, ComplexType].indexOf(element);
    TORCH_CHECK(
      elem_ty >= 0,
      element.repr_str(),
      " is not one of the supported element types for tolist: int, float, complex, bool",
    );
    const dim_val = this.insertConstant(IValue.fromInt(dim));
    const elem_ty_val = this.insertConstant(IValue.fromInt(elem_ty));
    const node = this.insertNode(this.create("prim::tolist", [value, dim_val, elem_ty_val]));
    return node.output().setType(type);
  }
  /** A call of a function whose arguments were matched to its schema. */
  insertFunctionCall(callee: Function, matched: MatchedCall): Value {
    const fn = this.insertNode(this.create("prim::Constant"))
      .s_("name", callee.name())
      .output()
      .setType(FunctionType.create(callee));
    return this.insertNode(this.create("prim::CallFunction", [fn, ...matched.inputs]))
      .output()
      .setType(matched.return_types[0]);
  }
  insertMethodCall(method_name: string, matched: MatchedCall): Value {
    return this.insertNode(this.create("prim::CallMethod", matched.inputs))
      .s_("name", method_name)
      .output()
      .setType(matched.return_types[0]);
  }
  /**
   * A copy of a node of this or another graph, in no list yet.
   * @param value_map Gives the value of this graph that stands for an input.
   */
  createClone(node: Node, value_map: (value: Value) => Value, copy_blocks = true): Node {
    const copy = node.allocNewInstance(this);
    for (const output of node.outputs()) copy.addOutput().copyMetadata(output);
    copy.cloneFrom(node);
    for (const input of node.inputs()) copy.addInput(value_map(input));
    if (copy_blocks) for (const block of node.blocks()) copy.addBlock().cloneFrom(block, value_map);
    return copy;
  }
  /** @throws {RuntimeError} if the value cannot be a constant */
  insertConstant(value: IValue, range: SourceRange | null = null, scope: Scope | null = null): Value {
    return insertConstant(this, value, range, scope);
  }

  // The whole graph

  /** A graph with the same nodes, numbered anew. */
  copy(): Graph {
    const graph = new Graph();
    graph.block().cloneFrom(this.block_, (value) => {
      throw new RuntimeError(`Graph::copy() encountered a use of a value ${value.debugName()} not in scope. Run lint!`);
    });
    return graph;
  }
  remapTypes(type_map: (type: Type) => Type): void {
    this.block_.remapTypes(type_map);
  }
  /** @throws {RuntimeError} if a link between nodes and values is broken, or a value is used before it is defined */
  lint(): void {
    lintGraph(this);
  }
  /** @param print_source_ranges Whether lines of the outermost block end with `# file:line:column`; those inside blocks always do. */
  toString(print_source_ranges = true): string {
    return printGraph(this, print_source_ranges);
  }
  printNode(node: Node): string {
    return printNode(node);
  }
}

/** The inputs of a call, in the order of the schema, and the types of its results. */
export interface MatchedCall {
  readonly inputs: readonly Value[];
  readonly return_types: readonly Type[];
}

/** @throws {RuntimeError} if the type is of another kind */
function expect(type: Type, kind: string): Type {
  TORCH_INTERNAL_ASSERT(type.kind() === kind, `Expected ${kind} but got ${type.kind()}`);
  return type;
}

/** Runs `body` with another insert point, and puts the old one back. */
export function withInsertPoint<T>(where: Node | Block, body: () => T): T {
  const graph = where.owningGraph();
  const guard = new WithInsertPoint(where);
  try {
    return body();
  } finally {
    guard.restore();
    TORCH_INTERNAL_ASSERT(graph.insertPoint().owningGraph() === graph);
  }
}

/** Sets the insert point until `restore()`. */
export class WithInsertPoint {
  private readonly prev_: Node;

  constructor(where: Node | Block) {
    const graph = where.owningGraph();
    this.prev_ = graph.insertPoint();
    graph.setInsertPoint(where);
  }
  restore(): void {
    this.prev_.owningGraph().setInsertPoint(this.prev_);
  }
}

/** Sets the scope of new nodes until `restore()`. */
export class WithCurrentScope {
  private readonly graph_: Graph;
  private readonly prev_scope_: Scope;

  constructor(graph: Graph, scope: Scope) {
    this.graph_ = graph;
    this.prev_scope_ = graph.current_scope();
    graph.set_current_scope(scope);
  }
  restore(): void {
    this.graph_.set_current_scope(this.prev_scope_);
  }
}

/** The elements of a tuple value: the inputs of the node that made it, or the outputs of a new prim::TupleUnpack. */
export function createTupleUnpack(value: Value): readonly Value[] {
  if (value.node().kind() === "prim::TupleConstruct") return value.node().inputs();
  const graph = value.owningGraph();
  return graph.insertNode(graph.createTupleUnpack(value)).outputs();
}

/**
 * Copies the nodes of `callee` to the insert point.
 * @param inputs Values that stand for the inputs of `callee`.
 * @param value_map Receives the copy of each value.
 * @returns the values that stand for its outputs
 */
export function insertGraph(
  graph: Graph,
  callee: Graph,
  inputs: readonly Value[],
  value_map: Map<Value, Value> = new Map(),
): Value[] {
  const find = (value: Value): Value => value_map.get(value) as Value;
  TORCH_INTERNAL_ASSERT(callee.inputs().length === inputs.length);
  for (const [i, input] of inputs.entries()) value_map.set(callee.inputs()[i], input);
  for (const node of callee.nodes()) {
    const copy = graph.insertNode(graph.createClone(node, find));
    for (const [i, output] of node.outputs().entries()) value_map.set(output, copy.output(i));
  }
  return callee.outputs().map(find);
}

/** If the only value is a tuple, its elements. */
export function unpackOutputs(outputs: readonly Value[]): readonly Value[] {
  if (outputs.length !== 1 || outputs[0].type().kind() !== "TupleType") return outputs;
  return createTupleUnpack(outputs[0]);
}

/** The nodes of a kind in a block; with `recurse`, also in the blocks inside, after the node that has them. */
export function findAllNodes(where: Graph | Block | readonly Block[], kind: string, recurse: boolean): Node[] {
  const blocks = where instanceof Graph ? [where.block()] : where instanceof Block ? [where] : where;
  const found: Node[] = [];
  for (const block of blocks) {
    for (const node of block.nodes()) {
      if (node.kind() === kind) found.push(node);
      if (recurse) found.push(...findAllNodes(node.blocks(), kind, recurse));
    }
  }
  return found;
}
