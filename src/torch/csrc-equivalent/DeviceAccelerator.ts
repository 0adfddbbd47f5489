/**
 * @file `torch._C._accelerator_*`: the functions behind `torch.accelerator`.
 * @mirrors torch/csrc/DeviceAccelerator.h
 * @differs Graphs, allocator settings and a cache of host memory are not built; PyTorch has them.
 */
import * as accelerator from "#aten/DeviceAccelerator";
import { Device } from "#c10/core/Device";
import { type THPDevice, THPDevice_New } from "./Device.ts";
import type { THPDtype } from "./Dtype.ts";
import { getTHPDtype } from "./DynamicTypes.ts";
import { type THPStream, THPStream_Wrap } from "./Stream.ts";
import {
  is_device_initialized,
  is_device_lazy_init_supported,
  maybe_initialize_device,
} from "./utils/device_lazy_init.ts";

/** Wraps a call so that the accelerator is initialized first. */
function initialized<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    maybe_initialize_device(Device.of(accelerator.checked_accelerator()));
    return call(...args);
  };
}

export function _accelerator_getAccelerator(): THPDevice | null {
  const type = accelerator.getAccelerator();
  return type === null ? null : THPDevice_New(Device.of(type));
}

const setDeviceIndex = initialized(accelerator.setDeviceIndex);

export function _accelerator_setDeviceIndex(device_index: number): void {
  if (device_index >= 0) setDeviceIndex(device_index);
}

export const _accelerator_getDeviceIndex = initialized(accelerator.getDeviceIndex);
export const _accelerator_exchangeDevice = initialized(accelerator.exchangeDevice);
export const _accelerator_maybeExchangeDevice = initialized(accelerator.maybeExchangeDevice);

export const _accelerator_setStream = initialized(({ cdata }: THPStream): void => {
  if (accelerator.getDeviceIndex() !== cdata.device_index()) accelerator.setDeviceIndex(cdata.device_index());
  accelerator.setCurrentStream(cdata);
});

export const _accelerator_getStream = initialized(
  (device_index: number): THPStream => THPStream_Wrap(accelerator.getCurrentStream(device_index)),
);

export const _accelerator_getDeviceCapability = initialized((device_index: number): Map<string, Set<THPDtype>> => {
  const { supported_scalar_types } = accelerator.getDeviceCapability(device_index);
  return new Map([["supported_dtypes", new Set([...supported_scalar_types].map(getTHPDtype))]]);
});

/** Waits for the device; does nothing if it was never initialized, because nothing is queued there. */
export function _accelerator_synchronizeDevice(device_index: number): void {
  const type = accelerator.checked_accelerator();
  if (is_device_lazy_init_supported(type) && !is_device_initialized(type)) return;
  accelerator.synchronizeDevice(device_index);
}

export const _accelerator_isAllocatorInitialized = accelerator.isAllocatorInitialized;
export const _accelerator_emptyCache = accelerator.emptyCache;
export const _accelerator_getDeviceStats = accelerator.getDeviceStats;
export const _accelerator_resetAccumulatedStats = accelerator.resetAccumulatedStats;
export const _accelerator_resetPeakStats = accelerator.resetPeakStats;
export const _accelerator_getMemoryInfo = accelerator.getMemoryInfo;
