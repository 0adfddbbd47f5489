/**
 * @file Replaces an operator by simpler ones that later passes can work with: `addmm` becomes a product and a sum.
 * @mirrors torch/csrc/jit/passes/decompose_ops.cpp
 * @differs Batch and layer normalization stay whole; PyTorch decomposes them on devices other than the CPU.
 */
import type { IValue } from "#aten/core/ivalue";
import { CompilationUnit } from "../api/compilation_unit.ts";
import { nativeResolver } from "../frontend/resolver.ts";
import { type Block, type Graph, insertGraph, withInsertPoint } from "../ir/ir.ts";
import { unrecorded } from "../recording.ts";
import { ConstantPropagation } from "./constant_propagation.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";
import { PropagateInputShapes } from "./shape_analysis/index.ts";

const ADDMM = "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta, Scalar alpha) -> Tensor";
const source = `
def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: number = 1.0, alpha: number = 1.0):
    return self + mat1.mm(mat2)
`;

let decompose_funcs: CompilationUnit | null = null;

const is_one = (value: IValue | null): boolean =>
  value?.isComplexDouble() === false && value.toScalar().toDouble() === 1;

function decomposeOps(block: Block, functions: CompilationUnit): boolean {
  let decomposed = false;
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) decomposeOps(inner, functions);
    if (!node.matches(ADDMM, ["beta", "alpha"]) || !is_one(node.get("alpha")) || !is_one(node.get("beta"))) continue;
    decomposed = true;
    const body = functions.get_function("addmm").graph();
    const [output] = withInsertPoint(node, () => insertGraph(node.owningGraph(), body, node.inputs()));
    node.output().replaceAllUsesWith(output.setType(node.output().type()));
    node.destroy();
  }
  return decomposed;
}

export function DecomposeOps(graph: Graph): void {
  if (decompose_funcs === null) {
    const unit = new CompilationUnit();
    unrecorded(() => unit.define_source(null, source, nativeResolver(), null));
    decompose_funcs = unit;
  }
  if (!decomposeOps(graph.block(), decompose_funcs)) return;
  PropagateInputShapes(graph);
  ConstantPropagation(graph);
  EliminateDeadCode(graph);
}
