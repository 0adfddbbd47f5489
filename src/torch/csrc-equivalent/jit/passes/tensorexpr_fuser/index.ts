/**
 * @file The fuser for tensor expressions without fusion: values get their types from profiles, and the graph is cleaned up.
 * @mirrors torch/csrc/jit/passes/tensorexpr_fuser.cpp
 * @differs Nothing is fused; PyTorch fuses on devices for which it generates code, which a CPU without LLVM is not.
 */
import { TensorType } from "#aten/core/jit_type";
import { merge } from "#aten/core/tensor_type";
import type { Block, Graph, Value } from "../../ir/ir.ts";
import { EliminateCommonSubexpression } from "../common_subexpression_elimination.ts";
import { EliminateDeadCode } from "../dead_code_elimination.ts";
import { RemoveRedundantProfiles } from "../remove_redundant_profiles.ts";

function removeProfileNodesAndSpecializeTypes(block: Block): void {
  for (const node of block.nodes()) {
    if (node.kind() !== "prim::profile") {
      for (const inner of node.blocks()) removeProfileNodesAndSpecializeTypes(inner);
      continue;
    }
    const input = node.input();
    node.output().replaceAllUsesWith(input);
    const profiled = node.ty("profiled_type");
    if (input.type().kind() !== "TensorType") {
      node.destroy(); // an optional tensor keeps its type
    } else if (profiled.key() !== TensorType.key()) {
      // A use that did not run says nothing. Uses that differ leave what they agree on.
      input.setType(input.type().key() === TensorType.key() ? profiled : merge(input.type(), profiled));
      node.destroy();
    }
  }
}

/** The types that were seen become the types of values, and the profile nodes vanish. */
export function RemoveProfileNodesAndSpecializeTypes(graph: Graph): void {
  removeProfileNodesAndSpecializeTypes(graph.block());
}

/** Kinds whose outputs keep their types: these are certain. */
const certain = new Set(["prim::Constant", "prim::TypeCheck", "prim::TensorExprGroup"]);

function removeTensorTypeSpecialization(value: Value): void {
  if (value.type().kind() === "TensorType" && !certain.has(value.node().kind())) value.setType(TensorType);
}

export function removeTensorTypeSpecializations(block: Block): void {
  for (const input of block.inputs()) removeTensorTypeSpecialization(input);
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) removeTensorTypeSpecializations(inner);
    for (const output of node.outputs()) removeTensorTypeSpecialization(output);
  }
}

/** Forgets types that nothing guards. */
export function RemoveTensorTypeSpecializations(graph: Graph): void {
  removeTensorTypeSpecializations(graph.block());
}

export function FuseTensorExprs(graph: Graph): void {
  EliminateDeadCode(graph);
  RemoveRedundantProfiles(graph);
  EliminateCommonSubexpression(graph);
}
