/**
 * @file Executors for Python: their settings, their log, their plans, and `torch._C._jit_differentiate`.
 * @mirrors torch/csrc/jit/python/init.cpp#initJITBindings
 */
import { RuntimeError, TORCH_CHECK_VALUE, TORCH_WARN } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { pybind_class, pybind_def } from "#torch/csrc-equivalent/utils/pybind";
import { is_sparse_list } from "#torch/csrc-equivalent/utils/python_abstract";
import { THPUtils_checkLong } from "#torch/csrc-equivalent/utils/python_numbers";
import { needs_owner } from "../../utils/pybind.ts";
import { findAllNodes, type Graph } from "../ir/ir.ts";
import {
  get_jit_logging_levels,
  type JitLoggingStream,
  set_jit_logging_levels,
  set_jit_logging_output_stream,
} from "../jit_log.ts";
import { differentiate, Gradient } from "../runtime/autodiff.ts";
import {
  executor_settings,
  type FusionBehavior,
  type FusionStrategy,
  getBailoutDepth,
} from "../runtime/executor_settings.ts";
import {
  type ExecutionPlan,
  type GraphExecutorState,
  lastExecutedOptimizedGraph,
} from "../runtime/graph_executor/index.ts";

/** `torch._C.Code`: the instructions of a plan. */
export class Code {
  private readonly plan_: ExecutionPlan;

  constructor(plan: ExecutionPlan) {
    needs_owner("Code", plan, "differentiable_graphs");
    this.plan_ = plan;
  }
  grad_executor_states(): PyGraphExecutorState[] {
    return this.plan_.differentiable_graphs().map(({ df }) => new PyGraphExecutorState(df.getDebugState()));
  }
  differentiable_op_executor_states(): PyGraphExecutorState[] {
    return this.plan_.differentiable_graphs().map(({ f }) => new PyGraphExecutorState(f.getDebugState()));
  }
}

/** `torch._C.ExecutionPlan`. */
export class PyExecutionPlan {
  static readonly __name__ = "ExecutionPlan";
  readonly graph: Graph;
  readonly code: Code;

  constructor(plan: ExecutionPlan) {
    needs_owner("ExecutionPlan", plan, "differentiable_graphs");
    this.graph = plan.graph;
    this.code = new Code(plan);
  }
}

/** `torch._C.GraphExecutorState`. */
export class PyGraphExecutorState {
  static readonly __name__ = "GraphExecutorState";
  readonly graph: Graph | null;
  /** Plans by what they assume of the arguments. */
  readonly execution_plans: Map<unknown, PyExecutionPlan>;
  readonly fallback: PyExecutionPlan | null;

  constructor(state: GraphExecutorState) {
    needs_owner(
      "GraphExecutorState",
      (state as GraphExecutorState | null | undefined)?.execution_plans ?? {},
      "forEach",
    );
    this.graph = state.graph;
    this.execution_plans = new PyDict() as Map<unknown, PyExecutionPlan>;
    for (const [spec, plan] of state.execution_plans) this.execution_plans.set(spec, new PyExecutionPlan(plan));
    this.fallback = state.fallback === null ? null : new PyExecutionPlan(state.fallback);
  }
}

/** A function or method of a script, which can be called. */
interface Callable {
  (...args: unknown[]): unknown;
  get_debug_state(): PyGraphExecutorState;
}

/** @mirrors torch/jit/_fuser.py#_script_method_graph_for */
export function graph_for(fn: Callable, args: readonly unknown[]): Graph {
  try {
    const [plan] = fn.get_debug_state().execution_plans.values();
    const graph = plan.graph.copy();
    const groups = findAllNodes(graph, "prim::DifferentiableGraph", true);
    for (const [i, state] of plan.code.differentiable_op_executor_states().entries()) {
      const [forward] = state.execution_plans.values();
      groups[i].g_("Subgraph", forward.graph);
    }
    return graph;
  } catch {
    // It was not optimized yet.
    fn(...args);
    return lastExecutedOptimizedGraph() as Graph; // it ran just now
  }
}

/** Sets a switch, and returns what it was. */
function exchange<K extends keyof typeof executor_settings>(
  key: K,
  value: (typeof executor_settings)[K],
): (typeof executor_settings)[K] {
  const old = executor_settings[key];
  executor_settings[key] = value;
  return old;
}

function pairs_of(strategy: FusionStrategy): unknown[] {
  return strategy.map((pair) => tuple([...pair]));
}

/** Pairs of "STATIC" or "DYNAMIC" and a number. */
export function set_fusion_strategy(strategy: Iterable<Iterable<unknown>>): unknown[] {
  const checked = [...strategy].map((pair) => {
    const [behavior, depth] = pair as unknown as [unknown, unknown];
    TORCH_CHECK_VALUE(
      behavior === "STATIC" || behavior === "DYNAMIC",
      `FusionBehavior only supported 'STATIC' or 'DYNAMIC', got: ${behavior}`,
    );
    return [behavior as FusionBehavior, Number(depth)] as const;
  });
  return pairs_of(exchange("fusion_strategy", checked));
}

function set_bailout_depth(depth: number): number {
  TORCH_WARN(`Use _jit_set_fusion_strategy, bailout depth is deprecated. Setting to (STATIC, ${depth})`);
  return getBailoutDepth(exchange("fusion_strategy", [["STATIC", depth]]));
}

function set_logging_stream(stream: unknown): null {
  if (stream === "stderr" || stream === "stdout") set_jit_logging_output_stream(streams[stream]);
  else if (typeof stream === "function") set_jit_logging_output_stream((entry) => void stream(entry));
  else throw new RuntimeError("expected 'stderr', 'stdout' or a function");
  return null;
}

/** Where the log goes; a Python program replaces the console by its own streams. */
export const streams: Record<"stderr" | "stdout", JitLoggingStream | null> = {
  stderr: null,
  stdout: (_entry, printed) => console.log(printed.replace(/\n$/, "")),
};

const FUSION_STRATEGY = "collections.abc.Sequence[tuple[str, typing.SupportsInt | typing.SupportsIndex]]";

/** A tuple of "STATIC" or "DYNAMIC" and a number; other strings are refused later. */
function is_fusion_pair(pair: unknown): boolean {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" && THPUtils_checkLong(pair[1]);
}

const signatures = {
  _jit_set_logging_option: "(loggingOption: str) -> None",
  _jit_get_logging_option: "() -> str",
  _jit_set_logging_stream: "(arg0: object) -> None",
  _jit_set_profiling_executor: "(arg0: bool) -> bool",
  _jit_set_profiling_mode: "(arg0: bool) -> bool",
  _get_graph_executor_optimize: "(new_setting: bool | None = None) -> bool",
  _set_graph_executor_optimize: "(optimize: bool) -> None",
  _debug_set_autodiff_subgraph_inlining: "(arg0: bool) -> None",
  _jit_set_num_profiled_runs: "(arg0: typing.SupportsInt | typing.SupportsIndex) -> int",
  _jit_get_num_profiled_runs: "() -> int",
  _jit_set_bailout_depth: "(arg0: typing.SupportsInt | typing.SupportsIndex) -> int",
  _jit_set_fusion_strategy: `(arg0: ${FUSION_STRATEGY}) -> list[tuple[str, int]]`,
  _last_executed_optimized_graph: "() -> torch::jit::Graph",
  _jit_differentiate: "(arg0: torch::jit::Graph) -> torch::jit::Gradient",
} as const;

/** Adds functions and classes to `torch._C`. */
export function initExecutorBindings(m: Record<string, unknown>): void {
  pybind_class("object", () => true);
  pybind_class(
    FUSION_STRATEGY,
    (value) => Array.isArray(value) && !is_sparse_list(value) && [...value].every(is_fusion_pair),
  );
  Object.assign(m, { Gradient, Code, ExecutionPlan: PyExecutionPlan, GraphExecutorState: PyGraphExecutorState });
  pybind_def(m, signatures, {
    _jit_set_logging_option: (option: string) => {
      set_jit_logging_levels(option);
      return null;
    },
    _jit_get_logging_option: get_jit_logging_levels,
    _jit_set_logging_stream: set_logging_stream,
    _jit_set_profiling_executor: (on: boolean) => exchange("executor_mode", on),
    _jit_set_profiling_mode: (on: boolean) => exchange("profiling_mode", on),
    _get_graph_executor_optimize: (on: boolean | null = null) =>
      on === null ? executor_settings.optimize : exchange("optimize", on),
    _set_graph_executor_optimize: (on: boolean) => {
      exchange("optimize", on);
      return null;
    },
    _debug_set_autodiff_subgraph_inlining: (on: boolean) => {
      exchange("autodiff_subgraph_inlining", on);
      return null;
    },
    _jit_set_num_profiled_runs: (count: number) => exchange("num_profiled_runs", Number(count)),
    _jit_get_num_profiled_runs: () => executor_settings.num_profiled_runs,
    _jit_set_bailout_depth: (depth: number) => set_bailout_depth(Number(depth)),
    _jit_set_fusion_strategy: set_fusion_strategy,
    _last_executed_optimized_graph: lastExecutedOptimizedGraph,
    _jit_differentiate: (graph: Graph) => differentiate(graph.copy()),
  });
}
