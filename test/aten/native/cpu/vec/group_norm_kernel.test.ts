/** @file group_norm and its gradients with vectors: against double, outside the heap, on two threads, and which of the loops runs. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";

const { group_norm } = torch.nn.functional;

/** The result, and the gradients of the image and of the parameters there are. */
function run(dtype: typeof torch.float32, groups: number, given: readonly (Tensor | null)[], dy: Tensor): Tensor[] {
  const [x, w, b] = given.map((t) => (t === null ? null : t.to({ dtype }).detach().clone().requires_grad_(true)));
  const y = group_norm(x as Tensor, groups, w, b);
  // Without a weight PyTorch has no gradient of the bias.
  const wanted = [x, w, w === null ? null : b].filter((t) => t !== null);
  return [y.detach(), ...torch.autograd.grad([y], wanted, [dy.to({ dtype })])];
}

describe("in float32 what it is in float64", () => {
  for (const [size, groups] of [
    [[2, 6, 3, 3], 3],
    [[3, 4, 5, 7], 1],
    [[2, 8, 4, 4], 8],
    [[1, 6, 41], 2],
    [[2, 4, 33, 35], 2],
    [[5, 4, 8], 2],
  ] as const)
    test(`${size.join("x")}, ${groups} groups`, () => {
      torch.manual_seed(3);
      const C = size[1];
      const [x, dy] = [torch.randn([...size]).add(2), torch.randn([...size])];
      const [w, b] = [torch.randn([C]), torch.randn([C])];
      for (const given of [
        [x, w, b],
        [x, w, null],
        [x, null, b],
        [x, null, null],
      ]) {
        const exact = run(torch.float64, groups, given, dy);
        for (const [k, t] of run(torch.float32, groups, given, dy).entries()) {
          const apart = t.to({ dtype: torch.float64 }).sub(exact[k]).abs().max().item() as number;
          // Sums of as many numbers as an image has, of which the mean, 2, is taken away afterwards.
          expect(apart).toBeLessThan(4e-6 * (1 + (exact[k].abs().max().item() as number)));
        }
      }
    });
});

test("a NaN makes its group NaN, and touches no other", () => {
  const x = torch.randn([2, 4, 9]);
  x.select(0, 1).select(0, 1).select(0, 8).fill_(Number.NaN);
  const y = group_norm(x, 2).isnan().view([4, 18]).tolist();
  expect(y).toEqual([false, false, true, false].map((is) => new Array(18).fill(is)));
});

const vectors = get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap;

describe.runIf(vectors)("the operator", () => {
  const loops = (f: () => unknown): { readonly capability: string; readonly why?: string }[] =>
    record(f).events.filter((e) => e.kind === "loop" && /group_norm/.test(e.name)) as never;

  test("large channels of one dtype run with vectors, the others without, and the trace says why", () => {
    const x = torch.ones([2, 4, 4, 4]);
    expect(loops(() => group_norm(x, 2))).toMatchObject([{ capability: expect.stringContaining("SIMD") }]);
    const why = (t: Tensor): unknown => loops(() => group_norm(t, 2))[0].why;
    expect(why(torch.ones([2, 4, 2, 2]))).toBe("channels of fewer than 8 elements");
    expect(why(x.half())).toBe("no SIMD kernel for this dtype");
    expect(why(x.contiguous({ memory_format: torch.channels_last }))).toBe("not contiguous (channels last)");
  });

  test("memory outside the heap: results and statistics come back", () => {
    torch.manual_seed(0);
    const [x, w, b] = [torch.randn([3, 4, 5, 5]), torch.randn([4]), torch.randn([4])];
    const native = (): Tensor[] => torch.ops.aten.native_group_norm(x, w, b, 3, 4, 25, 2, 1e-5) as never;
    const there = native();
    for (const t of [x, w]) t.numpy(); // what the user has seen leaves the heap
    for (const [k, t] of native().entries()) expect(t.tolist()).toEqual(there[k].tolist());
  });

  test.skipIf(heap_may_be_full)("two threads give what one gives", () => {
    torch.manual_seed(0);
    const given = [torch.randn([16, 8, 20, 20]), torch.randn([8]), torch.randn([8])];
    const dy = torch.randn([16, 8, 20, 20]);
    const before = torch.get_num_threads();
    const [one, two] = [1, 2].map((threads) => {
      torch.set_num_threads(threads);
      return run(torch.float32, 4, given, dy).map((t) => t.tolist());
    });
    torch.set_num_threads(before);
    expect(two).toEqual(one);
  });
});
