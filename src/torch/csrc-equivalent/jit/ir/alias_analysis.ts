/**
 * @file Which values may be the same memory, who writes to it, and so which nodes may change places.
 * @mirrors torch/csrc/jit/ir/alias_analysis.cpp
 *
 * Note [Alias analysis]
 * ~~~~~~~~~~~~~~~~~~~~~
 *     graph(%x : Tensor, %l : Tensor[]):
 *       %v : Tensor = aten::select(%x, %0, %0)   schema: select(Tensor(a) self, ...) -> Tensor(a)      %v points to %x
 *       %w : Tensor = aten::add_(%v, %v, %1)     schema: add_(Tensor(a!) self, ...) -> Tensor(a!)      writes to the location of %v
 *       %e : Tensor = aten::__getitem__(%l, %0)  its result is `Tensor(*)`                             %e is a wildcard
 *
 * What comes from outside (inputs), from a container or from a call that nobody can see into is a *wildcard* of its type: it may be any
 * other wildcard of that type. A value that goes into a container becomes one, too. The annotations of the schema say the rest; a few
 * kinds of nodes have rules of their own. Only values of mutable types have an element.
 */

import type { ClassType } from "#aten/core/class_type";
import { FutureType, TensorType, TupleType, type Type } from "#aten/core/jit_type";
import { unshapedType } from "#aten/core/type";
import { UnionType } from "#aten/core/union_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { needs_owner } from "#torch/csrc-equivalent/utils/pybind";
import {
  type Element,
  intersects,
  type MemoryDAG,
  MemoryDAGBuilder,
  type MemoryLocations,
} from "../passes/utils/memory_dag.ts";
import { aliasAnalysisHasSpecialCaseFor, getAllOperatorsFor } from "../runtime/operator.ts";
import { toIValue } from "./constants.ts";
import type { Block, Graph, Node, Use, Value } from "./ir.ts";

/** Types that a value of one type may be; all mutable types that can alias have a type in common. */
type AliasTypeSet = readonly Type[];

/** Maps a type to the mutable types in it, without shapes; null if nothing in it can be written to. */
function mapTypeToAliasTypeSet(type: Type): AliasTypeSet | null {
  switch (type.kind()) {
    case "ListType":
    case "DictType":
    case "ClassType":
    case "TensorType":
      return [unshapedType(type)];
    case "UnionType":
    case "OptionalType": {
      const inner = type.containedTypes().flatMap((member) => mapTypeToAliasTypeSet(member) ?? []);
      return inner.length === 0 ? null : inner;
    }
    case "AnyType":
      return [type];
    case "FutureType": {
      const inner = mapTypeToAliasTypeSet(type.containedType());
      return inner === null ? null : [FutureType.create(toSingleType(inner))];
    }
    case "AwaitType": {
      const inner = mapTypeToAliasTypeSet(type.containedType());
      return inner === null ? null : [type];
    }
    case "TupleType": {
      const inner = type.containedTypes().flatMap((element) => mapTypeToAliasTypeSet(element) ?? []);
      return inner.length === 0 ? null : [TupleType.create(inner)];
    }
    default:
      return null;
  }
}

function toSingleType(types: AliasTypeSet): Type {
  return types.length === 1 ? types[0] : UnionType.create(types);
}

/** The mutable types of a type, in the forms that the analysis needs. */
interface AliasTypes {
  readonly types: AliasTypeSet;
  /** The types as one. */
  readonly single: Type;
  /** Text that is equal for equal single types. */
  readonly key: string;
}

const alias_types_by_type = new WeakMap<Type, AliasTypes | null>();
const alias_types_of_tensor = makeAliasTypes(TensorType);

function makeAliasTypes(type: Type): AliasTypes | null {
  const types = mapTypeToAliasTypeSet(type);
  if (types === null) return null;
  const single = toSingleType(types);
  return { types, single, key: `${single.kind()} ${single.key()}` };
}

/** Null if nothing in a value of this type can be written to. */
function aliasTypesOf(type: Type): AliasTypes | null {
  if (type.kind() === "TensorType") return alias_types_of_tensor;
  let found = alias_types_by_type.get(type);
  if (found === undefined) alias_types_by_type.set(type, (found = makeAliasTypes(type)));
  return found;
}

/** Kinds of nodes whose outputs are new memory. */
const creators: ReadonlySet<string> = new Set(
  [
    ...[
      "TensorExprGroup",
      "TensorExprDynamicGroup",
      "MKLDNNGroup",
      "ConstantMKLDNNTensor",
      "StaticSubgraph",
      "Constant",
    ],
    ...["AutogradZero", "AutogradAdd", "FusedConcat", "MMTreeReduce", "MMBatchSide", "BroadcastSizes", "ChunkSizes"],
    ...["EmptyListLiteral", "Closure", "CreateObject", "tolist", "Uninitialized"],
  ].map((name) => `prim::${name}`),
);

/** Operators that take a list and keep neither it nor its elements. */
const listUsers: ReadonlySet<string> = new Set(
  ["cat", "broadcast_tensors", "stack", "vstack", "hstack", "dstack"].map((name) => `aten::${name}`),
);

export class AliasDb {
  private readonly graph_: Graph;
  private readonly isFrozen_: boolean;
  private builder: MemoryDAGBuilder = new MemoryDAGBuilder();
  private readonly memoryDAG_: MemoryDAG;
  private readonly elementMap_ = new Map<Value, Element>();
  private readonly wildcardIndex_ = new Map<string, { type: Type; element: Element }>();
  private readonly wildcards_ = new Set<Value>();
  private readonly writeIndex_ = new Map<Node, MemoryLocations>();
  private readonly writtenToLocationsIndex_: MemoryLocations = new Set();
  // Writes that the analysis met, before the locations were known.
  private readonly registered = new Map<Node, Value[]>();
  private readonly registeredToContained = new Map<Node, Value[]>();
  private readonly registeredToWildcards = new Set<Node>();

  /** @param isFrozen Whether attributes of modules are constants: then reading one gives new memory. */
  constructor(graph: Graph, isFrozen = false) {
    needs_owner("AliasDb", graph, "current_scope");
    this.graph_ = graph;
    this.isFrozen_ = isFrozen;
    for (const input of graph.inputs()) this.setWildcard(input);
    this.analyzeBlock(graph.block());
    this.memoryDAG_ = this.builder.createMemoryDAG();
    this.memoryDAG_.setWildcards(this.wildcards_, this.elementMap_, (value) => this.getWildcard(value.type()));
    this.buildWriteIndex();
  }

  private buildWriteIndex(): void {
    const writesOf = (node: Node): MemoryLocations => {
      let writes = this.writeIndex_.get(node);
      if (writes === undefined) this.writeIndex_.set(node, (writes = new Set()));
      return writes;
    };
    for (const [node, values] of this.registered) {
      for (const value of values)
        for (const location of this.memoryDAG_.getMemoryLocations(this.elementOf(value))) writesOf(node).add(location);
    }
    for (const [node, values] of this.registeredToContained) {
      for (const value of values)
        this.memoryDAG_.collectAllContainedMemoryLocations(this.elementOf(value), writesOf(node));
    }
    for (const node of this.registeredToWildcards)
      for (const { element } of this.wildcardIndex_.values()) writesOf(node).add(element);
    for (const writes of this.writeIndex_.values())
      for (const location of writes) this.writtenToLocationsIndex_.add(location);
  }

  private elementOf(value: Value): Element {
    const element = this.elementMap_.get(value);
    TORCH_INTERNAL_ASSERT(element !== undefined, `%${value.debugName()} is not in the MemoryDAG`);
    return element;
  }

  // Questions

  static isMutableType(what: Value | Type): boolean {
    return aliasTypesOf("kind" in what ? what : what.type()) !== null;
  }
  private isMutable_(value: Value): boolean {
    return aliasTypesOf(value.type()) !== null;
  }

  /** Whether a node writes to something that it takes. */
  isMutable(node: Node): boolean {
    return this.writesToAlias(node, new Set(node.inputs()));
  }
  /** Whether anything in the graph writes to a value, or to one of several, or to an input or output of a node. */
  hasWriters(what: Value | Node | readonly Value[]): boolean {
    if (isValue(what)) {
      if (what.mustBeNone()) return false;
      const element = this.elementMap_.get(what);
      if (element === undefined) return false;
      return intersects(this.writtenToLocationsIndex_, this.memoryDAG_.getMemoryLocations(element));
    }
    if ("inputs" in what) return this.hasInputWriters(what) || this.hasOutputWriters(what);
    return what.some((value) => this.hasWriters(value));
  }
  hasInputWriters(node: Node): boolean {
    return node.inputs().some((input) => this.hasWriters(input));
  }
  hasOutputWriters(node: Node): boolean {
    return node.outputs().some((output) => this.hasWriters(output));
  }
  /** Whether a node, or one inside it, writes to what one of the values may be. */
  writesToAlias(node: Node, values: Iterable<Value>): boolean {
    const writes = this.getWrites(node);
    if (writes.size === 0) return false;
    for (const value of values) {
      const element = this.elementMap_.get(value);
      if (element !== undefined && intersects(writes, this.memoryDAG_.getMemoryLocations(element))) return true;
    }
    return false;
  }
  writesToWildcard(node: Node): boolean {
    const writes = this.writeIndex_.get(node);
    if (writes === undefined) return false;
    return [...this.wildcardIndex_.values()].some(({ element }) => writes.has(element));
  }
  mayAlias(a: Value | Iterable<Value>, b: Value | Iterable<Value>): boolean {
    if (isValue(a) && isValue(b)) {
      if (!this.isMutable_(a) || !this.isMutable_(b)) return false;
      return this.memoryDAG_.mayAlias(this.elementOf(a), this.elementOf(b));
    }
    return intersects(this.locationsOf(a), this.locationsOf(b));
  }
  private locationsOf(values: Value | Iterable<Value>): MemoryLocations {
    const all: MemoryLocations = new Set();
    for (const value of isValue(values) ? [values] : values) {
      const element = this.elementMap_.get(value);
      if (element !== undefined) for (const location of this.memoryDAG_.getMemoryLocations(element)) all.add(location);
    }
    return all;
  }
  /** Whether something inside `a`, or `a` itself, may be something inside `b`. */
  mayContainAlias(a: Value | readonly Value[], b: Value | readonly Value[]): boolean {
    const left = this.getElements(a);
    return left.length > 0 && this.memoryDAG_.mayContainAlias(left, this.getElements(b));
  }
  private getElements(values: Value | readonly Value[]): Element[] {
    const list = isValue(values) ? [values] : values;
    return list.filter((value) => this.isMutable_(value)).map((value) => this.elementOf(value));
  }
  private mayAliasWildcard(values: readonly Value[]): boolean {
    return values.some((value) => {
      const wildcard = this.getWildcard(value.type());
      return wildcard !== null && this.memoryDAG_.mayAlias(this.elementOf(value), wildcard);
    });
  }
  /** Whether one of the values can be seen outside the graph: it may be an input, an output or a wildcard. */
  escapesScope(values: readonly Value[]): boolean {
    return (
      this.mayContainAlias(this.graph_.inputs(), values) ||
      this.mayContainAlias(this.graph_.outputs(), values) ||
      this.mayAliasWildcard(values)
    );
  }
  /** Whether it cannot be noticed if `a` and `b` become one memory, or two: nobody writes, and at most one of them escapes. */
  safeToChangeAliasingRelationship(a: readonly Value[], b: readonly Value[]): boolean {
    if (this.hasWriters(a) || this.hasWriters(b)) return false;
    return !(this.escapesScope(a) && this.escapesScope(b));
  }
  getWrites(node: Node): MemoryLocations {
    const writes: MemoryLocations = new Set(this.writeIndex_.get(node));
    for (const block of node.blocks())
      for (const inner of block.nodes()) for (const location of this.getWrites(inner)) writes.add(location);
    return writes;
  }
  getReads(node: Node): MemoryLocations {
    const reads: MemoryLocations = new Set();
    for (const input of node.inputs()) {
      const element = this.elementMap_.get(input);
      if (element !== undefined) this.memoryDAG_.collectAllContainedMemoryLocations(element, reads);
    }
    for (const block of node.blocks())
      for (const inner of block.nodes()) for (const location of this.getReads(inner)) reads.add(location);
    return reads;
  }

  // Changes that go with a change of the graph

  /** `new_value` takes the place of `existing`. */
  replaceWithNewValue(existing: Value, new_value: Value): void {
    this.checkSameType(existing, new_value, "replacing", "existing", "new_value");
    if (!this.isMutable_(existing)) return;
    const element = this.elementOf(existing);
    this.elementMap_.set(new_value, element);
    this.elementMap_.delete(existing);
    element.values = [new_value];
  }
  /** `to` may be what `from` may be. */
  copyValue(from: Value, to: Value): void {
    this.checkSameType(from, to, "copying", "from", "to");
    if (!this.isMutable_(to)) return;
    const element = this.elementOf(from);
    this.elementMap_.set(to, element);
    if (!element.values.includes(to)) element.values = [...element.values, to];
  }
  /** A value that is new memory. */
  createValue(value: Value): void {
    TORCH_INTERNAL_ASSERT(this.isMutable_(value));
    this.elementMap_.set(value, this.memoryDAG_.unsafeMakeFreshValue(value));
  }
  /** Forgets a write of a node that was replaced. */
  removeWrites(node: Node): void {
    this.writeIndex_.delete(node);
    this.writtenToLocationsIndex_.clear();
    for (const writes of this.writeIndex_.values())
      for (const location of writes) this.writtenToLocationsIndex_.add(location);
  }
  private checkSameType(a: Value, b: Value, doing: string, name_a: string, name_b: string): void {
    TORCH_INTERNAL_ASSERT(
      unshapedType(a.type()).equals(unshapedType(b.type())),
      `Types must be strictly equal if you are ${doing} aliasing information. Got ${name_a}: '${a.type().repr_str()}', ${name_b}: '${b.type().repr_str()}'`,
    );
  }

  // Analysis

  private analyzeBlock(block: Block): void {
    for (const node of block.nodes()) this.analyze(node);
  }

  private analyze(node: Node): void {
    const op = node.maybeOperator();
    const kind = node.kind();
    if (op === null && !aliasAnalysisHasSpecialCaseFor(kind) && !kind.startsWith("prim::")) {
      const candidates = getAllOperatorsFor(kind)
        .map((candidate) => `\n\t${candidate.schema()}`)
        .join("");
      TORCH_INTERNAL_ASSERT(
        false,
        `We don't have an op for ${kind} but it isn't a special case.  Argument types: ${node
          .inputs()
          .map((input) => `${input.type().str()}, `)
          .join("")}\n\nCandidates:${candidates}`,
      );
    }
    if (creators.has(kind)) {
      for (const output of node.outputs()) this.giveFreshAlias(output);
      return;
    }
    switch (kind) {
      case "prim::If":
        this.analyzeIf(node);
        return;
      case "prim::Loop":
        this.analyzeLoop(node);
        return;
      case "prim::FusionGroup":
      case "prim::CudaFusionGroup":
      case "prim::oneDNNFusionGroup":
      case "prim::FunctionalGraph":
      case "prim::DifferentiableGraph":
      case "prim::FallbackGraph":
        this.analyzeSubgraph(node, node.g("Subgraph"));
        return;
      case "prim::fork":
      case "prim::rpc_async":
      case "prim::rpc_sync":
      case "prim::rpc_remote":
      case "prim::awaitable":
      case "prim::awaitable_nowait":
        for (const input of node.inputs()) this.setWildcard(input);
        for (const output of node.outputs()) this.giveFreshAlias(output);
        return;
      case "aten::wait":
      case "prim::awaitable_wait":
        // The task may write to whatever it was given, and nobody knows what that was.
        for (const output of node.outputs()) this.setWildcard(output);
        this.registeredToWildcards.add(node);
        return;
      case "aten::batch_norm":
        this.analyzeNorm(node, "training");
        return;
      case "aten::instance_norm":
        this.analyzeNorm(node, "use_input_stats");
        return;
      case "prim::GradOf":
        this.analyzeBlock(node.blocks()[0]);
        this.mapAliases(node.outputs(), node.blocks()[0].outputs());
        return;
      case "prim::TupleConstruct":
      case "prim::DictConstruct":
      case "prim::ListConstruct":
        this.analyzeContainerConstruct(node);
        return;
      case "prim::GetAttr":
        if (this.isFrozen_ && (node.input().type() as ClassType).is_module()) this.giveFreshAlias(node.output());
        else this.analyzeExtractor(node);
        return;
      case "prim::TupleUnpack":
      case "prim::TupleIndex":
      case "prim::TupleSlice":
      case "prim::ListUnpack":
      case "prim::PythonOp":
        this.analyzeExtractor(node);
        return;
      case "prim::ConstantChunk":
        for (const output of node.outputs()) this.makePointerTo(output, node.input());
        return;
      case "prim::BroadcastingChunk": {
        const chunks = node.i("chunks");
        for (const [i, output] of node.outputs().entries())
          this.makePointerTo(output, node.input(Math.floor(i / chunks)));
        return;
      }
      case "prim::SetAttr":
        this.registerWrite(node.input(0), node);
        this.setWildcard(node.input(1));
        return;
      case "prim::unchecked_cast":
      case "prim::profile_ivalue":
      case "prim::profile":
      case "prim::Guard":
        if (node.outputs().length > 0) this.makePointerTo(node.output(), node.input(0));
        return;
      case "prim::TypeCheck":
      case "prim::RequiresGradCheck":
        for (const [i, input] of node.inputs().entries()) this.makePointerTo(node.output(i), input);
        return;
      case "prim::BailOut":
        this.makePointerTo(node.output(), node.input(1));
        return;
      case "prim::CallFunction":
      case "prim::CallMethod":
      case "prim::Enter":
      case "prim::Exit":
        this.analyzeConservative(node);
        return;
      case "prim::Print":
      case "prim::isinstance":
        return;
    }
    TORCH_INTERNAL_ASSERT(op !== null, `We should have an op schema if we get to here: ${kind}`);
    switch (op.aliasAnalysisKind()) {
      case "PURE_FUNCTION":
        for (const output of node.outputs()) this.giveFreshAlias(output);
        return;
      case "CONSERVATIVE":
        this.analyzeConservative(node);
        return;
      default:
        this.analyzeSchema(node);
        return;
    }
  }

  /** Reads the annotations of the schema: arguments with one letter, and results with it, may be the same memory. */
  private analyzeSchema(node: Node): void {
    const schema = node.schema();
    const formalToActual = new Map<string, Value>();
    for (const [i, argument] of schema.arguments().entries()) {
      let formal = argument.alias_info();
      const actual = node.input(i);
      if (formal === null || !this.isMutable_(actual)) continue;
      if (formal.containedTypes().length === 1 && formal.beforeSets().size === 0) formal = formal.containedTypes()[0];
      const [name] = formal.beforeSets();
      if (name === undefined || formalToActual.has(name)) continue;
      formalToActual.set(name, actual);
      if (formal.isWrite()) this.registerWrite(actual, node);
      if (formal.isWildcardAfter()) this.setWildcard(actual);
    }
    for (const [i, ret] of schema.returns().entries()) {
      let formal = ret.alias_info();
      const actual = node.output(i);
      if (formal === null) {
        this.giveFreshAlias(actual);
        continue;
      }
      if (!this.isMutable_(actual)) continue;
      if (formal.containedTypes().length === 1 && formal.beforeSets().size === 0) formal = formal.containedTypes()[0];
      if (formal.isWildcardBefore()) {
        this.setWildcard(actual);
        continue;
      }
      const sources = [...formal.beforeSets()].flatMap((name) => formalToActual.get(name) ?? []);
      for (const source of sources) this.makePointerTo(actual, source);
      if (sources.length === 0 && formal.beforeSets().size > 0) this.giveFreshAlias(actual);
      if (formal.isWrite()) this.registerWrite(actual, node);
    }
  }

  private analyzeIf(node: Node): void {
    const [yes, no] = node.blocks();
    this.analyzeBlock(yes);
    this.analyzeBlock(no);
    for (const [i, output] of node.outputs().entries()) {
      this.makePointerTo(output, yes.outputs()[i]);
      this.makePointerTo(output, no.outputs()[i]);
    }
  }
  private analyzeLoop(node: Node): void {
    const [body] = node.blocks();
    this.mapAliases(body.inputs().slice(1), node.inputs().slice(2));
    this.analyzeBlock(body);
    this.mapAliases(node.outputs(), body.outputs().slice(1));
  }
  private analyzeSubgraph(node: Node, subgraph: Graph): void {
    this.mapAliases(subgraph.inputs(), node.inputs());
    this.analyzeBlock(subgraph.block());
    // The subgraph may have more outputs: those that a backward pass needs.
    for (const [i, output] of node.outputs().entries()) this.makePointerTo(output, subgraph.outputs()[i]);
  }
  private analyzeExtractor(node: Node): void {
    for (const output of node.outputs()) this.setWildcard(output);
  }
  /** Running statistics are written to if the flag is true or unknown; the schema has no annotation for that. */
  private analyzeNorm(node: Node, flag: string): void {
    for (const output of node.outputs()) this.giveFreshAlias(output);
    if (this.isFrozen_ && flag === "training") return;
    if (toIValue(node.namedInput(flag))?.toBool() === false) return;
    this.registerWrite(node.namedInput("running_mean"), node);
    this.registerWrite(node.namedInput("running_var"), node);
  }
  /** A call of which nothing is known: it may write to everything that it is given, and give back anything. */
  private analyzeConservative(node: Node): void {
    for (const input of node.inputs()) {
      if (!this.isMutable_(input)) continue;
      this.registerWrite(input, node, true);
      this.setWildcard(input);
    }
    for (const output of node.outputs()) this.setWildcard(output);
  }

  /**
   * An element of a container becomes a wildcard. One exception: a container with one use that lets nothing out (`torch.cat([a, b])`, or the
   * graph's own output) contains exactly its elements.
   */
  private analyzeContainerConstruct(node: Node): void {
    const container = node.output();
    if (!this.isMutable_(container)) return;
    if (container.uses().length === 1 && this.functionalNonEscapingUse(container, container.uses()[0])) {
      this.giveFreshAlias(container, false);
      for (const input of node.inputs()) this.addToContainedElements(input, container);
      return;
    }
    this.giveFreshAlias(container);
    const element = this.elementOf(container);
    for (const input of node.inputs()) {
      const wildcard = this.setWildcard(input);
      if (wildcard !== null) this.builder.addToContainedElements(wildcard, element);
    }
  }
  private functionalNonEscapingUse(container: Value, use: Use): boolean {
    const kind = container.type().kind();
    if (use.user.kind() === "prim::Return")
      return (kind === "ListType" || kind === "TupleType") && use.user.owningBlock() === this.graph_.block();
    if (kind !== "ListType") return false;
    return listUsers.has(use.user.kind()) || use.user.maybeOperator()?.aliasAnalysisKind() === "PURE_FUNCTION";
  }

  private registerWrite(value: Value, node: Node, writeToContained = false): void {
    if (!this.isMutable_(value)) return;
    const writes = writeToContained ? this.registeredToContained : this.registered;
    const present = writes.get(node);
    if (present === undefined) writes.set(node, [value]);
    else present.push(value);
  }
  private mapAliases(from: readonly Value[], to: readonly Value[]): void {
    TORCH_INTERNAL_ASSERT(from.length === to.length);
    for (const [i, value] of from.entries()) this.makePointerTo(value, to[i]);
  }
  private makePointerTo(from: Value, to: Value): void {
    if (nonAliasingValue(from) || nonAliasingValue(to)) {
      this.giveFreshAlias(from);
      this.giveFreshAlias(to);
      return;
    }
    if (from === to || !this.isMutable_(from) || !this.isMutable_(to)) return;
    this.builder.makePointerTo(this.getOrCreateElement(from), this.getOrCreateElement(to));
  }
  private addToContainedElements(inner: Value, container: Value): void {
    if (!this.isMutable_(inner)) return;
    this.builder.addToContainedElements(this.getOrCreateElement(inner), this.getOrCreateElement(container));
  }
  private giveFreshAlias(value: Value, add_wildcard_to_contained_elems = true): void {
    const found = aliasTypesOf(value.type());
    if (found === null || this.elementMap_.has(value)) return;
    const element = this.builder.makeFreshValue(value);
    this.elementMap_.set(value, element);
    if (add_wildcard_to_contained_elems) this.connectToContained(element, found.types);
  }
  private getOrCreateElement(value: Value): Element {
    if (!this.elementMap_.has(value)) this.giveFreshAlias(value);
    return this.elementOf(value);
  }
  /** An element of several types may be a wildcard of each; one of a container's type contains wildcards. */
  private connectToContained(element: Element, types: AliasTypeSet): void {
    if (types.length > 1) {
      for (const type of types) {
        const wildcard = this.tryGetOrCreateWildcard(type);
        if (wildcard !== null) this.builder.makePointerTo(element, wildcard);
      }
      return;
    }
    for (const contained of types[0].containedTypes()) {
      const wildcard = this.tryGetOrCreateWildcard(contained);
      if (wildcard !== null) this.builder.addToContainedElements(wildcard, element);
    }
  }
  private setWildcard(value: Value): Element | null {
    const wildcard = this.tryGetOrCreateWildcard(value.type());
    if (wildcard === null) return null;
    this.getOrCreateElement(value);
    this.wildcards_.add(value);
    return wildcard;
  }
  private tryGetOrCreateWildcard(type: Type): Element | null {
    const found = aliasTypesOf(type);
    if (found === null) return null;
    const present = this.wildcardIndex_.get(found.key);
    if (present !== undefined) return present.element;
    const element = this.builder.makeFreshValue(null);
    this.wildcardIndex_.set(found.key, { type: found.single, element });
    this.connectToContained(element, found.types);
    return element;
  }
  private getWildcard(type: Type): Element | null {
    const found = aliasTypesOf(type);
    return found === null ? null : (this.wildcardIndex_.get(found.key)?.element ?? null);
  }

  // Moves

  /** Moves a node behind another, with the nodes that must stay after it. Returns false if the program would change. */
  moveAfterTopologicallyValid(node: Node, movePoint: Node): boolean {
    return this.tryMove(node, movePoint, "AFTER", false);
  }
  moveBeforeTopologicallyValid(node: Node, movePoint: Node): boolean {
    return this.tryMove(node, movePoint, "BEFORE", false);
  }
  couldMoveAfterTopologically(node: Node, movePoint: Node): boolean {
    return this.tryMove(node, movePoint, "AFTER", true);
  }
  couldMoveBeforeTopologically(node: Node, movePoint: Node): boolean {
    return this.tryMove(node, movePoint, "BEFORE", true);
  }

  /**
   * Walks from the node to the point. What depends on the node, or on something that goes along, goes along. The move is possible if
   * none of them must stay on this side of the point.
   */
  private tryMove(toMove: Node, movePoint: Node, side: "BEFORE" | "AFTER", dryRun: boolean): boolean {
    if (toMove.owningBlock() !== movePoint.owningBlock()) return false;
    if (toMove === movePoint) return true;
    const backward = toMove.isAfter(movePoint);
    const step = (node: Node): Node => (backward ? node.prev() : node.next());
    const onMoveSide = side === "BEFORE" ? !backward : backward;
    let current = step(toMove);
    if (onMoveSide && current === movePoint) return true;
    if (toMove.hasSideEffects() || (!onMoveSide && movePoint.hasSideEffects())) return false;

    const working = new WorkingSet(toMove, this);
    for (; current !== movePoint; current = step(current)) {
      if (current.hasSideEffects()) return false;
      if (working.dependsOn(current)) working.add(current);
    }
    // The node stays on its side of the point, and only its dependents pass the point.
    if (onMoveSide) working.eraseMover();
    if (working.dependsOn(movePoint)) return false;
    if (dryRun) return true;

    if (onMoveSide) {
      move(toMove, movePoint, side);
      const reversed = side === "BEFORE" ? "AFTER" : "BEFORE";
      for (const node of working.dependentNodes()) {
        move(node, current, reversed);
        current = node;
      }
    } else {
      move(toMove, current, side);
      current = toMove;
      for (const node of working.dependentNodes()) {
        move(node, current, side);
        current = node;
      }
    }
    return true;
  }

  // Text

  private nameOf(element: Element): string {
    if (element.values.length === 0) {
      const wildcard = [...this.wildcardIndex_.values()].find((entry) => entry.element === element);
      return wildcard === undefined ? "WILDCARD" : `WILDCARD for type ${wildcard.type.str()}`;
    }
    const names = element.values.map((value) => `%${value.debugName()}`);
    return names.length === 1 ? names[0] : `(${names.map((name) => `${name}, `).join("")})`;
  }
  /** The names to which each value with arrows points. */
  points_to(): Map<string, string[]> {
    return this.named((element) => element.pointsTo);
  }
  /** The names of each container's elements. */
  contains(): Map<string, string[]> {
    return this.named((element) => element.containedElements);
  }
  /** The text of each node that writes, with the names of the locations. */
  writes(): Map<string, string[]> {
    return new Map(
      [...this.writeIndex_].map(([node, locations]) => [
        String(node).trimEnd(),
        byIndex(locations).map((location) => this.nameOf(location)),
      ]),
    );
  }
  private named(linked: (element: Element) => ReadonlySet<Element>): Map<string, string[]> {
    const elements = [...new Set(this.elementMap_.values())].filter((element) => linked(element).size > 0);
    return new Map(
      elements.map((element) => [this.nameOf(element), byIndex(linked(element)).map((other) => this.nameOf(other))]),
    );
  }
  dump(): void {
    console.log(String(this));
  }
  /**
   * The graph, the arrows and contents of each element, the writes.
   * @differs Lines stand in the order of the values; in PyTorch they have the order of a hash table.
   */
  toString(): string {
    let out = `\n===1. GRAPH===\n${this.graph_}\n===2. ALIAS DB===\n`;
    for (const element of this.elementMap_.values()) {
      const name = this.nameOf(element);
      if (element.pointsTo.size > 0)
        out += `${name} points to: ${byIndex(element.pointsTo)
          .map((other) => this.nameOf(other))
          .join(", ")}\n`;
      if (element.containedElements.size > 0)
        out += `${name} contains: ${byIndex(element.containedElements)
          .map((other) => this.nameOf(other))
          .join(", ")}\n`;
    }
    out += "\n===3. Writes===\n";
    for (const [node, locations] of this.writeIndex_)
      out += `${node}  ${byIndex(locations)
        .map((location) => `${this.nameOf(location)}, `)
        .join("")}\n`;
    return `${out}\n`;
  }
}

function byIndex(elements: ReadonlySet<Element>): Element[] {
  return [...elements].sort((a, b) => a.index - b.index);
}

function isValue(what: unknown): what is Value {
  return typeof (what as Partial<Value>).uses === "function";
}

/** A value that is no memory, though its type is mutable: None as an Optional, or a variable that nothing reads. */
function nonAliasingValue(value: Value): boolean {
  return value.mustBeNone() || value.node().kind() === "prim::Uninitialized";
}

function move(node: Node, movePoint: Node, side: "BEFORE" | "AFTER"): void {
  if (side === "BEFORE") node.moveBefore(movePoint);
  else node.moveAfter(movePoint);
}

/** The user, or the node around it that stands in the block of `node`; null if there is none. */
function findSameBlock(user: Node, node: Node): Node | null {
  for (let current: Node | null = user; current !== null; current = current.owningBlock().owningNode())
    if (current.owningBlock() === node.owningBlock()) return current;
  return null;
}

function getUsersSameBlock(node: Node): Set<Node> {
  const users = new Set<Node>();
  for (const output of node.outputs()) {
    for (const { user } of output.uses()) {
      const here = findSameBlock(user, node);
      if (here !== null) users.add(here);
    }
  }
  return users;
}

/** The node that is moved, and the nodes that must go along. */
class WorkingSet {
  private readonly aliasDb: AliasDb;
  private mover: Node | null;
  private readonly nodes: Node[] = [];
  private readonly users = new Set<Node>();
  private readonly writes: MemoryLocations = new Set();
  private readonly reads: MemoryLocations = new Set();
  private readonly moverUsers: ReadonlySet<Node>;
  private readonly moverWrites: MemoryLocations;
  private readonly moverReads: MemoryLocations;

  constructor(mover: Node, aliasDb: AliasDb) {
    this.aliasDb = aliasDb;
    this.mover = mover;
    this.moverUsers = getUsersSameBlock(mover);
    this.moverWrites = aliasDb.getWrites(mover);
    this.moverReads = aliasDb.getReads(mover);
  }

  add(node: Node): void {
    this.nodes.push(node);
    for (const user of getUsersSameBlock(node)) this.users.add(user);
    for (const location of this.aliasDb.getWrites(node)) this.writes.add(location);
    for (const location of this.aliasDb.getReads(node)) this.reads.add(location);
  }
  eraseMover(): void {
    this.mover = null;
  }
  dependentNodes(): readonly Node[] {
    return this.nodes;
  }
  /** Whether `node` and the set must keep their order: one uses the other's values, or writes to what the other reads. */
  dependsOn(node: Node): boolean {
    if (this.mover === null && this.nodes.length === 0) return false;
    return this.hasDataDependency(node) || this.hasMutabilityDependency(node);
  }
  private hasDataDependency(node: Node): boolean {
    const pivot = this.mover ?? this.nodes[0];
    if (node.isAfter(pivot)) return (this.mover !== null && this.moverUsers.has(node)) || this.users.has(node);
    const users = getUsersSameBlock(node);
    return (this.mover !== null && users.has(this.mover)) || this.nodes.some((member) => users.has(member));
  }
  private hasMutabilityDependency(node: Node): boolean {
    const writes = this.aliasDb.getWrites(node);
    if (intersects(this.reads, writes) || (this.mover !== null && intersects(this.moverReads, writes))) return true;
    const reads = this.aliasDb.getReads(node);
    return intersects(this.writes, reads) || (this.mover !== null && intersects(this.moverWrites, reads));
  }
}
