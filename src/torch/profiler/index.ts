/**
 * @file `torch.profiler`.
 * @mirrors torch/profiler/__init__.py
 */
export { record_function } from "../autograd/profiler.ts";
export { profile, ProfilerActivity } from "./profiler.ts";
