/**
 * @file `torch.use_deterministic_algorithms` on the device: what goes to one place comes in the CPU's order, at every run; what is empty is filled;
 * and only what has no order refuses.
 * @original
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { record } from "../../../../../src/trace/index.ts";
import { assert_close, check_both, fallen_back, sample, type Tensor, to_device, torch } from "../../../support/both.ts";

afterAll(close_device);
beforeEach(() => torch.use_deterministic_algorithms(true));
afterEach(() => torch.use_deterministic_algorithms(false));

const F = torch.nn.functional;
const DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int8, torch.bool];

/** Places among `limit`, each named about `n / limit` times. */
function places(n: number, limit: number, seed = 3): Tensor {
  torch.manual_seed(seed);
  return torch.randint(0, limit, [n]);
}

const run = (f: (...args: Tensor[]) => Tensor, args: readonly Tensor[]): Tensor =>
  f(...(args.map(to_device) as Tensor[])).cpu();

/** The CPU's result to the bit, twice. */
function exactly(told: string, f: (...args: Tensor[]) => Tensor, args: readonly Tensor[]): void {
  const want = f(...args);
  for (const time of ["first", "second"]) expect(torch.equal(run(f, args), want), `${told}, ${time} run`).toBe(true);
}

/** The kernels that a call launches. */
function launched(f: () => unknown): string[] {
  const { events } = record(f).toJSON();
  return events.flatMap(({ kind, name }) => (kind === "device" ? [name] : []));
}

describe("the last element stays", () => {
  // 300 are ordered by counting, 1500 by a bitonic sort.
  for (const n of [300, 1500])
    test(`of ${n}`, () => {
      for (const dtype of DTYPES) {
        const [x, values, i, j] = [sample([7, 5], dtype), sample([n], dtype, 1), places(n, 7), places(n, 5, 4)];
        exactly(`index_put ${dtype}`, (x, v, i, j) => x.clone().index_put_([i, j], v), [x, values, i, j]);
        exactly(`scatter 0 ${dtype}`, (x, v, i) => x.scatter(0, i.view([-1, 5]), v.view([-1, 5])), [x, values, i]);
        exactly(`scatter 1 ${dtype}`, (x, v, j) => x.scatter(1, j.view([5, -1]), v.view([5, -1])), [x, values, j]);
      }
    });

  test("rows, negative indices, views, more indices than a launch takes", () => {
    const i = places(40, 6).sub(3);
    exactly("rows", (x, v, i) => x.clone().index_put_([i], v), [sample([6, 4]), sample([40, 4], torch.float32, 1), i]);
    exactly("a transposed table", (x, v, i) => x.clone().t().index_put_([i], v.t()), [
      sample([4, 6]),
      sample([4, 40]),
      i,
    ]);
    exactly(
      "setitem",
      (x, v, i) => {
        const y = x.clone();
        y.__setitem__([torch.slice(), i], v);
        return y;
      },
      [sample([2, 6]), sample([2, 40]), i],
    );
    const many = Array.from({ length: 6 }, (_, k) => places(200, 2, k));
    exactly("six", (x, v, ...i) => x.clone().index_put_(i, v), [sample([2, 2, 2, 2, 2, 2]), sample([200]), ...many]);
  });

  test("by another kernel, and only then; one value for all places is the same in every order", () => {
    const [x, v, i] = [sample([6]), sample([40]), places(40, 6)].map((t) => t.to("webgpu"));
    const names = (f: () => unknown): string => launched(f).join();
    expect(names(() => x.index_put_([i], v))).toContain("index_put_sorted");
    expect(names(() => x.scatter_(0, i, v))).toContain("index_put_sorted");
    expect(names(() => x.scatter_(0, i, 1.5))).not.toContain("sorted");
    expect(names(() => x.index_put_([i], v.sum()))).not.toContain("sorted");
    torch.use_deterministic_algorithms(false);
    expect(names(() => x.index_put_([i], v))).not.toContain("sorted");
    expect(names(() => x.scatter_(0, i, v))).not.toContain("sorted");
  });

  test("an index that leads out is refused as ever", () => {
    const [x, v] = [sample([3]), sample([2])].map((t) => t.to("webgpu"));
    expect(() => x.scatter(0, torch.tensor([0, 3]).to("webgpu"), v).cpu()).toThrow(/aten::scatter|device-side assert/);
  });
});

describe("sums are the CPU's to the bit, with and without", () => {
  for (const deterministic of [true, false])
    for (const n of [300, 1500])
      test(`${n} elements, ${deterministic}`, () => {
        torch.use_deterministic_algorithms(deterministic);
        const [x, values, i, j] = [sample([7, 5]), sample([n], torch.float32, 1), places(n, 7), places(n, 5, 4)];
        exactly("index_put", (x, v, i, j) => x.clone().index_put_([i, j], v, true), [x, values, i, j]);
        exactly("scatter_add", (x, v, i) => x.scatter_add(0, i.view([-1, 5]), v.view([-1, 5])), [x, values, i]);
        exactly("index_add", (x, v, i) => x.index_add(0, i, v.view([-1, 1]).expand([n, 5])), [x, values, i]);
        const rows = values.view([-1, 1]).mul(torch.tensor([1.5, 0.3, 0.7]));
        exactly("embedding", (g, i) => torch.ops.aten.embedding_dense_backward(g, i, 7, -1, false), [rows, i]);
      });
});

test("empty memory is filled", () => {
  const largest = { int8: 127, uint8: 255, int16: 32767, int32: 2 ** 31 - 1, int64: 2n ** 63n - 1n, bool: true };
  for (const [name, value] of [
    ...Object.entries(largest),
    ...["float32", "float16", "bfloat16"].map((n) => [n, Number.NaN]),
  ]) {
    const options = { dtype: torch[name as "float32"], device: "webgpu" };
    const told = (t: Tensor): unknown => t.cpu().tolist();
    expect(told(torch.empty([3], options)), String(name)).toEqual([value, value, value]);
    expect(told(torch.empty_strided([2, 1], [1, 2], options)), String(name)).toEqual([[value], [value]]);
    expect(told(torch.empty_like(torch.zeros([1], options))), String(name)).toEqual([value]);
    const zero = name === "bool" ? false : 0;
    expect(told(torch.zeros([2], options).resize_([4])), String(name)).toEqual([zero, zero, value, value]);
  }
  torch.utils.deterministic.fill_uninitialized_memory = false;
  expect(launched(() => torch.empty([3], { device: "webgpu" }))).toEqual([]);
  torch.utils.deterministic.fill_uninitialized_memory = true;
});

test("put_ has no order, on the device as on the CPU; what CUDA refuses beside has one here", () => {
  const x = sample([4, 3]).to("webgpu");
  const put = (accumulate: boolean) =>
    x.put_(torch.tensor([0]).to("webgpu"), torch.tensor([1.5]).to("webgpu"), accumulate);
  expect(() => put(false)).toThrow("put_ does not have a deterministic implementation");
  put(true);
  const classes = places(4, 3).to("webgpu");
  const grid = torch.zeros([1, 2, 2, 2]).to("webgpu");
  const image = sample([1, 1, 4, 4]).to("webgpu").requires_grad_();
  x.cumsum(0);
  x.flatten().histc(3, -1.5, 1.5);
  x.median(0);
  torch.bincount(classes, sample([4]).to("webgpu"));
  F.nll_loss(sample([2, 3, 2, 2]).to("webgpu"), places(8, 3).view([2, 2, 2]).to("webgpu"));
  x.scatter_reduce(0, classes.view([4, 1]), x, "prod");
  for (const y of [
    F.adaptive_avg_pool2d(image, 2),
    F.avg_pool2d(image, 2),
    F.max_pool2d(image, 3, 1),
    F.pad(image, [1, 1, 1, 1], { mode: "reflect" }),
    F.interpolate(image, { scale_factor: 2, mode: "bicubic" }),
    F.grid_sample(image, grid, { align_corners: false }),
  ])
    y.sum().backward();
  fallen_back();
});

test("interpolate along straight segments is made of indices", () => {
  for (const [shape, mode] of [
    [[1, 2, 3, 4], "bilinear"],
    [[1, 1, 2, 3, 2], "trilinear"],
  ] as const)
    for (const align_corners of [true, false]) {
      const f = (x: Tensor): Tensor[] => {
        const leaf = x.detach().requires_grad_();
        const y = F.interpolate(leaf, { scale_factor: 2, mode, align_corners });
        y.pow(2).sum().backward();
        return [y, leaf.grad as Tensor];
      };
      check_both(`${mode} ${align_corners}`, f, [sample([...shape])], { rtol: 1e-5, atol: 1e-5 });
    }
});

test("two steps of training are the same to the bit", () => {
  const trained = (): Tensor[] => {
    torch.manual_seed(5);
    const table = new torch.nn.Embedding(6, 8).to("webgpu");
    const conv = new torch.nn.Conv1d(8, 4, 3, { padding: 1 }).to("webgpu");
    const parameters = [...table.parameters(), ...conv.parameters()];
    const optimizer = new torch.optim.SGD(parameters, { lr: 0.1 });
    for (let step = 0; step < 2; step++) {
      optimizer.zero_grad();
      const x = F.dropout(conv(table(places(24, 6, step).view([2, 12]).to("webgpu")).transpose(1, 2)), 0.2);
      F.cross_entropy(x, places(24, 4, 9).view([2, 12]).to("webgpu")).backward();
      optimizer.step();
    }
    return parameters.map((p) => p.detach().cpu());
  };
  const [first, second] = [trained(), trained()];
  for (const [k, p] of first.entries()) expect(torch.equal(p, second[k])).toBe(true);
  assert_close(to_device(first), second, "both");
});
