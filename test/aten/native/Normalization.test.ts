/** batch_norm and its relatives: worked cases, laws, gradients, refusals in PyTorch 2.13.0's words. Values beyond these: test/opinfo. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const F = torch.nn.functional;
const aten = torch.ops.aten as Any;
const f64 = (...size: number[]): Any => torch.randn(size, { dtype: torch.float64 });
const grad = (t: Any): Any => t.requires_grad_(true);
const batch_norm = (...args: Any[]): Any => (torch as Any).batch_norm(...args, false);

test("two values a channel become -1 and 1", () => {
  const x = torch.tensor([
    [1.5, 10.5],
    [2.5, 12.5],
  ]);
  expect(batch_norm(x, null, null, null, null, true, 0.1, 0).tolist()).toEqual([
    [-1, -1],
    [1, 1],
  ]);
  const [, mean, invstd] = torch.native_batch_norm(x, null, null, null, null, true, 0.1, 0) as Any;
  expect([mean.tolist(), invstd.tolist()]).toEqual([
    [2, 11.5],
    [2, 1],
  ]);
});

test("running statistics move by the momentum, the variance as of a sample", () => {
  const mean = torch.zeros(1);
  const variance = torch.ones(1);
  batch_norm(torch.tensor([[1.5], [2.5]]), null, null, mean, variance, true, 0.5, 1e-5);
  expect([mean.item(), variance.item()]).toEqual([1, 0.75]);
});

test("strides change no result: contiguous, channels last, transposed, every other element", () => {
  const x = f64(4, 6, 5, 8);
  const layouts = [
    (t: Any) => t.contiguous({ memory_format: torch.channels_last }),
    (t: Any) => t.transpose(0, 2).contiguous().transpose(0, 2),
    (t: Any) => torch.stack([t, t], -1).select(-1, 1),
  ];
  const [w, b] = [f64(6), f64(6)];
  const run = (t: Any, training: boolean): Any[] => {
    const [mean, variance] = [torch.zeros(6, { dtype: torch.float64 }), torch.ones(6, { dtype: torch.float64 })];
    const x_ = grad(t.detach());
    const y = batch_norm(x_, grad(w.detach()), b, mean, variance, training, 0.1, 1e-5);
    const [dx, dw] = torch.autograd.grad(y, [x_, y.grad_fn.next_functions[1][0].variable], y.detach().pow(2)) as Any;
    return [y, mean, variance, dx, dw];
  };
  for (const training of [true, false]) {
    const plain = run(x, training);
    for (const layout of layouts) {
      const other = run(layout(x), training);
      for (const [i, t] of plain.entries()) expect(torch.allclose(other[i], t)).toBe(true);
    }
  }
});

test.each([true, false])("gradients agree with finite differences, the second ones too (training %s)", (training) => {
  const stats = (): Any[] => [torch.zeros(3, { dtype: torch.float64 }), torch.ones(3, { dtype: torch.float64 })];
  const f = (x: Any, w: Any, b: Any): Any => batch_norm(x, w, b, ...stats(), training, 0.1, 1e-5);
  const args = [grad(f64(4, 3, 2)), grad(f64(3)), grad(f64(3))];
  expect(torch.autograd.gradcheck(f, args)).toBe(true);
  expect(torch.autograd.gradgradcheck(f, args)).toBe(true);
});

test("repeat and unfold, with gradients", () => {
  expect(torch.arange(3).repeat(2, 2).tolist()).toEqual([
    [0, 1, 2, 0, 1, 2],
    [0, 1, 2, 0, 1, 2],
  ]);
  expect(torch.arange(6).reshape(2, 3).repeat(1, 0).shape).toEqual([2, 0]);
  expect(torch.arange(5).unfold(0, 3, 2).tolist()).toEqual([
    [0, 1, 2],
    [2, 3, 4],
  ]);
  expect(torch.autograd.gradcheck((x: Any) => x.repeat(2, 1, 3), [grad(f64(2, 3))])).toBe(true);
  for (const step of [1, 2, 3])
    expect(torch.autograd.gradcheck((x: Any) => x.unfold(1, 2, step), [grad(f64(2, 5))])).toBe(true);
});

test("meta tensors tell shapes", () => {
  const x = torch.empty([2, 3, 4, 4], { device: "meta" });
  const shapes = (ts: Any): unknown => ts.map((t: Any) => [t.shape, t.device.type]);
  expect(shapes(torch.native_batch_norm(x, null, null, null, null, true, 0.1, 1e-5))).toEqual([
    [[2, 3, 4, 4], "meta"],
    [[3], "meta"],
    [[3], "meta"],
  ]);
});

const x = torch.ones([2, 3, 4]);
const ones = (n: number, dtype = torch.float32): Any => torch.ones(n, { dtype });
test.each<[string, () => unknown, string]>([
  ["IndexError", () => batch_norm(torch.ones(3), null, null, null, null, true, 0.1, 1e-5), "Dimension out of range"],
  [
    "RuntimeError",
    () => batch_norm(x, ones(2), null, null, null, true, 0.1, 1e-5),
    "weight should contain 3 elements not 2",
  ],
  [
    "RuntimeError",
    () => batch_norm(x, null, ones(2), null, null, true, 0.1, 1e-5),
    "bias should contain 3 elements not 2",
  ],
  [
    "RuntimeError",
    () => batch_norm(x, null, null, ones(2), null, true, 0.1, 1e-5),
    "running_mean should contain 3 elements not 2",
  ],
  [
    "RuntimeError",
    () => batch_norm(x, null, null, null, null, false, 0.1, 1e-5),
    "running_mean must be defined in evaluation mode",
  ],
  [
    "RuntimeError",
    () => batch_norm(x, null, null, ones(3), null, false, 0.1, 1e-5),
    "running_var must be defined in evaluation mode",
  ],
  [
    "ValueError",
    () => batch_norm(x, null, null, ones(3), null, true, 0.1, 1e-5),
    "running_mean and running_var must either both be None or neither be None",
  ],
  [
    "RuntimeError",
    () => batch_norm(x.double(), ones(3), null, null, null, true, 0.1, 1e-5),
    "mixed dtype (CPU): all inputs must share same datatype.",
  ],
  [
    "RuntimeError",
    () => batch_norm(x.half(), ones(3, torch.float64), null, null, null, true, 0.1, 1e-5),
    "mixed dtype (CPU): expect parameter to have scalar type of Float",
  ],
  [
    "NotImplementedError",
    () => batch_norm(x.int(), null, null, null, null, true, 0.1, 1e-5),
    "\"batch_norm\" not implemented for 'Int'",
  ],
  [
    "RuntimeError",
    () => aten.native_batch_norm(torch.zeros(0, 3, 4), null, null, null, null, true, 0.1, 1e-5),
    "input tensor must have at least one element, but got input_sizes = [0, 3, 4]",
  ],
  [
    "ValueError",
    () => F.batch_norm(x, null, null, { training: true, eps: 0 }),
    "batch_norm eps must be positive during training, but got 0",
  ],
  [
    "ValueError",
    () => F.batch_norm(torch.ones(1, 3, 1), null, null, { training: true }),
    "Expected more than 1 value per channel when training, got input size torch.Size([1, 3, 1])",
  ],
  [
    "RuntimeError",
    () => (torch as Any).instance_norm(x, null, null, null, null, false, 0.1, 1e-5, false),
    "Expected running_mean and running_var to be defined when use_input_stats is false",
  ],
])("%s", (type, call, message) => {
  let error: Any = null;
  try {
    call();
  } catch (e) {
    error = e;
  }
  expect([error?.name, error?.message]).toEqual([type, expect.stringContaining(message)]);
});
