/** @file Tensors as c10 sees them: keys, geometry, versions, memory. */
import { expect, test } from "vitest";
import { GetAllocator } from "#c10/core/Allocator";
import { GetCPUAllocator, gAlignment, LARGEST_IN_SLAB } from "#c10/core/CPUAllocator";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { InferenceMode } from "#c10/core/InferenceMode";
import "#c10/core/MetaAllocator";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { StorageImpl } from "#c10/core/StorageImpl";
import { TensorImpl } from "#c10/core/TensorImpl";
import { UndefinedTensorImpl } from "#c10/core/UndefinedTensorImpl";
import { setTracer, type Tracer } from "#c10/util/Trace";

const cpu = DispatchKeySet.of(DispatchKey.CPU);

function empty(sizes: number[], dtype: ScalarType = ScalarType.Float): TensorImpl {
  const nbytes = sizes.reduce((n, size) => n * size, 8);
  const impl = new TensorImpl(new Storage(StorageImpl.allocate(nbytes, GetCPUAllocator(), true)), cpu, dtype);
  impl.set_sizes_contiguous(sizes);
  return impl;
}

test("a CPU tensor carries the keys PyTorch's carries", () => {
  expect(empty([2]).key_set().toString()).toBe("DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  const storage = new Storage(StorageImpl.allocate(16, GetAllocator(DeviceType.Meta), true));
  const meta = new TensorImpl(storage, DispatchKeySet.of(DispatchKey.Meta), ScalarType.Float);
  expect(meta.key_set().toString()).toBe("DispatchKeySet(Meta, ADInplaceOrView, AutogradMeta)");
  expect(meta.device().str()).toBe("meta");
  expect(meta.storage().nbytes()).toBe(16);
  expect(() => meta.data_view()).toThrow("Cannot access data pointer of Storage that is invalid.");
});

test("an inference tensor has no autograd keys and no version", () => {
  const guard = new InferenceMode();
  let inside: TensorImpl;
  try {
    inside = empty([2]);
    inside.bump_version(); // allowed, and counts nothing
  } finally {
    guard.restore();
  }
  expect(inside.key_set().toString()).toBe("DispatchKeySet(CPU, AutocastCPU)");
  expect(inside.is_inference()).toBe(true);
  expect(() => inside.version_counter().current_version()).toThrow("Inference tensors do not track version counter.");
  expect(() => inside.bump_version()).toThrow(
    "Inplace update to inference tensor outside InferenceMode is not allowed.",
  );
  expect(() => inside.set_requires_grad(true)).toThrow("Setting requires_grad=True on inference tensor outside");
  expect(() => inside.set_version_counter(empty([1]).version_counter())).toThrow("Cannot set version_counter");
  expect(empty([2]).is_inference()).toBe(false);
});

test("a shallow copy shares storage and, if given, the version", () => {
  const base = empty([2, 3]);
  const shared = base.shallow_copy_and_detach(base.version_counter(), false);
  const fresh = base.shallow_copy_and_detach(0, true);
  base.bump_version();
  expect(shared.version_counter().current_version()).toBe(1);
  expect(fresh.version_counter().current_version()).toBe(0);
  expect(shared.storage().is_alias_of(base.storage())).toBe(true);
  expect(shared.key_set().eq(base.key_set())).toBe(true);
  shared.set_sizes_contiguous([3, 2]); // asked not to allow this, PyTorch allows it
  fresh.set_sizes_contiguous([6]);
  expect(base.sizes()).toEqual([2, 3]);
  fresh.checkInvariants();
});

test("contiguity follows sizes and strides", () => {
  const t = empty([2, 3, 4, 5]);
  expect(t.is_contiguous()).toBe(true);
  expect(t.is_contiguous(MemoryFormat.ChannelsLast)).toBe(false);
  t.empty_tensor_restride(MemoryFormat.ChannelsLast);
  expect(t.strides()).toEqual([60, 1, 15, 3]);
  expect(t.is_contiguous(MemoryFormat.ChannelsLast)).toBe(true);
  expect(t.is_strides_like_channels_last()).toBe(true);
  expect(t.is_contiguous()).toBe(false);
  expect(t.is_non_overlapping_and_dense()).toBe(true);
  t.set_sizes_and_strides([3, 2], [1, 3]);
  expect(t.is_contiguous()).toBe(false);
  expect(t.is_non_overlapping_and_dense()).toBe(true);
  t.set_sizes_and_strides([3, 2], [4, 1]);
  expect(t.is_non_overlapping_and_dense()).toBe(false);
  t.set_sizes_and_strides([3, 2], [0, 1]);
  expect(t.is_non_overlapping_and_dense()).toBe(false);
  t.set_sizes_and_strides([3, 0], [7, 9]);
  expect(t.is_contiguous()).toBe(true);
  t.set_sizes_and_strides([2, 3], [-1, 2]); // negative: as if contiguous from there on
  expect(t.strides()).toEqual([6, 2]);
  t.checkInvariants();
});

test("sizes given are copied, and checked", () => {
  const sizes = [2, 3];
  const t = empty(sizes);
  sizes[0] = 9;
  expect(t.sizes()).toEqual([2, 3]);
  expect(() => t.set_sizes_and_strides([1], [])).toThrow(
    "dimensionality of sizes (1) must match dimensionality of strides (0)",
  );
  expect(() => t.size(2)).toThrow("Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  expect(t.size(-1)).toBe(3);
  expect(() => empty([]).size(0)).toThrow("Dimension specified as 0 but tensor has no dimensions");
});

test("small storages share a slab and no byte; large ones are alone", () => {
  const a = empty([4]);
  const b = empty([4]);
  expect(a.data_view()).toBe(b.data_view());
  // c10/core/alignment.h: `gAlignment = 64`.
  expect(gAlignment).toBe(64);
  expect(Math.abs(b.data() - a.data())).toBe(64);
  expect([a.data() % 64, b.data() % 64]).toEqual([0, 0]);
  expect(empty([17]).data() % 64).toBe(0); // 68 bytes: the next one begins 128 later
  expect(empty([1]).data() % 64).toBe(0);
  (a.data_view() as Float32Array)[a.data_offset()] = 7;
  expect((b.data_view() as Float32Array)[b.data_offset()]).toBe(0);
  expect(new Float32Array(a.storage().bytes().slice(0, 4).buffer)[0]).toBe(7);
  const large = empty([LARGEST_IN_SLAB]);
  expect(large.data_offset()).toBe(0);
  expect(large.data_view()).not.toBe(a.data_view());
  expect(empty([0]).data()).toBe(0);
});

test("an offset counts elements of the tensor's dtype", () => {
  for (const dtype of [ScalarType.Bool, ScalarType.Half, ScalarType.Float, ScalarType.Long]) {
    const t = empty([4], dtype);
    const start = t.data_offset();
    t.set_storage_offset(3);
    expect(t.data_offset()).toBe(start + 3);
    expect(t.data()).toBe(t.storage().data() + 3 * t.itemsize());
  }
});

test("an allocation is told to a listening tracer", () => {
  const seen: unknown[] = [];
  const tracer: Tracer = {
    begin: (kind, name, data) => {
      seen.push([kind, name, data]);
      return 0;
    },
    end: () => {},
  };
  setTracer(tracer);
  try {
    empty([3]);
  } finally {
    setTracer(null);
  }
  expect(seen).toEqual([["memory", "c10::alloc_cpu", { nbytes: 24, device: "cpu" }]]);
});

test("the undefined tensor has nothing", () => {
  const undef = UndefinedTensorImpl.singleton();
  expect(undef.sizes()).toEqual([0]);
  expect(String(undef.key_set())).toBe("DispatchKeySet(ADInplaceOrView, AutogradOther)"); // of a tensor without backend
  expect(() => undef.strides()).toThrow("strides() called on an undefined Tensor");
  expect(() => undef.device()).toThrow("tensor does not have a device");
  expect(() => undef.storage()).toThrow("Cannot access storage of UndefinedTensorImpl");
});
