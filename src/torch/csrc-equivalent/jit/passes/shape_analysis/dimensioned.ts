/**
 * @file Types of results without sizes: dtype, device and the number of dimensions.
 * @mirrors torch/csrc/jit/passes/shape_analysis.cpp#PropagateTensorShapeOnNode
 */
import type { Type } from "#aten/core/jit_type";
import { create_with_dim, dimensionedOnly, tensor_facts, with_facts } from "#aten/core/tensor_type";
import { ScalarType } from "#c10/core/ScalarType";
import { toIValue } from "../../ir/constants.ts";
import type { Node } from "../../ir/ir.ts";

/** Kinds whose result has dtype and dimensions of the first tensor. */
const preserving = new Set(
  [
    ...["abs", "acos", "asin", "atan", "ceil", "celu", "clamp", "clamp_max", "clamp_min", "clone", "contiguous", "cos"],
    ...["cosh", "cumprod", "cumsum", "detach", "digamma", "dropout", "elu", "erf", "erfc", "erfinv", "exp", "expm1"],
    ...[
      "flip",
      "floor",
      "frac",
      "glu",
      "hardshrink",
      "hardtanh",
      "leaky_relu",
      "lgamma",
      "log",
      "log10",
      "log1p",
      "log2",
    ],
    ...["log_sigmoid", "narrow", "neg", "permute", "reciprocal", "relu", "round", "rsqrt", "selu", "sigmoid", "sign"],
    ...["sin", "sinh", "slice", "softplus", "softshrink", "sqrt", "t", "tan", "tanh", "threshold", "transpose", "tril"],
    ...["triu", "trunc", "zeros_like", "ones_like", "empty_like", "rand_like", "randn_like", "full_like", "alias"],
  ].map((name) => `aten::${name}`),
);

/** Kinds of tensors, or a tensor and a number, that are broadcast. */
const broadcasting = new Set(
  [
    ...["add", "sub", "mul", "div", "pow", "fmod", "remainder", "lerp", "atan2", "addcdiv", "addcmul"],
    ...["__and__", "__or__", "__xor__", "__lshift__", "__rshift__"],
  ].map((name) => `aten::${name}`),
);
const comparing = new Set(["lt", "le", "gt", "ge", "eq", "ne"].map((name) => `aten::${name}`));
const products = new Set(["aten::mm", "aten::bmm"]);
/** Reductions: over everything, or over a dimension that may be kept. */
const reducing = new Set(["sum", "mean", "prod", "max", "min"].map((name) => `aten::${name}`));

const dimOf = (type: Type): number => (tensor_facts(type).sizes as readonly unknown[]).length; // hasDim was asked

/** The type with another number of dimensions. */
function withDim(type: Type, dim: number): Type {
  const { scalarType, device, requiresGrad } = tensor_facts(type);
  return create_with_dim(scalarType, device, dim, requiresGrad);
}

function broadcast(tensors: readonly Type[]): Type {
  if (tensors.length === 1) return dimensionedOnly(tensors[0]);
  const { scalarType, device } = tensor_facts(tensors[0]);
  return create_with_dim(scalarType, device, Math.max(...tensors.map(dimOf)), null);
}

/** A reduction over one dimension gives values, and `max` and `min` give indices too. */
function reduced(node: Node, type: Type): Type[] | null {
  const schema = node.schema();
  const position = schema.argumentIndexWithName("dim");
  if (schema.argumentIndexWithName("other") !== null) return [broadcast([type, node.input(1).type()])];
  if (position === null) return [withDim(type, 0)];
  const keepdim = schema.argumentIndexWithName("keepdim");
  const keep = keepdim === null ? null : toIValue(node.input(keepdim));
  const dims = toIValue(node.input(position));
  if (keep === null || dims === null) return null;
  const removed = dims.isList() ? dims.toIntList().length : 1;
  const values = withDim(type, keep.toBool() ? dimOf(type) : Math.max(dimOf(type) - removed, 0));
  return node.outputs().length === 1 ? [values] : [values, with_facts(values, { scalarType: ScalarType.Long })];
}

/** Null: there is no rule. Precondition: dtype, device and number of dimensions of every tensor are known. */
export function dimensionedTypesOf(node: Node, tensors: readonly Type[]): Type[] | null {
  const kind = node.kind();
  if (preserving.has(kind) || products.has(kind)) return [dimensionedOnly(tensors[0])];
  if (broadcasting.has(kind)) return [broadcast(tensors)];
  if (comparing.has(kind)) return [with_facts(broadcast(tensors), { scalarType: ScalarType.Bool })];
  if (reducing.has(kind)) return reduced(node, tensors[0]);
  if (kind === "aten::select") return [withDim(tensors[0], Math.max(dimOf(tensors[0]) - 1, 0))];
  if (kind === "aten::unsqueeze") return [withDim(tensors[0], dimOf(tensors[0]) + 1)];
  return null;
}
