/**
 * @file The first use of CUDA, which fails: of a tensor's `cuda()`, of `device="cuda"`, of a function that needs a card.
 * @mirrors torch/cuda/__init__.py#_lazy_init
 */
import { DeviceType } from "#c10/core/DeviceType";
import { AssertionError } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { type NotBuilt, raising } from "#torch/_not_built";

const no_cuda = (): AssertionError => new AssertionError("Torch not compiled with CUDA enabled");

export function _lazy_init(): never {
  throw no_cuda();
}

_C._set_requires_device_init(DeviceType.CUDA, _lazy_init);

/** A function of the Python signature `text` that cannot do without a card. */
export function needs_cuda(text: string): NotBuilt {
  return raising(text, no_cuda);
}
