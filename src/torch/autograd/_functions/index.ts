/**
 * @file `torch.autograd._functions`: functions that the front end itself is written with.
 * @mirrors torch/autograd/_functions/__init__.py
 */
export { Resize } from "./tensor.ts";
