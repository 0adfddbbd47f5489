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
        x.permute([2, 0, 1]).__getitem__([i, null, j].map((k) => k ?? torch.slice())),
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

describe("elements in a row, and places of a mask", () => {
  test.each(DTYPES)("take and put_, %s", (dtype) => {
    check_both("take", (x: Tensor, i: Tensor) => x.take(i), [sample([3, 4], dtype), indices([2, 5], -12, 12)]);
    check_both("take, transposed", (x: Tensor, i: Tensor) => x.t().take(i.t()), [
      sample([3, 4], dtype),
      indices([2, 5], -12, 12),
    ]);
    const once = torch.tensor([
      [3, -1, 0],
      [7, 5, -4],
    ]);
    for (const accumulate of [false, true]) {
      check_both(`put_ ${accumulate}`, (x: Tensor, i: Tensor, s: Tensor) => x.clone().put_(i, s, accumulate), [
        sample([3, 4], dtype),
        once,
        sample([3, 2], dtype),
      ]);
      check_both(
        `put_, transposed ${accumulate}`,
        (x: Tensor, i: Tensor, s: Tensor) => x.clone().t().put_(i, s.t(), accumulate),
        [sample([3, 4], dtype), once, sample([3, 2], dtype)],
      );
    }
    check_both("take from a scalar", (x: Tensor, i: Tensor) => x.take(i), [
      torch.tensor(1).to(dtype),
      torch.tensor([0, -1]),
    ]);
  });

  test("what is put twice is added up", () => {
    check_both("put_", (x: Tensor, i: Tensor, s: Tensor) => x.clone().put_(i, s, true), [
      torch.zeros([4]),
      indices([50], 0, 4),
      sample([50]),
    ]);
  });

  test.each(DTYPES)("index_fill_, %s", (dtype) => {
    for (const dim of [0, 1, -1])
      check_both(`${dim}`, (x: Tensor, i: Tensor) => x.index_fill_(dim, i, 1), [
        sample([5, 6], dtype),
        indices([4], -5, 5),
      ]);
    check_both("a tensor, a column", (x: Tensor, i: Tensor, v: Tensor) => x.t().index_fill(0, i, v), [
      sample([5, 6], dtype),
      torch.tensor([2, -1]),
      torch.tensor(1).to(dtype),
    ]);
    check_both("a scalar", (x: Tensor, i: Tensor) => x.index_fill(0, i, 1), [
      torch.tensor(0).to(dtype),
      torch.tensor([0]),
    ]);
  });

  test.each(DTYPES)("masked_scatter, %s", (dtype) => {
    check_both("", (x: Tensor, m: Tensor, s: Tensor) => x.masked_scatter(m, s), [
      sample([4, 5], dtype),
      sample([4, 5]).gt(0),
      sample([5, 6], dtype),
    ]);
    check_both("broadcast, in place, transposed", (x: Tensor, m: Tensor, s: Tensor) => x.t().masked_scatter_(m, s), [
      sample([4, 5], dtype),
      torch.tensor([true, false, true, false]),
      sample([20], dtype),
    ]);
  });

  test("masked_scatter_ with less than the mask asks for", () => {
    const [x, m] = [torch.zeros([3]), torch.tensor([true, true, false])].map((t) => t.to("webgpu"));
    expect(() => x.masked_scatter_(m, torch.zeros([0], { device: "webgpu" }))).toThrow(
      "Number of elements of source < number of ones in mask",
    );
  });

  test("repeat_interleave", () => {
    const negative = torch.tensor([1, -1]).to("webgpu");
    for (const dtype of [torch.int64, torch.int32]) {
      const times = torch.tensor([0, 3, 1, 0, 70]).to(dtype);
      check_both(`${dtype}`, (n: Tensor) => torch.repeat_interleave(n), [times]);
      check_both(`of rows ${dtype}`, (x: Tensor, n: Tensor) => x.repeat_interleave(n, 0), [sample([5, 2]), times]);
    }
    check_both("all alike", (x: Tensor, n: Tensor) => x.repeat_interleave(n, 1), [sample([2, 3]), torch.tensor([2])]);
    expect(() => torch.repeat_interleave(negative)).toThrow("repeats can not be negative");
    expect(() => torch.repeat_interleave(negative.abs(), { output_size: 3 })).toThrow(
      "allocated size does not match required size",
    );
  });

  test("trace, count_nonzero, roll, shuffled channels, sums of products", () => {
    for (const dtype of [torch.float32, torch.int64, torch.float16])
      check_both(`trace ${dtype}`, (x: Tensor) => torch.trace(x), [sample([4, 6], dtype)]);
    check_both("count_nonzero", (x: Tensor) => torch.count_nonzero(x.relu()), [sample([4, 6])]);
    check_both("count_nonzero of rows", (x: Tensor) => torch.count_nonzero(x.relu(), 1), [sample([4, 6])]);
    check_both("roll", (x: Tensor) => x.roll([2, -1], [0, 1]), [sample([4, 6])]);
    check_both("roll all", (x: Tensor) => x.roll(7), [sample([4, 6])]);
    check_both("channel_shuffle", (x: Tensor) => F.channel_shuffle(x, 2), [sample([2, 6, 3, 3])]);
    check_both("addbmm", (x: Tensor, a: Tensor, b: Tensor) => torch.addbmm(x, a, b, { beta: 0.5, alpha: 2 }), [
      sample([3, 5]),
      sample([4, 3, 2]),
      sample([4, 2, 5]),
    ]);
    check_both("vdot", (x: Tensor, y: Tensor) => torch.vdot(x, y), [sample([30]), sample([30])]);
  });
});
