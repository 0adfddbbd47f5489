/** Stride arithmetic: when a view exists, and that it shows the same elements. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeStorageNbytes, computeStorageNbytesContiguous } from "#aten/EmptyTensor";
import { infer_dense_strides, inferExpandGeometry } from "#aten/ExpandUtils";
import { infer_size } from "#aten/InferSize";
import { computeStride, defaultStrides } from "#aten/TensorUtils/index";

/** Offsets of all elements in row-major order. */
function offsets(sizes: readonly number[], strides: readonly number[]): number[] {
  let result = [0];
  for (let d = 0; d < sizes.length; d++) {
    result = result.flatMap((base) => Array.from({ length: sizes[d] }, (_, i) => base + i * strides[d]));
  }
  return result;
}

const sizes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
/** A dense tensor, permuted, perhaps with gaps and broadcasts. */
const geometry = sizes.chain((shape) =>
  fc
    .tuple(
      fc.shuffledSubarray(
        shape.map((_, d) => d),
        { minLength: shape.length },
      ),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: shape.length, maxLength: shape.length }),
    )
    .map(([perm, gaps]) => {
      const strides = new Array<number>(shape.length);
      let step = 1;
      for (const d of perm) {
        strides[d] = gaps[d] === 0 ? 0 : step;
        step *= Math.max(shape[d], 1) * (gaps[d] === 3 ? 2 : 1);
      }
      return { shape, strides };
    }),
);
const factorization = (n: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }).map((factors) => {
    const shape: number[] = [];
    let rest = n;
    for (const f of factors) {
      if (rest % f !== 0) continue;
      shape.push(f);
      rest /= f;
    }
    return [...shape, rest];
  });

test("a view, where there is one, shows the same elements in the same order", () => {
  fc.assert(
    fc.property(
      geometry.chain((g) => factorization(g.shape.reduce((a, b) => a * b, 1)).map((next) => ({ ...g, next }))),
      ({ shape, strides, next }) => {
        const found = computeStride(shape, strides, next);
        if (found !== null) expect(offsets(next, found)).toEqual(offsets(shape, strides));
      },
    ),
  );
});

test("a contiguous tensor can be viewed in every shape", () => {
  fc.assert(
    fc.property(
      sizes.chain((shape) => factorization(shape.reduce((a, b) => a * b, 1)).map((next) => [shape, next] as const)),
      ([shape, next]) => {
        expect(computeStride(shape, defaultStrides(shape), next)).not.toBeNull();
      },
    ),
  );
});

test("a transposed matrix cannot be flattened", () => {
  expect(computeStride([3, 2], [1, 3], [6])).toBeNull();
  expect(computeStride([2, 3, 4], [24, 4, 1], [2, 12])).toEqual([24, 1]);
});

test("dense strides keep the order in memory and leave no gap", () => {
  fc.assert(
    fc.property(geometry, ({ shape, strides }) => {
      const dense = infer_dense_strides(shape, strides);
      const seen = offsets(shape, dense).sort((a, b) => a - b);
      expect(seen).toEqual(seen.map((_, i) => i));
    }),
  );
});

test("an expanded tensor repeats its elements", () => {
  expect(inferExpandGeometry([3, 1], [1, 1], [2, 3, 4])).toEqual({ sizes: [2, 3, 4], strides: [0, 1, 0] });
  expect(inferExpandGeometry([], [], [3])).toEqual({ sizes: [3], strides: [0] });
  expect(() => inferExpandGeometry([2, 3], [3, 1], [3, 3])).toThrow(
    "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  Target sizes: [3, 3].  Tensor sizes: [2, 3]",
  );
});

test("-1 is what is left", () => {
  expect(infer_size([2, -1], 6)).toEqual([2, 3]);
  expect(() => infer_size([-1, -1], 6)).toThrow("only one dimension can be inferred");
  expect(() => infer_size([4], 6)).toThrow("shape '[4]' is invalid for input of size 6");
});

test("bytes reach to the last element, not to its stride", () => {
  expect(computeStorageNbytes([2, 3], [100, 1], 4)).toBe(4 * 103);
  expect(computeStorageNbytes([2, 0], [100, 1], 4)).toBe(0);
  expect(computeStorageNbytesContiguous([2, 3], 8, 5)).toBe(88);
  expect(() => computeStorageNbytes([2], [-1], 4)).toThrow(
    "Storage size calculation overflowed with sizes=[2] and strides=[-1]",
  );
});
