/**
 * @file Autocast keys: excluded for every thread until autocast is on; an operator without a cast rule skips them.
 * @mirrors aten/src/ATen/autocast_mode.cpp
 * @differs No cast rules are built: PyTorch registers about a hundred per device (matmuls to half, losses to float).
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "./core/library.ts";

// AutocastHPU, IPU, XLA and PrivateUse1 have no fallback here: their backends bring their own.
for (const key of ["AutocastCUDA", "AutocastMPS", "AutocastCPU", "AutocastMTIA", "AutocastMAIA", "AutocastXPU"] as const) {
  TORCH_LIBRARY_IMPL("_", key, (m) => m.fallback(CppFunction.makeFallthrough()));
}
