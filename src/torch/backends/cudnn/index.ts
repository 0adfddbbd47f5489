/**
 * @file `torch.backends.cudnn`: the switch that normalization hands on to its operators.
 * @mirrors torch/backends/cudnn/__init__.py
 * @differs There is no cuDNN here: `enabled` changes no result, and the other switches are left out.
 */
import { _C } from "../../_C.ts";

export const cudnn = {
  get enabled(): boolean {
    return _C._get_cudnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_cudnn_enabled(enabled);
  },
};
