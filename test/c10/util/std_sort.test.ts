/** `std::sort` by a comparison: the same order as with keys, that of equal elements included. */
import { expect, test } from "vitest";
import { sort } from "#c10/util/std_algorithm";
import { sort_by } from "#c10/util/std_sort";

test.each([0, 1, 2, 15, 16, 17, 40, 1000])("%d elements, many of them equal", (n) => {
  const keys = Float64Array.from({ length: n }, (_, i) => (i * 7919 + ((i * i) % 13)) % 11);
  const by_keys = { keys: keys.slice(), at: Int32Array.from(keys.keys()) };
  sort(by_keys, 0, n);
  const at = Int32Array.from(keys.keys());
  sort_by(at, (a, b) => keys[a] < keys[b]);
  expect([...at]).toEqual([...by_keys.at]);
});

test("a comparison that contradicts itself loses no element", () => {
  const at = Int32Array.from({ length: 200 }, (_, i) => i);
  sort_by(at, (a, b) => (a * b) % 3 === 0);
  expect([...at].sort((a, b) => a - b)).toEqual([...Array(200).keys()]);
});
