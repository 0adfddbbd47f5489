/**
 * @file `torch.UntypedStorage`, the bytes behind tensors.
 * @mirrors torch/storage.py#UntypedStorage
 * @differs A program runs in one process: `share_memory_` refuses here. PyTorch moves the bytes into memory that processes share.
 */
import type { Storage } from "#c10/core/Storage";
import { NotImplementedError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import {
  _C,
  python_type,
  StorageBase,
  THPDevice_pynew,
  type THPDtype,
  THPDtype_Check,
  THPStorage_fromBuffer,
  THPStorage_get,
  THPStorage_postInit,
  THPStorage_set,
} from "#torch/_C";
import { def_methods, Init, Signature, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { DeviceLike } from "#torch/types";

const from_buffer = new Init(
  "from_buffer(buffer, byte_order=None, count=-1, offset=0, dtype=None)",
  types<[buffer: unknown, byte_order: string | null, count: number, offset: number, dtype: THPDtype | null]>,
);

/** The bytes behind tensors. Tensors that share memory hold the same storage. */
export class UntypedStorage extends StorageBase {
  static {
    // The arguments are passed to the constructor in C++.
    def_methods(UntypedStorage, {
      __init__: new Signature("UntypedStorage.__new__(cls, *args, **kwargs)"),
      to: "(self, *, device, non_blocking=False)",
      is_pinned: "(self, device=None)",
      pin_memory: "(self, device=None)",
      type: "(self, dtype=None, non_blocking=False)",
      share_memory_: "(self, *args, **kwargs)",
    });
  }

  /** The elements of a buffer, such as Python's bytes, as a storage of their own. */
  static from_buffer(...args: unknown[]): UntypedStorage {
    const [buffer, byte_order, count, offset, dtype] = from_buffer.bind(args);
    return new UntypedStorage(THPStorage_fromBuffer({ buffer, byte_order, count, offset, dtype }));
  }

  static override readonly __name__ = "torch.storage.UntypedStorage";

  /** The position in the file of the bytes of a storage that was loaded to meta. */
  _checkpoint_offset: number | null = null;

  /** Whether the storage, and so every tensor on it, is on the CPU. */
  get is_cpu(): boolean {
    return this.cdata.device().is_cpu();
  }

  get is_cuda(): boolean {
    return this.device.type === "cuda";
  }

  /** The file behind the bytes; null, since no file is mapped. */
  get filename(): null {
    return null;
  }

  /** A number that is the same for every object of this storage. */
  get _cdata(): number {
    return this.cdata.unsafeGetStorageImpl().id();
  }

  get_device(): number | null {
    return this.device.index;
  }

  /** The byte at an index; for a slice with step 1, a storage over its bytes, which shares them. */
  __getitem__(index: unknown): number | UntypedStorage {
    if (this.device.type === "meta") throw new NotImplementedError("Not available for 'meta' device type");
    const found = THPStorage_get(this.cdata, index);
    return typeof found === "number" ? found : new UntypedStorage(found as Storage);
  }

  /** Writes one byte, or the same byte to all of a slice. */
  __setitem__(index: unknown, value: unknown): void {
    THPStorage_set(this.cdata, index, value);
  }

  __copy__(): UntypedStorage {
    return this.clone();
  }

  /** A copy; tensors that shared the storage share the copy, because `memo` knows it. */
  __deepcopy__(memo: Map<unknown, unknown>): UntypedStorage {
    if (!(memo instanceof Map)) throw new TypeError_(`argument of type '${python_type(memo)}' is not iterable`);
    const copy = (memo.get(this) as UntypedStorage | undefined) ?? this.clone();
    memo.set(this, copy);
    return copy;
  }

  /** The name of the class; with a dtype or the name of a class of storages, refused as in PyTorch. */
  type(dtype: unknown = null, _non_blocking = false): string {
    if (dtype === null) return UntypedStorage.__name__;
    throw new NotImplementedError("UntypedStorage.type(dtype) is not built: take storage.float() or tensor.to(dtype)");
  }

  /** Whether other processes share this memory; always false, since a program runs in one process. */
  is_shared(): boolean {
    return false;
  }

  share_memory_(): never {
    throw new NotImplementedError("UntypedStorage.share_memory_ is not implemented: a program runs in one process");
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
    if (!THPDtype_Check(dtype)) throw new RuntimeError(`expected torch.dtype, but got <class '${python_type(dtype)}'>`);
    const elem_size = dtype.is_complex ? Math.max(dtype.itemsize / 2, 1) : dtype.itemsize;
    if (elem_size === 1) return;
    const bytes = this.cdata.bytes();
    for (let i = 0; i + elem_size <= bytes.length; i += elem_size) bytes.subarray(i, i + elem_size).reverse();
  }

  __repr__(): string {
    const data = this.cdata.device().is_meta() ? "..." : ` ${this.tolist().join("\n ")}`;
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
