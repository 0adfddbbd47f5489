/**
 * @file Gives each `prim::TupleConstruct` the type that its inputs have now.
 * @mirrors torch/csrc/jit/passes/refine_tuple_types.cpp
 */
import type { Type } from "#aten/core/jit_type";
import { withContained } from "#aten/core/type";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { findAllNodes, type Graph, type Value } from "../ir/ir.ts";

/** Whether the input still has the type object from which the tuple's type was made. Constants of containers have types of their own. */
function isUnchanged(input: Value, type: Type): boolean {
  const own = input.node().kind() === "prim::Constant" && input.type().containedTypes().length > 0;
  return !own && input.type() === type;
}

/** @throws {RuntimeError} for a tuple whose type needs no change, as PyTorch's pass does: it asks a copy of the type for its owner */
export function RefineTupleTypes(graph: Graph): void {
  for (const node of findAllNodes(graph, "prim::TupleConstruct", true)) {
    const type = node.output().type();
    const contained = type.containedTypes();
    TORCH_CHECK(
      contained.length === node.inputs().length,
      "Number of contained types does not match number of inputs!",
    );
    if (node.inputs().every((input, i) => isUnchanged(input, contained[i]))) throw new RuntimeError("bad_weak_ptr");
    node.output().setType(
      withContained(
        type,
        node.inputs().map((input) => input.type()),
      ),
    );
  }
}
