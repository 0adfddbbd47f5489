/**
 * @file Replaces calls of functions and methods by their bodies.
 * @mirrors torch/csrc/jit/passes/inliner.cpp
 */
import type { ClassType } from "#aten/core/class_type";
import type { Function, FunctionType } from "#aten/core/function";
import { type Block, type Graph, insertGraph, type Node, withInsertPoint } from "../ir/ir.ts";

/** A function whose body is a graph. */
interface WithGraph extends Function {
  graph(): Graph;
  /** The graph as an executor begins with it; a function that is made of a subgraph has none. */
  optimized_graph?(): Graph;
}

/** The function that a node calls, if its body is a graph. */
export function tryToGraphFunction(node: Node): WithGraph | null {
  let callee: Function | null = null;
  if (node.kind() === "prim::CallFunction") {
    const type = node.input(0).type();
    callee = node.input(0).node().kind() === "prim::Constant" ? (type as FunctionType).function() : null;
  } else if (node.kind() === "prim::CallMethod" && node.input(0).type().kind() === "ClassType") {
    callee = (node.input(0).type() as ClassType).getMethod(node.s("name"));
  }
  callee?.ensure_defined();
  return callee?.isGraphFunction() === true ? (callee as WithGraph) : null;
}

/** Puts the body of `callee` in the place of a call. The calls in it are inlined first. */
export function inlineCallTo(call: Node, callee: WithGraph): void {
  const graph = call.owningGraph();
  const body = callee.optimized_graph?.() ?? inlined(callee.graph());
  const inputs = call.kind() === "prim::CallFunction" ? call.inputs().slice(1) : call.inputs();
  withInsertPoint(call, () => {
    const outputs = insertGraph(graph, body, inputs);
    for (const [i, output] of call.outputs().entries()) {
      if (output.hasDebugName()) outputs[i].setDebugName(output.debugName());
      output.replaceAllUsesWith(outputs[i]);
    }
  });
  call.destroy();
}

/** The constant that holds a function stays; it is removed with other dead code. */
function inlineCalls(block: Block): void {
  for (const node of block.nodes()) {
    const callee = tryToGraphFunction(node);
    if (callee !== null) {
      inlineCallTo(node, callee);
    } else {
      for (const inner of node.blocks()) inlineCalls(inner);
    }
  }
}

/** Inlines every call in a graph, also those in what was inlined. */
export function Inline(graph: Graph): void {
  inlineCalls(graph.block());
}

/** A copy of a graph in which every call is inlined. */
export function inlined(graph: Graph): Graph {
  const copy = graph.copy();
  Inline(copy);
  return copy;
}
