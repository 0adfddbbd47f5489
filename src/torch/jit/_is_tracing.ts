/**
 * @file `torch.jit.is_tracing`, which the core answers too.
 * @mirrors torch/jit/_trace.py#is_tracing
 */
import { def } from "#torch/_signature";
import { recorder } from "../_C.ts";
import { is_scripting } from "../_jit_internal.ts";

/** Whether a program is being traced. */
export const is_tracing = def("is_tracing()", (): boolean => !is_scripting() && recorder !== null);
