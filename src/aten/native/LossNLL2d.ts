/**
 * @file Negative log likelihood loss for images: one target class per position.
 * @mirrors aten/src/ATen/native/LossNLL2d.cpp
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { defined } from "#aten/TensorMethods";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** Writes `output` and `total_weight`, resizing `output`. */
export const nll_loss2d_forward_out_frame =
  DEFINE_DISPATCH<
    (
      output: Tensor,
      total_weight: Tensor,
      input: Tensor,
      target: Tensor,
      weight: Tensor | null,
      reduction: number,
      ignore_index: number,
    ) => void
  >("nll_loss2d_forward_out_frame");
/** Writes into a zeroed, contiguous `grad_input`. */
export const nll_loss2d_backward_out_frame = DEFINE_DISPATCH<
  (
    grad_input: Tensor,
    grad_output: Tensor,
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    ignore_index: number,
    total_weight: Tensor,
  ) => void
>("nll_loss2d_backward_out_frame");

// input (N, C, H, W), target (N, H, W), weight (C)
function check_inputs_nll_loss2d(input: Tensor, target: Tensor, weight: Tensor | null): void {
  TORCH_CHECK(
    target.dim() === 3,
    "only batches of spatial targets supported (3D tensors) but got targets of dimension: ",
    target.dim(),
  );
  TORCH_CHECK(
    input.dim() === 4,
    "only batches of spatial inputs supported (4D tensors), but got input of dimension: ",
    input.dim(),
  );
  const dtype = target.scalar_type();
  TORCH_CHECK(
    dtype === ScalarType.Long || dtype === ScalarType.Byte,
    "expected target dtype to be Long or Byte, but got ",
    toString(dtype),
  );
  TORCH_CHECK(
    weight === null || weight.numel() === input.size(1),
    "weight tensor should be defined either for all or no classes",
  );
  TORCH_CHECK(
    input.size(0) === target.size(0) && input.size(2) === target.size(1) && input.size(3) === target.size(2),
    "size mismatch (got input: ",
    input.sizes(),
    " , target: ",
    target.sizes(),
  );
}

/** One gradient per position. */
export function check_gradout_shape_nll_loss2d(grad_output: Tensor, target: Tensor): void {
  TORCH_CHECK(
    grad_output.dim() === 3,
    "grad_output must have same dimension as target (3) but got dimension: ",
    grad_output.sizes(),
  );
  TORCH_CHECK(
    sizes_equal(grad_output.sizes(), target.sizes()),
    "size mismatch (got grad_output: ",
    grad_output.sizes(),
    " target: ",
    target.sizes(),
  );
}

// nll_loss2d_forward.output                                                         CPU
export function nll_loss2d_forward_out_cpu(
  self: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
  ignore_index: number,
  output: Tensor,
  total_weight: Tensor,
): [Tensor, Tensor] {
  const weight = defined(weight_opt);
  check_inputs_nll_loss2d(self, target, weight);
  total_weight.resize_([]);
  nll_loss2d_forward_out_frame.call(
    self.device_type(),
    output,
    total_weight,
    self,
    target,
    weight,
    reduction,
    ignore_index,
  );
  return [output, total_weight];
}

// nll_loss2d_forward                                                                CPU
export function nll_loss2d_forward_cpu(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): [Tensor, Tensor] {
  const output = at.empty_memory_format([0], self.options());
  const total_weight = at.empty_memory_format([0], self.options());
  return nll_loss2d_forward_out_cpu(self, target, weight, reduction, ignore_index, output, total_weight);
}

// nll_loss2d_backward.grad_input                                                    CPU
export function nll_loss2d_backward_out_cpu(
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
  grad_input: Tensor,
): Tensor {
  const weight = defined(weight_opt);
  check_inputs_nll_loss2d(self, target, weight);
  grad_input.resize_as_(self);
  grad_input.zero_();
  TORCH_CHECK(grad_input.is_contiguous(), "grad_input must be contiguous");
  TORCH_CHECK(
    total_weight.numel() === 1,
    "expected total_weight to be a single element tensor, got: ",
    total_weight.sizes(),
    " (",
    total_weight.numel(),
    " elements)",
  );
  nll_loss2d_backward_out_frame.call(
    self.device_type(),
    grad_input,
    grad_output,
    self,
    target,
    weight,
    reduction,
    ignore_index,
    total_weight,
  );
  return grad_input;
}

// nll_loss2d_backward                                                               CPU
export function nll_loss2d_backward_cpu(
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): Tensor {
  const grad_input = at.zeros_like(self);
  return nll_loss2d_backward_out_cpu(
    grad_output,
    self,
    target,
    weight,
    reduction,
    ignore_index,
    total_weight,
    grad_input,
  );
}

// nll_loss2d.out                                                                    CompositeImplicitAutograd
export function nll_loss2d_out(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  output: Tensor,
): Tensor {
  const total_weight = at.empty_memory_format([0], self.options());
  return at.nll_loss2d_forward_output(self, target, weight, reduction, ignore_index, output, total_weight)[0];
}

// nll_loss2d                                                                        CompositeImplicitAutograd
export function nll_loss2d_symint(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): Tensor {
  return at.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0];
}
