/** layer_norm, group_norm, rms_norm and instance_norm: laws, gradients, refusals in PyTorch 2.13.0's words. Values: test/opinfo. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const F = torch.nn.functional as Any;
const f64 = (...size: number[]): Any => torch.randn(size, { dtype: torch.float64 });
const grad = (t: Any): Any => t.requires_grad_(true);
const close = (a: Any, b: Any): void => expect(torch.allclose(a, b)).toBe(true);

test("instance_norm is batch_norm of each instance", () => {
  const x = f64(3, 4, 5);
  const [w, b] = [f64(4), f64(4)];
  const y = F.instance_norm(x, null, null, w, b);
  for (let i = 0; i < 3; i++) {
    const one = x.__getitem__(i).unsqueeze(0);
    close(y.__getitem__(i).unsqueeze(0), F.batch_norm(one, null, null, w, b, true));
  }
  const mean = torch.zeros(4, { dtype: torch.float64 });
  F.instance_norm(x, mean, torch.ones(4, { dtype: torch.float64 }), null, null, true, 1);
  close(mean, x.mean([0, 2]));
});

test("one group is layer_norm without weights; a group a channel is instance_norm", () => {
  const x = f64(2, 6, 5);
  close(F.group_norm(x, 1), F.layer_norm(x, [6, 5]));
  close(F.group_norm(x, 6), F.instance_norm(x));
  const image = f64(2, 6, 3, 4);
  close(F.group_norm(image.contiguous({ memory_format: torch.channels_last }), 3), F.group_norm(image, 3));
});

test.each<[string, (...args: Any[]) => Any, () => Any[]]>([
  ["layer_norm", (x, w, b) => F.layer_norm(x, [3], w, b), () => [f64(4, 3), f64(3), f64(3)]],
  ["group_norm", (x, w, b) => F.group_norm(x, 2, w, b), () => [f64(2, 4, 3), f64(4), f64(4)]],
  ["rms_norm", (x, w) => F.rms_norm(x, [3], w), () => [f64(4, 3), f64(3)]],
  ["instance_norm", (x, w, b) => F.instance_norm(x, null, null, w, b), () => [f64(2, 3, 4), f64(3), f64(3)]],
])("gradients of %s agree with finite differences, the second ones too", (_name, f, args) => {
  const given = args().map(grad);
  expect(torch.autograd.gradcheck(f, given)).toBe(true);
  expect(torch.autograd.gradgradcheck(f, given)).toBe(true);
});

const x = torch.ones([2, 3, 4]);
test.each<[string, () => unknown, string]>([
  [
    "RuntimeError",
    () => F.layer_norm(x, [5]),
    "Given normalized_shape=[5], expected input with shape [*, 5], but got input of size[2, 3, 4]",
  ],
  [
    "RuntimeError",
    () => F.layer_norm(x, [4], torch.ones(3)),
    "Expected weight to be of same shape as normalized_shape, but got weight of shape [3] and normalized_shape = [4]",
  ],
  ["NotImplementedError", () => F.layer_norm(x.int(), [4]), "\"LayerNormKernelImpl\" not implemented for 'Int'"],
  [
    "RuntimeError",
    () => F.group_norm(x, 2),
    "Expected number of channels in input to be divisible by num_groups, but got input of shape [2, 3, 4] and num_groups=2",
  ],
  [
    "RuntimeError",
    () => F.group_norm(x, 3, null, torch.ones(2)),
    "but got bias of shape [0] and input of shape [2, 3, 4]",
  ],
  [
    "RuntimeError",
    () => F.rms_norm(x, [5]),
    "Given normalized_shape=[5], expected input with shape [*5], but got input of size[2, 3, 4]",
  ],
  ["NotImplementedError", () => F.rms_norm(x.int(), [4]), "\"rms_norm\" not implemented for 'Int'"],
  [
    "ValueError",
    () => F.instance_norm(torch.ones(1, 3, 1)),
    "Expected more than 1 spatial element when training, got input size torch.Size([1, 3, 1])",
  ],
  [
    "ValueError",
    () => (new torch.nn.SyncBatchNorm(3) as Any)(torch.ones(3)),
    "expected at least 2D input (got 1D input)",
  ],
  ["ValueError", () => new torch.nn.GroupNorm(2, 3), "num_channels (3) must be divisible by num_groups (2)"],
])("%s", (type, call, message) => {
  let error: Any = null;
  try {
    call();
  } catch (e) {
    error = e;
  }
  expect([error?.name, error?.message]).toEqual([type, expect.stringContaining(message)]);
});
