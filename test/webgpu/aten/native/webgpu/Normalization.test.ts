/**
 * @file layer_norm and batch_norm: rows short and long, with parameters and without, in training and evaluation, running statistics, gradients.
 * @original
 */
import { afterAll, describe, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;

/** Sums in another order than the CPU's; halves are rounded in between there. */
function options_of(dtype: unknown): { rtol: number; atol: number } {
  return dtype === torch.float32 ? { rtol: 1e-4, atol: 1e-4 } : { rtol: 5e-2, atol: 5e-2 };
}

/** Result and gradients of all that have some. */
function with_gradients(f: (...args: Tensor[]) => Tensor): (g: Tensor, ...args: Tensor[]) => Tensor[] {
  return (g, ...args) => {
    const leaves = args.map((t) => t.detach().requires_grad_(true));
    const out = f(...leaves);
    out.backward(g);
    return [out, ...leaves.map((t) => t.grad as Tensor)];
  };
}

describe("layer_norm", () => {
  test("of rows of every length, with their gradients", () => {
    for (const dtype of [torch.float32, torch.float16, torch.bfloat16])
      for (const [shape, normalized] of [
        [[4, 6], [6]],
        [[1, 300], [300]],
        [[90, 5], [5]],
        [
          [2, 3, 4, 5],
          [4, 5],
        ],
        [[7], [7]],
      ] as const) {
        const norm = with_gradients((x, w, b) => F.layer_norm(x, normalized as unknown as number[], w, b));
        check_both(
          `[${shape}] ${dtype}`,
          norm,
          [sample(shape, dtype), sample(shape, dtype, 1), sample(normalized, dtype, 2), sample(normalized, dtype, 3)],
          options_of(dtype),
        );
      }
  });
  test("without parameters, of halves with float32 ones, of views, of large means, of nothing", () => {
    const plain = with_gradients((x) => F.layer_norm(x, [5]));
    check_both("plain", plain, [sample([4, 5]), sample([4, 5], torch.float32, 1)], options_of(torch.float32));
    check_both(
      "mixed",
      (x: Tensor, w: Tensor) => F.layer_norm(x, [5], w, w),
      [sample([4, 5], torch.bfloat16), sample([5])],
      {
        atol: 2e-2,
      },
    );
    const of_view = with_gradients((x) => F.layer_norm(x.t(), [4]));
    check_both("transposed", of_view, [sample([5, 4]), sample([4, 5])], options_of(torch.float32));
    check_both("far from 0", (x: Tensor) => F.layer_norm(x.add(1000), [50]), [sample([3, 50])], { atol: 1e-3 });
    check_both("constant", (x: Tensor) => F.layer_norm(x, [3]), [torch.ones([2, 3])]);
    check_both("nothing", (x: Tensor) => F.layer_norm(x, [3]), [torch.zeros([0, 3])]);
    check_both("statistics", (x: Tensor) => torch.native_layer_norm(x, [5], null, null, 1e-5), [sample([4, 5])]);
  });
});

describe("group_norm", () => {
  test("with its gradients, of halves, without parameters", () => {
    for (const dtype of [torch.float32, torch.bfloat16])
      for (const [shape, groups] of [
        [[2, 6, 4, 3], 3],
        [[3, 4], 2],
        [[1, 4, 50], 1],
        [[2, 5, 3], 5],
      ] as const) {
        const norm = with_gradients((x, w, b) => F.group_norm(x, groups, w, b));
        const c = [shape[1]];
        check_both(
          `[${shape}] ${groups} ${dtype}`,
          norm,
          [sample(shape, dtype, 1), sample(shape, dtype), sample(c, dtype, 2), sample(c, dtype, 3)],
          options_of(dtype),
        );
      }
    const plain = with_gradients((x) => F.group_norm(x, 2));
    check_both("plain", plain, [sample([2, 4, 3]), sample([2, 4, 3], torch.float32, 1)], options_of(torch.float32));
  });
});

describe("batch_norm", () => {
  test("in training and in evaluation, with its gradients", () => {
    for (const dtype of [torch.float32, torch.float16])
      for (const shape of [
        [6, 3],
        [4, 3, 5],
        [2, 3, 4, 5],
        [3, 1, 2, 2],
        [1, 2, 100],
      ])
        for (const training of [true, false]) {
          const c = [shape[1]];
          const of = (seed: number): Tensor => sample(c, dtype, seed);
          const norm =
            (mean: Tensor, variance: Tensor) =>
            (g: Tensor, x: Tensor, w: Tensor, b: Tensor): Tensor[] => {
              const on = (t: Tensor): Tensor => t.to(x.device).clone();
              const [m, v] = [on(mean), on(variance)];
              const run = with_gradients((...[y, weight, bias]) =>
                F.batch_norm(y, m, v, { weight, bias, training, momentum: 0.3 }),
              );
              return [...run(g, x, w, b), m, v];
            };
          check_both(
            `[${shape}] ${dtype} ${training}`,
            norm(of(4), of(5).abs()),
            [sample(shape, dtype, 1), sample(shape, dtype), of(2), of(3)],
            options_of(dtype),
          );
        }
  });
  test("without parameters or statistics, of views", () => {
    const plain = with_gradients((x) => F.batch_norm(x, null, null, { training: true }));
    check_both("plain", plain, [sample([4, 3, 2]), sample([4, 3, 2], torch.float32, 1)], options_of(torch.float32));
    const view = with_gradients((x) => F.batch_norm(x.transpose(0, 1), null, null, { training: true }));
    check_both("transposed", view, [sample([4, 3, 2]), sample([3, 4, 2])], options_of(torch.float32));
    const module = (x: Tensor): Tensor[] => {
      torch.manual_seed(1);
      const norm = new torch.nn.BatchNorm2d(3);
      norm.to(x.device);
      const out = norm(x);
      norm.eval();
      return [
        out,
        norm(x),
        norm.running_mean as Tensor,
        norm.running_var as Tensor,
        norm.num_batches_tracked as Tensor,
      ];
    };
    check_both("module", module, [sample([2, 3, 4, 4])], options_of(torch.float32));
  });
});
