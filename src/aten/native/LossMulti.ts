/**
 * @file Margin losses: the score of a target class should exceed every other score by a margin. There is one target
 * class per row (multi_margin) or several (multilabel_margin).
 * @mirrors aten/src/ATen/native/LossMultiMargin.cpp
 * @mirrors aten/src/ATen/native/LossMultiLabelMargin.cpp
 */
import { Reduction } from "#aten/core/Reduction";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type, defined } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import * as kernels from "./cpu/LossMultiKernel.ts";

/** Number of rows and number of classes; a vector is one row. */
function frames(input: Tensor): [nframe: number, dim: number] {
  const ndims = input.dim();
  TORCH_CHECK(
    (ndims === 2 && input.size(1) !== 0) || (ndims === 1 && input.size(0) !== 0) || ndims === 0,
    "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ",
    input.sizes(),
  );
  if (ndims === 2) return [input.size(0), input.size(1)];
  return [1, ndims === 0 ? 1 : input.size(0)];
}

// ---- multi_margin_loss

function multi_margin_loss_shape_check(input: Tensor, target: Tensor, weight: Tensor | null): [number, number] {
  const [nframe, dim] = frames(input);
  TORCH_CHECK(
    target.dim() <= 1 && target.numel() === nframe,
    "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). ",
    `Expected target size [${nframe}], but got `,
    target.sizes(),
    ". Input has shape ",
    input.sizes(),
    ".",
  );
  TORCH_CHECK(
    weight === null || (weight.dim() <= 1 && weight.numel() === dim),
    "inconsistent weight size, expected ",
    dim,
    " but got ",
    weight === null ? "" : weight.sizes(),
  );
  return [nframe, dim];
}

function check_power(p: Scalar): 1 | 2 {
  const power = p.toInt();
  TORCH_CHECK(power === 1 || power === 2, "only p == 1 and p == 2 supported");
  return power as 1 | 2;
}

// multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=Mean) -> Tensor
//                                                                                            CPU
export function multi_margin_loss_cpu(
  input: Tensor,
  target: Tensor,
  p: Scalar,
  margin: Scalar,
  weight: Tensor | null,
  reduction: number,
): Tensor {
  const output = at.empty_memory_format([0], input.options());
  return multi_margin_loss_cpu_out(input, target, p, margin, weight, reduction, output);
}
export function multi_margin_loss_cpu_out(
  input: Tensor,
  target: Tensor,
  p: Scalar,
  margin: Scalar,
  weight_opt: Tensor | null,
  reduction: number,
  output: Tensor,
): Tensor {
  const power = check_power(p);
  const weight = defined(weight_opt);
  const [nframe, dim] = multi_margin_loss_shape_check(input, target, weight);
  const each = reduction === Reduction.None && target.dim() > 0;
  output.resize_(each ? [nframe] : []);
  if (input.numel() === 0) return output;
  const loss = { nframe, dim, p: power, margin: margin.toDouble(), each, mean: reduction === Reduction.Mean };
  kernels.multi_margin_loss_forward(
    output,
    input.contiguous(),
    target.contiguous(),
    weight?.contiguous() ?? null,
    loss,
  );
  return output;
}

// multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None,
//   int reduction=Mean) -> Tensor                                                            CPU
export function multi_margin_loss_cpu_backward(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  p: Scalar,
  margin: Scalar,
  weight: Tensor | null,
  reduction: number,
): Tensor {
  const grad_input = at.empty_memory_format([0], input.options());
  return multi_margin_loss_cpu_backward_out(grad_output, input, target, p, margin, weight, reduction, grad_input);
}
export function multi_margin_loss_cpu_backward_out(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  p: Scalar,
  margin: Scalar,
  weight_opt: Tensor | null,
  reduction: number,
  grad_input: Tensor,
): Tensor {
  const power = check_power(p);
  const weight = defined(weight_opt);
  const [nframe, dim] = multi_margin_loss_shape_check(input, target, weight);
  grad_input.resize_as_(input);
  TORCH_CHECK(grad_input.is_contiguous(), "grad_input must be contiguous");
  if (input.numel() === 0) return grad_input;
  const each = reduction === Reduction.None && grad_output.dim() > 0;
  const loss = { nframe, dim, p: power, margin: margin.toDouble(), each, mean: reduction === Reduction.Mean };
  const [x, t, w] = [input.contiguous(), target.contiguous(), weight?.contiguous() ?? null];
  kernels.multi_margin_loss_gradient(grad_input, grad_output, x, t, w, loss);
  return grad_input;
}

// ---- multilabel_margin_loss

function multilabel_margin_loss_shape_check(input: Tensor, target: Tensor): [number, number] {
  const [nframe, dim] = frames(input);
  const fits =
    input.dim() <= 1 ? target.dim() <= 1 && target.numel() === dim : sizes_equal(target.sizes(), [nframe, dim]);
  TORCH_CHECK(fits, "inconsistent target size: ", target.sizes(), " for input of size: ", input.sizes());
  return [nframe, dim];
}

/** Checks targets; -1 ends the classes of a row. */
function check_targets(target: Tensor, dim: number, argument: number): void {
  const within = target.min().item().toLong() >= -1 && target.max().item().toLong() < dim;
  TORCH_CHECK(within, `argument #${argument} 'target' is out of range`);
}

// multilabel_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor           CompositeImplicitAutograd
export function multilabel_margin_loss(self: Tensor, target: Tensor, reduction: number): Tensor {
  return at.multilabel_margin_loss_forward(self, target, reduction)[0];
}
export function multilabel_margin_loss_out(self: Tensor, target: Tensor, reduction: number, output: Tensor): Tensor {
  const is_target = at.empty_memory_format([0], self.options());
  return at.multilabel_margin_loss_forward_output(self, target, reduction, output, is_target)[0];
}

// multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)
//                                                                                            CPU
export function multilabel_margin_loss_forward_cpu(self: Tensor, target: Tensor, reduction: number): [Tensor, Tensor] {
  const output = at.empty_memory_format([0], self.options());
  const is_target = at.empty_memory_format([0], self.options());
  return multilabel_margin_loss_forward_out_cpu(self, target, reduction, output, is_target);
}
export function multilabel_margin_loss_forward_out_cpu(
  self: Tensor,
  target: Tensor,
  reduction: number,
  output: Tensor,
  is_target: Tensor,
): [Tensor, Tensor] {
  const [nframe, dim] = multilabel_margin_loss_shape_check(self, target);
  const each = reduction === Reduction.None && target.dim() > 1;
  output.resize_(each ? [nframe] : []);
  is_target.resize_as_(target);
  TORCH_CHECK(is_target.is_contiguous(), "is_target must be contiguous");
  is_target.zero_();
  if (self.numel() === 0) return [output, is_target];
  check_targets(target, dim, 2);
  const loss = { nframe, dim, each, mean: reduction === Reduction.Mean };
  kernels.multilabel_margin_loss_forward(output, is_target, self.contiguous(), target.contiguous(), loss);
  return [output, is_target];
}

// multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor
//                                                                                            CPU
export function multilabel_margin_loss_backward_cpu(
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  reduction: number,
  is_target: Tensor,
): Tensor {
  const grad_input = at.zeros_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  return multilabel_margin_loss_backward_cpu_out(grad_output, self, target, reduction, is_target, grad_input);
}
export function multilabel_margin_loss_backward_cpu_out(
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  reduction: number,
  is_target: Tensor,
  grad_input: Tensor,
): Tensor {
  const [nframe, dim] = multilabel_margin_loss_shape_check(self, target);
  TORCH_CHECK(
    sizes_equal(target.sizes(), is_target.sizes()),
    "Expected tensor for argument #3 'target' to have same size as tensor for argument #5 'is_target'; but ",
    target.sizes(),
    " does not equal ",
    is_target.sizes(),
    " (while checking arguments for multilabel_margin_loss_backward_cpu_template)",
  );
  grad_input.resize_as_(self);
  if (grad_input.numel() === 0) return grad_input;
  TORCH_CHECK(grad_input.is_contiguous(), "grad_input must be contiguous");
  grad_input.zero_();
  check_targets(target, dim, 3);
  const [x, t, is_t] = [self.contiguous(), target.contiguous(), is_target.contiguous()];
  kernels.check_multilabel_dtype(x.scalar_type());
  const marks = is_t.min().item().toDouble() >= 0 && is_t.max().item().toDouble() <= 1;
  TORCH_CHECK(marks, "argument #5 'is_target' is out of range");
  check_type(t, ScalarType.Long);
  check_type(is_t, x.scalar_type());
  const each = reduction === Reduction.None && grad_output.dim() > 0;
  if (each)
    TORCH_CHECK(
      grad_output.dim() === 1 && grad_output.size(0) === nframe,
      `Expected a tensor of dimension 1 and tensor.size[0] == ${nframe} but got: dimension ${grad_output.dim()}`,
      ` and tensor.size[0] = ${grad_output.size(0)}`,
    );
  const loss = { nframe, dim, each, mean: reduction === Reduction.Mean };
  kernels.multilabel_margin_loss_gradient(grad_input, grad_output, x, t, is_t, loss);
  return grad_input;
}
