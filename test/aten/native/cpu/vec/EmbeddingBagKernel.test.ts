/** @file Sums of bags with vectors: the bits of those without, whatever the rows' length. */
import { beforeEach, describe, expect, test } from "vitest";
import { embedding_bag_sum_instances } from "#aten/native/cpu/generated/EmbeddingBagKernel";
import { EmbeddingBagKernel_vec } from "#aten/native/cpu/vec/generated/embedding_bag/kernel";
import { clear, FLOATS, HALVES, int64_table, type Kind, memory, Room, random } from "./memory.ts";

beforeEach(clear);

describe.each([...FLOATS, ...HALVES])("$name", (kind: Kind) => {
  const { embedding_bag_sum } = EmbeddingBagKernel_vec.get(kind.dtype, memory);

  test.each([1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 40, 70])("rows of %d", (features) => {
    const [rows, gap, next] = [9, 2, random(features)];
    const table = new Room(kind, rows * (features + gap), (i) => (i === 5 ? Number.NaN : i === 1 ? -0 : next()));
    // Bags 0 and 3 are empty, and so is the last one.
    const bags = int64_table([1, 1, 1, 2, 4, 4, 4, 4, 4]);
    const indices = int64_table([0, 8, 8, 3, 1, 2, 3, 4, 5]);
    const out = new Room(kind, 6 * features, () => 7);
    const wanted = out.data.slice();
    embedding_bag_sum_instances.get(kind.dtype)(
      wanted,
      0,
      features,
      1, // biome-ignore format: an operand a line
      new BigInt64Array(6),
      0,
      table.data,
      0,
      features + gap,
      1,
      table.data,
      0,
      0,
      indices,
      0,
      bags,
      0,
      9,
      6,
      features,
      -1,
    );
    const [row, between] = [features * kind.size, (features + gap) * kind.size];
    embedding_bag_sum(out.address, row, table.address, between, indices.byteOffset, bags.byteOffset, 9, 6);
    expect([...out.data]).toEqual([...wanted]);
    expect(out.whole()).toBe(true);
  });
});
