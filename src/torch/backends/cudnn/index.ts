/**
 * @file `torch.backends.cudnn`: switches that normalization and convolution hand on to their operators.
 * @mirrors torch/backends/cudnn/__init__.py
 * @differs There is no cuDNN here: neither changes a result, and the other switches are left out.
 */
import { _C } from "../../_C.ts";

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
};
