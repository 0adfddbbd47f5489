/**
 * @file `torch.backends.cuda`: whether there is CUDA.
 * @mirrors torch/backends/cuda/__init__.py
 * @differs The switches of its libraries are left out.
 */
import { def } from "../../_signature.ts";

/** Whether the library was built for CUDA: never. */
export const is_built = def("is_built()", (): boolean => false);
