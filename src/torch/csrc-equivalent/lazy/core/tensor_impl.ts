/**
 * @file The body of a tensor on the device `lazy`: a lazy tensor instead of a storage.
 * @mirrors torch/csrc/lazy/core/tensor_impl.h
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Storage } from "#c10/core/Storage";
import { TensorImpl, type VariableVersion } from "#c10/core/TensorImpl/index";
import { backendDeviceToAtenDevice } from "../backend/backend_device.ts";
import "./guard_impl.ts";
import type { LazyTensor } from "./tensor.ts";

const lazy_ks = DispatchKeySet.of(DispatchKey.Lazy);

export class LTCTensorImpl extends TensorImpl {
  private tensor_: LazyTensor;

  constructor(tensor: LazyTensor) {
    super(new Storage(null), lazy_ks, tensor.dtype(), backendDeviceToAtenDevice(tensor.GetDevice()));
    this.tensor_ = tensor;
    this.setup_size_properties();
  }

  /** A lazy tensor is always contiguous: what it views does not matter, because views are copies. */
  private setup_size_properties(): void {
    this.set_sizes_contiguous(this.tensor_.shape().sizes());
  }

  tensor(): LazyTensor {
    return this.tensor_;
  }

  set_tensor(lazy_tensor: LazyTensor): void {
    this.tensor_ = lazy_tensor;
    this.setup_size_properties();
  }

  /** Takes the sizes of the value, which has changed. */
  force_refresh_sizes(): void {
    this.setup_size_properties();
  }

  override shallow_copy_and_detach(
    version_counter: VariableVersion | 0,
    allow_tensor_metadata_change: boolean,
  ): TensorImpl {
    const copy = new LTCTensorImpl(this.tensor_);
    copy.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
    if (version_counter !== 0 && !copy.is_inference()) copy.set_version_counter(version_counter);
    return copy;
  }

  /** Strides mean nothing here, so no operator may rely on them to make another tensor. */
  override is_non_overlapping_and_dense(): boolean {
    return false;
  }

  override tensorimpl_type_name(): string {
    return "LTCTensorImpl";
  }
}
