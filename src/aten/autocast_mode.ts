/**
 * @file Autocast keys: excluded for every thread until autocast is on; an operator without a cast rule skips them.
 * @mirrors aten/src/ATen/autocast_mode.cpp
 * @differs No cast rules are built: PyTorch registers about a hundred per device (matmuls to half, losses to float).
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "./core/library.ts";

// AutocastHPU, IPU, XLA and PrivateUse1 have no fallback here: their backends bring their own.

TORCH_LIBRARY_IMPL("_", "AutocastCUDA", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

TORCH_LIBRARY_IMPL("_", "AutocastMPS", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

TORCH_LIBRARY_IMPL("_", "AutocastCPU", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

TORCH_LIBRARY_IMPL("_", "AutocastMTIA", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

TORCH_LIBRARY_IMPL("_", "AutocastMAIA", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

TORCH_LIBRARY_IMPL("_", "AutocastXPU", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});
