/**
 * @file Makes a block a graph of its own, which runs if the assumptions behind an optimized graph do not hold.
 * @mirrors torch/csrc/jit/runtime/graph_executor.cpp#replaceBlockWithFallbackGraph
 */
import { type Block, Graph, type Node, type Value } from "../../ir/ir.ts";
import { removeProfilingNodes } from "./profiling_nodes.ts";

/** The block becomes one `prim::FallbackGraph` that takes `inputs`. */
export function replaceBlockWithFallbackGraph(block: Block, inputs: readonly Value[]): Node {
  const graph = new Graph();
  const map = new Map<Value, Value>();
  for (const input of inputs) map.set(input, graph.addInput());
  graph.block().cloneFrom(block, (value) => map.get(value) as Value);

  const fallback = block.owningGraph().create("prim::FallbackGraph", inputs, block.outputs().length);
  fallback.g_("Subgraph", graph);
  block.prependNode(fallback);
  for (const [i, input] of inputs.entries()) graph.inputs()[i].copyMetadata(input);
  for (const [i, output] of block.outputs().entries()) {
    fallback.output(i).copyMetadata(output);
    block.replaceOutput(i, fallback.output(i));
  }
  removeProfilingNodes(graph.block());
  for (const node of block.nodes().reverse()) if (node !== fallback) node.destroy();
  return fallback;
}
