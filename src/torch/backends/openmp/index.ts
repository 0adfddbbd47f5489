/**
 * @file `torch.backends.openmp`: whether threads come from OpenMP.
 * @mirrors torch/backends/openmp/__init__.py
 * @differs Kernels run on workers of JavaScript: always false.
 */
import { def } from "#torch/_signature";

/** Whether the library was built for OpenMP: never. */
export const is_available = def("is_available()", (): boolean => false);
