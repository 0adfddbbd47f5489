/**
 * @file `torch.backends.cuda`: whether CUDA exists, and which attention kernels are allowed on any device.
 * @mirrors torch/backends/cuda/__init__.py
 * @differs Ours has no switches for CUDA's own libraries; PyTorch has.
 */
import { _C } from "../../_C.ts";
import { def } from "../../_signature.ts";

/** Whether the library was built with CUDA: always false. */
export const is_built = def("is_built()", (): boolean => false);

/** Whether `scaled_dot_product_attention` may use flash attention. */
export const flash_sdp_enabled = def("flash_sdp_enabled()", (): boolean => _C._get_flash_sdp_enabled());

/** Allows or forbids flash attention in `scaled_dot_product_attention`. */
export const enable_flash_sdp = def("enable_flash_sdp(enabled)", (enabled: boolean): void =>
  _C._set_sdp_use_flash(enabled),
);

/** Whether `scaled_dot_product_attention` may use memory-efficient attention. */
export const mem_efficient_sdp_enabled = def("mem_efficient_sdp_enabled()", (): boolean =>
  _C._get_mem_efficient_sdp_enabled(),
);

/** Allows or forbids memory-efficient attention in `scaled_dot_product_attention`. */
export const enable_mem_efficient_sdp = def("enable_mem_efficient_sdp(enabled)", (enabled: boolean): void =>
  _C._set_sdp_use_mem_efficient(enabled),
);

/** Whether `scaled_dot_product_attention` may use attention composed of other operators. */
export const math_sdp_enabled = def("math_sdp_enabled()", (): boolean => _C._get_math_sdp_enabled());

/** Allows or forbids attention composed of other operators in `scaled_dot_product_attention`. */
export const enable_math_sdp = def("enable_math_sdp(enabled)", (enabled: boolean): void =>
  _C._set_sdp_use_math(enabled),
);

/** Whether `scaled_dot_product_attention` may use cuDNN's attention. */
export const cudnn_sdp_enabled = def("cudnn_sdp_enabled()", (): boolean => _C._get_cudnn_sdp_enabled());

/** Allows or forbids cuDNN's attention in `scaled_dot_product_attention`. */
export const enable_cudnn_sdp = def("enable_cudnn_sdp(enabled)", (enabled: boolean): void =>
  _C._set_sdp_use_cudnn(enabled),
);
