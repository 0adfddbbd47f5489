/**
 * @file Inside vmap every operator but the random ones skips this key.
 * @mirrors aten/src/ATen/functorch/VmapModeRegistrations.cpp
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";

TORCH_LIBRARY_IMPL("_", "FuncTorchVmapMode", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});
