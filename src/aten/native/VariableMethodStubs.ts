/**
 * @file Tensor methods about autograd that the dispatcher can also call. Each one calls the hand-written method of the
 * same name, which autograd implements through its hooks.
 * @mirrors aten/src/ATen/native/VariableMethodStubs.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { InferenceMode } from "#c10/core/InferenceMode";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

// set_data(Tensor(a!) self, Tensor new_data) -> ()
export function set_data(self: Tensor, new_data: Tensor): void {
  self.set_data(new_data);
}

// data(Tensor self) -> Tensor
export function data(self: Tensor): Tensor {
  return self.data();
}

// is_leaf(Tensor self) -> bool
export function is_leaf(self: Tensor): boolean {
  return self.is_leaf();
}

// output_nr(Tensor self) -> int
export function output_nr(self: Tensor): number {
  return self.output_nr();
}

// _version(Tensor self) -> int
export function _version(self: Tensor): number {
  return self._version();
}

// requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)
export function requires_grad_(self: Tensor, requires_grad: boolean): Tensor {
  self.requires_grad_(requires_grad);
  return self;
}

// retain_grad(Tensor(a!) self) -> ()
export function retain_grad(self: Tensor): void {
  self.retain_grad();
}

// retains_grad(Tensor self) -> bool
export function retains_grad(self: Tensor): boolean {
  return self.retains_grad();
}

// _fw_primal(Tensor(a) self, int level) -> Tensor(a)                             CompositeExplicitAutograd
/** Only inference tensors arrive here: autograd's kernel of any other tensor ends before. */
export function _fw_primal(self: Tensor, _level: number): Tensor {
  TORCH_INTERNAL_ASSERT(
    InferenceMode.is_enabled() && self.impl_.is_inference(),
    "Expected this method to only be reached in inference mode and when all the inputs are inference tensors. " +
      "You should NOT call this method directly as native::_fw_primal. Please use the dispatcher, i.e., at::_fw_primal. " +
      "Please file an issue if you come across this error otherwise.",
  );
  return at.alias(self);
}
