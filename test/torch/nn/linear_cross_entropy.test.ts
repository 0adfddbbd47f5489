/**
 * Cross entropy of a linear layer: at once and in pieces it is `cross_entropy(linear(...))`; what is refused, in PyTorch 2.13.0's words.
 */
import torch, { type Tensor } from "glasstorch";
import { expect, test } from "vitest";

const { nn } = torch;
const F = nn.functional;
const float64 = { dtype: torch.float64 };

function values(...shape: number[]): Tensor {
  const n = shape.reduce((a, b) => a * b, 1);
  return torch.arange(n, float64).mul(0.73).sin().reshape(shape);
}

const close = (a: Tensor, b: Tensor): void => {
  expect(a.shape).toEqual(b.shape);
  expect(torch.allclose(a, b, 1e-12, 1e-12)).toBe(true);
};

const target = torch.tensor([2, 0, 3, 1, 2]);
const pieces = [
  null,
  new nn.LinearCrossEntropyOptions(),
  new nn.LinearCrossEntropyOptions({ batch_chunk_size: 2 }),
  new nn.LinearCrossEntropyOptions({ chunking_method: "aspect_ratio:4", allow_retain_graph: true }),
];

test.each(pieces)("as cross_entropy of linear: loss and gradients (%s)", (options) => {
  const leaves = () => [values(5, 3), values(4, 3), values(4)].map((t) => t.requires_grad_());
  for (const reduction of ["mean", "sum", "none"] as const)
    for (const weight of [null, values(4).abs()])
      for (const ignore_index of [-100, 2, 7]) {
        const [x, W, b] = leaves();
        const [x2, W2, b2] = leaves();
        const loss = F.linear_cross_entropy(x, W, target, { linear_bias: b, weight, reduction, ignore_index, options });
        const expected = F.cross_entropy(F.linear(x2, W2, b2), target, { weight, reduction, ignore_index });
        close(loss.detach(), expected.detach());
        const cotangent = values(...loss.shape).add(2);
        loss.backward(cotangent);
        expected.backward(cotangent);
        for (const [a, e] of [
          [x, x2],
          [W, W2],
          [b, b2],
        ])
          close(a.grad as Tensor, e.grad as Tensor);
      }
});

test("in pieces, backward runs once, or as often as asked", () => {
  const run = (allow_retain_graph: boolean) => {
    const x = values(5, 3).requires_grad_();
    const options = new nn.LinearCrossEntropyOptions({ allow_retain_graph });
    const loss = F.linear_cross_entropy(x, values(4, 3), target, { options });
    loss.backward({ retain_graph: true });
    loss.backward();
    return x.grad as Tensor;
  };
  expect(() => run(false)).toThrow(
    "linear_cross_entropy chunked backward called twice; retain_graph=True / double backward are not supported.",
  );
  const x = values(5, 3).requires_grad_();
  F.linear_cross_entropy(x, values(4, 3), target).backward();
  close(run(true), (x.grad as Tensor).mul(2));
});

test("the module, with more dims and probabilities", () => {
  torch.manual_seed(0);
  const m = new nn.LinearCrossEntropyLoss(3, 4, { out_features: [2], bias: true }).double();
  expect(String(m)).toBe(
    "LinearCrossEntropyLoss(\n  in_features=3, num_classes=4, out_features=(2,), bias=True, reduction=mean, ignore_index=None, label_smoothing=0.0, options=None\n  (linear): Linear(in_features=3, out_features=8, bias=True)\n)",
  );
  const x = values(5, 3);
  const scores = F.linear(x, m.linear.weight, m.linear.bias).reshape(5, 4, 2);
  const classes = torch.stack([target, target.flip(0)], 1);
  close(m(x, classes), F.cross_entropy(scores, classes));
  const probabilities = values(5, 4, 2).softmax(1);
  close(m(x, probabilities), F.cross_entropy(scores, probabilities));
});

test.each<[() => unknown, string]>([
  [
    () => F.linear_cross_entropy(values(5, 2), values(4, 3), target),
    "expected equal input and linear_weight last dimensions (in_features), got 2 and 3, respectively",
  ],
  [
    () => F.linear_cross_entropy(values(3), values(4, 2, 3), target),
    "K-dimensional loss defined by linear_weight shape (4, 2, 3) requires batched input, (N, 3), got unbatched input with shape (3,)",
  ],
  [
    () => new nn.LinearCrossEntropyLoss(3, 4, { label_smoothing: 2 }),
    "expected label_smoothing to be in range [0, 1], got 2",
  ],
  [() => new nn.LinearCrossEntropyOptions({ chunking_method: "aspect" }), "invalid chunking_method: 'aspect'"],
  [
    () => new nn.LinearCrossEntropyOptions({ batch_chunk_size: 0 }),
    "batch_chunk_size must be positive int or None, got 0",
  ],
])("%s is refused", (call, message) => {
  expect(call).toThrow(message);
});
