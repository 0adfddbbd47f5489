/**
 * @file The file format before PyTorch 1.6: several pickles, then the storages.
 * @mirrors torch/serialization.py#_legacy_save
 */
import { AssertionError, IndexError, RuntimeError, ValueError } from "#c10/util/Exception";
import { python_type, ReplacedFile, repr, type WritableFile } from "#torch/_C";
import type { PicklerHooks } from "#torch/_pickle/index";
import { dtype_of_storage_type } from "#torch/_weights_only_unpickler/index";
import { TypedStorage } from "#torch/storage/typed";
import { UntypedStorage } from "#torch/storage/untyped";
import { _get_restore_location, location_tag } from "./location.ts";
import {
  as_saved_storage,
  global_name,
  type LoadOptions,
  type Pickling,
  type SavedStorage,
  StorageDtypes,
} from "./zip.ts";

const MAGIC_NUMBER = 0x1950a86a20f9469cfc6cn;
const PROTOCOL_VERSION = 1001;

const NO_STORAGES: PicklerHooks = { global_name, persistent_id: () => null };

/** All parts of the file, in order. */
function* parts_of(obj: unknown, { pickle_module, pickle_protocol }: Pickling): IterableIterator<Uint8Array> {
  const dump = (value: unknown, hooks = NO_STORAGES): Uint8Array => pickle_module.dumps(value, hooks, pickle_protocol);
  const serialized_storages = new Map<string, SavedStorage>();
  const storage_dtypes = new StorageDtypes();
  const hooks: PicklerHooks = {
    global_name,
    persistent_id(value) {
      const saved = as_saved_storage(value);
      if (saved === null) return null;
      storage_dtypes.check(saved);
      const { storage, storage_type, numel } = saved;
      const storage_key = String(storage.cdata.unsafeGetStorageImpl().id());
      if (!serialized_storages.has(storage_key)) serialized_storages.set(storage_key, saved);
      return ["storage", storage_type, storage_key, location_tag(storage), numel, null];
    },
  };
  const data = dump(obj, hooks); // before the first part is written, because it may be refused
  yield dump(MAGIC_NUMBER);
  yield dump(PROTOCOL_VERSION);
  yield dump({
    protocol_version: PROTOCOL_VERSION,
    little_endian: true,
    type_sizes: { short: 2, int: 4, long: 4 },
  });
  yield data;
  const keys = [...serialized_storages.keys()].sort();
  yield dump(keys);
  for (const key of keys) {
    const { storage, numel } = serialized_storages.get(key) as SavedStorage;
    const count = new Uint8Array(8);
    new DataView(count.buffer).setBigInt64(0, BigInt(numel), true);
    yield count;
    yield storage.cpu().cdata.bytes();
  }
}

export function _legacy_save(obj: unknown, f: string | WritableFile, pickling: Pickling): void {
  const parts = parts_of(obj, pickling);
  if (typeof f !== "string") {
    for (const part of parts) f.write(part);
    return;
  }
  const file = new ReplacedFile(f);
  try {
    for (const part of parts) file.write(part);
    file.finish();
  } finally {
    file.abandon();
  }
}

/** Whether the file has the format of PyTorch 0.1. */
export function is_tar(bytes: Uint8Array): boolean {
  return bytes.length > 512 && String.fromCharCode(...bytes.subarray(257, 262)) === "ustar";
}

/** Loads one file. */
class LegacyLoader {
  private readonly bytes: Uint8Array;
  private readonly options: LoadOptions;
  private readonly deserialized_objects = new Map<string, TypedStorage>();
  /** Storages before they were moved to their device; their bytes come last in the file. */
  private readonly awaiting = new Map<string, { readonly storage: UntypedStorage; readonly element_size: number }>();
  private pos = 0;

  constructor(bytes: Uint8Array, options: LoadOptions) {
    this.bytes = bytes;
    this.options = options;
  }

  private unpickle(persistent_load: ((pid: unknown) => unknown) | null = null): unknown {
    const unpickler = new this.options.unpickler(this.bytes, this.pos);
    if (persistent_load !== null) unpickler.persistent_load = persistent_load;
    const value = unpickler.load();
    this.pos = unpickler.pos;
    return value;
  }

  private persistent_load(saved_id: unknown): unknown {
    if (!Array.isArray(saved_id)) throw new AssertionError(`saved_id must be a tuple, got ${python_type(saved_id)}`);
    if (saved_id.length === 0) throw new IndexError("tuple index out of range");
    const [typename, storage_type, root_key, location, numel, view_metadata] = saved_id as unknown[];
    if (typename !== "storage") throw new RuntimeError(`Unknown saved id type: ${String(typename)}`);
    if (saved_id.length !== 6)
      throw new ValueError(
        `${saved_id.length < 6 ? "not enough" : "too many"} values to unpack (expected 5${saved_id.length < 6 ? `, got ${saved_id.length - 1}` : ""})`,
      );
    if (view_metadata !== null)
      throw new RuntimeError("storages that are views of others (PyTorch 0.1) are not built here");
    const dtype = dtype_of_storage_type(storage_type);
    const key = String(root_key);
    const known = this.deserialized_objects.get(key);
    if (known !== undefined) return known;
    const nbytes = Number(numel) * dtype.itemsize;
    if (!(nbytes >= 0 && nbytes <= this.bytes.length))
      throw new RuntimeError(`storage ${key} of ${nbytes} bytes does not fit into a file of ${this.bytes.length}`);
    const storage = new UntypedStorage(nbytes);
    storage.cdata.unsafeGetStorageImpl().set_resizable(false); // a tensor that is larger than its storage is an error in the file
    this.awaiting.set(key, { storage, element_size: dtype.itemsize });
    const restored = _get_restore_location(this.options.map_location)(storage, String(location));
    if (restored !== storage && restored.device.type !== "meta")
      throw new RuntimeError("files of the legacy format can be mapped to the CPU and to meta only");
    const typed_storage = TypedStorage.wrap(restored, dtype);
    this.deserialized_objects.set(key, typed_storage);
    return typed_storage;
  }

  private must_have(nbytes: number): void {
    const missing = this.pos + nbytes - this.bytes.length;
    if (missing > 0)
      throw new RuntimeError(`unexpected EOF, expected ${missing} more bytes. The file might be corrupted.`);
  }

  private read_storage(key: unknown): void {
    const awaiting = this.awaiting.get(String(key));
    if (awaiting === undefined) throw new AssertionError(`storage key ${repr(key)} not found in deserialized_objects`);
    const { storage, element_size } = awaiting;
    this.must_have(8);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.pos, 8);
    const numel = Number(view.getBigInt64(0, true));
    const expected = storage.nbytes() / element_size;
    if (numel !== expected) throw new RuntimeError(`storage has wrong size: expected ${expected} got ${numel}`);
    this.pos += 8;
    const end = this.pos + storage.nbytes();
    this.must_have(storage.nbytes());
    storage.cdata.bytes().set(this.bytes.subarray(this.pos, end));
    storage.cdata.unsafeGetStorageImpl().set_resizable(true);
    this.pos = end;
  }

  load(): { value: unknown; end: number } {
    if (this.unpickle() !== MAGIC_NUMBER) throw new RuntimeError("Invalid magic number; corrupt file?");
    const protocol_version = this.unpickle();
    if (protocol_version !== PROTOCOL_VERSION)
      throw new RuntimeError(`Invalid protocol version: ${String(protocol_version)}`);
    this.unpickle(); // the machine of the writer, which PyTorch ignores
    const value = this.unpickle((pid) => this.persistent_load(pid));
    const keys = this.unpickle();
    for (const key of Array.isArray(keys) ? keys : []) this.read_storage(key);
    return { value, end: this.pos };
  }
}

/** @returns the value, and the position in the file after it. */
export function _legacy_load(bytes: Uint8Array, options: LoadOptions): { value: unknown; end: number } {
  return new LegacyLoader(bytes, options).load();
}
