/**
 * @file The profiling executor: it runs a graph to see its tensors, optimizes for what it saw, and keeps a way back.
 * @mirrors torch/csrc/jit/runtime/profiling_graph_executor_impl.cpp
 *
 * The mechanism in miniature:
 *
 *     call 1   passes that need no types -> prim::profile in front of the tensors -> run, and note the types
 *     call 2   passes that use the types; parts that need gradients become prim::DifferentiableGraph behind a check;
 *              the other branch of the check is a fallback function, with an executor of its own that may specialize once less often
 *     call 3   the plan of call 2, whatever the arguments are
 *
 * Each step goes to the log (jit_log.ts) with its title.
 */
import { FunctionType } from "#aten/core/function";
import { TensorType, type Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { tensor_facts, with_facts } from "#aten/core/tensor_type";
import { print_type } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { current_tracer } from "#c10/util/Trace";
import { GraphFunction } from "../api/function_impl.ts";
import { type Block, Graph, type Node, type Value } from "../ir/ir.ts";
import { getHeader, logger } from "../jit_log.ts";
import { AddIfThenElseOp } from "../passes/add_if_then_else.ts";
import { BatchMM } from "../passes/batch_mm.ts";
import { CanonicalizeOps } from "../passes/canonicalize_graph_fuser_ops.ts";
import { ClearProfilingInformation } from "../passes/clear_profiling.ts";
import { ClearUndefinedness } from "../passes/clear_undefinedness.ts";
import { EliminateCommonSubexpression } from "../passes/common_subexpression_elimination.ts";
import { ConstantPooling } from "../passes/constant_pooling.ts";
import { ConstantPropagation } from "../passes/constant_propagation.ts";
import { CreateAutodiffSubgraphs } from "../passes/create_autodiff_subgraphs.ts";
import { EliminateDeadCode } from "../passes/dead_code_elimination.ts";
import { DecomposeOps } from "../passes/decompose_ops.ts";
import { InlineAutodiffSubgraphs } from "../passes/inline_autodiff_subgraphs.ts";
import { Inline } from "../passes/inliner.ts";
import { CheckInplace } from "../passes/inplace_check.ts";
import { UnrollLoops } from "../passes/loop_unrolling.ts";
import { LowerGradOf } from "../passes/lower_grad_of.ts";
import { LowerSimpleTuples } from "../passes/lower_tuples.ts";
import { PeepholeOptimize } from "../passes/peephole.ts";
import { RemoveExpands } from "../passes/remove_expands.ts";
import { RemoveListMutation } from "../passes/remove_mutation.ts";
import {
  InsertProfileNodesForSpecializeAutogradZero,
  specializeAutogradZero,
} from "../passes/specialize_autogradzero.ts";
import {
  FuseTensorExprs,
  RemoveProfileNodesAndSpecializeTypes,
  RemoveTensorTypeSpecializations,
} from "../passes/tensorexpr_fuser/index.ts";
import { insertTypeGuard } from "../passes/tensorexpr_fuser/type_guard.ts";
import { UpdateDifferentiableGraphRequiresGrad } from "../passes/update_differentiable_graph_requires_grad.ts";
import { removeProfilingNodes } from "../passes/utils/profiling_nodes.ts";
import { unmergeSubgraph } from "../passes/utils/subgraph_utils.ts";
import { gradient_made, plan_chosen, recorded_pass } from "../recording.ts";
import { differentiate } from "./autodiff.ts";
import {
  autodiffSubgraphNodeThreshold,
  executor_settings,
  type FusionStrategy,
  getBailoutDepth,
} from "./executor_settings.ts";
import { packGradient } from "./graph_executor/differentiable_graph.ts";
import {
  ExecutionPlan,
  executor_factory,
  executor_of,
  GraphExecutorImplBase,
  type GraphExecutorState,
} from "./graph_executor/index.ts";
import { ProfilingRecord } from "./profiling_record.ts";
import "./default_values.ts";

const log = logger("profiling_graph_executor_impl");

/** Stands behind a title that only ends a list. */
const nothing = (): void => {};

/** Passes with the titles that stand in the log before and between them. */
type Pipeline = readonly (readonly [title: string, pass: (graph: Graph) => unknown])[];

function runPipeline(graph: Graph, pipeline: Pipeline): void {
  for (const [title, pass] of pipeline) {
    if (title !== "") log.debug(title, graph);
    if (pass !== nothing) recorded_pass(graph, pass, undefined, title);
  }
}

/** Passes that need no types. */
const insensitive: Pipeline = [
  ["Before inlining (beginning of runProfilingInsensitiveOptimizations)", Inline],
  ["After inlining, before ClearProfilingInformation", ClearProfilingInformation],
  ["After ClearProfilingInformation, before LowerGradOf", LowerGradOf],
  ["After LowerGradOf, before ClearUndefinedness", ClearUndefinedness],
  ["After ClearUndefinedness, before RemoveExpands", RemoveExpands],
  ["After RemoveExpands, before CanonicalizeOps", CanonicalizeOps],
  ["After CanonicalizeOps, before EliminateDeadCode", EliminateDeadCode],
  ["After EliminateDeadCode, before DecomposeOps", DecomposeOps],
  ["After DecomposeOps, before ConstantPropagation", ConstantPropagation],
  ["After ConstantPropagation, before EliminateDeadCode", EliminateDeadCode],
  ["After EliminateDeadCode, before EliminateCommonSubexpression", EliminateCommonSubexpression],
  ["After EliminateCommonSubexpression, before ConstantPooling", ConstantPooling],
  ["After ConstantPooling, before PeepholeOptimize", PeepholeOptimize],
  ["After PeepholeOptimize, before EliminateDeadCode", EliminateDeadCode],
  ["After EliminateDeadCode, before LowerSimpleTuples", LowerSimpleTuples],
  ["After LowerSimpleTuples, before CheckInplace", CheckInplace],
  ["After CheckInplace (end of runProfilingInsensitiveOptimizations)", nothing],
];

/** Passes over a graph with its profile, before gradients are made. */
const pre_autodiff: Pipeline = [
  ["Before InsertGuards (beginning of runPreAutodiffPassPipeline)", LowerGradOf],
  ["After LowerGradOf, before specializeAutogradZero", specializeAutogradZero],
  ["After specializeAutogradZero", RemoveExpands],
  ["After RemoveExpands, before CanonicalizeOps", CanonicalizeOps],
  ["After CanonicalizeOps, before EliminateDeadCode", EliminateDeadCode],
  ["After EliminateDeadCode", PeepholeOptimize],
  ["After PeepholeOptimize, before ConstantPropagation", ConstantPropagation],
  ["", EliminateDeadCode],
  ["After EliminateDeadCode, before EliminateCommonSubexpression", EliminateCommonSubexpression],
  ["After EliminateCommonSubexpression, before PeepholeOptimize", PeepholeOptimize],
  ["After PeepholeOptimize, before ConstantPropagation", ConstantPropagation],
  ["After ConstantPropagation, before ConstantPooling", ConstantPooling],
  ["After ConstantPooling, before UnrollLoops", UnrollLoops],
  ["After UnrollLoops, before RemoveListMutation", RemoveListMutation],
  ["After RemoveListMutation, before PeepholeOptimize", PeepholeOptimize],
  ["After PeepholeOptimize, before ConstantPropagation", ConstantPropagation],
  ["After ConstantPropagation, before EliminateCommonSubexpression", EliminateCommonSubexpression],
  ["After EliminateCommonSubexpression, before CheckInplace", CheckInplace],
  ["After CheckInplace (end of runPreAutodiffPassPipeline)", nothing],
];

/** Passes over a graph that needs no gradients. */
const no_grad: Pipeline = [
  ["After customPostPasses (beginning of runNoGradOptimizations)", nothing],
  ["After customPrePasses, before LowerSimpleTuples", LowerSimpleTuples],
  ["After LowerSimpleTuples", RemoveProfileNodesAndSpecializeTypes],
  ["After RemoveProfileNodesAndSpecializeTypes, before BatchMM", BatchMM],
  ["After BatchMM, before Fusion", FuseTensorExprs],
  ["After Fusion, before customPostPasses", nothing],
  ["After customPostPasses, before RemoveTensorTypeSpecializations ", RemoveTensorTypeSpecializations],
  ["After RemoveTensorTypeSpecializations", nothing],
];

/** Whether a tensor was seen that requires gradients. */
function needsGradientInProfilingMode(block: Block): boolean {
  return block.nodes().some((node) => {
    if (node.kind() === "prim::profile" && tensor_facts(node.ty("profiled_type")).requiresGrad === true) return true;
    return node.blocks().some(needsGradientInProfilingMode);
  });
}

/**
 * Puts a differentiable graph behind a check that its inputs require gradients as they did. Returns false if an input was never seen: then
 * the graph is dissolved.
 */
function guardDifferentiableGraph(node: Node): boolean {
  const subgraph = node.g("Subgraph");
  let all_inputs_seen = true;
  for (const [i, inner] of subgraph.inputs().entries()) {
    const type = inner.type();
    if (type.kind() !== "TensorType") continue;
    const input = node.input(i);
    const { user } = inner.uses()[0];
    log.debug(`found first user of ${i} as ${user}`);
    if (user.kind() === "prim::profile") {
      log.debug(`setting input ${i} to type ${print_type(user.ty("profiled_type"))}`);
      input.setType(user.ty("profiled_type"));
    } else if (input.node().kind() === "prim::DifferentiableGraph") {
      // The profile node may be in the graph that made the input.
      const maker = input.node().g("Subgraph").outputs()[input.offset()].node();
      if (maker.kind() === "prim::profile") input.setType(maker.ty("profiled_type"));
    }
    inner.setType(with_facts(type, { requiresGrad: tensor_facts(input.type()).requiresGrad }));
    if (input.type().key() === TensorType.key()) all_inputs_seen = false;
  }
  if (!all_inputs_seen) {
    UpdateDifferentiableGraphRequiresGrad(subgraph, null);
    unmergeSubgraph(node);
    return false;
  }
  // If both were seen, the check asks for gradients, and the fallback does without.
  const requires_grad_of = (type: Type): Type =>
    with_facts(TensorType, { requiresGrad: tensor_facts(type).requiresGrad ?? true });
  insertTypeGuard(node, requires_grad_of, "prim::RequiresGradCheck");
  return true;
}

/** A function that runs the block's subgraph; it gives one tuple. */
function createFallbackPathFunction(block: Block, function_name: string): GraphFunction {
  const graph = new Graph();
  graph.block().cloneFrom(block, (value) => value);
  const tuple = graph.appendNode(graph.createTuple(graph.outputs())).output();
  for (let i = graph.outputs().length - 1; i >= 0; i--) graph.eraseOutput(i);
  graph.registerOutput(tuple);
  return new GraphFunction(function_name, graph);
}

/** Calls the function before a node. Returns the elements of its tuple. */
function insertFallbackFunctionCall(before: Node, fn: GraphFunction): readonly Value[] {
  const graph = before.owningGraph();
  const constant = graph.create("prim::Constant").insertBefore(before).s_("name", fn.name()).i_("fallback", 1).output();
  constant.setType(FunctionType.create(fn));
  const call = graph
    .create("prim::CallFunction", [constant, ...before.inputs()])
    .insertBefore(before)
    .output();
  call.setType(fn.graph().outputs()[0].type());
  return graph.createTupleUnpack(call).insertBefore(before).outputs();
}

export class ProfilingGraphExecutorImpl extends GraphExecutorImplBase {
  private record_: ProfilingRecord | null = null;
  private profiling_plan_: ExecutionPlan | null = null;
  private optimized_plan_: ExecutionPlan | null = null;
  /** The plan without optimizations. */
  private fallback_plan_: ExecutionPlan | null = null;
  private remaining_bailout_depth_: number | null = null;
  private readonly fusion_strategy_: FusionStrategy = executor_settings.fusion_strategy;

  override getPlanFor(_stack: Stack, remaining_bailout_depth: number | null): ExecutionPlan {
    const kept = this.optimized_plan_;
    const plan = kept ?? this.getOptimizedPlanFor(remaining_bailout_depth);
    if (current_tracer() !== null) plan_chosen(plan.graph, kept === null ? this.nameOf(plan) : "the plan that is kept");
    return plan;
  }

  private nameOf(plan: ExecutionPlan): string {
    if (plan === this.profiling_plan_) return "a plan that profiles";
    return plan === this.optimized_plan_ ? "an optimized plan" : "a plan without optimizations";
  }

  override getDebugState(): GraphExecutorState {
    TORCH_INTERNAL_ASSERT(this.optimized_plan_ !== null, "optimized_plan_");
    return { graph: null, execution_plans: new Map([["", this.optimized_plan_]]), fallback: null };
  }

  private getOptimizedPlanFor(remaining_bailout_depth: number | null): ExecutionPlan {
    log.debug("Running ProfilingGraphExecutorImpl ");
    if (!executor_settings.optimize || !executor_settings.profiling_mode) return this.getUnoptimizedPlan();
    this.remaining_bailout_depth_ ??= remaining_bailout_depth ?? getBailoutDepth(this.fusion_strategy_);
    if (this.remaining_bailout_depth_ === 0) {
      const copy = this.graph.copy();
      runPipeline(copy, insensitive);
      log.dump("Optimized SimpleExecutor Graph: ", copy);
      this.optimized_plan_ = new ExecutionPlan(copy, this.function_name);
      return this.optimized_plan_;
    }
    const record = this.profile();
    if (!record.ready()) return this.profiling_plan_ as ExecutionPlan; // made with the record
    const copy = record.graph().copy();
    ProfilingRecord.removeProfileCounter(copy.block());
    this.runProfilingOptimizations(copy);
    this.replaceFallbackGraphWithFallbackFunction(copy.block());
    AddIfThenElseOp(copy);
    log.dump("Optimized Graph: ", copy);
    this.optimized_plan_ = new ExecutionPlan(copy, this.function_name);
    return this.optimized_plan_;
  }

  private getUnoptimizedPlan(): ExecutionPlan {
    if (this.fallback_plan_ === null) {
      const copy = this.graph.copy();
      runPipeline(copy, [
        ["Before LowerGradOf (beginning of runNooptPassPipeline)", LowerGradOf],
        ["After LowerGradOf, before RemoveExpands", RemoveExpands],
      ]);
      this.fallback_plan_ = new ExecutionPlan(copy, this.function_name);
      log.dump("NoOpt Graph: ", copy);
    }
    return this.fallback_plan_;
  }

  /** The graph with profile nodes, which is made once. */
  private profile(): ProfilingRecord {
    if (this.record_ === null) {
      const copy = this.graph.copy();
      runPipeline(copy, insensitive);
      this.record_ = ProfilingRecord.instrumentGraph(copy);
      // First of all, because it looks for sizes that nothing stands behind yet.
      InsertProfileNodesForSpecializeAutogradZero(this.record_);
      log.dump("Profiled Graph: ", this.record_.graph());
      this.profiling_plan_ = new ExecutionPlan(this.record_.graph(), this.function_name);
    }
    return this.record_;
  }

  private runProfilingOptimizations(copy: Graph): void {
    log.debug("Before runProfilingOptimizations:", copy);
    runPipeline(copy, pre_autodiff);
    if (needsGradientInProfilingMode(copy.block())) {
      this.makeGradients(copy);
    } else {
      runPipeline(copy, no_grad);
      log.debug("End of runNoGradOptimizations");
    }
    recorded_pass(copy, EliminateDeadCode);
    log.debug("After runProfilingOptimizations:", copy);
  }

  private makeGradients(copy: Graph): void {
    const threshold = executor_settings.autodiff_subgraph_inlining ? autodiffSubgraphNodeThreshold : 1;
    const nodes = recorded_pass(
      copy,
      (graph) => CreateAutodiffSubgraphs(graph, threshold),
      "torch::jit::CreateAutodiffSubgraphs",
    );
    log.debug("After CreateAutodiffSubgraphs", copy);
    for (const [i, node] of nodes.entries()) {
      log.debug(`Optimizing diff node ${i} in `, copy, "");
      if (!guardDifferentiableGraph(node)) {
        log.debug(`Could not guardDifferentiableGraph ${i} in `, copy, "");
        continue;
      }
      log.debug("After guardDifferentiableGraph:", copy);
      const gradient = differentiate(node.g("Subgraph"));
      RemoveTensorTypeSpecializations(gradient.f);
      removeProfilingNodes(gradient.f.block());
      log.debug("Forward graph:", gradient.f);
      log.debug("Backward graph:", gradient.df);
      gradient_made(gradient.f, gradient.df);
      // Its inputs are detached: forward runs as in no_grad.
      UpdateDifferentiableGraphRequiresGrad(gradient.f, false);
      log.debug("After UpdateDifferentiableGraphRequiresGrad ", gradient.f, "");
      this.replaceFallbackGraphWithFallbackFunction(gradient.f.block());
      packGradient(gradient, node);
      log.debug(`Finished optimizing diff node ${i}`);
    }
    recorded_pass(copy, (graph) => InlineAutodiffSubgraphs(graph, threshold), "torch::jit::InlineAutodiffSubgraphs");
    this.replaceFallbackGraphWithFallbackFunction(copy.block());
    removeProfilingNodes(copy.block());
    log.debug("After InlineAutodiffSubgraphs and Removing Profiling Nodes", copy);
  }

  /** The graph that runs if a check fails becomes a function, whose executor begins to profile with its first call. */
  private replaceFallbackGraphWithFallbackFunction(block: Block): void {
    for (const node of block.nodes()) {
      if (node.kind() !== "prim::FallbackGraph") {
        for (const inner of node.blocks()) this.replaceFallbackGraphWithFallbackFunction(inner);
        continue;
      }
      const fn = createFallbackPathFunction(node.g("Subgraph").block(), "fallback_function");
      const depth = this.remaining_bailout_depth_ as number; // set before anything is optimized
      TORCH_INTERNAL_ASSERT(depth > 0);
      log.debug(`getPlanFor for${getHeader(node)} ${depth}`);
      executor_of(fn).getPlanFor([], depth - 1);
      for (const [i, result] of insertFallbackFunctionCall(node, fn).entries())
        node.output(i).replaceAllUsesWith(result);
      node.destroy();
    }
  }
}

executor_factory.make = (graph, function_name) => new ProfilingGraphExecutorImpl(graph, function_name);
