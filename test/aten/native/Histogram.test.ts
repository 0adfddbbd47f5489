import torch from "glasstorch";
import { expect, test } from "vitest";
import { assert_close } from "#torch/testing/index";

const x = torch.tensor([0.5, 1, 1, 2.5, 4]);

test("a bin holds its left edge, the last one the right edge too", () => {
  const { hist, bin_edges } = x.histogram(torch.tensor([0, 1, 2.5, 4]));
  expect([hist.tolist(), bin_edges.tolist()]).toEqual([
    [1, 2, 2],
    [0, 1, 2.5, 4],
  ]);
});

test("equal bins count as histc does, weights as often", () => {
  torch.manual_seed(0);
  const many = torch.rand(200);
  assert_close(torch.histogram(many, 7, { range: [0, 1] }).hist, torch.histc(many, 7, 0, 1));
  const doubled = torch.histogram(many, 7, { weight: torch.ones(200).mul(2) }).hist;
  assert_close(doubled, torch.histogram(many, 7).hist.mul(2));
});

test("a density has area 1", () => {
  const { hist, bin_edges } = torch.histogram(x, torch.tensor([0, 1, 4.5]), { density: true });
  expect(hist.mul(bin_edges.diff()).sum().item()).toBeCloseTo(1);
});

test("no bins are refused", () => {
  expect(() => torch.histogram(x, 0)).toThrow("torch.histogram(): bins must be > 0, but got 0 for dimension 0");
});
