/** @file Convolutions that read pixels as they multiply: what columns give, whatever the window, its steps and the edges; which of the two ran. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { conv_forward_stub, conv_sizes } from "#aten/native/ConvolutionMM";
import { conv_forward_kernel } from "#aten/native/cpu/ConvolutionMMKernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";

/** Numbers that come in the same order every time. */
function* numbers(): Generator<number> {
  for (let x = 4321; ; x = (x * 1103515245 + 12345) % 2147483648) yield x >> 8;
}
const next = numbers();
const below = (n: number): number => next.next().value % n;

interface Case {
  readonly image: readonly [number, number, number, number];
  readonly weight: readonly [number, number, number, number];
  readonly groups: number;
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
}

function random_case(): Case {
  const groups = 1 + below(2);
  const kernel = [1 + below(4), 1 + below(4)] as const;
  const pair = (n: number): readonly [number, number] => [1 + below(n), 1 + below(n)];
  const [stride, dilation, padding] = [pair(2), pair(2), [below(3), below(3)]];
  const channels = 1 + below(40);
  const [H, W] = [0, 1].map((d) => dilation[d] * (kernel[d] - 1) + 1 + below(30));
  return {
    image: [1 + below(2), channels * groups, H, W],
    weight: [groups * (12 + below(60)), channels, ...kernel],
    groups,
    stride,
    padding,
    dilation,
  };
}

const chosen: Case[] = [
  // Places in more than one part, terms in more than one panel, more rows than are packed at once.
  { image: [1, 33, 31, 40], weight: [70, 33, 3, 3], groups: 1, stride: [1, 1], padding: [1, 1], dilation: [1, 1] },
  { image: [1, 3, 20, 20], weight: [12, 3, 16, 16], groups: 1, stride: [1, 1], padding: [8, 8], dilation: [1, 1] },
  { image: [2, 2, 20, 20], weight: [12, 2, 17, 16], groups: 1, stride: [1, 1], padding: [0, 0], dilation: [1, 1] },
  { image: [1, 16, 1, 100], weight: [16, 16, 1, 5], groups: 1, stride: [1, 1], padding: [0, 2], dilation: [1, 1] },
  { image: [1, 16, 9, 1], weight: [16, 16, 3, 1], groups: 1, stride: [1, 1], padding: [1, 0], dilation: [1, 1] },
];

function out_size({ image, weight, stride, padding, dilation }: Case): number[] {
  const places = [0, 1].map((d) => {
    const reach = dilation[d] * (weight[d + 2] - 1) + 1;
    return Math.floor((image[d + 2] + 2 * padding[d] - reach) / stride[d]) + 1;
  });
  return [image[0], weight[0], ...places];
}

function rand(size: readonly number[], dtype: ScalarType): AtTensor {
  const options = TensorOptions.EMPTY.dtype(dtype);
  return at.empty_memory_format([...size], options).normal_(0, 1, getDefaultCPUGenerator());
}

const elements = (t: AtTensor): Float64Array =>
  (t.data_view() as Float64Array).subarray(t.data_offset(), t.data_offset() + t.numel());

describe.each([
  [ScalarType.Float, 2 ** -24],
  [ScalarType.Double, 2 ** -53],
] as const)("dtype %s", (dtype, eps) => {
  test("60 windows, with bias and without", () => {
    getDefaultCPUGenerator().set_current_seed(0n); // whatever ran before in this process
    for (const c of [...chosen, ...Array.from({ length: 55 }, random_case)]) {
      const [x, w] = [rand(c.image, dtype), rand(c.weight, dtype)];
      for (const bias of [null, rand([c.weight[0]], dtype)]) {
        const [got, want] = [rand(out_size(c), dtype), rand(out_size(c), dtype)];
        elements(got).fill(Number.NaN);
        const sizes = conv_sizes(x, got, c.weight.slice(2), c, c.groups);
        conv_forward_stub.call(DeviceType.CPU, got, x, w, bias, sizes, null);
        conv_forward_kernel(want, x, w, bias, sizes, null);
        // Any order of the terms is off by less than their absolute values together, times what an addition rounds, times few.
        const sums = rand(out_size(c), dtype);
        conv_forward_kernel(sums, x.abs(), w.abs(), bias?.abs() ?? null, sizes, null);
        const [exact, scale] = [elements(want), elements(sums)];
        expect(
          elements(got).every((v, i) => Math.abs(v - exact[i]) <= 16 * eps * scale[i]),
          JSON.stringify(c),
        ).toBe(true);
      }
    }
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("the operator", () => {
  const { conv2d, conv3d } = torch.nn.functional;
  const names = (run: () => unknown): string[] =>
    record(run)
      .events.filter((e) => e.kind === "loop")
      .map((e) => e.name);
  const [x, w] = [torch.randn([1, 16, 9, 9]), torch.randn([16, 16, 3, 3])];

  test("reads pixels where it can; few channels of results, one pixel and three dims have columns, or are them", () => {
    expect(names(() => conv2d(x, w, null, 1, 1))).toEqual(["at::native::conv2d"]);
    const columns = ["at::native::vol2col", "at::native::gemm"];
    const [one, image, weight] = [
      [16, 16, 1, 1],
      [1, 16, 4, 9, 9],
      [16, 16, 2, 3, 3],
    ].map((size) => torch.randn(size));
    expect(names(() => conv2d(x, w.narrow(0, 0, 8)))).toEqual(columns);
    expect(names(() => conv2d(x, one))).toEqual(["at::native::gemm"]);
    expect(names(() => conv3d(image, weight))).toEqual(columns);
  });

  test("memory outside the heap: the result comes back", () => {
    const there = conv2d(x, w, null, 1, 1);
    for (const t of [x, w] as Tensor[]) t.numpy(); // what the user has seen leaves the heap
    expect(conv2d(x, w, null, 1, 1).tolist()).toEqual(there.tolist());
  });

  test.skipIf(heap_may_be_full)("two threads give what one gives", () => {
    const [image, weight] = [torch.randn([2, 16, 40, 40]), torch.randn([64, 16, 3, 3])];
    const before = torch.get_num_threads();
    const [one, two] = [1, 2].map((threads) => {
      torch.set_num_threads(threads);
      return conv2d(image, weight, null, 1, 1).tolist();
    });
    torch.set_num_threads(before);
    expect(two).toEqual(one);
  });
});
