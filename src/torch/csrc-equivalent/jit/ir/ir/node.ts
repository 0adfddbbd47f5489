/**
 * @file A node: one step of a graph. It takes values, makes values, and may have attributes and blocks.
 * @mirrors torch/csrc/jit/ir/ir.cpp#Node
 * @differs A kind is a string, `aten::add`; PyTorch has interned symbols.
 */

import type { FunctionSchema } from "#aten/core/function_schema";
import type { IValue } from "#aten/core/ivalue";
import { NoneType } from "#aten/core/jit_type";
import { matchTypeVariables, print_type, type TypeEnv, tryEvalTypeVariables } from "#aten/core/type";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT, TORCH_WARN } from "#c10/util/Exception";
import { needs_owner } from "#torch/csrc-equivalent/utils/pybind";
import { ErrorReport } from "../../frontend/error_report.ts";
import { SourceRange } from "../../frontend/source_range.ts";
import { getAllOperatorsFor, getOperatorForLiteral, type Operation, type Operator } from "../../runtime/operator.ts";
import {
  type AttributeKind,
  type AttributeTypes,
  type AttributeValue,
  cloneAttribute,
  IRAttributeError,
} from "../attributes.ts";
import { toIValue } from "../constants.ts";
import type { InlinedCallStack, Scope } from "../scope.ts";
import { Block, kAppendInterval, kLowerBound, kUpperBound } from "./block.ts";
import type { Graph } from "./graph.ts";
import type { OperatorSet } from "./operator_set.ts";
import { type Use, Value } from "./value.ts";

/** Nodes with effects that no output shows. */
const kinds_with_side_effects: ReadonlySet<string> = new Set([
  "prim::PythonOp",
  "prim::IgnoredPythonOp",
  "prim::Print",
  "prim::RaiseException",
  "aten::warn",
  "aten::save",
  "aten::manual_seed",
  "prim::AddStatValue",
  "prim::TimePoint",
  "prim::CallFunction",
  "prim::CallMethod",
  "prim::BailoutTemplate",
  "prim::BailOut",
  "prim::rpc_async",
  "prim::rpc_sync",
  "prim::rpc_remote",
  "aten::wait",
  "cuda::set_stream",
  "cuda::_set_device",
  "cuda::_current_device",
  "cuda::synchronize",
  "prim::Enter",
  "prim::Exit",
]);

export class Node {
  private readonly kind_: string;
  private readonly graph_: Graph;
  private readonly inputs_: Value[] = [];
  private readonly outputs_: Value[] = [];
  private readonly blocks_: Block[] = [];
  private readonly attributes_ = new Map<string, AttributeValue>();
  private owning_block_: Block | null = null;
  private source_range_: SourceRange | null = null;
  private scope_: Scope | null;
  private callstack_: InlinedCallStack<SourceRange> | null = null;
  private historic_schema_name_: string | null = null;
  /** The operator that fits the inputs, once it was looked up. */
  private op_: Operator | null = null;
  private topo_position_ = 0;
  private next_: Node | null = null;
  private prev_: Node | null = null;

  constructor(graph: Graph, kind: string) {
    needs_owner("Node", graph, "current_scope");
    this.graph_ = graph;
    this.kind_ = kind;
    this.scope_ = graph.current_scope();
    graph.addToAll(this);
  }

  // Kind, position, origin

  kind(): string {
    return this.kind_;
  }
  next(): Node {
    return this.next_ as Node;
  }
  prev(): Node {
    return this.prev_ as Node;
  }
  owningGraph(): Graph {
    return this.graph_;
  }
  /** The block in whose list it is. Precondition: it is in one. */
  owningBlock(): Block {
    return this.owning_block_ as Block;
  }
  sourceRange(): SourceRange {
    return this.source_range_ ?? SourceRange.empty();
  }
  hasSourceRange(): boolean {
    return this.source_range_ !== null;
  }
  setSourceRange(range: SourceRange | null): this {
    this.source_range_ = range;
    return this;
  }
  scope(): Scope | null {
    return this.scope_;
  }
  setScope(scope: Scope | null): void {
    this.scope_ = scope;
  }
  scopeName(): string {
    return this.scope_?.namesFromRoot() ?? "";
  }
  callstack(): InlinedCallStack<SourceRange> | null {
    return this.callstack_;
  }
  setCallStack(callstack: InlinedCallStack<SourceRange>): void {
    this.callstack_ = callstack;
  }
  getHistoricSchemaName(): string | null {
    return this.historic_schema_name_;
  }
  setHistoricSchemaName(name: string): void {
    this.historic_schema_name_ = name;
  }
  /** Takes source range, scope and calls of another node. */
  copyMetadata(from: Node): this {
    this.source_range_ = from.source_range_;
    this.scope_ = from.scope_;
    if (from.callstack_ !== null) this.callstack_ = from.callstack_;
    return this;
  }

  // Inputs and outputs

  inputs(): readonly Value[] {
    return this.inputs_;
  }
  outputs(): readonly Value[] {
    return this.outputs_;
  }
  /** Input `i`, or the only input. */
  input(i?: number): Value {
    if (i !== undefined) {
      if (i >= this.inputs_.length) throw outOfRange(i, this.inputs_.length);
      return this.inputs_[i];
    }
    TORCH_CHECK(
      this.inputs_.length === 1,
      `Tried to access a single input on node '${this.kind_}' which has ${this.inputs_.length} outputs. You may consider using node.inputs() instead.`,
    );
    return this.inputs_[0];
  }
  /** Output `i`, or the only output. */
  output(i?: number): Value {
    if (i !== undefined) {
      if (i >= this.outputs_.length) throw outOfRange(i, this.outputs_.length);
      return this.outputs_[i];
    }
    TORCH_CHECK(
      this.outputs_.length === 1,
      `Tried to access a single output on node '${this.kind_}' which has ${this.outputs_.length} outputs. You may consider using node.outputs() instead.`,
    );
    return this.outputs_[0];
  }
  hasUses(): boolean {
    return this.outputs_.some((output) => output.hasUses());
  }
  addInput(value: Value): Value {
    TORCH_INTERNAL_ASSERT(this.graph_ === value.owningGraph());
    this.op_ = null;
    value.uses().push({ user: this, offset: this.inputs_.length });
    this.inputs_.push(value);
    return value;
  }
  insertInput(i: number, value: Value): Value {
    TORCH_INTERNAL_ASSERT(this.graph_ === value.owningGraph());
    this.op_ = null;
    // From the last to the first, so that a use is never looked up by an offset that two uses have.
    for (let j = this.inputs_.length - 1; j >= i; j--) this.findUseForInput(j).offset += 1;
    this.inputs_.splice(i, 0, value);
    value.uses().push({ user: this, offset: i });
    return value;
  }
  /** Returns the value that input `i` was before. */
  replaceInput(i: number, newValue: Value): Value {
    TORCH_INTERNAL_ASSERT(this.graph_ === newValue.owningGraph());
    this.op_ = null;
    const old = this.dropInput(i);
    this.inputs_[i] = newValue;
    newValue.uses().push({ user: this, offset: i });
    return old;
  }
  replaceInputWith(from: Value, to: Value): void {
    this.op_ = null;
    for (let i = 0; i < this.inputs_.length; i++) if (this.inputs_[i] === from) this.replaceInput(i, to);
  }
  removeInput(i: number): void {
    this.op_ = null;
    this.dropInput(i);
    for (let j = i + 1; j < this.inputs_.length; j++) this.findUseForInput(j).offset -= 1;
    this.inputs_.splice(i, 1);
  }
  removeAllInputs(): void {
    this.op_ = null;
    for (let i = 0; i < this.inputs_.length; i++) this.dropInput(i);
    this.inputs_.length = 0;
  }
  /** Input `i` becomes what input `new_order[i]` was. */
  permuteInputs(new_order: readonly number[]): void {
    this.op_ = null;
    TORCH_INTERNAL_ASSERT(new_order.length === this.inputs_.length);
    TORCH_INTERNAL_ASSERT(new Set(new_order).size === new_order.length, "Repeated index");
    const uses = new_order.map((from) => this.findUseForInput(from));
    const permuted = new_order.map((from) => this.inputs_[from]);
    for (const [i, use] of uses.entries()) {
      use.offset = i;
      this.inputs_[i] = permuted[i];
    }
  }
  addOutput(): Value {
    const value = new Value(this, this.outputs_.length);
    this.outputs_.push(value);
    this.op_ = null;
    return value;
  }
  insertOutput(i: number): Value {
    this.op_ = null;
    const value = new Value(this, i);
    this.outputs_.splice(i, 0, value);
    this.numberOutputs(i + 1);
    return value;
  }
  /** Precondition: the output has no uses. */
  eraseOutput(i: number): void {
    TORCH_INTERNAL_ASSERT(i < this.outputs_.length && !this.outputs_[i].hasUses());
    this.op_ = null;
    const [value] = this.outputs_.splice(i, 1);
    value.setDebugName("");
    this.numberOutputs(i);
  }
  removeAllOutputs(): void {
    while (this.outputs_.length > 0) this.eraseOutput(this.outputs_.length - 1);
  }
  permuteOutputs(new_order: readonly number[]): void {
    this.op_ = null;
    TORCH_INTERNAL_ASSERT(new_order.length === this.outputs_.length);
    TORCH_INTERNAL_ASSERT(new Set(new_order).size === new_order.length, "Repeated index");
    const permuted = new_order.map((from) => this.outputs_[from]);
    this.outputs_.splice(0, permuted.length, ...permuted);
    this.numberOutputs(0);
  }
  private numberOutputs(first: number): void {
    for (let i = first; i < this.outputs_.length; i++) this.outputs_[i].setOffset(i);
  }
  /** Writes the input alone; the uses are kept by the caller. */
  setInput(i: number, value: Value): void {
    this.op_ = null;
    this.inputs_[i] = value;
  }
  private findUseForInput(i: number): Use {
    const use = this.inputs_[i].uses().find(({ user, offset }) => user === this && offset === i);
    TORCH_INTERNAL_ASSERT(use !== undefined);
    return use;
  }
  private dropInput(i: number): Value {
    const value = this.inputs_[i];
    const uses = value.uses();
    uses.splice(uses.indexOf(this.findUseForInput(i)), 1);
    return value;
  }
  replaceAllUsesWith(other: Node): void {
    TORCH_INTERNAL_ASSERT(this.outputs_.length === other.outputs_.length);
    for (const [i, output] of this.outputs_.entries()) output.replaceAllUsesWith(other.outputs_[i]);
  }
  /** Puts a node of another kind with the same inputs, attributes and uses before this one, which stays, unused. */
  replaceWithNewSymbol(new_symbol: string): Node {
    const had_operator = this.maybeOperator() !== null;
    const replacement = this.graph_.create(new_symbol, 0).insertBefore(this);
    for (const input of this.inputs_) replacement.addInput(input);
    for (const output of this.outputs_) output.replaceAllUsesWith(replacement.addOutput().copyMetadata(output));
    replacement.copyMetadata(this);
    replacement.copyAttributes(this);
    TORCH_INTERNAL_ASSERT(
      (replacement.maybeOperator() !== null) === had_operator,
      `invalid symbol replacement:${new_symbol}${this.kind_}`,
    );
    return replacement;
  }

  // Inputs by the names of the schema

  hasNamedInput(name: string): boolean {
    return this.schema().argumentIndexWithName(name) !== null;
  }
  namedInput(name: string): Value {
    const i = this.schema().argumentIndexWithName(name);
    if (i === null) throw new RuntimeError(`Couldn't find an argument called ${name}`);
    return this.input(i);
  }
  /** The constant that the named input is, or null. */
  get(name: string): IValue | null {
    return toIValue(this.namedInput(name));
  }
  is_constant(name: string): boolean {
    return this.get(name) !== null;
  }

  // Attributes

  hasAttribute(name: string): boolean {
    return this.attributes_.has(name);
  }
  hasAttributes(): boolean {
    return this.attributes_.size > 0;
  }
  numAttributes(): number {
    return this.attributes_.size;
  }
  attributeNames(): string[] {
    return [...this.attributes_.keys()];
  }
  kindOf(name: string): AttributeKind {
    const attribute = this.attributes_.get(name);
    if (attribute === undefined) throw new IRAttributeError(name, false);
    return attribute.kind;
  }
  removeAttribute(name: string): this {
    this.kindOf(name);
    this.attributes_.delete(name);
    return this;
  }
  removeAllAttributes(): this {
    this.attributes_.clear();
    return this;
  }
  copyAttributes(from: Node): this {
    this.attributes_.clear();
    for (const [name, attribute] of from.attributes_) this.attributes_.set(name, cloneAttribute(attribute));
    return this;
  }
  attribute(name: string): AttributeValue {
    const attribute = this.attributes_.get(name);
    if (attribute === undefined) throw new IRAttributeError(name, false);
    return attribute;
  }
  private getAttr<K extends AttributeKind>(name: string, kind: K): AttributeTypes[K] {
    const attribute = this.attributes_.get(name);
    if (attribute?.kind !== kind) throw new IRAttributeError(name, attribute !== undefined);
    return attribute.value as AttributeTypes[K];
  }
  setAttr<K extends AttributeKind>(name: string, kind: K, value: AttributeTypes[K]): this {
    this.attributes_.set(name, { kind, value } as AttributeValue);
    return this;
  }
  f(name: string): number {
    return this.getAttr(name, "f");
  }
  f_(name: string, value: number): this {
    return this.setAttr(name, "f", value);
  }
  fs(name: string): readonly number[] {
    return this.getAttr(name, "fs");
  }
  fs_(name: string, value: readonly number[]): this {
    return this.setAttr(name, "fs", value);
  }
  c(name: string): AttributeTypes["c"] {
    return this.getAttr(name, "c");
  }
  c_(name: string, value: AttributeTypes["c"]): this {
    return this.setAttr(name, "c", value);
  }
  cs(name: string): AttributeTypes["cs"] {
    return this.getAttr(name, "cs");
  }
  cs_(name: string, value: AttributeTypes["cs"]): this {
    return this.setAttr(name, "cs", value);
  }
  i(name: string): number {
    return this.getAttr(name, "i") as number;
  }
  i_(name: string, value: number | bigint): this {
    return this.setAttr(name, "i", value);
  }
  is(name: string): readonly number[] {
    return this.getAttr(name, "is") as readonly number[];
  }
  is_(name: string, value: readonly (number | bigint)[]): this {
    return this.setAttr(name, "is", value);
  }
  s(name: string): string {
    return this.getAttr(name, "s");
  }
  s_(name: string, value: string): this {
    return this.setAttr(name, "s", value);
  }
  ss(name: string): readonly string[] {
    return this.getAttr(name, "ss");
  }
  ss_(name: string, value: readonly string[]): this {
    return this.setAttr(name, "ss", value);
  }
  t(name: string): AttributeTypes["t"] {
    return this.getAttr(name, "t");
  }
  t_(name: string, value: AttributeTypes["t"]): this {
    return this.setAttr(name, "t", value);
  }
  ts(name: string): AttributeTypes["ts"] {
    return this.getAttr(name, "ts");
  }
  ts_(name: string, value: AttributeTypes["ts"]): this {
    return this.setAttr(name, "ts", value);
  }
  g(name: string): Graph {
    return this.getAttr(name, "g");
  }
  g_(name: string, value: Graph): this {
    return this.setAttr(name, "g", value);
  }
  gs(name: string): readonly Graph[] {
    return this.getAttr(name, "gs");
  }
  gs_(name: string, value: readonly Graph[]): this {
    return this.setAttr(name, "gs", value);
  }
  ty(name: string): AttributeTypes["ty"] {
    return this.getAttr(name, "ty");
  }
  ty_(name: string, value: AttributeTypes["ty"]): this {
    return this.setAttr(name, "ty", value);
  }
  tys(name: string): AttributeTypes["tys"] {
    return this.getAttr(name, "tys");
  }
  tys_(name: string, value: AttributeTypes["tys"]): this {
    return this.setAttr(name, "tys", value);
  }
  ival(name: string): IValue {
    return this.getAttr(name, "ival");
  }
  ival_(name: string, value: IValue): this {
    return this.setAttr(name, "ival", value);
  }

  // Blocks

  blocks(): readonly Block[] {
    return this.blocks_;
  }
  addBlock(): Block {
    this.op_ = null;
    const block = new Block(this.graph_, this);
    this.blocks_.push(block);
    return block;
  }
  eraseBlock(i: number): void {
    this.op_ = null;
    const [block] = this.blocks_.splice(i, 1);
    block.destroy();
  }

  // Operator

  /** Whether name and inputs fit a schema, or the schema that a literal names; `const_inputs` must be constants. */
  matches(schema: FunctionSchema | string, const_inputs: readonly string[] = []): boolean {
    if (typeof schema === "string") {
      if (!this.fits(getOperatorForLiteral(schema).schema())) return false;
      return const_inputs.every((name) => this.is_constant(name));
    }
    return this.fits(schema);
  }
  private fits(schema: FunctionSchema): boolean {
    if (this.kind_ !== schema.name()) return false;
    const formals = schema.arguments();
    if (this.inputs_.length < formals.length) return false;
    const type_env: TypeEnv = new Map();
    for (const [i, argument] of formals.entries()) {
      const actual = this.inputs_[i].type();
      if (matchTypeVariables(argument.type(), actual, type_env) !== null) return false;
      // A variable stays unbound if None was matched to an optional; None is a subtype of that all the same.
      const formal = tryEvalTypeVariables(argument.type(), type_env) ?? argument.type();
      if (!actual.isSubtypeOf(formal)) return false;
    }
    return schema.is_vararg() || this.inputs_.length === formals.length;
  }
  isMemberOf(os: OperatorSet): boolean {
    return os.contains(this);
  }
  maybeOperator(): Operator | null {
    this.op_ ??= getAllOperatorsFor(this.kind_).find((candidate) => this.fits(candidate.schema())) ?? null;
    return this.op_;
  }
  maybeSchema(): FunctionSchema | null {
    return this.maybeOperator()?.schema() ?? null;
  }
  schema(): FunctionSchema {
    return this.getOperator().schema();
  }
  /** @throws {ErrorReport} if no operator fits, with the candidates */
  getOperator(): Operator {
    const op = this.maybeOperator();
    if (op !== null) return op;
    const candidates = getAllOperatorsFor(this.kind_);
    const listed = candidates.map((candidate) => `  ${candidate.schema()}\n`).join("");
    throw new ErrorReport(
      this.sourceRange(),
      `Schema not found for node. File a bug report.\nNode: ${this}\nInput types:${this.inputs_.map((input) => print_type(input.type())).join(", ")}${
        candidates.length > 0 ? `\ncandidates were:\n${listed}` : "\nno candidates found\n"
      }within the graph:\n${this.graph_}\n`,
    );
  }
  getOperation(): Operation {
    return this.getOperator().getOperation(this);
  }
  forgetOperator(): void {
    this.op_ = null;
  }
  mustBeNone(): boolean {
    if (this.kind_ === "prim::AutogradZero") return true;
    if (this.outputs_.length === 1 && this.outputs_[0].type() === NoneType) return true;
    // An optional constant without a value.
    return (
      this.kind_ === "prim::Constant" && !this.hasAttributes() && this.outputs_[0].type().kind() === "OptionalType"
    );
  }
  /** Whether equal inputs may give different outputs: the operator draws random numbers. */
  isNondeterministic(): boolean {
    if (!this.kind_.startsWith("aten::")) return false;
    const op = this.maybeOperator();
    if (op === null) {
      TORCH_WARN("aten Schema not found.");
      return false;
    }
    // Dropout that is switched off gives what it takes.
    if (this.matches("aten::dropout(Tensor input, float p, bool train) -> Tensor", ["train"]))
      return this.get("train")?.toBool() === true;
    return op.isC10Op() && op.handle().hasTag("nondeterministic_seeded");
  }
  hasSideEffects(): boolean {
    if (kinds_with_side_effects.has(this.kind_)) return true;
    const op = this.maybeOperator();
    if (op === null) {
      TORCH_INTERNAL_ASSERT(
        this.kind_.startsWith("prim::"),
        `Only prim ops are allowed to not have a registered operator but ${this.kind_} doesn't have one either. We don't know if this op has side effects.`,
      );
      return false;
    }
    return op.aliasAnalysisKind() === "CONSERVATIVE";
  }
  /** Instructions that the interpreter keeps elsewhere. */
  notExecutedOp(): boolean {
    return ["prim::Constant", "prim::profile", "prim::profile_ivalue"].includes(this.kind_);
  }

  // Order

  inBlockList(): boolean {
    return this.next_ !== null;
  }
  isBefore(other: Node): boolean {
    const [a, b] = this.inCommonBlock(other);
    return a.topo_position_ < b.topo_position_;
  }
  isAfter(other: Node): boolean {
    const [a, b] = this.inCommonBlock(other);
    return a.topo_position_ > b.topo_position_;
  }
  /** This node and another, or the nodes that contain them, in one block. */
  private inCommonBlock(other: Node): [Node, Node] {
    if (this.owning_block_ === other.owning_block_) return [this, other];
    for (let lhs: Node | null = this; lhs !== null; lhs = lhs.owningBlock().owningNode())
      for (let rhs: Node | null = other; rhs?.owning_block_ != null; rhs = rhs.owning_block_.owningNode())
        if (lhs.owning_block_ === rhs.owning_block_) return [lhs, rhs];
    TORCH_INTERNAL_ASSERT(false, "nodes of different graphs");
  }
  /** Whether `dominator` always runs before and its outputs can be seen here. */
  isDominatedBy(dominator: Node): boolean {
    for (let node: Node | null = this; node !== null; node = node.owningBlock().owningNode())
      if (node.owning_block_ === dominator.owning_block_) return dominator.isBefore(node);
    return false;
  }
  findCommonAncestorBlockWith(other: Node): Block {
    return this.inCommonBlock(other)[0].owningBlock();
  }
  blocksFromGraphBlock(): number {
    let distance = 0;
    for (let node = this.owningBlock().owningNode(); node !== null; node = node.owningBlock().owningNode()) distance++;
    return distance;
  }
  /** Precondition: this node is in no list. */
  insertBefore(other: Node): this {
    TORCH_INTERNAL_ASSERT(other.inBlockList());
    return this.insertAfter(other.prev());
  }
  /** Precondition: this node is in no list. */
  insertAfter(other: Node): this {
    TORCH_INTERNAL_ASSERT(!this.inBlockList() && other.inBlockList());
    TORCH_INTERNAL_ASSERT(
      other.kind_ !== "prim::Return",
      "Attempting to insert a Node after the Return node or before the Param node. Tried to insert",
      this,
      " after ",
      other,
      ".",
    );
    this.owning_block_ = other.owning_block_;
    const next = other.next();
    other.next_ = this;
    this.prev_ = other;
    this.next_ = next;
    next.prev_ = this;
    this.assignTopoPosition();
    return this;
  }
  /** Whether values stay defined before their use is not checked; AliasDb does that. */
  moveAfter(other: Node): void {
    this.removeFromList();
    this.insertAfter(other);
  }
  moveBefore(other: Node): void {
    this.removeFromList();
    this.insertBefore(other);
  }
  removeFromList(): void {
    TORCH_INTERNAL_ASSERT(this.inBlockList());
    this.owning_block_ = null;
    this.prev().next_ = this.next_;
    this.next().prev_ = this.prev_;
    this.next_ = null;
    this.prev_ = null;
  }
  /** Makes this Param and a Return the two ends of a new block's empty list. */
  linkAsEnds(returns: Node, block: Block): void {
    for (const [node, other, position] of [
      [this, returns, kLowerBound],
      [returns, this, kUpperBound],
    ] as const) {
      node.next_ = other;
      node.prev_ = other;
      node.owning_block_ = block;
      node.topo_position_ = position;
    }
  }
  setTopoPosition(position: number): void {
    this.topo_position_ = position;
  }
  private assignTopoPosition(): void {
    const block = this.owningBlock();
    const is_first = this.prev() === block.param_node();
    const is_last = this.next() === block.return_node();
    const before = this.prev().topo_position_;
    const after = this.next().topo_position_;
    if (is_first && is_last) {
      this.topo_position_ = 0;
    } else if (is_last) {
      if (before >= kUpperBound - kAppendInterval) block.reIndexTopology();
      else this.topo_position_ = before + kAppendInterval;
    } else if (is_first) {
      if (after <= kLowerBound + kAppendInterval) block.reIndexTopology();
      else this.topo_position_ = after - kAppendInterval;
    } else {
      const between = before + (after - before) / 2;
      if (between === before || between === after) block.reIndexTopology();
      else this.topo_position_ = between;
    }
  }

  // Copies and removal

  /** An empty node of the same class and kind in a graph. */
  allocNewInstance(graph: Graph): Node {
    return new Node(graph, this.kind_);
  }
  /** Takes everything of another node but its inputs, outputs and blocks. */
  cloneFrom(other: Node): void {
    this.source_range_ = other.source_range_;
    if (other.scope_ !== null && !other.scope_.isBlank()) this.scope_ = other.scope_;
    this.copyAttributes(other);
    this.callstack_ = other.callstack_;
  }
  /** Takes the node out of the graph. Precondition: no output has a use. */
  destroy(): void {
    while (this.outputs_.length > 0) this.eraseOutput(this.outputs_.length - 1);
    while (this.blocks_.length > 0) this.eraseBlock(this.blocks_.length - 1);
    this.removeAllInputs();
    if (this.inBlockList()) this.removeFromList();
    this.graph_.freeNode(this);
  }
  /** Destroys the Param or Return of a block whose list is empty. */
  destroyEnd(): void {
    while (this.outputs_.length > 0) this.eraseOutput(this.outputs_.length - 1);
    this.removeAllInputs();
    this.owning_block_ = null;
    this.next_ = null;
    this.prev_ = null;
    this.graph_.freeNode(this);
  }

  toString(): string {
    return this.graph_.printNode(this);
  }
}

/** The message of C++'s `vector::at`. */
function outOfRange(i: number, size: number): RuntimeError {
  return new RuntimeError(`vector::_M_range_check: __n (which is ${i}) >= this->size() (which is ${size})`);
}
