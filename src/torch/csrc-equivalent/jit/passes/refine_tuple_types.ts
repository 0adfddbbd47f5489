/**
 * @file Gives each `prim::TupleConstruct` the type that its inputs have now.
 * @mirrors torch/csrc/jit/passes/refine_tuple_types.cpp
 */
import { withContained } from "#aten/core/type";
import { TORCH_CHECK } from "#c10/util/Exception";
import { findAllNodes, type Graph } from "../ir/ir.ts";

export function RefineTupleTypes(graph: Graph): void {
  for (const node of findAllNodes(graph, "prim::TupleConstruct", true)) {
    const type = node.output().type();
    TORCH_CHECK(
      type.containedTypes().length === node.inputs().length,
      "Number of contained types does not match number of inputs!",
    );
    node.output().setType(
      withContained(
        type,
        node.inputs().map((input) => input.type()),
      ),
    );
  }
}
