/**
 * @file `torch.save` and `torch.load`.
 * @mirrors torch/serialization.py
 * @differs In ours `torch.save(value)` without a target returns the bytes, and there is one pickle module; PyTorch requires a target, and
 * accepts another pickle module.
 */
import { NotImplementedError, RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { AbstractContextManager, PyTorchFileReader, PyTorchFileWriter } from "#torch/_C";
import { pickle_modules } from "#torch/_pickle/module";
import { def } from "#torch/_signature";
import { _get_allowed_globals } from "#torch/_weights_only_unpickler/globals";
import {
  _add_safe_globals,
  _clear_safe_globals,
  _get_safe_globals,
  _get_user_allowed_globals,
  _remove_safe_globals,
  get_globals_in_pkl,
  Unpickler as RestrictedUnpickler,
  type SafeGlobal,
  UnpicklingError,
} from "#torch/_weights_only_unpickler/index";
import { load_file } from "#torch/safetensors";
import { def_context } from "#torch/utils/_contextlib";
import { _open_file_like, as_path, type OpenedFile, open_target } from "./files.ts";
import { _legacy_load, _legacy_save, is_tar } from "./legacy.ts";
import { as_map_location } from "./location.ts";
import type { MapLocation } from "./tls.ts";
import { _is_torchscript_zip, _load, _save, type LoadOptions, STORAGE_ALIGNMENT } from "./zip.ts";

// In Python these are built in.
export {
  BlockingIOError,
  BrokenPipeError,
  FileExistsError,
  FileNotFoundError,
  InterruptedError,
  IsADirectoryError,
  NotADirectoryError,
  OSError,
  PermissionError,
  TimeoutError,
} from "#python/Objects/library_exceptions";
export {
  get_default_load_endianness,
  LoadEndianness,
  set_default_load_endianness,
} from "./endianness.ts";
export { default_restore_location, location_tag, register_package } from "./location.ts";

// Note [An archive in miniature]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   function save(obj) {
//     const storages = [];
//     const persistent_id = (_, value) => {                                // a tensor becomes its view of a numbered storage
//       if (!(value instanceof Tensor)) return value;
//       const storage = value.untyped_storage();
//       let key = storages.findIndex((other) => other.data_ptr() === storage.data_ptr());
//       if (key < 0) key = storages.push(storage) - 1;                     // a shared storage is written once
//       return { key, offset: value.storage_offset(), size: value.size(), stride: value.stride() };
//     };
//     const files = { "data.pkl": JSON.stringify(obj, persistent_id) };    // really a pickle: _pickle/
//     storages.forEach((storage, key) => { files[`data/${key}`] = bytes_of(storage); });
//     return zip(files);                                                   // zip.ts
//   }
//   function load(bytes) {
//     const files = unzip(bytes);
//     const persistent_load = (_, value) =>
//       value?.key === undefined ? value : as_strided(files[`data/${value.key}`], value.size, value.stride, value.offset);
//     return JSON.parse(files["data.pkl"], persistent_load);               // and only objects of known classes are made:
//   }                                                                      // _weights_only_unpickler/
// So tensors that shared memory share it again. Below stand the questions around it: which format a file has, where it is read from,
// which classes it may name.

const UNSAFE_MESSAGE =
  "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file from a trusted source.";
const DOCS_MESSAGE =
  "\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only https://pytorch.org/docs/stable/generated/torch.load.html.";

/** Allows `load` to create objects of these classes and to call these functions, in addition to those that every file may name. */
export const add_safe_globals = def("add_safe_globals(safe_globals)", (safe_globals: readonly SafeGlobal[]): void =>
  _add_safe_globals(safe_globals),
);

/** The classes and functions that were added. */
export const get_safe_globals = def("get_safe_globals()", (): SafeGlobal[] => _get_safe_globals());

/** Removes all classes and functions that were added. */
export const clear_safe_globals = def("clear_safe_globals()", (): void => _clear_safe_globals());

/** `add_safe_globals` inside a context: `torch.serialization.safe_globals([Config], () => torch.load(path))`. */
export const safe_globals = def_context(
  "_safe_globals.__init__(self, safe_globals)",
  class safe_globals extends AbstractContextManager {
    private readonly safe_globals: readonly SafeGlobal[];

    constructor(safe_globals: readonly SafeGlobal[]) {
      super();
      this.safe_globals = safe_globals;
    }

    override __enter__(): void {
      _add_safe_globals(this.safe_globals);
    }

    override __exit__(): void {
      _remove_safe_globals(this.safe_globals);
    }
  },
);

let compute_crc32 = true;

/** Whether `save` computes a checksum for each record, by which damage is found. */
export const get_crc32_options = def("get_crc32_options()", (): boolean => compute_crc32);

/** Sets whether checksums are computed. Without them a file is written faster, but other zip tools report it as damaged. */
export const set_crc32_options = def("set_crc32_options(compute_crc32)", (compute: boolean): void => {
  compute_crc32 = compute;
});

const LOCAL_HEADER_MAGIC = "PK\x03\x04";

function _is_zipfile(file: OpenedFile): boolean {
  return String.fromCharCode(...file.head(4)) === LOCAL_HEADER_MAGIC;
}

/** The names of classes and functions in a file that `load` would refuse. */
export const get_unsafe_globals_in_checkpoint = def(
  "get_unsafe_globals_in_checkpoint(f: FileLike)",
  (f: unknown): string[] => {
    const file = _open_file_like(f);
    if (!_is_zipfile(file)) throw new ValueError("Expected input to be a checkpoint returned by torch.save");
    return with_reader(file, (zip_file) => {
      if (_is_torchscript_zip(zip_file))
        throw new ValueError(
          "Expected input to be a checkpoint returned by torch.save but got a torchscript checkpoint",
        );
      const allowed = new Set([..._get_allowed_globals().keys(), ..._get_user_allowed_globals().keys()]);
      return [...get_globals_in_pkl(zip_file.get_record("data.pkl"))].filter((name) => !allowed.has(name));
    });
  },
);

/** The values of `f` that `save` and `load` accept. */
type Writable = string | URL | Uint8Array | { write(data: Uint8Array): unknown; flush?(): unknown };
type Readable =
  | string
  | URL
  | ArrayBuffer
  | ArrayBufferView
  | { read(n: number): Uint8Array; seek(offset: number, whence?: number): unknown; tell(): number };

export interface SaveKwargs {
  pickle_protocol?: 2;
  _use_new_zipfile_serialization?: boolean;
  _disable_byteorder_record?: boolean;
}

type Save = {
  (obj: unknown, f: string | URL | { write(data: Uint8Array): unknown }, kwargs?: SaveKwargs): null;
  (obj: unknown, f?: Uint8Array | null, kwargs?: SaveKwargs): Uint8Array;
  (obj: unknown, kwargs: SaveKwargs): Uint8Array;
};

/**
 * Writes a value: tensors, numbers, strings, lists, dicts of these, state dicts. Note [Values of Python] lists the conversions.
 * @param f a path, an object with `write(bytes)`, or a `Uint8Array` that is large enough; without it, the bytes are returned.
 * @throws {PicklingError} if a value has no counterpart in Python; then nothing is written.
 */
export const save = def(
  "save(obj: object, f: FileLike=None, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True, _disable_byteorder_record=False)",
  (
    obj: unknown,
    f: Writable | null,
    pickle_module: unknown,
    pickle_protocol: number,
    _use_new_zipfile_serialization: boolean,
    _disable_byteorder_record: boolean,
  ): Uint8Array | null => {
    const pickling = { pickle_module: pickle_modules.find(pickle_module, {}, "save"), pickle_protocol };
    const target = open_target(f);
    if (!_use_new_zipfile_serialization) {
      _legacy_save(obj, target.sink, pickling);
      return target.done();
    }
    const zip_file = new PyTorchFileWriter(target.sink, compute_crc32, STORAGE_ALIGNMENT);
    try {
      _save(obj, zip_file, pickling, _disable_byteorder_record);
      zip_file.write_end_of_file();
    } finally {
      zip_file.close();
    }
    return target.done();
  },
  "torch.serialization.save",
) as unknown as Save;

/** The message of an UnpicklingError, with possible solutions. */
function _get_wo_message(message: string): string {
  if (/GLOBAL (\S+) was not an allowed global by default\./.test(message)) {
    return `Weights only load failed. This file can still be loaded, to do so you have two options, \x1b[1mdo those steps only if you trust the source of the checkpoint\x1b[0m. \n\t(1) ${UNSAFE_MESSAGE}\n\t(2) Alternatively, to load with \`weights_only=True\` please check the recommended steps in the following error message.\n\tWeightsUnpickler error: ${message}${DOCS_MESSAGE}`;
  }
  if (/(\S+) must be (\S+) to load/.test(message)) return `Weights only load failed. ${message}\n ${UNSAFE_MESSAGE}\n`;
  const blocked = /whose module (\S+) is blocked/.test(message);
  const please =
    "Please file an issue with the following so that we can make `weights_only=True` compatible with your use case: WeightsUnpickler error: ";
  return `Weights only load failed. ${UNSAFE_MESSAGE}\n${blocked ? "" : please}\n\n${message}${DOCS_MESSAGE}`;
}

function with_wo_message<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (error instanceof UnpicklingError) throw new UnpicklingError(_get_wo_message(error.message));
    throw error;
  }
}

function with_reader<R>(file: OpenedFile, run: (zip_file: PyTorchFileReader) => R): R {
  const zip_file = new PyTorchFileReader(file.source);
  try {
    return run(zip_file);
  } finally {
    zip_file.close();
  }
}

/** Whether an environment variable is set to true. */
function environment_says(name: string): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return ["1", "y", "yes", "true"].includes((process?.env?.[name] ?? "0").toLowerCase());
}

function is_weights_only(given: boolean | null, pickle_module: unknown): boolean {
  const only = environment_says("TORCH_FORCE_WEIGHTS_ONLY_LOAD");
  const all = environment_says("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD");
  if (only && all)
    throw new RuntimeError(
      "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be set, but both were set.",
    );
  if (only) return true;
  if (given !== null) return given;
  if (!all) return pickle_module === null;
  warn(
    "UserWarning",
    "Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` argument was not explicitly passed to `torch.load`, forcing weights_only=False.",
  );
  return false;
}

function load_archive(file: OpenedFile, options: LoadOptions, weights_only: boolean): unknown {
  return with_reader(file, (zip_file) => {
    if (_is_torchscript_zip(zip_file)) {
      warn(
        "UserWarning",
        "'torch.load' received a zip file that looks like a TorchScript archive dispatching to 'torch.jit.load' (call 'torch.jit.load' directly to silence this warning)",
      );
      if (weights_only)
        throw new RuntimeError(
          `Cannot use \`\`weights_only=True\`\` with TorchScript archives passed to \`\`torch.load\`\`. ${UNSAFE_MESSAGE}`,
        );
      throw new NotImplementedError("torch.jit.load is not built here");
    }
    return weights_only ? with_wo_message(() => _load(zip_file, options)) : _load(zip_file, options);
  });
}

function load_legacy(file: OpenedFile, options: LoadOptions, weights_only: boolean): unknown {
  const bytes = file.rest();
  if (is_tar(bytes))
    throw new RuntimeError(
      `Cannot use \`\`weights_only=True\`\` with files saved in the legacy .tar format. ${UNSAFE_MESSAGE}`,
    );
  const load_it = () => _legacy_load(bytes, options);
  const { value, end } = weights_only ? with_wo_message(load_it) : load_it();
  file.skip(end);
  return value;
}

/** The tensors of a file in the format safetensors, on the given device. */
function load_safetensors(path: string, map_location: MapLocation): unknown {
  for (const [kind, is] of [
    ["dict", map_location instanceof Map],
    ["callable", typeof map_location === "function"],
  ])
    if (is)
      throw new RuntimeError(
        `Loading safetensors file with ${kind} map_location is not supported. Use a device string or torch.device instead.`,
      );
  return load_file(path, String(map_location ?? "cpu"));
}

export interface LoadKwargs {
  map_location?: MapLocation | Readonly<Record<string, string>>;
  weights_only?: boolean | null;
  mmap?: boolean | null;
}

type Load = {
  (f: Readable, kwargs?: LoadKwargs): unknown;
  (f: Readable, map_location: MapLocation, kwargs?: LoadKwargs): unknown;
};

/**
 * Reads a file written by `save` or by PyTorch. The file may come from an untrusted source: no code in it runs.
 * @param f a path, the bytes, or an object with `read(n)`, `seek` and `tell`.
 * @param map_location the target of tensors: a device, a dict from devices to devices, or a function of (storage, location).
 * @param mmap if `f` is a path: the file stays open, and a storage is read when its first element is used.
 * @throws {RuntimeError} "PytorchStreamReader failed reading zip archive: ..." if the file is damaged.
 * @throws {UnpicklingError} "Weights only load failed. ..." if it names a class or function that is not allowed.
 */
export const load = def(
  "load(f: FileLike, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args)",
  (
    f: unknown,
    map_location: unknown,
    pickle_module: unknown,
    weights_only_: boolean | null,
    mmap: boolean | null,
    pickle_load_args: Record<string, unknown>,
  ): unknown => {
    const weights_only = is_weights_only(weights_only_, pickle_module);
    if (pickle_module !== null && weights_only)
      throw new RuntimeError("Can not safely load weights when explicit pickle_module is specified");
    const { Unpickler } = pickle_modules.find(pickle_module, pickle_load_args, "load");
    if (Object.keys(pickle_load_args).length > 0 && weights_only)
      warn("UserWarning", "pickle_load_args only works if `weights_only=False`.");
    const path = as_path(f);
    const location = as_map_location(map_location);
    const unpickler = weights_only ? RestrictedUnpickler : Unpickler;
    const file = _open_file_like(f);
    if (path?.endsWith(".safetensors")) return load_safetensors(path, location);
    if (_is_zipfile(file)) {
      if (mmap && path === null) throw new ValueError("f must be a file path in order to use the mmap argument");
      return load_archive(file, { map_location: location, mmap: mmap ? path : null, unpickler }, weights_only);
    }
    if (mmap)
      throw new RuntimeError(
        `mmap can only be used with files saved with \`torch.save(${typeof f === "string" ? `${f}, ` : ""}_use_new_zipfile_serialization=True), please torch.save your checkpoint with this option in order to use mmap.`,
      );
    return load_legacy(file, { map_location: location, mmap: null, unpickler }, weights_only);
  },
  "torch.serialization.load",
) as unknown as Load;
