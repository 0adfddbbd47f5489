/**
 * @file The fallback of BackendSelect. Every call's key set contains this key, for factory functions; every other
 * operator skips it.
 * @mirrors aten/src/ATen/core/BackendSelectFallbackKernel.cpp
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "./library.ts";

TORCH_LIBRARY_IMPL("_", "BackendSelect", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});
