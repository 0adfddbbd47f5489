/**
 * @file Puts a node with a subgraph behind a check of its inputs' types; if the check fails, a copy without assumptions runs.
 * @mirrors torch/csrc/jit/passes/tensorexpr_fuser.cpp#insertTypeGuard
 *
 *     %y : Tensor = prim::DifferentiableGraph_0(%x)    ->    %x1 : Tensor, %ok : bool = prim::RequiresGradCheck[types=[...]](%x)
 *                                                            %y : Tensor = prim::If(%ok)
 *                                                              block0():
 *                                                                %y1 : Tensor = prim::DifferentiableGraph_0(%x1)
 *                                                                -> (%y1)
 *                                                              block1():
 *                                                                %y2 : Tensor = prim::FallbackGraph_1(%x)
 *                                                                -> (%y2)
 */
import { BoolType, type Type } from "#aten/core/jit_type";
import { insertGraph, type Node, type Value, withInsertPoint } from "../../ir/ir.ts";
import { replaceBlockWithFallbackGraph } from "../utils/fallback_graph.ts";
import { removeTensorTypeSpecializations } from "./index.ts";

/**
 * @param type_converter Gives the part of a type that is checked.
 * @param kind The kind of the node that checks.
 */
export function insertTypeGuard(guarded: Node, type_converter: (type: Type) => Type, kind: string): void {
  const graph = guarded.owningGraph();
  const inputs_to_check = guarded
    .inputs()
    .filter((input) => input.type().kind() === "TensorType" && input.node().kind() !== "prim::Constant");
  if (inputs_to_check.length === 0) return;

  const check = graph.create(kind, inputs_to_check, inputs_to_check.length + 1).insertBefore(guarded);
  check.tys_(
    "types",
    inputs_to_check.map((input) => type_converter(input.type())),
  );
  const checked = new Map<Value, Value>();
  for (const [i, input] of inputs_to_check.entries()) checked.set(input, check.output(i).setType(input.type()));
  const result = check.output(inputs_to_check.length).setType(BoolType);

  const branch = graph.create("prim::If", [result], guarded.outputs().length).insertAfter(check);
  for (const [i, output] of guarded.outputs().entries()) {
    branch.output(i).setType(output.type());
    output.replaceAllUsesWith(branch.output(i));
  }
  const [optimized, fallback] = [branch.addBlock(), branch.addBlock()];
  withInsertPoint(fallback, () => {
    for (const output of insertGraph(graph, guarded.g("Subgraph"), guarded.inputs())) fallback.registerOutput(output);
  });
  removeTensorTypeSpecializations(fallback);
  replaceBlockWithFallbackGraph(fallback, guarded.inputs());

  guarded.moveBefore(optimized.return_node());
  for (const [i, input] of guarded.inputs().entries()) guarded.replaceInput(i, checked.get(input) ?? input);
  for (const output of guarded.outputs()) optimized.registerOutput(output);
}
