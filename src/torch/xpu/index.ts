/**
 * @file `torch.xpu` without an XPU.
 * @mirrors torch/xpu/__init__.py
 * @differs Ours has no functions that only an XPU could answer; PyTorch has them.
 */
import { DeviceType } from "#c10/core/DeviceType";
import { AssertionError } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { type NotBuilt, raising } from "#torch/_not_built";
import { def } from "#torch/_signature";
import type { Seed } from "#torch/random";

const no_xpu = (): AssertionError => new AssertionError("Torch not compiled with XPU enabled");

export function _lazy_init(): never {
  throw no_xpu();
}

_C._set_requires_device_init(DeviceType.XPU, _lazy_init);

function needs_xpu(text: string): NotBuilt {
  return raising(text, no_xpu);
}

const nothing = (_seed: Seed): void => {};

/** Whether an XPU is available: always false. */
export const is_available = def("is_available()", (): boolean => false);
/** Whether XPU was initialized: always false. */
export const is_initialized = def("is_initialized()", (): boolean => false);
/** The number of XPUs: 0. */
export const device_count = def("device_count()", (): number => 0);
/** @throws {AssertionError} "Torch not compiled with XPU enabled" */
export const init = needs_xpu("init()");
export const current_device = needs_xpu("current_device()");
export const synchronize = needs_xpu("synchronize(device=None)");
export const get_device_name = needs_xpu("get_device_name(device=None)");
export const get_device_properties = needs_xpu("get_device_properties(device=None)");
/** Returns cached memory to the device; there is none. */
export const empty_cache = def("empty_cache()", (): void => {});
/** Bytes of tensors on the device: 0. */
export const memory_allocated = def("memory_allocated(device=None)", (): number => 0);
/** Does nothing: programs may seed devices that do not exist. */
export const manual_seed = def("manual_seed(seed)", nothing);
/** Does nothing, like `manual_seed`, for all devices. */
export const manual_seed_all = def("manual_seed_all(seed)", nothing);
