/**
 * @file `torch.backends.mps`: whether there is Metal.
 * @mirrors torch/backends/mps/__init__.py
 */
import { def } from "../../_signature.ts";

/** Whether the library was built for Metal: never. */
export const is_built = def("is_built()", (): boolean => false);
/** Whether it can be used: never. */
export const is_available = def("is_available()", (): boolean => false);
