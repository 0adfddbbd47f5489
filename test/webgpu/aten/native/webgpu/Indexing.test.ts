/**
 * @file index, index_put_, gather, scatter, index_select, index_add, masked_fill and embeddings, with strides, negative indices, places that are
 * named twice, and indices that are out of bounds.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { assert_close, check_both, sample, type Tensor, to_device, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;
const DTYPES = [torch.float32, torch.float16, torch.int64, torch.int32, torch.bool, torch.uint8];

function indices(shape: readonly number[], low: number, high: number, seed = 7): Tensor {
  torch.manual_seed(seed);
  return torch.randint(low, high, shape as number[]);
}

describe("reading", () => {
  test("index_select along every dim, of every dtype", () => {
    for (const dtype of DTYPES)
      for (let dim = 0; dim < 3; dim++)
        check_both(`${dim} ${dtype}`, (x: Tensor, i: Tensor) => x.index_select(dim, i), [
          sample([3, 4, 5], dtype),
          indices([6], 0, 3),
        ]);
    check_both("int32", (x: Tensor, i: Tensor) => x.index_select(0, i), [
      sample([3, 4]),
      indices([2], 0, 3).to(torch.int32),
    ]);
    check_both("transposed", (x: Tensor, i: Tensor) => x.t().index_select(0, i), [sample([3, 4]), indices([5], 0, 4)]);
    check_both("a strided index", (x: Tensor, i: Tensor) => x.index_select(1, i.as_strided([3], [2], 1)), [
      sample([3, 4]),
      indices([7], 0, 4),
    ]);
    check_both("a scalar", (x: Tensor, i: Tensor) => x.index_select(0, i), [torch.tensor(2.5), torch.tensor([0])]);
    check_both("nothing", (x: Tensor, i: Tensor) => x.index_select(0, i), [sample([3, 4]), indices([0], 0, 1)]);
    check_both("out", (x: Tensor, i: Tensor, o: Tensor) => torch.index_select(x, 1, i, { out: o.t() }), [
      sample([3, 4]),
      indices([2], 0, 4),
      torch.zeros([2, 3]),
    ]);
  });

  test("index by one tensor and several, negative ones, around slices", () => {
    for (const dtype of DTYPES) {
      check_both(`one ${dtype}`, (x: Tensor, i: Tensor) => x.__getitem__(i), [
        sample([5, 3], dtype),
        indices([2, 4], -5, 5),
      ]);
      check_both(`two ${dtype}`, (x: Tensor, i: Tensor, j: Tensor) => x.__getitem__([i, j]), [
        sample([5, 3, 2], dtype),
        indices([4], -5, 5),
        indices([3, 1], -3, 3),
      ]);
    }
    check_both(
      "apart",
      (x: Tensor, i: Tensor, j: Tensor) =>
        x.permute([2, 0, 1]).__getitem__([i, null, j].map((k) => k ?? torch.slice(null))),
      [sample([4, 5, 3]), indices([6], 0, 3), indices([6], 0, 5)],
    );
  });

  test("more indices than a launch takes", () => {
    for (const dims of [4, 5, 6, 9, 12]) {
      const each = Array.from({ length: dims }, (_, k) => indices(k % 2 === 0 ? [1, 4] : [3, 1], -2, 2, k));
      const x = sample(new Array<number>(dims).fill(2));
      check_both(`${dims}`, (t: Tensor, ...i: Tensor[]) => t.__getitem__(i), [x, ...each]);
      check_both(`${dims}, added up`, (t: Tensor, v: Tensor, ...i: Tensor[]) => t.clone().index_put_(i, v, true), [
        x,
        sample([3, 4]),
        ...each,
      ]);
    }
  });

  test("gather", () => {
    for (const dtype of DTYPES)
      for (let dim = 0; dim < 2; dim++)
        check_both(`${dim} ${dtype}`, (x: Tensor, i: Tensor) => x.gather(dim, i), [
          sample([4, 5], dtype),
          indices([3, 4], 0, 4),
        ]);
    check_both("views", (x: Tensor, i: Tensor) => x.t().gather(1, i.t()), [sample([4, 5]), indices([6, 5], 0, 4)]);
    check_both("a scalar", (x: Tensor, i: Tensor) => x.gather(0, i), [torch.tensor(2.5), torch.tensor(0)]);
    check_both(
      "gradient",
      (x: Tensor, i: Tensor) => {
        const leaf = x.detach().requires_grad_(true);
        leaf.gather(1, i).pow(2).sum().backward();
        return leaf.grad as Tensor;
      },
      [sample([4, 5]), indices([4, 9], 0, 5)],
    );
  });
});

describe("writing", () => {
  test("scatter of tensors and numbers", () => {
    for (const dtype of DTYPES) {
      const order = torch.tensor([
        [2, 0, 1],
        [3, 1, 0],
      ]);
      check_both(`src ${dtype}`, (x: Tensor, i: Tensor, s: Tensor) => x.scatter(1, i, s), [
        sample([2, 4], dtype),
        order,
        sample([3, 5], dtype, 2),
      ]);
      check_both(`number ${dtype}`, (x: Tensor, i: Tensor) => x.scatter(0, i.t(), 1), [sample([4, 2], dtype), order]);
    }
  });

  test("scatter_add, index_add and index_put_ with accumulate add up what goes to one place", () => {
    for (const dtype of [torch.float32, torch.bfloat16, torch.int64, torch.int32]) {
      // The CPU rounds a half after every addition.
      const options = dtype === torch.bfloat16 ? { rtol: 0.1, atol: 0.1 } : {};
      check_both(
        `scatter_add ${dtype}`,
        (x: Tensor, i: Tensor, s: Tensor) => x.scatter_add(0, i, s),
        [sample([3, 4], dtype), indices([9, 4], 0, 3), sample([9, 4], dtype, 1)],
        options,
      );
      for (const dim of [0, 1])
        check_both(
          `index_add ${dim} ${dtype}`,
          (x: Tensor, i: Tensor, s: Tensor) => x.index_add(dim, i, dim === 0 ? s : s.t(), { alpha: 2 }),
          [sample([3, 3], dtype), indices([8], 0, 3), sample([8, 3], dtype, 1)],
          options,
        );
      check_both(
        `index_put ${dtype}`,
        (x: Tensor, i: Tensor, j: Tensor, s: Tensor) => x.clone().index_put_([i, j], s, true),
        [sample([3, 4], dtype), indices([11], -3, 3), indices([11], -4, 4, 8), sample([11], dtype, 1)],
        options,
      );
    }
    check_both("vector", (x: Tensor, i: Tensor, s: Tensor) => x.index_add(0, i, s), [
      sample([3]),
      indices([5], 0, 3),
      sample([5]),
    ]);
    check_both("rows", (x: Tensor, i: Tensor, s: Tensor) => x.clone().index_put_([i], s, true), [
      sample([3, 4]),
      indices([5], 0, 3),
      sample([4]),
    ]);
  });

  test("more than a thousand at once, and the same bits twice", () => {
    const add = (x: Tensor, i: Tensor, s: Tensor): Tensor => x.scatter_add(0, i, s);
    const args = [torch.zeros([40]), indices([3000], 0, 40), sample([3000])];
    check_both("scatter_add", add, args, { rtol: 1e-4, atol: 1e-4 });
    const [once, twice] = [0, 1].map(() => add(...(args.map(to_device) as [Tensor, Tensor, Tensor])).cpu());
    expect(once.tolist()).toEqual(twice.tolist());
  });

  test("index_put_ and masked_fill", () => {
    const order = torch.tensor([2, 0]);
    for (const dtype of DTYPES) {
      check_both(`put ${dtype}`, (x: Tensor, i: Tensor, s: Tensor) => x.clone().index_put_([i], s), [
        sample([3, 4], dtype),
        order,
        sample([2, 4], dtype, 1),
      ]);
      check_both(`fill ${dtype}`, (x: Tensor, m: Tensor) => x.masked_fill(m, 1), [
        sample([3, 4], dtype),
        sample([4], torch.bool),
      ]);
    }
    check_both("fill of a view", (x: Tensor, m: Tensor) => x.clone().t().masked_fill_(m, -7), [
      sample([3, 4], torch.int64),
      sample([4, 3], torch.bool),
    ]);
    check_both("large", (x: Tensor, m: Tensor) => x.masked_fill(m, 2 ** 40), [
      sample([5], torch.int64),
      sample([5], torch.bool),
    ]);
    check_both("infinity", (x: Tensor, m: Tensor) => x.masked_fill(m, Number.NEGATIVE_INFINITY), [
      sample([5]),
      sample([5], torch.bool),
    ]);
  });
});

describe("embedding", () => {
  const grad_of =
    (options: { padding_idx?: number; scale_grad_by_freq?: boolean }) =>
    (w: Tensor, i: Tensor, g: Tensor): Tensor[] => {
      const leaf = w.detach().requires_grad_(true);
      const out = F.embedding(i, leaf, options);
      out.backward(g);
      return [out, leaf.grad as Tensor];
    };
  test("rows and their gradients", () => {
    for (const dtype of [torch.float32, torch.float16])
      for (const shape of [[4, 3], [70], []])
        for (const options of [{}, { padding_idx: 2 }, { scale_grad_by_freq: true }])
          check_both(
            `[${shape}] ${dtype} ${JSON.stringify(options)}`,
            grad_of(options),
            [sample([6, 5], dtype), indices(shape, 0, 6), sample([...shape, 5], dtype, 1)],
            dtype === torch.float16 ? { rtol: 2e-2, atol: 2e-2 } : {},
          );
    check_both("many", grad_of({}), [sample([6, 2]), indices([1500], 0, 6), sample([1500, 2], torch.float32, 1)], {
      rtol: 1e-4,
      atol: 1e-4,
    });
  });
});

describe("an index out of bounds is a device-side assertion", () => {
  test.each([
    ["index_select", (x: Tensor, i: Tensor) => x.index_select(0, i), 3, "aten::index_select: index 3"],
    ["index", (x: Tensor, i: Tensor) => x.__getitem__(i), -4, "aten::index: index -4"],
    ["gather", (x: Tensor, i: Tensor) => x.gather(0, i), -1, "aten::gather: index -1"],
    ["scatter_add", (x: Tensor, i: Tensor) => x.scatter_add(0, i, x), 5, "aten::scatter_add: index 5"],
    ["beyond int32", (x: Tensor, i: Tensor) => x.gather(0, i), 2 ** 32, "aten::gather: index -2147483648"],
  ] as const)("%s", (_, f, wrong, told) => {
    const x = torch.tensor([1, 2, 3]).to("webgpu");
    const out = f(x, torch.tensor([0, wrong, 1]).to("webgpu"));
    expect(() => out.cpu()).toThrow(`${told} is out of bounds for dimension with size 3`);
    assert_close(x.index_select(0, torch.tensor([1]).to("webgpu")), torch.tensor([2]), "afterwards");
  });
});
