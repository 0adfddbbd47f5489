/**
 * @file `torch.profiler`.
 * @mirrors torch/profiler/__init__.py
 */
export { record_function } from "#torch/autograd/profiler";
export { ProfilerActivity, profile } from "./profiler.ts";
export { ProfilerAction, schedule } from "./schedule.ts";
