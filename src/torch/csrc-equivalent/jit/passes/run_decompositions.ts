/**
 * @file Replaces operators by the operators that they are made of, then folds what became constant.
 * @mirrors torch/csrc/jit/runtime/decomposition_registry.cpp#RunDecompositions
 * @differs Operators that PyTorch decomposes by functions of torch/jit/_decompositions.py stay whole here.
 */
import type { Graph } from "../ir/ir.ts";
import { ConstantPropagation } from "./constant_propagation.ts";
import { PeepholeOptimize } from "./peephole.ts";

/** Rounds of simplification after the decompositions. */
const ROUNDS = 2;

export function RunDecompositions(graph: Graph): void {
  for (let i = 0; i < ROUNDS; i++) {
    PeepholeOptimize(graph, true);
    ConstantPropagation(graph);
  }
}
