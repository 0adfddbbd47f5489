/**
 * @file `torch.backends.mps`: whether Metal is available.
 * @mirrors torch/backends/mps/__init__.py
 */
import { def } from "../../_signature.ts";

/** Whether the library was built with Metal: always false. */
export const is_built = def("is_built()", (): boolean => false);
/** Whether Metal can be used: always false. */
export const is_available = def("is_available()", (): boolean => false);
