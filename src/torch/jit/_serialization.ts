/**
 * @file `torch.jit.save` and `torch.jit.load`.
 * @mirrors torch/jit/_serialization.py
 */
import { TypeError_, ValueError } from "#c10/util/Exception";
import { takes_values } from "#python/bridge/foreign_functions";
import { PyBytes } from "#python/Objects/bytesobject";
import { PyDict } from "#python/Objects/dictobject";
import { repr } from "#python/Objects/object";
import { def } from "#torch/_signature";
import type { DeviceLike } from "#torch/types";
import torch from "../index.ts";
import { _open_file_like, as_path, open_target } from "../serialization/files.ts";
import {
  ScriptModule as CppModule,
  type Device,
  ExportModule,
  type ExportOptions,
  FileAdapter,
  type GraphFunction,
  import_ir_module,
  MemoryReadAdapter,
  type ModuleObject,
  module_of_function,
  PyTorchStreamReader,
  ReplacedFile,
  toDevice,
} from "./_C.ts";
import { as_function } from "./_recursive/index.ts";
import { archives, RecursiveScriptModule, ScriptModule } from "./_script/script_module.ts";

/** Names and contents; a program's own dict is filled as it is. */
type ExtraFiles = PyDict | Map<string, unknown> | Record<string, unknown> | null;

const entries = (files: ExtraFiles): [string, unknown][] =>
  files === null
    ? []
    : files instanceof PyDict || files instanceof Map
      ? ([...files.entries()] as [string, unknown][])
      : Object.entries(files);

function set_entry(files: ExtraFiles, name: string, value: Uint8Array): void {
  if (files instanceof PyDict) files.set(name, new PyBytes(value));
  else if (files instanceof Map) files.set(name, value);
  else if (files !== null) files[name] = value;
}

/** The module of scripts behind what is saved. */
function module_of(obj: unknown): ModuleObject {
  if (obj instanceof ScriptModule) return obj._c.module;
  const fn = as_function(obj);
  if (fn === null) throw new TypeError_(`torch.jit.save takes a script, not ${repr(obj)}`);
  return module_of_function(fn as GraphFunction);
}

/** The name of the folder in an archive: that of the file without its ending. */
function stem(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = file.lastIndexOf(".");
  return dot < 0 ? file : file.slice(0, dot);
}

function write_module(
  module: ModuleObject,
  f: unknown,
  extra_files: ExtraFiles,
  bytecode_format = false,
): Uint8Array | null {
  const extra = new Map(
    entries(extra_files).map(([name, content]) => [
      name,
      content instanceof PyBytes ? content.data : (content as string | Uint8Array),
    ]),
  );
  const options: ExportOptions = { extra_files: extra, bytecode_format };
  const path = as_path(f);
  if (path !== null) {
    const file = new ReplacedFile(path);
    try {
      ExportModule(module, (data) => file.write(data), stem(path), options);
      file.finish();
    } finally {
      file.abandon();
    }
    return null;
  }
  const target = open_target(f);
  const sink = target.sink as { write(data: Uint8Array): unknown };
  ExportModule(module, (data) => void sink.write(data), "archive", options);
  return target.done();
}

/** Writes a scripted module or function as an archive; PyTorch reads it too. */
export const save = def(
  "save(m, f, _extra_files=None)",
  (m: unknown, f: unknown, _extra_files: ExtraFiles): Uint8Array | null => write_module(module_of(m), f, _extra_files),
);

archives.save = (obj, f, { extra_files, bytecode_format }) =>
  write_module(module_of(obj), f, extra_files as ExtraFiles, bytecode_format);

/** Where all tensors are put; null for where they were. */
export function validate_map_location(map_location: unknown): Device | null {
  if (map_location === null) return null;
  if (typeof map_location !== "string" && !(map_location instanceof (torch.device as never))) {
    throw new ValueError(
      `map_location should be either None, string or torch.device, but got type: ${repr(map_location)}`,
    );
  }
  return toDevice(map_location as DeviceLike);
}

/**
 * Reads an archive that `torch.jit.save` wrote, here or in PyTorch.
 * @param _extra_files every name gets the bytes of its file, or no bytes if the archive has no such file
 */
export const load = def(
  "load(f, map_location=None, _extra_files=None, _restore_shapes=False)",
  (f: unknown, map_location: unknown, _extra_files: ExtraFiles): RecursiveScriptModule => {
    const device = validate_map_location(map_location);
    return with_reader(f, (reader) => {
      for (const [name] of entries(_extra_files)) {
        const record = `extra/${name}`;
        set_entry(_extra_files, name, reader.hasRecord(record) ? reader.getRecord(record) : new Uint8Array(0));
      }
      return RecursiveScriptModule.wrap(CppModule.of(import_ir_module(reader, device).object));
    });
  },
);

takes_values("torch.jit._serialization", load); // the dict of a program must be filled, not a copy of it

/** Opens an archive for as long as `read` needs. */
export function with_reader<T>(f: unknown, read: (reader: PyTorchStreamReader) => T): T {
  const path = as_path(f);
  if (path !== null && !is_file(path)) throw new ValueError(`The provided filename ${path} does not exist`);
  const adapter = path === null ? new MemoryReadAdapter(_open_file_like(f).rest()) : new FileAdapter(path);
  try {
    return read(new PyTorchStreamReader(adapter));
  } finally {
    if (adapter instanceof FileAdapter) adapter.close();
  }
}

function is_file(path: string): boolean {
  try {
    new FileAdapter(path).close();
    return true;
  } catch {
    return false;
  }
}
