/**
 * @file The accelerator: the one device type beside the CPU that a program means if it names none.
 * @mirrors aten/src/ATen/DeviceAccelerator.h
 * @differs The accelerator is always PrivateUse1: the WebGPU device of `glasstorch/webgpu`, or a backend that a program
 * registers; PyTorch also has CUDA, MPS, XPU, HPU and MTIA, which are not built here.
 */
import { type DeviceAllocator, type DeviceStats, getDeviceAllocator } from "#c10/core/CachingDeviceAllocator";
import { Device } from "#c10/core/Device";
import type { DeviceCapability } from "#c10/core/DeviceCapability";
import { DeviceType, DeviceTypeName, is_privateuse1_backend_registered } from "#c10/core/DeviceType";
import type { DeviceGuardImplInterface } from "#c10/core/impl/DeviceGuardImplInterface";
import { VirtualGuardImpl } from "#c10/core/impl/VirtualGuardImpl";
import type { Stream } from "#c10/core/Stream";
import { TORCH_CHECK } from "#c10/util/Exception";

const accelerators: ReadonlySet<DeviceType> = new Set([
  DeviceType.CUDA,
  DeviceType.MTIA,
  DeviceType.XPU,
  DeviceType.HIP,
  DeviceType.MPS,
  DeviceType.HPU,
  DeviceType.PrivateUse1,
]);

export function getAccelerator(): DeviceType | null {
  return is_privateuse1_backend_registered() ? DeviceType.PrivateUse1 : null;
}

/** `getAccelerator(true)` */
export function checked_accelerator(): DeviceType {
  const device_type = getAccelerator();
  TORCH_CHECK(device_type !== null, "Cannot access accelerator device when none is available.");
  return device_type;
}

export function isAccelerator(device_type: DeviceType): boolean {
  return accelerators.has(device_type);
}

function impl(): DeviceGuardImplInterface {
  return VirtualGuardImpl(checked_accelerator());
}

function device(device_index: number): Device {
  return new Device(checked_accelerator(), device_index);
}

export function setDeviceIndex(device_index: number): void {
  impl().setDevice(device(device_index));
}

export function getDeviceIndex(): number {
  return impl().getDevice().index();
}

export function setCurrentStream(stream: Stream): void {
  const device_type = checked_accelerator();
  TORCH_CHECK(
    device_type === stream.device_type(),
    "stream's device type ",
    DeviceTypeName(stream.device_type()),
    " doesn't match the current accelerator ",
    DeviceTypeName(device_type),
  );
  impl().exchangeStream(stream);
}

export function getCurrentStream(device_index: number): Stream {
  return impl().getStream(device(device_index));
}

export function synchronizeDevice(device_index: number): void {
  impl().synchronizeDevice(device_index);
}

/** Makes a device current and returns the previous one. */
export function exchangeDevice(device_index: number): number {
  return impl().exchangeDevice(device(device_index)).index();
}

/** Makes a device current without initializing one that was never used. Like PyTorch's, it returns the new device. */
export function maybeExchangeDevice(device_index: number): number {
  impl().uncheckedSetDevice(device(device_index));
  return impl().getDevice().index();
}

export function getDeviceCapability(device_index: number): DeviceCapability {
  return impl().getDeviceCapability(device(device_index));
}

function allocator(): DeviceAllocator {
  return getDeviceAllocator(checked_accelerator());
}

export function isAllocatorInitialized(): boolean {
  return allocator().initialized();
}

export function emptyCache(): void {
  allocator().emptyCache();
}

export function getDeviceStats(device_index: number): DeviceStats {
  return allocator().getDeviceStats(device_index);
}

export function resetAccumulatedStats(device_index: number): void {
  allocator().resetAccumulatedStats(device_index);
}

export function resetPeakStats(device_index: number): void {
  allocator().resetPeakStats(device_index);
}

export function getMemoryInfo(device_index: number): [free: number, total: number] {
  return allocator().getMemoryInfo(device_index);
}
