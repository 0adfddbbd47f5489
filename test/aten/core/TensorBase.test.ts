import { expect, test } from "vitest";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import "#aten/generated/RegisterAll";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import "#torch/csrc-equivalent/autograd/generated/RegisterAll";

test("a tensor without impl is undefined", () => {
  const t = new Tensor();
  expect(t.defined()).toBe(false);
  expect(String(t)).toBe("UndefinedType");
  expect(t.is_same(new Tensor())).toBe(true);
});

test("accessors read the impl", () => {
  const t = at.empty_memory_format([2, 3], new TensorOptions(ScalarType.Double));
  expect([t.dim(), t.sizes(), t.strides(), t.numel(), t.storage_offset()]).toEqual([2, [2, 3], [3, 1], 6, 0]);
  expect([t.size(-1), t.stride(0), t.itemsize(), t.nbytes()]).toEqual([3, 3, 8, 48]);
  expect([t.is_floating_point(), t.is_complex(), t.is_signed(), t.is_cpu(), t.is_meta()]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(String(t)).toBe("torch.DoubleTensor");
  expect(t.options().dtype()).toBe(ScalarType.Double);
});

test("two handles on one impl are the same tensor", () => {
  const t = at.empty_memory_format([1]);
  expect(new Tensor(t.unsafeGetTensorImpl()).is_same(t)).toBe(true);
  expect(t.clone().is_same(t)).toBe(false);
  expect(t.view([1]).is_alias_of(t)).toBe(true);
});

test("the memory format is read from the strides", () => {
  const t = at.empty_memory_format([2, 3, 4, 5], TensorOptions.EMPTY, MemoryFormat.ChannelsLast);
  expect(t.strides()).toEqual([60, 1, 15, 3]);
  expect(t.suggest_memory_format()).toBe(MemoryFormat.ChannelsLast);
  expect(t.suggest_memory_format(true)).toBe(MemoryFormat.ChannelsLast);
  expect(t.is_contiguous()).toBe(false);
  expect(t.contiguous().suggest_memory_format()).toBe(MemoryFormat.Contiguous);
});

test("contiguous copies only if it must", () => {
  const t = at.full([2, 3], Scalar.fromDouble(1.5));
  expect(t.contiguous().is_same(t)).toBe(true);
  const copy = t.t().contiguous();
  expect(copy.strides()).toEqual([2, 1]);
  expect(copy.is_alias_of(t)).toBe(false);
});

test("conj of a real tensor is the tensor", () => {
  const t = at.full([2], Scalar.fromDouble(1.5));
  expect(t.conj().is_same(t)).toBe(true);
});
