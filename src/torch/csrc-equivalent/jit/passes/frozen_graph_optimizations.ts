/**
 * @file Makes frozen graphs faster: dropout disappears, and layers take over what only scales and shifts their results.
 * @mirrors torch/csrc/jit/passes/frozen_graph_optimizations.cpp
 * @differs Linear layers of one input are not joined: PyTorch joins them on CUDA only.
 */
import type { Graph } from "../ir/ir.ts";
import { FoldFrozenConvAddOrSub, FoldFrozenConvBatchnorm, FoldFrozenConvMulOrDiv } from "./frozen_conv_folding.ts";
import { FoldFrozenLinearBatchnorm } from "./frozen_linear_folding.ts";
import { removeDropout } from "./remove_dropout.ts";

/** @param optimize_numerics whether results may differ in their last bits */
export function OptimizeFrozenGraph(graph: Graph, optimize_numerics = true): void {
  removeDropout(graph);
  // One fold can make the next one possible: a convolution, a product, a sum.
  for (let changed = optimize_numerics; changed; ) {
    changed = FoldFrozenConvBatchnorm(graph);
    changed = FoldFrozenConvAddOrSub(graph) || changed;
    changed = FoldFrozenConvMulOrDiv(graph) || changed;
    changed = FoldFrozenLinearBatchnorm(graph) || changed;
  }
}
