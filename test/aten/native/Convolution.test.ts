/** Convolutions: worked cases, laws, gradients of two orders, which backend is chosen, refusals in PyTorch 2.13.0's words. */
import glasstorch from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { farthest } from "../../helpers/assert_close.ts";
import type { Any } from "../../helpers/recorded.ts";

const torch = glasstorch as Any;
const F = torch.nn.functional;
const ones = (...size: number[]): Any => torch.ones(size);
const zeros = (...size: number[]): Any => torch.zeros(size);
const float64 = (...size: number[]): Any => torch.randn(size, { dtype: torch.float64 }).requires_grad_();
function assert_close(a: Any, b: Any): void {
  expect(a.shape).toEqual(b.shape);
  const elements = (t: Any) => t.detach().reshape([-1]).tolist();
  expect(farthest(elements(a), elements(b), String(b.dtype).replace("torch.", ""))).toBe(null);
}
/** Operators that a call reaches, without `aten::`. */
function called(f: () => unknown): Set<string> {
  return new Set(
    record(f)
      .rows()
      .map((row: Any) => String(row[1])),
  );
}

test("a kernel of differences", () => {
  const x = torch.tensor([[[1, 2, 4, 8]]], { dtype: torch.float32 });
  const w = torch.tensor([[[1, -1]]], { dtype: torch.float32 });
  expect(torch.conv1d(x, w).tolist()).toEqual([[[-1, -2, -4]]]);
  expect(torch.conv1d(x, w, null, { stride: 2 }).tolist()).toEqual([[[-1, -4]]]);
  expect(torch.conv1d(x, w, null, { dilation: 2 }).tolist()).toEqual([[[-3, -6]]]);
  expect(torch.conv1d(x, w, torch.tensor([10.5]), { padding: 1 }).tolist()).toEqual([[[9.5, 9.5, 8.5, 6.5, 18.5]]]);
});

test("a convolution of groups is the convolutions of its groups", () => {
  const [x, w] = [torch.randn(2, 4, 5, 5), torch.randn(6, 2, 3, 3)];
  const whole = torch.conv2d(x, w, null, { groups: 2 });
  const parts = [0, 1].map((g) => torch.conv2d(x.narrow(1, 2 * g, 2), w.narrow(0, 3 * g, 3)));
  assert_close(whole, torch.cat(parts, 1));
});

test("one instance is a batch of one", () => {
  const [x, w] = [torch.randn(2, 5, 5), torch.randn(3, 2, 3, 3)];
  assert_close(torch.conv2d(x, w), torch.conv2d(x.unsqueeze(0), w).squeeze(0));
});

test("the transposed convolution is the convolution's gradient", () => {
  const [x, w, g] = [float64(2, 3, 6, 5), float64(4, 3, 3, 2), torch.randn([2, 4, 3, 3], { dtype: torch.float64 })];
  const steps = { stride: 2, padding: 1 };
  const y = torch.conv2d(x, w, null, steps);
  y.backward(g);
  const grad = torch.conv_transpose2d(g, w, null, { ...steps, output_padding: [1, 1] });
  assert_close(x.grad, grad.narrow(2, 0, 6).narrow(3, 0, 5));
});

test("`same` keeps the size, also of even kernels", () => {
  expect(F.conv2d(ones(1, 1, 5, 6), ones(1, 1, 4, 3), null, { padding: "same" }).shape).toEqual([1, 1, 5, 6]);
  expect(F.conv2d(ones(1, 1, 5, 6), ones(1, 1, 4, 3), null, { padding: "valid" }).shape).toEqual([1, 1, 2, 4]);
});

test("channels last stays so", () => {
  const x = torch.randn(2, 3, 5, 5);
  const w = torch.randn(4, 3, 3, 3);
  const y = torch.conv2d(x.contiguous({ memory_format: torch.channels_last }), w);
  expect(y.is_contiguous({ memory_format: torch.channels_last })).toBe(true);
  assert_close(y.contiguous(), torch.conv2d(x, w));
});

describe("gradients of both orders", () => {
  const cases: [string, (x: Any, w: Any, b: Any) => Any, number[], number[], number][] = [
    ["conv1d", (x, w, b) => torch.conv1d(x, w, b, { stride: 2, padding: 1 }), [2, 2, 5], [3, 2, 3], 3],
    ["conv2d", (x, w, b) => torch.conv2d(x, w, b, { stride: [2, 1], padding: 1 }), [1, 2, 4, 3], [2, 2, 2, 3], 2],
    ["conv2d, groups", (x, w, b) => torch.conv2d(x, w, b, { groups: 2 }), [1, 2, 3, 3], [4, 1, 2, 2], 4],
    ["conv2d, dilated", (x, w, b) => torch.conv2d(x, w, b, { dilation: 2 }), [1, 1, 4, 4], [2, 1, 2, 2], 2],
    ["conv3d", (x, w, b) => torch.conv3d(x, w, b), [1, 1, 3, 2, 3], [1, 1, 2, 2, 2], 1],
    ["conv3d, dilated", (x, w, b) => torch.conv3d(x, w, b, { dilation: 2 }), [1, 1, 3, 3, 3], [1, 1, 2, 2, 2], 1],
    ["conv_transpose2d", (x, w, b) => torch.conv_transpose2d(x, w, b, { stride: 2 }), [1, 2, 2, 3], [2, 1, 2, 2], 1],
    ["conv_transpose3d", (x, w, b) => torch.conv_transpose3d(x, w, b), [1, 1, 2, 2, 2], [1, 1, 2, 1, 2], 1],
  ];
  test.each(cases)("%s", (_name, f, x, w, b) => {
    const inputs = [float64(...x), float64(...w), float64(b)];
    expect(torch.autograd.gradcheck(f, inputs)).toBe(true);
    expect(torch.autograd.gradgradcheck(f, inputs)).toBe(true);
  });
});

describe("the backend", () => {
  const chosen = (x: Any, w: Any, kw: Any = {}): string[] => {
    const backends = ["mkldnn_convolution", "thnn_conv2d", "slow_conv_dilated2d", "slow_conv3d", "slow_conv_dilated3d"];
    const names = called(() => (x.dim() === 5 ? torch.conv3d : torch.conv2d)(x, w, null, kw));
    return backends.filter((name) => names.has(name));
  };
  test.each<[string, () => Any, () => Any, Any, string]>([
    ["a batch", () => ones(2, 1, 5, 5), () => ones(2, 1, 3, 3), {}, "mkldnn_convolution"],
    ["one small image", () => ones(1, 1, 5, 5), () => ones(2, 1, 3, 3), {}, "thnn_conv2d"],
    ["one large image", () => ones(1, 1, 144, 144), () => ones(2, 1, 3, 3), {}, "mkldnn_convolution"],
    ["groups", () => ones(1, 2, 5, 5), () => ones(2, 1, 3, 3), { groups: 2 }, "mkldnn_convolution"],
    ["gaps", () => ones(1, 1, 5, 5), () => ones(2, 1, 3, 3), { dilation: 2 }, "slow_conv_dilated2d"],
    ["float64", () => ones(2, 1, 5, 5).double(), () => ones(2, 1, 3, 3).double(), {}, "thnn_conv2d"],
    ["a volume", () => ones(1, 1, 5, 5, 5), () => ones(2, 1, 3, 3, 3), {}, "slow_conv3d"],
    ["gaps, volume", () => ones(1, 1, 5, 5, 5), () => ones(2, 1, 3, 3, 3), { dilation: 2 }, "slow_conv_dilated3d"],
  ])("%s", (_name, x, w, kw, backend) => {
    expect(chosen(x(), w(), kw)).toEqual([backend]);
  });
});

test("an empty batch has a gradient", () => {
  const w = ones(3, 1, 3, 3).requires_grad_();
  const y = torch.conv2d(zeros(0, 1, 5, 5), w);
  expect(y.shape).toEqual([0, 3, 3, 3]);
  y.sum().backward();
  expect(w.grad.abs().sum().item()).toBe(0);
});

test.each<[() => unknown, string]>([
  [() => F.conv2d(zeros(1, 1, 5, 5), zeros(1, 1, 3, 3), null, { stride: 0 }), "non-positive stride is not supported"],
  [() => F.conv2d(zeros(1, 1, 5, 5), zeros(1, 1, 3, 3), null, { padding: -1 }), "negative padding is not supported"],
  [
    () => F.conv2d(zeros(1, 1, 5, 5), zeros(1, 1, 3, 3), null, { dilation: 0 }),
    "dilation should be greater than zero, but got [0, 0]",
  ],
  [() => F.conv2d(zeros(1, 1, 5, 5), zeros(1, 1, 3, 3), null, { groups: 0 }), "non-positive groups is not supported"],
  [
    () => F.conv2d(zeros(1, 2, 5, 5), zeros(3, 1, 3, 3), null, { groups: 2 }),
    "Given groups=2, expected weight to be divisible by 2 at dimension 0, but got weight of size [[3, 1, 3, 3]] instead",
  ],
  [
    () => F.conv2d(zeros(1, 2, 5, 5), zeros(3, 1, 3, 3)),
    "Given groups=1, weight of size [3, 1, 3, 3], expected input[1, 2, 5, 5] to have 1 channels, but got 2 channels instead",
  ],
  [
    () => F.conv2d(zeros(1, 1, 2, 5), zeros(3, 1, 3, 3)),
    "Calculated padded input size per channel: (2 x 5). Kernel size: (3 x 3). Kernel size can't be greater than actual input size",
  ],
  [
    () => F.conv2d(zeros(2, 1, 5, 5), zeros(3, 1, 3, 3).double()),
    "Input type (torch.FloatTensor) and weight type (torch.DoubleTensor) should be the same or input should be a MKLDNN tensor and weight is a dense tensor",
  ],
  [() => F.conv2d(zeros(1, 1, 5, 5).double(), zeros(3, 1, 3, 3)), "expected scalar type Double but found Float"],
  [
    () => F.conv2d(zeros(1, 1, 5, 5), zeros(3, 1, 3, 3), zeros(3).double()),
    "Input type (float) and bias type (double) should be the same",
  ],
  [
    () => F.conv2d(zeros(1, 1, 0, 5), zeros(3, 1, 3, 3), null, { padding: 3 }),
    "Only zero batch or zero channel inputs are supported, but got input shape: [1, 1, 0, 5]",
  ],
  [
    () => F.conv_transpose2d(zeros(1, 3, 5, 5), zeros(3, 1, 3, 3), null, { output_padding: 1 }),
    "output padding must be smaller than either stride or dilation, but got output_padding_height: 1 output_padding_width: 1 stride_height: 1 stride_width: 1 dilation_height: 1 dilation_width: 1",
  ],
  [
    () => F.conv_transpose2d(zeros(2, 3, 1, 1), zeros(3, 1, 1, 1), null, { padding: 1 }),
    "Given input size per channel: (1 x 1). Calculated output size per channel: (-1 x -1). Output size is too small",
  ],
])("refusal %#", (f, message) => {
  expect(f).toThrow(message);
});
