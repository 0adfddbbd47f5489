/**
 * Images as columns, and back: with vectors exactly what is written without, whatever the kernel's size, steps and edges.
 * @original
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import * as at from "#aten/generated/Functions";
import { type Columns, col2vol_kernel, col2vol_stub, vol2col_kernel, vol2col_stub } from "#aten/native/cpu/vol2col";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";

/** Numbers that come in the same order every time. */
function* numbers(): Generator<number> {
  for (let x = 12345; ; x = (x * 1103515245 + 12345) % 2147483648) yield x >> 8;
}

function shapes(count: number): Columns[] {
  const next = numbers();
  const below = (n: number): number => next.next().value % n;
  const found: Columns[] = [];
  while (found.length < count) {
    const [depth, height, width] = [1 + below(3), 1 + below(9), 1 + below(23)];
    const [kT, kH, kW] = [1 + below(2), 1 + below(3), 1 + below(5)];
    const [pT, pH, pW] = [below(2), below(3), below(7)];
    const [dT, dH, dW] = [1 + below(2), 1 + below(2), 1 + below(3)];
    const [dilationT, dilationH, dilationW] = [1, 1 + below(2), 1 + below(3)];
    const steps = (size: number, k: number, p: number, d: number, dilation: number) =>
      Math.floor((size + 2 * p - dilation * (k - 1) - 1) / d) + 1;
    const depth_col = steps(depth, kT, pT, dT, dilationT);
    const height_col = steps(height, kH, pH, dH, dilationH);
    const width_col = steps(width, kW, pW, dW, dilationW);
    if (Math.min(depth_col, height_col, width_col) < 1) continue;
    // biome-ignore format: a line for each kind
    found.push({
      channels: 1 + below(3), depth, height, width, depth_col, height_col, width_col,
      kT, kH, kW, pT, pH, pW, dT, dH, dW, dilationT, dilationH, dilationW,
    });
  }
  return found;
}

function rand(size: number[], dtype: ScalarType) {
  const options = TensorOptions.EMPTY.dtype(dtype);
  return at.empty_memory_format(size, options).normal_(0, 1, getDefaultCPUGenerator());
}

describe.each([ScalarType.Float, ScalarType.Double, ScalarType.Long])("dtype %s", (dtype) => {
  const make = (size: number[]) =>
    dtype === ScalarType.Long
      ? rand(size, ScalarType.Float).mul_Scalar(Scalar.fromInt(9)).to_dtype(dtype)
      : rand(size, dtype);

  test("40 shapes", () => {
    let changed = 0; // all but those where every place is beyond the edge
    for (const c of shapes(40)) {
      const pixels = c.channels * c.depth * c.height * c.width;
      const size = [c.channels * c.kT * c.kH * c.kW, c.depth_col * c.height_col * c.width_col];
      const image = make([2 + pixels]); // it begins at the third element
      const [with_vectors, without] = [make(size), make(size)];
      vol2col_stub.call(DeviceType.CPU, with_vectors, image, 2, c);
      vol2col_kernel(without, image, 2, c);
      expect(at.equal(with_vectors, without), JSON.stringify(c)).toBe(true);

      const col = make(size);
      const [sums_with_vectors, sums_without] = [image.clone(), image.clone()];
      col2vol_stub.call(DeviceType.CPU, sums_with_vectors, 2, col, c);
      col2vol_kernel(sums_without, 2, col, c);
      expect(at.equal(sums_with_vectors, sums_without), JSON.stringify(c)).toBe(true);
      if (!at.equal(sums_without, image)) changed++;
    }
    expect(changed).toBeGreaterThan(30);
  });
});

test("unfold and fold: of several images with vectors what halves give without", () => {
  const { unfold, fold } = torch.nn.functional;
  const x = torch.randint(0, 9, [3, 4, 11, 13]).float();
  for (const stride of [1, 2]) {
    const options = { padding: 1, stride };
    const columns = unfold(x, 3, options);
    expect(columns.tolist()).toEqual(unfold(x.half(), 3, options).tolist());
    const image = fold(columns, [11, 13], 3, options);
    expect(image.tolist()).toEqual(fold(columns.half(), [11, 13], 3, options).tolist());
  }
});
