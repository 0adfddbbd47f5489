/**
 * @file `torch.profiler`.
 * @mirrors torch/profiler/__init__.py
 */
export { record_function } from "../autograd/profiler.ts";
export { ProfilerActivity, profile } from "./profiler.ts";
