/**
 * @file `torch.backends.cudnn`: switches that normalization and convolution pass to their operators.
 * @mirrors torch/backends/cudnn/__init__.py
 * @differs Ours has no cuDNN, so no switch changes a result, and no switches for the precision of single operators; PyTorch has both.
 */
import { _C } from "../../_C.ts";
import { def } from "../../_signature.ts";

export const cudnn = {
  /** Whether operators may use cuDNN; true by default. */
  get enabled(): boolean {
    return _C._get_cudnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_cudnn_enabled(enabled);
  },
  /** Whether cuDNN must give identical bits in each run. */
  get deterministic(): boolean {
    return _C._get_cudnn_deterministic();
  },
  set deterministic(deterministic: boolean) {
    _C._set_cudnn_deterministic(deterministic);
  },
  /** Whether cuDNN may measure which of its algorithms is the fastest. */
  get benchmark(): boolean {
    return _C._get_cudnn_benchmark();
  },
  set benchmark(benchmark: boolean) {
    _C._set_cudnn_benchmark(benchmark);
  },
  /** Whether cuDNN's convolutions may round to TF32. */
  get allow_tf32(): boolean {
    return _C._get_cudnn_allow_tf32();
  },
  set allow_tf32(allow: boolean) {
    _C._set_cudnn_allow_tf32(allow);
  },
  /** Whether cuDNN is available: always false. */
  is_available: def("is_available()", (): boolean => false),
  /** The version of cuDNN: null, since it is not available. */
  version: def("version()", (): null => null),
};
