/**
 * @file Gradients of operators as TorchScript. An operator that is missing here is left to autograd.
 * @mirrors torch/csrc/jit/runtime/symbolic_script.cpp
 * @differs There are no formulas for operators that glasstorch lacks: casts of autocast, `_dim_arange`.
 */
import { broadcast, formula, unary, with_options } from "./formula.ts";
import { adaptive_pooling, matrices, reductions, sizes_if_not_equal, variance } from "./helpers.ts";

const size_of = (name: string): string => `${name}_size = torch._size_if_not_equal(${name}.size(), result.size())`;
const summed = (name: string, gradient: string): string =>
  `grad_${name} = (${gradient})._grad_sum_to_size(${name}_size)`;

const reduction_formulas = [
  formula(
    "mean_0(self, *, dtype: Optional[int])",
    "torch.mean(self, dtype=dtype)",
    "grad_output.expand(self_size).to(self_scalar_type) / self_numel, None",
    { before: ["self_size = self.size()", "self_numel = self.numel()", "self_scalar_type = self.dtype"] },
  ),
  formula(
    "mean_1(self, dim: Optional[List[int]], keepdim: bool, *, dtype: Optional[int])",
    "torch.mean(self, dim, keepdim, dtype=dtype)",
    "grad_self, None, None, None",
    {
      before: ["self_size = self.size()", "self_scalar_type = self.dtype"],
      backward: [
        "grad_self = AD_sum_backward(grad_output, self_size, dim, keepdim).to(self_scalar_type) / AD_safe_size(self_size, dim)",
      ],
    },
  ),
  formula(
    "logsumexp(self, dim: List[int], keepdim: bool)",
    "torch.logsumexp(self, dim, keepdim)",
    "grad_self, None, None",
    { backward: ["grad_self = AD_logsumexp_backward(grad_output, self, result, dim, keepdim)"] },
  ),
];

/** The standard deviation is the root of the variance: its gradient is divided by twice the result. */
const variance_formulas = [
  { name: "std", incoming: "grad_output / (std_out * 2)" },
  { name: "var", incoming: "grad_output" },
].flatMap(({ name, incoming }) => [
  formula(`${name}_0(self, unbiased: bool=True)`, `torch.${name}(self, unbiased)`, "grad_self, None", {
    result: "std_out",
    backward: ["correction = AD_bool_to_int(unbiased)", `grad_self = AD_var_backward_0(${incoming}, self, correction)`],
  }),
  formula(
    `${name}_1(self, dim: Optional[List[int]], unbiased: bool, keepdim: bool)`,
    `torch.${name}(self, dim, unbiased, keepdim)`,
    "grad_self, None, None, None",
    {
      result: "std_out",
      backward: [
        "correction = AD_bool_to_int(unbiased)",
        `grad_self = AD_var_backward_2(${incoming}, self, dim, correction, keepdim)`,
      ],
    },
  ),
  formula(
    `${name}_2(self, dim: Optional[List[int]], *, correction: Optional[number], keepdim: bool)`,
    `torch.${name}(self, dim, correction=correction, keepdim=keepdim)`,
    "grad_self, None, None, None",
    { result: "std_out", backward: [`grad_self = AD_var_backward_2(${incoming}, self, dim, correction, keepdim)`] },
  ),
]);

const matrix_formulas = [
  formula("tanh(self)", "torch.tanh(self)", "grad_output * (1 - output * output)", { result: "output" }),
  ...["mm", "bmm"].map((name) =>
    formula(`${name}(self, mat2)`, `torch.${name}(self, mat2)`, "grad_self, grad_mat2", {
      backward: [
        `grad_self = AD_${name}_backward_self(grad_output, mat2)`,
        `grad_mat2 = AD_${name}_backward_mat2(grad_output, self)`,
      ],
    }),
  ),
  formula("permute(self, dims: List[int])", "torch.permute(self, dims)", "grad_self, None", {
    backward: ["grad_self = AD_permute_backward(grad_output, dims)"],
  }),
  formula("squeeze_0(self)", "torch.squeeze(self)", "grad_self", {
    before: ["self_size = self.size()"],
    backward: ["grad_self = AD_unsqueeze_to_0(grad_output, self_size)"],
  }),
  formula("squeeze_1(self, dim: int)", "torch.squeeze(self, dim)", "grad_self, None", {
    before: ["self_size = self.size()"],
    backward: ["grad_self = AD_unsqueeze_to_1(grad_output, dim, self_size)"],
  }),
  formula("matmul(self, other)", "torch.matmul(self, other)", "grad_self, grad_other", {
    backward: [
      "self_size = self.size()",
      "other_size = other.size()",
      "grad_self = AD_matmul_bw_size(grad_output, AD_mat_transpose(other), self_size)._grad_sum_to_size(self_size)",
      "grad_other = AD_matmul_bw_size(AD_mat_transpose(self), grad_output, other_size)._grad_sum_to_size(other_size)",
    ],
  }),
  formula(
    "linear(input : Tensor, weight : Tensor, bias : Optional[Tensor])",
    "result",
    "grad_input, grad_weight, grad_bias.unchecked_unwrap_optional",
    {
      before: ["result = torch.linear(input, weight, bias)"],
      // Where there is no bias, nobody takes its gradient.
      backward: [
        "if bias is not None:",
        "    grad_bias = grad_output._grad_sum_to_size(bias.size())",
        "else:",
        "    grad_bias = None",
        "weight_size = weight.size()",
        "grad_input = torch.matmul(grad_output, weight)",
        "grad_weight = torch.matmul(grad_output.reshape(-1, weight_size[0]).t(), input.reshape(-1, weight_size[1]))",
      ],
    },
  ),
];

const shape_formulas = [
  formula(
    "addcmul(self, tensor1, tensor2, *, value: number)",
    "torch.addcmul(self, tensor1, tensor2, value=value)",
    "grad_output._grad_sum_to_size(self_size), grad_tensor1, grad_tensor2, None",
    {
      after: ["self", "tensor1", "tensor2"].map(size_of),
      backward: [
        "grad = grad_output * value",
        summed("tensor1", "grad * tensor2"),
        summed("tensor2", "grad * tensor1"),
      ],
    },
  ),
  formula(
    "contiguous(self, *, memory_format: int=0)",
    "self.contiguous(memory_format=memory_format)",
    "grad_output, None",
  ),
  formula("dot(self, tensor)", "torch.dot(self, tensor)", "grad_output * tensor, grad_output * self"),
  formula("erf(self)", "torch.erf(self)", "C * torch.exp(- self * self) * grad_output", {
    backward: ["C = 1.1283791670955126"], // 2 / sqrt(pi)
  }),
  formula(
    "expand(self, size: List[int], *, implicit: bool=False)",
    "torch.expand(self, size, implicit=implicit)",
    "grad_output._grad_sum_to_size(self_size), None, None",
    { after: [size_of("self")] },
  ),
  formula("expand_as(self, other)", "torch.expand_as(self, other)", "grad_output._grad_sum_to_size(self_size), None", {
    after: [size_of("self")],
  }),
  formula("full_like(self, fill_value: float)", "torch.full_like(self, fill_value, memory_format=1)", "None, None"),
  formula("lerp_0(self, end, weight: number)", "torch.lerp(self, end, weight)", "grad_self, grad_end, None", {
    after: ["self", "end"].map(size_of),
    backward: [summed("self", "grad_output * (1 - float(weight))"), summed("end", "grad_output * float(weight)")],
  }),
  formula("lerp_1(self, end, weight)", "torch.lerp(self, end, weight)", "grad_self, grad_end, grad_weight", {
    after: ["self", "end", "weight"].map(size_of),
    backward: [
      summed("self", "grad_output * (1 - weight)"),
      summed("end", "grad_output * weight"),
      summed("weight", "grad_output * (end - self)"),
    ],
  }),
  formula("reshape(self, shape: List[int])", "torch.reshape(self, shape)", "grad_output.reshape(self_size), None", {
    before: ["self_size = self.size()"],
  }),
  formula("split(self, split_size: int, dim: int)", "torch.split(self, split_size, dim)", "grad_self, None, None", {
    takes: "grad_outputs: List[Tensor]",
    backward: ["grad_self = torch.cat(grad_outputs, dim)"],
  }),
  formula(
    "split_with_sizes(self, split_sizes: List[int], dim: int)",
    "torch.split_with_sizes(self, split_sizes, dim)",
    "grad_self, None, None",
    {
      takes: "grad_outputs: List[Tensor]",
      backward: ["size = len(grad_outputs)", "grad_self = torch.cat(grad_outputs, dim)"],
    },
  ),
  formula("stack(tensors: List[Tensor], dim: int=0)", "torch.stack(tensors, dim)", "grad_tensors, None", {
    backward: ["grad_tensors = torch.unbind(grad_output, dim)"],
  }),
  formula("unbind(self, dim: int)", "torch.unbind(self, dim)", "grad_self, None", {
    takes: "grad_outputs: List[Tensor]",
    backward: ["grad_self = torch.stack(grad_outputs, dim)"],
  }),
  formula("cat(tensors: List[Tensor], dim: int)", "torch.cat(tensors, dim)", "grad_tensors, None", {
    before: [
      "size = len(tensors)",
      "split_sizes = [0] * size",
      "for i in range(size):",
      "    if tensors[i].size() != [0]:", // an empty vector fits everything
      "        split_sizes[i] = tensors[i].size()[dim]",
    ],
    backward: ["grad_tensors = torch.split_with_sizes(grad_output, split_sizes, dim)"],
  }),
  formula("index(self, indices: List[Tensor])", "torch.index(self, indices)", "grad_self, None", {
    backward: ["grad_self = torch.zeros_like(self, memory_format=1).index_put_(indices, grad_output, True)"],
  }),
  formula("meshgrid(tensors: List[Tensor])", "torch.meshgrid(tensors)", "grads_tensors", {
    takes: "grad_outputs: List[Tensor]",
    before: [
      "size = len(tensors)",
      "sizes = [0] * size",
      "for i in range(size):",
      "    if tensors[i].dim() != 0:",
      "        sizes[i] = tensors[i].size()[0]",
    ],
    backward: [
      "grads_tensors = []",
      "for i in range(size):",
      "    view_shape = [1] * size",
      "    if sizes[i] == 0:",
      "        view_shape[i] = 1",
      "        grads_tensors.append((grad_outputs[i]._grad_sum_to_size(view_shape)).reshape(()))",
      "    else:",
      "        view_shape[i] = sizes[i]",
      "        grads_tensors.append((grad_outputs[i]._grad_sum_to_size(view_shape)).reshape([sizes[i]]))",
    ],
  }),
  formula("mv(self, vec)", "torch.mv(self, vec)", "grad_output.ger(vec), self.t().mv(grad_output)"),
  formula("nonzero(self)", "torch.nonzero(self)", "None"),
  formula("ones_like(self)", "torch.ones_like(self, memory_format=1)", "None"),
  formula("pow_0(self, exponent: number)", "torch.pow(self, exponent)", "grad_self, None", {
    backward: [
      "if float(exponent) == 0.0:",
      "    grad_self = torch.zeros_like(self, memory_format=1)",
      "else:",
      "    grad_self = grad_output * exponent * torch.pow(self, float(exponent) - 1)",
    ],
  }),
  formula("pow_1(self, exponent)", "torch.pow(self, exponent)", "grad_self, grad_exponent", {
    after: ["self", "exponent"].map(size_of),
    backward: [
      "grad_self = torch.where(exponent == 0.0, torch.zeros_like(self, memory_format=1), grad_output * exponent * torch.pow(self, exponent - 1))._grad_sum_to_size(self_size)",
      summed("exponent", "grad_output * torch.pow(self, exponent) * torch.log(self)"),
    ],
  }),
  formula("pow_2(self: number, exponent)", "torch.pow(self, exponent)", "None, grad_exponent", {
    backward: ["grad_exponent = grad_output * torch.pow(self, exponent) * torch.log(float(self))"],
  }),
  formula("rsub_0(self, other, alpha: number)", "torch.rsub(self, other, alpha=alpha)", "grad_self, grad_other, None", {
    after: ["self", "other"].map(size_of),
    backward: [summed("self", "- grad_output * alpha"), summed("other", "grad_output")],
  }),
  formula("rsub_1(self, other: number, alpha: number)", "torch.rsub(self, other, alpha)", "grad_self, None, None", {
    backward: ["grad_self = (- grad_output * alpha)"],
  }),
  unary("sqrt", "grad_output / (2 * result)"),
  unary("t", "torch.t(grad_output)"),
  formula(
    "to_0(self, device: Optional[Device], dtype: Optional[int], non_blocking: bool, copy: bool)",
    "result",
    "grad_self, None, None, None, None",
    {
      before: [
        "self_device = self.device",
        "self_dtype = self.dtype",
        "if device is not None:",
        "    result = self.to(device, dtype=dtype, non_blocking=non_blocking, copy=copy)",
        "else:",
        "    result = self.to(dtype, non_blocking=non_blocking, copy=copy)",
      ],
      backward: ["grad_self = grad_output.to(self_device, dtype=self_dtype, non_blocking=non_blocking, copy=copy)"],
    },
  ),
  formula(
    "to_1(self, dtype: int, non_blocking: bool, copy: bool)",
    "self.to(dtype=dtype, non_blocking=non_blocking, copy=copy)",
    "grad_self, None, None, None",
    { before: ["self_dtype = self.dtype"], backward: ["grad_self = grad_output.to(self_dtype, non_blocking, copy)"] },
  ),
  formula(
    "to_2(self, other, non_blocking: bool, copy: bool)",
    "self.to(other, non_blocking=non_blocking, copy=copy)",
    "grad_self, None, None, None",
    { backward: ["grad_self = grad_output.to(self, non_blocking, copy)"] },
  ),
  with_options("transpose", ["dim0: int", "dim1: int"], "torch.transpose(grad_output, dim0, dim1)"),
  formula("view(self, size: List[int])", "torch.view(self, size)", "grad_output.reshape(self_size), None", {
    before: ["self_size = self.size()"],
  }),
];

const zero = "torch.zeros_like(grad_output, memory_format=1)";
const pointwise_formulas = [
  broadcast("mul_0(self, other)", "self * other", [
    ["self", "grad_output * other"],
    ["other", "grad_output * self"],
  ]),
  formula("mul_1(self, other: number)", "self * other", "grad_output * other, None"),
  broadcast("div_0(self, other)", "self / other", [
    ["self", "grad_output / other"],
    ["other", "-grad_output * self / (other * other)"],
  ]),
  formula("div_1(self, other: number)", "self / other", "grad_output / other, None"),
  formula(
    "div_2(self, other, *, rounding_mode: Optional[str])",
    "torch.div(self, other, rounding_mode=rounding_mode)",
    "grad_self, grad_other, None",
    {
      after: ["self_size, other_size = AD_sizes_if_not_equal_multi_0(self, other, result)"],
      backward: [
        "if rounding_mode is None:",
        `    ${summed("self", "grad_output / other")}`,
        `    ${summed("other", "-grad_output * self / (other * other)")}`,
        "else:",
        "    grad_self = torch.zeros_like(self)",
        "    grad_other = torch.zeros_like(other)",
      ],
    },
  ),
  formula(
    "div_3(self, other: number, *, rounding_mode: Optional[str])",
    "torch.div(self, other, rounding_mode=rounding_mode)",
    "grad_self, None, None",
    {
      before: [],
      backward: [
        "if rounding_mode is None:",
        "    grad_self = (grad_output / other)",
        "else:",
        "    grad_self = torch.zeros_like(self, memory_format=1)",
      ],
    },
  ),
  broadcast("max(self, other)", "torch.max(self, other)", [
    ["self", "grad_output * (self > other).type_as(grad_output)"],
    ["other", "grad_output * (other > self).type_as(grad_output)"],
  ]),
  formula("min(self, other)", "torch.min(self, other)", "grad_self, grad_other", {
    backward: [
      "grad_self = (grad_output * (self < other).type_as(grad_output))._grad_sum_to_size(self.size())",
      "grad_other = (grad_output * (other < self).type_as(grad_output))._grad_sum_to_size(other.size())",
    ],
  }),
  unary("sigmoid", "(1 - result) * result * grad_output"),
  unary("relu", "grad_output * (result > 0).type_as(result)"),
  unary("relu6", "grad_output * ((result > 0) & (result < 6.0))"),
  formula(
    "leaky_relu(self, negative_slope: number)",
    "torch.leaky_relu(self, negative_slope)",
    "grad_output * torch.where(self > 0, 1.0, negative_slope).type_as(result), None",
  ),
  formula(
    "gelu(self : Tensor, *, approximate : str)",
    "torch.gelu(self, approximate=approximate)",
    "torch.gelu_backward(grad_output, self, approximate=approximate), None",
  ),
  formula("silu(self)", "torch.silu(self)", "grad_output * (input_sigmoid * (1 + self * (1 - input_sigmoid)))", {
    backward: ["input_sigmoid = torch.sigmoid(self)"],
  }),
  formula("hardswish(self)", "torch.hardswish(self)", "grad_output * m", {
    backward: ["m = (self >= 3.).type_as(result)", "m = torch.where((self > -3.) & (self < 3.),  self / 3. + .5, m)"],
  }),
  formula("hardsigmoid(self)", "torch.hardsigmoid(self)", "torch.where(m, lhs, m.type_as(self))", {
    backward: ["m = (self > -3.) & (self < 3.)", "lhs = grad_output * (1.0 / 6.0)"],
  }),
  formula("erfc(self)", "torch.erfc(self)", "C * torch.exp(-self * self) * grad_output", {
    backward: ["C = -1.1283791670955126"], // -2 / sqrt(pi)
  }),
  unary("exp", "grad_output * result"),
  unary("neg", "grad_output.neg()"),
  broadcast(
    "where(condition, self, other)",
    "torch.where(condition, self, other)",
    [
      ["self", "grad_output * condition.type_as(grad_output)"],
      ["other", "grad_output * (condition.bitwise_not()).type_as(grad_output)"],
    ],
    { returns: "None, grad_self, grad_other" },
  ),
  with_options("type_as", ["other"], "grad_output.type_as(self)"),
  with_options("unsqueeze", ["dim: int"], "grad_output.squeeze(dim)"),
  unary("abs", "grad_output * self.sign()"),
  unary("acos", "grad_output * -((-self * self + 1).rsqrt())"),
  unary("asin", "grad_output * (-self * self + 1).rsqrt()"),
  unary("atan", "grad_output / (self * self + 1)"),
  unary("ceil", zero),
  unary("cos", "grad_output * -self.sin()"),
  unary("cosh", "grad_output * self.sinh()"),
  unary("expm1", "grad_output * (result + 1)"),
  unary("floor", zero),
  unary("frac", "grad_output"),
  unary("log", "grad_output.div(self)"),
  unary("log10", "grad_output / (self * 2.3025850929940456)"),
  unary("log1p", "grad_output / (self + 1)"),
  unary("log2", "grad_output / (self * 0.6931471805599453)"),
  unary("reciprocal", "-grad_output * result * result"),
  unary("round", zero),
  unary("rsqrt", "-grad_output * result * result * result / 2"),
  unary("sin", "grad_output * self.cos()"),
  unary("sinh", "grad_output * self.cosh()"),
  unary("tan", "grad_output * (1. + result * result)"),
  unary("trunc", zero),
  formula(
    "_grad_sum_to_size(self, size: Optional[List[int]])",
    "torch._grad_sum_to_size(self, size)",
    "grad_input, None",
    {
      after: [size_of("self")],
      backward: [
        "if self_size is None:",
        "    grad_input = grad_output",
        "else:",
        "    grad_input = grad_output.expand(self_size)",
      ],
    },
  ),
];

const none = (count: number): string => ", None".repeat(count);
const nn_formulas = [
  formula(
    "batch_norm(input : Tensor, weight : Optional[Tensor], bias : Optional[Tensor], running_mean : Optional[Tensor], running_var : Optional[Tensor], training : bool, momentum : float, eps : float, cudnn_enabled : bool)",
    "output",
    `dinput, dweight, dbias${none(6)}`,
    {
      before: [
        "output, save1, save2, reserve, impl_idx = torch._batch_norm_impl_index(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)",
        "has_weight = weight is not None",
        "has_bias = bias is not None",
      ],
      backward: [
        "dinput, dweight, dbias = torch._batch_norm_impl_index_backward(impl_idx, input, grad_output, weight, running_mean, running_var, save1, save2, training, eps, [True, has_weight, has_bias], reserve)",
      ],
    },
  ),
  formula(
    "layer_norm(input : Tensor, normalized_shape : List[int], weight : Optional[Tensor], bias : Optional[Tensor], eps : float, cudnn_enable : bool)",
    "output",
    "grad_input, None, grad_weight, grad_bias, None, None",
    {
      before: ["output, mean, rstd = torch.native_layer_norm(input, normalized_shape, weight, bias, eps)"],
      backward: [
        "output_mask = [True, weight is not None, bias is not None]",
        "grad_input, grad_weight, grad_bias = torch.native_layer_norm_backward(grad_output, input, normalized_shape, mean, rstd, weight, bias, output_mask)",
      ],
    },
  ),
  formula("dropout(input, p: float, train: bool)", "res", "grad_input, None, None", {
    before: [
      "p1m = (1. - p) * float(train)",
      "scale = 1. / (float(p1m == 0.) + p1m)", // 1 if nothing is kept
      "res, mask = torch.native_dropout(input, p, train)",
    ],
    backward: ["grad_input = torch.native_dropout_backward(grad_output, mask, scale)"],
  }),
  formula(
    "embedding(weight, indices, padding_idx: int, scale_grad_by_freq: bool, sparse: bool)",
    "torch.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)",
    `grad_weight${none(4)}`,
    {
      before: ["weight_size_0 = weight.size()[0]"],
      backward: [
        "grad_weight = torch.embedding_backward(grad_output, indices, weight_size_0, padding_idx, scale_grad_by_freq, sparse)",
      ],
    },
  ),
  ...["log_softmax", "softmax"].map((name) =>
    formula(
      `${name}(self, dim: int, dtype: Optional[int])`,
      `torch.${name}(self, dim, dtype)`,
      "grad_self, None, None",
      { backward: [`grad_self = torch._${name}_backward_data(grad_output, result, dim, self.dtype)`] },
    ),
  ),
  formula(
    "nll_loss(self, target, weight: Optional[Tensor], reduction: int, ignore_index: int)",
    "result",
    `torch.nll_loss_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight)${none(4)}`,
    {
      before: ["result, total_weight = torch.nll_loss_forward(self, target, weight, reduction, ignore_index)"],
    },
  ),
];

const max_pool_arguments = "kernel_size, stride, padding, dilation, ceil_mode";
const avg_pool_arguments = "kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override";
const window = "kernel_size: List[int], stride: List[int], padding: List[int]";
const pooling_formulas = [
  ...[1, 2, 3].map((n) =>
    formula(
      `adaptive_avg_pool${n}d(self, output_size: List[int])`,
      `torch.adaptive_avg_pool${n}d(self, output_size)`,
      "grad_self, None",
      { backward: [`grad_self = AD_adaptive_avg_pool${n}d_backward(grad_output, self, output_size)`] },
    ),
  ),
  formula(
    `avg_pool2d(self, ${window}, ceil_mode: bool, count_include_pad: bool, divisor_override: Optional[int])`,
    `torch.avg_pool2d(self, ${avg_pool_arguments})`,
    `grad_self${none(6)}`,
    { backward: [`grad_self = torch.avg_pool2d_backward(grad_output, self, ${avg_pool_arguments})`] },
  ),
  ...["max_pool2d", "max_pool2d_with_indices"].map((name) =>
    formula(
      `${name}(self, ${window}, dilation: List[int], ceil_mode: bool)`,
      name === "max_pool2d" ? "output" : "output, indices",
      `grad_self${none(5)}`,
      {
        before: [`output, indices = torch.max_pool2d_with_indices(self, ${max_pool_arguments})`],
        backward: [
          `grad_self = torch.max_pool2d_with_indices_backward(grad_output, self, ${max_pool_arguments}, indices)`,
        ],
      },
    ),
  ),
];

/** Whether `self` lies between the bounds that there are. @param bound how a bound is written */
function clamped(bound: (name: string) => string): string[] {
  const from = `self >= ${bound("min")}`;
  const to = `self <= ${bound("max")}`;
  return [
    "if min is not None and max is not None:",
    `    mask = ((${from}) * (${to})).type_as(self)`,
    "    return grad_output * mask, None, None",
    "elif min is not None:",
    `    mask = (${from}).type_as(self)`,
    "    return grad_output * mask, None, None",
    "elif max is not None:",
    `    mask = (${to}).type_as(self)`,
    "    return grad_output * mask, None, None",
    "else:",
    "    return grad_output, None, None",
  ];
}

function clamp_formula(overload: string, type: string, bound: (name: string) => string): string {
  const body = clamped(bound).map((line) => `        ${line}\n`);
  return `def ${overload}(self, min: Optional[${type}], max: Optional[${type}]):\n    def backward(grad_output):\n${body.join("")}    return torch.clamp(self, min=min, max=max), backward\n`;
}

const sum_sizes = "AD_sizes_if_not_equal_multi_1";
const with_alpha = { returns: "grad_self, grad_other, None", sizes: sum_sizes };
const sum_formulas = [
  broadcast(
    "add_0(self, other, *, alpha: number)",
    "torch.add(self, other, alpha=alpha)",
    [
      ["other", "grad_output * alpha"],
      ["self", "grad_output"],
    ],
    with_alpha,
  ),
  formula(
    "add_1(self, other: number, alpha: number)",
    "torch.add(self, other, alpha=alpha)",
    "grad_output, None, None",
  ),
  broadcast(
    "sub_0(self, other, *, alpha: number)",
    "torch.sub(self, other, alpha=alpha)",
    [
      ["other", "-grad_output * alpha"],
      ["self", "grad_output"],
    ],
    with_alpha,
  ),
  formula(
    "sub_1(self, other: number, alpha: number)",
    "torch.sub(self, other, alpha=alpha)",
    "grad_output, None, None",
  ),
  formula(
    "threshold(self, threshold: number, value: number)",
    "torch.threshold(self, threshold, value)",
    "grad_output * mask, None, None",
    { backward: ["mask = (self >= threshold).type_as(self)"] },
  ),
  formula(
    "softplus(self, beta: number, threshold: number)",
    "torch.softplus(self, beta, threshold)",
    "torch.where((result * beta) > threshold, grad_output, grad_output * (z - 1.) / z), None, None",
    { backward: ["z = torch.exp(result * beta)"] },
  ),
  ...["fmod", "remainder"].map((name) => with_options(name, ["other: number"], "grad_output")),
  formula(
    "addmm(self, mat1, mat2, *, beta: number, alpha: number)",
    "torch.addmm(self, mat1, mat2, beta=beta, alpha=alpha)",
    "self_grad, mat1_grad, mat2_grad, None, None",
    {
      after: [size_of("self")],
      backward: [
        "self_grad = (grad_output * beta)._grad_sum_to_size(self_size)",
        "mat1_grad = grad_output.mm(mat2.t()) * alpha",
        "mat2_grad = mat1.t().mm(grad_output) * alpha",
      ],
    },
  ),
  ...["lt", "le", "gt", "ge", "eq", "ne"].map((name) => with_options(name, ["other: number"], "None")),
  formula("hardshrink(self, lambd: number)", "torch.hardshrink(self, lambd=lambd)", "grad_output * mask, None", {
    backward: ["mask = ((self > lambd) | (self < -lambd))"],
  }),
  formula(
    "hardtanh(self, min_val: number, max_val: number)",
    "torch.hardtanh(self, min_val=min_val, max_val=max_val)",
    "grad_output * mask, None, None",
    { backward: ["mask = ((self >= min_val) * (self <= max_val))"] },
  ),
  clamp_formula("clamp_1", "number", (name) => `float(${name})`),
  clamp_formula("clamp_2", "Tensor", (name) => name),
];

const text = (helpers: string, formulas: readonly string[]): string => [helpers, ...formulas].join("\n");

/** Texts that are compiled one after the other; a formula may call helpers of its own text. */
export const functions: readonly string[] = [
  text(reductions + variance + matrices, [...reduction_formulas, ...variance_formulas, ...matrix_formulas]),
  text("", shape_formulas),
  text(sizes_if_not_equal("AD_sizes_if_not_equal_multi_0"), pointwise_formulas),
  text("", nn_formulas),
  text(adaptive_pooling, pooling_formulas),
  text(sizes_if_not_equal(sum_sizes), sum_formulas),
];
