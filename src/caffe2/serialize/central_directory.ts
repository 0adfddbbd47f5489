/**
 * @file The reader of a zip file's directory. It trusts nothing in it: every position must lie inside the file.
 * @original PyTorch uses the library miniz, so the messages are miniz's.
 */
import { RuntimeError } from "#c10/util/Exception";
import type { ReadAdapterInterface } from "./read_adapter_interface.ts";
import {
  Fields,
  kCentralHeaderSignature,
  kCentralHeaderSize,
  kEndOfCentralDirectorySignature,
  kEndOfCentralDirectorySize,
  kUint16Max,
  kUint32Max,
  kZip64EndSignature,
  kZip64EndSize,
  kZip64ExtraField,
  kZip64LocatorSignature,
  kZip64LocatorSize,
  type ZipEntry,
} from "./zip_format.ts";

/** The error of `PyTorchStreamReader::valid`. */
export function miniz_error(what: string, error: string): RuntimeError {
  return new RuntimeError(
    `PytorchStreamReader failed ${what}: ${error}. This is an internal miniz error. If you are seeing this error, there is a high likelihood that your checkpoint file is corrupted. This can happen if the checkpoint was not saved properly, was transferred incorrectly, or the file was modified after saving.`,
  );
}

function corrupted(): RuntimeError {
  return miniz_error("reading zip archive", "invalid header or archive is corrupted");
}

interface Directory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/** Position of the end record, searched from the end because a comment may follow it. */
function end_record(tail: Uint8Array): number {
  for (let at = tail.length - kEndOfCentralDirectorySize; at >= 0; at--)
    if (new Fields(tail, at).u32() === kEndOfCentralDirectorySignature) return at;
  throw miniz_error("reading zip archive", "failed finding central directory");
}

function locate(in_: ReadAdapterInterface): Directory {
  const size = in_.size();
  if (size < kEndOfCentralDirectorySize) throw miniz_error("reading zip archive", "not a ZIP archive");
  const longest = kEndOfCentralDirectorySize + kUint16Max;
  const tail = in_.read(Math.max(0, size - longest), longest, "zip archive");
  const at = end_record(tail);
  const end = new Fields(tail, at + 4);
  const [disk, first_disk, count_here, count] = [end.u16(), end.u16(), end.u16(), end.u16()];
  const narrow = { count, size: end.u32(), offset: end.u32() };
  if (disk !== first_disk || disk > 1 || count_here !== count) throw corrupted();
  return zip64_directory(in_, size - tail.length + at) ?? narrow;
}

/** The directory of a 64-bit archive, whose own end record precedes the ordinary one; null for other archives. */
function zip64_directory(in_: ReadAdapterInterface, end_offset: number): Directory | null {
  if (end_offset < kZip64LocatorSize + kZip64EndSize) return null;
  const locator = new Fields(in_.read(end_offset - kZip64LocatorSize, kZip64LocatorSize, "zip archive"));
  if (locator.u32() !== kZip64LocatorSignature) return null;
  locator.pos += 4;
  const at = locator.u64();
  if (at > end_offset - kZip64LocatorSize - kZip64EndSize) throw corrupted();
  const end = new Fields(in_.read(at, kZip64EndSize, "zip archive"));
  if (end.u32() !== kZip64EndSignature) throw corrupted();
  end.pos += 8 + 2 + 2 + 4 + 4;
  const [count_here, count, size, offset] = [end.u64(), end.u64(), end.u64(), end.u64()];
  if (count_here !== count || offset + size > at) throw corrupted();
  return { count, size, offset };
}

/** The entry with its full fields replaced by the 64-bit values in its extra field. */
function widen(entry: ZipEntry, extra: Uint8Array): ZipEntry {
  const full = [entry.size, entry.compressed_size, entry.header_offset].map((value) => value === kUint32Max);
  if (!full.includes(true)) return entry;
  const fields = new Fields(extra);
  while (fields.pos + 4 <= extra.length) {
    const [id, length] = [fields.u16(), fields.u16()];
    if (fields.pos + length > extra.length) throw corrupted();
    if (id !== kZip64ExtraField) {
      fields.pos += length;
      continue;
    }
    if (length < 8 * full.filter(Boolean).length) throw corrupted();
    return {
      ...entry,
      size: full[0] ? fields.u64() : entry.size,
      compressed_size: full[1] ? fields.u64() : entry.compressed_size,
      header_offset: full[2] ? fields.u64() : entry.header_offset,
    };
  }
  return entry;
}

/** All files of the archive, in the order of its directory. */
export function read_central_directory(in_: ReadAdapterInterface): ZipEntry[] {
  const { count, size, offset } = locate(in_);
  if (offset + size > in_.size() || count * kCentralHeaderSize > size) throw corrupted();
  const directory = in_.read(offset, size, "zip archive");
  const decoder = new TextDecoder();
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + kCentralHeaderSize > directory.length) throw corrupted();
    const fields = new Fields(directory, at);
    if (fields.u32() !== kCentralHeaderSignature) throw corrupted();
    fields.pos += 4;
    const [flags, method] = [fields.u16(), fields.u16()];
    fields.pos += 4;
    const [crc32, compressed_size, uncompressed_size] = [fields.u32(), fields.u32(), fields.u32()];
    const [name_length, extra_length, comment_length] = [fields.u16(), fields.u16(), fields.u16()];
    fields.pos += 8;
    const header_offset = fields.u32();
    const name_at = at + kCentralHeaderSize;
    const extra_at = name_at + name_length;
    at = extra_at + extra_length + comment_length;
    if (at > directory.length) throw corrupted();
    const name = decoder.decode(directory.subarray(name_at, extra_at));
    const entry = { name, flags, method, crc32, compressed_size, size: uncompressed_size, header_offset };
    const wide = widen(entry, directory.subarray(extra_at, extra_at + extra_length));
    if (wide.header_offset + wide.compressed_size > offset) throw corrupted();
    entries.push(wide);
  }
  return entries;
}
