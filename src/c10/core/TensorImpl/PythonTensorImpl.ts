/**
 * @file The impl of a tensor whose class answers for its own sizes, strides, device or layout.
 * @mirrors c10/core/TensorImpl.h#SizesStridesPolicy
 * @differs The policy is a class, so that ordinary tensors do not ask for it; in PyTorch it is a field that every `sizes()` reads.
 */
import type { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { deviceTypeToBackendComponent } from "#c10/core/DispatchKey";
import { DispatchKeySet, getAutocastRelatedKeySetFromBackend } from "#c10/core/DispatchKeySet";
import { getGlobalPyInterpreter } from "#c10/core/impl/PyInterpreterHooks";
import type { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TensorImpl } from "./index.ts";

/** The metadata that the class answers for; each policy includes those before it. */
export const SizesStridesPolicy = { Default: 0, CustomStrides: 1, CustomSizes: 2 } as const;
export type SizesStridesPolicy = 0 | 1 | 2;

export class PythonTensorImpl extends TensorImpl {
  private python_custom_sizes_strides_: SizesStridesPolicy = SizesStridesPolicy.Default;
  private python_custom_device_ = false;
  private python_custom_layout_ = false;

  /** An impl over the memory of `src`, with its sizes and keys. */
  static of(src: TensorImpl): PythonTensorImpl {
    const impl = new PythonTensorImpl(src.storage_, src.key_set_, src.dtype(), null, true);
    TensorImpl.copy_tensor_metadata(src, impl, 0, true);
    return impl;
  }

  set_python_custom_sizes_strides(policy: SizesStridesPolicy): void {
    this.python_custom_sizes_strides_ = policy;
  }

  set_python_custom_device(custom_device: boolean): void {
    this.python_custom_device_ = custom_device;
  }

  set_python_custom_layout(custom_layout: boolean): void {
    this.python_custom_layout_ = custom_layout;
  }

  private matches(policy: SizesStridesPolicy): boolean {
    return this.python_custom_sizes_strides_ >= policy;
  }

  // Sizes and strides --------------------------------------------------------------------------------------------------

  override sizes(): number[] {
    return this.matches(SizesStridesPolicy.CustomSizes) ? getGlobalPyInterpreter().sizes(this) : super.sizes();
  }

  override dim(): number {
    return this.matches(SizesStridesPolicy.CustomSizes) ? getGlobalPyInterpreter().dim(this) : super.dim();
  }

  override numel(): number {
    return this.matches(SizesStridesPolicy.CustomSizes) ? getGlobalPyInterpreter().numel(this) : super.numel();
  }

  override size(d: number): number {
    if (!this.matches(SizesStridesPolicy.CustomSizes)) return super.size(d);
    const sizes = this.sizes();
    return sizes[maybe_wrap_dim(d, sizes.length, false)];
  }

  override storage_offset(): number {
    return this.matches(SizesStridesPolicy.CustomSizes)
      ? getGlobalPyInterpreter().storage_offset(this)
      : super.storage_offset();
  }

  override strides(): number[] {
    return this.matches(SizesStridesPolicy.CustomStrides) ? getGlobalPyInterpreter().strides(this) : super.strides();
  }

  override stride(d: number): number {
    if (!this.matches(SizesStridesPolicy.CustomStrides)) return super.stride(d);
    const strides = this.strides();
    return strides[maybe_wrap_dim(d, strides.length, false)];
  }

  override is_contiguous(memory_format: MemoryFormat = MemoryFormat.Contiguous): boolean {
    return this.matches(SizesStridesPolicy.CustomStrides)
      ? getGlobalPyInterpreter().is_contiguous(this, memory_format)
      : super.is_contiguous(memory_format);
  }

  override is_strides_like(memory_format: MemoryFormat): boolean {
    return this.matches(SizesStridesPolicy.CustomStrides)
      ? getGlobalPyInterpreter().is_strides_like(this, memory_format)
      : super.is_strides_like(memory_format);
  }

  override is_non_overlapping_and_dense(): boolean {
    return this.matches(SizesStridesPolicy.CustomStrides)
      ? getGlobalPyInterpreter().is_non_overlapping_and_dense(this)
      : super.is_non_overlapping_and_dense();
  }

  // Device and layout ----------------------------------------------------------------------------------------------------

  override device(): Device {
    return this.python_custom_device_ ? getGlobalPyInterpreter().device(this) : super.device();
  }

  override device_opt(): Device | null {
    return this.python_custom_device_ ? this.device() : super.device_opt();
  }

  override device_type(): DeviceType {
    return this.python_custom_device_ ? this.device().type() : super.device_type();
  }

  override is_cpu(): boolean {
    return this.python_custom_device_ ? this.device().type() === DeviceType.CPU : super.is_cpu();
  }

  override is_meta(): boolean {
    return this.python_custom_device_ ? this.device().type() === DeviceType.Meta : super.is_meta();
  }

  override layout(): Layout {
    return this.python_custom_layout_ ? getGlobalPyInterpreter().layout(this) : super.layout();
  }

  /** Gives the keys another backend, as if the tensor were on `device`. Autograd's key follows, because it is one of each backend. */
  _change_backend_component_keys(device: Device): void {
    const backend = deviceTypeToBackendComponent(device.type());
    const old = this.key_set_.highestBackendKey();
    this.key_set_ = this.key_set_
      .sub(getAutocastRelatedKeySetFromBackend(old))
      .or(getAutocastRelatedKeySetFromBackend(backend))
      .remove_backend(old)
      .or(DispatchKeySet.ofBackends(backend));
  }
}
