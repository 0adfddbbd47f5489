/**
 * @file `torch.UntypedStorage`, the bytes behind tensors, and `TypedStorage`, the form in which files name them.
 * @mirrors torch/storage.py
 */
import { IndexError, RuntimeError, TORCH_WARN_ONCE, TypeError_ } from "#c10/util/Exception";
import {
  _C,
  float_repr,
  repr,
  StorageBase,
  type THPDevice,
  THPDevice_pynew,
  THPDtype,
  THPStorage_postInit,
} from "./_C.ts";
import { def_methods, Signature } from "./_signature.ts";
import type { Tensor } from "./_tensor/index.ts";
import { torch } from "./_torch.ts";
import { type_name } from "./_utils/index.ts";
import type { DeviceLike, dtype } from "./types.ts";

/** The bytes behind tensors. Tensors that share memory hold the same storage. */
export class UntypedStorage extends StorageBase {
  static {
    // The arguments are passed to the constructor in C++.
    def_methods(UntypedStorage, {
      __init__: new Signature("UntypedStorage.__new__(cls, *args, **kwargs)"),
      to: "(self, *, device, non_blocking=False)",
      is_pinned: "(self, device=None)",
      pin_memory: "(self, device=None)",
    });
  }

  static override readonly __name__ = "torch.storage.UntypedStorage";

  /** The position in the file of the bytes of a storage that was loaded to meta. */
  _checkpoint_offset: number | null = null;

  /** Whether the storage, and so every tensor on it, is on the CPU. */
  get is_cpu(): boolean {
    return this.cdata.device().is_cpu();
  }

  __len__(): number {
    return this.nbytes();
  }

  /** `len` in JavaScript's spelling. */
  get length(): number {
    return this.__len__();
  }

  override cpu(): UntypedStorage {
    return super.cpu() as UntypedStorage;
  }

  /** The storage itself if it is on the device, else a copy there. */
  to(kwargs: { device: DeviceLike; non_blocking?: boolean }): UntypedStorage;
  to(given: unknown, non_blocking?: unknown): UntypedStorage {
    const device = THPDevice_pynew(given);
    if (this.device.equals(device)) return this;
    if (device.type !== "cpu")
      return new UntypedStorage(this.nbytes(), { device }).copy_(this, non_blocking as boolean);
    const pin_memory = (non_blocking as boolean) && this.device.type === _C._get_privateuse1_backend_name();
    const bytes = torch.empty([this.nbytes()], { dtype: torch.uint8, pin_memory }).untyped_storage();
    return bytes.copy_(this, non_blocking as boolean);
  }

  /** Whether the storage is in pinned memory, which the accelerator can copy from and to directly. */
  is_pinned(device?: DeviceLike | null): boolean {
    return this.as_tensor().is_pinned(device ?? null);
  }

  /** The storage itself if it is pinned, else a pinned copy. */
  pin_memory(device?: DeviceLike | null): UntypedStorage {
    if (this.device.type !== "cpu")
      throw new TypeError_(`cannot pin 'torch.storage.UntypedStorage' only CPU memory can be pinned`);
    return this.as_tensor()
      .pin_memory(device ?? null)
      .untyped_storage();
  }

  private as_tensor(): Tensor {
    return torch.empty([0], { dtype: torch.uint8, device: this.device }).set_(this);
  }

  /** Reverses the bytes of each element; for a complex number, of each part. */
  byteswap(dtype: THPDtype): void {
    if (!(dtype instanceof THPDtype))
      throw new RuntimeError(`expected torch.dtype, but got <class '${type_name(dtype)}'>`);
    const elem_size = dtype.is_complex ? Math.max(dtype.itemsize / 2, 1) : dtype.itemsize;
    if (elem_size === 1) return;
    const bytes = this.cdata.bytes();
    for (let i = 0; i + elem_size <= bytes.length; i += elem_size) bytes.subarray(i, i + elem_size).reverse();
  }

  __repr__(): string {
    const data = this.cdata.device().is_meta()
      ? "..."
      : this.tolist()
          .map((byte) => ` ${byte}`)
          .join("\n");
    return `${data}\n[torch.storage.UntypedStorage(device=${this.device}) of size ${this.nbytes()}]`;
  }

  override toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

THPStorage_postInit(UntypedStorage);

/** Names of the classes that stand for dtypes in files. Other dtypes are stored next to an `UntypedStorage`. */
const _storage_types = {
  DoubleStorage: "float64",
  FloatStorage: "float32",
  HalfStorage: "float16",
  LongStorage: "int64",
  IntStorage: "int32",
  ShortStorage: "int16",
  CharStorage: "int8",
  ByteStorage: "uint8",
  BoolStorage: "bool",
  BFloat16Storage: "bfloat16",
  ComplexDoubleStorage: "complex128",
  ComplexFloatStorage: "complex64",
  QInt8Storage: "qint8",
  QInt32Storage: "qint32",
  QUInt8Storage: "quint8",
  QUInt4x2Storage: "quint4x2",
  QUInt2x4Storage: "quint2x4",
} as const;

function dtype_named(name: string): THPDtype {
  return (_C as unknown as Record<string, THPDtype>)[name];
}

/** `_storage_type_to_dtype_map()`: class name -> dtype. */
export function _storage_type_to_dtype_map(): Map<string, THPDtype> {
  return new Map(Object.entries(_storage_types).map(([type, name]) => [type, dtype_named(name)]));
}

let dtype_to_storage_type: Map<THPDtype, string> | null = null;

/** `_dtype_to_storage_type_map()`: dtype -> class name. */
export function _dtype_to_storage_type_map(): ReadonlyMap<THPDtype, string> {
  dtype_to_storage_type ??= new Map([..._storage_type_to_dtype_map()].map(([type, dtype]) => [dtype, type]));
  return dtype_to_storage_type;
}

/** Gives the warning once in a program. */
export function _warn_typed_storage_removal(): void {
  TORCH_WARN_ONCE(
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. " +
      "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, " +
      "use tensor.untyped_storage() instead of tensor.storage()",
  );
}

/** A storage together with its dtype in a file; tensors are made from it during reading. */
export class TypedStorage {
  static readonly __name__ = "torch.storage.TypedStorage";
  readonly _untyped_storage: UntypedStorage;
  readonly dtype: THPDtype;

  constructor(wrap_storage: UntypedStorage, dtype: THPDtype) {
    this._untyped_storage = wrap_storage;
    this.dtype = dtype;
  }

  untyped(): UntypedStorage {
    return this._untyped_storage;
  }

  nbytes(): number {
    return this._untyped_storage.nbytes();
  }

  /** The number of elements. */
  _size(): number {
    return this.nbytes() / this.dtype.itemsize;
  }

  data_ptr(): number {
    return this._untyped_storage.data_ptr();
  }

  get device(): THPDevice {
    return this._untyped_storage.device;
  }

  _new_wrapped_storage(untyped_storage: UntypedStorage): TypedStorage {
    return new TypedStorage(untyped_storage, this.dtype);
  }

  cpu(): TypedStorage {
    return this._new_wrapped_storage(this._untyped_storage.cpu());
  }

  is_pinned(device: DeviceLike | null = null): boolean {
    return this._untyped_storage.is_pinned(device);
  }

  pin_memory(device: DeviceLike | null = null): TypedStorage {
    return this._new_wrapped_storage(this._untyped_storage.pin_memory(device));
  }

  _pickle_storage_type(): string | undefined {
    return _dtype_to_storage_type_map().get(this.dtype);
  }

  size(): number {
    return this._size();
  }

  element_size(): number {
    return this.dtype.itemsize;
  }

  __len__(): number {
    return this._size();
  }

  /** A tensor over the elements, which shares their memory. */
  private elements(): Tensor {
    const { device } = this;
    return torch.empty([0], { dtype: this.dtype as dtype, device }).set_(this._untyped_storage);
  }

  private check_index(index: number): number {
    const size = this._size();
    if (index < -size || index >= size) throw new IndexError(`index ${index} out of range for storage of size ${size}`);
    return index < 0 ? index + size : index;
  }

  /** The element at an index, as a number. */
  __getitem__(index: unknown): number | bigint | boolean {
    if (typeof index !== "number")
      throw new RuntimeError(`can't index a ${TypedStorage.__name__} with ${type_name(index)}`);
    return this.elements().at(this.check_index(index)).item() as number | bigint | boolean;
  }

  /** Writes one element, or all of a slice. */
  __setitem__(index: unknown, value: unknown): void {
    const is_slice = typeof index === "object" && index !== null && "start" in index;
    if (typeof index !== "number" && !is_slice)
      throw new RuntimeError(`can't index a ${TypedStorage.__name__} with ${type_name(index)}`);
    this.elements().__setitem__([typeof index === "number" ? this.check_index(index) : index] as never, value as never);
  }

  *[Symbol.iterator](): Generator<number | bigint | boolean> {
    for (let i = 0; i < this._size(); i++) yield this.__getitem__(i);
  }

  fill_(value: number | bigint | boolean): this {
    this.elements().fill_(value as never);
    return this;
  }

  /** The elements as a list. */
  tolist(): (number | bigint | boolean)[] {
    return this.elements().tolist() as (number | bigint | boolean)[];
  }

  __repr__(): string {
    const { device } = this._untyped_storage;
    const shown = this.dtype.is_floating_point ? (x: unknown) => float_repr(x as number) : repr;
    const data =
      device.type === "meta"
        ? "..."
        : this.tolist()
            .map((x) => ` ${shown(x)}`)
            .join("\n");
    return `${data}\n[torch.storage.TypedStorage(dtype=${this.dtype}, device=${device}) of size ${this._size()}]`;
  }

  toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}
