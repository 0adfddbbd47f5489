/** nll_loss2d: worked cases, refusals in PyTorch 2.13.0's words, and its gradients. Values beyond these: test/opinfo (nll_loss, cross_entropy). */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const aten = torch.ops.aten as Any;
const forward = (...args: Any[]): Any => aten.nll_loss2d_forward(...args);
const backward = (...args: Any[]): Any => aten.nll_loss2d_backward(...args);
/** sin(1), sin(2), ... */
const x = (dtype = torch.float32): Any => {
  const values = torch.tensor(Array.from({ length: 24 }, (_, i) => Math.sin(i + 1)));
  return values.reshape(2, 3, 2, 2).to(dtype);
};
const y = (): Any => torch.zeros(2, 2, 2, { dtype: torch.int64 });
const ones = (...size: number[]): Any => torch.ones(size);

test("positions are added up; the weight beside the loss is their number", () => {
  const [loss, total] = forward(x(), y(), null, 2, -100);
  expect([loss.item(), total.item()]).toEqual([expect.closeTo(-2.9082, 4), 8]);
  expect(forward(x(), y(), null, 1, -100)[0].item()).toBeCloseTo(-0.3635, 4);
  expect(forward(x(), y(), null, 0, -100).map((t: Any) => t.shape)).toEqual([[2, 2, 2], []]);
});

test("ignored positions count for nothing", () => {
  const ignored = y().fill_(-100);
  expect(forward(x(), ignored, null, 2, -100)[0].item()).toBe(0);
  expect(forward(x(), ignored, null, 1, -100)[0].item()).toBeNaN();
  expect(forward(x(), ignored, null, 0, -100)[0].tolist().flat(2)).toEqual(new Array(8).fill(0));
});

test("halves divide the gradient before they weigh it", () => {
  const half = (v: number): Any => torch.tensor(v, { dtype: torch.float16 });
  const grad = backward(half(1), x(torch.float16), y(), half(0.3).expand(3), 1, -100, half(3));
  const third = half(1).div(half(3)).neg();
  expect(grad.__getitem__([0, 0, 0, 0]).item()).toBe(third.mul(half(0.3)).item());
});

test.each<[string, () => unknown, string]>([
  ["RuntimeError", () => forward(x(), y().to(torch.uint8), null, 1, -100), "expected scalar type Long but found Byte"],
  [
    "RuntimeError",
    () => forward(x(), y().int(), null, 1, -100),
    "expected target dtype to be Long or Byte, but got Int",
  ],
  [
    "NotImplementedError",
    () => forward(x().long(), y(), null, 1, -100),
    "\"nll_loss2d_forward_out_frame\" not implemented for 'Long'",
  ],
  [
    "RuntimeError",
    () => forward(x().select(0, 0), y(), null, 1, -100),
    "only batches of spatial inputs supported (4D tensors), but got input of dimension: 3",
  ],
  [
    "RuntimeError",
    () => forward(x(), y().select(0, 0), null, 1, -100),
    "only batches of spatial targets supported (3D tensors) but got targets of dimension: 2",
  ],
  [
    "RuntimeError",
    () => forward(x(), y().narrow(0, 0, 1), null, 1, -100),
    "size mismatch (got input: [2, 3, 2, 2] , target: [1, 2, 2]",
  ],
  ["IndexError", () => forward(x(), y().add(3), null, 1, -100), "Target 3 is out of bounds."],
  ["IndexError", () => forward(x(), y().sub(1), null, 0, -100), "Target -1 is out of bounds."],
  [
    "RuntimeError",
    () => forward(x(), y(), ones(2), 1, -100),
    "weight tensor should be defined either for all or no classes",
  ],
  ["RuntimeError", () => forward(x(), y(), ones(3).double(), 1, -100), "expected scalar type Float but found Double"],
  [
    "RuntimeError",
    () => backward(ones(2), x(), y(), null, 1, -100, ones(1)),
    "Expected a single element grad_output tensor, but got: [2]",
  ],
  [
    "RuntimeError",
    () => backward(ones(2), x(), y(), null, 0, -100, ones(1)),
    "grad_output must have same dimension as target (3) but got dimension: [2]",
  ],
  [
    "RuntimeError",
    () => backward(ones(2, 2, 3), x(), y(), null, 0, -100, ones(1)),
    "size mismatch (got grad_output: [2, 2, 3] target: [2, 2, 2]",
  ],
  [
    "RuntimeError",
    () => backward(ones(2, 2, 2), x(), y(), null, 0, -100, ones(2)),
    "expected total_weight to be a single element tensor, got: [2] (2 elements)",
  ],
  [
    "RuntimeError",
    () => backward(ones(1), x().permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2), y(), null, 1, -100, ones(1)),
    "grad_input must be contiguous",
  ],
  [
    "RuntimeError",
    () => backward(ones(1).double(), x(), y(), null, 2, -100, ones(1)),
    "expected scalar type Float but found Double",
  ],
  ["IndexError", () => backward(ones(1), x(), y().add(3), null, 2, -100, ones(1)), "Target 3 is out of bounds."],
])("%s: %s", (name, run, message) => {
  let error: Error | undefined;
  try {
    run();
  } catch (e) {
    error = e as Error;
  }
  expect([error?.name, error?.message]).toEqual([name, message]);
});

test.each([
  [[2, 3, 2], [2, 3], "RuntimeError", "Expected target size [2, 2], got [2, 3]"],
  [[2, 3, 2], [3, 2], "ValueError", "Expected input batch_size (2) to match target batch_size (3)."],
  [[2, 3, 2, 2, 2], [2, 2, 2, 3], "RuntimeError", "Expected target size [2, 2, 2, 2], got [2, 2, 2, 3]"],
  [[2, 3, 2, 2], [2, 2, 3], "RuntimeError", "size mismatch (got input: [2, 3, 2, 2] , target: [2, 2, 3]"],
  [[2, 3, 2], [2], "RuntimeError", "Expected target size [2, 2], got [2]"],
  [[2, 0, 2, 2], [2, 2, 2], "IndexError", "Target 0 is out of bounds."],
])("nll_loss refuses an input %j with a target %j", (input, target, name, message) => {
  const run = (): unknown =>
    torch.nn.functional.nll_loss(torch.ones(input), torch.zeros(target, { dtype: torch.int64 }));
  let error: Error | undefined;
  try {
    run();
  } catch (e) {
    error = e as Error;
  }
  expect([error?.name, error?.message]).toEqual([name, message]);
});

test("gradients of gradients, three and more dimensions, weights and ignored targets", () => {
  const target = torch.tensor([
    [0, 2, -100, 1],
    [1, 1, 0, 2],
  ]);
  const weight = torch.tensor([0.5, 1.5, 2.5], { dtype: torch.float64 });
  for (const reduction of ["none", "mean", "sum"] as const) {
    const input = torch
      .tensor(Array.from({ length: 24 }, (_, i) => Math.cos(i)))
      .double()
      .reshape(2, 3, 4)
      .requires_grad_();
    const loss = torch.nn.functional.cross_entropy(input, target, { weight, reduction }).pow(2).sum();
    const [grad] = torch.autograd.grad([loss], [input], null, { create_graph: true }) as Any[];
    const direction = torch
      .tensor(Array.from({ length: 24 }, (_, i) => Math.sin(3 * i)))
      .double()
      .reshape(2, 3, 4);
    const eps = 1e-5;
    const at = (step: number): number =>
      (
        torch.nn.functional.cross_entropy(input.detach().add(direction, { alpha: step }), target, {
          weight,
          reduction,
        }) as Any
      )
        .pow(2)
        .sum()
        .item();
    expect(grad.mul(direction).sum().item()).toBeCloseTo((at(eps) - at(-eps)) / (2 * eps), 6);
    const [second] = torch.autograd.grad([grad.mul(direction).sum()], [input]) as Any[];
    const h = 1e-3;
    expect(second.mul(direction).sum().item()).toBeCloseTo((at(h) - 2 * at(0) + at(-h)) / (h * h), 3);
  }
});
