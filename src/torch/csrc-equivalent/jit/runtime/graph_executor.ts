/**
 * @file The executor of a graph: it makes a plan when the graph is first called, and runs it.
 * @mirrors torch/csrc/jit/runtime/graph_executor.cpp
 */
import type { Function } from "#aten/core/function";
import type { Stack } from "#aten/core/stack";
import type { Graph } from "../ir/ir.ts";
import type { CodeImpl } from "./interpreter/code_impl.ts";
import { check_arguments, code_of, InterpreterState, interpreter_hooks } from "./interpreter.ts";
import "./register_prim_ops/index.ts";
import "./register_prim_ops_fulljit.ts";
import "./register_special_ops.ts";

/** A graph that was optimized for a kind of arguments, and its instructions. */
export class ExecutionPlan {
  readonly graph: Graph;
  readonly code: CodeImpl;

  constructor(graph: Graph, function_name: string) {
    this.graph = graph;
    this.code = code_of(graph, function_name);
  }
}

/** The result of `get_debug_state()`. */
export interface GraphExecutorState {
  readonly graph: Graph;
  readonly execution_plans: readonly ExecutionPlan[];
  readonly fallback: ExecutionPlan | null;
}

/** How an executor makes its plans. */
export abstract class GraphExecutorImplBase {
  readonly graph: Graph;
  readonly function_name: string;

  constructor(graph: Graph, function_name: string) {
    this.graph = graph.copy();
    this.function_name = function_name;
  }

  /** The plan for the arguments on top of the stack. */
  abstract getPlanFor(stack: Stack): ExecutionPlan;
  abstract getDebugState(): GraphExecutorState;

  /** Replaces the arguments on the stack by the results. */
  run(stack: Stack): void {
    const { code } = this.getPlanFor(stack);
    check_arguments(code, stack);
    new InterpreterState(code).run(stack);
    executor_state.last_executed_optimized_graph = executor_state.last_plan?.graph ?? null;
  }
}

/** The plan that ran last, for `torch.jit.last_executed_optimized_graph`. */
export const executor_state: { last_plan: ExecutionPlan | null; last_executed_optimized_graph: Graph | null } = {
  last_plan: null,
  last_executed_optimized_graph: null,
};

/** An executor that runs the graph as it is. */
export class SimpleGraphExecutorImpl extends GraphExecutorImplBase {
  private execution_plan_: ExecutionPlan | null = null;

  override getPlanFor(): ExecutionPlan {
    this.execution_plan_ ??= new ExecutionPlan(this.graph.copy(), this.function_name);
    executor_state.last_plan = this.execution_plan_;
    return this.execution_plan_;
  }

  override getDebugState(): GraphExecutorState {
    const plans = this.execution_plan_ === null ? [] : [this.execution_plan_];
    return { graph: this.graph, execution_plans: plans, fallback: null };
  }
}

/** Makes the executor of a graph. The profiling executor replaces this one when it is loaded. */
export const executor_factory: { make: (graph: Graph, function_name: string) => GraphExecutorImplBase } = {
  make: (graph, function_name) => new SimpleGraphExecutorImpl(graph, function_name),
};

/** A function with a graph, as the executor needs it. */
export interface GraphFunctionLike extends Function {
  graph(): Graph;
}

const executors = new WeakMap<Function, GraphExecutorImplBase>();

/** The executor of a function; it is made at the first call. */
export function executor_of(fn: GraphFunctionLike): GraphExecutorImplBase {
  let executor = executors.get(fn);
  if (executor === undefined) {
    fn.ensure_defined();
    executor = executor_factory.make(fn.graph(), fn.name());
    executors.set(fn, executor);
  }
  return executor;
}

/** Forgets the executor of a function whose graph changed. */
export function clear_executor_of(fn: Function): void {
  executors.delete(fn);
}

interpreter_hooks.plan_for = (fn, stack) => executor_of(fn as GraphFunctionLike).getPlanFor(stack).code;
