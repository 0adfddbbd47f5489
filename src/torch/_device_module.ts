/**
 * @file The module of a device type: `torch.foo`, which a backend outside of the library registers.
 * @mirrors torch/__init__.py#_register_device_module
 */
import { RuntimeError } from "#c10/util/Exception";
import { _C, py_format, THPDevice_Check, THPDevice_pynew } from "./_C.ts";
import { def } from "./_signature.ts";
import { torch } from "./_torch.ts";
import type { DeviceLike } from "./types.ts";

/** What a backend shows: functions, mostly those of `torch.cuda`. */
export type DeviceModule = Readonly<Record<string, unknown>>;

const modules = torch as unknown as Record<string, DeviceModule | undefined>;

/** `torch.foo`, if it is there. */
export function device_module(name: string): DeviceModule | null {
  return modules[name] ?? null;
}

/** From now on `module` is `torch.foo` for the device type `foo`; its `_lazy_init`, if it has one, is called at the device's first use. */
export const _register_device_module = def(
  "_register_device_module(device_type, module: object)",
  (device_type: string, module: DeviceModule): void => {
    const { type, device } = THPDevice_pynew(device_type);
    if (modules[type] !== undefined)
      throw new RuntimeError(
        `The runtime module of '${type}' has already been registered with '<module 'torch.${type}'>'`,
      );
    modules[type] = module;
    const { _lazy_init } = module as { _lazy_init?: () => void };
    if (_lazy_init !== undefined) _C._set_requires_device_init(device.type(), _lazy_init);
  },
);

/** The module of a device; without one of the accelerator, or of the CPU where there is none. */
export const get_device_module = def("get_device_module(device=None)", (device: DeviceLike | null): DeviceModule => {
  if (device !== null && typeof device !== "string" && !THPDevice_Check(device))
    throw new RuntimeError(`Invalid value of device '${py_format(device)}', expect torch.device, str, or None`);
  const { type } = device === null ? _C._get_accelerator() : THPDevice_pynew(device);
  const module = device_module(type);
  if (module === null)
    throw new RuntimeError(`Device '${type}' does not have a corresponding module registered as 'torch.${type}'.`);
  return module;
});
