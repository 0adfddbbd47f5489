/**
 * @file The clean-up around the fuser: expressions that became equal are computed once, and what nobody reads is removed.
 * @mirrors torch/csrc/jit/passes/graph_fuser.cpp#FuseGraph
 * @differs Nothing is fused; PyTorch fuses on devices for which it generates code, which a CPU without LLVM is not.
 */
import type { Graph } from "../ir/ir.ts";
import { EliminateCommonSubexpression } from "./common_subexpression_elimination.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";

export function FuseGraph(graph: Graph): void {
  EliminateCommonSubexpression(graph);
  EliminateDeadCode(graph);
}
