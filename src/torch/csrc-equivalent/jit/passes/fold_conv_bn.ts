/**
 * @file Weight and bias of a convolution or linear layer that does the work of the batch normalization behind it, too.
 * @mirrors torch/csrc/jit/passes/fold_conv_bn.cpp#computeUpdatedConvWeightAndBias
 *
 *     bn(conv(x)) = (w * x + b - mean) * scale + shift      scale = gamma / sqrt(var + eps), one number a channel
 *                 = (w * scale) * x + ((b - mean) * scale + shift)
 */

import { IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { constant_as } from "../ir/constants.ts";
import type { Graph } from "../ir/ir.ts";
import { type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";
import { nonConstantParameters } from "./utils/optimization_utils.ts";

const tensor_of = (value: Value): Tensor | null => constant_as(value, (constant) => constant.toTensor());

/** The tensors of a batch normalization; null if it has no statistics of its own. */
function batch_norm_of(bn: Node) {
  const mean = tensor_of(bn.namedInput("running_mean"));
  const variance = tensor_of(bn.namedInput("running_var"));
  const eps = constant_as(bn.namedInput("eps"), (constant) => constant.toDouble());
  if (mean === null || variance === null || eps === null) return null;
  return {
    mean,
    scale: (tensor_of(bn.namedInput("weight")) ?? at.ones_like(mean)).mul_Tensor(
      variance.add_Scalar(Scalar.fromDouble(eps)).rsqrt(),
    ),
    shift: tensor_of(bn.namedInput("bias")) ?? at.zeros_like(mean),
  };
}

function fold(layer: Node, bn: Node): boolean {
  const norm = batch_norm_of(bn);
  const weight_value = layer.namedInput("weight");
  const bias_value = layer.namedInput("bias");
  const weight = tensor_of(weight_value);
  if (norm === null || weight === null) return false;
  const bias = tensor_of(bias_value) ?? at.zeros_like(norm.mean);
  const per_channel = [-1, ...new Array<number>(weight.dim() - 1).fill(1)];
  const fused_weight = weight.mul_Tensor(norm.scale.reshape(per_channel)).to_dtype(weight.scalar_type());
  const fused_bias = bias.sub_Tensor(norm.mean).mul_Tensor(norm.scale).add_Tensor(norm.shift);
  withInsertPoint(layer, () => {
    const graph = layer.owningGraph();
    const new_weight = graph.insertConstant(IValue.fromTensor(fused_weight));
    const new_bias = graph.insertConstant(IValue.fromTensor(fused_bias.to_dtype(bias.scalar_type())));
    new_weight.setDebugName(`${weight_value.debugName()}_fused_bn`);
    new_bias.setDebugName(`${bias_value.debugName()}_fused_bn`);
    layer.replaceInputWith(weight_value, new_weight);
    layer.replaceInputWith(bias_value, new_bias);
  });
  bn.output().replaceAllUsesWith(layer.output());
  return true;
}

/** Folds every batch normalization that has only constants behind a layer that has only constants. Returns whether the graph changed. */
export function FoldBatchnorm(graph: Graph, supported: (node: Node) => boolean): boolean {
  let changed = false;
  for (const bn of allNodes(graph)) {
    if (bn.kind() !== "aten::batch_norm" || !supported(bn.input(0).node())) continue;
    const layer = bn.input(0).node();
    if (nonConstantParameters(layer) || nonConstantParameters(bn)) continue;
    changed = fold(layer, bn) || changed;
  }
  EliminateDeadCode(graph);
  return changed;
}
