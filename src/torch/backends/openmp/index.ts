/**
 * @file `torch.backends.openmp`: whether OpenMP is available.
 * @mirrors torch/backends/openmp/__init__.py
 * @differs Ours runs kernels on JavaScript workers, so it is always false; PyTorch is usually built with OpenMP.
 */
import { def } from "#torch/_signature";

/** Whether the library was built with OpenMP: always false. */
export const is_available = def("is_available()", (): boolean => false);
