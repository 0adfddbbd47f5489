/** Features that only JavaScript has: iteration by `for`, arrays and iterables as datasets and samplers, errors and lengths in code of a user. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { setWarningHandler, type Warning } from "#c10/util/Exception";
import type { Any } from "../../../helpers/recorded.ts";

const { data } = torch.utils;
const lists = (loader: Iterable<Any>) => [...loader].map((batch) => batch.tolist());

describe("what serves as a dataset", () => {
  test("arrays, typed arrays, Maps, tensors", () => {
    expect(lists(new data.DataLoader([5, 6, 7], { batch_size: 2 }))).toEqual([[5, 6], [7]]);
    expect(lists(new data.DataLoader(new Float32Array([0.5, 1.5]), { batch_size: 2 }))).toEqual([[0.5, 1.5]]);
    const map = new Map([
      ["a", 1],
      ["b", 2],
    ]);
    expect(lists(new data.DataLoader(map, { sampler: map.keys() }))).toEqual([[1], [2]]);
    expect(lists(new data.DataLoader(torch.arange(3), { batch_size: 3 }))).toEqual([[0, 1, 2]]);
  });

  test("an iterable is a stream, begun anew in each pass", () => {
    const set = new data.DataLoader(new Set([1, 2, 3]), { batch_size: 2 });
    expect([lists(set), lists(set)]).toEqual([
      [[1, 2], [3]],
      [[1, 2], [3]],
    ]);
    const counting = {
      *[Symbol.iterator]() {
        yield* [1, 2, 3, 4];
      },
    };
    expect(lists(new data.DataLoader(counting, { batch_size: 3, drop_last: true }))).toEqual([[1, 2, 3]]);
    expect(() => new data.DataLoader(counting, { shuffle: true })).toThrow("expected unspecified shuffle option");
  });

  test("a class with [Symbol.iterator] alone, of IterableDataset or Sampler", () => {
    class Letters extends data.IterableDataset<string> {
      override *[Symbol.iterator](): Iterator<string> {
        yield* "abc";
      }
    }
    expect([...new data.DataLoader(new Letters(), { batch_size: 2 })]).toEqual([["a", "b"], ["c"]]);
    class Backwards extends data.Sampler {
      override *[Symbol.iterator](): Iterator<number> {
        yield* [2, 1, 0];
      }
    }
    expect(lists(new data.DataLoader([5, 6, 7], { sampler: new Backwards(), batch_size: 2 }))).toEqual([[7, 6], [5]]);
  });

  test("an object that extends nothing, with __len__ and __getitem__", () => {
    const twice = { __len__: () => 3, __getitem__: (i: number) => 2 * i };
    expect(lists(new data.DataLoader(twice, { batch_size: 2 }))).toEqual([[0, 2], [4]]);
    expect([...new data.ConcatDataset([twice, [9]])]).toEqual([0, 2, 4, 9]);
  });
});

test("for (const [x, y] of loader)", () => {
  const x = torch.arange(6).view(3, 2);
  const loader = new data.DataLoader(new data.TensorDataset(x, torch.tensor([0.5, 1.5, 2.5])), { batch_size: 2 });
  const seen: unknown[] = [];
  for (const [a, b] of loader) seen.push([a.tolist(), b.tolist()]);
  expect(seen).toEqual([
    [
      [
        [0, 1],
        [2, 3],
      ],
      [0.5, 1.5],
    ],
    [[[4, 5]], [2.5]],
  ]);
});

test("a pass that was left goes on, a new one begins anew", () => {
  const loader = new data.DataLoader([1, 2, 3]);
  const pass = loader[Symbol.iterator]();
  for (const _first of pass) break;
  expect(lists(pass)).toEqual([[2], [3]]);
  expect(lists(loader)).toEqual([[1], [2], [3]]);
});

test("what a user adds to the map is used, for the class and those that extend it", () => {
  const map = data._utils.collate.default_collate_fn_map;
  class Point {
    readonly x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  class Corner extends Point {}
  const collate = () => data.default_collate([[new Corner(1)], [new Corner(2)]]);
  expect(collate).toThrow(
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'Corner'>",
  );
  map.set(Point, (batch: Point[]) => batch.map(({ x }) => x));
  expect(collate()).toEqual([[1, 2]]);
  map.delete(Point);
});

test("a Map stays a Map, bigints are ints", () => {
  const batch = data.default_collate([new Map([["a", 1n]]), new Map([["a", 2n]])]);
  expect(batch).toBeInstanceOf(Map);
  expect(String(batch.get("a"))).toBe("tensor([1, 2])");
});

test("more workers than the machine runs at once are warned of", () => {
  const said: string[] = [];
  const before = setWarningHandler(({ msg }: Warning) => said.push(msg));
  try {
    const loader = new data.DataLoader([1]);
    loader.check_worker_number_rationality();
    loader.num_workers = 4096;
    loader.check_worker_number_rationality();
  } finally {
    setWarningHandler(before);
  }
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^This DataLoader will create 4096 worker processes in total\. Our suggested max number of worker/,
  );
});

test("scopes of a pass in a profile", () => {
  const loader = new data.DataLoader([1, 2]);
  const prof = new torch.autograd.profiler.profile();
  prof.__enter__();
  expect(lists(loader)).toEqual([[1], [2]]);
  prof.__exit__();
  expect(String(prof.key_averages().table())).toContain("enumerate(DataLoader)#_Single");
});
