/**
 * @file `torch.xpu` where there is no XPU.
 * @mirrors torch/xpu/__init__.py
 * @differs What only a card would answer is left out.
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

/** Whether there is a card: never. */
export const is_available = def("is_available()", (): boolean => false);
/** Whether it was used: never. */
export const is_initialized = def("is_initialized()", (): boolean => false);
/** How many cards there are: none. */
export const device_count = def("device_count()", (): number => 0);
/** @throws {AssertionError} "Torch not compiled with XPU enabled" */
export const init = needs_xpu("init()");
export const current_device = needs_xpu("current_device()");
export const synchronize = needs_xpu("synchronize(device=None)");
export const get_device_name = needs_xpu("get_device_name(device=None)");
export const get_device_properties = needs_xpu("get_device_properties(device=None)");
/** Gives free memory back: there is none. */
export const empty_cache = def("empty_cache()", (): void => {});
/** Bytes that tensors hold on the card: 0. */
export const memory_allocated = def("memory_allocated(device=None)", (): number => 0);
/** Does nothing: programs seed cards that may not be there. */
export const manual_seed = def("manual_seed(seed)", nothing);
/** The same for all cards. */
export const manual_seed_all = def("manual_seed_all(seed)", nothing);
