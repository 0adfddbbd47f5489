/**
 * @file Makes tensors of all numbers, as ONNX wants it: constants become 0-dim tensors, conversions between numbers and tensors vanish.
 * @mirrors torch/csrc/jit/passes/erase_number_types.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { BoolType, NumberType } from "#aten/core/jit_type";
import { fromNumberType } from "#aten/core/tensor_type";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";

const isNumber = (value: Value): boolean => value.type().isSubtypeOf(NumberType) || value.type().isSubtypeOf(BoolType);

function SetNumTypeToTensorType(value: Value): void {
  if (isNumber(value)) value.setType(fromNumberType(value.type()));
}

const conversions: ReadonlySet<string> = new Set([
  "aten::Bool",
  "aten::Float",
  "aten::Int",
  "aten::FloatImplicit",
  "aten::IntImplicit",
  "aten::ScalarImplicit",
  "prim::NumToTensor",
]);

function eraseConstant(node: Node): void {
  const output = node.output();
  if (!isNumber(output)) return;
  const number = toIValue(output) as IValue; // a constant has a value
  withInsertPoint(node, () => {
    const tensor = wrapped_scalar_tensor(number.toScalar());
    const constant = node.owningGraph().insertConstant(IValue.fromTensor(tensor));
    constant.copyMetadata(output); // a number's type, until a node takes it
    output.replaceAllUsesWith(constant);
  });
  node.destroy();
}

function eraseOnBlock(block: Block): void {
  for (const node of block.nodes()) {
    for (const input of node.inputs()) SetNumTypeToTensorType(input);
    for (const inner of node.blocks()) eraseOnBlock(inner);
    if (node.kind() === "prim::Constant") {
      eraseConstant(node);
    } else if (conversions.has(node.kind())) {
      node.output().replaceAllUsesWith(node.input(0));
      node.destroy();
    } else {
      for (const output of node.outputs()) SetNumTypeToTensorType(output);
    }
  }
}

export function EraseNumberTypes(graph: Graph): void {
  for (const input of graph.inputs()) SetNumTypeToTensorType(input);
  eraseOnBlock(graph.block());
}
