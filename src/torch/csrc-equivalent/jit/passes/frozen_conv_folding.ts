/**
 * @file Convolutions of frozen graphs take over the batch normalization, addition or multiplication behind them.
 * @mirrors torch/csrc/jit/passes/frozen_conv_folding.cpp
 *
 *     %y = aten::conv2d(%x, %w, %b, ...)                    %y = aten::conv2d(%x, %w_fused_mul, %b_fused_mul, ...)
 *     %z = aten::mul(%y, %c)                         ->
 */
import { IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { promoteTypes } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { constant_as, toIValue } from "../ir/constants.ts";
import { OperatorSet } from "../ir/ir/operator_set.ts";
import { type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";
import { runNodeIfInputsAreConstant } from "./constant_propagation.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";
import { FoldBatchnorm } from "./fold_conv_bn.ts";
import { nonConstantParameters } from "./utils/optimization_utils.ts";

/** Convolutions that are not transposed. */
function supportedConvNode(node: Node): boolean {
  switch (node.kind()) {
    case "aten::conv1d":
    case "aten::conv2d":
    case "aten::conv3d":
      return true;
    case "aten::_convolution":
      return constant_as(node.namedInput("transposed"), (constant) => constant.toBool()) === false;
    default:
      return false;
  }
}

export function FoldFrozenConvBatchnorm(graph: Graph): boolean {
  return FoldBatchnorm(graph, (node) => supportedConvNode(node) && node.output().uses().length === 1);
}

const add_or_sub = new OperatorSet([
  "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
  "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
  "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
  "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
]);
const mul_or_div = new OperatorSet([
  "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor",
  "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor",
  "aten::div.Tensor(Tensor self, Tensor other) -> Tensor",
  "aten::div.Scalar(Tensor self, Scalar other) -> Tensor",
]);

/** Whether the operand has one number for all channels or one a channel, and nothing along other dimensions. */
function opDoesNotBroadCastWithConv(operand: Tensor, weight: Tensor): boolean {
  if (operand.dim() > weight.dim()) return false;
  return operand.sizes().every((size, dim) => size === 1 || (dim === 1 && size === weight.size(0)));
}

/** Whether the operator can become part of the convolution, whose result nothing else uses. */
function checkConvAndBroadcastingOpPreConditions(conv: Node, op: Node, weight: Tensor): boolean {
  if (nonConstantParameters(conv) || nonConstantParameters(op) || conv.output().uses().length > 1) return false;
  // Integers and floats mixed would change the dtype of the result.
  if (!weight.is_floating_point()) return false;
  if (op.input(1).type().kind() !== "TensorType") return true;
  const operand = constant_as(op.input(1), (constant) => constant.toTensor());
  if (operand === null || !opDoesNotBroadCastWithConv(operand, weight)) return false;
  return (
    operand.is_floating_point() || promoteTypes(operand.scalar_type(), weight.scalar_type()) === weight.scalar_type()
  );
}

/** The operand as one number a channel. */
function resizeConstantScalarOrTensorToShape(value: Value, shape: number[], like: Tensor): Tensor {
  const constant = toIValue(value);
  TORCH_INTERNAL_ASSERT(constant !== null, "the operand is a constant");
  const tensor = constant.isTensor()
    ? constant.toTensor()
    : at.zeros(shape, like.options()).fill__Scalar(constant.toScalar());
  return tensor.numel() === 1 ? tensor.reshape([1]).expand(shape) : tensor.view(shape);
}

/** The result of the operator for other arguments, as a constant in front of the convolution. */
function computed(op: Node, self: Tensor, other: Tensor, conv: Node): Value {
  const graph = conv.owningGraph();
  return withInsertPoint(conv, () => {
    op.replaceInput(0, graph.insertConstant(IValue.fromTensor(self)));
    op.replaceInput(1, graph.insertConstant(IValue.fromTensor(other)));
    const results = runNodeIfInputsAreConstant(op);
    TORCH_INTERNAL_ASSERT(results?.length === 1);
    return graph.insertConstant(IValue.fromTensor(results[0].toTensor().to_dtype(self.scalar_type())));
  });
}

/** Folds the operators of a set. `into_weight`: whether the operator acts on the weight, too. Returns whether the graph changed. */
function foldOperators(graph: Graph, operators: OperatorSet, into_weight: boolean): boolean {
  let changed = false;
  for (const op of allNodes(graph)) {
    if (!op.isMemberOf(operators) || !supportedConvNode(op.input(0).node())) continue;
    const conv = op.input(0).node();
    const weight_value = conv.namedInput("weight");
    const bias_value = conv.namedInput("bias");
    const weight = constant_as(weight_value, (constant) => constant.toTensor());
    if (weight === null || !checkConvAndBroadcastingOpPreConditions(conv, op, weight)) continue;
    const channels = weight.size(0);
    const operand = resizeConstantScalarOrTensorToShape(op.input(1), [channels], weight);
    const given = constant_as(bias_value, (constant) => constant.toTensor());
    const bias = given ?? (into_weight ? null : at.zeros_like(operand, weight.options()));
    // The name comes from the bias, also for a weight. The bias itself has a name only if the weight does not change.
    const name = `${bias_value.debugName()}_fused_${op.kind().slice("aten::".length)}`;
    if (into_weight) {
      const per_channel = operand.reshape([channels, ...new Array<number>(weight.dim() - 1).fill(1)]);
      const fused = computed(op, weight, per_channel, conv);
      fused.setDebugName(name);
      conv.replaceInputWith(weight_value, fused);
    }
    if (bias !== null) {
      const fused = computed(op, bias, operand, conv);
      if (!into_weight) fused.setDebugName(name);
      conv.replaceInputWith(bias_value, fused);
    }
    op.output().replaceAllUsesWith(conv.output());
    changed = true;
  }
  EliminateDeadCode(graph);
  return changed;
}

export function FoldFrozenConvAddOrSub(graph: Graph): boolean {
  return foldOperators(graph, add_or_sub, false);
}

export function FoldFrozenConvMulOrDiv(graph: Graph): boolean {
  return foldOperators(graph, mul_or_div, true);
}
