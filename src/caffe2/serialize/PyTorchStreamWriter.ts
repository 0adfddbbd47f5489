/**
 * @file The archive writer: it makes a zip file in which the data of every record begins at a multiple of 64 bytes, so
 * that it can be mapped.
 * @mirrors caffe2/serialize/inline_container.h#PyTorchStreamWriter
 */
import { deflateSync } from "fflate";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { crc32 } from "./crc_alt.ts";
import { hash_combine, serialization_id } from "./serialization_id.ts";
import { kMinProducedFileFormatVersion } from "./versions.ts";
import {
  Fields,
  kCentralHeaderSignature,
  kCentralHeaderSize,
  kDataDescriptorSignature,
  kEndOfCentralDirectorySignature,
  kEndOfCentralDirectorySize,
  kFlagDataDescriptor,
  kFlagUtf8,
  kLocalHeaderSignature,
  kLocalHeaderSize,
  kMethodDeflated,
  kMethodStored,
  kUint16Max,
  kUint32Max,
  kZip64EndSignature,
  kZip64EndSize,
  kZip64ExtraField,
  kZip64LocatorSignature,
  kZip64LocatorSize,
  type ZipEntry,
} from "./zip_format.ts";

export const kSerializationIdRecordName = ".data/serialization_id";

/** Receives the bytes, in order. */
export type WriterFunc = (data: Uint8Array) => void;

// Note [Padding is a field of the header]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A local header may contain extra fields; a reader skips those that it does not know. One field (`FB`, its length, and
// that many `Z`) moves the data to the next multiple of the alignment:
//
//     | header, 30 | name | zip64 sizes, if 4 GB or beyond | "FB" n ZZZ...Z | data | sum and sizes, 16 or 24 |
//     ^ cursor                                                              ^ multiple of 64
//
/** `detail::getPadding`: the extra field that aligns the data of a record whose header begins at `cursor`. */
function getPadding(cursor: number, filename_size: number, zip64_size: number, alignment: number): Uint8Array {
  const kFieldHeader = 4;
  const start = cursor + kLocalHeaderSize + filename_size + zip64_size + kFieldHeader;
  const padding_size = (alignment - (start % alignment)) % alignment;
  const padding = new Uint8Array(kFieldHeader + padding_size).fill("Z".charCodeAt(0));
  padding.set([..."FB"].map((letter) => letter.charCodeAt(0)));
  new Fields(padding, 2).put16(padding_size);
  return padding;
}

/** The values that do not fit into 32 bits, in the format's order; empty if all fit. */
function zip64_field(size: number, compressed_size: number, header_offset: number): Uint8Array {
  const values: number[] = [];
  if (size >= kUint32Max) values.push(size, compressed_size);
  if (header_offset >= kUint32Max) values.push(header_offset);
  if (values.length === 0) return new Uint8Array(0);
  const field = new Uint8Array(4 + 8 * values.length);
  const fields = new Fields(field).put16(kZip64ExtraField).put16(8 * values.length);
  for (const value of values) fields.put64(value);
  return field;
}

export class PyTorchStreamWriter {
  private readonly writer_func_: WriterFunc;
  private readonly archive_name_: string;
  private readonly compute_crc32_: boolean;
  private readonly alignment_: number;
  private readonly files_written_ = new Set<string>();
  private readonly entries_: ZipEntry[] = [];
  private current_pos_ = 0;
  private combined_uncomp_crc32_ = 0n;
  private serialization_id_ = "";
  private version_ = kMinProducedFileFormatVersion;
  private finalized_ = false;

  /**
   * @param archive_name the folder that contains all records
   * @param alignment alignment of every record's data, in bytes
   */
  constructor(writer_func: WriterFunc, archive_name: string, compute_crc32 = true, alignment = 64) {
    TORCH_CHECK(archive_name !== "", "archive name can't be empty");
    this.writer_func_ = writer_func;
    this.archive_name_ = archive_name;
    this.compute_crc32_ = compute_crc32;
    this.alignment_ = alignment;
  }

  archiveName(): string {
    return this.archive_name_;
  }

  serializationId(): string {
    return this.serialization_id_;
  }

  getAllWrittenRecords(): ReadonlySet<string> {
    return this.files_written_;
  }

  setMinVersion(version: number): void {
    this.version_ = Math.max(version, this.version_);
  }

  /** @param compress whether to deflate, for text. Tensors are stored uncompressed, so that they can be mapped */
  writeRecord(name: string, data: Uint8Array, compress = false): void {
    TORCH_CHECK(!this.finalized_, "should not be finalized");
    TORCH_CHECK(!this.files_written_.has(name), "Tried to serialize file twice: ", name);
    if (name === kSerializationIdRecordName && this.serialization_id_ === "") return; // copied from another archive; ours is written at the end
    const crc = this.compute_crc32_ ? crc32(data) : 0;
    const deflated = compress ? deflateSync(data) : data;
    const smaller = deflated.length < data.length;
    this.writeEntry(name, smaller ? deflated : data, smaller ? kMethodDeflated : kMethodStored, data.length, crc);
    // As in miniz, a record without data adds nothing to the sum.
    if (data.length > 0) this.combined_uncomp_crc32_ = hash_combine(this.combined_uncomp_crc32_, BigInt(crc));
    this.files_written_.add(name);
  }

  private writeEntry(record: string, data: Uint8Array, method: number, size: number, crc: number): void {
    const header_offset = this.current_pos_;
    const name = `${this.archive_name_}/${record}`;
    const name_bytes = new TextEncoder().encode(name);
    const zip64 = zip64_field(size, data.length, header_offset);
    const padding = getPadding(header_offset, name_bytes.length, zip64.length, this.alignment_);
    const flags = kFlagUtf8 | (size > 0 ? kFlagDataDescriptor : 0);
    const header = new Uint8Array(kLocalHeaderSize);
    new Fields(header).put32(kLocalHeaderSignature).put16(0).put16(flags).put16(method);
    new Fields(header, 26).put16(name_bytes.length).put16(zip64.length + padding.length);
    for (const part of [header, name_bytes, zip64, padding]) this.write(part);
    if (size > 0) {
      this.write(data);
      this.writeDataDescriptor(crc, data.length, size, zip64.length > 0);
    }
    this.entries_.push({ name, flags, method, crc32: crc, compressed_size: data.length, size, header_offset });
  }

  private writeDataDescriptor(crc: number, compressed_size: number, size: number, wide: boolean): void {
    const descriptor = new Uint8Array(wide ? 24 : 16);
    const fields = new Fields(descriptor).put32(kDataDescriptorSignature).put32(crc);
    if (wide) fields.put64(compressed_size).put64(size);
    else fields.put32(compressed_size).put32(size);
    this.write(descriptor);
  }

  /**
   * Writes the last records and the directory of all.
   * @param byteorder whether the archive says that numbers are little-endian, if no record says it yet
   */
  writeEndOfFile(byteorder = false): void {
    if (this.finalized_) throw new RuntimeError("should not be finalized");
    const text = new TextEncoder();
    for (const record of ["version", ".data/version"])
      if (this.files_written_.has(record)) throw new RuntimeError(`the archive has a record ${record} already`);
    this.writeRecord(this.version_ >= 6 ? ".data/version" : "version", text.encode(`${this.version_}\n`));
    if (byteorder && !this.files_written_.has("byteorder")) this.writeRecord("byteorder", text.encode("little"));
    this.serialization_id_ = serialization_id(this.files_written_, this.combined_uncomp_crc32_);
    this.writeRecord(kSerializationIdRecordName, text.encode(this.serialization_id_));
    this.writeCentralDirectory();
    this.finalized_ = true;
  }

  private writeCentralDirectory(): void {
    const directory_offset = this.current_pos_;
    for (const entry of this.entries_) this.writeCentralHeader(entry);
    const directory_size = this.current_pos_ - directory_offset;
    const n = this.entries_.length;
    const end = new Uint8Array(kZip64EndSize + kZip64LocatorSize + kEndOfCentralDirectorySize);
    const fields = new Fields(end);
    fields.put32(kZip64EndSignature).put64(kZip64EndSize - 12);
    fields.put16(0x031e).put16(45).put32(0).put32(0); // made by and needed versions: 3.0 on Unix, 4.5, as miniz writes; disk numbers
    fields.put64(n).put64(n).put64(directory_size).put64(directory_offset);
    fields.put32(kZip64LocatorSignature).put32(0);
    fields.put64(this.current_pos_).put32(1);
    fields.put32(kEndOfCentralDirectorySignature).put16(0).put16(0);
    fields.put16(Math.min(n, kUint16Max)).put16(Math.min(n, kUint16Max));
    fields.put32(Math.min(directory_size, kUint32Max)).put32(Math.min(directory_offset, kUint32Max)).put16(0);
    this.write(end);
  }

  private writeCentralHeader(entry: ZipEntry): void {
    const name = new TextEncoder().encode(entry.name);
    const zip64 = zip64_field(entry.size, entry.compressed_size, entry.header_offset);
    const header = new Uint8Array(kCentralHeaderSize + name.length + zip64.length);
    const fields = new Fields(header);
    fields.put32(kCentralHeaderSignature).put16(0).put16(0);
    fields.put16(entry.flags).put16(entry.method).put32(0).put32(entry.crc32);
    const wide = entry.size >= kUint32Max;
    fields.put32(wide ? kUint32Max : entry.compressed_size).put32(wide ? kUint32Max : entry.size);
    fields.put16(name.length).put16(zip64.length);
    fields.pos = 42;
    fields.put32(Math.min(entry.header_offset, kUint32Max));
    header.set(name, kCentralHeaderSize);
    header.set(zip64, kCentralHeaderSize + name.length);
    this.write(header);
  }

  private write(data: Uint8Array): void {
    if (data.length === 0) return;
    this.writer_func_(data);
    this.current_pos_ += data.length;
  }
}
