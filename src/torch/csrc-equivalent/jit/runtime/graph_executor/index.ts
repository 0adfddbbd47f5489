/**
 * @file The executor of a graph: it makes a plan when the graph is called, and runs it.
 * @mirrors torch/csrc/jit/runtime/graph_executor.cpp
 */
import type { Function } from "#aten/core/function";
import type { Stack } from "#aten/core/stack";
import type { Graph } from "../../ir/ir.ts";
import { EraseShapeInformation } from "../../passes/erase_shape_information.ts";
import type { CodeImpl } from "../interpreter/code_impl.ts";
import { check_arguments, code_of, InterpreterState, interpreter_hooks } from "../interpreter.ts";
import "../register_prim_ops/index.ts";
import "../register_batch_mm_ops.ts";
import "../register_prim_ops_fulljit.ts";
import "../register_special_ops.ts";
import {
  type DifferentiableGraphExecutors,
  executors_of_differentiable_graph,
} from "./executors_of_differentiable_graph.ts";

/** A graph that was optimized, and its instructions. */
export class ExecutionPlan {
  readonly graph: Graph;
  readonly code: CodeImpl;

  constructor(graph: Graph, function_name: string) {
    this.graph = graph;
    this.code = code_of(graph, function_name);
  }

  /** The executors of the parts of the graph that have their own gradient. */
  differentiable_graphs(): DifferentiableGraphExecutors[] {
    return this.code.operator_table_.flatMap((op) => executors_of_differentiable_graph.get(op) ?? []);
  }
}

/** The result of `get_debug_state()`. */
export interface GraphExecutorState {
  readonly graph: Graph | null;
  /** Plans by what they assume of the arguments. */
  readonly execution_plans: ReadonlyMap<unknown, ExecutionPlan>;
  readonly fallback: ExecutionPlan | null;
}

/** How an executor makes its plans. */
export abstract class GraphExecutorImplBase {
  readonly graph: Graph;
  readonly function_name: string;

  constructor(graph: Graph, function_name: string) {
    this.graph = graph.copy();
    EraseShapeInformation(this.graph);
    this.function_name = function_name;
  }

  /**
   * The plan for the arguments on top of the stack.
   * @param remaining_bailout_depth How often the graph may still be specialized; null: as often as the settings say.
   */
  abstract getPlanFor(stack: Stack, remaining_bailout_depth: number | null): ExecutionPlan;
  abstract getDebugState(): GraphExecutorState;

  /** Replaces the arguments on the stack by the results. */
  run(stack: Stack): void {
    const { code, graph } = this.getPlanFor(stack, null);
    check_arguments(code, stack);
    new InterpreterState(code).run(stack);
    last_executed_optimized_graph = graph;
  }
}

let last_executed_optimized_graph: Graph | null = null;

/** The graph of the plan that ran last; null if none ran. */
export function lastExecutedOptimizedGraph(): Graph | null {
  return last_executed_optimized_graph;
}

/** Makes the executor of a graph. The file of the profiling executor sets it. */
export const executor_factory: { make: (graph: Graph, function_name: string) => GraphExecutorImplBase } = {
  make: () => {
    throw new Error("profiling_graph_executor_impl.ts is not loaded");
  },
};

/** A function with a graph, as the executor needs it. */
export interface GraphFunctionLike extends Function {
  graph(): Graph;
  /** The graph as an executor begins with it; a function that is made of a subgraph has none. */
  optimized_graph?(): Graph;
}

const executors = new WeakMap<Function, GraphExecutorImplBase>();

/** The executor of a function; it is made at the first call. */
export function executor_of(fn: GraphFunctionLike): GraphExecutorImplBase {
  let executor = executors.get(fn);
  if (executor === undefined) {
    fn.ensure_defined();
    executor = executor_factory.make(fn.optimized_graph?.() ?? fn.graph(), fn.name());
    executors.set(fn, executor);
  }
  return executor;
}

/** Forgets the executor of a function whose graph changed. */
export function clear_executor_of(fn: Function): void {
  executors.delete(fn);
}

interpreter_hooks.plan_for = (fn, stack) => executor_of(fn as GraphFunctionLike).getPlanFor(stack, null).code;
