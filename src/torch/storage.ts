/**
 * @file `torch.UntypedStorage`: the bytes behind tensors; and `TypedStorage`, as which files know them.
 * @mirrors torch/storage.py
 */
import { TORCH_WARN_ONCE, TypeError_ } from "#c10/util/Exception";
import {
  _C,
  float_repr,
  repr,
  StorageBase,
  type THPDevice,
  THPDevice_pynew,
  type THPDtype,
  THPStorage_postInit,
} from "./_C.ts";
import { def_methods, Signature } from "./_signature.ts";
import type { Tensor } from "./_tensor/index.ts";
import { torch } from "./_torch.ts";
import type { DeviceLike, dtype } from "./types.ts";

/** The bytes behind tensors. Tensors that share memory hold the same storage. */
export class UntypedStorage extends StorageBase {
  static {
    // What it is given goes to the constructor in C++.
    def_methods(UntypedStorage, {
      __init__: new Signature("UntypedStorage.__new__(cls, *args, **kwargs)"),
      to: "(self, *, device, non_blocking=False)",
      is_pinned: "(self, device=None)",
      pin_memory: "(self, device=None)",
    });
  }

  static override readonly __name__ = "torch.storage.UntypedStorage";

  /** Of a storage that was loaded to meta: where its bytes stand in the file. */
  _checkpoint_offset: number | null = null;

  /** Every tensor on this storage lives where it does. */
  get is_cpu(): boolean {
    return this.cdata.device().is_cpu();
  }

  __len__(): number {
    return this.nbytes();
  }

  override cpu(): UntypedStorage {
    return super.cpu() as UntypedStorage;
  }

  /** Itself if it is there, else a copy on the device. */
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

  /** Whether the accelerator copies from and to it by itself. */
  is_pinned(device?: DeviceLike | null): boolean {
    return this.as_tensor().is_pinned(device ?? null);
  }

  /** Itself if it is pinned, else a copy that is. */
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

  /** Turns the bytes of each element around; the two parts of a complex number each for itself. */
  byteswap(dtype: THPDtype): void {
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

/** Names of classes that stand for dtypes in files. A dtype that is not here is written beside an `UntypedStorage`. */
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

/** `_dtype_to_storage_type_map()`: the other way round. */
export function _dtype_to_storage_type_map(): ReadonlyMap<THPDtype, string> {
  dtype_to_storage_type ??= new Map([..._storage_type_to_dtype_map()].map(([type, dtype]) => [dtype, type]));
  return dtype_to_storage_type;
}

/** Once in a program. */
export function _warn_typed_storage_removal(): void {
  TORCH_WARN_ONCE(
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. " +
      "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, " +
      "use tensor.untyped_storage() instead of tensor.storage()",
  );
}

/** A storage with the dtype that a file says of it: what a tensor is made of while it is read. */
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

  /** In elements. */
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

  /** The elements. */
  tolist(): (number | bigint | boolean)[] {
    const { device } = this;
    const elements = torch.empty([0], { dtype: this.dtype as dtype, device }).set_(this._untyped_storage);
    return elements.tolist() as (number | bigint | boolean)[];
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
