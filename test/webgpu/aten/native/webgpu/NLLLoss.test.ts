/**
 * @file nll_loss and cross_entropy of rows and images: weights, ignored targets, reductions, gradients, halves, targets that are no class; and
 * binary_cross_entropy, with what is no probability.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;
const REDUCTIONS = ["mean", "sum", "none"] as const;

function targets(shape: readonly number[], classes: number): Tensor {
  torch.manual_seed(3);
  return torch.randint(0, classes, shape as number[]);
}

describe("nll_loss", () => {
  test("of rows, of one row, of images, with weights and ignored targets", () => {
    for (const [shape, of_target] of [
      [[7, 5], [7]],
      [[200, 3], [200]],
      [[5], []],
      [
        [2, 4, 3, 5],
        [2, 3, 5],
      ],
      [
        [2, 4, 6],
        [2, 6],
      ],
    ] as const)
      for (const dtype of [torch.float32, torch.float16, torch.bfloat16])
        for (const reduction of REDUCTIONS) {
          const classes = shape.length === 1 ? shape[0] : shape[1];
          const t = targets(of_target, classes);
          const w = sample([classes], dtype, 5).abs();
          // Sums of halves are rounded at every step on the CPU.
          const options = dtype === torch.float32 ? {} : { rtol: 2e-2, atol: 2e-2 };
          const told = `[${shape}] ${dtype} ${reduction}`;
          check_both(
            told,
            (x: Tensor, y: Tensor) => F.nll_loss(x, y, { reduction }),
            [sample(shape, dtype), t],
            options,
          );
          check_both(
            `${told}, weight`,
            (x: Tensor, y: Tensor, weight: Tensor) => F.nll_loss(x, y, { weight, reduction, ignore_index: 1 }),
            [sample(shape, dtype), t, w],
            options,
          );
        }
  });

  test("of views, of bytes, of nothing, and into an output", () => {
    const t = targets([6], 4);
    check_both("transposed", (x: Tensor, y: Tensor) => F.nll_loss(x.t(), y), [sample([4, 6]), t]);
    check_both("offset", (x: Tensor, y: Tensor) => F.nll_loss(x.narrow(0, 2, 4), y.narrow(0, 2, 4)), [
      sample([6, 4]),
      t,
    ]);
    check_both("bytes", (x: Tensor, y: Tensor) => F.nll_loss(x, y), [sample([6, 4]), t.to(torch.uint8)]);
    check_both("every second", (x: Tensor, y: Tensor) => F.nll_loss(x, y.as_strided([3], [2], 1)), [sample([3, 4]), t]);
    for (const reduction of REDUCTIONS)
      check_both(`nothing ${reduction}`, (x: Tensor, y: Tensor) => F.nll_loss(x, y, { reduction }), [
        torch.zeros([0, 4]),
        t.narrow(0, 0, 0),
      ]);
    check_both("a large number ignored", (x: Tensor, y: Tensor) => F.nll_loss(x, y, { ignore_index: 2 ** 32 + 1 }), [
      sample([3, 4]),
      torch.tensor([1, 2 ** 32 + 1, 0]),
    ]);
    check_both("all ignored", (x: Tensor, y: Tensor) => F.nll_loss(x, y, { ignore_index: 2 }), [
      sample([3, 4]),
      torch.full([3], 2),
    ]);
  });

  test("gradients", () => {
    for (const [shape, of_target] of [
      [[9, 5], [9]],
      [
        [2, 3, 4, 4],
        [2, 4, 4],
      ],
    ] as const)
      for (const reduction of REDUCTIONS) {
        const grad = (x: Tensor, y: Tensor, weight: Tensor): Tensor => {
          const leaf = x.detach().requires_grad_(true);
          const loss = F.cross_entropy(leaf, y, { weight, reduction, ignore_index: 0 });
          loss.mul(loss).sum().backward();
          return leaf.grad as Tensor;
        };
        check_both(`[${shape}] ${reduction}`, grad, [
          sample(shape),
          targets(of_target, shape[1]),
          torch.rand([shape[1]]),
        ]);
      }
  });

  test("a target that is no class is a device-side assertion", () => {
    const loss = F.nll_loss(sample([3, 4]).to("webgpu"), torch.tensor([0, 4, 1]).to("webgpu"));
    expect(() => loss.item()).toThrow("aten::nll_loss_forward: index 4 is out of bounds for dimension with size 4");
    expect(F.nll_loss(torch.ones([1, 2]).to("webgpu"), torch.tensor([1]).to("webgpu")).item()).toBe(-1);
    const negative = F.nll_loss(sample([2, 4]).to("webgpu"), torch.tensor([0, -1]).to("webgpu"));
    expect(() => negative.item()).toThrow("index -1 is out of bounds");
  });
});

test("binary_cross_entropy and its gradient", () => {
  for (const reduction of REDUCTIONS) {
    const grad = (x: Tensor, y: Tensor, weight: Tensor): Tensor[] => {
      const leaf = x.detach().requires_grad_(true);
      const loss = F.binary_cross_entropy(leaf, y, { weight, reduction });
      loss.mul(loss).sum().backward();
      return [loss, leaf.grad as Tensor];
    };
    const shares = torch.tensor([0.1, 0.9, 0.5, 1, 0, 0.25]);
    check_both(reduction, grad, [shares, torch.tensor([0, 1, 0.5, 1, 0, 1]), torch.rand([6])]);
  }
});

describe("binary_cross_entropy of what is no probability is a device-side assertion", () => {
  const of = (x: Tensor, y: Tensor) => F.binary_cross_entropy(x.to("webgpu"), y.to("webgpu"), { reduction: "none" });
  const WHERE = "src/aten/native/cpu/LossBinaryCrossEntropyKernel.ts: binary_cross_entropy: ";
  const halves = torch.full([100], 0.5);

  for (const [what, bad] of Object.entries({ "above 1": 1.5, "below 0": -0.25, NaN: Number.NaN }))
    test(`an input ${what}`, () => {
      const x = halves.clone();
      x.select(0, 70).fill_(bad);
      const loss = of(x, halves);
      const told = "block: [1,0,0], thread: [6,0,0] Assertion `input_val >= zero && input_val <= one` failed.";
      expect(() => loss.cpu()).toThrow(`WebGPU error: device-side assert triggered\n${WHERE}${told}`);
      expect(of(halves, halves).sum().item()).toBeCloseTo(69.3147, 3); // told once
    });

  test("a target", () => {
    const y = halves.clone();
    y.select(0, 2).fill_(2);
    const loss = of(halves, y);
    const told = "block: [0,0,0], thread: [2,0,0] Assertion `target_val >= zero && target_val <= one` failed.";
    expect(() => loss.cpu()).toThrow(WHERE + told);
  });

  test("of halves, of every second element, of one element for all", () => {
    const pairs = torch.full([7, 2], 0.5);
    pairs.select(1, 1).fill_(3);
    for (const dtype of [torch.float16, torch.bfloat16, torch.float32]) {
      const x = pairs.to(dtype);
      const y = torch.full([1], 0.5, { dtype });
      const second = x.to("webgpu").select(1, 0);
      expect(F.binary_cross_entropy(second, y.to("webgpu").expand([7])).item()).toBeCloseTo(Math.LN2, 2);
      expect(() => of(x, y.expand([7, 2])).cpu()).toThrow("`input_val >= zero && input_val <= one` failed.");
    }
  });

  test("what lies behind the last element is not asked", () => {
    const x = torch.tensor([0.5, 0.5, 0.5, 0.5, 0.5, 7]).to("webgpu").narrow(0, 0, 5);
    expect(F.binary_cross_entropy(x, halves.narrow(0, 0, 5).to("webgpu")).item()).toBeCloseTo(Math.LN2, 3);
  });
});
