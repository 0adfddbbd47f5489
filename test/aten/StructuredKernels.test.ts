import { expect, test } from "vitest";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import "#aten/generated/RegisterAll";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import "#torch/csrc-equivalent/autograd/generated/RegisterAll";

const ones = (size: number[], dtype: ScalarType = ScalarType.Float) =>
  at.full(size, Scalar.fromInt(1), new TensorOptions(dtype));
const values = (t: Tensor): number[] => {
  const c = t.contiguous();
  return Array.from(c.data_view().slice(c.data_offset(), c.data_offset() + c.numel()) as ArrayLike<number>);
};

test("functional: a fresh output", () => {
  const result = at.add_Tensor(ones([2, 3]), ones([3]), Scalar.fromDouble(0.5));
  expect(result.sizes()).toEqual([2, 3]);
  expect(values(result)).toEqual([1.5, 1.5, 1.5, 1.5, 1.5, 1.5]);
});

test("out: an empty tensor takes the result's shape, one that fits keeps its strides", () => {
  const empty = at.empty_memory_format([0]);
  expect(at.add_out(ones([2, 3]), ones([2, 3]), Scalar.ONE, empty).is_same(empty)).toBe(true);
  expect(empty.sizes()).toEqual([2, 3]);
  const column_major = at.empty_memory_format([3, 2]).t();
  at.mm_out(ones([2, 2]), ones([2, 3]), column_major);
  expect(column_major.strides()).toEqual([1, 2]);
  expect(values(column_major)).toEqual([2, 2, 2, 2, 2, 2]);
});

test("out: another dtype is refused in C++'s words", () => {
  const out = at.empty_memory_format([0], new TensorOptions(ScalarType.Double));
  expect(() => at.mm_out(ones([2, 2]), ones([2, 2]), out)).toThrow(
    "Expected out tensor to have dtype float, but got double instead",
  );
});

test("in-place: self is returned, and must have the result's shape", () => {
  const self = ones([2, 3]);
  expect(self.add__Tensor(ones([3])).is_same(self)).toBe(true);
  expect(values(self)).toEqual([2, 2, 2, 2, 2, 2]);
  expect(() => ones([3]).addmm_(ones([2, 2]), ones([2, 3]))).toThrow(
    "Bad in-place call: input tensor size [3] and output tensor size [2, 3] should match",
  );
});

test("Meta: shapes without bytes", () => {
  const meta = new TensorOptions(ScalarType.Float, null, Device.of(DeviceType.Meta));
  const x = at.empty_memory_format([2, 3], meta);
  const result = at.add_Tensor(x, at.empty_memory_format([3], meta));
  expect(result.is_meta()).toBe(true);
  expect(result.sizes()).toEqual([2, 3]);
});

test("several outputs come back as a tuple", () => {
  const x = at.arange(Scalar.fromInt(6), new TensorOptions(ScalarType.Float)).view([2, 3]);
  const [max, indices] = at.max_dim(x, 1);
  expect(values(max)).toEqual([2, 5]);
  expect(indices.scalar_type()).toBe(ScalarType.Long);
});

test("generated variants: out copies into the tensor given, functional leaves self alone", () => {
  const x = ones([2]);
  const out = at.empty_memory_format([0]);
  at.zero_out(x, out);
  expect(values(out)).toEqual([0, 0]);
  expect(values(at.zero(x))).toEqual([0, 0]);
  expect(values(x)).toEqual([1, 1]);
  const long = at.empty_memory_format([0], new TensorOptions(ScalarType.Long));
  expect(() => at.zero_out(x, long)).toThrow("Expected out tensor to have dtype float, but got long int instead");
});
