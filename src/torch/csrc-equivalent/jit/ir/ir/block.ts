/**
 * @file A block: a list of nodes with inputs and outputs. The graph has one, and so has each branch and each loop body.
 * @mirrors torch/csrc/jit/ir/ir.cpp#Block
 */

import type { Type } from "#aten/core/jit_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { needs_owner } from "#torch/csrc-equivalent/utils/pybind";
import type { Graph } from "./graph.ts";
import type { Node } from "./node.ts";
import type { Value } from "./value.ts";

/** Bounds and distance of positions; see Note [Topological positions]. */
export const kLowerBound = -(2 ** 52);
export const kUpperBound = 2 ** 52;
export const kAppendInterval = 2 ** 24;

// Note [Topological positions]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Nodes of a block are in a circular list. Each has a number that grows along the list, so "is it before?" is one comparison. An appended
// node gets the last number plus an interval, an inserted one the middle of its neighbours. If there is no number left between two, all
// nodes of the block are numbered anew.

export class Block {
  private readonly graph_: Graph;
  private readonly output_: Node;
  private readonly input_: Node;
  private readonly owning_node_: Node | null;

  /** @param owning_node the If or Loop that has this block, or null for the graph's own block */
  constructor(graph: Graph, owning_node: Node | null) {
    needs_owner("Block", graph, "current_scope");
    this.graph_ = graph;
    this.output_ = graph.create("prim::Return", 0);
    this.input_ = graph.create("prim::Param", 0);
    this.owning_node_ = owning_node;
    this.input_.linkAsEnds(this.output_, this);
  }

  inputs(): readonly Value[] {
    return this.input_.outputs();
  }
  outputs(): readonly Value[] {
    return this.output_.inputs();
  }
  /** The nodes now in the list, in order; the list may change while the result is read. */
  nodes(): Node[] {
    const nodes: Node[] = [];
    for (let node = this.input_.next(); node !== this.output_; node = node.next()) nodes.push(node);
    return nodes;
  }
  /** The node whose outputs are the block's inputs. It stands before the first. */
  param_node(): Node {
    return this.input_;
  }
  /** The node whose inputs are the block's outputs. It stands behind the last. */
  return_node(): Node {
    return this.output_;
  }
  owningGraph(): Graph {
    return this.graph_;
  }
  owningNode(): Node | null {
    return this.owning_node_;
  }

  addInput(name = ""): Value {
    return this.input_.addOutput().setDebugName(name);
  }
  insertInput(i: number, name = ""): Value {
    return this.input_.insertOutput(i).setDebugName(name);
  }
  eraseInput(i: number): void {
    this.input_.eraseOutput(i);
  }
  removeAllInputs(): void {
    this.input_.removeAllOutputs();
  }
  /** Returns the number of the new output. */
  registerOutput(value: Value): number {
    this.output_.addInput(value);
    return this.outputs().length - 1;
  }
  insertOutput(i: number, value: Value): number {
    this.output_.insertInput(i, value);
    return i;
  }
  eraseOutput(i: number): void {
    this.output_.removeInput(i);
  }
  removeAllOutputs(): void {
    this.output_.removeAllInputs();
  }
  replaceOutput(i: number, value: Value): void {
    this.output_.replaceInput(i, value);
  }
  permuteOutputs(new_order: readonly number[]): void {
    this.output_.permuteInputs(new_order);
  }
  permuteInputs(new_order: readonly number[]): void {
    this.input_.permuteOutputs(new_order);
  }

  appendNode(node: Node): Node {
    TORCH_INTERNAL_ASSERT(node.owningGraph() === this.graph_ && !node.inBlockList());
    return node.insertBefore(this.output_);
  }
  prependNode(node: Node): Node {
    TORCH_INTERNAL_ASSERT(node.owningGraph() === this.graph_ && !node.inBlockList());
    return node.insertAfter(this.input_);
  }

  /**
   * Adds copies of another block's inputs, nodes and outputs.
   * @param value_map Gives the value that stands for one from outside `src`.
   */
  cloneFrom(src: Block, value_map: (value: Value) => Value): void {
    const local_map = new Map<Value, Value>();
    const env = (value: Value): Value => local_map.get(value) ?? value_map(value);
    for (const input of src.inputs()) local_map.set(input, this.addInput().copyMetadata(input));
    for (const node of src.nodes()) {
      const copy = this.appendNode(this.graph_.createClone(node, env));
      for (const [i, output] of node.outputs().entries()) local_map.set(output, copy.output(i).copyMetadata(output));
    }
    for (const output of src.outputs()) this.registerOutput(env(output));
  }

  remapTypes(type_map: (type: Type) => Type): void {
    for (const input of this.inputs()) input.setType(type_map(input.type()));
    for (const node of this.nodes()) {
      for (const output of node.outputs()) output.setType(type_map(output.type()));
      for (const block of node.blocks()) block.remapTypes(type_map);
      for (const name of node.attributeNames()) {
        if (node.kindOf(name) === "g") node.g(name).remapTypes(type_map);
        else if (node.kindOf(name) === "gs") for (const graph of node.gs(name)) graph.remapTypes(type_map);
      }
    }
  }

  /** Removes outputs, nodes and inputs. */
  clear(): void {
    this.removeAllOutputs();
    for (const node of this.nodes().reverse()) node.destroy();
    this.removeAllInputs();
  }

  destroy(): void {
    this.output_.removeAllInputs();
    for (const node of this.nodes().reverse()) node.destroy();
    this.output_.destroyEnd();
    this.input_.destroyEnd();
  }

  reIndexTopology(): void {
    let position = kLowerBound;
    for (const node of this.nodes()) {
      TORCH_INTERNAL_ASSERT(position <= kUpperBound - kAppendInterval);
      position += kAppendInterval;
      node.setTopoPosition(position);
    }
  }
}
