/**
 * @file The names of the typed storages of old files, `FloatStorage` and its like, and their dtypes.
 * @mirrors torch/storage.py#_dtype_to_storage_type_map
 */
import { KeyError } from "#c10/util/Exception";
import { _C, type THPDtype } from "#torch/_C";

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

/** The names of the classes whose dtypes are built here. */
export const STORAGE_NAMES: readonly string[] = Object.keys(_storage_types);

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

/** The dtype of `FloatStorage`. */
export function _get_dtype_from_pickle_storage_type(pickle_storage_type: string): THPDtype {
  const dtype = _storage_type_to_dtype_map().get(pickle_storage_type);
  if (dtype === undefined) throw new KeyError(`pickle storage type "${pickle_storage_type}" is not recognized`);
  return dtype;
}
