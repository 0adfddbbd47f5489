/**
 * @file The file format since PyTorch 1.6: a zip archive with a pickle and the bytes of each storage.
 * @mirrors torch/serialization.py#_save
 */
import { AssertionError, IndexError, RuntimeError, ValueError } from "#c10/util/Exception";
import { type PyTorchFileReader, type PyTorchFileWriter, python_type, type THPDtype } from "#torch/_C";
import { FreshString, type PicklerHooks, py_global } from "#torch/_pickle/index";
import type { PickleModule, ReaderClass } from "#torch/_pickle/module";
import { torch } from "#torch/_torch";
import { _get_user_allowed_globals, dtype_of_storage_type } from "#torch/_weights_only_unpickler/index";
import { TypedStorage } from "#torch/storage/typed";
import { UntypedStorage } from "#torch/storage/untyped";
import { get_default_load_endianness, LoadEndianness } from "./endianness.ts";
import { _get_restore_location, _is_meta_location, location_tag } from "./location.ts";
import { _serialization_tls, type MapLocation } from "./tls.ts";

/** The alignment of storages in a file, in bytes. */
export const STORAGE_ALIGNMENT = 64;

/** A storage as it is written: its class, its dtype, and the number of elements. */
export interface SavedStorage {
  readonly storage: UntypedStorage;
  readonly dtype: THPDtype;
  readonly storage_type: object;
  readonly numel: number;
}

/** The storage behind an object for `persistent_id` of both formats; null if it is not a storage. */
export function as_saved_storage(obj: unknown): SavedStorage | null {
  if (obj instanceof TypedStorage) {
    const storage_type = py_global("torch", obj._pickle_storage_type() as string);
    return { storage: obj._untyped_storage, dtype: obj.dtype, storage_type, numel: obj._size() };
  }
  if (!(obj instanceof UntypedStorage)) return null;
  const storage_type = py_global("torch.storage", "UntypedStorage");
  return { storage: obj, dtype: torch.uint8, storage_type, numel: obj.nbytes() };
}

/** Checks that all storages over the same data are written with one dtype. */
export class StorageDtypes {
  private readonly storage_dtypes = new Map<number, THPDtype>();

  check({ storage, dtype }: SavedStorage): void {
    if (storage.device.type === "meta" || storage.data_ptr() === 0) return;
    const known = this.storage_dtypes.get(storage.data_ptr());
    if (known !== undefined && known !== dtype)
      throw new RuntimeError("Cannot save multiple tensors or storages that view the same data as different types");
    this.storage_dtypes.set(storage.data_ptr(), dtype);
  }
}

/** The name of a class or function that a user has registered. */
export function global_name(obj: unknown): { module: string; name: string } | null {
  for (const [path, callable] of _get_user_allowed_globals()) {
    if (callable !== obj) continue;
    const dot = path.lastIndexOf(".");
    return { module: path.slice(0, dot), name: path.slice(dot + 1) };
  }
  return null;
}

/** How values are written: the pickle module, and the protocol that it uses. */
export interface Pickling {
  readonly pickle_module: PickleModule;
  readonly pickle_protocol: number;
}

export function _save(
  obj: unknown,
  zip_file: PyTorchFileWriter,
  { pickle_module, pickle_protocol }: Pickling,
  _disable_byteorder_record: boolean,
): void {
  const serialized_storages = new Map<string, UntypedStorage>();
  const id_map = new Map<UntypedStorage, FreshString>();
  const storage_dtypes = new StorageDtypes();
  const hooks: PicklerHooks = {
    global_name,
    persistent_id(value) {
      const saved = as_saved_storage(value);
      if (saved === null) return null;
      storage_dtypes.check(saved);
      const { storage, storage_type, numel } = saved;
      const storage_key = id_map.get(storage) ?? new FreshString(String(id_map.size));
      id_map.set(storage, storage_key);
      serialized_storages.set(storage_key.text, storage);
      return ["storage", storage_type, storage_key, location_tag(storage), numel];
    },
  };
  const data_value = pickle_module.dumps(obj, hooks, pickle_protocol);

  zip_file.write_record("data.pkl", data_value, data_value.length);
  zip_file.write_record(".format_version", "1", 1);
  const alignment = String(STORAGE_ALIGNMENT);
  zip_file.write_record(".storage_alignment", alignment, alignment.length);
  if (!_disable_byteorder_record) zip_file.write_record("byteorder", "little", "little".length);
  for (const [key, storage] of serialized_storages)
    zip_file.write_record(`data/${key}`, storage.cpu(), storage.nbytes());
}

/** Options of reading an archive. */
export interface LoadOptions {
  readonly map_location: MapLocation;
  /** The file whose storages are read at first use; null to read them now. */
  readonly mmap: string | null;
  /** The restricted one with `weights_only`, else that of the pickle module. */
  readonly unpickler: ReaderClass;
}

const text = new TextDecoder();

/** Whether the file is big-endian, so that the bytes of each element must be reversed. */
function is_big_endian(zip_file: PyTorchFileReader): boolean {
  if (!zip_file.has_record("byteorder")) return get_default_load_endianness() === LoadEndianness.BIG;
  const byteorder = text.decode(zip_file.get_record("byteorder"));
  if (byteorder !== "little" && byteorder !== "big") throw new ValueError(`Unknown endianness type: ${byteorder}`);
  return byteorder === "big";
}

/** Loads one archive. */
class Loader {
  private readonly zip_file: PyTorchFileReader;
  private readonly options: LoadOptions;
  private readonly loaded_storages = new Map<string, TypedStorage>();
  private readonly byteswap: boolean;

  constructor(zip_file: PyTorchFileReader, options: LoadOptions) {
    this.zip_file = zip_file;
    this.options = options;
    this.byteswap = is_big_endian(zip_file);
  }

  private read_storage(name: string, nbytes: number): UntypedStorage {
    if (_is_meta_location(this.options.map_location)) {
      const bytes = torch.empty([nbytes], { dtype: torch.uint8, device: "meta" });
      const storage = bytes.untyped_storage();
      storage._checkpoint_offset = this.zip_file.get_record_offset(name);
      return storage;
    }
    const { mmap } = this.options;
    if (mmap !== null) return this.zip_file.get_mapped_storage(name, nbytes, mmap) as UntypedStorage;
    return this.zip_file.get_storage_from_record(name, nbytes) as UntypedStorage;
  }

  private load_tensor(dtype: THPDtype, nbytes: number, key: string, location: string): TypedStorage {
    const meta = _is_meta_location(this.options.map_location);
    const storage = this.read_storage(`data/${key}`, nbytes);
    if (this.byteswap && !meta) storage.byteswap(dtype);
    const restored = meta ? storage : _get_restore_location(this.options.map_location)(storage, location);
    const typed_storage = TypedStorage.wrap(restored, dtype);
    if (typed_storage.data_ptr() !== 0) this.loaded_storages.set(key, typed_storage);
    return typed_storage;
  }

  persistent_load(saved_id: unknown): TypedStorage {
    if (!Array.isArray(saved_id)) throw new AssertionError(`saved_id must be a tuple, got ${python_type(saved_id)}`);
    if (saved_id.length === 0) throw new IndexError("tuple index out of range");
    const [typename, storage_type, key, location, numel] = saved_id as unknown[];
    if (typename !== "storage")
      throw new AssertionError(
        `Unknown typename for persistent_load, expected 'storage' but got '${String(typename)}'`,
      );
    if (saved_id.length !== 5)
      throw new ValueError(
        `${saved_id.length < 5 ? "not enough" : "too many"} values to unpack (expected 4${saved_id.length < 5 ? `, got ${saved_id.length - 1}` : ""})`,
      );
    const dtype = dtype_of_storage_type(storage_type);
    const known = this.loaded_storages.get(String(key));
    return known ?? this.load_tensor(dtype, Number(numel) * dtype.itemsize, String(key), String(location));
  }

  load(): unknown {
    const unpickler = new this.options.unpickler(this.zip_file.get_record("data.pkl"));
    unpickler.persistent_load = (saved_id) => this.persistent_load(saved_id);
    const before = _serialization_tls.map_location;
    _serialization_tls.map_location = this.options.map_location;
    try {
      return unpickler.load();
    } finally {
      _serialization_tls.map_location = before;
    }
  }
}

export function _load(zip_file: PyTorchFileReader, options: LoadOptions): unknown {
  return new Loader(zip_file, options).load();
}

export function _is_torchscript_zip(zip_file: PyTorchFileReader): boolean {
  return zip_file.get_all_records().includes("constants.pkl");
}
