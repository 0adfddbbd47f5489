/**
 * @file The state of autocast: the devices for which it is on, the dtype it casts to, and its cache of casts.
 * @mirrors aten/src/ATen/autocast_mode.cpp
 * @differs Cast rules are built in only for the CPU; PyTorch has them for other devices too. JavaScript has one thread,
 * so module variables replace thread-local ones.
 * @see policies.ts (which operator casts how)
 */

import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_excluded, tls_set_dispatch_key_excluded } from "#c10/core/impl/LocalDispatchKeySet";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK } from "#c10/util/Exception";

// Switching autocast on and off ----------------------------------------------------------------------------------------------

/** Devices that support autocast, in PyTorch's order. */
const autocast_keys: ReadonlyMap<DeviceType, DispatchKey> = new Map([
  [DeviceType.CPU, DispatchKey.AutocastCPU],
  [DeviceType.CUDA, DispatchKey.AutocastCUDA],
  [DeviceType.MTIA, DispatchKey.AutocastMTIA],
  [DeviceType.MAIA, DispatchKey.AutocastMAIA],
  [DeviceType.XPU, DispatchKey.AutocastXPU],
  [DeviceType.IPU, DispatchKey.AutocastIPU],
  [DeviceType.HPU, DispatchKey.AutocastHPU],
  [DeviceType.XLA, DispatchKey.AutocastXLA],
  [DeviceType.PrivateUse1, DispatchKey.AutocastPrivateUse1],
  [DeviceType.MPS, DispatchKey.AutocastMPS],
]);

export const _AUTOCAST_SUPPORTED_DEVICES: readonly DeviceType[] = [...autocast_keys.keys()];

export function is_autocast_available(device_type: DeviceType): boolean {
  return autocast_keys.has(device_type);
}

export function get_autocast_dispatch_key_from_device_type(device_type: DeviceType): DispatchKey {
  const key = autocast_keys.get(device_type);
  TORCH_CHECK(key !== undefined, "unknown device type for autocast in get_autocast_dispatch_key_from_device_type");
  return key;
}

/** Whether autocast is on. Every tensor carries its device's autocast key; autocast is on unless the thread excludes the key. */
export function is_autocast_enabled(device_type: DeviceType): boolean {
  return !tls_is_dispatch_key_excluded(get_autocast_dispatch_key_from_device_type(device_type));
}

export function set_autocast_enabled(device_type: DeviceType, enabled: boolean): void {
  tls_set_dispatch_key_excluded(get_autocast_dispatch_key_from_device_type(device_type), !enabled);
}

// The dtype ----------------------------------------------------------------------------------------------------------------

const { BFloat16, Half } = ScalarType;
const autocast_dtype = new Map<DeviceType, ScalarType>([
  [DeviceType.CPU, BFloat16],
  [DeviceType.CUDA, Half],
  [DeviceType.HIP, Half],
  [DeviceType.XLA, BFloat16],
  [DeviceType.XPU, Half],
  [DeviceType.MPS, Half],
  [DeviceType.HPU, BFloat16],
  [DeviceType.IPU, Half],
  [DeviceType.PrivateUse1, Half],
]);

/** The dtype of lower precision than float32; Undefined for devices that have none. */
export function get_autocast_dtype(device_type: DeviceType): ScalarType {
  return autocast_dtype.get(device_type) ?? ScalarType.Undefined;
}

export function set_autocast_dtype(device_type: DeviceType, dtype: ScalarType): void {
  autocast_dtype.set(device_type, dtype);
}

// The cache of casts -----------------------------------------------------------------------------------------------------------

// Note [Weights are cast once]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// If a layer is called twice in a region, it would cast its weight twice, and backward would go through both casts. So
// the cast of a float32 leaf that requires grad is cached until the outermost region ends. PyTorch holds the source by
// a weak reference, to be sure that no other tensor takes its address; here the map holds the source itself.
const cached_casts = new Map<TensorImpl, Tensor>();
let cache_enabled = true;
let nesting = 0;

export function clear_cache(): void {
  cached_casts.clear();
}

export function is_autocast_cache_enabled(): boolean {
  return cache_enabled;
}

export function set_autocast_cache_enabled(enabled: boolean): void {
  cache_enabled = enabled;
}

/** Enters a region. Regions are nested; leaving the outermost one clears the cache. */
export function increment_nesting(): number {
  return ++nesting;
}

export function decrement_nesting(): number {
  return --nesting;
}

/** Whether autocast may cast it: floating, on the device, and not float64, which is always a deliberate choice. */
export function is_eligible(arg: Tensor, device_type: DeviceType): boolean {
  return (
    arg.defined() &&
    arg.device().type() === device_type &&
    arg.is_floating_point() &&
    arg.scalar_type() !== ScalarType.Double
  );
}

export function cached_cast(to_type: ScalarType, arg: Tensor, device_type: DeviceType): Tensor {
  if (!is_eligible(arg, device_type) || arg.scalar_type() === to_type) return arg;
  const can_try_cache =
    cache_enabled &&
    to_type === get_autocast_dtype(device_type) &&
    arg.scalar_type() === ScalarType.Float &&
    arg.requires_grad() &&
    arg.is_leaf() &&
    !arg.is_view();
  if (!can_try_cache) return arg.to_dtype(to_type);
  const source = arg.unsafeGetTensorImpl();
  let casted = cached_casts.get(source);
  if (casted === undefined) {
    casted = arg.to_dtype(to_type);
    cached_casts.set(source, casted);
  }
  return casted;
}

// Operators without a rule ---------------------------------------------------------------------------------------------------

// AutocastHPU, IPU, XLA and PrivateUse1 have no fallback here: their backends register their own.
const keys = ["AutocastCUDA", "AutocastMPS", "AutocastCPU", "AutocastMTIA", "AutocastMAIA", "AutocastXPU"] as const;

for (const key of keys) TORCH_LIBRARY_IMPL("_", key, (m) => m.fallback(CppFunction.makeFallthrough()));
