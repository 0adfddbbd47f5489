/**
 * @file `torch.backends.cpu`: what the kernels of the CPU are written for.
 * @mirrors torch/backends/cpu/__init__.py
 */
import { _C } from "../../_C.ts";
import { def } from "../../_signature.ts";

/**
 * The capability whose kernels are called: `DEFAULT` (JavaScript), `SIMD128`, or `RELAXED_SIMD`, which fuses multiply-add. The environment
 * variable ATEN_CPU_CAPABILITY may ask for less than the machine has.
 * @differs PyTorch's are of processors: DEFAULT, AVX2, AVX512, and others.
 * @example torch.backends.cpu.get_cpu_capability();
 */
export const get_cpu_capability = def("get_cpu_capability()", (): string => _C._get_cpu_capability());
