/**
 * @file `torch._C.PyTorchFileReader` for programs: the records of an archive, by their names.
 * @mirrors torch/csrc/jit/python/init.cpp#PyTorchFileReader
 * @differs Storages cannot be read with it: `torch.load` has a reader of its own (file_reader.ts).
 */
import { TypeError_ } from "#c10/util/Exception";
import { PyBytes } from "#python/Objects/bytesobject";
import { repr } from "#python/Objects/object";
import { PyTorchFileReader as FileReader, type ReadableFile } from "./file_reader.ts";

const is_file = (source: unknown): source is ReadableFile =>
  ["read", "seek", "tell"].every((name) => typeof (source as Record<string, unknown> | null)?.[name] === "function");

function record_name(method: string, name: unknown): string {
  if (typeof name === "string") return name;
  throw new TypeError_(`${method}(): incompatible function arguments. Invoked with: ${repr(name)}`);
}

class PyTorchFileReader {
  static readonly __name__ = "PyTorchFileReader";
  private readonly reader_: FileReader;

  /** @param source a path, or a file object that can seek */
  constructor(source: unknown) {
    if (typeof source !== "string" && !is_file(source)) {
      const given = source === undefined ? "" : repr(source);
      throw new TypeError_(`__init__(): incompatible constructor arguments. Invoked with: ${given}`);
    }
    this.reader_ = new FileReader(source);
  }

  get_record(name: string): PyBytes {
    return new PyBytes(this.reader_.get_record(record_name("get_record", name)));
  }
  has_record(name: string): boolean {
    return this.reader_.has_record(record_name("has_record", name));
  }
  get_record_offset(name: string): number {
    return this.reader_.get_record_offset(record_name("get_record_offset", name));
  }
  get_all_records(): string[] {
    return this.reader_.get_all_records();
  }
  serialization_id(): string {
    return this.reader_.serialization_id();
  }
}

/** Adds the class to `torch._C`. */
export function initArchiveReader(m: Record<string, unknown>): void {
  Object.assign(m, { PyTorchFileReader });
}
