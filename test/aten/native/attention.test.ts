/** Attention: worked cases, laws, gradients, refusals. Values beyond these: test/opinfo, test/torch/nn/recorded_modules.test.ts. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const F = torch.nn.functional as Any;
const f64 = (...size: number[]): Any => torch.randn(size, { dtype: torch.float64 });
const grad = (t: Any): Any => t.requires_grad_(true);
const qkv = (L: number, S: number, heads = 2): Any[] => [f64(2, heads, L, 4), f64(2, 2, S, 4), f64(2, 2, S, 4)];

test("a query that fits no key looks at all values alike", () => {
  const out = F.scaled_dot_product_attention(
    torch.zeros(1, 1, 1, 2),
    torch.ones(1, 1, 2, 2),
    torch
      .tensor([
        [1.5, 2],
        [3.5, 4],
      ])
      .view(1, 1, 2, 2),
  );
  expect(out.tolist()).toEqual([[[[2.5, 3]]]]);
});

test("the kernel is chosen as PyTorch does", () => {
  const [q, k, v] = qkv(5, 6);
  const choice = (...args: Any[]): number => (torch as Any)._fused_sdp_choice(...args);
  expect(choice(q, k, v)).toBe(1);
  expect(choice(q, k, v, { dropout_p: 0.5 })).toBe(0);
  expect(choice(q.select(0, 0), k.select(0, 0), v.select(0, 0))).toBe(0);
  expect(choice(q, k, v, grad(f64(5, 6)))).toBe(0);
  expect(choice(q, k, v, f64(2, 5, 6))).toBe(0);
  expect(choice(q.transpose(2, 3).contiguous().transpose(2, 3), k, v)).toBe(0);
});

describe("both kernels", () => {
  const never = torch
    .tensor([
      [true, false],
      [false, false],
    ])
    .repeat(1, 3);
  const cases: [string, Any[], Any][] = [
    ["more keys than a block has", qkv(40, 600), {}],
    ["causal", qkv(6, 4), { is_causal: true }],
    ["causal, more than one block", qkv(70, 70), { is_causal: true, scale: 0.3 }],
    ["several heads of queries to one of keys", qkv(3, 6, 4), { enable_gqa: true }],
    ["a mask for all", qkv(5, 6), { attn_mask: f64(5, 6) }],
    ["a mask of keys", qkv(5, 6), { attn_mask: f64(1, 6) }],
    ["a mask of each", qkv(5, 6), { attn_mask: f64(2, 2, 5, 6) }],
    ["a row that looks nowhere", qkv(2, 6), { attn_mask: never }],
  ];
  test.each(cases)("agree, with their gradients: %s", (_, inputs, kwargs) => {
    const run = (f: Any, options: Any): Any[] => {
      const leaves = inputs.map((t) => grad(t.detach()));
      const out = f(...leaves, options);
      const y = Array.isArray(out) ? out[0] : out;
      return [y, ...(torch.autograd.grad(y, leaves, y.detach().add(1)) as Any[])];
    };
    const mask = kwargs.attn_mask;
    const additive =
      mask?.dtype === torch.bool
        ? torch.zeros(mask.shape, { dtype: torch.float64 }).masked_fill(mask.logical_not(), -Infinity)
        : mask;
    const math = run((torch as Any)._scaled_dot_product_attention_math, {
      ...kwargs,
      ...(mask ? { attn_mask: additive } : {}),
    });
    const fused = run(F.scaled_dot_product_attention, kwargs);
    expect(fused[0].grad_fn.name()).toBe("ScaledDotProductFlashAttentionForCpuBackward0");
    for (const [i, t] of fused.entries()) expect(torch.allclose(t, math[i])).toBe(true);
  });
});

test("gradients agree with finite differences", () => {
  const inputs = [f64(1, 2, 3, 2), f64(1, 2, 4, 2), f64(1, 2, 4, 2)].map(grad);
  expect(torch.autograd.gradcheck(F.scaled_dot_product_attention, inputs)).toBe(true);
});

test("of nothing there are zeros, which depend on all", () => {
  const [q, k, v] = [grad(torch.randn(2, 5, 4)), grad(torch.randn(2, 0, 4)), grad(torch.randn(2, 0, 3))];
  const out = F.scaled_dot_product_attention(q, k, v);
  expect([[...out.shape], out.abs().sum().item()]).toEqual([[2, 5, 3], 0]);
  expect((torch.autograd.grad(out.sum(), [q]) as Any)[0].abs().sum().item()).toBe(0);
});

test("refusals are PyTorch's", () => {
  const [q, k, v] = qkv(5, 6);
  const sdpa = F.scaled_dot_product_attention;
  expect(() => sdpa(q, k.float(), v)).toThrow(
    "Expected query, key, and value to have the same dtype, but got query.dtype: double key.dtype: float and value.dtype: double instead.",
  );
  expect(() => sdpa(q.reshape(-1), k, v)).toThrow(
    "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: 1 key.dim: 4 and value.dim: 4 instead.",
  );
  expect(() => sdpa(q, k, v, f64(5, 6).half())).toThrow(
    "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: c10::Half and  query.dtype: double instead.",
  );
  expect(() => sdpa(f64(2, 3, 5, 4), k, v, { enable_gqa: true })).toThrow(
    "Number of heads in key and value must divide the number of heads in ",
  );
  const flash = (...args: Any[]): Any => (torch.ops.aten as Any)._scaled_dot_product_flash_attention_for_cpu(...args);
  expect(() => flash(q, k, v, 0.1)).toThrow("Currently do not support dropout > 0");
  expect(() => flash(q, k, v.narrow(3, 0, 2))).toThrow("Q/K/V should have the same head size");
});
