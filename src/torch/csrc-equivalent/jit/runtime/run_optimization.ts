/**
 * @file The optimizations that hold for all arguments of a graph.
 * @mirrors torch/csrc/jit/runtime/graph_executor.cpp#runOptimization
 */
import type { Graph } from "../ir/ir.ts";
import { EliminateCommonSubexpression } from "../passes/common_subexpression_elimination.ts";
import { ConstantPooling } from "../passes/constant_pooling.ts";
import { ConstantPropagation } from "../passes/constant_propagation.ts";
import { EliminateDeadCode } from "../passes/dead_code_elimination.ts";
import { CheckInplace } from "../passes/inplace_check.ts";
import { UnrollConstantLoops, UnrollLoops } from "../passes/loop_unrolling.ts";
import { PeepholeOptimize } from "../passes/peephole.ts";
import { RemoveListMutation } from "../passes/remove_mutation.ts";

/** @param unroll_non_constant_loops whether loops with an unknown number of rounds are unrolled in part */
export function runOptimization(graph: Graph, unroll_non_constant_loops = true): void {
  EliminateDeadCode(graph);
  EliminateCommonSubexpression(graph);
  PeepholeOptimize(graph);
  ConstantPropagation(graph);
  ConstantPooling(graph);
  const unrolled = unroll_non_constant_loops ? UnrollLoops(graph) : UnrollConstantLoops(graph);
  if (unrolled) RemoveListMutation(graph);
  PeepholeOptimize(graph);
  ConstantPropagation(graph);
  EliminateCommonSubexpression(graph);
  CheckInplace(graph);
}
