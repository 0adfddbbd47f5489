/**
 * @file `torch.backends.cudnn`: switches that normalization and convolution hand on to their operators.
 * @mirrors torch/backends/cudnn/__init__.py
 * @differs There is no cuDNN here: none changes a result. The switches of single operators' precision are left out.
 */
import { _C } from "../../_C.ts";
import { def } from "../../_signature.ts";

export const cudnn = {
  /** Whether operators may ask it: true at first. */
  get enabled(): boolean {
    return _C._get_cudnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_cudnn_enabled(enabled);
  },
  /** Whether it must give the same bits each time. */
  get deterministic(): boolean {
    return _C._get_cudnn_deterministic();
  },
  set deterministic(deterministic: boolean) {
    _C._set_cudnn_deterministic(deterministic);
  },
  /** Whether it may try which of its algorithms is the quickest. */
  get benchmark(): boolean {
    return _C._get_cudnn_benchmark();
  },
  set benchmark(benchmark: boolean) {
    _C._set_cudnn_benchmark(benchmark);
  },
  /** Whether its convolutions may round to TF32. */
  get allow_tf32(): boolean {
    return _C._get_cudnn_allow_tf32();
  },
  set allow_tf32(allow: boolean) {
    _C._set_cudnn_allow_tf32(allow);
  },
  /** Whether there is a cuDNN: never. */
  is_available: def("is_available()", (): boolean => false),
  /** Of a library that is not there: null. */
  version: def("version()", (): null => null),
};
