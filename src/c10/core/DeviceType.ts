/**
 * @file The device types, and the name that was given to PrivateUse1.
 * @mirrors c10/core/DeviceType.h
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";

export const DeviceType = {
  CPU: 0,
  CUDA: 1,
  MKLDNN: 2,
  OPENGL: 3,
  OPENCL: 4,
  IDEEP: 5,
  HIP: 6,
  FPGA: 7,
  MAIA: 8,
  XLA: 9,
  Vulkan: 10,
  Metal: 11,
  XPU: 12,
  MPS: 13,
  Meta: 14,
  HPU: 15,
  VE: 16,
  Lazy: 17,
  IPU: 18,
  MTIA: 19,
  PrivateUse1: 20,
} as const;
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType];

export const COMPILE_TIME_MAX_DEVICE_TYPES = 21;

export const kCPU = DeviceType.CPU;
export const kCUDA = DeviceType.CUDA;
export const kMeta = DeviceType.Meta;
export const kPrivateUse1 = DeviceType.PrivateUse1;

/** Names by value. PrivateUse1 is known by the name it was given. */
const names: readonly string[] = Object.keys(DeviceType);

let privateuse1_backend_name = "";

export function DeviceTypeName(d: DeviceType, lower_case = false): string {
  if (d === DeviceType.PrivateUse1) return get_privateuse1_backend(lower_case);
  const name = names[d];
  if (name === undefined) throw new RuntimeError(`Unknown device: ${d}`);
  return lower_case ? name.toLowerCase() : name;
}

/** `operator<<`: the lower-case name, as in `torch.device("cpu")`. */
export function toString(d: DeviceType): string {
  return DeviceTypeName(d, true);
}

export function isValidDeviceType(d: number): d is DeviceType {
  return d >= 0 && d < COMPILE_TIME_MAX_DEVICE_TYPES;
}

/** `torch.utils.rename_privateuse1_backend`. The name can be set only once. */
export function register_privateuse1_backend(backend_name: string): void {
  TORCH_CHECK(
    privateuse1_backend_name === "" || privateuse1_backend_name === backend_name.toLowerCase(),
    "torch.register_privateuse1_backend() has already been set! Current backend: ",
    privateuse1_backend_name,
  );
  privateuse1_backend_name = backend_name.toLowerCase();
}

export function get_privateuse1_backend(lower_case = true): string {
  const name = privateuse1_backend_name || "privateuseone";
  return lower_case ? name : name.toUpperCase();
}

export function is_privateuse1_backend_registered(): boolean {
  return privateuse1_backend_name !== "";
}
