/**
 * @file Device code around a kernel's call in its wrapper: it checks that all tensors are on one device, and makes that
 * device current.
 * @mirrors torchgen/dest/register_dispatch_key.py#gen_device_check
 */
import * as cpp from "../api/cpp.ts";
import type { BackendIndex, NativeFunction } from "../model.ts";
import { is_tensor_like } from "../types.ts";

/** Files that define the functions used in these texts. */
export const GUARD_SOURCES: Readonly<Record<string, string>> = {
  check_and_update_common_device: "src/aten/core/op_registration/adaption.ts",
  DeviceGuard: "src/c10/core/DeviceGuard.ts",
  OptionalDeviceGuard: "src/c10/core/DeviceGuard.ts",
  device_of: "src/c10/core/DeviceGuard.ts",
  device_or_default: "src/c10/core/TensorOptions.ts",
};

/**
 * Statements that throw for tensors on different devices; empty if the operator allows them, or the backend has only one device.
 */
export function gen_device_check(f: NativeFunction, index: BackendIndex, wrapper: string): string[] {
  const device_check = index.get_kernel(f)?.device_check ?? f.device_check;
  if (!index.traits.device_guard || device_check === "NoCheck") return [];
  const args = [...f.func.arguments.out, ...f.func.arguments.flat_positional].filter((a) => is_tensor_like(a.type));
  return args.map((a, i) => {
    const name = cpp.argument_name(a);
    const common = i === 0 ? "let common_device" : "common_device";
    return `${common} = check_and_update_common_device(${i === 0 ? "null" : "common_device"}, ${name}, "${wrapper}", "${a.name}");`;
  });
}

/** `new DeviceGuard(...)` for the wrapper of an unstructured kernel; null if it needs none. */
export function gen_device_guard(f: NativeFunction, index: BackendIndex): string | null {
  if (!index.traits.device_guard || !f.device_guard) return null;
  const { self_arg, out, flat_positional, tensor_options } = f.func.arguments;
  // A factory's device is given by its options.
  if (tensor_options !== null) return "new DeviceGuard(device_or_default(device))";
  const candidates = [...(self_arg === null ? [] : [self_arg]), ...out, ...flat_positional];
  const device_of = candidates.find((a) => is_tensor_like(a.type));
  return device_of === undefined ? null : `new OptionalDeviceGuard(device_of(${cpp.argument_name(device_of)}))`;
}

/** `body` inside the guard, or unchanged without one. */
export function guarded(guard: string | null, body: readonly string[]): string[] {
  if (guard === null) return [...body];
  return [
    `const device_guard = ${guard};`,
    "try {",
    ...body.map((line) => `  ${line}`),
    "} finally { device_guard.restore(); }",
  ];
}
