/**
 * @file After a trace: the blocks of module calls become methods, or are inlined if a function was traced.
 * @mirrors torch/csrc/jit/passes/fixup_trace_scope_blocks.cpp
 */

import type { ClassType } from "#aten/core/class_type";
import { NoneType, TupleType } from "#aten/core/jit_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { CompilationUnit } from "../../api/compilation_unit.ts";
import type { ModuleObject } from "../../api/module.ts";
import { matchSchema } from "../../frontend/schema_matching.ts";
import { type Block, Graph, insertGraph, type Node, type Value, withInsertPoint } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { EliminateDeadCode } from "../dead_code_elimination.ts";
import { LowerSimpleTuples } from "../lower_tuples.ts";
import { convertTracedAttrReferences } from "./traced_attributes.ts";

function isEligibleNode(node: Node): boolean {
  return node.kind() === "prim::TracedModuleForward" || node.kind() === "prim::TracedFork";
}

/** Makes each value visible where it is used: a block that computes it for later nodes outside returns it. */
function makeDefsDominateUses(block: Block, remap = new Map<Value, Value>()): void {
  processNode(block.param_node(), block, remap);
  for (const node of block.nodes()) processNode(node, block, remap);
  processNode(block.return_node(), block, remap);
}

function processNode(node: Node, block: Block, remap: Map<Value, Value>): void {
  for (let i = 0; i < node.inputs().length; i++) {
    const known = remap.get(node.input(i));
    if (known !== undefined) node.replaceInput(i, known);
    const input = node.input(i);
    if (input.node().owningBlock() === block) continue;
    const common_ancestor = node.findCommonAncestorBlockWith(input.node());
    let lifted = input;
    let from = input.node().owningBlock();
    while (from !== common_ancestor) {
      from.registerOutput(lifted);
      const owner = from.owningNode() as Node; // the outermost block is an ancestor of all nodes
      lifted = owner.addOutput().setType(lifted.type());
      from = owner.owningBlock();
    }
    remap.set(input, lifted);
    node.replaceInput(i, lifted);
  }
  if (isEligibleNode(node)) makeDefsDominateUses(node.blocks()[0], remap);
}

/** A block that becomes a method returns one value: a tuple of several, None for no value. */
function convertReturnsToTuples(block: Block): void {
  for (const node of block.nodes()) {
    if (!isEligibleNode(node)) continue;
    const inner = node.blocks()[0];
    convertReturnsToTuples(inner);
    if (node.kind() !== "prim::TracedModuleForward") continue;
    const graph = block.owningGraph();
    if (inner.outputs().length > 1) returnTuple(graph, node, inner);
    else if (inner.outputs().length === 0) {
      withInsertPoint(inner.return_node(), () => {
        inner.registerOutput(graph.insertNode(graph.createNone()).output());
      });
      node.addOutput().setType(NoneType);
    }
  }
}

function returnTuple(graph: Graph, node: Node, inner: Block): void {
  withInsertPoint(inner.return_node(), () => {
    const tuple = graph.insertNode(graph.createTuple([...inner.outputs()])).output();
    inner.removeAllOutputs();
    inner.registerOutput(tuple);
  });
  const types = node.outputs().map((output) => output.type());
  const tuple = node.addOutput().setType(TupleType.create(types));
  const unpack = graph.createTupleUnpack(tuple).insertAfter(node);
  for (let i = types.length - 1; i >= 0; i--) {
    node.output(i).replaceAllUsesWith(unpack.output(i));
    node.eraseOutput(i);
  }
}

/** A copy of a block as a graph; values from outside become inputs, of the graph and of the node. */
function blockAsGraph(node: Node): Graph {
  const graph = new Graph();
  const lifted = new Map<Value, Value>();
  graph.block().cloneFrom(node.blocks()[0], (outside) => {
    let inside = lifted.get(outside);
    if (inside === undefined) {
      inside = graph.addInput().copyMetadata(outside);
      node.addInput(outside);
      lifted.set(outside, inside);
    }
    return inside;
  });
  return graph;
}

function lambdaLiftBlocksAndConvertToGraph(block: Block): void {
  for (const node of block.nodes()) {
    if (!isEligibleNode(node)) continue;
    lambdaLiftBlocksAndConvertToGraph(node.blocks()[0]);
    const graph = blockAsGraph(node);
    graph.lint();
    node.g_("Subgraph", graph);
    node.eraseBlock(0);
  }
}

/** A second call of a module is another method: `forward`, `forward1`, `forward2`. */
function mangleMethodName(name: string, type: ClassType): string {
  let mangled = name;
  for (let i = 1; type.findMethod(mangled) !== null; i++) mangled = `${name}${i}`;
  return mangled;
}

/** Subgraphs become methods of the modules' classes, their nodes calls of these. */
function createMethodCalls(graph: Graph): void {
  for (const node of graph.nodes()) {
    if (!isEligibleNode(node)) continue;
    createMethodCalls(node.g("Subgraph"));
    if (node.kind() === "prim::TracedFork") continue;
    withInsertPoint(node, () => {
      const type = node.input(0).type() as ClassType; // the module itself is the first input
      const name = `${type.name()}.${mangleMethodName("forward", type)}`;
      const method = (type.compilation_unit() as CompilationUnit).create_function(name, node.g("Subgraph"));
      type.addMethod(method);
      const args = node.inputs().map((input) => new NamedValue(input, null, input.node().sourceRange()));
      const matched = matchSchema(method.getSchema(), {
        loc: node.sourceRange(),
        graph,
        args,
        kwargs: [],
        self: null,
      });
      node.output().replaceAllUsesWith(graph.insertMethodCall(method.name(), matched));
    });
    node.destroy();
  }
}

function inlineScopeBlocks(block: Block): void {
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) inlineScopeBlocks(inner);
    if (node.kind() !== "prim::TracedModuleForward") continue;
    const graph = blockAsGraph(node);
    withInsertPoint(node, () => {
      const outputs = insertGraph(node.owningGraph(), graph, node.inputs());
      for (const [i, output] of node.outputs().entries()) output.replaceAllUsesWith(outputs[i]);
    });
    node.destroy();
  }
}

function runCleanupPasses(graph: Graph): void {
  LowerSimpleTuples(graph);
  EliminateDeadCode(graph);
  graph.lint();
}

function runCleanupPassesOfModule(module: ModuleObject): void {
  for (const [, child] of module.named_children()) runCleanupPassesOfModule(child);
  for (const method of module.methods()) runCleanupPasses(method.graph());
}

/** @param self the traced module; null for a function */
export function FixupTraceScopeBlocks(graph: Graph, self: ModuleObject | null): void {
  if (self !== null) convertTracedAttrReferences(graph);
  else TORCH_INTERNAL_ASSERT(graph.nodes().every((node) => node.kind() !== "prim::TracedAttr"));
  makeDefsDominateUses(graph.block());
  convertReturnsToTuples(graph.block());
  if (self === null) {
    inlineScopeBlocks(graph.block());
    lambdaLiftBlocksAndConvertToGraph(graph.block());
  } else {
    lambdaLiftBlocksAndConvertToGraph(graph.block());
    createMethodCalls(graph);
    runCleanupPassesOfModule(self);
  }
  runCleanupPasses(graph);
}
