/**
 * @file Registrations for the inside of vmap: every operator except the random ones skips this key.
 * @mirrors aten/src/ATen/functorch/VmapModeRegistrations.cpp
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";

TORCH_LIBRARY_IMPL("_", "FuncTorchVmapMode", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});
