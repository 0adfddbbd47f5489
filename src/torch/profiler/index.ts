/**
 * @file The exports of `torch.profiler`.
 * @mirrors torch/profiler/__init__.py
 */
export { record_function } from "#torch/autograd/profiler";
export { ProfilerActivity, profile, supported_activities } from "./profiler.ts";
export { ProfilerAction, schedule } from "./schedule.ts";
export { tensorboard_trace_handler } from "./tensorboard.ts";
