/**
 * @file The entry point of the extension module.
 * @mirrors torch/csrc/stub.c
 */
import { traceCall, tracer } from "#c10/util/Trace";
import { initModule, type Module } from "./Module.ts";

export function PyInit__C(): Module {
  if (tracer !== null) return traceCall("init", "PyInit__C", initModule, []);
  return initModule();
}
