/**
 * @file Tangents of the arguments of an autograd kernel: whether there are any, and their values.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { GradMode } from "#c10/core/GradMode";
import { NotImplementedError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

type OptionalTensor = Tensor | null | undefined;

export function isFwGradDefined(t: OptionalTensor): boolean {
  return t?.defined() === true && t._fw_grad(0).defined();
}

export function isFwGradDefinedTensorList(variables: readonly OptionalTensor[]): boolean {
  return variables.some(isFwGradDefined);
}

/** The tangent; undefined if there is none. */
export function toNonOptFwGrad(t: OptionalTensor): Tensor {
  return t?.defined() ? t._fw_grad(0) : new Tensor();
}

/** The value without tangent. A number that became a tensor has none anyway, and must stay marked as a number. */
export function toNonOptPrimal(t: OptionalTensor): Tensor {
  if (!t?.defined()) return new Tensor();
  return t.impl_.is_wrapped_number() ? t : t._fw_primal(0);
}

/** The tangent in a formula: zeros that take no memory where the argument has none; undefined if the argument is. */
export function tangent_or_zeros(t: OptionalTensor): Tensor {
  const raw = toNonOptFwGrad(t);
  if (raw.defined() || !t?.defined()) return raw;
  const zeros = at._efficientzerotensor(t.sizes(), t.options());
  if (t.impl_.is_wrapped_number()) zeros.impl_.set_wrapped_number(true);
  return zeros;
}

/** `tangent_or_zeros` for the argument that an in-place operator changes: its tangent must have memory. */
export function tangent_or_writable_zeros(t: OptionalTensor, raw: Tensor): Tensor {
  return raw.defined() || !t?.defined() ? raw : at.zeros(t.sizes(), t.options());
}

/** A copy if grad mode is on, where the tangent before the write may be needed; otherwise the tangent itself. */
export function copied_in_grad_mode(tangent: Tensor): Tensor {
  return GradMode.is_enabled() ? tangent.clone() : tangent;
}

// The level is 0: there is only one.

export function set_forward_grad(out: Tensor, grad: Tensor, is_inplace_op: boolean): void {
  if (grad.defined() && out.defined()) out._set_fw_grad(grad, 0, is_inplace_op);
}

export function set_forward_grads(outs: readonly Tensor[], grads: readonly Tensor[]): void {
  for (const [i, out] of outs.entries()) set_forward_grad(out, grads[i], false);
}

export function set_forward_grad_list(outs: readonly Tensor[], grads: readonly Tensor[], is_inplace_op: boolean): void {
  TORCH_INTERNAL_ASSERT(outs.length === grads.length);
  for (const [i, out] of outs.entries()) set_forward_grad(out, grads[i], is_inplace_op);
}

/** The error for an `out=` call with a tangent. */
export function throw_error_forward_ad_out(name: string): never {
  throw new NotImplementedError(
    `Trying to use forward AD with ${name} that does not support it because it is an out= function`,
  );
}

/** The error for an operator without formula that writes into its arguments. */
export function throw_error_forward_ad_not_implemented(name: string): never {
  throw new NotImplementedError(
    `Trying to use forward AD with ${name} that does not support it because it has not been implemented yet.\n` +
      "Please file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml " +
      "so that we can prioritize its implementation.",
  );
}
