/**
 * @file The default device of new tensors.
 * @mirrors torch/__init__.py#set_default_device
 */
import { THPDevice_pynew } from "./_C.ts";
import { def } from "./_signature.ts";
import { torch } from "./_torch.ts";
import { _get_current_function_mode_stack } from "./overrides.ts";
import type { DeviceLike, device } from "./types.ts";
import { DeviceContext } from "./utils/_device.ts";

let device_context: DeviceContext | null = null;

/**
 * Sets the device on which `torch.ones(2)` and similar functions create tensors; null: the CPU. A default device makes every call of
 * `torch` a little slower.
 */
export const set_default_device = def("set_default_device(device)", (device: DeviceLike | null): void => {
  device_context?.__exit__();
  device_context = device === null ? null : new DeviceContext(device).__enter__();
});

/** The device on which `torch.ones(2)` would be created. */
export const get_default_device = def("get_default_device()", (): device => {
  const mode = _get_current_function_mode_stack().findLast((mode) => mode instanceof DeviceContext);
  const device = (mode as DeviceContext | undefined)?.device ?? device_context?.device;
  if (device === undefined) return THPDevice_pynew("cpu");
  return device.index === null ? torch.tensor([]).device : device;
});
