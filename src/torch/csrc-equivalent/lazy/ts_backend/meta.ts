/**
 * @file Shapes of results from Meta kernels, which compute nothing.
 * @mirrors torchgen/gen_lazy_tensor.py#get_ltc_helper_fns
 */

import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TensorOptions } from "#c10/core/TensorOptions";
import type { Shape } from "../core/shape.ts";
import { shape_of } from "../core/tensor_util.ts";

const META = DispatchKeySet.of(DispatchKey.Meta);
const meta = Device.of(DeviceType.Meta);

/** A tensor of the same shape without memory. A wrapped number stays one, because it promotes differently. */
export function to_meta(tensor: Tensor): Tensor {
  if (!tensor.defined()) return tensor;
  const options = new TensorOptions(tensor.scalar_type(), tensor.layout(), meta);
  const out = at.empty_strided(tensor.sizes(), tensor.strides(), options);
  if (tensor.impl_.is_wrapped_number()) out.impl_.set_wrapped_number(true);
  return out;
}

export function to_meta_optional(tensor: Tensor | null): Tensor | null {
  return tensor === null ? null : to_meta(tensor);
}

export function to_meta_list(tensors: readonly Tensor[]): Tensor[] {
  return tensors.map(to_meta);
}

/** Shapes of one result or of several. */
export function shapes_of(out_meta: Tensor | readonly Tensor[]): Shape[] {
  return "impl_" in out_meta ? [shape_of(out_meta)] : out_meta.map(shape_of);
}

/** An operator of `at::_ops`. */
interface TypedOperator<Args extends readonly unknown[], R> {
  readonly name: string;
  readonly overload_name: string;
  redispatch(ks: DispatchKeySet, ...args: Args): R;
}

/**
 * The library's own Meta kernel, called directly. (`at::meta::add`)
 * @original The dispatcher would take one that is written in Python, if there is one; it is slower and cannot read a number without memory.
 */
export function at_meta<Args extends readonly unknown[], R>(op: TypedOperator<Args, R>, ...args: Args): R {
  const { entry } = Dispatcher.singleton().findSchemaOrThrow(op.name, op.overload_name);
  const first = entry.getFirstKernelForDispatchKey(DispatchKey.Meta)?.kernel;
  if (first?.isValidUnboxed() !== true) return op.redispatch(META, ...args);
  return (first.unboxed() as (ks: DispatchKeySet, ...args: readonly unknown[]) => R)(META, ...args);
}

type ComputeShape = (...args: readonly unknown[]) => Shape[];

/** Shapes of results from a function of shape_inference.ts, which takes the operator's first arguments, as many as it needs. */
export function infer(compute_shape: (...args: never[]) => Shape[], ...args: readonly unknown[]): Shape[] {
  return (compute_shape as ComputeShape)(...args);
}
