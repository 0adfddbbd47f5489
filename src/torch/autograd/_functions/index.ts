/**
 * @file `torch.autograd._functions`: autograd functions that the front end itself uses.
 * @mirrors torch/autograd/_functions/__init__.py
 */
export { Resize } from "./tensor.ts";
