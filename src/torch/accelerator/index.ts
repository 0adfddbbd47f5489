/**
 * @file `torch.accelerator`: the device besides the CPU, under a name that does not depend on its type.
 * @mirrors torch/accelerator/__init__.py
 * @differs Ours has no graphs; PyTorch has.
 */
import { warn } from "#c10/util/Exception";
import { _C, AbstractContextManager, type THPDtype, type THPStream } from "#torch/_C";
import { get_device_module } from "#torch/_device_module";
import { def } from "#torch/_signature";
import type { device } from "#torch/types";
import { def_context } from "#torch/utils/_contextlib";
import { _get_device_index, type Device } from "./_utils.ts";

export * from "./memory.ts";

/** The number of accelerator devices; 0 if there is none. */
export const device_count = def("device_count()", (): number => {
  const acc = _C._accelerator_getAccelerator();
  return acc === null ? 0 : (get_device_module(acc)["device_count"] as () => number)();
});

/** Whether there is an accelerator that can be used now. */
export const is_available = def("is_available()", (): boolean => {
  const acc = _C._accelerator_getAccelerator();
  return acc !== null && (get_device_module(acc)["is_available"] as () => boolean)();
});

/** The device of the accelerator, without an index; null if there is none or, with `check_available`, if it cannot be used. */
export const current_accelerator = def(
  "current_accelerator(check_available=False)",
  (check_available: boolean): device | null => {
    const acc = _C._accelerator_getAccelerator();
    return acc !== null && (!check_available || is_available()) ? acc : null;
  },
);

/** The index of the device on which tensors without a device index are created. */
export const current_device_index = def("current_device_index()", (): number => _C._accelerator_getDeviceIndex());

/** Sets the device on which tensors without a device index are created; a negative index changes nothing. */
export const set_device_index = def("set_device_index(device, /)", (device: Device): void =>
  _C._accelerator_setDeviceIndex(_get_device_index(device, false)),
);

/** The capabilities of the device: `supported_dtypes`. */
export const get_device_capability = def(
  "get_device_capability(device=None, /)",
  (device: Device): Map<string, Set<THPDtype>> => _C._accelerator_getDeviceCapability(_get_device_index(device, true)),
);

/** The stream that receives work for the device. */
export const current_stream = def(
  "current_stream(device=None, /)",
  (device: Device): THPStream => _C._accelerator_getStream(_get_device_index(device, true)),
);

/** Makes a stream the current one of its device, and that device the current device. */
export const set_stream = def("set_stream(stream)", (stream: THPStream): void => _C._accelerator_setStream(stream));

/** Waits until all streams of the device have finished. */
export const synchronize = def("synchronize(device=None, /)", (device: Device): void =>
  _C._accelerator_synchronizeDevice(_get_device_index(device, true)),
);

/**
 * Makes the device with this index current inside the context; null changes nothing.
 * @example torch.accelerator.device_index(1, () => torch.zeros([2], { device: "openreg" }));
 */
export const device_index = def_context(
  "device_index.__init__(self, device, /)",
  class device_index extends AbstractContextManager {
    private readonly idx: number | null;
    private prev_idx = -1;

    constructor(device: number | null) {
      super();
      this.idx = device;
    }

    override __enter__(): void {
      if (this.idx !== null) this.prev_idx = _C._accelerator_exchangeDevice(this.idx);
    }

    override __exit__(): void {
      if (this.idx !== null) _C._accelerator_maybeExchangeDevice(this.prev_idx);
    }
  },
);

/** @deprecated `current_device_index` */
export const current_device_idx = def("current_device_idx()", (): number => {
  warn("FutureWarning", "Use `current_device_index` instead.");
  return current_device_index();
});

/** @deprecated `set_device_index` */
export const set_device_idx = def("set_device_idx(device, /)", (device: Device): void => {
  warn("FutureWarning", "Use `set_device_index` instead.");
  set_device_index(device);
});
