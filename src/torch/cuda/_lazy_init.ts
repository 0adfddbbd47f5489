/**
 * @file The first use of CUDA, which fails: by a tensor's `cuda()`, by `device="cuda"`, or by a function that needs a CUDA device.
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

/** A function with the Python signature `text` that always raises, because it needs a CUDA device. */
export function needs_cuda(text: string): NotBuilt {
  return raising(text, no_cuda);
}
