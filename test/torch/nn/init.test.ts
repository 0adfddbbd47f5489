import torch from "glasstorch";
import { expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";

const { init } = torch.nn;

test("a fresh Linear is PyTorch's, bit for bit", () => {
  torch.manual_seed(0);
  const linear = new torch.nn.Linear(2, 2);
  // torch.manual_seed(0); torch.nn.Linear(2, 2) in PyTorch 2.13.0
  expect(linear.weight.tolist()).toEqual([
    [-0.005293981172144413, 0.37932288646698],
    [-0.5819807648658752, -0.5203874707221985],
  ]);
  expect(linear.bias?.tolist()).toEqual([-0.27234524488449097, 0.1896158903837204]);
});

test("fan in and fan out count the receptive field", () => {
  expect(init._calculate_fan_in_and_fan_out(torch.ones(4, 3, 2, 5))).toEqual([30, 40]);
  expect(() => init.kaiming_uniform_(torch.ones(2))).toThrow(
    "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
  );
});

test("gains", () => {
  expect(init.calculate_gain("leaky_relu", 0)).toBe(Math.sqrt(2));
  expect(init.calculate_gain("tanh")).toBe(5 / 3);
  expect(() => init.calculate_gain("x")).toThrow("Unsupported nonlinearity x");
});

test("values are written without history", () => {
  const p = new torch.nn.Parameter(torch.zeros(3));
  expect(init.constant_(p, 2.5)).toBe(p);
  expect([p.tolist(), p.grad_fn, p.requires_grad]).toEqual([[2.5, 2.5, 2.5], null, true]);
});

test("a slope given as a float is a slope, not keyword arguments", () => {
  const first = (a: number | InstanceType<typeof torch.Float>): unknown => {
    torch.manual_seed(0);
    return init.kaiming_normal_(torch.empty([2, 3]), a).tolist();
  };
  expect(first(new torch.Float(2))).toEqual(first(2));
  expect(first(new torch.Float(2))).not.toEqual(first(0));
});

test("orthogonal_ draws PyTorch's matrices; later dims count as one", () => {
  torch.manual_seed(3);
  const t = init.orthogonal_(torch.empty([2, 3], { dtype: torch.float64 }), 2);
  const expected = [
    [1.9429003151447346, 0.42287311195024724, 0.2152131422567054],
    [0.15129935429135047, 0.30764696811665926, -1.9703963683481676],
  ];
  expect(torch.allclose(t, torch.tensor(expected, { dtype: torch.float64 }), 1e-12, 1e-12)).toBe(true);
  const filters = init.orthogonal_(torch.empty([4, 2, 3, 3])).flatten(1);
  expect(torch.allclose(filters.matmul(filters.T), torch.eye(4), 1e-5, 1e-6)).toBe(true);
  expect(() => init.orthogonal_(torch.ones(3))).toThrow("Only tensors with 2 or more dimensions are supported");
});

test("the older names warn, and do the same", () => {
  const warnings: string[] = [];
  const before = setWarningHandler(({ msg }) => warnings.push(msg));
  try {
    expect(init.constant(torch.ones(2), 3).tolist()).toEqual([3, 3]);
  } finally {
    setWarningHandler(before);
  }
  expect(warnings.join()).toContain("`nn.init.constant` is now deprecated in favor of `nn.init.constant_`.");
});
