/** @file Paddings in WebAssembly: what the loops in JavaScript give, which run where a tensor is not in the heap. */
import torch from "glasstorch";
import { expect, test } from "vitest";

const { functional: F } = torch.nn;

const PADDINGS: readonly number[][] = [
  [1, 2],
  [0, 3],
  [3, 0],
  [-1, 2],
  [2, -1],
  [-2, -1],
  [3, 3, 1, 0],
  [0, 0, 2, 1],
  [-1, 1, 1, -1],
  [1, 2, 2, 1, 0, 1],
];

test.each(PADDINGS)("by %i, %i, %i, %i, %i, %i", (...given) => {
  const padding = given.filter((side) => side !== undefined);
  const dims = padding.length / 2;
  for (const Kind of [Float32Array, Float64Array, Int32Array]) {
    for (const width of [4, 5, 33]) {
      const shape = [2, 3, ...[2, 4, width].slice(3 - dims)];
      const n = shape.reduce((product, size) => product * size, 1);
      const outside = torch.from_numpy(new Kind(Array.from({ length: n }, (_, i) => i + 1))).view(shape);
      const modes = dims === 3 && Kind === Int32Array ? ["replicate"] : ["reflect", "replicate"];
      for (const mode of modes) {
        const inside = F.pad(outside.clone(), padding, mode as "reflect");
        expect(torch.equal(inside, F.pad(outside, padding, mode as "reflect"))).toBe(true);
      }
    }
  }
});
