/**
 * @file BackendSelect is in every call's key set, for factory functions; every other operator skips it.
 * @mirrors aten/src/ATen/core/BackendSelectFallbackKernel.cpp
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "./library.ts";

TORCH_LIBRARY_IMPL("_", "BackendSelect", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});
