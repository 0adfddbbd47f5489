/**
 * @file Lazy tensors of the engine, as the front end sees them.
 * @mirrors torch/csrc/lazy/python/init.cpp
 */

export { reachable } from "../csrc-equivalent/lazy/core/live_tensors.ts";
export { LazyTensor } from "../csrc-equivalent/lazy/core/tensor.ts";
export * from "../csrc-equivalent/lazy/python/init.ts";
