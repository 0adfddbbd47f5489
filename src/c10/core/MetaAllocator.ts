/**
 * @file The allocator of meta tensors, which have sizes and no bytes: every request gets the null pointer.
 * @mirrors aten/src/ATen/EmptyTensor.cpp
 * @differs It is in c10 beside the other allocators, so that a storage on the meta device needs nothing of ATen;
 * PyTorch's is in ATen.
 */

import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { traceInstant, tracer } from "#c10/util/Trace";
import { Allocator, DataPtr, REGISTER_ALLOCATOR } from "./Allocator.ts";
import { Device } from "./Device.ts";
import { DeviceType } from "./DeviceType.ts";

const nullptr = new DataPtr(null, 0, Device.of(DeviceType.Meta));

class MetaAllocator extends Allocator {
  override allocate(nbytes: number): DataPtr {
    if (tracer !== null) traceInstant("memory", "at::MetaAllocator::allocate", { nbytes, device: "meta" });
    return nullptr;
  }

  override copy_data(): void {
    TORCH_INTERNAL_ASSERT(false, "a meta tensor has no data to copy");
  }
}

const allocator = new MetaAllocator();

export function GetMetaAllocator(): Allocator {
  return allocator;
}

REGISTER_ALLOCATOR(DeviceType.Meta, allocator);
