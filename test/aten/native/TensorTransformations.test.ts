import torch from "glasstorch";
import { expect, test } from "vitest";

const { tensor, float64 } = torch;
type T = ReturnType<typeof tensor>;
const same = (a: T, b: T) => expect(torch.equal(a, b)).toBe(true);

test("mirrored twice is as before, for any strides", () => {
  const x = torch.arange(120).reshape(2, 3, 4, 5).permute(2, 0, 3, 1);
  for (const dims of [[0], [1, 3], [0, 2], [0, 1, 2, 3]]) {
    const y = torch.flip(x, dims);
    same(torch.flip(y, dims), x);
    expect(y.at(0, 0, 0, 0).item()).toBe(x.at(...[0, 1, 2, 3].map((d) => (dims.includes(d) ? -1 : 0))).item());
  }
});

test("long rows, which vectors copy", () => {
  const x = torch.arange(200).reshape(2, 100).float();
  same(torch.flip(x, [0]), torch.stack([x.at(1), x.at(0)]));
  same(torch.flip(x, [1]).at(0), torch.arange(99, -1, -1).float());
});

test("a row of a hundred rolls around", () => {
  const x = torch.arange(100);
  same(torch.roll(x, 30), torch.cat([x.narrow(0, 70, 30), x.narrow(0, 0, 70)]));
  same(torch.roll(x, -170), torch.roll(x, 30));
  same(torch.roll(x.reshape(10, 10), [1, 2], [0, 1]), torch.roll(torch.roll(x.reshape(10, 10), 1, 0), 2, 1));
});

test("four right angles are none", () => {
  const x = torch.arange(6).reshape(2, 3);
  same(
    x.rot90(),
    tensor([
      [2, 5],
      [1, 4],
      [0, 3],
    ]),
  );
  same(x.rot90().rot90(2).rot90(), x);
  same(x.rot90(-1), x.rot90(3));
});

test("triangles", () => {
  const x = torch.arange(12).reshape(2, 2, 3).permute(1, 2, 0);
  same(torch.tril(x).add(torch.triu(x, 1)), x);
  const [rows, columns] = torch.tril_indices(3, 3, -1).unbind();
  expect(rows.tolist()).toEqual([1, 2, 2]);
  expect(columns.tolist()).toEqual([0, 0, 1]);
  expect(() => torch.tril(tensor([1]))).toThrow("tril: input tensor must have at least 2 dimensions");
});

test("diagonals", () => {
  const x = torch.arange(9).reshape(3, 3);
  const view = x.diagonal(1);
  view.fill_(0);
  same(
    x,
    tensor([
      [0, 0, 2],
      [3, 4, 0],
      [6, 7, 8],
    ]),
  );
  same(torch.diag(torch.diag(x)), x.mul(torch.diag(torch.ones(3, { dtype: torch.int64 }))));
  same(
    x.diagonal_scatter(tensor([9, 9]), -1),
    tensor([
      [0, 0, 2],
      [9, 4, 0],
      [6, 9, 8],
    ]),
  );
  expect(() => x.diagonal(0, 1, 1)).toThrow("diagonal dimensions cannot be identical 1, 1");
});

test("parts, and parts joined again", () => {
  const x = torch.arange(24).reshape(2, 3, 4);
  same(torch.hstack(torch.hsplit(x, [1, 2])), x);
  same(torch.vstack(torch.vsplit(x, 2)), x);
  same(torch.dstack(torch.dsplit(x, 2)), x);
  expect(torch.tensor_split(torch.arange(7), 3).map((t) => t.numel())).toEqual([3, 2, 2]);
  expect(() => torch.hsplit(x, 2)).toThrow("is not divisible by the split_size 2!");
});

test("grids of coordinates", () => {
  const [a, b] = [tensor([1, 2]), tensor([3, 4, 5])];
  const [i, j] = torch.meshgrid(a, b, { indexing: "ij" });
  expect(i.tolist()).toEqual([
    [1, 1, 1],
    [2, 2, 2],
  ]);
  same(torch.meshgrid(a, b, { indexing: "xy" })[1], j.t());
  expect(torch.cartesian_prod(a, b).shape).toEqual(torch.ones(6, 2).shape);
  expect(torch.combinations(b, 2, true).tolist()).toEqual([
    [3, 3],
    [3, 4],
    [3, 5],
    [4, 4],
    [4, 5],
    [5, 5],
  ]);
});

test("gradients agree with finite differences", () => {
  const random = (...size: number[]) => torch.randn(size, { dtype: float64, requires_grad: true });
  const check = (fn: (...given: T[]) => T, ...inputs: T[]) =>
    expect(torch.autograd.gradcheck(fn as never, inputs)).toBe(true);
  check((x) => torch.flip(x, [0]), random(2, 3));
  check((x) => torch.roll(x, [1, -1], [0, 1]), random(2, 3));
  check((x) => torch.rot90(x), random(2, 3));
  check((x) => torch.tril(x, -1), random(3, 3));
  check((x) => torch.diag(x), random(3, 2));
  check((x) => torch.diag_embed(x, -1), random(3, 2));
  check((x, y) => torch.block_diag(x, y), random(2, 2), random(3));
  check((x, y) => torch.slice_scatter(x, y, 1, 0, 2), random(2, 3), random(2, 2));
});
