/**
 * @file Questions about tracing.
 * @mirrors torch/jit/_trace.py
 */
import { def } from "#torch/_signature";

/** Whether the code is being traced: always false. */
export const is_tracing = def("is_tracing()", (): boolean => false);
