/**
 * @file Metadata of a node's input, against which arriving gradients are checked: shape, dtype, layout and device of
 * the forward output, and the stream in which it was made.
 * @mirrors torch/csrc/autograd/input_metadata.h
 * @differs Nested tensors do not occur; PyTorch's metadata also describes them.
 */

import type { TensorBase } from "#aten/core/TensorBase";
import { isAccelerator } from "#aten/DeviceAccelerator";
import { is_expandable_to, sum_to } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { getDeviceGuardImpl } from "#c10/core/impl/DeviceGuardImplInterface";
import { Layout } from "#c10/core/Layout";
import { ScalarType } from "#c10/core/ScalarType";
import type { Stream } from "#c10/core/Stream";
import { has_symbols, same_ints } from "#c10/core/SymInt";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { AutogradMeta } from "./variable/index.ts";

function current_stream(device: Device): Stream | null {
  return isAccelerator(device.type()) ? getDeviceGuardImpl(device.type()).getStream(device) : null;
}

export class InputMetadata {
  private readonly dtype_: ScalarType;
  private readonly layout_: Layout;
  private readonly device_: Device;
  private readonly shape_: readonly number[];
  private readonly is_tensor_subclass_: boolean;
  /** Null if there are no streams. */
  private readonly stream_: Stream | null;
  private grad_dtype_: ScalarType | null;

  constructor(
    dtype: ScalarType,
    layout: Layout,
    device: Device,
    shape: readonly number[],
    is_tensor_subclass: boolean,
    grad_dtype: ScalarType | null,
    stream: Stream | null = device.is_cpu() ? null : current_stream(device),
  ) {
    this.dtype_ = dtype;
    this.layout_ = layout;
    this.device_ = device;
    this.shape_ = shape;
    this.is_tensor_subclass_ = is_tensor_subclass;
    this.stream_ = stream;
    this.grad_dtype_ = grad_dtype;
  }

  /** The default-constructed metadata: the input is not used and its gradient may be undefined. */
  static readonly UNDEFINED = new InputMetadata(
    ScalarType.Float,
    Layout.Strided,
    new Device(DeviceType.CPU),
    [],
    false,
    null,
  );

  was_default_constructed(): boolean {
    return this === InputMetadata.UNDEFINED;
  }

  /** `InputMetadata(const at::Tensor&)`. */
  static of(t: Tensor): InputMetadata {
    const impl = t.impl_;
    const dtype = impl.dtype();
    const meta = impl.autograd_meta_ as AutogradMeta | null;
    const grad_dtype = meta === null ? dtype : meta.grad_dtype(dtype);
    return new InputMetadata(dtype, impl.layout(), impl.device(), impl.sizes(), false, grad_dtype);
  }

  /** This metadata with the shape of `grad`. */
  with_shape_of(grad: Tensor): InputMetadata {
    return new InputMetadata(
      this.dtype_,
      this.layout_,
      this.device_,
      grad.sizes(),
      this.is_tensor_subclass_,
      this.grad_dtype_,
      this.stream_,
    );
  }

  options(): TensorOptions {
    return new TensorOptions().dtype(this.dtype_).layout(this.layout_).device(this.device_);
  }

  dtype(): ScalarType {
    return this.dtype_;
  }

  device(): Device {
    return this.device_;
  }

  stream(): Stream | null {
    return this.stream_;
  }

  layout(): Layout {
    return this.layout_;
  }

  is_tensor_subclass(): boolean {
    return this.is_tensor_subclass_;
  }

  shape_as_dim_vector(): readonly number[] {
    return this.shape_;
  }

  /** The dtype that the gradient must have; null if any dtype is allowed. */
  grad_dtype(): ScalarType | null {
    return this.grad_dtype_;
  }

  set_grad_dtype(grad_dtype: ScalarType | null): void {
    this.grad_dtype_ = grad_dtype;
  }

  zeros_like(): Tensor {
    return at.zeros(this.shape_.slice(), this.options());
  }

  is_same_shape(grad: TensorBase): boolean {
    const sizes = grad.impl_.sizes();
    const shape = this.shape_;
    if (has_symbols(sizes) || has_symbols(shape)) return same_ints(sizes, shape);
    if (sizes.length !== shape.length) return false;
    for (let i = 0; i < shape.length; i++) if (sizes[i] !== shape[i]) return false;
    return true;
  }

  is_expandable_to_shape(grad: Tensor): boolean {
    return is_expandable_to(this.shape_, grad.sizes());
  }

  reduce_grad(grad: Tensor): Tensor {
    TORCH_INTERNAL_ASSERT(this.is_expandable_to_shape(grad));
    return sum_to(grad, this.shape_);
  }

  /** If the forward call broadcast this input, its gradient is summed over the repeated dimensions. */
  maybe_reduce(index: number, grad: Tensor, format_error: (message: string) => string): Tensor {
    if (this.is_same_shape(grad)) return grad;
    if (!this.is_expandable_to_shape(grad)) {
      TORCH_CHECK(false, format_error(this.incompatible_shape_error_message(index, grad)));
    }
    return this.reduce_grad(grad);
  }

  incompatible_shape_error_message(index: number, grad: Tensor): string {
    const shape = (sizes: readonly number[]): string => `[${sizes.join(", ")}]`;
    return `invalid gradient at index ${index} - got ${shape(grad.sizes())} but expected shape compatible with ${shape(this.shape_)}`;
  }
}
