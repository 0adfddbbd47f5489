/** @file Attention with vectors against the same in double by matrix products and softmax, and which loop ran. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { tensors_in_heap } from "../../../../helpers/heap_stress.ts";

const { scaled_dot_product_attention } = torch.nn.functional;

interface Options {
  readonly attn_mask?: Tensor;
  readonly is_causal?: boolean;
  readonly scale?: number;
}

/** As its documentation says it, in double. */
function attention(q: Tensor, k: Tensor, v: Tensor, { attn_mask, is_causal, scale }: Options): Tensor {
  const [L, S, D] = [q.size(-2), k.size(-2), q.size(-1)];
  let scores = q
    .double()
    .matmul(k.double().transpose(-2, -1))
    .mul(scale ?? 1 / Math.sqrt(D));
  if (is_causal === true)
    scores = scores.masked_fill(torch.ones([L, S], { dtype: torch.bool }).tril().logical_not(), -Infinity);
  if (attn_mask !== undefined) scores = scores.add(attn_mask.double());
  return torch.softmax(scores, -1).nan_to_num(0).matmul(v.double());
}

/** 1 query and several, keys in more than one block, lengths that no vector fits. */
const SIZES = [
  [1, 16, 8],
  [7, 19, 3],
  [64, 64, 64],
  [33, 70, 16],
  [200, 700, 8],
] as const;

function inputs([L, S, D]: readonly [number, number, number], dtype = torch.float32): [Tensor, Tensor, Tensor] {
  torch.manual_seed(L + S);
  const random = (length: number): Tensor => torch.randn([2, 3, length, D], { dtype });
  return [random(L), random(S), random(S)];
}

const greatest = (t: Tensor): number => t.abs().max().item() as number;

describe.each([
  [torch.float32, 4e-6],
  [torch.float64, 1e-14],
] as const)("%s", (dtype, tolerance) => {
  test("any lengths; causal; masks of one row, of all rows, of each head", () => {
    for (const size of SIZES) {
      const [L, S] = size;
      const [q, k, v] = inputs(size, dtype);
      const masks = [
        [1, S],
        [L, S],
        [2, 1, L, S],
        [2, 3, L, S],
      ].map((shape) => torch.randn(shape, { dtype }));
      const options: Options[] = [
        {},
        { is_causal: true },
        { scale: 0.3 },
        ...masks.map((attn_mask) => ({ attn_mask })),
      ];
      for (const each of options) {
        const off = scaled_dot_product_attention(q, k, v, { ...each })
          .double()
          .sub(attention(q, k, v, each));
        expect(greatest(off), JSON.stringify([size, Object.keys(each)])).toBeLessThan(tolerance);
      }
    }
  });

  test("gradients: any lengths; causal; masks of one row, of all rows, of one column", () => {
    for (const size of SIZES) {
      const [L, S, D] = size;
      const given = inputs(size, dtype);
      const dy = torch.randn([2, 3, L, D], { dtype });
      const masks = [
        [1, S],
        [2, 1, L, S],
        [L, 1],
      ].map((shape) => torch.randn(shape, { dtype }));
      for (const each of [{}, { is_causal: true }, ...masks.map((attn_mask) => ({ attn_mask }))] as Options[]) {
        const gradients = (f: typeof attention): Tensor[] => {
          const leaves = given.map((t) => t.detach().requires_grad_(true)) as [Tensor, Tensor, Tensor];
          const y = f(...leaves, each);
          return torch.autograd.grad([y], leaves, [dy.to({ dtype: y.dtype })]) as Tensor[];
        };
        const exact = gradients(attention);
        const got = gradients((q, k, v, options) => scaled_dot_product_attention(q, k, v, { ...options }));
        for (const [k, t] of got.entries()) {
          const off = greatest(t.double().sub(exact[k].double())) / (1 + greatest(exact[k]));
          expect(off, JSON.stringify([size, Object.keys(each), k])).toBeLessThan(tolerance);
        }
      }
    }
  });

  test("what lies in strides of others", () => {
    const [q, k, v] = inputs([33, 70, 16], dtype);
    const apart = (t: Tensor): Tensor => t.transpose(1, 2).contiguous().transpose(1, 2);
    const off = scaled_dot_product_attention(apart(q), apart(k), apart(v)).sub(scaled_dot_product_attention(q, k, v));
    expect(greatest(off)).toBe(0);
  });

  test("keys that a mask hides count nothing; a row that sees nothing is 0; a NaN stays in its row", () => {
    const [q, k, v] = inputs([20, 40, 8], dtype);
    const attn_mask = torch.zeros([20, 40], { dtype });
    attn_mask.select(0, 3).fill_(-Infinity);
    attn_mask.select(1, 39).fill_(-Infinity);
    v.select(2, 39).fill_(1e30);
    const out = scaled_dot_product_attention(q, k, v, { attn_mask });
    expect(greatest(out)).toBeLessThan(100);
    expect(greatest(out.select(2, 3))).toBe(0);
    q.select(2, 5).fill_(Number.NaN);
    const with_nan = scaled_dot_product_attention(q, k, v, { attn_mask });
    expect(with_nan.isnan().select(2, 5).all().item()).toBe(true);
    expect(with_nan.isnan().sum().item()).toBe(2 * 3 * 8);
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("which loop", () => {
  const loops = (run: () => unknown): unknown[] =>
    record(run).events.filter((e) => e.kind === "loop" && e.name === "at::native::flash_block");

  test("vectors; few keys and a mask of one column go without, and the trace says why", () => {
    const [q, k, v] = inputs([7, 19, 3]);
    expect(loops(() => scaled_dot_product_attention(q, k, v))[0]).toMatchObject({
      capability: expect.stringContaining("SIMD"),
      memory: "heap",
    });
    const few = (t: Tensor): Tensor => t.narrow(2, 0, 4);
    expect(loops(() => scaled_dot_product_attention(q, few(k), few(v)))[0]).toMatchObject({
      capability: "DEFAULT",
      why: "fewer than 16 keys",
    });
    const attn_mask = torch.randn([7, 1]);
    const out: Tensor[] = [];
    expect(loops(() => out.push(scaled_dot_product_attention(q, k, v, { attn_mask })))[0]).toMatchObject({
      why: "a mask that is not contiguous",
    });
    expect(greatest(out[0].double().sub(attention(q, k, v, { attn_mask })))).toBeLessThan(4e-6);
  });
});
