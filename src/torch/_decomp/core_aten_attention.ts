/**
 * @file The fused attention of the CPU as the operators of which attention consists.
 * @mirrors torch/_decomp/decompositions.py#scaled_dot_product_flash_attention_for_cpu
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { type OpOverload, ops } from "#torch/_ops";
import type { Tensor } from "#torch/_tensor/index";
import { aten, contiguous, type Keywords, register } from "./core_aten_registry.ts";

register(
  "_scaled_dot_product_flash_attention_for_cpu",
  (query: Tensor, key: Tensor, value: Tensor, ...rest: unknown[]): [Tensor, Tensor] => {
    const last = rest.at(-1);
    const { attn_mask = null, scale = null } = (
      typeof last === "object" && last !== null ? rest.pop() : {}
    ) as Keywords;
    const [dropout_p = 0, is_causal = false] = rest;
    const dims = [query, key, value].map((t) => t.dim());
    TORCH_CHECK(query.is_floating_point(), `query must be FP32, FP64, BF16, FP16 but got ${query.dtype}`);
    TORCH_CHECK(
      dims.every((dim) => dim === 4),
      `q, k, v must be a 4 dimensional tensor, got ${dims.join(", ")}`,
    );
    TORCH_CHECK(dropout_p === 0, `dropout probability must be zero, got ${dropout_p}`);
    TORCH_CHECK(
      query.size(3) === value.size(3) && key.size(3) === value.size(3),
      "q, k, v should have the same head size",
    );
    const math = ops.aten._scaled_dot_product_attention_math.default as OpOverload;
    const enable_gqa = query.size(1) !== key.size(1);
    const [output, attention] = math(query, key, value, attn_mask, 0, is_causal, null, {
      scale,
      enable_gqa,
    }) as unknown as [Tensor, Tensor];
    // The fused operator's result is (N, H, L, E) over memory in the order (L, N, H, E): views of it must stay possible.
    const in_memory = contiguous(aten("permute", output, [2, 0, 1, 3]));
    return [aten("permute", in_memory, [1, 2, 0, 3]), attention];
  },
);
