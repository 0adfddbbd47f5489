/**
 * @file Python's archive classes: `torch._C.PyTorchFileReader` and `PyTorchFileWriter`.
 * @mirrors torch/csrc/jit/python/init.cpp
 */
import { MemoryBlock } from "#c10/core/Allocator";
import { GetCPUAllocator } from "#c10/core/CPUAllocator";
import { Storage } from "#c10/core/Storage";
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { FileAdapter } from "#caffe2/serialize/file_adapter";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { node_fs } from "#caffe2/serialize/node_fs";
import { check_path } from "#caffe2/serialize/os_error";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import type { ReadAdapterInterface } from "#caffe2/serialize/read_adapter_interface";
import { ReplacedFile } from "#caffe2/serialize/replaced_file";
import {
  isStorage,
  type StorageBase,
  storage_from_block,
  storage_of,
  THPStorage_Wrap,
} from "#torch/csrc-equivalent/Storage";
import { python_type, THPUtils_unpackLong } from "#torch/csrc-equivalent/utils/python_numbers";

/** The members of Python's file object that are used. */
export interface ReadableFile {
  read(n: number): Uint8Array;
  seek(offset: number, whence?: number): unknown;
  tell(): number;
}

/** The result of `file.read(n)`, which must be bytes. */
export function read_bytes(file: ReadableFile, n: number): Uint8Array {
  const data: unknown = file.read(n);
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new AssertionError(`Expected bytes, got ${python_type(data)}`);
}

/** Where the file object stands. */
export function tell(file: ReadableFile): number {
  return THPUtils_unpackLong(file.tell());
}

/** Reads a file object from its present position on. */
class BufferAdapter implements ReadAdapterInterface {
  private readonly buffer_: ReadableFile;
  private readonly start_offset_: number;
  private readonly size_: number;

  constructor(buffer: ReadableFile) {
    this.buffer_ = buffer;
    this.start_offset_ = tell(buffer);
    buffer.seek(0, 2);
    this.size_ = tell(buffer) - this.start_offset_;
    buffer.seek(this.start_offset_);
  }

  size(): number {
    return this.size_;
  }

  read(pos: number, n: number): Uint8Array {
    this.buffer_.seek(this.start_offset_ + pos);
    return read_bytes(this.buffer_, n);
  }
}

// Note [Mapped files]
// ~~~~~~~~~~~~~~~~~~~
// PyTorch maps a file into memory, privately: a page is read when it is first touched, and a write stays in this process. JavaScript
// cannot map files, so a whole storage takes the place of a page. What follows from the mapping holds here, too: the file is held by
// its descriptor, not by its name, so it may be renamed, deleted or replaced, and the working directory may change; bytes written over
// in place show up in storages that nobody has touched yet; no checksum is compared.

/** A file that stays open until each of its storages has been read, or until all of them have been collected. */
class MappedFile {
  private readonly file: FileAdapter;
  private unread = 0;

  constructor(file_name: string) {
    this.file = new FileAdapter(file_name);
    unreachable.register(this, this.file, this);
  }

  /** `nbytes` bytes from `offset`, read at their first use. */
  block(offset: number, nbytes: number, name: string): LazyBlock {
    this.unread++;
    return new LazyBlock(nbytes, () => {
      const bytes = this.file.read(offset, nbytes, `file ${name}`);
      if (--this.unread === 0) {
        unreachable.unregister(this);
        this.file.close();
      }
      return bytes;
    });
  }
}

const unreachable = new FinalizationRegistry<FileAdapter>((file) => file.close());

/** Bytes that are read from the file at their first use, like the pages of a mapped file. */
class LazyBlock extends MemoryBlock {
  constructor(nbytes: number, load: () => Uint8Array) {
    super(new ArrayBuffer(0), 0, nbytes);
    let bytes: Uint8Array | null = null;
    Object.defineProperty(this, "buffer", { get: () => (bytes ??= own_buffer(load())).buffer });
  }
}

/** `data` at the beginning of a buffer of its own whose length is a multiple of 8, so that every typed array fits. */
function own_buffer(data: Uint8Array): Uint8Array {
  const { buffer, byteLength } = data;
  if (buffer.byteLength === byteLength && byteLength % 8 === 0) return data;
  const own = new Uint8Array(Math.ceil(byteLength / 8) * 8);
  own.set(data);
  return own;
}

export class PyTorchFileReader {
  private readonly reader_: PyTorchStreamReader;
  private readonly file_: FileAdapter | null;
  private mapped: MappedFile | null = null;

  /** @param source a path, the bytes, or a seekable file object */
  constructor(source: string | Uint8Array | ReadableFile) {
    this.file_ = typeof source === "string" ? new FileAdapter(source) : null;
    const adapter =
      this.file_ ??
      (source instanceof Uint8Array ? new MemoryReadAdapter(source) : new BufferAdapter(source as ReadableFile));
    try {
      this.reader_ = new PyTorchStreamReader(adapter);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Closes the file. Afterwards only mapped records can be read. */
  close(): void {
    this.file_?.close();
  }

  has_record(name: string): boolean {
    return this.reader_.hasRecord(name);
  }

  get_record(name: string): Uint8Array {
    return this.reader_.getRecord(name);
  }

  /** A storage that owns a copy of the record and cannot grow. @param nbytes the size that the pickle states */
  get_storage_from_record(name: string, nbytes: number): StorageBase {
    this.check_size(name, nbytes);
    const data = this.reader_.getRecord(name);
    const storage = Storage.allocate(nbytes, GetCPUAllocator(), nbytes === 0);
    storage.bytes().set(data);
    return THPStorage_Wrap(storage);
  }

  /** A storage whose bytes are read from `path` at their first use; see Note [Mapped files]. */
  get_mapped_storage(name: string, nbytes: number, path: string): StorageBase {
    this.check_size(name, nbytes);
    if (nbytes === 0) return this.get_storage_from_record(name, nbytes);
    this.mapped ??= new MappedFile(path);
    const block = this.mapped.block(this.reader_.getRecordOffset(name), nbytes, name);
    return THPStorage_Wrap(storage_from_block(nbytes, block));
  }

  private check_size(name: string, nbytes: number): void {
    const size = this.reader_.getRecordSize(name);
    if (size !== nbytes)
      throw new RuntimeError(
        `record size (${size} bytes) does not match expected size (${nbytes} bytes = ${nbytes} elements * 1 bytes/element) for dtype Byte`,
      );
  }

  get_record_header_offset(name: string): number {
    return this.reader_.getRecordHeaderOffset(name);
  }

  get_record_offset(name: string): number {
    return this.reader_.getRecordOffset(name);
  }

  get_all_records(): string[] {
    return this.reader_.getAllRecords();
  }

  serialization_id(): string {
    return this.reader_.serializationId();
  }
}

/** The members of Python's file object that a writer uses. */
export interface WritableFile {
  write(data: Uint8Array): unknown;
  flush?(): unknown;
}

export class PyTorchFileWriter {
  private readonly writer_: PyTorchStreamWriter;
  /** Null where a file object is written to. */
  private readonly file_: ReplacedFile | null;

  /** @param target a path, or a file object; the folder inside the archive is named after the file, or `archive` */
  constructor(target: string | WritableFile, compute_crc32 = true, alignment = 64) {
    const path = typeof target === "string" ? target : null;
    if (path !== null) check_parent(path);
    this.file_ = path === null ? null : new ReplacedFile(path);
    const file = this.file_ ?? (target as WritableFile);
    const write = (data: Uint8Array): void => void file.write(data);
    this.writer_ = new PyTorchStreamWriter(write, archive_name(path), compute_crc32, alignment);
  }

  write_record(name: string, data: Uint8Array | string | StorageBase, size: number): void {
    const bytes =
      typeof data === "string" ? new TextEncoder().encode(data) : isStorage(data) ? storage_of(data).bytes() : data;
    this.writer_.writeRecord(name, bytes.subarray(0, size));
  }

  write_end_of_file(): void {
    this.writer_.writeEndOfFile();
    this.file_?.finish();
  }

  /** A file without an end is not kept. */
  close(): void {
    this.file_?.abandon();
  }

  set_min_version(version: number): void {
    this.writer_.setMinVersion(version);
  }

  archive_name(): string {
    return this.writer_.archiveName();
  }

  serialization_id(): string {
    return this.writer_.serializationId();
  }

  get_all_written_records(): string[] {
    return [...this.writer_.getAllWrittenRecords()];
  }
}

function check_parent(path: string): void {
  check_path(path);
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const parent = path.slice(0, end);
  if (end > 0 && !node_fs().existsSync(parent)) throw new RuntimeError(`Parent directory ${parent} does not exist.`);
}

/**
 * The file's name up to its last dot. If the path is not ASCII, Python opens the file itself, and the writer does not
 * know its name.
 */
function archive_name(path: string | null): string {
  if (path === null || /[\u0080-\uffff]/.test(path)) return "archive";
  const file_name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = file_name.lastIndexOf(".");
  const name = dot < 0 ? file_name : file_name.slice(0, dot);
  if (name === "") throw new RuntimeError(`[enforce fail at inline_container.cc:720] . invalid file name: ${path}`);
  return name;
}
