/**
 * @file Elementwise losses and their backward operators: mse, l1, smooth_l1, huber, soft_margin. Losses composed of
 * other operators are in Composite.ts.
 * @mirrors aten/src/ATen/native/Loss.cpp
 */
import { Reduction } from "#aten/core/Reduction";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

type Elementwise = (iter: TensorIteratorBase) => void;
type WithNumber = (iter: TensorIteratorBase, beta: number) => void;
type NormWithNumber = (iter: TensorIteratorBase, norm: number, beta: number) => void;

export const mse_stub = DEFINE_DISPATCH<Elementwise>("mse_stub");
export const mse_backward_stub = DEFINE_DISPATCH<WithNumber>("mse_backward_stub");
export const smooth_l1_stub = DEFINE_DISPATCH<WithNumber>("smooth_l1_stub");
export const smooth_l1_backward_stub = DEFINE_DISPATCH<NormWithNumber>("smooth_l1_backward_stub");
export const huber_stub = DEFINE_DISPATCH<WithNumber>("huber_stub");
export const huber_backward_stub = DEFINE_DISPATCH<NormWithNumber>("huber_backward_stub");

export function apply_loss_reduction(unreduced: Tensor, reduction: number): Tensor {
  if (reduction === Reduction.Mean) return unreduced.mean();
  if (reduction === Reduction.Sum) return unreduced.sum();
  return unreduced;
}

/** Factor of the gradient: 1 / n for a mean. */
function norm_of(input: Tensor, reduction: number): number {
  return reduction === Reduction.Mean ? 1 / input.numel() : 1;
}

function contiguous_zeros_like(input: Tensor): Tensor {
  return at.zeros_like(input, TensorOptions.EMPTY, MemoryFormat.Contiguous);
}

/** Iterates over elements; the output is one number if the loss is reduced. */
abstract class structured_elementwise_loss extends TensorIteratorBase {
  protected build_loss(input: Tensor, target: Tensor, reduction: number): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), input, target);
    if (reduction === Reduction.None) return;
    TORCH_INTERNAL_ASSERT(
      reduction === Reduction.Mean || reduction === Reduction.Sum,
      "reduction == Reduction::Mean || reduction == Reduction::Sum",
    );
    this.maybe_get_output(0).resize_([]);
  }

  protected run_loss(loop: (iter: TensorIteratorBase) => void, of: LossArguments): void {
    if (of.reduction === Reduction.None) {
      loop(this);
      return;
    }
    const iter = TensorIterator.borrowing_binary_op(new Tensor(), of.input, of.target);
    loop(iter);
    if (of.reduction === Reduction.Mean) at.mean_out(iter.output(), [], false, null, of.result);
    else at.sum_IntList_out(iter.output(), [], false, null, of.result);
  }
}
interface LossArguments {
  readonly input: Tensor;
  readonly target: Tensor;
  readonly reduction: number;
  readonly result: Tensor;
}

// ---- mse_loss

export abstract class structured_mse_loss extends structured_elementwise_loss {
  meta(input: Tensor, target: Tensor, reduction: number): void {
    this.build_loss(input, target, reduction);
  }
}
export abstract class structured_mse_loss_out extends structured_mse_loss {
  impl(input: Tensor, target: Tensor, reduction: number, result: Tensor): void {
    this.run_loss((iter) => mse_stub.call(iter.device_type(), iter), { input, target, reduction, result });
  }
}
// mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor CPU
export function mse_loss_backward(grad_output: Tensor, input: Tensor, target: Tensor, reduction: number): Tensor {
  return at.mse_loss_backward_grad_input(grad_output, input, target, reduction, contiguous_zeros_like(input));
}
export function mse_loss_backward_out(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  grad_input: Tensor,
): Tensor {
  const iter = promoting_gradient_config(grad_output, input, target, grad_input).build();
  const norm = reduction === Reduction.Mean ? 2 / input.numel() : 2;
  mse_backward_stub.call(iter.device_type(), iter, norm);
  return grad_input;
}

function gradient_config(grad_output: Tensor, input: Tensor, target: Tensor, grad_input: Tensor): TensorIteratorConfig {
  const config = new TensorIteratorConfig().add_output(grad_input);
  return config.add_const_input(input).add_const_input(target).add_const_input(grad_output);
}
function promoting_gradient_config(...operands: Parameters<typeof gradient_config>): TensorIteratorConfig {
  return gradient_config(...operands)
    .promote_inputs_to_common_dtype(true)
    .cast_common_dtype_to_outputs(true)
    .enforce_safe_casting_to_output(true);
}

// ---- l1_loss

// l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor                          CompositeImplicitAutograd
export function l1_loss(input: Tensor, target: Tensor, reduction: number): Tensor {
  return apply_loss_reduction(input.sub_Tensor(target).abs(), reduction);
}

// ---- smooth_l1_loss

export abstract class structured_smooth_l1_loss extends structured_elementwise_loss {
  meta(input: Tensor, target: Tensor, reduction: number, beta: number): void {
    TORCH_CHECK(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
    this.build_loss(input, target, reduction);
  }
}
export abstract class structured_smooth_l1_loss_out extends structured_smooth_l1_loss {
  impl(input: Tensor, target: Tensor, reduction: number, beta: number, result: Tensor): void {
    this.run_loss((iter) => smooth_l1_stub.call(iter.device_type(), iter, beta), { input, target, reduction, result });
  }
}
// smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor
//                                                                                            CompositeExplicitAutograd
export function smooth_l1_loss_backward(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  beta: number,
): Tensor {
  const grad_input = contiguous_zeros_like(input);
  return at.smooth_l1_loss_backward_grad_input(grad_output, input, target, reduction, beta, grad_input);
}
export function smooth_l1_loss_backward_out(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  beta: number,
  grad_input: Tensor,
): Tensor {
  const iter = promoting_gradient_config(grad_output, input, target, grad_input).build();
  smooth_l1_backward_stub.call(iter.device_type(), iter, norm_of(input, reduction), beta);
  return grad_input;
}

// ---- huber_loss

function check_delta(delta: number): void {
  TORCH_CHECK(delta > 0, "huber_loss does not support non-positive values for delta.");
}
// huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor      CPU
export function huber_loss(input: Tensor, target: Tensor, reduction: number, delta: number): Tensor {
  check_delta(delta);
  const loss = at.empty_like(input);
  const iter = TensorIterator.borrowing_binary_op(loss, input, target);
  huber_stub.call(iter.device_type(), iter, delta);
  return apply_loss_reduction(loss, reduction);
}
export function huber_loss_out(
  input: Tensor,
  target: Tensor,
  reduction: number,
  delta: number,
  result: Tensor,
): Tensor {
  check_delta(delta);
  const iter = TensorIterator.borrowing_binary_op(result, input, target);
  huber_stub.call(iter.device_type(), iter, delta);
  return reduce_in_place(result, reduction);
}

/** Reduces the elements of `out` in place. */
function reduce_in_place(out: Tensor, reduction: number): Tensor {
  if (reduction === Reduction.None) return out;
  const reduced = apply_loss_reduction(out, reduction);
  out.resize_([]);
  out.copy_(reduced);
  return out;
}
// huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor
//                                                                                            CompositeExplicitAutograd
export function huber_loss_backward(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  delta: number,
): Tensor {
  const grad_input = contiguous_zeros_like(input);
  return at.huber_loss_backward_out(grad_output, input, target, reduction, delta, grad_input);
}
export function huber_loss_backward_out(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  delta: number,
  grad_input: Tensor,
): Tensor {
  const iter = gradient_config(grad_output, input, target, grad_input).build();
  huber_backward_stub.call(iter.device_type(), iter, norm_of(input, reduction), delta);
  return grad_input;
}

// ---- soft_margin_loss

// soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor                 CompositeExplicitAutograd
export function soft_margin_loss(input: Tensor, target: Tensor, reduction: number): Tensor {
  return at.soft_margin_loss_out(input, target, reduction, at.empty_memory_format([0], input.options()));
}
export function soft_margin_loss_out(input: Tensor, target: Tensor, reduction: number, output: Tensor): Tensor {
  at.neg_out(input, output).mul__Tensor(target).exp_().log1p_();
  return reduce_in_place(output, reduction);
}
// soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor
//                                                                                            CompositeExplicitAutograd
export function soft_margin_loss_backward(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
): Tensor {
  const grad_input = at.empty_memory_format([0], input.options());
  return at.soft_margin_loss_backward_grad_input(grad_output, input, target, reduction, grad_input);
}
export function soft_margin_loss_backward_out(
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  grad_input: Tensor,
): Tensor {
  const z = at.exp(target.neg().mul_Tensor(input));
  at.mul_out(target, z, grad_input).mul__Scalar(Scalar.fromDouble(-norm_of(input, reduction)));
  z.add__Scalar(Scalar.ONE);
  return grad_input.div__Tensor(z).mul__Tensor(grad_output);
}
