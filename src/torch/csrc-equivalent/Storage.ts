/**
 * @file `torch.UntypedStorage`: the Python class of a `c10::Storage`, and the test for one.
 * @mirrors torch/csrc/Storage.h
 */

import { getPrivateUse1Hooks } from "#aten/detail/PrivateUse1HooksInterface";
import { storage_copy, storage_fill, storage_get } from "#aten/StorageUtils";
import { type Allocator, DataPtr, GetAllocator, MemoryBlock } from "#c10/core/Allocator";
import { free_cpu, GetCPUAllocator } from "#c10/core/CPUAllocator";
import { Device } from "#c10/core/Device";
import { OptionalDeviceGuard } from "#c10/core/DeviceGuard";
import { DeviceType, toString as deviceTypeToString } from "#c10/core/DeviceType";
import { Storage } from "#c10/core/Storage";
import type { StorageImpl } from "#c10/core/StorageImpl";
import { TORCH_CHECK, TORCH_CHECK_INDEX, TORCH_CHECK_TYPE } from "#c10/util/Exception";
import { type THPDevice, THPDevice_New, toDevice } from "./Device.ts";
import type { THPDtype } from "./Dtype.ts";
import { maybe_initialize_device } from "./utils/device_lazy_init.ts";
import { PySequence_Tuple } from "./utils/python_abstract.ts";
import { isDict, python_type, THPUtils_checkLong, THPUtils_unpackLong } from "./utils/python_numbers.ts";

interface StorageKwargs {
  size?: number;
  device?: unknown;
}

/** `torch._C.StorageBase`; `torch.UntypedStorage` extends it. */
export class StorageBase {
  static readonly __name__: string = "torch.storage.UntypedStorage";
  readonly cdata: Storage;

  /**
   * @param source a number of bytes, a list of byte values, or nothing (0 bytes)
   * @param kwargs `device`, by default the CPU
   */
  constructor(source: Storage | number | Iterable<number> | StorageKwargs = 0, kwargs: StorageKwargs = {}) {
    this.cdata = source instanceof Storage ? source : new_storage(source, isDict(source) ? source : kwargs);
    this.cdata.unsafeGetStorageImpl().pyobj_slot().init_pyobj(this);
  }

  nbytes(): number {
    return this.cdata.nbytes();
  }

  size(): number {
    return this.nbytes();
  }

  /** A live view of exactly these bytes: writing to it changes every tensor on this storage. */
  bytes(): Uint8Array {
    this.cdata.unsafeGetStorageImpl().leave_heap();
    return this.cdata.bytes();
  }

  /** A unique number per storage, 0 if it is empty. */
  data_ptr(): number {
    return this.cdata.data();
  }

  element_size(): number {
    return 1;
  }

  resizable(): boolean {
    return this.cdata.resizable();
  }

  get device(): THPDevice {
    return THPDevice_New(this.cdata.device());
  }

  /** `storage[index]` */
  at(index: number): number {
    TORCH_CHECK_TYPE(
      THPUtils_checkLong(index),
      `can't index a ${StorageBase.__name__.replace(".storage", "")} with ${python_type(index)}`,
    );
    const nindex = THPUtils_unpackLong(index);
    const place = nindex < 0 ? nindex + this.nbytes() : nindex;
    TORCH_CHECK_INDEX(
      place >= 0 && place < this.nbytes(),
      `index ${place} out of range for storage of size ${this.nbytes()}`,
    );
    return this.on_cpu() ? this.cdata.bytes()[place] : storage_get(this.cdata, place);
  }

  /** Whether the host can read and write the bytes. */
  private on_cpu(): boolean {
    return this.cdata.device().is_cpu();
  }

  resize_(size: number): this {
    if (this.cdata.device().is_privateuseone()) {
      getPrivateUse1Hooks().resizePrivateUse1Bytes(this.cdata, THPUtils_unpackLong(size));
      return this;
    }
    TORCH_CHECK(this.cdata.resizable(), "Trying to resize storage that is not resizable");
    const allocator = this.cdata.allocator();
    TORCH_CHECK(allocator !== null, "Trying to resize storage without an allocator");
    TORCH_CHECK(THPUtils_checkLong(size), "resize_ expects an int, but got ", python_type(size));
    const nbytes = THPUtils_unpackLong(size);
    TORCH_CHECK(nbytes >= 0, alloc_cpu_negative(nbytes));
    resize_storage_bytes(this.cdata.unsafeGetStorageImpl(), allocator, nbytes);
    return this;
  }

  /** A copy with bytes of its own. */
  clone(): this {
    const like = this.constructor as new (source: number | Storage, kwargs?: StorageKwargs) => this;
    if (this.on_cpu()) return new like(new_storage(this.cdata.bytes()));
    return new like(this.nbytes(), { device: this.device }).copy_(this);
  }

  copy_(source: StorageBase, non_blocking = false): this {
    TORCH_CHECK_TYPE(
      isStorage(source),
      `copy_(): argument 'src' (position 1) must be torch.Storage, not ${python_type(source)}`,
    );
    TORCH_CHECK(
      this.nbytes() === source.nbytes(),
      "size does not match, self was ",
      this.nbytes(),
      " bytes but src was ",
      source.nbytes(),
      " bytes",
    );
    if (this.on_cpu() && source.on_cpu()) this.cdata.bytes().set(source.cdata.bytes());
    else storage_copy(this.cdata, source.cdata, non_blocking);
    return this;
  }

  fill_(value: number): this {
    TORCH_CHECK(THPUtils_checkLong(value), "fill_ expects int, but got ", python_type(value));
    if (this.on_cpu()) this.cdata.bytes().fill(THPUtils_unpackLong(value));
    else storage_fill(this.cdata, THPUtils_unpackLong(value));
    return this;
  }

  tolist(): number[] {
    return [...this.cpu().cdata.bytes()];
  }

  /** The storage itself if it is on the host, else a copy there. */
  cpu(): StorageBase {
    return this.on_cpu() ? this : new THPStorageClass(this.nbytes()).copy_(this);
  }
}

/** Resizes. With 0 bytes the memory is freed at once, because that is the purpose of `storage.resize_(0)`. */
function resize_storage_bytes(storage: StorageImpl, allocator: Allocator, nbytes: number): void {
  const old = storage.bytes().slice(0, nbytes);
  const old_nbytes = storage.nbytes();
  const old_data = storage.set_data_ptr(allocator.allocate(nbytes));
  storage.set_nbytes(nbytes);
  storage.bytes().set(old);
  if (nbytes === 0) free_cpu(old_data, old_nbytes);
}

/** Allocates `nbytes` on the device that `given` names. */
function allocate(nbytes: number, given: unknown): Storage {
  const device = given === undefined || given === null ? Device.of(DeviceType.CPU) : toDevice(given);
  if (device.is_cpu()) return Storage.allocate(nbytes, GetCPUAllocator(), true);
  TORCH_CHECK(
    device.is_meta() || device.is_privateuseone(),
    "torch.UntypedStorage(): Storage device not recognized: ",
    deviceTypeToString(device.type()),
  );
  maybe_initialize_device(device);
  const guard = new OptionalDeviceGuard(device);
  try {
    return Storage.allocate(nbytes, GetAllocator(device.type()), true);
  } finally {
    guard.restore();
  }
}

function new_storage(source: unknown, kwargs: StorageKwargs | null = null): Storage {
  const device = kwargs?.device;
  const size = isDict(source) ? (source["size"] ?? 0) : source;
  if (THPUtils_checkLong(size)) {
    const nbytes = THPUtils_unpackLong(size);
    TORCH_CHECK(nbytes >= 0, alloc_cpu_negative(nbytes));
    return allocate(nbytes, device);
  }
  TORCH_CHECK(
    size !== null && Symbol.iterator in Object(size),
    `torch.UntypedStorage(): Expected a sequence type, but got ${python_type(size)}`,
  );
  const items = size instanceof Uint8Array ? size : PySequence_Tuple(size as Iterable<unknown>);
  for (const item of items)
    TORCH_CHECK(
      THPUtils_checkLong(item),
      `torch.UntypedStorage(): tried to construct a storage from a sequence (${python_type(size)}), but one of the items was of type ${python_type(item)} instead of int`,
    );
  const bytes = Uint8Array.from(items as Iterable<number>, Number);
  const on_cpu = allocate(bytes.length, null);
  on_cpu.bytes().set(bytes);
  if (device === undefined || device === null) return on_cpu;
  const there = allocate(bytes.length, device);
  storage_copy(there, on_cpu, false);
  return there;
}

function alloc_cpu_negative(nbytes: number): string {
  const unsigned = BigInt.asUintN(64, BigInt(nbytes));
  return `[enforce fail at alloc_cpu.cpp:98] ((ptrdiff_t)nbytes) >= 0. alloc_cpu() seems to have been called with negative number: ${unsigned}`;
}

/** A caller's whole buffer as a storage that does not own it. */
export function storage_from_buffer(buffer: ArrayBufferLike): Storage {
  return Storage.fromDataPtr(
    buffer.byteLength,
    new DataPtr(new MemoryBlock(buffer), 0, Device.of(DeviceType.CPU)),
    null,
    false,
  );
}

/** The first `nbytes` of a block as a storage that cannot grow. */
export function storage_from_block(nbytes: number, block: MemoryBlock): Storage {
  if (nbytes === 0) return Storage.allocate(0, GetCPUAllocator(), true);
  return Storage.fromDataPtr(nbytes, new DataPtr(block, block.begin, Device.of(DeviceType.CPU)), null, false);
}

let THPStorageClass: typeof StorageBase = StorageBase;

/** `THPStorage_postInit`: sets the front end's class, of which wrapping makes objects. */
export function THPStorage_postInit(type: typeof StorageBase): void {
  THPStorageClass = type;
}

/** The Python object of this storage: always the same one. */
export function THPStorage_Wrap(storage: Storage): StorageBase {
  const obj = storage.unsafeGetStorageImpl().pyobj_slot().check_pyobj();
  return obj !== null ? (obj as StorageBase) : new THPStorageClass(storage);
}

/** A storage with a dtype, `torch.storage.TypedStorage`. */
interface Typed {
  readonly _untyped_storage: StorageBase;
  readonly dtype: THPDtype;
}
const is_typed = (obj: unknown): obj is Typed =>
  typeof obj === "object" && obj !== null && (obj as Partial<Typed>)._untyped_storage instanceof StorageBase;

export function isStorage(obj: unknown): obj is StorageBase {
  return obj instanceof StorageBase || is_typed(obj);
}

/** The storage itself. @throws {RuntimeError} if the object is none: a class with `__torch_function__` passes for any argument */
export function storage_of(obj: unknown): Storage {
  if (is_typed(obj)) return obj._untyped_storage.cdata;
  TORCH_CHECK(obj instanceof StorageBase, `not a storage '${python_type(obj)}'`);
  return obj.cdata;
}

/** The dtype of a typed storage; null for an untyped one. */
export function storage_dtype(obj: unknown): THPDtype | null {
  return is_typed(obj) ? obj.dtype : null;
}

export function THPStorage_init(module: Record<string, unknown>): void {
  module["StorageBase"] = StorageBase;
}
