/**
 * @file The device of tensors that are made without one.
 * @mirrors torch/__init__.py#set_default_device
 */
import { THPDevice_pynew } from "./_C.ts";
import { def } from "./_signature.ts";
import { torch } from "./_torch.ts";
import { _get_current_function_mode_stack } from "./overrides.ts";
import type { DeviceLike, device } from "./types.ts";
import { DeviceContext } from "./utils/_device.ts";

let device_context: DeviceContext | null = null;

/** From now on `torch.ones(2)` and its kin make tensors on `device`; null: on the CPU. Every call of `torch` costs a little more then. */
export const set_default_device = def("set_default_device(device)", (device: DeviceLike | null): void => {
  device_context?.__exit__();
  device_context = device === null ? null : new DeviceContext(device).__enter__();
});

/** Where `torch.ones(2)` would lie. */
export const get_default_device = def("get_default_device()", (): device => {
  const mode = _get_current_function_mode_stack().findLast((mode) => mode instanceof DeviceContext);
  const device = (mode as DeviceContext | undefined)?.device ?? device_context?.device;
  if (device === undefined) return THPDevice_pynew("cpu");
  return device.index === null ? torch.tensor([]).device : device;
});
