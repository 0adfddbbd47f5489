/**
 * @file Fallback to the CPU for operators without a kernel on the device. It warns once.
 * @mirrors aten/src/ATen/native/CPUFallback.h
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { cpu_fallback, warn_of_cpu_fallback } from "#aten/native/CPUFallback";

const webgpu_fallback: BoxedKernelFunction = (op, _ks, stack) => {
  warn_of_cpu_fallback(op);
  cpu_fallback(op, stack);
};

TORCH_LIBRARY_IMPL("_", "PrivateUse1", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(webgpu_fallback, "webgpu_fallback"));
});
