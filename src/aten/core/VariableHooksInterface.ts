/**
 * @file The hooks through which `at::Tensor` reaches autograd, a higher layer: autograd registers an object when it loads.
 * @mirrors aten/src/ATen/core/VariableHooksInterface.h
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { OperatorHandle } from "./dispatch/Dispatcher.ts";
import type { Stack } from "./stack.ts";
import type { TensorBase } from "./TensorBase.ts";

/** `torch::autograd::Node`, of which aten knows only the name. */
export interface Node {
  name(): string;
}

export interface VariableHooksInterface {
  tensor_data(self: TensorBase): Tensor;
  variable_data(self: TensorBase): Tensor;
  grad_fn(self: TensorBase): Node | null;
  /** Returns the position of the hook, for `remove_hook`. */
  _register_hook(self: TensorBase, hook: (grad: Tensor) => Tensor | undefined): number;
  remove_hook(self: TensorBase, pos: number): void;
  is_view(self: TensorBase): boolean;
  base(self: TensorBase): Tensor;
  name(self: TensorBase): string;
  is_leaf(self: TensorBase): boolean;
  output_nr(self: TensorBase): number;
  set_data(self: TensorBase, new_data: TensorBase): void;
  data(self: TensorBase): Tensor;
  _version(self: TensorBase): number;
  retain_grad(self: TensorBase): void;
  retains_grad(self: TensorBase): boolean;
  _backward(
    self: Tensor,
    inputs: readonly Tensor[],
    gradient: Tensor | null,
    keep_graph: boolean | null,
    create_graph: boolean,
  ): void;
  requires_grad_(self: TensorBase, requires_grad: boolean): void;
  basic_autograd_not_implemented_fallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void;
}

let hooks: VariableHooksInterface | null = null;

export function SetVariableHooks(next: VariableHooksInterface | null): void {
  hooks = next;
}

export function GetVariableHooks(): VariableHooksInterface {
  TORCH_CHECK(hooks !== null, "Support for autograd has not been loaded; have you linked against libtorch.so?");
  return hooks;
}

export function HasVariableHooks(): boolean {
  return hooks !== null;
}
