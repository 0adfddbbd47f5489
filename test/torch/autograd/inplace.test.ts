/** In-place changes, views and version counters. Messages are those of PyTorch 2.13.0. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;
const leaf = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float64, requires_grad: true });
const f32 = (n: number): Any => torch.ones([n], { requires_grad: true });

describe("views", () => {
  test("an in-place change of a view is part of its base's history", () => {
    const a = leaf(1, 2);
    const b = a.mul(2);
    const c = b.view([2, 1]);
    c.mul_(3);
    expect(b.grad_fn.name()).toBe("torch::autograd::CopySlices");
    expect(b.grad_fn.next_functions.map(([node, nr]: Any) => [node?.name() ?? null, nr])).toEqual([
      ["MulBackward0", 0],
      [null, 0],
    ]);
    expect(c.grad_fn.name()).toBe("AsStridedBackward0");
    expect(c.grad_fn.next_functions[0][0]).toBe(b.grad_fn);
    expect([b._version, c._version, c._base === b]).toEqual([1, 1, true]);
    b.backward(torch.ones([2], { dtype: torch.float64 }));
    expect(a.grad.tolist()).toEqual([6, 6]);
  });

  test("only the changed part of the base passes through the change", () => {
    const a = leaf(1, 2, 3);
    const scale = leaf(10);
    const b = a.mul(1);
    b.narrow(0, 1, 1).mul_(scale);
    b.backward(torch.tensor([1, 1, 1], { dtype: torch.float64 }));
    expect(b.tolist()).toEqual([1, 20, 3]);
    expect([a.grad.tolist(), scale.grad.tolist()]).toEqual([[1, 10, 1], [2]]);
  });

  test("a view taken before a change of its base sees the new history", () => {
    const a = leaf(1, 2);
    const b = a.mul(1);
    const view = b.view([2, 1]);
    b.mul_(5);
    expect(view.grad_fn.name()).toBe("AsStridedBackward0");
    view.backward(torch.ones([2, 1], { dtype: torch.float64 }));
    expect(a.grad.tolist()).toEqual([5, 5]);
  });

  test("a view of a view has the root as base", () => {
    const root = leaf(1, 2, 3, 4).mul(1);
    expect(root.view([2, 2]).view([4])._base).toBe(root);
  });

  test("copy_ replaces a part's history", () => {
    const a = leaf(1, 2);
    const src = leaf(7);
    const b = a.mul(1);
    b.narrow(0, 0, 1).copy_(src);
    b.backward(torch.ones([2], { dtype: torch.float64 }));
    expect([a.grad.tolist(), src.grad.tolist()]).toEqual([[0, 1], [1]]);
  });

  test("detach shares memory and versions, not history", () => {
    const b = leaf(1).mul(2);
    const d = b.detach();
    d.zero_();
    expect([b.item(), b._version, d.requires_grad]).toEqual([0, 1, false]);
  });
});

describe("refusals", () => {
  const modified = (shape: string, op: string, version: number, expected: number): string =>
    "one of the variables needed for gradient computation has been modified by an inplace operation: " +
    `[torch.FloatTensor [${shape}]], which is output 0 of ${op}, is at version ${version}; expected version ${expected} instead. ` +
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with " +
    "torch.autograd.set_detect_anomaly(True, check_nan=False).";

  test("a saved output was changed", () => {
    const b = f32(4).exp();
    b.add_(1);
    expect(() => b.backward(torch.ones([4]))).toThrow(modified("4", "Exp", 1, 0));
  });

  test("a saved output was changed through the tensor that the node gives out", () => {
    const y = f32(4).exp();
    y.grad_fn._saved_result.detach().add_(1);
    expect(() => y.backward(torch.ones([4]))).toThrow(modified("4", "Exp", 1, 0));
  });

  test("a saved input was changed through a view", () => {
    const b = f32(4).mul(2);
    const d = b.mul(b);
    b.view([2, 2]).add_(1);
    expect(() => d.backward(torch.ones([4]))).toThrow(modified("4", "torch::autograd::CopySlices", 1, 0));
  });

  test("a saved leaf was changed under no_grad", () => {
    const a = f32(2);
    const y = a.mul(a);
    torch.no_grad(() => a.add_(1));
    expect(() => y.backward(torch.ones([2]))).toThrow(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]] is at version 1; expected version 0 instead.",
    );
  });

  test("a saved tensor was detached in place", () => {
    const b = f32(4).mul(2);
    const e = b.exp().mul(b);
    b.detach_();
    expect(() => e.backward(torch.ones([4]))).toThrow(
      "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please use out-of-place `.detach()` instead",
    );
  });

  const forbidden =
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the";
  test.each([
    ["a leaf", () => f32(4).add_(1), "a leaf Variable that requires grad is being used in an in-place operation."],
    [
      "a view of a leaf",
      () => f32(4).view([2, 2]).add_(1),
      "a view of a leaf Variable that requires grad is being used in an in-place operation.",
    ],
    [
      "one of several views",
      () => f32(4).mul(2).split(2)[0].add_(1),
      "Output 0 of Split is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
    ],
    [
      "the base of several views",
      () => {
        const b = f32(4).mul(2);
        const [first] = b.split(2);
        b.add_(1);
        return first.grad_fn;
      },
      "Output 0 of Split is a view and its base or another view of its base has been modified inplace. This view is the output of a function that returns multiple views.",
    ],
    [
      "a no_grad view",
      () => {
        const b = f32(4).mul(2);
        torch.no_grad(() => b.view([2, 2])).add_(1);
      },
      `A view was created in no_grad mode and is being modified inplace with grad mode enabled.${forbidden} no_grad block`,
    ],
    [
      "a view of a no_grad view",
      () => {
        const b = f32(4).mul(2);
        torch
          .no_grad(() => b.view([2, 2]))
          .view([4])
          .add_(1);
      },
      `Output 0 of View is a view of a view which was created in no_grad mode and is being modified inplace with grad mode enabled.${forbidden} no_grad block`,
    ],
    [
      "an inference mode view",
      () => {
        const b = f32(4).mul(2);
        torch.inference_mode(() => b.view([2, 2])).add_(1);
      },
      `A view was created in inference mode and is being modified inplace in normal mode.${forbidden} inference_mode block`,
    ],
    [
      "an inference tensor",
      () => torch.inference_mode(() => torch.ones([2])).add_(1),
      "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
    ],
    [
      "an inference tensor that would be saved",
      () => f32(2).mul(torch.inference_mode(() => torch.ones([2]))),
      "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
    ],
  ])("%s", (_name, fn, message) => {
    expect(fn).toThrow(message);
  });
});
