/** @file Tensors as c10 sees them: keys, geometry, versions, memory. */
import { describe, expect, test } from "vitest";
import { GetAllocator } from "#c10/core/Allocator";
import { gAlignment } from "#c10/core/alignment";
import { GetCPUAllocator, LARGEST_IN_SLAB } from "#c10/core/CPUAllocator";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet, python_ks } from "#c10/core/DispatchKeySet";
import { InferenceMode } from "#c10/core/InferenceMode";
import { Layout } from "#c10/core/Layout";
import "#c10/core/MetaAllocator";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { StorageImpl } from "#c10/core/StorageImpl";
import { TensorImpl } from "#c10/core/TensorImpl/index";
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
  (b.data_view() as Float32Array)[b.data_offset()] = 0;
  (a.data_view() as Float32Array)[a.data_offset()] = 7;
  expect((b.data_view() as Float32Array)[b.data_offset()]).toBe(0);
  expect(new Float32Array(a.storage().bytes().slice(0, 4).buffer)[0]).toBe(7);
  const large = empty([LARGEST_IN_SLAB]);
  const place = large.storage().data_ptr();
  expect(place.byteOffset).toBe(place.block?.begin);
  expect(place.block).not.toBe(a.storage().data_ptr().block);
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

test("the last contiguous shape is shared, other shapes are not taken for it", () => {
  const [a, b] = [empty([2, 3]), empty([2, 3])];
  expect(a.sizes()).toBe(b.sizes());
  expect(a.strides()).toBe(b.strides());
  for (const sizes of [[2], [2, 3, 1], [3, 3], [2, 4], [2, 3], [], [0], [2, 1, 0, 3], [2, 0]]) {
    const same = empty([1]);
    const t = empty(sizes);
    expect(t.sizes()).toEqual(sizes);
    expect(t.numel()).toBe(sizes.reduce((n, size) => n * size, 1));
    t.checkInvariants();
    same.set_sizes_contiguous(t.sizes());
    expect(same.strides()).toBe(t.strides());
  }
  expect(empty([2, 0, 3]).strides()).toEqual([3, 3, 1]); // a size of 0 counts as 1 in what the strides are made of
});

test("channels last, of pictures and of volumes", () => {
  const { ChannelsLast, ChannelsLast3d, Contiguous, Preserve } = MemoryFormat;
  const about = (t: TensorImpl): boolean[] => [
    t.is_contiguous(),
    t.is_contiguous(ChannelsLast),
    t.is_contiguous(ChannelsLast3d),
    t.is_strides_like_channels_last(),
    t.is_strides_like_channels_last_3d(),
  ];
  const picture = empty([2, 3, 4, 5]);
  expect(about(picture)).toEqual([true, false, false, false, false]);
  picture.empty_tensor_restride(ChannelsLast);
  expect(about(picture)).toEqual([false, true, false, true, false]);
  expect([Contiguous, ChannelsLast, ChannelsLast3d].map((f) => picture.is_strides_like(f))).toEqual([
    false,
    true,
    false,
  ]);
  const volume = empty([2, 3, 4, 5, 6]);
  expect(about(volume)).toEqual([true, false, false, false, false]);
  volume.empty_tensor_restride(ChannelsLast3d);
  expect(about(volume)).toEqual([false, false, true, false, true]);
  expect(volume.is_strides_like(Contiguous)).toBe(false);
  expect(about(empty([2, 1, 4, 5]))).toEqual([true, true, false, false, false]); // with one channel it is both
  expect(about(empty([2, 1, 4, 5, 6]))).toEqual([true, false, true, false, false]);
  volume.set_sizes_and_strides([2, 3, 4, 5, 6], [720, 1, 180, 36, 6]); // with gaps
  expect(about(volume)).toEqual([false, false, false, false, true]);
  expect(about(empty([2, 3]))).toEqual([true, false, false, false, false]);
  expect(() => picture.empty_tensor_restride(Preserve)).toThrow("unsupported memory format Preserve");
});

test("strides are asked for from either end", () => {
  const t = empty([2, 3]);
  expect([t.stride(0), t.stride(1), t.stride(-1), t.stride(-2)]).toEqual([3, 1, 1, 3]);
  expect(() => t.stride(2)).toThrow("Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  expect(() => empty([]).stride(0)).toThrow("Dimension specified as 0 but tensor has no dimensions");
});

test("as many elements as an int64 can count", () => {
  const t = empty([1]);
  const largest = Number.MAX_SAFE_INTEGER;
  t.set_sizes_contiguous([largest]);
  expect(t.numel()).toBe(largest);
  t.set_sizes_and_strides([largest], [0]);
  expect(t.numel()).toBe(largest);
  t.set_sizes_contiguous([2, 3, 4]);
  t.refresh_numel();
  expect(t.numel()).toBe(24);
  const overflow = "numel: integer multiplication overflow";
  expect(() => t.set_sizes_contiguous([2 ** 32, 2 ** 31])).toThrow(overflow);
  expect(() => t.set_sizes_and_strides([2 ** 32, 2 ** 31], [0, 0])).toThrow(overflow);
});

test("sizes below 0 count as uint64 does: too many, unless a 0 makes nothing of them", () => {
  const t = empty([5, 6]);
  const overflow = "numel: integer multiplication overflow";
  expect(() => t.set_sizes_contiguous([-1, 2])).toThrow(overflow);
  expect([t.sizes(), t.strides()]).toEqual([
    [-1, 2],
    [6, 1],
  ]); // they stand already
  expect(() => t.set_sizes_contiguous([3, -2, 4])).toThrow(overflow);
  expect(t.strides()).toEqual([6, 1, 0]);
  t.set_sizes_contiguous([0, -1]);
  expect([t.numel(), t.sizes(), t.strides()]).toEqual([0, [0, -1], [1, 1]]);
  const given = [-1, 0];
  t.set_sizes_contiguous(given);
  given[0] = 7;
  expect([t.numel(), t.sizes()]).toEqual([0, [-1, 0]]);
  t.checkInvariants();
  t.set_sizes_and_strides([0, -3], [1, 1]);
  expect(t.numel()).toBe(0);
  expect(() => t.set_sizes_and_strides([-1], [1])).toThrow(overflow);
  expect(() => t.set_sizes_contiguous([-1, 2, 0])).toThrow(overflow); // it was too many before the 0 came
});

test("an offset is kept or set with the shape", () => {
  const t = empty([6]);
  t.set_storage_offset(2);
  t.set_sizes_and_strides([2], [1]);
  expect(t.storage_offset()).toBe(2);
  t.set_sizes_and_strides([2], [1], 4);
  expect(t.storage_offset()).toBe(4);
  t.set_sizes_and_strides([2], [1], 0);
  expect(t.storage_offset()).toBe(0);
});

test("negative strides are those of a contiguous tensor from there on", () => {
  const t = empty([24]);
  t.set_sizes_and_strides([2, 3, 4], [-1, -1, -1]);
  expect(t.strides()).toEqual([12, 4, 1]);
  t.set_sizes_and_strides([2, 0, 4], [-1, -1, 2]);
  expect(t.strides()).toEqual([8, 8, 2]);
});

describe("storage", () => {
  const data_error = "Cannot access data pointer of Tensor that doesn't have storage";

  test("a tensor without one says so", () => {
    const t = new TensorImpl(new Storage(null), cpu, ScalarType.Float);
    expect([t.has_storage(), empty([1]).has_storage(), t.device_opt()]).toEqual([false, true, null]);
    expect(() => t.data_view()).toThrow(data_error);
    expect(() => t.data_offset()).toThrow(data_error);
    expect(() => t.data()).toThrow(data_error);
    expect(() => t.storage()).toThrow("Cannot access storage of TensorImpl");
    expect(() => t.device()).toThrow("tensor does not have a device");
    expect(() => t.device_type()).toThrow("device_type cannot be run on undefined Tensor");
    expect([t.is_cpu(), t.is_meta()]).toEqual([false, false]);
    expect(t.dumpState()).toMatchObject({ storage: null, device: null, type: "TensorImpl" });
    t.checkInvariants();
    const placed = new TensorImpl(new Storage(null), cpu, ScalarType.Float, empty([1]).device());
    expect([placed.device().str(), placed.is_cpu(), placed.is_meta(), placed.device_type()]).toEqual([
      "cpu",
      true,
      false,
      DeviceType.CPU,
    ]);
  });

  test("a meta tensor has the address of its offset", () => {
    const storage = new Storage(StorageImpl.allocate(16, GetAllocator(DeviceType.Meta), true));
    const meta = new TensorImpl(storage, DispatchKeySet.of(DispatchKey.Meta), ScalarType.Float);
    meta.set_sizes_contiguous([3]);
    meta.set_storage_offset(1);
    expect([meta.data(), meta.is_meta(), meta.is_cpu()]).toEqual([4, true, false]);
    const none = empty([0]);
    none.set_storage_offset(2);
    expect(none.data()).toBe(0);
    const nothing_of_it = empty([4]);
    nothing_of_it.set_sizes_contiguous([0]);
    expect(nothing_of_it.data()).toBe(0);
  });

  test("another one in its place: its device, and who counts it", () => {
    const impl = (t: TensorImpl): StorageImpl => t.storage().unsafeGetStorageImpl();
    const [a, b] = [empty([2]), empty([4])];
    const [of_a, of_b] = [impl(a), impl(b)];
    const counts = (): number[] => [of_a.use_count_, of_b.use_count_];
    const before = counts();
    a.set_storage_keep_dtype(b.storage());
    expect([impl(a) === of_b, counts()]).toEqual([true, before]); // nobody holds `a`
    const c = a.shallow_copy_and_detach(0, true);
    c.init_pyobj({});
    expect([c.use_count(), counts()]).toEqual([1, [before[0], before[1] + 1]]);
    c.use_count_ = 2;
    expect(c.use_count()).toBe(3);
    c.set_storage_keep_dtype(new Storage(of_a));
    expect(counts()).toEqual([before[0] + 1, before[1]]);
    const none = new TensorImpl(new Storage(null), cpu, ScalarType.Float);
    none.init_pyobj({});
    none.set_storage_keep_dtype(new Storage(of_a));
    expect([counts(), none.device().str()]).toEqual([[before[0] + 2, before[1]], "cpu"]);
    none.unchecked_clear_pyobj();
    expect(counts()).toEqual([before[0] + 1, before[1]]);
    c.use_count_ = 0;
    c.unchecked_clear_pyobj();
    expect([c.use_count(), c.pyobj_slot().has_pyobj(), counts()]).toEqual([0, false, before]);
  });

  test("a front-end object counts its tensor's storage once, if the engine does not already", () => {
    const t = empty([2]);
    const storage = t.storage().unsafeGetStorageImpl();
    t.use_count_ = 1;
    const before = storage.use_count_;
    t.init_pyobj({});
    expect(storage.use_count_).toBe(before);
    t.unchecked_clear_pyobj();
    expect(storage.use_count_).toBe(before);
    t.use_count_ = 0;
    t.init_pyobj({});
    t.init_pyobj({});
    expect(storage.use_count_).toBe(before + 1);
    const none = new TensorImpl(new Storage(null), cpu, ScalarType.Float);
    none.init_pyobj({});
    none.unchecked_clear_pyobj();
    expect(none.use_count()).toBe(0);
  });
});

describe("kinds", () => {
  const of = (...keys: DispatchKey[]): TensorImpl =>
    new TensorImpl(new Storage(null), DispatchKeySet.of(...keys), ScalarType.Float);

  test("a dtype that has no storage here is refused", () => {
    expect(() => new TensorImpl(new Storage(null), cpu, ScalarType.ComplexFloat)).toThrow(
      "Tensors of dtype torch.complex64 are not built here.",
    );
  });

  test("layouts", () => {
    const { Strided, Sparse, Mkldnn } = Layout;
    expect([of(DispatchKey.CPU), of(DispatchKey.SparseCPU), of(DispatchKey.MkldnnCPU)].map((t) => t.layout())).toEqual([
      Strided,
      Sparse,
      Mkldnn,
    ]);
    expect(() => of(DispatchKey.SparseCsrCPU).layout()).toThrow("There is an error in the layout calculation logic.");
    expect([of(DispatchKey.SparseCPU).is_sparse(), of(DispatchKey.CPU).is_sparse()]).toEqual([true, false]);
    expect([of(DispatchKey.MkldnnCPU).is_mkldnn(), of(DispatchKey.CPU).is_mkldnn()]).toEqual([true, false]);
    expect([of(DispatchKey.QuantizedCPU).is_quantized(), of(DispatchKey.CPU).is_quantized()]).toEqual([true, false]);
  });

  test("conjugate, negative, zero, Python's", () => {
    const t = of(DispatchKey.CPU);
    const bits = (): boolean[] => [t.is_conj(), t.is_neg(), t._is_zerotensor(), t.is_python_dispatch()];
    expect(bits()).toEqual([false, false, false, false]);
    t._set_conj(true);
    expect(bits()).toEqual([true, false, false, false]);
    t._set_neg(true);
    t._set_conj(false);
    expect(bits()).toEqual([false, true, false, false]);
    t._set_neg(false);
    t.key_set_ = t.key_set().add(DispatchKey.ZeroTensor).or(python_ks);
    expect(bits()).toEqual([false, false, true, true]);
  });

  test("a wrapped number has no dimensions", () => {
    const t = empty([]);
    expect(t.is_wrapped_number()).toBe(false);
    t.set_wrapped_number(true);
    expect([t.is_wrapped_number(), t.dumpState()["is_wrapped_number"]]).toEqual([true, true]);
    expect(() => empty([1]).set_wrapped_number(true)).toThrow("INTERNAL ASSERT FAILED");
  });

  test("the keys of a new tensor follow inference mode, not the tensor before it", () => {
    const outside = empty([1]).key_set();
    const guard = new InferenceMode();
    const inside = empty([1]).key_set();
    expect(empty([1]).key_set()).toBe(inside);
    guard.restore();
    expect(empty([1]).key_set().eq(outside)).toBe(true);
    expect(inside.eq(outside)).toBe(false);
    const only_autograd = of(DispatchKey.CPU);
    only_autograd.key_set_ = only_autograd.key_set().remove(DispatchKey.ADInplaceOrView);
    expect(only_autograd.is_inference()).toBe(false);
  });
});

describe("one tensor's substance for another", () => {
  test("is taken over whole; identity, version and whether Python dispatches stay", () => {
    const from = empty([2, 3], ScalarType.Long);
    from.set_sizes_and_strides([3, 2], [1, 3], 1);
    from.key_set_ = from.key_set().or(python_ks);
    const to = empty([1]);
    to.bump_version();
    const [id, version] = [to.id(), to.version_counter()];
    to.shallow_copy_from(from);
    expect([to.sizes(), to.strides(), to.storage_offset(), to.numel(), to.dtype(), to.itemsize()]).toEqual([
      [3, 2],
      [1, 3],
      1,
      6,
      ScalarType.Long,
      8,
    ]);
    expect(to.storage().is_alias_of(from.storage())).toBe(true);
    expect([to.is_contiguous(), to.is_non_overlapping_and_dense(), to.is_python_dispatch()]).toEqual([
      false,
      true,
      false,
    ]);
    expect([to.id(), to.version_counter()]).toEqual([id, version]);
    expect([to.id() === from.id(), from.id() > 0, String(from.id()) === String(from.dumpState()["id"])]).toEqual([
      false,
      true,
      true,
    ]);
    const detached = from.shallow_copy_and_detach(0, true);
    expect(detached.is_python_dispatch()).toBe(false);
    expect(detached.version_counter()).not.toBe(from.version_counter());
  });

  test("dense for dense, sparse for sparse", () => {
    const fits = (a: DispatchKeySet, b: DispatchKeySet): boolean => {
      const t = new TensorImpl(new Storage(null), a, ScalarType.Float);
      t.key_set_ = a;
      return t.has_compatible_shallow_copy_type(b);
    };
    const { CPU, CUDA, SparseCPU, SparseCUDA, SparseCsrCPU, SparseCsrCUDA, Meta, QuantizedCPU, AutogradCPU } =
      DispatchKey;
    const of = (...keys: DispatchKey[]): DispatchKeySet => DispatchKeySet.of(...keys);
    expect(fits(of(CPU), of(CPU))).toBe(true);
    expect(fits(of(CPU), of(CUDA))).toBe(true);
    expect(fits(of(CPU), of(CPU, AutogradCPU))).toBe(true);
    expect(fits(of(SparseCPU), of(SparseCUDA))).toBe(true);
    expect(fits(of(SparseCsrCPU), of(SparseCsrCUDA))).toBe(true);
    expect(fits(of(QuantizedCPU), of(QuantizedCPU))).toBe(true);
    expect(fits(of(CPU), of(SparseCPU))).toBe(false);
    expect(fits(of(SparseCPU), of(CPU))).toBe(false);
    expect(fits(of(SparseCPU), of(SparseCsrCPU))).toBe(false);
    expect(fits(of(CPU), of(Meta))).toBe(false);
    expect(fits(of(CPU), of(QuantizedCPU))).toBe(false);
  });
});

describe("for people", () => {
  test("all that a tensor is", () => {
    const t = empty([2, 3]);
    t.set_storage_offset(1);
    t.bump_version();
    expect(t.dumpState()).toMatchObject({
      id: t.id(),
      type: "TensorImpl",
      sizes: [2, 3],
      strides: [3, 1],
      storage_offset: 1,
      numel: 6,
      dtype: "Float",
      device: "cpu",
      key_set: "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)",
      storage: t.storage().unsafeGetStorageImpl().dumpState(),
      version: 1,
      requires_grad: false,
      has_autograd_meta: false,
      is_wrapped_number: false,
      allow_tensor_metadata_change: true,
      use_count: 0,
    });
    const guard = new InferenceMode();
    expect(empty([1]).dumpState()["version"]).toBe(null);
    guard.restore();
    expect([t.requires_grad(), t.autograd_meta(), t.allow_tensor_metadata_change()]).toEqual([false, null, true]);
    t.set_requires_grad(false); // nothing to be made for that
    expect(t.autograd_meta()).toBe(null);
  });

  test.each<[string, object, string]>([
    ["lengths", { strides_: [1] }, "sizes and strides differ in length"],
    ["a size", { sizes_: [2, 1.5] }, "size 1 is 1.5"],
    ["a size below 0", { sizes_: [2, -3] }, "size 1 is -3"],
    ["numel", { numel_: 5 }, "numel is 5, sizes give 6"],
    ["contiguity", { contiguity_: 0 }, "stale contiguity flags"],
    ["the end", { storage_offset_: 1 }, "last element ends at byte 28 of 24"],
  ])("a fault in %s is found", (_name, change, message) => {
    const impl = StorageImpl.allocate(24, GetCPUAllocator(), false);
    const t = new TensorImpl(new Storage(impl), cpu, ScalarType.Float);
    t.set_sizes_contiguous([2, 3]);
    t.checkInvariants();
    Object.assign(t, change);
    expect(() => t.checkInvariants()).toThrow(message);
  });

  test("an empty tensor has no end, a strided one has its last element's", () => {
    const t = new TensorImpl(new Storage(StorageImpl.allocate(24, GetCPUAllocator(), false)), cpu, ScalarType.Float);
    t.set_sizes_and_strides([0, 3], [1, 1], 100);
    t.checkInvariants();
    t.set_sizes_and_strides([2, 2], [4, 1], 0);
    t.checkInvariants();
    t.set_sizes_and_strides([2, 2], [5, 1], 0);
    expect(() => t.checkInvariants()).toThrow("last element ends at byte 28 of 24");
  });
});
