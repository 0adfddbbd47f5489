/**
 * @file The interface through which c10 speaks of autograd without importing it, and the factory that autograd
 * registers when it loads.
 * @mirrors c10/core/TensorImpl.h#AutogradMetaInterface
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { TensorImpl } from "./index.ts";

export interface AutogradMetaInterface {
  set_requires_grad(requires_grad: boolean, self_impl: TensorImpl): void;
  requires_grad(): boolean;
  /** The gradient: an `at.Tensor`, a type that c10 does not know. */
  grad(): unknown;
  /** The tangent of `self` at `level`: tensors are of types that c10 does not know. */
  fw_grad(level: number, self: unknown): unknown;
  set_fw_grad(new_grad: unknown, self: unknown, level: number, is_inplace_op: boolean): void;
}

export interface AutogradMetaFactory {
  make(): AutogradMetaInterface;
  /** An undefined `at.Tensor`. */
  undefined_tensor(): unknown;
}

let factory: AutogradMetaFactory | null = null;

export function SetAutogradMetaFactory(meta_factory: AutogradMetaFactory | null): void {
  factory = meta_factory;
}

export function GetAutogradMetaFactory(): AutogradMetaFactory {
  TORCH_CHECK(factory !== null, "Support for autograd has not been loaded; have you linked against libtorch.so?");
  return factory;
}
