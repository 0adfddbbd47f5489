/**
 * @file The records of a zip file: their fields in order. Little-endian; sizes and offsets in bytes.
 * @original PyTorch uses the library miniz. Here fflate inflates and deflates, and the rest is hand-written, so that
 * every byte equals PyTorch's.
 */

export const kLocalHeaderSignature = 0x04034b50;
export const kCentralHeaderSignature = 0x02014b50;
export const kDataDescriptorSignature = 0x08074b50;
export const kEndOfCentralDirectorySignature = 0x06054b50;
export const kZip64EndSignature = 0x06064b50;
export const kZip64LocatorSignature = 0x07064b50;

export const kLocalHeaderSize = 30;
export const kCentralHeaderSize = 46;
export const kEndOfCentralDirectorySize = 22;
export const kZip64EndSize = 56;
export const kZip64LocatorSize = 20;

/** In a 32-bit field it means that the value is in the zip64 extra field. */
export const kUint32Max = 0xffffffff;
export const kUint16Max = 0xffff;
export const kZip64ExtraField = 0x0001;

export const kMethodStored = 0;
export const kMethodDeflated = 8;

export const kFlagEncrypted = 0x0001;
/** The local header has no checksum and no sizes; they follow the data. */
export const kFlagDataDescriptor = 0x0008;
export const kFlagUtf8 = 0x0800;

/** One file of the archive, as the central directory describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressed_size: number;
  readonly size: number;
  readonly header_offset: number;
}

/** Reads or writes numbers in sequence. A field of 64 bits is a number: no file is larger than a number can state. */
export class Fields {
  private readonly view: DataView;
  pos: number;

  constructor(bytes: Uint8Array, pos = 0) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.pos = pos;
  }

  u16(): number {
    this.pos += 2;
    return this.view.getUint16(this.pos - 2, true);
  }

  u32(): number {
    this.pos += 4;
    return this.view.getUint32(this.pos - 4, true);
  }

  u64(): number {
    this.pos += 8;
    return Number(this.view.getBigUint64(this.pos - 8, true));
  }

  put16(value: number): this {
    this.view.setUint16(this.pos, value, true);
    this.pos += 2;
    return this;
  }

  put32(value: number): this {
    this.view.setUint32(this.pos, value, true);
    this.pos += 4;
    return this;
  }

  put64(value: number): this {
    this.view.setBigUint64(this.pos, BigInt(value), true);
    this.pos += 8;
    return this;
  }
}
