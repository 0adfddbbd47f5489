/**
 * @file The object `grad_fn._raw_saved_x`: a saved tensor on which hooks can be registered before backward unpacks it.
 * @mirrors torch/csrc/autograd/init.cpp#SavedTensor
 */
import {
  check_hooks,
  type PackHook,
  PySavedVariableHooks,
  type UnpackHook,
} from "#torch/csrc-equivalent/autograd/python_saved_variable_hooks";
import { type TensorBase, THPVariable_Unpack } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPVariable_Wrap } from "#torch/csrc-equivalent/autograd/python_variable/wrap";
import { SavedVariable } from "#torch/csrc-equivalent/autograd/saved_variable";

export class PySavedTensor {
  private readonly saved_variable: SavedVariable;

  constructor(saved_variable: SavedVariable) {
    this.saved_variable = saved_variable;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what lies between the two hooks is the user's
  register_hooks(pack_hook: (tensor: any) => unknown, unpack_hook: (packed: any) => unknown): void;
  register_hooks(...args: [PackHook, UnpackHook]): void {
    check_hooks("register_hooks", "self: torch._C._autograd.SavedTensor, ", args);
    const [pack_hook, unpack_hook] = args;
    this.saved_variable.register_hooks(new PySavedVariableHooks(pack_hook, unpack_hook));
  }
  /** The tensor with its history; unpacked through the hooks that were active when it was saved. */
  unpack(): TensorBase | null {
    return THPVariable_Wrap(this.saved_variable.unpack());
  }
}

/** Saves a tensor like a node does, but without a node. */
export function _make_saved_tensor(tensor: TensorBase, is_output: boolean): PySavedTensor {
  return new PySavedTensor(new SavedVariable(THPVariable_Unpack(tensor), is_output));
}
