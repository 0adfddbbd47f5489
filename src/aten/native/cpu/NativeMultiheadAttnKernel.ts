/**
 * @file Kernel that splits projected queries, keys and values by head.
 * @mirrors aten/src/ATen/native/cpu/NativeMultiheadAttnKernel.cpp
 */
import { AT_DISPATCH, cast, type data, load, type scalar_t, store } from "#aten/Dispatch";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { transform_bias_rescale_qkv_stub } from "#aten/native/transformers/native_multi_head_attention";
import { check_type } from "#aten/TensorMethods";
import { transform_bias_rescale_qkv_instances } from "./generated/NativeMultiheadAttnKernel.ts";

/**
 * [B, T, 3, heads, per_head] + [3, heads, per_head] -> [3, B, heads, T, per_head]; the first third (the queries) is
 * scaled.
 * @template transform_bias_rescale_qkv: floating types and halves
 */
export function transform_bias_rescale_qkv(
  out: data<scalar_t>,
  to: number,
  qkv: data<scalar_t>,
  from: number,
  bias: data<scalar_t>,
  b0: number,
  B: number,
  T: number,
  heads: number,
  per_head: number,
): void {
  const D = heads * per_head;
  const scale: scalar_t = cast<scalar_t>(1) / Math.sqrt(cast<scalar_t>(per_head));
  for (let part = 0; part < 3; part++) {
    for (let b = 0; b < B; b++) {
      for (let h = 0; h < heads; h++) {
        for (let t = 0; t < T; t++) {
          const x = from + ((b * T + t) * 3 + part) * D + h * per_head;
          const y = to + (((part * B + b) * heads + h) * T + t) * per_head;
          const plus = b0 + part * D + h * per_head;
          for (let d = 0; d < per_head; d++) {
            const v: scalar_t = load(qkv, x + d) + load(bias, plus + d);
            store(out, y + d, part === 0 ? v * scale : v);
          }
        }
      }
    }
  }
}

REGISTER_DEFAULT_DISPATCH(
  transform_bias_rescale_qkv_stub,
  (q_k_v, qkv, bias, { B, T, D, num_head }) => {
    const dtype = qkv.scalar_type();
    check_type(bias, dtype);
    // biome-ignore format: one operand group per line
    AT_DISPATCH(transform_bias_rescale_qkv_instances, dtype)(
      q_k_v.data_view(), q_k_v.data_offset(),
      qkv.data_view(), qkv.data_offset(),
      bias.data_view(), bias.data_offset(),
      B, T, num_head, D / num_head,
    );
  },
  "transform_bias_rescale_qkv_kernel_impl",
);
