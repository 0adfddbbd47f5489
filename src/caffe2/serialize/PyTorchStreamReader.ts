/**
 * @file The archive reader: it reads one record at a time, at the position that the directory states.
 * @mirrors caffe2/serialize/inline_container.h#PyTorchStreamReader
 * @differs The checksum of each record that is read is compared with the archive's; PyTorch does not compare, and loads
 * damaged data.
 */
import { inflateSync } from "fflate";
import { RuntimeError, TORCH_CHECK, unmet } from "#c10/util/Exception";
import { miniz_error, read_central_directory } from "./central_directory.ts";
import { crc32 } from "./crc_alt.ts";
import { kSerializationIdRecordName } from "./PyTorchStreamWriter.ts";
import type { ReadAdapterInterface } from "./read_adapter_interface.ts";
import { kMaxSupportedFileFormatVersion, kMinSupportedFileFormatVersion } from "./versions.ts";
import {
  Fields,
  kFlagEncrypted,
  kLocalHeaderSignature,
  kLocalHeaderSize,
  kMethodDeflated,
  kMethodStored,
  type ZipEntry,
} from "./zip_format.ts";

/** The largest possible compression ratio of the deflate format. */
const kLargestRatio = 1032;

/** A record of this size that compression made this much smaller holds hardly anything but repetitions. */
const kLargestPickle = 64 * 2 ** 20;
const kLargestPickleRatio = 100;

function enforce(line: number, message: string): RuntimeError {
  return new RuntimeError(`[enforce fail at inline_container.cc:${line}] . ${message}`);
}

function corrupted(name: string): RuntimeError {
  return miniz_error(`reading file ${name}`, "invalid header or archive is corrupted");
}

export class PyTorchStreamReader {
  private readonly in_: ReadAdapterInterface;
  private readonly archive_name_: string;
  /** Entries by their name without the archive's folder. */
  private readonly records_ = new Map<string, ZipEntry>();
  private readonly version_: number;
  private readonly serialization_id_: string;

  constructor(in_: ReadAdapterInterface) {
    this.in_ = in_;
    const magic = new TextDecoder("latin1").decode(in_.read(0, 8, "magic number"));
    TORCH_CHECK(magic !== "PYTORCH1", "File is an unsupported archive format from the preview release.");
    const entries = read_central_directory(in_);
    if (entries.length === 0) throw enforce(168, "archive does not contain any files");
    const [{ name }] = entries;
    const end = name.indexOf("/");
    if (end < 0) throw enforce(180, `file in archive is not in a subdirectory: ${name}`);
    this.archive_name_ = name.slice(0, end);
    const folder = `${this.archive_name_}/`;
    for (const entry of entries) {
      const record = entry.name.slice(folder.length);
      if (entry.name.startsWith(folder) && !this.records_.has(record)) this.records_.set(record, entry);
    }
    this.serialization_id_ = this.hasRecord(kSerializationIdRecordName) ? this.text(kSerializationIdRecordName) : "";
    this.version_ = this.read_version();
  }

  private text(name: string): string {
    return new TextDecoder("latin1").decode(this.getRecord(name));
  }

  private read_version(): number {
    const old = this.hasRecord(".data/version");
    if (!old && !this.hasRecord("version")) throw new RuntimeError(unmet('hasRecord("version")'));
    const text = this.text(old ? ".data/version" : "version");
    const version = Number.parseInt(text, 10);
    if (Number.isNaN(version)) throw enforce(215, `Couldn't parse the version ${text} as Long Long.`);
    if (version < kMinSupportedFileFormatVersion)
      throw enforce(
        219,
        `Attempted to read a PyTorch file with version ${version}, but the minimum supported version for reading is ${kMinSupportedFileFormatVersion}. Your PyTorch script module file is too old. Please regenerate it with latest version of PyTorch to mitigate this issue.`,
      );
    if (version > kMaxSupportedFileFormatVersion)
      throw enforce(
        230,
        `Attempted to read a PyTorch file with version ${version}, but the maximum supported version for reading is ${kMaxSupportedFileFormatVersion}. The version of your PyTorch installation may be too old, please upgrade PyTorch to latest version to mitigate this issue.`,
      );
    return version;
  }

  version(): number {
    return this.version_;
  }

  serializationId(): string {
    return this.serialization_id_;
  }

  archiveName(): string {
    return this.archive_name_;
  }

  hasRecord(name: string): boolean {
    return this.records_.has(name);
  }

  getAllRecords(): string[] {
    return [...this.records_.keys()];
  }

  private entry(name: string): ZipEntry {
    const entry = this.records_.get(name);
    if (entry === undefined) throw miniz_error(`locating file ${name}`, "file not found");
    return entry;
  }

  /** Uncompressed size in bytes. */
  getRecordSize(name: string): number {
    return this.entry(name).size;
  }

  getRecordHeaderOffset(name: string): number {
    return this.entry(name).header_offset;
  }

  /** Position of the record's data: after its header, whose length only the header itself states. */
  getRecordOffset(name: string): number {
    const { header_offset } = this.entry(name);
    const header = this.in_.read(header_offset, kLocalHeaderSize, `file ${name}`);
    if (header.length < kLocalHeaderSize || new Fields(header).u32() !== kLocalHeaderSignature) throw corrupted(name);
    const lengths = new Fields(header, 26);
    const offset = header_offset + kLocalHeaderSize + lengths.u16() + lengths.u16();
    if (offset > this.in_.size()) throw corrupted(name);
    return offset;
  }

  /** The record's uncompressed bytes. If the source is memory, they are a view of it and must not be changed. */
  getRecord(name: string): Uint8Array {
    const entry = this.entry(name);
    const reading = `reading file ${name}`;
    if (entry.flags & kFlagEncrypted) throw miniz_error(reading, "unsupported encryption");
    if (entry.method !== kMethodStored && entry.method !== kMethodDeflated)
      throw miniz_error(reading, "unsupported method");
    const stored = entry.method === kMethodStored;
    if (stored ? entry.size !== entry.compressed_size : entry.size > entry.compressed_size * kLargestRatio)
      throw corrupted(name);
    if (name.endsWith(".pkl")) refuse_bomb(name, entry);
    const offset = this.getRecordOffset(name);
    if (offset + entry.compressed_size > this.in_.size()) throw miniz_error(reading, "file read failed");
    const raw = this.in_.read(offset, entry.compressed_size, `file ${name}`);
    const data = stored ? raw : inflate(raw, entry.size, reading);
    // A checksum of 0 means that none was computed (`torch.serialization.set_crc32_options(false)`).
    if (entry.crc32 !== 0 && crc32(data) !== entry.crc32) throw miniz_error(reading, "CRC-32 check failed");
    return data;
  }
}

/**
 * Refuses a small file whose pickle would take minutes to read.
 * @differs PyTorch reads it. No such file is written: a pickle is stored as it is.
 */
function refuse_bomb(name: string, { size, compressed_size }: ZipEntry): void {
  TORCH_CHECK(
    size <= kLargestPickle || size <= compressed_size * kLargestPickleRatio,
    `${name} would have ${size} bytes, made from ${compressed_size}: such a pickle only serves to keep its reader busy, and is refused`,
  );
}

function inflate(raw: Uint8Array, size: number, reading: string): Uint8Array {
  let data: Uint8Array;
  try {
    data = inflateSync(raw, { out: new Uint8Array(size) });
  } catch {
    throw miniz_error(reading, "decompression failed");
  }
  if (data.length !== size) throw miniz_error(reading, "unexpected decompressed size");
  return data;
}
