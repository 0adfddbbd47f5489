/**
 * @file The module of a device type, for example `torch.foo`, registered by a backend outside this library.
 * @mirrors torch/__init__.py#_register_device_module
 */
import { RuntimeError } from "#c10/util/Exception";
import { _C, py_format, THPDevice_Check, THPDevice_pynew } from "./_C.ts";
import { def } from "./_signature.ts";
import { torch } from "./_torch.ts";
import type { DeviceLike } from "./types.ts";

/** The members of a backend's module, mostly functions with the names of `torch.cuda`. */
export type DeviceModule = Readonly<Record<string, unknown>>;

const modules = torch as unknown as Record<string, DeviceModule | undefined>;

/** The module `torch.foo`, if it exists. */
export function device_module(name: string): DeviceModule | null {
  return (Object.hasOwn(modules, name) ? modules[name] : undefined) ?? null;
}

/** A member of a device's module, if it has it. Reading it without asking raises for names of PyTorch that are not built. */
export function member_of(module: DeviceModule | null, name: string): unknown {
  return module !== null && name in module ? module[name] : undefined;
}

/** Registers `module` as `torch.foo` for the device type `foo`; if it has `_lazy_init`, this is called at the first use of the device. */
export const _register_device_module = def(
  "_register_device_module(device_type, module: object)",
  (device_type: string, module: DeviceModule): void => {
    const { type, device } = THPDevice_pynew(device_type);
    if (Object.hasOwn(modules, type))
      throw new RuntimeError(
        `The runtime module of '${type}' has already been registered with '<module 'torch.${type}'>'`,
      );
    modules[type] = module;
    const { _lazy_init } = module as { _lazy_init?: () => void };
    if (_lazy_init !== undefined) _C._set_requires_device_init(device.type(), _lazy_init);
  },
);

/** The module of a device; without an argument, of the accelerator, or of the CPU if there is no accelerator. */
export const get_device_module = def("get_device_module(device=None)", (device: DeviceLike | null): DeviceModule => {
  if (device !== null && typeof device !== "string" && !THPDevice_Check(device))
    throw new RuntimeError(`Invalid value of device '${py_format(device)}', expect torch.device, str, or None`);
  const { type } = device === null ? _C._get_accelerator() : THPDevice_pynew(device);
  const module = device_module(type);
  if (module === null)
    throw new RuntimeError(`Device '${type}' does not have a corresponding module registered as 'torch.${type}'.`);
  return module;
});
