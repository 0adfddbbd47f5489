/**
 * @file The connection between a tensor's dictionary of Python hooks and the engine.
 * @mirrors torch/csrc/autograd/python_variable.cpp#THPVariable_set_backwards_hooks
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { PyFunctionTensorPostAccGradHooks, PyFunctionTensorPreHook } from "#torch/csrc-equivalent/autograd/python_hook";
import { add_hook, clear_hooks, set_post_acc_grad_hooks } from "#torch/csrc-equivalent/autograd/variable/impl";
import type { TensorBase } from "./type.ts";

/** Sets a dictionary from handle ids to hooks, or null. The engine reads it when it runs, so later entries count. */
export function set_backwards_hooks(self: TensorBase, obj: unknown): void {
  TORCH_CHECK(obj !== undefined, "Deletion of _backwards_hooks not allowed!");
  self.backward_hooks = obj;
  const tensor = self.cdata;
  clear_hooks(tensor);
  if (obj !== null) add_hook(tensor, new PyFunctionTensorPreHook(obj as Map<number, never>, tensor.output_nr()));
}

export function set_post_accumulate_grad_hooks(self: TensorBase, obj: unknown): void {
  self.post_accumulate_grad_hooks = obj ?? null;
  const hooks =
    obj === null || obj === undefined ? null : new PyFunctionTensorPostAccGradHooks(obj as Map<number, never>);
  set_post_acc_grad_hooks(self.cdata, hooks);
}
