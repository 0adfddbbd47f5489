/**
 * @file Replaces several ways to write one operation by one: `torch.chunk` becomes `prim::ConstantChunk`.
 * @mirrors torch/csrc/jit/passes/canonicalize_graph_fuser_ops.cpp
 */
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, withInsertPoint } from "../ir/ir.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";

/** The indices that a list of `chunks` elements is read at, if each is a constant. */
function chunkUses(chunk: Node): { user: Node; index: number }[] | null {
  const found: { user: Node; index: number }[] = [];
  for (const { user } of chunk.output().uses()) {
    const index =
      user.kind() === "aten::select" || user.kind() === "aten::__getitem__" ? toIValue(user.input(1)) : null;
    if (index?.isInt() !== true || user.input(0) !== chunk.output()) return null;
    found.push({ user, index: index.toInt() });
  }
  return found;
}

function constantChunk(node: Node): void {
  const chunks = toIValue(node.input(1));
  const dim = toIValue(node.input(2));
  if (chunks?.isInt() !== true || dim?.isInt() !== true) return;
  const graph = node.owningGraph();
  withInsertPoint(node, () => {
    const chunk = graph.insertNode(graph.create("prim::ConstantChunk", [node.input(0)], chunks.toInt()));
    chunk.i_("chunks", chunks.toInt()).i_("dim", dim.toInt()).copyMetadata(node);
    const [use] = node.output().uses();
    if (node.output().uses().length === 1 && use.user.kind() === "prim::ListUnpack") {
      use.user.replaceAllUsesWith(chunk);
      use.user.destroy();
    } else {
      for (const { user, index } of chunkUses(node) ?? [])
        user.output().replaceAllUsesWith(chunk.output(index < 0 ? index + chunks.toInt() : index));
    }
  });
}

/** Whether the list is only taken apart by constants. */
function onlyTakenApart(node: Node): boolean {
  const uses = node.output().uses();
  if (uses.length === 1 && uses[0].user.kind() === "prim::ListUnpack")
    return uses[0].user.outputs().length === toIValue(node.input(1))?.toInt();
  return uses.length > 0 && chunkUses(node) !== null;
}

function canonicalizeOps(block: Block): void {
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) canonicalizeOps(inner);
    if (
      node.matches("aten::chunk(Tensor self, int chunks, int dim) -> Tensor[]", ["chunks", "dim"]) &&
      onlyTakenApart(node)
    )
      constantChunk(node);
  }
}

export function CanonicalizeOps(graph: Graph): void {
  canonicalizeOps(graph.block());
  EliminateDeadCode(graph);
}
