/** Pooling: worked cases, laws, gradients of two orders, the way of a call, refusals in PyTorch 2.13.0's words. */
import glasstorch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const torch = glasstorch as Any;
const F = torch.nn.functional;
const zeros = (...size: number[]): Any => torch.zeros(size);
const float64 = (...size: number[]): Any => torch.randn(size, { dtype: torch.float64 }).requires_grad_();
const image = (): Any => torch.arange(16, { dtype: torch.float32 }).reshape(1, 4, 4);

test("the type of a max pool follows return_indices", () => {
  const { nn } = glasstorch;
  const x: Tensor = image();
  const greatest: Tensor = nn.functional.max_pool2d(x, 2);
  const of_module: Tensor = new nn.MaxPool2d(2)(x);
  const both: Tensor[] = nn.functional.max_pool2d(x, 2, { return_indices: true });
  const both_of_module = new nn.MaxPool2d<Tensor[]>(2, { return_indices: true })(x);
  expect(of_module.tolist()).toEqual(greatest.tolist());
  for (const [values, places] of [both, both_of_module]) {
    expect(values.tolist()).toEqual(greatest.tolist());
    expect(places.tolist()).toEqual([
      [
        [5, 7],
        [13, 15],
      ],
    ]);
  }
});

test("the greatest of each window, and where it stands", () => {
  const [values, places] = F.max_pool2d(image(), 2, { return_indices: true });
  expect(values.tolist()).toEqual([
    [
      [5, 7],
      [13, 15],
    ],
  ]);
  expect(places.flatten().tolist().map(Number)).toEqual([5, 7, 13, 15]);
});

test("a NaN wins", () => {
  const x = torch.tensor([[1, Number.NaN, 3, 4]], { dtype: torch.float32 });
  expect(torch.max_pool1d(x, 2).tolist()[0]).toEqual([Number.NaN, 4]);
});

test("a window behind the edge counts what is there, and with the padding if asked to", () => {
  const x = torch.tensor([[2.5, 3.5, 6]]);
  expect(torch.avg_pool1d(x, 2, 2, 0, true).tolist()).toEqual([[3, 6]]);
  expect(torch.avg_pool1d(x, 2, 2, 1, false, true).tolist()).toEqual([[1.25, 4.75]]);
  expect(torch.avg_pool1d(x, 2, 2, 1, false, false).tolist()).toEqual([[2.5, 4.75]]);
});

test("one part is the mean; as many parts as elements are the elements", () => {
  const x = torch.randn(2, 3, 4, 5);
  expect(
    F.adaptive_avg_pool2d(x, 1)
      .flatten(1)
      .allclose(x.mean([2, 3])),
  ).toBe(true);
  expect(F.adaptive_avg_pool2d(x, [null, 5]).equal(x)).toBe(true);
});

test("channels last stays so", () => {
  const x = torch.randn(2, 3, 4, 4);
  const last = x.contiguous({ memory_format: torch.channels_last });
  for (const pool of [(t: Any) => F.max_pool2d(t, 2), (t: Any) => F.avg_pool2d(t, 2)]) {
    expect(pool(last).is_contiguous({ memory_format: torch.channels_last })).toBe(true);
    expect(pool(last).equal(pool(x))).toBe(true);
  }
});

describe("gradients of both orders", () => {
  test.each<[string, (x: Any) => Any]>([
    ["max_pool2d", (x) => F.max_pool2d(x, 3, { stride: 2, padding: 1 })],
    ["max_pool1d", (x) => F.max_pool1d(x.flatten(2), 2)],
    ["avg_pool2d", (x) => F.avg_pool2d(x, 3, 2, 1, true, false)],
    ["avg_pool1d", (x) => F.avg_pool1d(x.flatten(2), 3, 2)],
    ["adaptive_avg_pool2d", (x) => F.adaptive_avg_pool2d(x, [2, 3])],
  ])("%s", (_name, f) => {
    expect(torch.autograd.gradcheck(f, [float64(1, 2, 5, 4)])).toBe(true);
    expect(torch.autograd.gradgradcheck(f, [float64(1, 2, 5, 4)])).toBe(true);
  });
});

test("places are computed where a gradient wants them", () => {
  const called = (f: () => unknown) =>
    record(f)
      .rows()
      .map((row: Any) => row[1]);
  const x = torch.randn(1, 2, 6);
  expect(called(() => torch.max_pool1d(x, 2))).not.toContain("max_pool2d_with_indices");
  expect(called(() => torch.max_pool1d(x.clone().requires_grad_(), 2))).toContain("max_pool2d_with_indices");
  expect(called(() => torch.max_pool2d(x.unsqueeze(0), 2))).toContain("max_pool2d_with_indices");
});

test.each<[() => unknown, string]>([
  [
    () => F.max_pool2d(zeros(1, 1, 4, 4), [2, 2, 2]),
    "max_pool2d: kernel_size must either be a single int, or a tuple of two ints",
  ],
  [
    () => F.max_pool2d(zeros(1, 1, 4, 4), 2, 1, 2),
    "pad should be at most half of effective kernel size, but got pad=2, kernel_size=2 and dilation=1",
  ],
  [
    () => F.max_pool2d(zeros(1, 1, 4, 4), 5),
    "Given input size: (1x4x4). Calculated output size: (1x0x0). Output size is too small",
  ],
  [
    () => F.max_pool2d(zeros(1, 0, 4, 4), 2),
    "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:[1, 0, 4, 4]",
  ],
  [() => F.avg_pool2d(zeros(1, 1, 4, 4), 2, null, 0, false, true, 0), "divisor must be not zero"],
  [() => F.avg_pool2d(zeros(1, 1, 4, 4).char(), 2), "\"avg_pool2d\" not implemented for 'Char'"],
  [
    () => F.adaptive_avg_pool2d(zeros(1, 1, 4, 4), -1),
    "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {-1, -1}",
  ],
  [() => torch.max_pool1d(zeros(1, 4), 9), "max_pool1d() Invalid computed output size: 0"],
  [
    () => torch.adaptive_avg_pool1d(zeros(4), 2),
    "Expected 2 to 3 dimensions, but got 1-dimensional tensor for argument #1 'self' (while checking arguments for adaptive_avg_pool1d)",
  ],
])("refusal %#", (f, message) => {
  expect(f).toThrow(message);
});
