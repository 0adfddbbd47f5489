/**
 * @file Makes a `for` that may end early into a `while` with its own counter, which printed code can say.
 * @mirrors torch/csrc/jit/frontend/canonicalize_modified_loop.cpp
 */
import { IValue } from "#aten/core/ivalue";
import * as types from "#aten/core/jit_type";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, withInsertPoint } from "../ir/ir.ts";
import { LoopView } from "../ir/ir_views.ts";
import { insert } from "./schema_matching.ts";
import { SourceRange } from "./source_range.ts";

const MAX_INT64 = 2n ** 63n - 1n;

function canonicalizeLoop(n: Node): void {
  const loop = new LoopView(n);
  if (loop.loopType() !== "ModifiedLoop") return;
  const graph = n.owningGraph();
  const nowhere = SourceRange.empty();
  const { zero, one, max_trip_count } = withInsertPoint(n, () => {
    const zero = graph.insertConstant(IValue.fromInt(0));
    const one = graph.insertConstant(IValue.fromInt(1));
    const max_trip_count = loop.maxTripCount();
    let condition = insert(graph, "aten::gt", [max_trip_count, zero], [], nowhere);
    loop.replaceMaxTripCount(graph.insertConstant(IValue.fromInt(MAX_INT64)));
    const known = toIValue(loop.inputCond());
    if (known === null || !known.toBool()) {
      condition = insert(graph, "aten::__and__", [condition, loop.inputCond()], [], nowhere);
    }
    loop.replaceInputCondition(condition);
    n.addOutput().setType(types.IntType);
    return { zero, one, max_trip_count };
  });
  withInsertPoint(loop.bodyBlock(), () => {
    const body = loop.bodyBlock();
    n.addInput(zero);
    const counter = body.addInput().setType(types.IntType);
    loop.currentTripCount().setDebugName("").replaceAllUsesWith(counter);
    const next = insert(graph, "aten::add", [counter, one], [], nowhere);
    body.registerOutput(next);
    const below = insert(graph, "aten::lt", [next, max_trip_count], [], nowhere);
    const condition = insert(graph, "aten::__and__", [below, loop.nextCond()], [], nowhere);
    body.eraseOutput(0);
    body.insertOutput(0, condition);
  });
}

function canonicalizeBlock(block: Block): void {
  for (const n of block.nodes()) {
    for (const b of n.blocks()) canonicalizeBlock(b);
    if (n.kind() === "prim::Loop") canonicalizeLoop(n);
  }
}

export function CanonicalizeModifiedLoops(graph: Graph): void {
  canonicalizeBlock(graph.block());
}
