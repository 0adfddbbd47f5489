/**
 * @file Operators that the tensor expression fuser knows. Nothing is fused here, but the profiler looks at the tensors that they take.
 * @mirrors torch/csrc/jit/passes/tensorexpr_fuser.cpp#isSupported
 */
import { NumberType } from "#aten/core/jit_type";
import { toIValue } from "../../ir/constants.ts";
import { OperatorSet } from "../../ir/ir/operator_set.ts";
import type { Node } from "../../ir/ir.ts";

/** `name(Tensor self) -> Tensor` for each name. */
function unary(names: string): string[] {
  return names.split(" ").map((name) => `aten::${name}(Tensor self) -> Tensor`);
}
/** Operators of a tensor and a number. */
function scalar(names: string): string[] {
  return names.split(" ").map((name) => `aten::${name}.Scalar(Tensor self, Scalar other) -> Tensor`);
}
/** Operators of two tensors. */
function binary(names: string, overload = ".Tensor"): string[] {
  return names.split(" ").map((name) => `aten::${name}${overload}(Tensor self, Tensor other) -> Tensor`);
}

const to_flags = "bool non_blocking=False, bool copy=False";

/** @mirrors torch/csrc/jit/runtime/symbolic_shape_registry_util.cpp#get_tensorexpr_elementwise_set */
const elementwise_set = [
  ...unary("isnan lgamma log10 log log2 log1p exp erf erfc cos sin tan acos asin atan cosh sinh tanh"),
  ...unary("hardsigmoid hardswish sqrt rsqrt abs floor ceil round trunc sigmoid relu mish relu6 silu neg"),
  ...unary("reciprocal expm1 frac"),
  ...scalar("mul div eq ne ge gt le lt fmod __and__ __or__ __xor__ __lshift__ __rshift__"),
  ...binary("mul div eq ne ge gt le lt fmod remainder __and__ __or__ __xor__ __lshift__ __rshift__"),
  ...binary("min max", ".other"),
  ...binary("atan2 type_as", ""),
  "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
  "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
  "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
  "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
  "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
  "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
  `aten::to.dtype(Tensor self, ScalarType dtype, ${to_flags}, MemoryFormat? memory_format=None) -> Tensor`,
  `aten::to.device(Tensor self, Device device, ScalarType dtype, ${to_flags}, MemoryFormat? memory_format=None) -> Tensor`,
  `aten::to.dtype_layout(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, ${to_flags}, MemoryFormat? memory_format=None) -> Tensor`,
  `aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, ${to_flags}) -> Tensor(a|b)`,
  `aten::to.prim_dtype(Tensor(a) self, int? dtype=None, ${to_flags}) -> Tensor(a|b)`,
  "aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
  "aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
  "aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
  "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
  "aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
  "aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
  "aten::gelu(Tensor self, *, str approximate='none') -> Tensor",
  "aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
  "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
  "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
  "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
  "aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
  "aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
  "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
];

const other_set = [
  "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
  "aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor",
  "aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor",
  "aten::matmul(Tensor self, Tensor other) -> Tensor",
  "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
  "aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
];

const supported_set = new OperatorSet([...elementwise_set, ...other_set]);
const supported_kinds: ReadonlySet<string> = new Set([
  "prim::ConstantChunk",
  "prim::ListConstruct",
  "prim::TensorExprGroup",
]);

/** Whether everything but the tensors, which decides about the output's type, is known. */
function hasKnownType(node: Node): boolean {
  // A number whose kind is not known may be an int or a float.
  if (node.inputs().some((input) => input.type() === NumberType)) return false;
  return ["dtype", "device"].every((name) => {
    const index = node.schema().argumentIndexWithName(name);
    return index === null || toIValue(node.input(index)) !== null;
  });
}

export function isSupported(node: Node): boolean {
  return supported_kinds.has(node.kind()) || (node.isMemberOf(supported_set) && hasKnownType(node));
}
