/**
 * @file `torch._lazy.ts_backend`
 * @mirrors torch/_lazy/ts_backend.py
 */
import { def } from "#torch/_signature";
import { _lazy_ts_backend } from "./_C_lazy.ts";

/** Makes TorchScript the backend of lazy tensors. Without it there is no device `lazy`. */
export const init = def("init()", () => _lazy_ts_backend._init());
