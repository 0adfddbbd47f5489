/**
 * @file Linear layers of frozen graphs take over the batch normalization behind them.
 * @mirrors torch/csrc/jit/passes/frozen_linear_folding.h
 */
import type { Graph } from "../ir/ir.ts";
import { FoldBatchnorm } from "./fold_conv_bn.ts";

export function FoldFrozenLinearBatchnorm(graph: Graph): boolean {
  return FoldBatchnorm(graph, (node) => node.kind() === "aten::linear");
}
