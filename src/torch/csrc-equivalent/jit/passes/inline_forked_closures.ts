/**
 * @file Replaces a fork of a closure by a `fork` with a graph, whose inputs are what the closure took from its context.
 * @mirrors torch/csrc/jit/passes/inline_forked_closures.cpp
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ErrorReport } from "../frontend/error_report.ts";
import type { Block, Graph, Node } from "../ir/ir.ts";

function inlineForkedClosure(fork_closure: Node, kind: string, clean: (graph: Graph) => void): void {
  const pair = fork_closure.input().node();
  const [closure, context] = pair.inputs().map((value) => value.node());
  if (pair.inputs().length !== 2 || closure.kind() !== "prim::Closure" || context.kind() !== "prim::TupleConstruct") {
    throw new ErrorReport(fork_closure.sourceRange(), "Cannot fork this value");
  }
  const fork_graph = closure.g("Subgraph").copy();
  const fork = fork_closure
    .owningGraph()
    .create(kind, 1)
    .insertAfter(fork_closure)
    .setSourceRange(fork_closure.sourceRange());
  const [fork_context] = fork_graph.inputs();
  if (fork_graph.inputs().length !== 1 || fork_context.type().kind() !== "TupleType") {
    throw new ErrorReport(fork.sourceRange(), "Cannot fork lambda with parameters");
  }
  TORCH_INTERNAL_ASSERT(fork_context.uses().length === 1);
  const unpack = fork_context.uses()[0].user;
  context.inputs().forEach((value, i) => {
    fork.addInput(value);
    const input = fork_graph.insertInput(i).copyMetadata(value);
    unpack.outputs()[i].replaceAllUsesWith(input);
  });
  unpack.destroy();
  fork_graph.eraseInput(fork_graph.inputs().length - 1);
  fork.output().copyMetadata(fork_closure.output());
  fork_closure.output().replaceAllUsesWith(fork.output());
  fork_closure.destroy();
  fork.g_("Subgraph", fork_graph);
  clean(fork_graph);
}

function inlineIn(block: Block, clean: (graph: Graph) => void): void {
  for (const node of block.nodes()) {
    if (node.kind() === "prim::forkClosure") inlineForkedClosure(node, "prim::fork", clean);
    else if (node.kind() === "prim::awaitableClosure") inlineForkedClosure(node, "prim::awaitable", clean);
    else for (const inner of node.blocks()) inlineIn(inner, clean);
  }
}

/** @param clean runs over the graph of each fork */
export function inlineForkedClosures(graph: Graph, clean: (graph: Graph) => void): void {
  inlineIn(graph.block(), clean);
}
