/**
 * @file Makes the block of a closure a graph of its own, with the values that it uses from outside in one tuple, the context.
 * @mirrors torch/csrc/jit/passes/lift_closures.cpp
 */
import { TupleType } from "#aten/core/jit_type";
import { type Block, Graph, type Node, type Value } from "../ir/ir.ts";

function liftClosure(closure: Node, clean: (graph: Graph) => void): void {
  const [block] = closure.blocks();
  const subgraph = new Graph();
  const graph = closure.owningGraph();
  const pack = graph.create("prim::TupleConstruct", [], 1).insertAfter(closure);
  const context = subgraph.addInput("context");
  const unpack = subgraph.insertNode(subgraph.create("prim::TupleUnpack", [context], 0));
  const captures = new Map<Value, Value>();
  subgraph.block().cloneFrom(block, (value) => {
    let captured = captures.get(value);
    if (captured === undefined) {
      pack.addInput(value);
      captured = unpack.addOutput().copyMetadata(value);
      captures.set(value, captured);
    }
    return captured;
  });
  const context_type = TupleType.create(pack.inputs().map((value) => value.type()));
  context.setType(context_type);
  pack.output().setType(context_type);
  // The closure becomes a pair: what is called, and its context.
  const pair = graph.create("prim::TupleConstruct", [], 1).insertAfter(pack);
  closure.output().replaceAllUsesWith(pair.output());
  pair.addInput(closure.output());
  pair.addInput(pack.output());
  pair.output().setType(TupleType.create([closure.output().type(), context_type]));
  closure.eraseBlock(0);
  closure.g_("Subgraph", subgraph);
  clean(subgraph);
}

function liftIn(block: Block, clean: (graph: Graph) => void): void {
  for (const node of block.nodes()) {
    if (node.kind() === "prim::Closure") liftClosure(node, clean);
    else for (const inner of node.blocks()) liftIn(inner, clean);
  }
}

/** @param clean runs over each new graph */
export function liftClosures(graph: Graph, clean: (graph: Graph) => void): void {
  liftIn(graph.block(), clean);
}
