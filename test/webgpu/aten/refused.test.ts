/**
 * @file Arguments that a kernel does not support are refused at the call, as on the CPU, not by a shader's compiler later; and calls that need doubles elsewhere.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../src/c10/webgpu/WebGPUFunctions.ts";
import { assert_close, check_both, fallen_back, sample, type Tensor, to_device, torch } from "../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;
const labels = torch.tensor([0, 2, 1]);

describe("integers and bools", () => {
  test.each([
    ["layer_norm", (x: Tensor) => F.layer_norm(x, [4])],
    ["group_norm", (x: Tensor) => F.group_norm(x, 2)],
    ["softmax", (x: Tensor) => torch.softmax(x, 1)],
    ["log_softmax", (x: Tensor) => torch.log_softmax(x, 0)],
    ["nll_loss", (x: Tensor) => F.nll_loss(x, labels.to(x.device))],
    ["adaptive_avg_pool2d", (x: Tensor) => F.adaptive_avg_pool2d(x.view([1, 3, 4]), [2, 2])],
    ["elu of nothing", (x: Tensor) => F.elu(x.at(torch.slice(0, 0)))],
  ] as const)("%s", (_, f) => {
    for (const dtype of [torch.int64, torch.int32, torch.bool]) {
      expect(() => f(sample([3, 4], dtype))).toThrow("not implemented for");
      expect(() => f(sample([3, 4], dtype).to("webgpu"))).toThrow("not implemented for");
    }
  });
  test("products and scans of bools", () => {
    for (const x of [
      torch.ones([2, 2], { dtype: torch.bool }),
      torch.ones([2, 2], { dtype: torch.bool }).to("webgpu"),
    ]) {
      expect(() => torch.mm(x, x)).toThrow("not implemented for 'Bool'");
      expect(() => torch.cumsum(x, 0, { dtype: torch.bool })).toThrow("not implemented for 'Bool'");
    }
  });
  test("products of two dtypes", () => {
    const [a, b] = [sample([2, 3, 4]), sample([2, 4, 3], torch.int64)];
    const bmm = (x: Tensor, y: Tensor) => () => torch.bmm(x, y);
    expect(bmm(a, b)).toThrow("expected scalar type Float but found Long");
    expect(bmm(a.to("webgpu"), b.to("webgpu"))).toThrow("expected scalar type Float but found Long");
  });
});

describe("where the CPU takes doubles", () => {
  test("powers of a number", () => {
    for (const dtype of [torch.float32, torch.float16, torch.int64, torch.bool])
      for (const base of [torch.Float(2), 3, torch.Float(1), torch.Float(0.5)])
        check_both(`${base} ** ${dtype}`, (x: Tensor) => torch.pow(base, x), [torch.tensor([0, 1, 3]).to(dtype)]);
  });
  test("renorm's gradient, batch_norm of nothing", () => {
    const grad = (x: Tensor): Tensor => {
      const leaf = x.detach().requires_grad_(true);
      torch.renorm(leaf, 2, 0, torch.Float(1.5)).sum().backward();
      return leaf.grad as Tensor;
    };
    const x = sample([3, 4]);
    assert_close(grad(x.to("webgpu")), grad(x), "renorm", 1e-4, 1e-5);
    fallen_back(); // renorm itself
    check_both("batch_norm", (x: Tensor) => F.batch_norm(x, null, null, null, null, true), [torch.zeros([0, 3])]);
  });
  test("pinv, which falls back for its parts", () => {
    const x = sample([4, 3]);
    assert_close(torch.linalg.pinv(x.to("webgpu")), torch.linalg.pinv(x), "pinv", 1e-3, 1e-5);
    expect(fallen_back().length).toBeGreaterThan(0);
  });
});

test("the gradient of solve, of a matrix within another, which falls back", () => {
  const whole = sample([5, 7]);
  const right = sample([4], torch.float32, 1);
  const gradients = (w: Tensor, b: Tensor): Tensor[] => {
    const leaf = w.detach().requires_grad_(true);
    torch.linalg
      .solve(leaf.at(torch.slice(0, 4), torch.slice(1, 5)), b)
      .pow(2)
      .sum()
      .backward();
    return [leaf.grad as Tensor];
  };
  const on_device = gradients(...([whole, right].map(to_device) as [Tensor, Tensor]));
  assert_close(on_device, gradients(whole, right), "solve", 1e-3, 1e-3);
  fallen_back();
});

test("set_ without a source, and a view of the other sign", () => {
  const x = sample([3]).to("webgpu");
  expect(x.clone().set_().shape).toEqual([0]);
  check_both("_neg_view", (t: Tensor) => t._neg_view().add(1), [sample([3])]);
  expect(x._neg_view().cpu().tolist()).toEqual(x.neg().cpu().tolist());
});
