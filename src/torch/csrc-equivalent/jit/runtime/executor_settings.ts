/**
 * @file Settings of executors: how often a graph is profiled, how often it is specialized, and whether it is optimized at all.
 * @mirrors torch/csrc/jit/runtime/profiling_graph_executor_impl.cpp#getProfilingMode
 */

/** The two ways in which fused code treats shapes. */
export type FusionBehavior = "STATIC" | "DYNAMIC";
/** How often a graph may be specialized, and in which way, in this order. */
export type FusionStrategy = readonly (readonly [FusionBehavior, number])[];

export const executor_settings = {
  /** False: the executor specializes on the arguments of each call instead of what it profiled. */
  executor_mode: true,
  /** False: graphs run without profiling. */
  profiling_mode: true,
  /** False: graphs run as they are. */
  optimize: true,
  /** False: a subgraph that can be differentiated is made for a single node, too. */
  autodiff_subgraph_inlining: true,
  num_profiled_runs: 1,
  /** Instructions that one call may run, so that a page can run programs of strangers; null for any number. */
  instruction_limit: null as number | null,
  fusion_strategy: [
    ["STATIC", 2],
    ["DYNAMIC", 10],
  ] as FusionStrategy,
};

/** How often a graph is specialized before it runs without assumptions. */
export function getBailoutDepth(strategy: FusionStrategy = executor_settings.fusion_strategy): number {
  return strategy.reduce((depth, [, times]) => depth + times, 0);
}

/** A subgraph with fewer nodes is not worth its own gradient. */
export const autodiffSubgraphNodeThreshold = 2;
