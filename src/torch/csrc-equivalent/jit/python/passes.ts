/**
 * @file The passes that Python calls by name: `torch._C._jit_pass_dce(graph)`.
 * @mirrors torch/csrc/jit/python/init.cpp#initJITBindings
 */
import { THPVariable_Check } from "#torch/csrc-equivalent/autograd/python_variable/type";
import type { Graph } from "../ir/ir.ts";
import { BatchMM } from "../passes/batch_mm.ts";
import { Canonicalize } from "../passes/canonicalize.ts";
import { CanonicalizeOps } from "../passes/canonicalize_graph_fuser_ops.ts";
import { EliminateCommonSubexpression } from "../passes/common_subexpression_elimination.ts";
import { ConstantPooling } from "../passes/constant_pooling.ts";
import { ConstantPropagation, ConstantPropagationImmutableTypes } from "../passes/constant_propagation.ts";
import { CreateAutodiffSubgraphs } from "../passes/create_autodiff_subgraphs.ts";
import { EliminateDeadCode, EliminateDeadCodeOfBlock } from "../passes/dead_code_elimination.ts";
import { DecomposeOps } from "../passes/decompose_ops.ts";
import { DeviceTypePropagation } from "../passes/device_type_analysis.ts";
import { DtypePropagation } from "../passes/dtype_analysis.ts";
import { EraseNumberTypes } from "../passes/erase_number_types.ts";
import { EraseShapeInformation } from "../passes/erase_shape_information.ts";
import {
  FoldFrozenConvAddOrSub,
  FoldFrozenConvBatchnorm,
  FoldFrozenConvMulOrDiv,
} from "../passes/frozen_conv_folding.ts";
import { OptimizeFrozenGraph } from "../passes/frozen_graph_optimizations.ts";
import { FoldFrozenLinearBatchnorm } from "../passes/frozen_linear_folding.ts";
import { FuseLinear } from "../passes/fuse_linear.ts";
import { FuseGraph } from "../passes/graph_fuser.ts";
import { InlineAutodiffSubgraphs } from "../passes/inline_autodiff_subgraphs.ts";
import { InlineForkWait } from "../passes/inline_fork_wait.ts";
import { Inline } from "../passes/inliner.ts";
import { RefineIntegerValues } from "../passes/integer_value_refinement.ts";
import { UnrollConstantLoops, UnrollLoops } from "../passes/loop_unrolling.ts";
import { LowerAllTuples } from "../passes/lower_tuples.ts";
import { FuseAddMM, PeepholeOptimize } from "../passes/peephole.ts";
import { PeepholeOptimizeListIdioms } from "../passes/peephole_list_idioms.ts";
import { RefineTupleTypes } from "../passes/refine_tuple_types.ts";
import { removeDropout } from "../passes/remove_dropout.ts";
import { RemoveExpands } from "../passes/remove_expands.ts";
import { RemoveInplaceOps } from "../passes/remove_inplace_ops.ts";
import { InplaceToFunctionalActivation, RemoveListMutation, RemoveTensorMutation } from "../passes/remove_mutation.ts";
import { ReplicateDeQuant } from "../passes/replicate_dequantize.ts";
import { FunctionalToInplaceActivation } from "../passes/restore_mutation.ts";
import { RunDecompositions } from "../passes/run_decompositions.ts";
import { PropagateInputShapes } from "../passes/shape_analysis/index.ts";
import { specializeAutogradZero } from "../passes/specialize_autogradzero.ts";
import { FuseTensorExprs } from "../passes/tensorexpr_fuser/index.ts";
import { autodiffSubgraphNodeThreshold } from "../runtime/executor_settings.ts";

/** Both kinds of mutation; the result tells of tensors only. */
function remove_mutation(graph: Graph): boolean {
  RemoveListMutation(graph);
  return RemoveTensorMutation(graph);
}

/** Passes by the part of the name behind `_jit_pass_`. */
export const jit_passes = {
  batch_mm: BatchMM,
  canonicalize: (graph: Graph, keep_unique_names = true): Graph => Canonicalize(graph, keep_unique_names),
  canonicalize_graph_fuser_ops: CanonicalizeOps,
  complete_shape_analysis: (graph: Graph, inputs: Iterable<unknown>, _with_grad: boolean): void => {
    for (const [i, input] of [...inputs].entries())
      if (THPVariable_Check(input)) graph.inputs()[i].inferTypeFrom(input.cdata);
    PropagateInputShapes(graph);
  },
  constant_loop_unrolling: UnrollConstantLoops,
  constant_pooling: ConstantPooling,
  constant_propagation: ConstantPropagation,
  constant_propagation_immutable_types: ConstantPropagationImmutableTypes,
  create_autodiff_subgraphs: (graph: Graph, threshold: number | null = null): void =>
    void CreateAutodiffSubgraphs(graph, threshold ?? autodiffSubgraphNodeThreshold),
  cse: EliminateCommonSubexpression,
  // These two look at the block alone, without alias information.
  dce: (graph: Graph): void => void EliminateDeadCodeOfBlock(graph.block()),
  dce_allow_deleting_nodes_with_side_effects: (graph: Graph): void =>
    void EliminateDeadCodeOfBlock(graph.block(), true, "ALLOW_DELETING_NODES_WITH_SIDE_EFFECTS"),
  dce_graph: (graph: Graph): void => EliminateDeadCode(graph),
  decompose_ops: DecomposeOps,
  erase_number_types: EraseNumberTypes,
  erase_shape_information: EraseShapeInformation,
  fold_frozen_conv_add_or_sub: FoldFrozenConvAddOrSub,
  fold_frozen_conv_bn: FoldFrozenConvBatchnorm,
  fold_frozen_conv_mul_or_div: FoldFrozenConvMulOrDiv,
  fold_frozen_linear_bn: FoldFrozenLinearBatchnorm,
  functional_to_inplace_activation: FunctionalToInplaceActivation,
  fuse_addmm: FuseAddMM,
  fuse: FuseGraph,
  fuse_linear: FuseLinear,
  fuse_tensorexprs: FuseTensorExprs,
  inline: Inline,
  inline_autodiff_subgraphs: InlineAutodiffSubgraphs,
  inline_fork_wait: InlineForkWait,
  inplace_to_functional_activation: InplaceToFunctionalActivation,
  integer_value_refinement: RefineIntegerValues,
  lint: (graph: Graph): void => graph.lint(),
  loop_unrolling: UnrollLoops,
  lower_all_tuples: LowerAllTuples,
  optimize_frozen_graph: (graph: Graph, optimize_numerics: boolean): void =>
    OptimizeFrozenGraph(graph, optimize_numerics),
  peephole: (graph: Graph, disable_shape_peepholes = false): boolean =>
    PeepholeOptimize(graph, disable_shape_peepholes),
  peephole_list_idioms: (graph: Graph, refine_list_len = false): boolean =>
    PeepholeOptimizeListIdioms(graph, refine_list_len),
  propagate_device: DeviceTypePropagation,
  propagate_dtype: DtypePropagation,
  refine_integer_values: RefineIntegerValues,
  refine_tuple_types: RefineTupleTypes,
  remove_dropout: removeDropout,
  remove_expands: RemoveExpands,
  remove_inplace_ops: RemoveInplaceOps,
  remove_mutation,
  replicate_dequantize: ReplicateDeQuant,
  run_decompositions: RunDecompositions,
  specialize_autogradzero: specializeAutogradZero,
};

/** Arguments and result of each pass, in pybind11's words. */
export const pass_signatures: Readonly<Record<keyof typeof jit_passes, string>> = (() => {
  const none = "(arg0: torch::jit::Graph) -> None";
  const bool = "(arg0: torch::jit::Graph) -> bool";
  return {
    batch_mm: none,
    canonicalize: "(graph: torch::jit::Graph, keep_unique_names: bool = True) -> torch::jit::Graph",
    canonicalize_graph_fuser_ops: none,
    complete_shape_analysis: "(arg0: torch::jit::Graph, arg1: tuple, arg2: bool) -> None",
    constant_loop_unrolling: bool,
    constant_pooling: none,
    constant_propagation: "(graph: torch::jit::Graph) -> bool",
    constant_propagation_immutable_types: bool,
    create_autodiff_subgraphs: "(graph: torch::jit::Graph, threshold: object = None) -> None",
    cse: bool,
    dce: none,
    dce_allow_deleting_nodes_with_side_effects: none,
    dce_graph: none,
    decompose_ops: none,
    erase_number_types: none,
    erase_shape_information: none,
    fold_frozen_conv_add_or_sub: bool,
    fold_frozen_conv_bn: bool,
    fold_frozen_conv_mul_or_div: bool,
    fold_frozen_linear_bn: bool,
    functional_to_inplace_activation: bool,
    fuse_addmm: bool,
    fuse: "(arg0: torch::jit::Graph, arg1: bool) -> None",
    fuse_linear: none,
    fuse_tensorexprs: none,
    inline: none,
    inline_autodiff_subgraphs: "(arg0: torch::jit::Graph, arg1: int) -> None",
    inline_fork_wait: none,
    inplace_to_functional_activation: bool,
    integer_value_refinement: bool,
    lint: none,
    loop_unrolling: bool,
    lower_all_tuples: none,
    optimize_frozen_graph: "(arg0: torch::jit::Graph, arg1: bool) -> None",
    peephole: "(graph: torch::jit::Graph, disable_shape_peepholes: bool = False) -> bool",
    peephole_list_idioms: "(graph: torch::jit::Graph, refine_list_len: bool = False) -> bool",
    propagate_device: bool,
    propagate_dtype: bool,
    refine_integer_values: bool,
    refine_tuple_types: none,
    remove_dropout: none,
    remove_expands: none,
    remove_inplace_ops: none,
    remove_mutation: bool,
    replicate_dequantize: none,
    run_decompositions: none,
    specialize_autogradzero: none,
  };
})();
