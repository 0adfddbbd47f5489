/**
 * @file `torch.backends.cpu`: the capability of the CPU kernels.
 * @mirrors torch/backends/cpu/__init__.py
 */
import { _C } from "../../_C.ts";
import { def } from "../../_signature.ts";

/**
 * The capability whose kernels are called: `DEFAULT` (JavaScript), `SIMD128`, or `RELAXED_SIMD`, which fuses multiply-add. The environment
 * variable ATEN_CPU_CAPABILITY can request a lower one than the machine supports.
 * @differs Ours are capabilities of WebAssembly; PyTorch's are of processors: DEFAULT, AVX2, AVX512, and others.
 * @example torch.backends.cpu.get_cpu_capability();
 */
export const get_cpu_capability = def("get_cpu_capability()", (): string => _C._get_cpu_capability());
