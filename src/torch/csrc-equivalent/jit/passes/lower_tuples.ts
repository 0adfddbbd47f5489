/**
 * @file Removes tuples: where one is taken apart behind the place where it was made, or everywhere.
 * @mirrors torch/csrc/jit/passes/lower_tuples.cpp
 */
import type { IValue } from "#aten/core/ivalue";
import { TORCH_CHECK } from "#c10/util/Exception";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { EliminateDeadCode, EliminateDeadCodeOfBlock } from "./dead_code_elimination.ts";

/** Nodes that may take or give tuples, so that flattening them is right. */
const supported_ops = new Set([
  "prim::If",
  "prim::Loop",
  "prim::Uninitialized",
  "prim::TupleUnpack",
  "prim::TupleConstruct",
  "prim::TupleIndex",
  "prim::TupleSlice",
  "prim::Param",
  "prim::Return",
  "prim::PythonOp",
  "aten::format",
]);

/** Replaces what a node takes out of a tuple by what was put in. */
function removeTupleNodes(n: Node, must_remove_tuples: boolean): void {
  if (n.kind() !== "prim::TupleUnpack" && n.kind() !== "prim::TupleIndex") return;
  const construct = n.input(0).node();
  if (construct.kind() !== "prim::TupleConstruct") {
    TORCH_CHECK(!must_remove_tuples, n.kind(), " not matched to tuple construct");
    return;
  }
  if (n.kind() === "prim::TupleUnpack") {
    for (const [i, output] of n.outputs().entries()) output.replaceAllUsesWith(construct.input(i));
    return;
  }
  const constant = toIValue(n.input(1));
  if (constant === null || !constant.isInt()) {
    TORCH_CHECK(!must_remove_tuples, n.sourceRange().str(), "tuple index with non-constant index");
    return;
  }
  const length = construct.inputs().length;
  const index = Number(constant.toInt());
  const position = index < 0 ? index + length : index;
  if (position >= 0 && position < length) n.output().replaceAllUsesWith(construct.input(position));
}

/** The nodes that make the tuples stay, without uses. */
export function LowerSimpleTuplesOfBlock(block: Block): void {
  for (const n of block.nodes()) {
    removeTupleNodes(n, false);
    for (const inner of n.blocks()) LowerSimpleTuplesOfBlock(inner);
  }
}

/** Removes the tuples that are taken apart in sight of where they are made. */
export function LowerSimpleTuples(graph: Graph): void {
  LowerSimpleTuplesOfBlock(graph.block());
  EliminateDeadCode(graph);
}

/** Takes a constant tuple apart into constants. */
function RemoveTupleConstants(n: Node): void {
  if (n.kind() !== "prim::Constant" || n.output().type().kind() !== "TupleType") return;
  const graph = n.owningGraph();
  const value = toIValue(n.output()) as IValue; // a constant has a value
  const type = n.output().type();
  withInsertPoint(n, () => {
    const elements = value.toTuple().map((element) => graph.insertConstant(element));
    const construct = graph.insertNode(graph.createTuple(elements, type.fieldNames() === null ? null : type));
    for (const element of elements) RemoveTupleConstants(element.node());
    n.replaceAllUsesWith(construct);
  });
}

function flattenInputs(n: Node): void {
  for (let i = 0; i < n.inputs().length; ) {
    const input = n.input(i);
    if (input.type().kind() !== "TupleType") {
      i++;
      continue;
    }
    checkSupported(n);
    TORCH_CHECK(input.node().kind() === "prim::TupleConstruct", "tuple use not matched to tuple construct");
    for (const [j, element] of input.node().inputs().entries()) n.insertInput(i + 1 + j, element);
    n.removeInput(i); // what came in its place is looked at next
  }
}

function checkSupported(n: Node): void {
  const what = "tuple appears in op that does not forward tuples, unsupported kind: ";
  TORCH_CHECK(supported_ops.has(n.kind()), what, n.kind());
}

function flattenOutputs(n: Node, before: Node | null): void {
  const graph = n.owningGraph();
  let insert_point = before;
  for (let i = 0; i < n.outputs().length; ) {
    const output: Value = n.outputs()[i];
    if (!output.hasUses()) return;
    if (output.type().kind() !== "TupleType") {
      i++;
      continue;
    }
    checkSupported(n);
    const elements = output.type().containedTypes();
    for (const [j, type] of elements.entries()) n.insertOutput(i + 1 + j).setType(type);
    const tuple = graph.createTuple(n.outputs().slice(i + 1, i + 1 + elements.length));
    if (insert_point !== null) tuple.insertBefore(insert_point);
    insert_point = tuple;
    output.replaceAllUsesWith(tuple.output());
    n.eraseOutput(i);
  }
}

function visitNode(n: Node, insert_point: Node | null): void {
  if (n.kind() === "prim::TupleConstruct") return; // it dies when nobody takes it apart any more
  if (n.kind() === "prim::TupleUnpack" || n.kind() === "prim::TupleIndex") {
    removeTupleNodes(n, true);
    return;
  }
  flattenInputs(n);
  for (const block of n.blocks()) lowerAllTuples(block);
  flattenOutputs(n, insert_point);
}

function lowerAllTuples(block: Block): void {
  visitNode(block.param_node(), block.param_node().next());
  for (let n = block.param_node().next(); n !== block.return_node(); ) {
    const next = n.next();
    RemoveTupleConstants(n);
    visitNode(n, next);
    n = next;
  }
  visitNode(block.return_node(), null);
}

function ensureNoTuples(block: Block): void {
  for (const n of block.nodes()) {
    for (const inner of n.blocks()) ensureNoTuples(inner);
    for (const output of n.outputs()) TORCH_CHECK(output.type().kind() !== "TupleType", "Couldn't lower all tuples.");
  }
}

/** Removes every tuple, also those that blocks take and give. @throws RuntimeError if one remains */
export function LowerAllTuples(graph: Graph): void {
  lowerAllTuples(graph.block());
  EliminateDeadCodeOfBlock(graph.block());
  ensureNoTuples(graph.block());
}
