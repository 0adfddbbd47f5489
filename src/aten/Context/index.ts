/**
 * @file Switches of the whole library, and the way to what devices do for it.
 * @mirrors aten/src/ATen/Context.h
 * @differs PyTorch's context also makes generators and knows what was compiled in.
 */

import { checked_accelerator, getAccelerator, isAccelerator } from "#aten/DeviceAccelerator";
import type { AcceleratorHooksInterface } from "#aten/detail/AcceleratorHooksInterface";
import { getPrivateUse1Hooks } from "#aten/detail/PrivateUse1HooksInterface";
import type { Allocator } from "#c10/core/Allocator";
import { DeviceType, DeviceTypeName } from "#c10/core/DeviceType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

let enabled_cudnn = true;

/** Whether cuDNN may be used where there is one; operators hand it on, so their calls show it. */
export function userEnabledCuDNN(): boolean {
  return enabled_cudnn;
}

export function setUserEnabledCuDNN(enabled: boolean): void {
  enabled_cudnn = enabled;
}

// Note [Enabling Deterministic Operations]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An operation whose result may differ from run to run, and that has another way which always gives the same, asks
// `deterministicAlgorithms()` and takes that way. One that has none calls `alertNotDeterministic` with its name. Memory that nobody has
// written yet differs from run to run, too: `empty` and its kin fill it, so that who reads it sees NaN at every run.
let deterministic_algorithms = false;
let deterministic_algorithms_warn_only = false;
let deterministic_fill_uninitialized_memory = true;
let deterministic_cudnn = false;

/** Whether both hold that a fill needs. A variable and no function: `empty` asks it at every call. */
export let fills_uninitialized_memory = false;

export function deterministicAlgorithms(): boolean {
  return deterministic_algorithms;
}

export function deterministicAlgorithmsWarnOnly(): boolean {
  return deterministic_algorithms_warn_only;
}

export function setDeterministicAlgorithms(b: boolean, warn_only: boolean): void {
  deterministic_algorithms = b;
  deterministic_algorithms_warn_only = warn_only;
  fills_uninitialized_memory = b && deterministic_fill_uninitialized_memory;
}

export function deterministicFillUninitializedMemory(): boolean {
  return deterministic_fill_uninitialized_memory;
}

export function setDeterministicFillUninitializedMemory(b: boolean): void {
  deterministic_fill_uninitialized_memory = b;
  fills_uninitialized_memory = b && deterministic_algorithms;
}

/** Convolutions hand it on, as `userEnabledCuDNN`. */
export function deterministicCuDNN(): boolean {
  return deterministic_cudnn;
}

export function setDeterministicCuDNN(b: boolean): void {
  deterministic_cudnn = b;
}

let benchmark_cudnn = false;
let allow_tf32_cudnn = true;

/** Whether cuDNN would try its algorithms and keep the quickest. No kernel asks. */
export function benchmarkCuDNN(): boolean {
  return benchmark_cudnn;
}

export function setBenchmarkCuDNN(b: boolean): void {
  benchmark_cudnn = b;
}

/** Whether cuDNN might round float32 to TensorFloat-32. No kernel asks. */
export function allowTF32CuDNN(): boolean {
  return allow_tf32_cudnn;
}

export function setAllowTF32CuDNN(b: boolean): void {
  allow_tf32_cudnn = b;
}

let enabled_mkldnn = true;
let deterministic_mkldnn = false;
let enabled_nnpack = true;

/** Whether oneDNN might be used. No kernel asks. */
export function userEnabledMkldnn(): boolean {
  return enabled_mkldnn;
}

export function setUserEnabledMkldnn(e: boolean): void {
  enabled_mkldnn = e;
}

/** Whether oneDNN would have to give the same bits each time. No kernel asks. */
export function deterministicMkldnn(): boolean {
  return deterministic_mkldnn;
}

export function setDeterministicMkldnn(b: boolean): void {
  deterministic_mkldnn = b;
}

/** Whether NNPACK might be used. No kernel asks. */
export function userEnabledNNPACK(): boolean {
  return enabled_nnpack;
}

export function setUserEnabledNNPACK(e: boolean): void {
  enabled_nnpack = e;
}

let float32_matmul_precision = "highest";

/** How exact products of float32 have to be: "highest", "high", "medium". Those of this library are always exact. */
export function float32MatmulPrecision(): string {
  return float32_matmul_precision;
}

export function setFloat32MatmulPrecision(s: string): void {
  if (["highest", "high", "medium"].includes(s)) float32_matmul_precision = s;
  else
    TORCH_WARN(
      s,
      " is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has no effect.",
    );
}

/** Refuses, or warns, if operations were to be deterministic: `caller` is not, and has no other way. */
export function alertNotDeterministic(caller: string): void {
  if (!deterministic_algorithms) return;
  const prioritize =
    "file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation.";
  const lead = `${caller} does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True`;
  if (deterministic_algorithms_warn_only) TORCH_WARN(lead, ", warn_only=True)'. You can ", prioritize);
  else
    TORCH_CHECK(
      false,
      lead,
      ")'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, " +
        "if that's acceptable for your application. You can also ",
      prioritize,
    );
}

/** Devices that were brought up. */
const initialized = new Set<DeviceType>();

export function lazyInitDevice(device_type: DeviceType): void {
  if (device_type === DeviceType.CPU || initialized.has(device_type)) return;
  initialized.add(device_type);
  getAcceleratorHooksInterface(device_type).init();
}

/** Of the accelerator if no device type is given. */
export function getAcceleratorHooksInterface(device_type: DeviceType | null = null): AcceleratorHooksInterface {
  const type = device_type ?? checked_accelerator();
  TORCH_CHECK(type === DeviceType.PrivateUse1, DeviceTypeName(type), " device type not an accelerator.");
  return getPrivateUse1Hooks();
}

/** Whether host memory at this address is pinned for a device that has been brought up. */
export function isPinnedPtr(data: number, device_type: DeviceType | null = null): boolean {
  const type = device_type ?? getAccelerator();
  if (type === null || !isAccelerator(type) || !initialized.has(type)) return false;
  return getAcceleratorHooksInterface(type).isPinnedPtr(data);
}

export function getPinnedMemoryAllocator(device_type: DeviceType | null = null): Allocator {
  const type = device_type ?? getAccelerator();
  if (type !== null) lazyInitDevice(type);
  return getAcceleratorHooksInterface(device_type).getPinnedMemoryAllocator();
}
