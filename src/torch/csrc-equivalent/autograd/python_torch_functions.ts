/**
 * @file `torch._C._VariableFunctions`, the object that holds the functions of `torch`.
 * @mirrors torch/csrc/autograd/python_torch_functions.h
 */

/** Filled by `initTorchFunctions`; code that overrides functions receives them from here. */
export const THPVariableFunctionsModule: Record<string, unknown> = {};
