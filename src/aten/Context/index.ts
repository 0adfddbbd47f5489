/**
 * @file Global switches of the library, and access to the hooks of each device.
 * @mirrors aten/src/ATen/Context.h
 * @differs Only switches and hooks are here; PyTorch's context also makes generators and knows which libraries were compiled in.
 */

import { checked_accelerator, getAccelerator, isAccelerator } from "#aten/DeviceAccelerator";
import type { AcceleratorHooksInterface } from "#aten/detail/AcceleratorHooksInterface";
import { getPrivateUse1Hooks } from "#aten/detail/PrivateUse1HooksInterface";
import type { Allocator } from "#c10/core/Allocator";
import { DeviceType, DeviceTypeName } from "#c10/core/DeviceType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

let enabled_cudnn = true;

/** Whether cuDNN may be used. There is none, but operators pass the flag on, so their calls show it. */
export function userEnabledCuDNN(): boolean {
  return enabled_cudnn;
}

export function setUserEnabledCuDNN(enabled: boolean): void {
  enabled_cudnn = enabled;
}

// Note [Enabling Deterministic Operations]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An operation whose result may differ from run to run, and that has a deterministic alternative, tests
// `deterministicAlgorithms()` and uses the alternative. An operation without an alternative calls
// `alertNotDeterministic` with its name. Uninitialized memory differs from run to run, too: `empty` and similar
// functions fill it, so that a program that reads it sees NaN in every run.
let deterministic_algorithms = false;
let deterministic_algorithms_warn_only = false;
let deterministic_fill_uninitialized_memory = true;
let deterministic_cudnn = false;

/** Whether both conditions for filling hold. A variable and not a function, because `empty` tests it at every call. */
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

/** Whether cuDNN must be deterministic; convolutions pass it on, like `userEnabledCuDNN`. */
export function deterministicCuDNN(): boolean {
  return deterministic_cudnn;
}

export function setDeterministicCuDNN(b: boolean): void {
  deterministic_cudnn = b;
}

let benchmark_cudnn = false;
let allow_tf32_cudnn = true;

/** Whether cuDNN would try its algorithms and keep the fastest. No kernel reads it. */
export function benchmarkCuDNN(): boolean {
  return benchmark_cudnn;
}

export function setBenchmarkCuDNN(b: boolean): void {
  benchmark_cudnn = b;
}

/** Whether cuDNN might round float32 to TensorFloat-32. No kernel reads it. */
export function allowTF32CuDNN(): boolean {
  return allow_tf32_cudnn;
}

export function setAllowTF32CuDNN(b: boolean): void {
  allow_tf32_cudnn = b;
}

let enabled_mkldnn = true;
let deterministic_mkldnn = false;
let enabled_nnpack = true;

/** Whether oneDNN might be used. No kernel reads it. */
export function userEnabledMkldnn(): boolean {
  return enabled_mkldnn;
}

export function setUserEnabledMkldnn(e: boolean): void {
  enabled_mkldnn = e;
}

/** Whether oneDNN would have to give the same bits each time. No kernel reads it. */
export function deterministicMkldnn(): boolean {
  return deterministic_mkldnn;
}

export function setDeterministicMkldnn(b: boolean): void {
  deterministic_mkldnn = b;
}

/** Whether NNPACK might be used. No kernel reads it. */
export function userEnabledNNPACK(): boolean {
  return enabled_nnpack;
}

export function setUserEnabledNNPACK(e: boolean): void {
  enabled_nnpack = e;
}

let float32_matmul_precision = "highest";

/** Required precision of float32 matrix products: "highest", "high", "medium". This library always computes the highest. */
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

/** Throws or warns if deterministic operations are required: `caller` is not deterministic and has no alternative. */
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

/** Device types that have been initialized. */
const initialized = new Set<DeviceType>();

export function lazyInitDevice(device_type: DeviceType): void {
  if (device_type === DeviceType.CPU || initialized.has(device_type)) return;
  initialized.add(device_type);
  getAcceleratorHooksInterface(device_type).init();
}

/** Hooks of a device type; of the accelerator if none is given. */
export function getAcceleratorHooksInterface(device_type: DeviceType | null = null): AcceleratorHooksInterface {
  const type = device_type ?? checked_accelerator();
  TORCH_CHECK(type === DeviceType.PrivateUse1, DeviceTypeName(type).toUpperCase(), " device type not an accelerator.");
  return getPrivateUse1Hooks();
}

/** Whether host memory at this address is pinned for an initialized device. */
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
