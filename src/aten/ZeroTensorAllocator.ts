/**
 * @file Allocator of zero tensors: such a tensor has sizes and a device, and its storage holds the null pointer.
 * @mirrors aten/src/ATen/native/TensorFactories.h#ZeroTensorAllocator
 * @see ZeroTensorFallback.ts, which gives operators real zeros in its place
 */
import { Allocator, DataPtr } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

export class ZeroTensorAllocator extends Allocator {
  private readonly device: Device;

  constructor(device: Device) {
    super();
    this.device = device;
  }

  override allocate(_nbytes: number): DataPtr {
    return new DataPtr(null, 0, this.device);
  }

  override copy_data(): void {
    TORCH_INTERNAL_ASSERT(false, "a zero tensor has no data to copy");
  }
}
