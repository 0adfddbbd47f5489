/**
 * @file What wrappers of a device's kernels say around the call: all tensors are on one device, and it is the current one meanwhile.
 * @mirrors torchgen/dest/register_dispatch_key.py#gen_device_check
 */
import * as cpp from "../api/cpp.ts";
import type { BackendIndex, NativeFunction } from "../model.ts";
import { is_tensor_like } from "../types.ts";

/** Files that define what these texts call. */
export const GUARD_SOURCES: Readonly<Record<string, string>> = {
  check_and_update_common_device: "src/aten/core/op_registration/adaption.ts",
  DeviceGuard: "src/c10/core/DeviceGuard.ts",
  OptionalDeviceGuard: "src/c10/core/DeviceGuard.ts",
  device_of: "src/c10/core/DeviceGuard.ts",
  device_or_default: "src/c10/core/TensorOptions.ts",
};

/** Statements that refuse tensors of different devices; none where the operator takes them, or the backend has one device only. */
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

/** `new DeviceGuard(...)` for what an unstructured kernel's wrapper opens; null where it opens none. */
export function gen_device_guard(f: NativeFunction, index: BackendIndex): string | null {
  if (!index.traits.device_guard || !f.device_guard) return null;
  const { self_arg, out, flat_positional, tensor_options } = f.func.arguments;
  // Who makes a tensor is told where.
  if (tensor_options !== null) return "new DeviceGuard(device_or_default(device))";
  const candidates = [...(self_arg === null ? [] : [self_arg]), ...out, ...flat_positional];
  const device_of = candidates.find((a) => is_tensor_like(a.type));
  return device_of === undefined ? null : `new OptionalDeviceGuard(device_of(${cpp.argument_name(device_of)}))`;
}

/** `body` under the guard, or as it is. */
export function guarded(guard: string | null, body: readonly string[]): string[] {
  if (guard === null) return [...body];
  return [
    `const device_guard = ${guard};`,
    "try {",
    ...body.map((line) => `  ${line}`),
    "} finally { device_guard.restore(); }",
  ];
}
