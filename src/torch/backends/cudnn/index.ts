/**
 * @file `torch.backends.cudnn`: switches that normalization and convolution hand on to their operators.
 * @mirrors torch/backends/cudnn/__init__.py
 * @differs There is no cuDNN here: none changes a result. The switches of single operators' precision are left out.
 */
import { _C } from "../../_C.ts";
import { def } from "../../_signature.ts";

export const cudnn = {
  get enabled(): boolean {
    return _C._get_cudnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_cudnn_enabled(enabled);
  },
  get deterministic(): boolean {
    return _C._get_cudnn_deterministic();
  },
  set deterministic(deterministic: boolean) {
    _C._set_cudnn_deterministic(deterministic);
  },
  get benchmark(): boolean {
    return _C._get_cudnn_benchmark();
  },
  set benchmark(benchmark: boolean) {
    _C._set_cudnn_benchmark(benchmark);
  },
  get allow_tf32(): boolean {
    return _C._get_cudnn_allow_tf32();
  },
  set allow_tf32(allow: boolean) {
    _C._set_cudnn_allow_tf32(allow);
  },
  /** Whether there is a cuDNN: never. */
  is_available: def("is_available()", (): boolean => false),
  version: def("version()", (): null => null),
};
