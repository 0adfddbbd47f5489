/**
 * @file The levels of function transforms, as the front end sees them: `torch._C._functorch`.
 * @mirrors torch/csrc/functorch/init.cpp
 */
export * from "../csrc-equivalent/functorch/init.ts";
