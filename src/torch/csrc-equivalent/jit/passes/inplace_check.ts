/**
 * @file Refuses Python functions that change their arguments, which a graph cannot see.
 * @mirrors torch/csrc/jit/passes/inplace_check.cpp
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { findAllNodes, type Graph, type Node } from "../ir/ir.ts";

export function CheckInplace(graph: Graph): void {
  for (const node of findAllNodes(graph, "prim::PythonOp", false)) {
    const name = (node as Node & { name?(): string }).name?.() ?? "";
    TORCH_CHECK(!node.hasAttribute("inplace") || node.i("inplace") === 0, `inplace ${name} not supported in the JIT`);
  }
}
