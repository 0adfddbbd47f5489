/** Numbers of PyTorch 2.13.0's generator, recorded by tools/oracle/record_distributions.py. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { type Any, decode, differs, readFixture } from "../../helpers/recorded.ts";

const { tensor } = torch;

interface Case {
  readonly place: "method" | "torch" | "F";
  readonly name: string;
  readonly args: readonly Any[];
  readonly kwargs: Record<string, Any>;
  readonly results: readonly Any[];
  readonly next: number;
}
const recorded = readFixture<{ seed: number; cases: readonly Case[] }>(
  new URL("../../fixtures/native/distributions.json.gz", import.meta.url),
);

describe("the numbers that PyTorch draws", () => {
  test.each(recorded.cases.map((each, i) => [`${each.place} ${each.name} #${i}`, each] as const))("%s", (_, each) => {
    const args: Any[] = each.args.map(decode);
    torch.manual_seed(recorded.seed);
    const place: Any = each.place === "method" ? args[0] : each.place === "F" ? torch.nn.functional : torch;
    const result: Any = place[each.name](...(each.place === "method" ? args.slice(1) : args));
    const results: Any[] = result instanceof torch.Tensor ? [result] : [...result];
    expect(results.map((r, i) => differs(r, each.results[i], { values: true }))).toEqual(each.results.map(() => null));
    expect(torch.rand(1).item()).toBe(each.next);
  });
});

test("refusals", () => {
  expect(() => torch.zeros(1).exponential_(0)).toThrow("exponential_ expects lambda > 0.0, but found lambda=0");
  expect(() => torch.zeros(1).geometric_(1)).toThrow("geometric_ expects p to be in (0, 1), but got p=1");
  expect(() => tensor([1]).cauchy_()).toThrow("dtype must be a floating point but you specified long int");
  expect(() => tensor([1]).exponential_()).toThrow("dtype must be a floating point but you specified Long");
  expect(() => torch.multinomial(torch.ones(3), 4)).toThrow("cannot sample n_sample > prob_dist.size(-1)");
  expect(() => torch.multinomial(tensor([-1.5]), 1)).toThrow("either `inf`, `nan` or element < 0");
  expect(() => torch.multinomial(torch.zeros(3), 2, true)).toThrow("sum of probabilities <= 0");
  expect(() => torch.normal(0.5, tensor([-1.5]))).toThrow("normal expects all elements of std >= 0.0");
  const half = torch.ones(2, { dtype: torch.float16 });
  expect(() => torch._standard_gamma(half)).toThrow("\"gamma_cpu\" not implemented for 'Half'");
  expect(() => torch._sample_dirichlet(half)).toThrow("\"dirichlet\" not implemented for 'Half'");
  expect(() => torch.binomial(half, half)).toThrow("\"binomial_cpu\" not implemented for 'Half'");
  expect(() => torch.binomial(tensor([1]), tensor([0.5]))).toThrow(
    "binomial only supports floating-point dtypes for count, got: Long",
  );
  expect(() => torch.feature_dropout(torch.ones(3), 0.5, true)).toThrow("requires at least 2 dimensions");
});

test("a gamma number's gradient is the one of its formula, and a binomial number has none", () => {
  const alpha = tensor([0.5, 3, 20], { dtype: torch.float64, requires_grad: true });
  const drawn = torch._standard_gamma(alpha);
  const [grad] = torch.autograd.grad(drawn.sum(), alpha) as Any[];
  expect(torch.equal(grad, torch._standard_gamma_grad(alpha.detach(), drawn.detach()))).toBe(true);
  const prob = tensor([0.5], { requires_grad: true });
  expect(() => torch.binomial(torch.ones(1), prob).sum().backward()).toThrow(
    "derivative for aten::binomial is not implemented",
  );
});

test("dropouts as modules", () => {
  const { nn } = torch;
  torch.manual_seed(1);
  const channels = new nn.Dropout1d(0.5)(torch.ones(1, 8, 5))
    .sum(2)
    .unbind(1);
  expect(channels.map((t) => t.item()).every((sum) => sum === 0 || sum === 10)).toBe(true);
  expect(String(new nn.FeatureAlphaDropout(0.25))).toBe("FeatureAlphaDropout(p=0.25, inplace=False)");
  expect(() => new nn.Dropout1d()(torch.ones(1))).toThrow("dropout1d: Expected 2D or 3D input");
});

test("the gradient of native_dropout goes where the mask let pass", () => {
  const x = torch.ones(20, { requires_grad: true });
  const [out, mask] = torch.native_dropout(x, 0.5, true);
  out.sum().backward();
  expect(torch.equal(x.grad as never, mask.float().mul(2))).toBe(true);
});

test("ends are met, from both sides", () => {
  const x = torch.linspace(-1, 0.3, 7);
  expect([x.at(0).item(), x.at(-1).item()]).toEqual([-1, Math.fround(0.3)]);
  expect(torch.linspace(0, 10, 4, { dtype: torch.int64 }).tolist()).toEqual([0, 3, 6, 10]);
  expect(torch.logspace(3, 0, 4, 2).tolist()).toEqual([8, 4, 2, 1]);
  expect(torch.eye(2, 3, { dtype: torch.int8 }).tolist()).toEqual([
    [1, 0, 0],
    [0, 1, 0],
  ]);
  expect(() => torch.linspace(tensor([1]), 2, 3)).toThrow("linspace only supports 0-dimensional start and end tensors");
});
