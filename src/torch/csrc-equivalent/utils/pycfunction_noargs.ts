/**
 * @file Methods without arguments (`METH_NOARGS`) whose call needs more than `self.name()`.
 * @mirrors torch/csrc/utils/pycfunction_helpers.h
 */
import { traceCall, tracer } from "#c10/util/Trace";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { takes_no_arguments, unbound_self } from "./pycfunction_helpers.ts";

/** Finds `self`, throws for superfluous arguments, and reports the call to observers (Note [One road]). */
export function callSlow(name: string, fn: (self: TensorBase) => unknown, this_: unknown, args: unknown[]): unknown {
  const self = this_ instanceof TensorBase ? this_ : unbound_self(this_, args, name);
  if (args.length > 0) takes_no_arguments(args, name);
  return tracer !== null ? traceCall("binding", `torch::autograd::THPVariable_${name}`, fn, [self]) : fn(self);
}
