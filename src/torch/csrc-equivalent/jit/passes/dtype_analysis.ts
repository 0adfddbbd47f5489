/**
 * @file Finds dtypes of results: each operator runs on tensors without data, which have the dtypes of its inputs.
 * @mirrors torch/csrc/jit/passes/dtype_analysis.cpp
 * @differs Operators of neural networks, such as dropout and batch normalization, have rules of their own in PyTorch, which ask less of their inputs.
 */
import { IValue } from "#aten/core/ivalue";
import { FloatType, IntType } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { tensor_facts, with_facts } from "#aten/core/tensor_type";
import { empty_memory_format } from "#aten/generated/Functions_1";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { RuntimeError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Block, Graph, Node, Value } from "../ir/ir.ts";

/** PyTorch's pass does not know these kinds of nodes, and says so as if it were an error of its own. */
function refuse(condition: string, line: number, why: string): never {
  throw new RuntimeError(
    `${condition} INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/torch/csrc/jit/passes/dtype_analysis.cpp":${line}, please report a bug to PyTorch. ${why}`,
  );
}

const isTensor = (value: Value): boolean => value.type().kind() === "TensorType";

/** Stands for an argument: a tensor of size 1 along each dimension, or a number. Null if the argument is of another kind. */
function example(value: Value): IValue | null {
  if (!isTensor(value)) {
    if (value.type() === FloatType) return IValue.fromDouble(1);
    return value.type() === IntType ? IValue.fromInt(1) : null;
  }
  // A tensor of no dimensions promotes as a number does, so the number of dimensions must be known.
  const { scalarType, sizes } = tensor_facts(value.type());
  if (scalarType === null || sizes === null) return null;
  const options = new TensorOptions(scalarType, null, new Device(DeviceType.Meta));
  return IValue.fromTensor(empty_memory_format(new Array<number>(sizes.length).fill(1), options));
}

function inferWithMetaTensor(node: Node): number | null {
  const stack: Stack = [];
  for (const input of node.inputs()) {
    const value = example(input);
    if (value === null) return null;
    stack.push(value);
  }
  if (node.outputs().length !== 1) return null;
  try {
    node.getOperation()(stack);
    return stack[stack.length - 1].toTensor().scalar_type();
  } catch {
    return null; // it does not run on such tensors: nothing is known
  }
}

function processNode(node: Node): boolean {
  const kind = node.kind();
  if (kind === "prim::If") {
    let changed = false;
    for (const block of node.blocks()) changed = processBlock(block) || changed;
    if (node.outputs().length > 0) refuse("list1.empty()", 278, "Not implemented yet");
    return changed;
  }
  if (["prim::Loop", "prim::CallMethod", "prim::CallFunction"].includes(kind)) {
    refuse("false", 235, "Loop/Call not handled now");
  }
  TORCH_INTERNAL_ASSERT(node.blocks().length === 0, "Do not handle this block structure");
  if (kind === "prim::Constant" || !node.outputs().some(isTensor)) return false;
  if (kind === "prim::ListConstruct" || kind === "prim::ListUnpack") {
    refuse("false", 256, "List Construct and Unpack is not supported in Dtype Propagation");
  }
  if (!kind.startsWith("aten::")) refuse("false", 264, `${kind}Op is not supported in Dtype Propagation`);
  if (
    !node
      .schema()
      .returns()
      .some((result) => result.type().kind() === "TensorType")
  )
    return false;
  const scalarType = inferWithMetaTensor(node);
  if (scalarType === null || tensor_facts(node.output().type()).scalarType === scalarType) return false;
  node.output().setType(with_facts(node.output().type(), { scalarType: scalarType as never }));
  return true;
}

function processBlock(block: Block): boolean {
  let changed = false;
  for (const node of block.nodes()) changed = processNode(node) || changed;
  return changed;
}

/** Returns whether a type changed. */
export function DtypePropagation(graph: Graph): boolean {
  return processBlock(graph.block());
}
