/**
 * @file The two executors of a differentiable graph, by the operation that runs it.
 * @mirrors torch/csrc/jit/runtime/graph_executor.cpp#getGradExecutor
 */
import type { Operation } from "../operator.ts";
import type { GraphExecutorImplBase } from "./index.ts";

export interface DifferentiableGraphExecutors {
  /** Runs forward. */
  readonly f: GraphExecutorImplBase;
  /** Runs backward. */
  readonly df: GraphExecutorImplBase;
}

export const executors_of_differentiable_graph = new WeakMap<Operation, DifferentiableGraphExecutors>();
